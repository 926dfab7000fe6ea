/* The skew: a matrix of distances, and the reshaping done literally. */
#include <criterion/criterion.h>

#include "exact.h"
#include "support.h"

#define LENGTH 7

Test(music_transformer, a_query_meets_the_distance_to_its_key)
{
    double x[LENGTH * LENGTH];
    struct asked asked;

    for (size_t i = 0; i < LENGTH * LENGTH; i++)
        x[i] = (double)(100 * (i / LENGTH)) + (double)(i % LENGTH) - (LENGTH - 1);
    const struct posenc_member member = {"x",
                                         support_array(x, 2, (const size_t[]){LENGTH, LENGTH})};

    cr_assert_eq(ask_with(&asked, "music_transformer/table", "dtype=float64", &member, 1),
                 POSENC_OK);
    const double *skewed = asked_values(&asked, "skewed");

    for (long i = 0; i < LENGTH; i++)
        for (long j = 0; j <= i; j++)
            cr_assert_eq(skewed[i * LENGTH + j], (double)(100 * i + j - i), "%ld %ld", i, j);
    asked_release(&asked);
}

Test(music_transformer, is_a_column_of_zeros_and_a_row_dropped)
{
    double x[3 * LENGTH * LENGTH];
    uint64_t seed = 25;
    struct asked asked;

    for (size_t i = 0; i < 3 * LENGTH * LENGTH; i++)
        x[i] = exact_between(&seed, -1, 1);
    const struct posenc_member member = {"x",
                                         support_array(x, 3, (const size_t[]){3, LENGTH, LENGTH})};

    cr_assert_eq(ask_with(&asked, "music_transformer/table", "dtype=float64", &member, 1),
                 POSENC_OK);
    const double *skewed = asked_values(&asked, "skewed");

    for (size_t o = 0; o < 3; o++) {
        double padded[LENGTH * (LENGTH + 1)];

        for (size_t i = 0; i < LENGTH * (LENGTH + 1); i++)
            padded[i] =
                i % (LENGTH + 1) == 0
                    ? 0
                    : x[o * LENGTH * LENGTH + i / (LENGTH + 1) * LENGTH + i % (LENGTH + 1) - 1];
        for (size_t i = 0; i < LENGTH * LENGTH; i++)
            cr_assert_eq(skewed[o * LENGTH * LENGTH + i], padded[LENGTH + i], "%zu %zu", o, i);
    }
    for (int i = 0; i < 10; i++)
        assert_runs_agree(&asked, &seed);
    asked_release(&asked);
}

Test(music_transformer, refuses_what_is_not_square)
{
    static const double zeros[16];
    static const size_t shapes[][2] = {{3, 4}, {4, 3}, {4, 0}};

    for (size_t i = 0; i < 4; i++) {
        const struct posenc_member member = {"x", i < 3 ? support_array(zeros, 2, shapes[i])
                                                        : support_array(zeros, 1, shapes[0])};
        struct asked asked;

        cr_expect_eq(ask_with(&asked, "music_transformer/table", "", &member, 1),
                     POSENC_WRONG_SHAPE);
        cr_expect_str_eq(asked.problem.parameter, "x");
        asked_release(&asked);
    }
}
