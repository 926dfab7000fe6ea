/* The order of explanations, and what is left of them. */
#include "identify_question.h"

static struct posenc__question *new_question(struct posenc_memory *memory)
{
    struct posenc__question *question;

    posenc_memory_init(memory, POSENC_MEMORY_DEFAULT);
    question = posenc_allocate(memory, 1, sizeof(*question));
    cr_assert_not_null(question);
    *question = (struct posenc__question){.memory = memory};
    return question;
}

static void keep(struct posenc__question *question, enum posenc__agreement agreement, unsigned cost,
                 double mean)
{
    const struct posenc__guess guess = {.cost = cost,
                                        .fit = {.agreement = agreement, .mean_difference = mean}};

    posenc__keep(question, &guess);
}

Test(identify_best, the_best_fit_first_then_the_cheapest_then_the_first)
{
    struct posenc_memory memory;
    struct posenc__question *question = new_question(&memory);

    keep(question, POSENC__AGREE_NOT, 0, 0.5);
    cr_expect_not(posenc__is_explained(question));
    keep(question, POSENC__AGREE_SAME, 2, 1e-9);
    keep(question, POSENC__AGREE_SAME, 1, 2e-9);
    keep(question, POSENC__AGREE_NEAR, 0, 1e-10);
    keep(question, POSENC__AGREE_SAME, 1, 1e-10); /* as good as the one before: behind it */
    cr_assert_eq(question->best_count, 5);
    cr_expect(posenc__is_explained(question));
    cr_expect(question->best[0].cost == 1 && question->best[0].fit.mean_difference == 2e-9);
    cr_expect_eq(question->best[1].fit.mean_difference, 1e-10);
    cr_expect_eq(question->best[2].cost, 2);
    cr_expect_eq(question->best[3].fit.agreement, POSENC__AGREE_NEAR);
    cr_expect_eq(question->best[4].fit.agreement, POSENC__AGREE_NOT);
    posenc_memory_release(&memory);
}

Test(identify_best, a_change_must_make_much_of_the_difference_to_be_worth_it)
{
    struct posenc_memory memory;
    struct posenc__question *question = new_question(&memory);

    keep(question, POSENC__AGREE_NOT, 0, 0.4);
    keep(question, POSENC__AGREE_NOT, 1, 0.2);
    keep(question, POSENC__AGREE_NOT, 1, 0.05);
    cr_expect_eq(question->best[0].fit.mean_difference, 0.05);
    cr_expect_eq(question->best[1].fit.mean_difference, 0.4);
    posenc_memory_release(&memory);
}

Test(identify_best, sixteen_are_kept)
{
    struct posenc_memory memory;
    struct posenc__question *question = new_question(&memory);

    for (size_t i = 0; i < 20; i++)
        keep(question, POSENC__AGREE_NOT, 0, 20 - (double)i);
    cr_expect_eq(question->best_count, POSENC__EXPLANATIONS_MAX);
    cr_expect_eq(question->best[0].fit.mean_difference, 1);
    cr_expect_eq(question->best[POSENC__EXPLANATIONS_MAX - 1].fit.mean_difference, 16);
    posenc_memory_release(&memory);
}

/* Beside "the base is another one" nothing says the same and something more. */
Test(identify_best, no_explanation_says_more_than_it_takes)
{
    double wrong[6 * 4];
    struct asked asked;

    for (size_t i = 0; i < 6 * 4; i++)
        wrong[i] = (double)(float)cos((double)(i / 4) * pow(500000, -(double)(i % 4) / 4));
    ask(&asked, NULL, "identify", {"actual", asking_rows(6, 4, wrong)}, TEXT("encoding", "rope"),
        PARAMETERS(NUMBER("dim", 8)), NUMBER("explanations", 16));
    const struct posenc_value object = {.kind = POSENC_OBJECT, .as.object = asked.result.derived};

    cr_expect_str_eq(changed_parameter(&asked, 0), "base");
    cr_expect_str_eq(changed_parameter(&asked, 1), "");
    cr_expect_eq(posenc_find_member(&object, "explanations")->as.list.count, 1);
    posenc_memory_release(&asked.memory);
}
