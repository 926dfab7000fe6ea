/*
 * T5's buckets as people get them wrong. Where buckets start in bfloat16 was worked out by the rule
 * in 40 digits, rounded to 8 bits after each step.
 */
#include "asking_fault.h"

#define FARTHEST 140
#define QUERIES  130

#define BOTH(is_encoder)                                                                           \
    {                                                                                              \
        "bidirectional", posenc_boolean(is_encoder)                                                \
    }

/* Distances from which on the bucket is exact, exact + 1, ... */
static const int encoder_starts[] = {8, 12, 16, 23, 32, 45, 64, 90};
static const int encoder_tensor_starts[] = {8, 12, 17, 23, 33, 46, 64, 90};
static const int decoder_starts[] = {16, 19, 21, 24, 27, 31, 35, 40,
                                     46, 52, 59, 67, 76, 87, 99, 112};

/* The bucket of a key so far behind the query. */
static int bucket_behind(const int *starts, int exact, int distance)
{
    int bucket = distance < exact ? distance : exact;

    while (bucket >= exact && bucket + 1 < 2 * exact && starts[bucket + 1 - exact] <= distance)
        bucket++;
    return bucket;
}

/* The bucket of a key at `relative` after the query, of 32 buckets; a decoder has 16 exact ones. */
static double bucket_at(const int *starts, bool is_encoder, int relative)
{
    if (!is_encoder)
        return bucket_behind(starts, 16, relative < 0 ? -relative : 0);
    return (relative > 0 ? 16 : 0) + bucket_behind(starts, 8, relative < 0 ? -relative : relative);
}

static void expect_buckets(const char *fault, const int *starts, bool is_encoder, int sign)
{
    double list[2 * FARTHEST + 1];
    struct asked asked;

    for (int i = 0; i <= 2 * FARTHEST; i++)
        list[i] = i - FARTHEST;
    ask_fault(&asked, "t5", "table", fault, BOTH(is_encoder),
              {"relative_positions", posenc_numbers(list, 2 * FARTHEST + 1)});
    for (int i = 0; i <= 2 * FARTHEST; i++)
        cr_expect_eq(asked_value(&asked, "bucket", (size_t)i),
                     bucket_at(starts, is_encoder, sign * (i - FARTHEST)), "%s at %d", fault,
                     i - FARTHEST);
    posenc_memory_release(&asked.memory);
}

Test(t5_faults, a_logarithm_in_bfloat16_moves_boundaries)
{
    expect_buckets("logarithm_in_bfloat16", encoder_starts, true, 1);
    expect_buckets("logarithm_in_bfloat16", decoder_starts, false, 1);
    expect_buckets("logarithm_in_bfloat16_tensors", encoder_tensor_starts, true, 1);
}

/* The figures of a report: 45 and 90 of an encoder, 76 and 112 of a decoder. */
Test(t5_faults, a_logarithm_in_bfloat16_gives_what_was_reported)
{
    struct asked asked;

    ask_fault(&asked, "t5", "table", "logarithm_in_bfloat16", BOTH(true),
              {"relative_positions", LIST(-45, -90, 45, 90)});
    EXPECT_VALUES(&asked, "bucket", 0, 13, 15, 29, 31);
    posenc_memory_release(&asked.memory);
    ask_fault(&asked, "t5", "table", "logarithm_in_bfloat16", BOTH(false),
              {"relative_positions", LIST(-76, -112, 45)});
    EXPECT_VALUES(&asked, "bucket", 0, 28, 31, 0);
    posenc_memory_release(&asked.memory);
}

Test(t5_faults, distances_up_to_2_to_the_53_have_the_last_bucket_at_most)
{
    static const double far[] = {9007199254740991, -9007199254740991};
    struct asked asked;

    ask_fault(&asked, "t5", "table", "logarithm_in_bfloat16", BOTH(true),
              NUMBER("max_distance", 9007199254740991),
              {"relative_positions", posenc_numbers(far, 2)});
    EXPECT_VALUES(&asked, "bucket", 0, 31, 15);
    posenc_memory_release(&asked.memory);
}

/* 100000 / 20000 is 5 in bfloat16, log 5 over itself 1, and 20000 times 1 rounds to 19968. */
Test(t5_faults, the_last_of_many_buckets_starts_beyond_max_distance)
{
    struct asked asked;

    ask_fault(&asked, "t5", "table", "logarithm_in_bfloat16", BOTH(false),
              NUMBER("num_buckets", 40000), NUMBER("max_distance", 100000),
              {"relative_positions", LIST(-100000)});
    EXPECT_VALUES(&asked, "bucket", 0, 39968);
    posenc_memory_release(&asked.memory);
}

static const int right_encoder[] = {8, 12, 16, 23, 32, 46, 64, 91};
static const int right_decoder[] = {16, 19, 21, 24, 27, 31, 35, 40,
                                    46, 52, 59, 67, 77, 87, 99, 113};

Test(t5_faults, query_minus_key_is_the_other_sign)
{
    expect_buckets("query_minus_key", right_encoder, true, -1);
    expect_buckets("query_minus_key", right_decoder, false, -1);
}

/* One head, whose bias is ten times the bucket: keys 1 and 2 after the query have buckets 1, 2. */
Test(t5_faults, biases_and_scores_have_the_wrong_buckets)
{
    double table[32];
    const double scores[] = {1, 1, 1};
    const struct posenc_array one_row = {
        .dtype = POSENC_FLOAT64, .rank = 3, .shape = {1, 1, 3}, .data = scores};
    struct asked asked;

    for (int i = 0; i < 32; i++)
        table[i] = 10 * i;
    const struct posenc_member learned = {"table", asking_rows(32, 1, table)};

    ask_fault(&asked, "t5", "table", "query_minus_key", BOTH(true), learned,
              NUMBER("query_length", 1), NUMBER("key_length", 3), NUMBER("query_offset", 0));
    EXPECT_VALUES(&asked, "bias", 0, 0, 10, 20);
    posenc_memory_release(&asked.memory);
    ask_fault(&asked, "t5", "apply", "query_minus_key", BOTH(true), learned,
              NUMBER("query_offset", 0), {"scores", posenc_nested(&one_row)});
    EXPECT_VALUES(&asked, "scores", 0, 1, 11, 21);
    posenc_memory_release(&asked.memory);
}

/* The table [QUERIES, QUERIES] of a rule by its name, with what was expected and without. */
static void expect_named_buckets(const char *fault, const int *starts, bool is_encoder, int sign)
{
    static double buckets[QUERIES * QUERIES];

    for (int i = 0; i < QUERIES * QUERIES; i++)
        buckets[i] = bucket_at(starts, is_encoder, sign * (i % QUERIES - i / QUERIES));
    const struct posenc_member actual = {"actual", asking_rows(QUERIES, QUERIES, buckets)};

    expect_named(*fault ? "mistaken" : "right", fault, actual, TEXT("encoding", "t5"),
                 PARAMETERS(BOTH(is_encoder)));
    expect_named("identified", fault, actual, TEXT("encoding", "t5"));
    expect_named("identified", fault, actual);
}

Test(t5_faults, wrong_buckets_are_named)
{
    expect_named_buckets("logarithm_in_bfloat16", encoder_starts, true, 1);
    expect_named_buckets("logarithm_in_bfloat16", decoder_starts, false, 1);
    expect_named_buckets("logarithm_in_bfloat16_tensors", encoder_tensor_starts, true, 1);
    expect_named_buckets("query_minus_key", right_encoder, true, -1);
    expect_named_buckets("query_minus_key", right_decoder, false, -1);
}

Test(t5_faults, right_buckets_have_no_fault)
{
    expect_named_buckets("", right_encoder, true, 1);
    expect_named_buckets("", right_decoder, false, 1);
}
