/* T5's buckets: every property of the published rule, and the biases they choose. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "exact.h"
#include "support.h"

#define LENGTH 300

/* Bucket of the key at `relative` after the query, from one row of a table around the query. */
static const double *buckets_around(struct asked *asked, const char *more)
{
    char query[200];

    (void)snprintf(query, sizeof(query), "query_length=1&key_length=%d&query_offset=%d&%s",
                   2 * LENGTH + 1, LENGTH, more);
    cr_assert_eq(ask(asked, "t5/table", query), POSENC_OK, "%s", asked->problem.detail);
    cr_assert_eq(asked->result.tensors[0].dtype, POSENC_INT32);
    return asked_values(asked, "bucket") + LENGTH;
}

Test(t5, buckets_grow_with_distance_and_all_but_the_sixteenth_are_used)
{
    struct asked asked;
    const double *around = buckets_around(&asked, "preset=t5_encoder");
    bool used[32] = {false};

    for (int relative = -LENGTH; relative <= LENGTH; relative++) {
        cr_assert(around[relative] >= 0 && around[relative] < 32);
        used[(int)around[relative]] = true;
    }
    for (int distance = 0; distance < LENGTH; distance++) {
        cr_expect_leq(around[-distance], around[-distance - 1]);
        cr_expect(distance == 0 || around[distance] <= around[distance + 1]);
    }
    for (int distance = 1; distance <= LENGTH; distance++)
        cr_expect_eq(around[distance], around[-distance] + 16, "%d", distance);
    for (int bucket = 0; bucket < 32; bucket++)
        cr_expect_eq(used[bucket], bucket != 16, "%d", bucket);
    asked_release(&asked);
}

Test(t5, a_decoder_has_bucket_zero_for_keys_after_the_query_and_uses_all_others)
{
    struct asked asked;
    const double *around = buckets_around(&asked, "preset=t5_decoder");
    bool used[32] = {false};

    for (int distance = 0; distance <= LENGTH; distance++) {
        cr_expect_eq(around[distance], 0);
        cr_expect(distance == LENGTH || around[-distance] <= around[-distance - 1]);
        used[(int)around[-distance]] = true;
    }
    for (int bucket = 0; bucket < 32; bucket++)
        cr_expect(used[bucket], "%d", bucket);
    cr_expect_eq(around[-112], 30);
    cr_expect_eq(around[-113], 31);
    asked_release(&asked);
}

struct boundary {
    const char *query;
    double bucket;
};

Test(t5, boundaries_are_where_integers_put_them)
{
    /* At powers of the ratio a logarithm that is one ulp low gives one bucket less. */
    static const struct boundary rows[] = {
        {"relative_positions=-15&bidirectional=true", 9},
        {"relative_positions=-16&bidirectional=true", 10},
        {"relative_positions=-64&bidirectional=true", 14},
        {"relative_positions=-128&bidirectional=false&max_distance=256", 28},
        {"relative_positions=17&bidirectional=true&num_buckets=32&max_distance=9", 31},
        {"relative_positions=9007199254740991&bidirectional=true", 31},
        {"relative_positions=-9007199254740991&bidirectional=true", 15},
        {"relative_positions=-3&bidirectional=true&num_buckets=10", 2}, /* halves of five */
        {"relative_positions=-1&bidirectional=false&num_buckets=2&max_distance=2", 1},
        {"relative_positions=-35&bidirectional=false&num_buckets=33", 22},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;

        cr_assert_eq(ask(&asked, "t5/table", rows[i].query), POSENC_OK, "%s", rows[i].query);
        cr_expect_eq(asked_values(&asked, "bucket")[0], rows[i].bucket, "%s", rows[i].query);
        asked_release(&asked);
    }
}

static void fill_table(double *table, size_t rows, size_t heads)
{
    for (size_t i = 0; i < rows * heads; i++)
        table[i] = 0.5 * (double)(i / heads) - 100 * (double)(i % heads);
}

#define QUERIES 5
#define KEYS    40
#define HEADS   3

Test(t5, a_bias_is_the_bucket_s_row_of_the_head_s_column)
{
    double table[32 * HEADS] = {0};
    const size_t shape[] = {32, HEADS};
    const struct posenc_member members[] = {{"table", support_array(table, 2, shape)}};
    uint64_t seed = 3;
    struct asked asked;

    fill_table(table, 32, HEADS);
    cr_assert_eq(
        ask_with(&asked, "t5/table", "preset=t5_encoder&query_length=5&key_length=40", members, 1),
        POSENC_OK);
    const double *bucket = asked_values(&asked, "bucket"), *bias = asked_values(&asked, "bias");

    for (size_t i = 0; i < HEADS * QUERIES * KEYS; i++)
        cr_assert_eq(bias[i],
                     table[(size_t)bucket[i % (QUERIES * KEYS)] * HEADS + i / (QUERIES * KEYS)]);
    assert_runs_agree(&asked, &seed);
    asked_release(&asked);
}

Test(t5, a_list_gives_what_lengths_give)
{
    double table[32 * HEADS] = {0};
    const size_t shape[] = {32, HEADS};
    const struct posenc_member members[] = {{"table", support_array(table, 2, shape)}};
    uint64_t seed = 4;
    struct asked pairs, listed;

    fill_table(table, 32, HEADS);
    cr_assert_eq(
        ask_with(&pairs, "t5/table", "preset=t5_decoder&query_length=1&key_length=7", members, 1),
        POSENC_OK);
    cr_assert_eq(ask_with(&listed, "t5/table",
                          "preset=t5_decoder&relative_positions=-6,-5,-4,-3,-2,-1,0", members, 1),
                 POSENC_OK);
    cr_assert_eq(posenc_find_tensor(&listed.result, "bucket")->rank, 1);
    cr_assert_eq(posenc_find_tensor(&listed.result, "bias")->rank, 2);
    for (size_t i = 0; i < 7; i++)
        cr_expect_eq(asked_values(&pairs, "bucket")[i], asked_values(&listed, "bucket")[i]);
    for (size_t i = 0; i < HEADS * 7; i++)
        cr_expect_eq(asked_values(&pairs, "bias")[i], asked_values(&listed, "bias")[i]);
    assert_runs_agree(&listed, &seed);
    asked_release(&pairs);
    asked_release(&listed);
}

Test(t5, apply_adds_the_bias_to_scores_as_they_are)
{
    double table[32 * 2] = {0}, scores[2 * 2 * 3 * 4] = {0};
    const size_t table_shape[] = {32, 2}, shape[] = {2, 2, 3, 4};
    const struct posenc_member members[] = {{"table", support_array(table, 2, table_shape)},
                                            {"scores", support_array(scores, 4, shape)}};
    struct asked bias, applied;

    fill_table(table, 32, 2);
    for (size_t i = 0; i < 48; i++)
        scores[i] = (double)(i * i % 29);
    cr_assert_eq(
        ask_with(&bias, "t5/table", "preset=t5_decoder&query_length=3&key_length=4", members, 1),
        POSENC_OK);
    cr_assert_eq(ask_with(&applied, "t5/apply", "preset=t5_decoder", members, 2), POSENC_OK);
    for (size_t i = 0; i < 48; i++)
        cr_assert_eq(asked_values(&applied, "scores")[i],
                     scores[i] + asked_values(&bias, "bias")[i % 24]);
    asked_release(&bias);
    asked_release(&applied);
}

struct refused {
    const char *query, *parameter;
    enum posenc_status status;
};

Test(t5, refuses_rules_that_divide_by_zero_and_what_contradicts)
{
    static const struct refused rows[] = {
        {"query_length=4", "bidirectional", POSENC_MISSING_PARAMETER},
        {"bidirectional=true", "query_length", POSENC_MISSING_PARAMETER},
        {"query_length=4&bidirectional=true&num_buckets=31", "num_buckets", POSENC_OUT_OF_RANGE},
        {"query_length=4&bidirectional=true&num_buckets=2", "num_buckets", POSENC_OUT_OF_RANGE},
        {"query_length=4&bidirectional=false&num_buckets=1", "num_buckets", POSENC_OUT_OF_RANGE},
        {"query_length=4&bidirectional=false&num_buckets=65537", "num_buckets",
         POSENC_OUT_OF_RANGE},
        {"query_length=4&bidirectional=true&max_distance=8", "max_distance", POSENC_OUT_OF_RANGE},
        {"query_length=4&bidirectional=false&max_distance=16", "max_distance", POSENC_OUT_OF_RANGE},
        {"relative_positions=1&query_length=4&bidirectional=true", "relative_positions",
         POSENC_CONFLICT},
        {"relative_positions=0,0.5&bidirectional=true", "relative_positions.1", POSENC_WRONG_TYPE},
        {"relative_positions=-9223372036854775808&bidirectional=true", "relative_positions.0",
         POSENC_OUT_OF_RANGE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "t5/table", rows[i].query), rows[i].status, "%s", rows[i].query);
        cr_expect_str_eq(asked.problem.parameter, rows[i].parameter, "%s", rows[i].query);
        asked_release(&asked);
    }
}

/* A model's parameters name its heads, with or without the table that has them. */
Test(t5, takes_the_number_of_heads_and_checks_it_against_a_table)
{
    double table[64] = {0};
    const struct posenc_member member = {"table", support_array(table, 2, (size_t[]){32, 2})};
    struct asked asked;

    cr_expect_eq(ask(&asked, "t5/table", "query_length=2&bidirectional=true&heads=12"), POSENC_OK);
    asked_release(&asked);
    cr_expect_eq(
        ask_with(&asked, "t5/table", "query_length=2&bidirectional=true&heads=2", &member, 1),
        POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "heads"), 2);
    asked_release(&asked);
    cr_expect_eq(
        ask_with(&asked, "t5/table", "query_length=2&bidirectional=true&heads=12", &member, 1),
        POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "heads");
    asked_release(&asked);
}

Test(t5, refuses_tables_and_scores_that_do_not_fit)
{
    double table[64] = {0};
    const size_t shape[] = {32, 2, 1}, scores_shape[] = {4, 4, 4};
    const struct posenc_member good = {"table", support_array(table, 2, shape)},
                               deep = {"table", support_array(table, 3, shape)},
                               scores[] = {{"scores", support_array(table, 3, scores_shape)}, good};
    struct asked asked;

    cr_expect_eq(ask_with(&asked, "t5/table", "query_length=2&bidirectional=true", &deep, 1),
                 POSENC_WRONG_SHAPE);
    cr_expect_str_eq(asked.problem.parameter, "table");
    asked_release(&asked);
    cr_expect_eq(
        ask_with(&asked, "t5/table", "query_length=2&bidirectional=true&num_buckets=64", &good, 1),
        POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "table");
    asked_release(&asked);
    cr_expect_eq(ask_with(&asked, "t5/apply", "bidirectional=true", scores, 2), POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "table");
    asked_release(&asked);
    cr_expect_eq(ask_with(&asked, "t5/apply", "bidirectional=true", scores, 1),
                 POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "table");
    asked_release(&asked);
}

Test(t5, ends_well_without_memory)
{
    double table[64] = {0};
    const size_t shape[] = {32, 2};
    const struct posenc_member members[] = {{"table", support_array(table, 2, shape)}};

    cr_expect_gt(
        assert_memory_ends_well("t5/table", "query_length=5&bidirectional=true", members, 1), 0);
}
