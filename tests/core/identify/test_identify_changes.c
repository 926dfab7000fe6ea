/* The single changes of a context, from its operation's rows. */
#include "identify_question.h"

static const double numbers[12] = {1, 2, 3, 4};

static void expect_words(const struct posenc__changes *changes, const char *words, bool is_there)
{
    cr_expect_eq(question_change(changes, words) != NULL, is_there, "%s", words);
}

Test(identify_changes, every_other_choice_and_no_other)
{
    struct asked_question asked;

    init_question(&asked, .actual = SHAPED(numbers, 3, 4), .encoding = "sinusoidal",
                  .parameters = EXPECTED(TEXT("layout", "sin_cos")));
    const struct posenc__changes changes =
        question_changes(&asked, question_context(&asked, "encoding"));

    expect_words(&changes, "'layout' is interleaved instead of sin_cos", true);
    expect_words(&changes, "'layout' is cos_sin instead of sin_cos", true);
    expect_words(&changes, "'layout' is sin_cos instead of sin_cos", false);
    expect_words(&changes, "'preset' is whisper", true);
    posenc_memory_release(&asked.memory);
}

Test(identify_changes, numbers_slip)
{
    struct asked_question asked;

    init_question(&asked, .actual = SHAPED(numbers, 3, 4), .encoding = "rope", .part = "cos",
                  .parameters = EXPECTED(NUMBER("base", 1e7)));
    const struct posenc__changes changes =
        question_changes(&asked, question_context(&asked, "cos"));

    expect_words(&changes, "'base' is 10000 instead of 10000000", true); /* the default */
    expect_words(&changes, "'base' is 100000000000000 instead of 10000000", true);
    expect_words(&changes, "'base' is 3162.27766016838 instead of 10000000", true);
    expect_words(&changes, "'base' is 1410065.408 instead of 10000000", true);
    expect_words(&changes, "'base' is 10000000 instead of 10000000", false);
    expect_words(&changes, "'direction' is -1 instead of 1", true);
    posenc_memory_release(&asked.memory);
}

Test(identify_changes, members_of_dictionaries_change_and_are_left_out)
{
    struct asked_question asked;

    init_question(&asked, .actual = SHAPED(numbers, 3, 4), .encoding = "rope", .part = "cos",
                  .parameters = EXPECTED(
                      OBJECT("scaling", TEXT("rope_type", "linear"), NUMBER("factor", 4))));
    const struct posenc__changes changes =
        question_changes(&asked, question_context(&asked, "cos"));

    expect_words(&changes, "'scaling' is left out", true);
    expect_words(&changes, "'scaling.factor' is left out", true);
    expect_words(&changes, "'scaling.factor' is 16 instead of 4", true);
    expect_words(&changes, "'scaling.rope_type' is yarn instead of linear", true);
    struct posenc__change *change =
        question_change(&changes, "'scaling.factor' is 16 instead of 4");

    cr_assert_eq(change->sets.count, 1); /* the whole dictionary, its other member kept */
    cr_expect_str_eq(posenc_find_member(&change->sets.items[0].value, "rope_type")->as.text,
                     "linear");
    posenc_memory_release(&asked.memory);
}

Test(identify_changes, a_dictionary_that_is_not_there_comes_with_one_choice)
{
    struct asked_question asked;

    init_question(&asked, .actual = SHAPED(numbers, 3, 4), .encoding = "rope", .part = "cos");
    const struct posenc__changes changes =
        question_changes(&asked, question_context(&asked, "cos"));

    expect_words(&changes, "'scaling.rope_type' is proportional", true);
    posenc_memory_release(&asked.memory);
}

Test(identify_changes, lists_are_reversed_and_written_out)
{
    static const double index[16] = {1, 2};
    struct asked_question asked;

    init_question(&asked, .actual = SHAPED(index, 4, 4), .encoding = "swin", .part = "index",
                  .parameters = EXPECTED(LIST_OF("window", 1, 4), NUMBER("version", 1)));
    const struct posenc__changes changes =
        question_changes(&asked, question_context(&asked, "index"));

    expect_words(&changes, "'window' is [4, 1] instead of [1, 4]", true);
    posenc_memory_release(&asked.memory);
}

Test(identify_changes, what_the_tensor_tells_may_be_taken_out)
{
    struct asked_question asked;

    init_question(&asked, .actual = SHAPED(numbers, 3, 4), .encoding = "rope", .part = "cos",
                  .parameters = EXPECTED(NUMBER("dim", 64)));
    struct posenc__context *context = question_context(&asked, "cos");
    const struct posenc__changes changes = question_changes(&asked, context);
    struct posenc__change *change = question_change(&changes, "'dim' is not 64");
    bool fits;

    cr_assert_not_null(change);
    struct posenc__guess guess = {.context = context};

    cr_assert_eq(posenc__try(asked.question, &guess, &fits), POSENC_OK);
    cr_expect_not(fits);
    guess.changes[guess.change_count++] = change;
    cr_assert_eq(posenc__try(asked.question, &guess, &fits), POSENC_OK);
    cr_expect(fits, "%s", asked.problem.detail);
    posenc_memory_release(&asked.memory);
}

Test(identify_changes, a_full_list_takes_no_more)
{
    static struct posenc__change items[POSENC__IDENTIFY_CHANGES_MAX + 1];
    struct posenc__changes changes = {items, POSENC__IDENTIFY_CHANGES_MAX - 1};
    const struct posenc__change change = {.parameter = "a", .words = "b"};
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    cr_expect(posenc__add_change(&changes, &memory, &change));
    cr_expect_eq(changes.count, POSENC__IDENTIFY_CHANGES_MAX);
    cr_expect(posenc__add_change(&changes, &memory, &change));
    cr_expect_eq(changes.count, POSENC__IDENTIFY_CHANGES_MAX);
    cr_expect_null(items[POSENC__IDENTIFY_CHANGES_MAX].words);
    posenc_memory_release(&memory);
}
