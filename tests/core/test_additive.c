/* What every table of rows that are added shares: rows by themselves, and a tensor plus the rows.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

#define ROWS 6
#define DIM  8

struct added {
    const char *encoding, *own, *table_only; /* parameters of both operations, and of the table */
};

static const struct added encodings[] = {
    {"learned", "init=normal&rows=6", "&dim=8"},
    {"sinusoidal", "offset=3&step=0.5", "&dim=8&length=6"},
    {"sinusoidal", "preset=mlx", "&dim=8&length=6"},
    {"sinusoidal", "arithmetic=float32&output_scale=3", "&dim=8&length=6"},
    {"sinusoidal_grid", "preset=mae&grid=1,5&prefix_tokens=1", "&dim=8"},
};

static void ask_operation(struct asked *asked, const struct added *added, const char *operation,
                          const char *more, const struct posenc_member *members, size_t count)
{
    char name[60], query[200];

    (void)snprintf(name, sizeof(name), "%s/%s", added->encoding, operation);
    (void)snprintf(query, sizeof(query), "dtype=float64&%s%s", added->own, more);
    cr_assert_eq(ask_with(asked, name, query, members, count), POSENC_OK, "%s %s: %s", name, query,
                 asked->problem.detail);
}

/* x has few bits, so that its sum with a double is rounded once here, too. */
Test(additive, apply_adds_the_tables_rows_to_every_item_of_a_batch)
{
    const size_t shape[] = {2, ROWS, DIM};
    double numbers[2 * ROWS * DIM];

    for (size_t i = 0; i < 2 * ROWS * DIM; i++)
        numbers[i] = (double)i / 8 - 5;
    const struct posenc_member x = {"x", support_array(numbers, 3, shape)};

    for (size_t i = 0; i < sizeof(encodings) / sizeof(*encodings); i++) {
        const struct added *added = &encodings[i];
        struct asked table, sum;

        ask_operation(&table, added, "table", added->table_only, NULL, 0);
        ask_operation(&sum, added, "apply", "", &x, 1);
        const struct posenc_tensor *encoding = posenc_find_tensor(&table.result, "encoding");
        const double *rows = asked_values(&table, "encoding"), *sums = asked_values(&sum, "x");

        cr_assert_eq(encoding->rank, 2);
        cr_assert_eq(encoding->shape[0], ROWS);
        cr_assert_eq(encoding->shape[1], DIM);
        cr_expect_eq(echoed_number(&sum.result, "dim"), DIM);
        for (size_t at = 0; at < 2 * ROWS * DIM; at++)
            cr_assert_eq(sums[at], numbers[at] + rows[at % (ROWS * DIM)], "%s %s, %zu",
                         added->encoding, added->own, at);
        asked_release(&table);
        asked_release(&sum);
    }
}

Test(additive, a_tensor_whose_rows_or_width_are_not_the_tables_is_refused)
{
    static const struct {
        const char *operation, *query, *parameter;
        enum posenc_status status;
    } cases[] = {
        {"learned/apply", "init=zeros&rows=5", "length", POSENC_OUT_OF_RANGE},
        {"learned/apply", "init=zeros&rows=6&dim=7", "dim", POSENC_CONFLICT},
        {"sinusoidal/apply", "length=7", "length", POSENC_CONFLICT},
        {"sinusoidal/apply", "dim=6", "dim", POSENC_CONFLICT},
        {"sinusoidal_grid/apply", "preset=mae&grid=1,6&prefix_tokens=1", "grid", POSENC_CONFLICT},
        {"sinusoidal_grid/apply", "preset=mae&grid=1,6&dim=4", "dim", POSENC_CONFLICT},
    };
    static const double zeros[ROWS * DIM] = {0};
    const struct posenc_member x = {"x", support_array(zeros, 2, (const size_t[]){ROWS, DIM})};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;

        cr_expect_eq(ask_with(&asked, cases[i].operation, cases[i].query, &x, 1), cases[i].status,
                     "%s %s: %s", cases[i].operation, cases[i].query, asked.problem.detail);
        cr_expect_str_eq(asked.problem.parameter, cases[i].parameter, "%s", cases[i].query);
        asked_release(&asked);
    }
}

/* Interpolating takes long, which both operations must tell: who serves them asks before filling.
 */
Test(additive, what_an_element_takes_is_told_by_both_operations)
{
    static const double numbers[ROWS * DIM] = {0};
    const struct posenc_member step[] = {{"length", posenc_number(5)},
                                         {"mode", posenc_text("bicubic")}};
    const struct posenc_member members[] = {
        {"resize", posenc_object(step, 2)},
        {"table", support_array(numbers, 2, (const size_t[]){ROWS, DIM})},
        {"x", support_array(numbers, 2, (const size_t[]){5, DIM})},
    };
    struct asked table, sum;

    cr_assert_eq(ask_with(&table, "learned/table", "", members, 2), POSENC_OK, "%s",
                 table.problem.detail);
    cr_assert_eq(ask_with(&sum, "learned/apply", "", members, 3), POSENC_OK);
    cr_expect_gt(table.result.tensors[0].element_ns, 0);
    cr_expect_eq(sum.result.tensors[0].element_ns, table.result.tensors[0].element_ns);
    asked_release(&table);
    asked_release(&sum);
    cr_assert_eq(ask(&table, "sinusoidal/table", "length=2&dim=4"), POSENC_OK);
    cr_expect_eq(table.result.tensors[0].element_ns, 0);
    asked_release(&table);
}

Test(additive, ends_well_without_memory)
{
    static const double numbers[4 * 4] = {0};
    const struct posenc_member x = {"x", support_array(numbers, 2, (const size_t[]){4, 4})};

    cr_expect_gt(assert_memory_ends_well("sinusoidal/apply", "", &x, 1), 0);
    cr_expect_gt(assert_memory_ends_well("sinusoidal_grid/apply", "preset=mae&grid=2,2", &x, 1), 0);
}
