/* RoPE's tables, in the shapes that frameworks keep them in. */
#include "inputs.h"
#include "rope.h"
#include "waves.h"

enum table_layout { PAIRS, HALF, INTERLEAVED, COS_SIN };

#define PAIR_BLOCK 64 /* pairs computed at a time, on the stack */

/* exact: the angle in double-double. Pairs of one axis that stand together are computed together.
 */
static void exact_row(const struct posenc__rope *rope, size_t row, size_t first, size_t count,
                      double *cosines, double *sines)
{
    for (size_t done = 0; done < count;) {
        const unsigned char axis = rope->axis_of_pair ? rope->axis_of_pair[first + done] : 0;
        size_t run = rope->axis_of_pair ? 1 : count - done;

        while (done + run < count && rope->axis_of_pair &&
               rope->axis_of_pair[first + done + run] == axis)
            run++;
        posenc__sincos(&rope->waves, posenc__position_at(&rope->axes[axis], row), first + done, run,
                       sines + done, cosines + done);
        done += run;
    }
}

/* float32: angle, cosine and sine rounded to float32, one step after another. */
static void float32_row(const struct posenc__rope *rope, size_t row, size_t first, size_t count,
                        double *cosines, double *sines)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned char axis = rope->axis_of_pair ? rope->axis_of_pair[first + i] : 0;
        const float position = (float)posenc__position_at(&rope->axes[axis], row).hi;
        const float frequency = (float)rope->frequencies.radians[first + i].hi;

        posenc__sincos_float32(&frequency, position, 1, &sines[i], &cosines[i]);
    }
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

void posenc__rope_row(const struct posenc__rope *rope, size_t row, size_t first, size_t count,
                      double *cosines, double *sines)
{
    double cosine_block[PAIR_BLOCK], sine_block[PAIR_BLOCK];

    for (size_t done = 0; done < count;) {
        const size_t part = count - done < PAIR_BLOCK ? count - done : PAIR_BLOCK;
        double *const c = cosines ? cosines + done : cosine_block;
        double *const s = sines ? sines + done : sine_block;

        if (rope->arithmetic == POSENC__ROPE_FLOAT32 || rope->arithmetic == POSENC__ROPE_GGML)
            float32_row(rope, row, first + done, part, c, s);
        else
            exact_row(rope, row, first + done, part, c, s);
        finish_row(rope, 1, part, c);
        finish_row(rope, rope->sign, part, s);
        done += part;
    }
}

/* One tensor of the table: cosines, sines, or both side by side. */
struct table {
    const struct posenc__rope *rope;
    enum table_layout layout;
    bool is_sine;
};

/* Pairs [first, first + count) of a row, of the kind that this half of the columns holds. */
static void table_pairs(const struct table *table, size_t row, bool is_sine, size_t first,
                        size_t count, double *out)
{
    posenc__rope_row(table->rope, row, first, count, is_sine ? NULL : out, is_sine ? out : NULL);
}

/* Columns [begin, end) of a row where each pair stands twice in a row. */
static void doubled_span(const struct table *table, size_t row, size_t begin, size_t end,
                         double *out)
{
    double block[PAIR_BLOCK];

    for (size_t column = begin; column < end;) {
        const size_t pair = column / 2, left = (end + 1) / 2 - pair;
        const size_t part = left < PAIR_BLOCK ? left : PAIR_BLOCK;

        table_pairs(table, row, table->is_sine, pair, part, block);
        for (; column < end && column / 2 < pair + part; column++)
            out[column - begin] = block[column / 2 - pair];
    }
}

/* Columns [begin, end) of a row where all pairs stand side by side, once or twice. */
static void stacked_span(const struct table *table, size_t row, size_t begin, size_t end,
                         double *out)
{
    const size_t pairs = table->rope->frequencies.pairs;

    for (size_t column = begin; column < end;) {
        const bool second = column >= pairs;
        const size_t first = second ? column - pairs : column;
        const size_t limit = second || end < pairs ? end : pairs;

        table_pairs(table, row, table->layout == COS_SIN ? second : table->is_sine, first,
                    limit - column, out + (column - begin));
        column = limit;
    }
}

static void table_values(const void *context, size_t first, size_t count, double *out)
{
    const struct table *table = context;
    const size_t pairs = table->rope->frequencies.pairs,
                 width = table->layout == PAIRS ? pairs : 2 * pairs;

    for (size_t done = 0; done < count;) {
        const size_t row = (first + done) / width, begin = (first + done) % width;
        const size_t end = width - begin < count - done ? width : begin + count - done;

        if (table->layout == INTERLEAVED)
            doubled_span(table, row, begin, end, out + done);
        else
            stacked_span(table, row, begin, end, out + done);
        done += end - begin;
    }
}

static void frequency_values(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__rope *rope = context;

    for (size_t i = 0; i < count; i++)
        out[i] = rope->frequencies.radians[first + i].hi;
}

static void weight_values(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__rope *rope = context;

    for (size_t i = 0; i < count; i++)
        out[i] = rope->frequencies.interpolation_weight[first + i];
}

static enum posenc_status add_table(const struct posenc__rope *rope, enum table_layout layout,
                                    const char *name, bool is_sine, enum posenc_dtype dtype,
                                    struct posenc_memory *memory, struct posenc_result *result,
                                    struct posenc_problem *problem)
{
    const size_t pairs = rope->frequencies.pairs;
    const size_t shape[] = {rope->rows, layout == PAIRS ? pairs : 2 * pairs};
    struct table *table = posenc_allocate(memory, 1, sizeof(*table));

    if (!table)
        return posenc__no_memory(problem);
    *table = (struct table){rope, layout, is_sine};
    return posenc__add_tensor(result, memory, problem, name, dtype, 2, shape, table_values, table);
}

enum posenc_status posenc__rope_plan_table(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem)
{
    const enum posenc_dtype dtype = posenc__dtype(arguments);
    /* Frequencies are for comparing, so they come in full unless a dtype was asked for by name. */
    const enum posenc_dtype full = posenc__given(arguments, "dtype") ? dtype : POSENC_FLOAT64;
    const enum table_layout layout = posenc__choice(arguments, "table_layout");
    struct posenc__rope *rope = NULL;
    enum posenc_status status =
        posenc__rope_prepare(arguments, NULL, NULL, memory, result, &rope, problem);

    if (status == POSENC_OK)
        status = add_table(rope, layout, layout == COS_SIN ? "cos_sin" : "cos", false, dtype,
                           memory, result, problem);
    if (status == POSENC_OK && layout != COS_SIN)
        status = add_table(rope, layout, "sin", true, dtype, memory, result, problem);
    if (status == POSENC_OK)
        status = posenc__add_tensor(result, memory, problem, "inv_freq", full, 1,
                                    &rope->frequencies.pairs, frequency_values, rope);
    if (status == POSENC_OK)
        status = posenc__add_tensor(result, memory, problem, "interpolation_weight", full, 1,
                                    &rope->frequencies.pairs, weight_values, rope);
    return status;
}
