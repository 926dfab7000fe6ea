/* Resizing weights: published ones, and what must hold of all. */
#include <criterion/criterion.h>
#include <math.h>

#include "exact.h"
#include "learned.h"

/* Double-double sums of up to some ten weights below 2. */
#define WEIGHT_ERROR 1e-29

#define AXIS_MAX 64

struct matrix {
    double high[AXIS_MAX][AXIS_MAX], low[AXIS_MAX][AXIS_MAX];
};

/* The bands as a full matrix [to][from]. */
static void make_matrix(const struct posenc__resampling *axis, struct matrix *matrix)
{
    struct posenc_memory memory;
    struct posenc__bands bands;

    *matrix = (struct matrix){0};
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    cr_assert(posenc__resampling_bands(axis, &memory, &bands));
    cr_assert_eq(bands.taps, posenc__resampling_taps(axis));
    for (size_t i = 0; i < axis->to; i++)
        for (size_t k = 0; k < bands.taps; k++) {
            cr_assert_lt(bands.starts[i] + k, axis->from);
            matrix->high[i][bands.starts[i] + k] = bands.weights[i * bands.taps + k].hi;
            matrix->low[i][bands.starts[i] + k] = bands.weights[i * bands.taps + k].lo;
        }
    posenc_memory_release(&memory);
}

static struct posenc__resampling random_axis(uint64_t *seed)
{
    const uint64_t kind = exact_bits(seed) % 4;

    return (struct posenc__resampling){.from = 1 + exact_bits(seed) % AXIS_MAX,
                                       .to = 1 + exact_bits(seed) % AXIS_MAX,
                                       .is_cubic = exact_bits(seed) % 2,
                                       .align_corners = kind == 1,
                                       .antialias = kind == 2,
                                       .extra_length = kind == 3 ? 0.1 : 0.0};
}

struct published {
    struct posenc__resampling axis;
    double rows[3][6]; /* numerators of the first rows */
    double denominators[3];
};

/* The same rational numbers by hand: PyTorch's formulas in exact fractions. */
static const struct published published[] = {
    {{.from = 4, .to = 7}, {{7}, {9, 5}, {1, 13}}, {7, 14, 14}},
    {{.from = 4, .to = 6, .is_cubic = true},
     {{313, -25}, {16, 19, -3}, {-50, 543.333333333333371, 92.6666666666666714, -10}},
     {288, 32, 576}},
    {{.from = 4, .to = 6, .is_cubic = true, .align_corners = true},
     {{1}, {97, 180, -27}, {-12, 115, 25, -3}},
     {1, 250, 125}},
    {{.from = 4, .to = 6, .is_cubic = true, .antialias = true},
     {{81, -5}, {9, 9, -1}, {-25, 405, 57, -5}},
     {76, 17, 432}},
    {{.from = 6, .to = 3, .is_cubic = true},
     {{16, 19, -3}, {0, -3, 19, 19, -3}, {0, 0, 0, -3, 19, 16}},
     {32, 32, 32}},
    {{.from = 6, .to = 3, .is_cubic = true, .antialias = true},
     {{111, 111, 29, -9, -3}, {-9, 29, 111, 111, 29, -9}, {0, -3, -9, 29, 111, 111}},
     {239, 262, 239}},
};

Test(learned_weights, are_pytorchs_formulas_in_fractions)
{
    for (size_t p = 0; p < sizeof(published) / sizeof(*published); p++) {
        struct matrix matrix;

        make_matrix(&published[p].axis, &matrix);
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < published[p].axis.from; j++)
                cr_expect_float_eq(
                    matrix.high[i][j], published[p].rows[i][j] / published[p].denominators[i],
                    0x1p-52, "matrix %zu, row %zu, column %zu: %.17g", p, i, j, matrix.high[i][j]);
    }
}

Test(learned_weights, of_a_row_add_up_to_one)
{
    uint64_t seed = 1;

    for (int n = 0; n < 600; n++) {
        const struct posenc__resampling axis = random_axis(&seed);
        struct matrix matrix;

        make_matrix(&axis, &matrix);
        for (size_t i = 0; i < axis.to; i++) {
            struct posenc__dd sum = {-1.0, 0.0};

            for (size_t j = 0; j < axis.from; j++)
                sum = posenc__dd_add(sum, (struct posenc__dd){matrix.high[i][j], matrix.low[i][j]});
            cr_assert_lt(fabs(sum.hi), WEIGHT_ERROR, "row %zu of %zu, %zu columns", i, axis.to,
                         axis.from);
        }
    }
}

Test(learned_weights, read_the_same_backwards)
{
    uint64_t seed = 2;

    for (int n = 0; n < 300; n++) {
        struct posenc__resampling axis = random_axis(&seed);
        struct matrix matrix;

        axis.extra_length = 0.0; /* an offset stretches to one side */
        if (axis.to == 1)
            axis.align_corners = false; /* the only corner is the first */
        make_matrix(&axis, &matrix);
        for (size_t i = 0; i < axis.to; i++)
            for (size_t j = 0; j < axis.from; j++)
                cr_assert_float_eq(matrix.high[i][j],
                                   matrix.high[axis.to - 1 - i][axis.from - 1 - j], 0x1p-51);
    }
}

Test(learned_weights, of_the_same_size_are_the_identity_unless_an_offset_moves_them)
{
    for (size_t kind = 0; kind < 6; kind++) {
        struct posenc__resampling axis = {.from = 37,
                                          .to = 37,
                                          .is_cubic = kind % 2,
                                          .align_corners = kind / 2 == 1,
                                          .antialias = kind / 2 == 2};
        struct matrix matrix;

        make_matrix(&axis, &matrix);
        for (size_t i = 0; i < 37; i++)
            for (size_t j = 0; j < 37; j++) {
                cr_assert_eq(matrix.high[i][j], i == j ? 1.0 : 0.0, "kind %zu", kind);
                cr_assert_eq(matrix.low[i][j], 0.0);
            }
        axis.extra_length = 0.1;
        axis.align_corners = false;
        make_matrix(&axis, &matrix);
        cr_expect_lt(matrix.high[36][36], 1.0);
    }
}

/* Cubic convolution and straight lines both keep straight lines, away from the ends. */
Test(learned_weights, keep_a_ramp_between_the_ends)
{
    const struct posenc__resampling axis = {.from = 20, .to = 33, .is_cubic = true};
    struct matrix matrix;

    make_matrix(&axis, &matrix);
    for (size_t i = 4; i < 29; i++) {
        const double place = ((double)i + 0.5) * 20.0 / 33.0 - 0.5;
        double sum = 0.0;

        for (size_t j = 0; j < 20; j++)
            sum += matrix.high[i][j] * (double)j;
        /* A = -3/4 bends a ramp a little, by at most (1 + 2A) t (1 - t) (1 - 2t) < 0.05. */
        cr_expect_float_eq(sum, place, 0.05, "row %zu", i);
    }
}

Test(learned_weights, need_as_many_taps_as_the_kernel_reaches)
{
    struct posenc__resampling axis = {.from = 1000, .to = 2000, .is_cubic = true};

    cr_expect_eq(posenc__resampling_taps(&axis), 4);
    axis.is_cubic = false;
    cr_expect_eq(posenc__resampling_taps(&axis), 2);
    axis.to = 10;
    cr_expect_eq(posenc__resampling_taps(&axis), 2);
    axis.antialias = true;
    cr_expect_eq(posenc__resampling_taps(&axis), 202);
    axis.to = 1;
    cr_expect_eq(posenc__resampling_taps(&axis), 1000);
}
