/* Blended rows against the addition theorem, written out; every level against that, bit for bit. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "blend.h"
#include "dtype.h"
#include "exact.h"

#define ROUNDS   400
#define DISTANCE 9    /* distances run from -8 to 8 */
#define BEYOND   1000 /* elements before and after the rows: nobody's */
#define ROOM     (2 * BEYOND + 17 * (2 * POSENC__BLEND_WAVES + 40))

static const enum posenc__blend_form forms[] = {POSENC__BLEND_BOTH, POSENC__BLEND_MIXED,
                                                POSENC__BLEND_ONE, POSENC__BLEND_DOUBLED,
                                                POSENC__BLEND_REPEATED};
static const enum posenc_dtype dtypes[] = {POSENC_FLOAT64, POSENC_FLOAT32, POSENC_FLOAT16,
                                           POSENC_BFLOAT16};

struct trial {
    struct posenc__blend blend;
    ptrdiff_t begin, end;
    double sines[POSENC__BLEND_WAVES], cosines[POSENC__BLEND_WAVES];
    double near[DISTANCE][2][POSENC__BLEND_WAVES];
    unsigned char ours[ROOM * sizeof(double)], expected[ROOM * sizeof(double)];
};

static void draw_angles(uint64_t *seed, size_t count, double *sines, double *cosines)
{
    for (size_t i = 0; i < count; i++) {
        const double angle = exact_bits(seed) % 8 ? exact_between(seed, -4, 4) : 0;

        sines[i] = sin(angle) + 0.0;
        cosines[i] = cos(angle);
    }
}

static void draw_trial(struct trial *trial, uint64_t *seed)
{
    const size_t waves = 1 + exact_bits(seed) % POSENC__BLEND_WAVES;
    const size_t gap = exact_bits(seed) % 20;
    const ptrdiff_t width = (ptrdiff_t)(2 * waves + gap + 1);
    const bool is_scaled = exact_bits(seed) % 2;

    draw_angles(seed, waves, trial->sines, trial->cosines);
    for (size_t d = 0; d < DISTANCE; d++)
        draw_angles(seed, waves, trial->near[d][0], trial->near[d][1]);
    trial->begin = (ptrdiff_t)(exact_bits(seed) % (2 * DISTANCE - 1)) - (DISTANCE - 1);
    trial->end =
        trial->begin + (ptrdiff_t)(exact_bits(seed) % (size_t)(DISTANCE - trial->begin + 1));
    trial->blend = (struct posenc__blend){
        .form = forms[exact_bits(seed) % 5],
        .dtype = dtypes[exact_bits(seed) % 4],
        .waves = waves,
        .sines = trial->sines,
        .cosines = trial->cosines,
        .near = trial->near[0][0],
        .near_stride = 2 * POSENC__BLEND_WAVES,
        .near_cosines = POSENC__BLEND_WAVES,
        .sine_factor = is_scaled ? exact_between(seed, -3, 3) : 1,
        .cosine_factor = is_scaled ? exact_between(seed, -3, 3) : 1,
        .origin = trial->begin,
        .row_stride = exact_bits(seed) % 2 ? width : -width,
        .sine = exact_bits(seed) % (gap + 1),
    };
    trial->blend.cosine = trial->blend.sine + waves;
}

/* The element that `out` would have if its rows ran forwards. */
static size_t start_of(const struct trial *trial)
{
    const ptrdiff_t rows = trial->end - trial->begin;

    return BEYOND + (trial->blend.row_stride > 0
                         ? 0
                         : (size_t)(-trial->blend.row_stride * (rows > 0 ? rows - 1 : 0)));
}

static void put(struct trial *trial, size_t at, double value)
{
    const size_t size = posenc_dtype_size(trial->blend.dtype);

    posenc__round_at(POSENC__PLAIN, trial->blend.dtype, &value, 1, trial->expected + at * size);
}

/* A wave's elements in a row that starts at `row`. */
static void expect_wave(struct trial *trial, size_t row, size_t i, double sine, double cosine)
{
    const struct posenc__blend *blend = &trial->blend;
    const double first = sine * blend->sine_factor + 0.0;
    const double second = cosine * blend->cosine_factor + 0.0;
    const size_t at = row + blend->sine, other = row + blend->cosine;

    switch (blend->form) {
    case POSENC__BLEND_BOTH:
        put(trial, at + i, first), put(trial, other + i, second);
        break;
    case POSENC__BLEND_MIXED:
        put(trial, at + 2 * i, first), put(trial, at + 2 * i + 1, second);
        break;
    case POSENC__BLEND_ONE:
        put(trial, at + i, first);
        break;
    case POSENC__BLEND_DOUBLED:
        put(trial, at + 2 * i, first), put(trial, at + 2 * i + 1, first);
        break;
    case POSENC__BLEND_REPEATED:
        put(trial, at + i, first), put(trial, other + i, first);
        break;
    }
}

static void expect(struct trial *trial)
{
    const struct posenc__blend *blend = &trial->blend;

    memset(trial->expected, 0xa5, sizeof(trial->expected));
    for (ptrdiff_t d = trial->begin; d < trial->end; d++) {
        double(*near)[POSENC__BLEND_WAVES] = trial->near[d < 0 ? -d : d];
        const size_t row =
            (size_t)((ptrdiff_t)start_of(trial) + (d - trial->begin) * blend->row_stride);

        for (size_t i = 0; i < blend->waves; i++) {
            const double turn = d < 0 ? -near[0][i] : near[0][i];
            const double sine_part = trial->sines[i] * near[1][i];
            const double sine_turn = trial->cosines[i] * turn;
            const double cosine_part = trial->cosines[i] * near[1][i];
            const double cosine_turn = trial->sines[i] * turn;

            expect_wave(trial, row, i, sine_part + sine_turn, cosine_part - cosine_turn);
        }
    }
}

Test(blend, every_level_gives_the_bits_of_the_addition_theorem_and_writes_nothing_else)
{
    struct trial *const trial = malloc(sizeof(*trial));
    uint64_t seed = 2017;

    cr_assert(trial);
    for (int round = 0; round < ROUNDS; round++) {
        draw_trial(trial, &seed);
        expect(trial);
        for (int level = 0; level < POSENC__LEVEL_COUNT; level++) {
            const size_t size = posenc_dtype_size(trial->blend.dtype);

            if (!posenc__level_runs((enum posenc__level)level))
                continue;
            memset(trial->ours, 0xa5, sizeof(trial->ours));
            trial->blend.out = trial->ours + start_of(trial) * size;
            posenc__blend_at((enum posenc__level)level, &trial->blend, trial->begin, trial->end);
            cr_assert_eq(memcmp(trial->ours, trial->expected, sizeof(trial->ours)), 0,
                         "round %d, level %d, form %d, dtype %s, %zu waves, distances %td to %td",
                         round, level, (int)trial->blend.form,
                         posenc_dtype_name(trial->blend.dtype), trial->blend.waves, trial->begin,
                         trial->end);
        }
    }
    free(trial);
}

Test(blend, a_sine_of_nothing_is_plus_0_whatever_the_signs)
{
    static const double zero[] = {0.0}, one[] = {1.0};
    static const double near[][2] = {{0.0, 1.0}, {0.0, 1.0}};
    double out[3];
    const struct posenc__blend blend = {.form = POSENC__BLEND_ONE,
                                        .dtype = POSENC_FLOAT64,
                                        .waves = 1,
                                        .sines = zero,
                                        .cosines = one,
                                        .near = near[0],
                                        .near_stride = 2,
                                        .near_cosines = 1,
                                        .sine_factor = -2,
                                        .cosine_factor = -2,
                                        .out = out,
                                        .origin = -1,
                                        .row_stride = 1};

    posenc__blend(&blend, -1, 2);
    for (int i = 0; i < 3; i++)
        cr_expect(out[i] == 0 && !signbit(out[i]), "%d", i);
}
