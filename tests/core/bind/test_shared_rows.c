/* Rows that several encodings use: what they must say everywhere. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support.h"

Test(shared_rows, tables_are_made_of_floating_point_numbers_float32_by_default)
{
    const struct posenc_parameter *row = &posenc__dtype_rows[0];
    enum posenc_dtype dtype;

    cr_expect_str_eq(row->fallback.as.text, "float32");
    for (size_t i = 0; row->choices[i]; i++) {
        cr_assert(posenc_dtype_find(row->choices[i], &dtype), "%s", row->choices[i]);
        cr_expect(dtype != POSENC_INT32 && dtype != POSENC_INT64);
    }
}

struct bound_case {
    const char *query;
    enum posenc_status status;
};

Test(shared_rows, positions_and_steps_are_bounded_and_lengths_may_be_zero)
{
    static const struct bound_case cases[] = {
        {"length=0&dim=2", POSENC_OK},
        {"length=-1&dim=2", POSENC_OUT_OF_RANGE},
        {"length=1&dim=2&offset=9007199254740992", POSENC_OK},
        {"length=1&dim=2&offset=9007199254740994", POSENC_OUT_OF_RANGE},
        {"length=1&dim=2&step=-9007199254740992", POSENC_OK},
        {"length=1&dim=2&step=-9007199254740994", POSENC_OUT_OF_RANGE},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "sinusoidal/table", cases[i].query), cases[i].status, "%s",
                     cases[i].query);
        asked_release(&asked);
    }
}

static const struct posenc_parameter *find_row(const struct posenc_operation *operation,
                                               const char *name)
{
    for (const struct posenc_parameter *const *group = operation->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return row;
    return NULL;
}

/* What a row says everywhere, whatever each table adds to it. */
struct shared {
    const char *name;
    enum posenc_type type;
    double minimum, maximum;
};

/* Other meanings of a name: the distances of transformer_xl, and timesteps' own smallest dim. */
static bool has_its_own(const char *encoding, const char *name)
{
    return (strcmp(encoding, "transformer_xl") == 0 && strcmp(name, "length") == 0) ||
           (strcmp(encoding, "timestep") == 0 && strcmp(name, "dim") == 0) ||
           (strcmp(encoding, "sandwich") == 0 && strcmp(name, "dim") == 0);
}

Test(shared_rows, a_name_means_the_same_in_every_table)
{
    static const struct shared rows[] = {
        {"dim", POSENC_TYPE_INTEGER, 1, POSENC_DIM_MAX},
        {"heads", POSENC_TYPE_INTEGER, 1, POSENC_HEADS_MAX},
        {"base", POSENC_TYPE_REAL, 0, INFINITY},
        {"length", POSENC_TYPE_INTEGER, 0, INFINITY},
        {"offset", POSENC_TYPE_REAL, -POSENC_POSITION_MAX, POSENC_POSITION_MAX},
        {"step", POSENC_TYPE_REAL, -POSENC_POSITION_MAX, POSENC_POSITION_MAX},
        {"query_length", POSENC_TYPE_INTEGER, 0, INFINITY},
        {"key_length", POSENC_TYPE_INTEGER, 0, INFINITY},
        {"query_offset", POSENC_TYPE_INTEGER, 0, 0},
        {"mask", POSENC_TYPE_CHOICE, 0, 0},
    };
    size_t found[sizeof(rows) / sizeof(*rows)] = {0};

    for (size_t e = 0; posenc_encoding_at(e); e++) {
        const struct posenc_encoding *encoding = posenc_encoding_at(e);
        const struct posenc_operation *table = posenc_find_operation(encoding, "table");

        for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
            const struct posenc_parameter *row = find_row(table, rows[i].name);

            if (!row || has_its_own(encoding->name, row->name) || row->type == POSENC_TYPE_TENSOR)
                continue;
            found[i]++;
            cr_expect_eq(row->type, rows[i].type, "%s %s", encoding->name, row->name);
            cr_expect_eq(row->minimum, rows[i].minimum, "%s %s", encoding->name, row->name);
            cr_expect_eq(row->maximum, rows[i].maximum, "%s %s", encoding->name, row->name);
        }
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        cr_expect_geq(found[i], 2, "%s", rows[i].name);
}

/* In the words of the papers and of the frameworks. */
Test(shared_rows, base_is_10000_and_above_0_wherever_it_stands)
{
    for (size_t e = 0; posenc_encoding_at(e); e++) {
        const struct posenc_encoding *encoding = posenc_encoding_at(e);
        const struct posenc_parameter *base =
            find_row(posenc_find_operation(encoding, "table"), "base");

        if (!base)
            continue;
        cr_expect(base->has_fallback, "%s", encoding->name);
        cr_expect_eq(base->fallback.as.number, 10000, "%s", encoding->name);
        cr_expect(base->flags & POSENC_ABOVE, "%s", encoding->name);
        cr_expect_str_eq(base->aliases[0], "theta", "%s", encoding->name);
    }
}
