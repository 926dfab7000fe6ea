/* What every bias shares: scores that tell lengths and heads, apply as table plus scores. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

#define KERNEL "kind=log&p=1&a=1"

Test(bias, scores_tell_lengths_and_must_have_heads)
{
    static const double numbers[12] = {0};
    const size_t shape[] = {1, 3, 4};
    const struct posenc_member scores[] = {{"scores", support_array(numbers, 3, shape)},
                                           {"flat", support_array(numbers, 2, shape + 1)}};
    const struct posenc_member flat = {"scores", scores[1].value};
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "kerple/apply", KERNEL, scores, 1), POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "query_length"), 3);
    cr_expect_eq(echoed_number(&asked.result, "key_length"), 4);
    cr_expect_eq(echoed_number(&asked.result, "query_offset"), 1);
    asked_release(&asked);
    cr_expect_eq(ask_with(&asked, "kerple/apply", KERNEL "&key_length=5", scores, 1),
                 POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "key_length");
    asked_release(&asked);
    cr_expect_eq(ask_with(&asked, "kerple/apply", KERNEL, &flat, 1), POSENC_WRONG_SHAPE);
    cr_expect_str_eq(asked.problem.parameter, "scores");
    asked_release(&asked);
    cr_expect_eq(ask_with(&asked, "kerple/apply", "kind=log&p=1,2&a=1,2", scores, 1),
                 POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "p");
    asked_release(&asked);
    const struct posenc_member two = {"scores",
                                      support_array(numbers, 3, (const size_t[]){2, 3, 2})};

    cr_expect_eq(ask_with(&asked, "kerple/apply", KERNEL, &two, 1), POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "p");
    asked_release(&asked);
}

Test(bias, scores_tell_the_heads_of_encodings_that_have_no_numbers_a_head)
{
    static const char *const encodings[] = {"alibi/apply", "sandwich/apply"};
    static const double numbers[16] = {0};
    const struct posenc_member scores = {"scores",
                                         support_array(numbers, 3, (const size_t[]){4, 2, 2})};

    for (size_t i = 0; i < sizeof(encodings) / sizeof(*encodings); i++) {
        struct asked asked;

        cr_assert_eq(ask_with(&asked, encodings[i], "", &scores, 1), POSENC_OK, "%s",
                     asked.problem.detail);
        cr_expect_eq(echoed_number(&asked.result, "heads"), 4);
        asked_release(&asked);
        cr_expect_eq(ask_with(&asked, encodings[i], "heads=3", &scores, 1), POSENC_CONFLICT);
        cr_expect_str_eq(asked.problem.parameter, "heads");
        asked_release(&asked);
    }
}

#define QUERIES 3
#define KEYS    5
#define CELLS   (QUERIES * KEYS)

/* Two heads, and weights of FIRE and a table of T5 for them. */
static const double w1[] = {1, -2, 0.5}, b1[] = {0.1, 0.2, -0.3}, w2[] = {1, 2, 3, -1, 0.5, 4},
                    b2[] = {0.25, -4}, rows[] = {1, 2, 3, 4, 5, 6, 7, 8};

static struct posenc_value fire_weights(struct posenc_member members[4])
{
    members[0] = (struct posenc_member){"w1", support_array(w1, 2, (const size_t[]){3, 1})};
    members[1] = (struct posenc_member){"b1", support_array(b1, 1, (const size_t[]){3})};
    members[2] = (struct posenc_member){"w2", support_array(w2, 2, (const size_t[]){2, 3})};
    members[3] = (struct posenc_member){"b2", support_array(b2, 1, (const size_t[]){2})};
    return posenc_object(members, 4);
}

struct biased {
    const char *encoding, *query;
    const struct posenc_member *learned; /* or NULL */
};

#define LENGTHS "query_length=3&key_length=5&dtype=float64&"

/* Of scores [2, 2, QUERIES, KEYS]: a batch of two. */
static void assert_sum(const struct biased *biased, const struct posenc_member *scores,
                       const double *numbers)
{
    const struct posenc_member members[] = {
        *scores, biased->learned ? *biased->learned : (struct posenc_member){.name = NULL}};
    const size_t learned = biased->learned ? 1 : 0;
    char table_name[40], apply_name[40];
    struct asked table, apply;

    (void)snprintf(table_name, sizeof(table_name), "%s/table", biased->encoding);
    (void)snprintf(apply_name, sizeof(apply_name), "%s/apply", biased->encoding);
    cr_assert_eq(ask_with(&table, table_name, biased->query, members + 1, learned), POSENC_OK,
                 "%s: %s", table_name, table.problem.detail);
    cr_assert_eq(ask_with(&apply, apply_name, biased->query, members, 1 + learned), POSENC_OK,
                 "%s: %s", apply_name, apply.problem.detail);
    const double *bias = asked_values(&table, "bias"), *sums = asked_values(&apply, "scores");

    cr_assert_eq(posenc_find_tensor(&table.result, "bias")->count, 2 * CELLS);
    cr_assert_eq(apply.result.tensors[0].count, 2 * 2 * CELLS);
    for (size_t i = 0; i < 2 * 2 * CELLS; i++)
        cr_assert_eq(sums[i], numbers[i] + bias[i % (2 * CELLS)], "%s, %zu", apply_name, i);
    asked_release(&table);
    asked_release(&apply);
}

/* Scores have few bits, so that their sum with a bias that is a double is rounded once here, too.
 */
Test(bias, apply_adds_the_table_to_every_item_of_a_batch)
{
    const size_t shape[] = {2, 2, QUERIES, KEYS};
    struct posenc_member weights[4];
    const struct posenc_member fire = {"weights", fire_weights(weights)},
                               t5 = {"table", support_array(rows, 2, (const size_t[]){4, 2})};
    const struct biased biases[] = {
        {"alibi", LENGTHS "heads=2&form=symmetric", NULL},
        {"alibi", LENGTHS "heads=2&form=key_index&mask=causal", NULL},
        {"fire", LENGTHS "c=0.1&threshold=4&mask=none", &fire},
        {"kerple", LENGTHS "kind=power&p=0.7,1.3&a=0.3,2", NULL},
        {"sandwich", LENGTHS "heads=2&dim=6", NULL},
        {"t5", LENGTHS "bidirectional=true&num_buckets=4&max_distance=3", &t5},
    };
    double numbers[2 * 2 * CELLS];

    for (size_t i = 0; i < 2 * 2 * CELLS; i++)
        numbers[i] = (double)i / 4 - 7;
    const struct posenc_member scores = {"scores", support_array(numbers, 4, shape)};

    for (size_t i = 0; i < sizeof(biases) / sizeof(*biases); i++)
        assert_sum(&biases[i], &scores, numbers);
}

/* p log(1 + a D) with p = 30000 at D = 9 and a = 1 is 69077, at D = 8 65917, at D = 7 62383. */
Test(bias, float16_warns_of_the_first_value_that_becomes_infinite_in_either_kind_of_tensor)
{
    static const struct {
        const char *query;
        size_t warnings;
    } cases[] = {
        {"kind=log&p=30000&a=1&query_length=1&key_length=9&dtype=float16", 1},
        {"kind=log&p=30000&a=1&query_length=1&key_length=8&dtype=float16", 0},
        {"kind=log&p=1,30000&a=1,1&query_length=9&dtype=float16", 1},
        {"kind=log&p=30000&a=1&query_length=1&key_length=9&query_offset=0&mask=none&dtype=float16",
         1},
        {"kind=log&p=30000&a=1&query_length=1&key_length=9&dtype=bfloat16", 0},
        {"kind=log&p=30000&a=1&query_length=1&key_length=0&dtype=float16", 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;

        cr_assert_eq(ask(&asked, "kerple/table", cases[i].query), POSENC_OK, "%s", cases[i].query);
        cr_expect_eq(asked.result.warning_count, cases[i].warnings, "%s", cases[i].query);
        asked_release(&asked);
    }
}

/* The network is steep: w2 relu(x) with w2 = 200000, and x = log 10.9 / (log 61 + epsilon) = 0.58
 * at distance 99 of 599. */
Test(bias, float16_warns_of_a_network_that_grows_beyond_it)
{
    static const double one[] = {1}, none[] = {0}, steep[] = {200000};
    const struct posenc_member members[] = {
        {"w1", support_array(one, 2, (const size_t[]){1, 1})},
        {"b1", support_array(none, 1, (const size_t[]){1})},
        {"w2", support_array(steep, 2, (const size_t[]){1, 1})},
        {"b2", support_array(none, 1, (const size_t[]){1})},
    };
    const struct posenc_member weights = {"weights", posenc_object(members, 4)};
    const char *const near = "c=0.1&threshold=599&query_length=1&key_length=2&dtype=float16";
    const char *const far = "c=0.1&threshold=599&query_length=1&key_length=100&dtype=float16";
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "fire/table", far, &weights, 1), POSENC_OK);
    cr_assert_eq(asked.result.warning_count, 1);
    cr_expect_str_eq(asked.result.warnings[0].parameter, "dtype");
    cr_expect_eq(asked_values(&asked, "bias")[0], (double)INFINITY);
    asked_release(&asked);
    cr_assert_eq(ask_with(&asked, "fire/table", near, &weights, 1), POSENC_OK);
    cr_expect_eq(asked.result.warning_count, 0);
    asked_release(&asked);
}

Test(bias, every_encoding_with_a_source_has_both_operations_and_gives_a_bias)
{
    size_t found = 0;

    for (size_t i = 0; posenc_encoding_at(i); i++) {
        const struct posenc_encoding *encoding = posenc_encoding_at(i);

        if (!encoding->bias)
            continue;
        found++;
        cr_assert_not_null(posenc_find_operation(encoding, "apply"), "%s", encoding->name);
        const struct posenc_operation *table = posenc_find_operation(encoding, "table");
        bool gives_bias = false;

        cr_assert_not_null(table, "%s", encoding->name);
        for (const struct posenc_tensor_row *row = table->tensors; row->name; row++)
            gives_bias |= strcmp(row->name, "bias") == 0;
        cr_expect(gives_bias, "%s", encoding->name);
    }
    cr_expect_eq(found, 5);
}

Test(bias, ends_well_without_memory)
{
    static const double numbers[8] = {0};
    const struct posenc_member scores = {"scores",
                                         support_array(numbers, 3, (const size_t[]){2, 2, 2})};

    cr_expect_gt(assert_memory_ends_well("sandwich/apply", "dim=4&dtype=float64", &scores, 1), 0);
    cr_expect_gt(assert_memory_ends_well("alibi/apply", "form=key_index", &scores, 1), 0);
}
