/* The answer: verdict, statement, what was expected, and the explanations. */
#include "identify_case.h"

/* The first two rows of cos(p), cos(p / 10), ... as they print. */
#define BASE_10000                                                                                 \
    ROWS(3, 4, 1, 1, 1, 1, 0.5403023, 0.9950042, 0.99995, 0.9999995, -0.4161468, 0.9800666,        \
         0.9998, 0.999998)

static const struct posenc_value *derived(const struct asked *asked, const char *name)
{
    const struct posenc_value object = {.kind = POSENC_OBJECT, .as.object = asked->result.derived};

    return posenc_find_member(&object, name);
}

static const struct posenc_value *explanation(const struct asked *asked, size_t index,
                                              const char *name)
{
    const struct posenc_list *list = &derived(asked, "explanations")->as.list;

    cr_assert_lt(index, list->count);
    return posenc_find_member(&list->items[index], name);
}

Test(identify_answer, a_mistake_is_told_with_what_was_expected_and_what_was_found)
{
    struct asked asked;

    ask(&asked, NULL, "identify", {"actual", BASE_10000}, TEXT("encoding", "rope"),
        PARAMETERS(NUMBER("dim", 8), NUMBER("base", 500000)));
    expect_verdict(&asked, "mistaken");
    cr_expect_str_eq(asked_text(&asked, "statement"),
                     "Not as expected: it is 'cos' of 'rope' where 'base' is 10000 instead of "
                     "500000; so it is right, printed to 7 decimals.");
    cr_expect_str_eq(explanation(&asked, 0, "encoding")->as.text, "rope");
    cr_expect_str_eq(explanation(&asked, 0, "operation")->as.text, "table");
    cr_expect_str_eq(explanation(&asked, 0, "part")->as.text, "cos");
    cr_expect_str_eq(explanation(&asked, 0, "agreement")->as.text, "same");
    cr_expect_eq(explanation(&asked, 0, "first_different")->kind, POSENC_NULL);
    cr_expect_eq(posenc_find_member(explanation(&asked, 0, "parameters"), "base")->as.number,
                 10000);
    const struct posenc_value *change = &explanation(&asked, 0, "changes")->as.list.items[0];

    cr_expect_str_eq(posenc_find_member(change, "parameter")->as.text, "base");
    cr_expect_eq(posenc_find_member(change, "expected")->as.number, 500000);
    cr_expect_eq(posenc_find_member(change, "found")->as.number, 10000);
    posenc_memory_release(&asked.memory);
}

/* cos(1 / 10) and cos(1 * 500000^(-1/4)) are 0.03 apart, the first that differ; 0.105 and more
 * follow in the next row. */
Test(identify_answer, what_was_expected_is_held_against_the_tensor)
{
    struct asked asked;
    double at[2];

    ask(&asked, NULL, "identify", {"actual", BASE_10000}, TEXT("encoding", "rope"),
        PARAMETERS(NUMBER("dim", 8), NUMBER("base", 500000)));
    const struct posenc_value *expected = derived(&asked, "expected");

    cr_assert_not_null(expected);
    cr_expect_str_eq(posenc_find_member(expected, "agreement")->as.text, "none");
    posenc__read_array(&posenc_find_member(expected, "first_different")->as.array, 0, 2, at);
    cr_expect(at[0] == 1 && at[1] == 1);
    posenc__read_array(&posenc_find_member(expected, "at")->as.array, 0, 2, at);
    cr_expect(at[0] == 2 && at[1] == 1);
    cr_expect_float_eq(posenc_find_member(expected, "max_difference")->as.number,
                       cos(2 * pow(500000, -0.25)) - 0.9800666, 1e-12);
    posenc_memory_release(&asked.memory);
}

Test(identify_answer, without_an_expectation_it_is_named)
{
    struct asked asked;

    ask(&asked, NULL, "identify", {"actual", BASE_10000});
    expect_verdict(&asked, "identified");
    cr_expect_str_eq(asked_text(&asked, "statement"),
                     "It is 'cos' of 'rope' with its defaults, printed to 7 decimals.");
    cr_expect_null(derived(&asked, "expected"));
    posenc_memory_release(&asked.memory);
}

/* Defaults are an expectation where parameters are given, if only as {}. */
Test(identify_answer, no_parameters_at_all_are_an_expectation_too)
{
    struct asked asked;

    ask(&asked, NULL, "identify", {"actual", BASE_10000}, TEXT("encoding", "rope"),
        {"parameters", posenc_object(NULL, 0)});
    expect_verdict(&asked, "right");
    posenc_memory_release(&asked.memory);
}

Test(identify_answer, as_many_explanations_as_asked_for)
{
    double noise[5 * 4];

    draw_numbers(13, 5 * 4, noise);
    for (double most = 1; most <= 16; most *= 4) {
        struct asked asked;

        ask(&asked, NULL, "identify", {"actual", asking_rows(5, 4, noise)},
            TEXT("encoding", "rope"), PARAMETERS(NUMBER("dim", 8)), NUMBER("explanations", most));
        expect_verdict(&asked, "unexplained");
        cr_expect_eq(derived(&asked, "explanations")->as.list.count, (size_t)most);
        posenc_memory_release(&asked.memory);
    }
}

/* A step in bfloat16: the angle, which is 0.1001 where 0.1 is right. */
Test(identify_answer, a_step_in_a_small_type_is_close)
{
    double close[3 * 4];
    struct asked asked;

    for (size_t i = 0; i < 12; i++)
        close[i] = cos((double)(i / 4) * pow(10, -(double)(i % 4))) + (i == 9 ? 0.0003 : 0.0001);
    ask(&asked, NULL, "identify", {"actual", asking_rows(3, 4, close)}, TEXT("encoding", "rope"),
        PARAMETERS(NUMBER("dim", 8)));
    expect_verdict(&asked, "close");
    cr_expect_not_null(strstr(asked_text(&asked, "statement"), "differs by up to 0.0003"), "%s",
                       asked_text(&asked, "statement"));
    posenc_memory_release(&asked.memory);
}

/* The request's own problem, not that of the last trial. */
Test(identify_answer, why_nothing_can_be_compared)
{
    static const double numbers[] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct asked asked;

    ask(&asked, NULL, "identify", {"actual", SHAPED(numbers, 2, 2, 2)}, TEXT("encoding", "rope"),
        TEXT("part", "inv_freq"), PARAMETERS(NUMBER("dim", 8)));
    expect_verdict(&asked, "not_comparable");
    cr_expect_str_eq(asked_text(&asked, "statement"),
                     "Not comparable: 'actual' has 3 axes; 'inv_freq' of 'rope' is [pairs]; with "
                     "axes_rule those of one axis, or of both that alternate.");
    posenc_memory_release(&asked.memory);
}
