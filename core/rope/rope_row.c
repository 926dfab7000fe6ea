/* cos and sin of a position's pairs, in the arithmetic that was asked for. */
#include <math.h>

#include "rope.h"
#include "waves.h"

#define PAIR_BLOCK 64             /* pairs computed at a time, on the stack */
#define TURN       0x1.921fb6p+2f /* 2 pi in float32 */

static size_t axis_of(const struct posenc__rope *rope, size_t pair)
{
    return rope->axis_of_pair ? rope->axis_of_pair[pair] : 0;
}

static size_t frequency_of(const struct posenc__rope *rope, size_t pair)
{
    return rope->frequency_of_pair ? rope->frequency_of_pair[pair] : pair;
}

/* The coordinate of a row before it is scaled; false for a token without a position. */
static bool find_coordinate(const struct posenc__rope_axis *axis, size_t row,
                            struct posenc__dd *coordinate)
{
    const size_t line = axis->stride ? row / axis->stride % axis->positions.count : row;

    *coordinate = posenc__position_at(&axis->positions, line);
    if (axis->start != 0)
        *coordinate = posenc__dd_add(*coordinate, (struct posenc__dd){axis->start, 0});
    return !isnan(coordinate->hi);
}

static struct posenc__dd exact_coordinate(const struct posenc__rope_axis *axis, size_t row)
{
    struct posenc__dd coordinate;

    if (!find_coordinate(axis, row, &coordinate))
        return (struct posenc__dd){0, 0};
    if (axis->extent == 0)
        return coordinate;
    return posenc__dd_divide(posenc__dd_sum(2 * coordinate.hi + 1, -axis->extent),
                             (struct posenc__dd){axis->extent, 0});
}

/* As float32 programs have it: patch centres scaled step by step, then to radians. */
static float float32_coordinate(const struct posenc__rope_axis *axis, size_t row)
{
    struct posenc__dd coordinate;

    if (!find_coordinate(axis, row, &coordinate))
        return 0;
    if (axis->extent == 0)
        return (float)coordinate.hi;
    const float share = ((float)coordinate.hi + 0.5f) / (float)axis->extent;

    return TURN * (2.0f * share - 1.0f);
}

/* How many pairs from one on, at most `limit`, follow its axis. */
static size_t run_of(const struct posenc__rope *rope, size_t pair, size_t limit)
{
    size_t run = rope->axis_of_pair ? 1 : limit;

    while (run < limit && axis_of(rope, pair + run) == axis_of(rope, pair))
        run++;
    return run;
}

/* exact: the angle in double-double. Pairs of one axis that stand together are computed together.
 */
static void exact_row(const struct posenc__rope *rope, size_t row, size_t first, size_t count,
                      double *cosines, double *sines)
{
    for (size_t done = 0; done < count;) {
        const size_t axis = axis_of(rope, first + done);
        const size_t run = run_of(rope, first + done, count - done);

        if (rope->has_wave_rows)
            posenc__wave_rows_sincos(&rope->wave_rows[axis], row, first + done, run, sines + done,
                                     cosines + done);
        else
            posenc__sincos(&rope->waves, exact_coordinate(&rope->axes[axis], row), first + done,
                           run, sines + done, cosines + done);
        done += run;
    }
}

/* float32, of at most PAIR_BLOCK pairs: angle, cosine and sine rounded to float32, one step after
 * another. */
static void float32_row(const struct posenc__rope *rope, size_t row, size_t first, size_t count,
                        double *cosines, double *sines)
{
    float frequencies[PAIR_BLOCK];

    for (size_t i = 0; i < count; i++)
        frequencies[i] = (float)rope->frequencies.radians[frequency_of(rope, first + i)].hi;
    for (size_t done = 0; done < count;) {
        const size_t run = run_of(rope, first + done, count - done);
        const struct posenc__rope_axis *axis = &rope->axes[axis_of(rope, first + done)];

        posenc__sincos_float32(frequencies + done, float32_coordinate(axis, row), run, sines + done,
                               cosines + done);
        done += run;
    }
}

/* ggml's theta of one axis, carried from frequency to frequency. */
struct theta {
    float value;
    size_t frequency;
};

static void carry_theta(const struct posenc__rope *rope, const struct posenc__rope_axis *axis,
                        size_t row, size_t frequency, struct theta *theta)
{
    if (theta->frequency > frequency)
        *theta = (struct theta){float32_coordinate(axis, row), 0};
    for (; theta->frequency < frequency; theta->frequency++)
        theta->value *= rope->frequencies.ggml.theta_scale;
}

static void ggml_row(const struct posenc__rope *rope, size_t row, size_t first, size_t count,
                     double *cosines, double *sines)
{
    struct theta thetas[POSENC__ROPE_AXES_MAX] = {{0}};
    float angles[PAIR_BLOCK];

    for (size_t axis = 0; axis < rope->axis_count; axis++)
        thetas[axis].frequency = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        const size_t axis = axis_of(rope, first + i), own = frequency_of(rope, first + i);

        carry_theta(rope, &rope->axes[axis], row, own, &thetas[axis]);
        angles[i] = posenc__ggml_angle(&rope->frequencies.ggml, own, thetas[axis].value);
    }
    posenc__sincos_float32(angles, 1.0f, count, sines, cosines);
}

/* Attention factor and sign, with the rounding of the dialect. */
static void finish_row(const struct posenc__rope *rope, double sign, size_t count, double *values)
{
    const enum posenc__rope_arithmetic arithmetic = rope->arithmetic;
    uint16_t bits[PAIR_BLOCK];

    for (size_t i = 0; i < count; i++)
        values[i] = values[i] * rope->scale * sign + 0.0;
    if (arithmetic == POSENC__ROPE_FLOAT32 || arithmetic == POSENC__ROPE_GGML)
        for (size_t i = 0; i < count; i++)
            values[i] = (float)values[i];
    if (arithmetic == POSENC__ROPE_BFLOAT16_TABLE) {
        posenc_round(POSENC_BFLOAT16, values, count, bits);
        posenc_widen(POSENC_BFLOAT16, bits, count, values);
    }
}

static void start_row(const struct posenc__rope *rope, size_t row, size_t first, size_t count,
                      double *cosines, double *sines)
{
    switch (rope->arithmetic) {
    case POSENC__ROPE_EXACT:
    case POSENC__ROPE_BFLOAT16_TABLE:
        exact_row(rope, row, first, count, cosines, sines);
        return;
    case POSENC__ROPE_FLOAT32:
        float32_row(rope, row, first, count, cosines, sines);
        return;
    case POSENC__ROPE_GGML:
        ggml_row(rope, row, first, count, cosines, sines);
        return;
    }
}

void posenc__rope_row(const struct posenc__rope *rope, size_t row, size_t first, size_t count,
                      double *cosines, double *sines)
{
    double cosine_block[PAIR_BLOCK] = {0}, sine_block[PAIR_BLOCK] = {0};

    for (size_t done = 0; done < count;) {
        const size_t part = count - done < PAIR_BLOCK ? count - done : PAIR_BLOCK;
        double *const c = cosines ? cosines + done : cosine_block;
        double *const s = sines ? sines + done : sine_block;

        start_row(rope, row, first + done, part, c, s);
        finish_row(rope, 1, part, c);
        finish_row(rope, rope->sign, part, s);
        done += part;
    }
}

bool posenc__rope_has_fast_rows(const struct posenc__rope *rope)
{
    return rope->has_wave_rows && rope->arithmetic == POSENC__ROPE_EXACT && !rope->axis_of_pair;
}

void posenc__rope_fill_rows(const struct posenc__rope *rope, size_t row, size_t count, double *out)
{
    const size_t pairs = rope->pairs;

    if (posenc__rope_has_fast_rows(rope)) {
        struct posenc__wave_layout layout =
            posenc__wave_halves(&rope->wave_rows[0], true, 2 * pairs);

        layout.sine_factor = rope->scale * rope->sign;
        layout.cosine_factor = rope->scale;
        posenc__wave_rows_fill(&rope->wave_rows[0], &layout, POSENC_FLOAT64, row, count, out);
        return;
    }
    for (size_t i = 0; i < count; i++, out += 2 * pairs)
        posenc__rope_row(rope, row + i, 0, pairs, out, out + pairs);
}
