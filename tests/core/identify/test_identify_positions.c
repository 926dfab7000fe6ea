/* Positions that were counted or rounded otherwise. */
#include "identify_question.h"

static const double numbers[5 * 4] = {1, 2, 3, 4};

/* The positions that a change sets, against a list; where it is NULL there is no such change. */
static void expect_positions(const struct posenc__changes *changes, const char *words,
                             const double *expected, size_t count)
{
    const struct posenc__change *change = question_change(changes, words);
    double positions[8];

    cr_assert_eq(change != NULL, expected != NULL, "%s", words);
    if (!change)
        return;
    cr_assert_eq(change->sets.count, 1);
    cr_expect_str_eq(change->sets.items[0].name, "positions");
    cr_assert_eq(change->sets.items[0].value.as.array.shape[0], count);
    posenc__read_array(&change->sets.items[0].value.as.array, 0, count, positions);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(positions[i], expected[i], "%s: %g", words, positions[i]);
}

#define EXPECT_POSITIONS(changes, words, ...)                                                      \
    expect_positions((changes), (words), (const double[]){__VA_ARGS__},                            \
                     sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static struct posenc__changes list(struct asked_question *asked, struct posenc_member parameters)
{
    init_question(asked, .actual = SHAPED(numbers, 5, 4), .encoding = "rope", .part = "cos",
                  .parameters = parameters);
    return question_changes(asked, question_context(asked, "cos"));
}

Test(identify_positions, counted_otherwise)
{
    struct asked_question asked;
    const struct posenc__changes changes = list(&asked, EXPECTED(NUMBER("offset", 300)));

    EXPECT_POSITIONS(&changes, "every position is 1 too large", 301, 302, 303, 304, 305);
    EXPECT_POSITIONS(&changes, "every position is 2 too small", 298, 299, 300, 301, 302);
    EXPECT_POSITIONS(&changes, "every row stands at the first position", 300, 300, 300, 300, 300);
    EXPECT_POSITIONS(&changes, "every row stands at the last position", 304, 304, 304, 304, 304);
    EXPECT_POSITIONS(&changes, "positions run backwards", 304, 303, 302, 301, 300);
    EXPECT_POSITIONS(&changes, "rows are counted from 0", 0, 1, 2, 3, 4);
    EXPECT_POSITIONS(&changes, "every row stands at position 0", 0, 0, 0, 0, 0);
    posenc_memory_release(&asked.memory);
}

/* bfloat16 holds even numbers above 256, float16 all up to 2048: ties go to even significands. */
Test(identify_positions, rounded_where_a_type_does_not_hold_them)
{
    static const double far[] = {1, 255, 257, 259, 2049};
    struct asked_question asked;
    struct posenc__changes changes = list(&asked, EXPECTED({"positions", posenc_numbers(far, 5)}));

    EXPECT_POSITIONS(&changes, "positions were rounded to bfloat16", 1, 255, 256, 260, 2048);
    EXPECT_POSITIONS(&changes, "positions were rounded to float16", 1, 255, 257, 259, 2048);
    posenc_memory_release(&asked.memory);
    changes = list(&asked, EXPECTED(NUMBER("offset", 200)));
    expect_positions(&changes, "positions were rounded to bfloat16", NULL, 0);
    posenc_memory_release(&asked.memory);
}

Test(identify_positions, of_several_axes_are_left_alone)
{
    static const double places[3 * 5] = {1, 2, 3, 4, 5};
    static const double sections[] = {2, 1, 1};
    struct asked_question asked;
    const struct posenc__changes changes =
        list(&asked, EXPECTED({"positions", SHAPED(places, 3, 5)},
                              {"mrope_section", posenc_numbers(sections, 3)},
                              TEXT("mrope_order", "chunked")));

    expect_positions(&changes, "positions run backwards", NULL, 0);
    posenc_memory_release(&asked.memory);
}

/* Cosines of positions that are off by `shift`. */
static void expect_shift(double shift, bool is_found)
{
    double out[5 * 4], frequencies[4], positions[5];
    struct asked_question asked;

    geometric_frequencies(10000, 8, 4, frequencies);
    for (size_t i = 0; i < 5; i++)
        positions[i] = (double)i + shift;
    init_question(&asked, .actual = wave_table(cos, positions, 5, frequencies, 4, out),
                  .encoding = "rope", .part = "cos", .parameters = EXPECTED(NUMBER("dim", 8)));
    struct posenc__context *context = question_context(&asked, "cos");

    cr_assert_eq(posenc__find_shift(asked.question, context, NULL), POSENC_OK);
    cr_expect_eq(posenc__is_explained(asked.question), is_found, "%g", shift);
    posenc_memory_release(&asked.memory);
}

Test(identify_positions, shifts_of_up_to_4096_are_found_on_both_sides)
{
    expect_shift(4096, true);
    expect_shift(4097, false);
    expect_shift(17, true);
    expect_shift(-1000, true);
    expect_shift(0.5, false);
}
