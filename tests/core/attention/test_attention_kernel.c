/* Attention's loops at every level: the bits of the sums as the header describes them. */
#include <criterion/criterion.h>
#include <math.h>

#include "attention_kernel.h"

#define ROWS_MAX  11
#define WIDTH_MAX 70

static double next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005 + 1442695040888963407;
    return ldexp((double)(*seed >> 11), -52) - 1;
}

/* Sums over channels i with i % 4 == lane; what is left behind whole fours goes to the first. */
static double reference_dot(const double *a, const double *b, size_t width, double scale)
{
    double sums[4] = {0};

    for (size_t i = 0; i < width; i++)
        sums[i < width / 4 * 4 ? i % 4 : 0] += a[i] * b[i];
    return scale * ((sums[0] + sums[2]) + (sums[1] + sums[3]));
}

Test(attention_kernel, dots_have_the_same_bits_at_every_level)
{
    double a[WIDTH_MAX], b[ROWS_MAX * WIDTH_MAX], out[ROWS_MAX + 1];
    uint64_t seed = 1;

    for (size_t width = 1; width <= WIDTH_MAX; width++) {
        for (size_t i = 0; i < ROWS_MAX * WIDTH_MAX; i++)
            b[i] = next_random(&seed);
        for (size_t i = 0; i < width; i++)
            a[i] = next_random(&seed);
        for (enum posenc__level level = 0; level < POSENC__LEVEL_COUNT; level++)
            for (size_t rows = 0; rows <= ROWS_MAX && posenc__level_runs(level); rows++) {
                out[rows] = 7;
                posenc__dots_at(level, &(struct posenc__dots){a, b, width, rows, 0.3, out});
                for (size_t row = 0; row < rows; row++)
                    cr_assert_eq(out[row], reference_dot(a, b + row * width, width, 0.3),
                                 "level %d, width %zu, row %zu of %zu", level, width, row, rows);
                cr_assert_eq(out[rows], 7, "written behind the end");
            }
    }
}

Test(attention_kernel, weighed_rows_are_added_in_their_order_and_hidden_ones_not_read)
{
    double v[ROWS_MAX * WIDTH_MAX], weights[ROWS_MAX], out[WIDTH_MAX];
    uint64_t seed = 2;

    for (size_t i = 0; i < ROWS_MAX * WIDTH_MAX; i++)
        v[i] = i / WIDTH_MAX % 3 == 1 ? (double)NAN : next_random(&seed);
    for (size_t row = 0; row < ROWS_MAX; row++)
        weights[row] = row % 3 == 1 ? 0 : next_random(&seed);
    for (enum posenc__level level = 0; level < POSENC__LEVEL_COUNT; level++)
        for (size_t count = 1; count <= WIDTH_MAX && posenc__level_runs(level); count++) {
            for (size_t i = 0; i < count; i++)
                out[i] = 0.5;
            posenc__weigh_at(
                level, &(struct posenc__weighed){weights, v, ROWS_MAX, WIDTH_MAX, count, out});
            for (size_t i = 0; i < count; i++) {
                double sum = 0.5;

                for (size_t row = 0; row < ROWS_MAX; row++)
                    if (row % 3 != 1)
                        sum += weights[row] * v[row * WIDTH_MAX + i];
                cr_assert_eq(out[i], sum, "level %d, %zu of %zu", level, i, count);
            }
        }
}
