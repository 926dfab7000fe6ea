/* T5's presets and limits: whose rule each is, in buckets of exact integer arithmetic. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support.h"
#include "t5.h"

#define DISTANCES 10

static const char *const distances = "-1000,-113,-112,-91,-80,-8,1,8,91,5000";

struct ruled {
    const char *preset;
    double buckets[DISTANCES];
};

/* The last bucket b with (n / exact)^spread >= (max_distance / exact)^(b - exact), by integers. */
static const struct ruled rules[] = {
    {"t5_encoder", {15, 15, 15, 15, 14, 8, 17, 24, 31, 31}},
    {"t5_decoder", {31, 31, 30, 29, 28, 8, 0, 0, 0, 0}},
    {"mpnet", {15, 15, 15, 15, 14, 8, 17, 24, 31, 31}},
    {"wavlm", {159, 91, 91, 84, 80, 8, 161, 168, 244, 319}},
    {"layoutlmv3", {15, 15, 15, 15, 14, 8, 17, 24, 31, 31}},
};

Test(t5_rows, presets_are_the_rules_of_the_models)
{
    size_t presets = 0;

    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
        struct asked asked;
        char query[120];

        (void)snprintf(query, sizeof(query), "preset=%s&relative_positions=%s", rules[i].preset,
                       distances);
        cr_assert_eq(ask(&asked, "t5/table", query), POSENC_OK, "%s", asked.problem.detail);
        const double *buckets = asked_values(&asked, "bucket");

        for (size_t k = 0; k < DISTANCES; k++)
            cr_expect_eq(buckets[k], rules[i].buckets[k], "%s, %zu: %g", rules[i].preset, k,
                         buckets[k]);
        asked_release(&asked);
    }
    while (posenc__t5_presets[presets].name)
        presets++;
    cr_expect_eq(presets, sizeof(rules) / sizeof(*rules), "every preset is tried");
}

Test(t5_rows, the_direction_must_be_said_and_what_is_explicit_wins_over_a_preset)
{
    struct asked asked;

    cr_expect_eq(ask(&asked, "t5/table", "query_length=2"), POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "bidirectional");
    asked_release(&asked);
    cr_assert_eq(
        ask(&asked, "t5/table", "preset=t5_decoder&bidirectional=true&relative_positions=1"),
        POSENC_OK);
    cr_expect_eq(asked_values(&asked, "bucket")[0], 17);
    asked_release(&asked);
}

/* A config.json's names, and the defaults that all T5 models have. */
Test(t5_rows, names_of_a_configuration_are_understood)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "t5/table",
                     "bidirectional=true&relative_attention_num_buckets=320&"
                     "relative_attention_max_distance=800&q_len=1&k_len=3"),
                 POSENC_OK, "%s", asked.problem.detail);
    cr_expect_eq(echoed_number(&asked.result, "num_buckets"), 320);
    cr_expect_eq(echoed_number(&asked.result, "max_distance"), 800);
    cr_expect_eq(echoed_number(&asked.result, "key_length"), 3);
    asked_release(&asked);
    cr_assert_eq(ask(&asked, "t5/table", "bidirectional=false&query_length=1"), POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "num_buckets"), 32);
    cr_expect_eq(echoed_number(&asked.result, "max_distance"), 128);
    asked_release(&asked);
}

struct limit {
    const char *query, *parameter;
    enum posenc_status status;
};

Test(t5_rows, limits_hold_to_the_last_number)
{
    static const struct limit limits[] = {
        {"bidirectional=false&num_buckets=65536&max_distance=32769&relative_positions=0", "",
         POSENC_OK},
        {"bidirectional=false&num_buckets=65537&max_distance=32769&relative_positions=0",
         "num_buckets", POSENC_OUT_OF_RANGE},
        {"bidirectional=false&num_buckets=2&max_distance=2&relative_positions=0", "", POSENC_OK},
        {"bidirectional=false&num_buckets=1&max_distance=2&relative_positions=0", "num_buckets",
         POSENC_OUT_OF_RANGE},
        {"bidirectional=false&num_buckets=2&max_distance=1&relative_positions=0", "max_distance",
         POSENC_OUT_OF_RANGE},
    };

    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "t5/table", limits[i].query), limits[i].status, "%s",
                     limits[i].query);
        if (limits[i].status != POSENC_OK)
            cr_expect_str_eq(asked.problem.parameter, limits[i].parameter, "%s", limits[i].query);
        asked_release(&asked);
    }
}

Test(t5_rows, the_table_may_be_missing_where_buckets_are_asked_for_and_not_where_they_are_added)
{
    cr_expect_str_eq(posenc__t5_table_rows[0].name, "table");
    cr_expect(posenc__t5_table_rows[0].flags & POSENC_OPTIONAL);
    cr_expect_str_eq(posenc__t5_apply_rows[0].name, "table");
    cr_expect_not(posenc__t5_apply_rows[0].flags & POSENC_OPTIONAL);
    cr_expect_str_eq(posenc__t5_apply_rows[0].meaning, posenc__t5_table_rows[0].meaning);
}
