/* Tensors that come in: axes, sizes they tell, and sums. */
#include "inputs.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "exact.h"
#include "support.h"

static struct posenc_value numbered(struct posenc_memory *memory, size_t rank, const size_t *shape)
{
    size_t count = 0;

    cr_assert(posenc_shape_count(rank, shape, &count));
    double *numbers = posenc_allocate(memory, count, sizeof(*numbers));

    for (size_t i = 0; i < count; i++)
        numbers[i] = (double)i / 4;
    return support_array(numbers, rank, shape);
}

/* The table of the same positions, to add by hand. */
static const double *table(struct asked *asked, const char *query)
{
    cr_assert_eq(ask(asked, "sinusoidal/table", query), POSENC_OK);
    return asked_values(asked, "encoding");
}

struct axis_case {
    const char *axis;
    size_t outer, length, inner;
};

Test(inputs, the_rows_are_added_along_the_sequence_axis)
{
    static const size_t shape[] = {2, 3, 5, 4};
    static const struct axis_case cases[] = {
        {"-2", 6, 5, 1}, {"2", 6, 5, 1},   {"-3", 2, 3, 5},
        {"1", 2, 3, 5},  {"-4", 1, 2, 15}, {"0", 1, 2, 15},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct axis_case *row = &cases[i];
        struct posenc_memory memory;
        struct asked asked, rows;
        char query[80], axis[80];

        posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
        (void)snprintf(query, sizeof(query), "length=%zu&dim=4&dtype=float64", row->length);
        (void)snprintf(axis, sizeof(axis), "dtype=float64&sequence_axis=%s", row->axis);
        const double *added = table(&rows, query);
        const struct posenc_member x = {"x", numbered(&memory, 4, shape)};

        cr_assert_eq(ask_with(&asked, "sinusoidal/apply", axis, &x, 1), POSENC_OK);
        const double *sums = asked_values(&asked, "x");

        for (size_t o = 0; o < row->outer; o++)
            for (size_t r = 0; r < row->length; r++)
                for (size_t n = 0; n < row->inner; n++)
                    for (size_t c = 0; c < 4; c++) {
                        const size_t at = ((o * row->length + r) * row->inner + n) * 4 + c;

                        cr_assert_eq(sums[at], (double)at / 4 + added[r * 4 + c]);
                    }
        asked_release(&asked);
        asked_release(&rows);
        posenc_memory_release(&memory);
    }
}

Test(inputs, the_sequence_axis_stands_before_the_last)
{
    static const char *const axes[] = {"-1", "2", "3", "-4", "-8", "8"};
    static const size_t shape[] = {2, 3, 4};

    for (size_t i = 0; i < sizeof(axes) / sizeof(*axes); i++) {
        struct posenc_memory memory;
        struct asked asked;
        char query[40];

        posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
        (void)snprintf(query, sizeof(query), "sequence_axis=%s", axes[i]);
        const struct posenc_member x = {"x", numbered(&memory, 3, shape)};

        cr_expect_eq(ask_with(&asked, "sinusoidal/apply", query, &x, 1), POSENC_OUT_OF_RANGE, "%s",
                     axes[i]);
        cr_expect_str_eq(asked.problem.parameter, "sequence_axis");
        asked_release(&asked);
        posenc_memory_release(&memory);
    }
}

Test(inputs, wide_rows_are_summed_in_any_runs)
{
    static const size_t shape[] = {2, 3, 600}; /* rows longer than two blocks of sums */
    struct posenc_memory memory;
    struct asked asked;
    uint64_t seed = 5;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    const struct posenc_member x = {"x", numbered(&memory, 3, shape)};

    cr_assert_eq(ask_with(&asked, "sinusoidal/apply", "dtype=float64", &x, 1), POSENC_OK);
    for (int i = 0; i < 20; i++)
        assert_runs_agree(&asked, &seed);
    asked_release(&asked);
    posenc_memory_release(&memory);
}

Test(inputs, sizes_are_told_by_the_tensor_and_must_agree)
{
    static const size_t shape[] = {3, 4};
    struct posenc_memory memory;
    struct asked asked;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    const struct posenc_member x = {"x", numbered(&memory, 2, shape)};

    cr_assert_eq(ask_with(&asked, "sinusoidal/apply", "dim=4&length=3", &x, 1), POSENC_OK);
    asked_release(&asked);
    cr_assert_eq(ask_with(&asked, "sinusoidal/apply", "dim=6", &x, 1), POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "dim");
    asked_release(&asked);
    cr_assert_eq(ask_with(&asked, "sinusoidal/apply", "length=2", &x, 1), POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "length");
    asked_release(&asked);
    posenc_memory_release(&memory);
}

Test(inputs, the_sum_of_a_16_bit_tensor_is_rounded_once)
{
    const uint16_t halves[] = {0x3c01, 0x3c01}; /* 1 + 2^-10 */
    const struct posenc_array array = {
        .dtype = POSENC_FLOAT16, .rank = 2, .shape = {1, 2}, .data = halves};
    const struct posenc_member x = {"x", posenc_nested(&array)};
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "sinusoidal/apply", "dtype=float64", &x, 1), POSENC_OK);
    cr_expect_eq(asked_values(&asked, "x")[0], 1.0009765625);
    cr_expect_eq(asked_values(&asked, "x")[1], 2.0009765625);
    asked_release(&asked);
    cr_assert_eq(ask_with(&asked, "sinusoidal/apply", "dtype=float16", &x, 1), POSENC_OK);
    cr_expect_eq(asked_values(&asked, "x")[1], 2.0); /* a tie between 2 and 2 + 2^-9, to even */
    asked_release(&asked);
}

Test(inputs, tensors_without_elements_stay_without)
{
    static const size_t shapes[][2] = {{0, 4}, {3, 0}, {0, 0}};

    for (size_t i = 0; i < 3; i++) {
        const double nothing = 0;
        const struct posenc_member x = {"x", support_array(&nothing, 2, shapes[i])};
        struct asked asked;

        cr_assert_eq(ask_with(&asked, "sinusoidal/apply", "", &x, 1), POSENC_OK, "%zu", i);
        cr_expect_eq(asked.result.tensors[0].count, 0);
        posenc_fill(&asked.result.tensors[0], 0, 0, NULL);
        asked_release(&asked);
    }
}
