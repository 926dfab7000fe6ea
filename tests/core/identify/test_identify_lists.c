/* Lists that are derived by a wrong rule: from ALiBi's slopes of 4 heads, 1/4 1/16 1/64 1/256. */
#include "identify_question.h"

static const double numbers[4] = {1, 2, 3, 4};

static void expect_list(const struct posenc__changes *changes, const char *words,
                        const double *expected, size_t count)
{
    const struct posenc__change *change = question_change(changes, words);
    double list[8];

    cr_assert_eq(change != NULL, expected != NULL, "%s", words);
    if (!change)
        return;
    cr_assert_eq(change->sets.items[0].value.as.array.shape[0], count);
    posenc__read_array(&change->sets.items[0].value.as.array, 0, count, list);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(list[i], expected[i], "%s: %.17g", words, list[i]);
}

#define EXPECT_LIST(changes, words, ...)                                                           \
    expect_list((changes), "'slopes' is wrong: " words, (const double[]){__VA_ARGS__},             \
                sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

Test(identify_lists, every_rule)
{
    struct asked_question asked;

    init_question(&asked, .actual = SHAPED(numbers, 4), .encoding = "alibi", .part = "slopes",
                  .parameters = EXPECTED(NUMBER("heads", 4)));
    const struct posenc__changes changes =
        question_changes(&asked, question_context(&asked, "slopes"));

    EXPECT_LIST(&changes, "all are 1: every exponent is 0, as integer division makes it", 1, 1, 1,
                1);
    EXPECT_LIST(&changes, "all are squared: the exponent is divided by half of what it should be",
                0x1p-4, 0x1p-8, 0x1p-12, 0x1p-16);
    EXPECT_LIST(&changes,
                "all are square roots: the exponent is divided by twice what it should be", 0.5,
                0.25, 0.125, 0.0625);
    EXPECT_LIST(&changes, "all are inverted: positions are divided by frequencies, not multiplied",
                4, 16, 64, 256);
    EXPECT_LIST(&changes, "all have the other sign", -0.25, -0x1p-4, -0x1p-6, -0x1p-8);
    EXPECT_LIST(&changes, "they run the other way", 0x1p-8, 0x1p-6, 0x1p-4, 0.25);
    EXPECT_LIST(&changes, "each is that of the next entry: they are counted from one", 0x1p-4,
                0x1p-6, 0x1p-8, 0x1p-10);
    EXPECT_LIST(&changes,
                "each is that of the entry before: they are counted from zero where one is due", 1,
                0.25, 0x1p-4, 0x1p-6);
    EXPECT_LIST(&changes, "they are the first of 8, as of 'heads' 8", 0.5, 0.25, 0.125, 0.0625);
    /* They are sorted already, and powers of two in every type. */
    expect_list(&changes, "'slopes' is wrong: they are sorted, largest first", NULL, 0);
    expect_list(&changes, "'slopes' is wrong: they were rounded to bfloat16", NULL, 0);
    posenc_memory_release(&asked.memory);
}

Test(identify_lists, that_are_given_are_not_derived)
{
    struct asked_question asked;

    init_question(&asked, .actual = SHAPED(numbers, 4), .encoding = "alibi", .part = "slopes",
                  .parameters = EXPECTED({"slopes", posenc_numbers(numbers, 4)}));
    const struct posenc__changes changes =
        question_changes(&asked, question_context(&asked, "slopes"));

    expect_list(&changes, "'slopes' is wrong: all have the other sign", NULL, 0);
    posenc_memory_release(&asked.memory);
}

/* A part of the head turns: right are the frequencies 1 and 1/100 of 4 channels; of all 8 they
 * would be 1, 1/10, 1/100 and 1/1000. */
Test(identify_lists, of_the_whole_where_a_part_was_named)
{
    const double wrong[] = {1, 0.1};
    struct asked_question asked;

    init_question(&asked, .actual = SHAPED(wrong, 2), .encoding = "rope", .part = "inv_freq",
                  .parameters = EXPECTED(NUMBER("dim", 8), NUMBER("rotary_dim", 4)));
    struct posenc__context *context = question_context(&asked, "inv_freq");
    const struct posenc__changes changes = question_changes(&asked, context);
    struct posenc__change *change = question_change(
        &changes, "'inv_freq' is wrong: they are the first of 4, as without 'rotary_dim'");
    struct posenc__guess guess = {.context = context, .changes = {change}, .change_count = 1};
    bool fits;

    cr_assert_not_null(change);
    cr_assert_eq(posenc__try(asked.question, &guess, &fits), POSENC_OK);
    cr_expect(fits && guess.fit.agreement == POSENC__AGREE_SAME);
    posenc_memory_release(&asked.memory);
}
