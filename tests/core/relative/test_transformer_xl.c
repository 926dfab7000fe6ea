/* Rows of distances: golden values, and each variant's order by a double loop. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "support.h"

struct golden {
    const char *query;
    size_t count;
    double encoding[40];
    double positions[10];
};

/* clang-format off */
static const struct golden rows[] = {
    {"length=4&dim=4&variant=transformer_xl", 16,
     {0.1411200080598672, 0.02999550020249566, -0.9899924966004454, 0.9995500337489875,
      0.9092974268256817, 0.01999866669333308, -0.4161468365471424, 0.9998000066665778,
      0.8414709848078965, 0.009999833334166664, 0.5403023058681398, 0.9999500004166653, 0, 0, 1, 1},
     {3, 2, 1, 0}},
    {"length=5&dim=4&variant=transformer_xl&clamp_len=2", 20,
     {0.9092974268256817, 0.01999866669333308, -0.4161468365471424, 0.9998000066665778,
      0.9092974268256817, 0.01999866669333308, -0.4161468365471424, 0.9998000066665778,
      0.9092974268256817, 0.01999866669333308, -0.4161468365471424, 0.9998000066665778,
      0.8414709848078965, 0.009999833334166664, 0.5403023058681398, 0.9999500004166653, 0, 0, 1, 1},
     {2, 2, 2, 1, 0}},
    {"length=2&query_length=2&dim=4&variant=xlnet&attention=uni", 12,
     {0.9092974268256817, 0.01999866669333308, -0.4161468365471424, 0.9998000066665778,
      0.8414709848078965, 0.009999833334166664, 0.5403023058681398, 0.9999500004166653, 0, 0, 1, 1},
     {2, 1, 0}},
    {"length=1&query_length=3&dim=4&variant=xlnet&attention=bi", 16,
     {0.8414709848078965, 0.009999833334166664, 0.5403023058681398, 0.9999500004166653, 0, 0, 1, 1,
      -0.8414709848078965, -0.009999833334166664, 0.5403023058681398, 0.9999500004166653,
      -0.9092974268256817, -0.01999866669333308, -0.4161468365471424, 0.9998000066665778},
     {1, 0, -1, -2}},
    {"length=3&dim=4&variant=conformer", 20,
     {0.9092974268256817, -0.4161468365471424, 0.01999866669333308, 0.9998000066665778,
      0.8414709848078965, 0.5403023058681398, 0.009999833334166664, 0.9999500004166653, 0, 1, 0, 1,
      -0.8414709848078965, 0.5403023058681398, -0.009999833334166664, 0.9999500004166653,
      -0.9092974268256817, -0.4161468365471424, -0.01999866669333308, 0.9998000066665778},
     {2, 1, 0, -1, -2}},
};
/* clang-format on */

#define TABLE_TOLERANCE 0x1p-51 /* the promise for float64 tables: two ulp of 1 */

Test(transformer_xl, has_the_golden_rows)
{
    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        struct asked asked;
        char query[160];

        (void)snprintf(query, sizeof(query), "%s&dtype=float64", rows[r].query);
        cr_assert_eq(ask(&asked, "transformer_xl/table", query), POSENC_OK, "%s",
                     asked.problem.detail);
        const double *encoding = asked_values(&asked, "encoding");
        const double *positions = asked_values(&asked, "positions");

        cr_assert_eq(asked.result.tensors[0].count, rows[r].count, "%s", query);
        cr_assert_eq(asked.result.tensors[1].dtype, POSENC_INT64);
        for (size_t i = 0; i < rows[r].count; i++)
            cr_assert_float_eq(encoding[i], rows[r].encoding[i], TABLE_TOLERANCE, "%s %zu", query,
                               i);
        for (size_t i = 0; i < rows[r].count / 4; i++)
            cr_assert_eq(positions[i], rows[r].positions[i], "%s %zu", query, i);
        asked_release(&asked);
    }
}

/* Angles of up to 2^8 radians by libm's sine of a rounded product. */
#define LIBM_TOLERANCE 0x1p-44

struct variant_case {
    const char *query;
    bool is_interleaved;
    long first, last; /* distances */
    long limit;
};

static void check_table(const struct variant_case *variant)
{
    enum { DIM = 150 }; /* more pairs than are computed at a time */
    struct asked asked;
    uint64_t seed = 21;
    size_t at = 0, row = 0;

    cr_assert_eq(ask(&asked, "transformer_xl/table", variant->query), POSENC_OK, "%s",
                 asked.problem.detail);
    const double *encoding = asked_values(&asked, "encoding");
    const double *positions = asked_values(&asked, "positions");

    for (long t = variant->first; t >= variant->last; t--, row++) {
        const long clamped = t > variant->limit    ? variant->limit
                             : t < -variant->limit ? -variant->limit
                                                   : t;

        cr_assert_eq(positions[row], (double)clamped);
        for (size_t c = 0; c < DIM; c++, at++) {
            const size_t pair = variant->is_interleaved ? c / 2 : c % (DIM / 2);
            const bool is_sine = variant->is_interleaved ? c % 2 == 0 : c < DIM / 2;
            const double angle = (double)clamped * pow(10000, -2.0 * (double)pair / DIM);

            cr_assert_float_eq(encoding[at], is_sine ? sin(angle) : cos(angle), LIBM_TOLERANCE,
                               "%s: %ld %zu", variant->query, t, c);
        }
    }
    cr_assert_eq(posenc_find_tensor(&asked.result, "encoding")->count, at);
    for (int i = 0; i < 10; i++)
        assert_runs_agree(&asked, &seed);
    asked_release(&asked);
}

Test(transformer_xl, every_variant_by_a_double_loop)
{
    static const struct variant_case variants[] = {
        {"length=200&dim=150&dtype=float64", false, 199, 0, 1000},
        {"length=200&dim=150&clamp_len=70&dtype=float64", false, 199, 0, 70},
        {"length=9&dim=150&clamp_len=-1&dtype=float64", false, 8, 0, 1000},
        {"length=9&dim=150&clamp_len=0&dtype=float64", false, 8, 0, 1000},
        {"length=9&query_length=5&dim=150&variant=xlnet&attention=bi&dtype=float64", false, 9, -4,
         1000},
        {"length=9&dim=150&variant=xlnet&attention=bi&clamp_len=3&dtype=float64", false, 9, -8, 3},
        {"length=9&dim=150&variant=xlnet&attention=uni&dtype=float64", false, 9, 0, 1000},
        {"length=9&dim=150&variant=conformer&dtype=float64", true, 8, -8, 1000},
    };

    for (size_t i = 0; i < sizeof(variants) / sizeof(*variants); i++)
        check_table(&variants[i]);
}

Test(transformer_xl, echoes_what_followed)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "transformer_xl/table", "length=4&dim=4"), POSENC_OK);
    cr_expect_str_eq(echoed_text(&asked.result, "variant"), "transformer_xl");
    cr_expect_str_eq(echoed_text(&asked.result, "attention"), "uni");
    asked_release(&asked);
    cr_assert_eq(ask(&asked, "transformer_xl/table", "length=4&dim=4&variant=conformer"),
                 POSENC_OK);
    cr_expect_str_eq(echoed_text(&asked.result, "attention"), "bi");
    asked_release(&asked);
    cr_assert_eq(ask(&asked, "transformer_xl/table", "length=4&dim=4&variant=xlnet&attention=bi"),
                 POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "query_length"), 4);
    asked_release(&asked);
}

Test(transformer_xl, no_keys_have_no_rows_but_xlnets_first)
{
    static const struct {
        const char *query;
        size_t rows;
    } cases[] = {{"length=0&dim=2", 0},
                 {"length=0&dim=2&variant=conformer", 0},
                 {"length=0&dim=2&variant=xlnet&attention=uni", 1},
                 {"length=0&query_length=2&dim=2&variant=xlnet&attention=bi", 2}};

    for (size_t i = 0; i < 4; i++) {
        struct asked asked;

        cr_assert_eq(ask(&asked, "transformer_xl/table", cases[i].query), POSENC_OK);
        cr_expect_eq(asked.result.tensors[0].shape[0], cases[i].rows, "%s", cases[i].query);
        asked_release(&asked);
    }
}

Test(transformer_xl, refuses_what_contradicts_itself)
{
    static const struct {
        const char *query;
        enum posenc_status status;
        const char *parameter;
    } cases[] = {
        {"dim=4", POSENC_MISSING_PARAMETER, "length"},
        {"length=4", POSENC_MISSING_PARAMETER, "dim"},
        {"length=3&dim=5", POSENC_OUT_OF_RANGE, "dim"},
        {"length=3&dim=5&variant=conformer", POSENC_OUT_OF_RANGE, "dim"},
        {"length=3&dim=4&variant=rwkv", POSENC_OUT_OF_RANGE, "variant"},
        {"length=3&dim=4&variant=xlnet", POSENC_MISSING_PARAMETER, "attention"},
        {"length=3&dim=4&attention=bi", POSENC_CONFLICT, "attention"},
        {"length=3&dim=4&variant=conformer&attention=uni", POSENC_CONFLICT, "attention"},
        {"length=3&dim=4&query_length=3", POSENC_CONFLICT, "query_length"},
        {"length=3&dim=4&clamp_len=-2", POSENC_OUT_OF_RANGE, "clamp_len"},
        {"length=9007199254740991&dim=1048576", POSENC_TOO_LARGE, ""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "transformer_xl/table", cases[i].query), cases[i].status, "%s",
                     cases[i].query);
        cr_expect_str_eq(asked.problem.parameter, cases[i].parameter, "%s", cases[i].query);
        asked_release(&asked);
    }
}
