/* Blocks of sines and cosines: their order, and that any window is a window. */
#include <criterion/criterion.h>
#include <math.h>

#include "exact.h"
#include "wave_columns.h"

#define WAVES 150 /* two blocks of the interleaved order and part of a third */

static const enum posenc__column_order orders[] = {POSENC__SIN_COS, POSENC__COS_SIN,
                                                   POSENC__INTERLEAVED};

static struct posenc__waves make_waves(double parts[2 * WAVES])
{
    struct posenc__waves waves = {WAVES, parts, parts + WAVES};

    for (size_t i = 0; i < WAVES; i++)
        posenc__waves_set(&waves, i,
                          posenc__dd_power((struct posenc__dd){523.7, 0}, -(double)i, 97));
    return waves;
}

/* The wave of a column, and whether the column is its sine. */
static size_t wave_of(enum posenc__column_order order, size_t column, bool *is_sine)
{
    *is_sine = order == POSENC__INTERLEAVED ? column % 2 == 0
                                            : (column < WAVES) == (order == POSENC__SIN_COS);
    return order == POSENC__INTERLEAVED ? column / 2 : column % WAVES;
}

Test(wave_columns, stand_in_the_order_that_was_asked_for)
{
    double parts[2 * WAVES], columns[2 * WAVES], sine, cosine;
    const struct posenc__waves waves = make_waves(parts);
    const struct posenc__dd position = {12345.625, 0};

    for (size_t o = 0; o < 3; o++) {
        posenc__wave_columns(&waves, orders[o], position, 0, 2 * WAVES, columns);
        for (size_t column = 0; column < 2 * WAVES; column++) {
            bool is_sine;
            const size_t wave = wave_of(orders[o], column, &is_sine);

            posenc__sincos(&waves, position, wave, 1, &sine, &cosine);
            cr_assert_eq(columns[column], is_sine ? sine : cosine, "%zu %zu", o, column);
        }
    }
}

Test(wave_columns, a_window_is_part_of_the_whole_and_nothing_beside_it_is_written)
{
    double parts[2 * WAVES], whole[2 * WAVES], window[2 * WAVES + 1];
    const struct posenc__waves waves = make_waves(parts);
    const struct posenc__dd position = {-77.25, 1e-18};
    uint64_t seed = 9;

    for (int i = 0; i < 3000; i++) {
        const enum posenc__column_order order = orders[i % 3];
        const size_t begin = exact_bits(&seed) % (2 * WAVES);
        const size_t end = begin + exact_bits(&seed) % (2 * WAVES - begin + 1);

        posenc__wave_columns(&waves, order, position, 0, 2 * WAVES, whole);
        window[end - begin] = 7;
        posenc__wave_columns(&waves, order, position, begin, end, window);
        for (size_t column = begin; column < end; column++)
            cr_assert_eq(window[column - begin], whole[column], "%d: %zu", (int)order, column);
        cr_assert_eq(window[end - begin], 7);
    }
}
