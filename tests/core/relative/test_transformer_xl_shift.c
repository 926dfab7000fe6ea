/* The relative shift: golden matrices, and the reshaping that papers describe, done literally. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact.h"
#include "support.h"

struct golden {
    const char *query;
    size_t rows, columns, keys;
    double x[18], shifted[12];
};

static const struct golden goldens[] = {
    {"variant=transformer_xl&mask=none",
     3,
     4,
     4,
     {11, 12, 13, 14, 21, 22, 23, 24, 31, 32, 33, 34},
     {13, 14, 0, 21, 22, 23, 24, 0, 31, 32, 33, 34}},
    {"mask=none", 3, 3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {3, 0, 4, 5, 6, 0, 7, 8, 9}},
    {"mask=-inf",
     3,
     4,
     4,
     {11, 12, 13, 14, 21, 22, 23, 24, 31, 32, 33, 34},
     {13, 14, -INFINITY, -INFINITY, 22, 23, 24, -INFINITY, 31, 32, 33, 34}},
    {"", 3, 3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {3, 0, 0, 5, 6, 0, 7, 8, 9}},
    {"variant=xlnet&attention=bi&mask=none",
     3,
     6,
     3,
     {0, 1, 2, 3, 4, 5, 100, 101, 102, 103, 104, 105, 200, 201, 202, 203, 204, 205},
     {3, 4, 5, 102, 103, 104, 201, 202, 203}},
    {"variant=xlnet&attention=uni&mask=-inf",
     2,
     4,
     3,
     {0, 1, 2, 3, 100, 101, 102, 103},
     {2, 3, -INFINITY, 101, 102, 103}},
    {"variant=conformer",
     3,
     5,
     3,
     {2, 1, 0, -1, -2, 102, 101, 100, 99, 98, 202, 201, 200, 199, 198},
     {0, -1, -2, 101, 100, 99, 202, 201, 200}},
};

static enum posenc_status ask_shift(struct asked *asked, const char *query, const double *x,
                                    size_t rank, const size_t *shape)
{
    const struct posenc_member member = {"x", support_array(x, rank, shape)};
    char text[160];

    (void)snprintf(text, sizeof(text), "dtype=float64%s%s", *query ? "&" : "", query);
    return ask_with(asked, "transformer_xl/shift", text, &member, 1);
}

Test(transformer_xl_shift, has_the_golden_matrices)
{
    for (size_t g = 0; g < sizeof(goldens) / sizeof(*goldens); g++) {
        const struct golden *golden = &goldens[g];
        struct asked asked;

        cr_assert_eq(ask_shift(&asked, golden->query, golden->x, 2,
                               (const size_t[]){golden->rows, golden->columns}),
                     POSENC_OK, "%s", asked.problem.detail);
        const double *shifted = asked_values(&asked, "shifted");

        cr_assert_eq(asked.result.tensors[0].shape[0], golden->rows);
        cr_assert_eq(asked.result.tensors[0].shape[1], golden->keys);
        for (size_t i = 0; i < golden->rows * golden->keys; i++)
            cr_assert_eq(shifted[i], golden->shifted[i], "%s %zu", golden->query, i);
        asked_release(&asked);
    }
}

/*
 * The published steps: `padding` zero columns in front, the matrix seen as [columns + padding,
 * rows], its first row dropped, seen as [rows, columns + padding - 1], cut to `keys` columns.
 */
static void reshape(const double *x, size_t rows, size_t columns, size_t padding, size_t keys,
                    double *out)
{
    double padded[400];
    const size_t width = columns + padding, seen = width - 1;

    memset(padded, 0, sizeof(padded));
    for (size_t i = 0; i < rows; i++)
        memcpy(padded + i * width + padding, x + i * columns, columns * sizeof(*x));
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < keys; j++)
            out[i * keys + j] = padded[rows + i * seen + j];
}

Test(transformer_xl_shift, is_the_published_reshaping_for_every_size)
{
    static const char *const queries[] = {"mask=none", "mask=none&variant=xlnet&attention=bi",
                                          "mask=none&variant=xlnet&attention=uni",
                                          "mask=none&variant=conformer"};
    double x[2 * 8 * 17], expected[8 * 16];
    uint64_t seed = 22;

    for (size_t i = 0; i < sizeof(x) / sizeof(*x); i++)
        x[i] = exact_between(&seed, -1, 1);
    for (size_t v = 0; v < 4; v++)
        for (size_t rows = 1; rows <= 8; rows++)
            for (size_t keys = 1; keys <= 8; keys++) {
                const size_t columns[] = {keys, keys + rows, keys + 1, 2 * keys - 1};
                const size_t padding = v == 0 || v == 3 ? 1 : 0, size = rows * columns[v];
                struct asked asked;

                if (v == 3 && rows > keys)
                    continue;
                cr_assert_eq(
                    ask_shift(&asked, queries[v], x, 3, (const size_t[]){2, rows, columns[v]}),
                    POSENC_OK, "%s", asked.problem.detail);
                const double *shifted = asked_values(&asked, "shifted");

                for (size_t o = 0; o < 2; o++) {
                    reshape(x + o * size, rows, columns[v], padding, keys, expected);
                    for (size_t i = 0; i < rows * keys; i++)
                        cr_assert_eq(shifted[o * rows * keys + i], expected[i], "%s %zu %zu: %zu",
                                     queries[v], rows, keys, i);
                }
                assert_runs_agree(&asked, &seed);
                asked_release(&asked);
            }
}

/* A matrix whose columns hold their distance comes out with the distance of query and key. */
Test(transformer_xl_shift, a_query_meets_the_distance_to_its_key)
{
    static const struct {
        const char *query;
        size_t rows, keys, columns;
        long start; /* distance of column 0 */
    } cases[] = {{"mask=-inf", 4, 7, 7, 6},
                 {"mask=-inf&variant=xlnet&attention=uni", 4, 7, 8, 7},
                 {"mask=-inf&variant=xlnet&attention=bi", 4, 7, 11, 7},
                 {"mask=-inf&variant=conformer", 4, 7, 13, 6}};

    for (size_t c = 0; c < 4; c++) {
        const bool is_causal = c < 2;
        double x[4 * 13];
        struct asked asked;

        for (size_t i = 0; i < cases[c].rows * cases[c].columns; i++)
            x[i] = (double)(cases[c].start - (long)(i % cases[c].columns));
        cr_assert_eq(ask_shift(&asked, cases[c].query, x, 2,
                               (const size_t[]){cases[c].rows, cases[c].columns}),
                     POSENC_OK);
        const double *shifted = asked_values(&asked, "shifted");

        for (long i = 0; i < 4; i++)
            for (long j = 0; j < 7; j++) {
                const long distance = i + 7 - 4 - j;

                cr_assert_eq(shifted[i * 7 + j],
                             is_causal && distance < 0 ? -INFINITY : (double)distance, "%s %ld %ld",
                             cases[c].query, i, j);
            }
        asked_release(&asked);
    }
}

Test(transformer_xl_shift, refuses_matrices_of_other_widths)
{
    static const struct {
        const char *query;
        size_t rank, shape[2];
        enum posenc_status status;
        const char *parameter;
    } cases[] = {
        {"", 1, {4}, POSENC_WRONG_SHAPE, "x"},
        {"variant=xlnet&attention=bi", 2, {5, 4}, POSENC_WRONG_SHAPE, "x"},
        {"variant=xlnet&attention=uni", 2, {3, 0}, POSENC_WRONG_SHAPE, "x"},
        {"variant=conformer", 2, {3, 4}, POSENC_WRONG_SHAPE, "x"},
        {"variant=conformer", 2, {3, 0}, POSENC_WRONG_SHAPE, "x"},
        {"variant=conformer", 2, {4, 5}, POSENC_WRONG_SHAPE, "x"},
        {"variant=xlnet", 2, {3, 4}, POSENC_MISSING_PARAMETER, "attention"},
        {"mask=inf", 2, {3, 4}, POSENC_OUT_OF_RANGE, "mask"},
    };
    static const double zeros[32];

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;

        cr_expect_eq(ask_shift(&asked, cases[i].query, zeros, cases[i].rank, cases[i].shape),
                     cases[i].status, "%zu", i);
        cr_expect_str_eq(asked.problem.parameter, cases[i].parameter, "%zu", i);
        asked_release(&asked);
    }
}

Test(transformer_xl_shift, empty_matrices_stay_empty)
{
    static const size_t shapes[][2] = {{0, 4}, {3, 0}};
    static const double zeros[1];

    for (size_t i = 0; i < 2; i++) {
        struct asked asked;

        cr_assert_eq(ask_shift(&asked, "", zeros, 2, shapes[i]), POSENC_OK);
        cr_expect_eq(asked.result.tensors[0].count, 0);
        asked_release(&asked);
    }
}
