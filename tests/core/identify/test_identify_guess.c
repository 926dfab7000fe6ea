/* A guess is the encoding's own operation, asked with what the request and the tensor tell. */
#include "identify_question.h"

/* cos(p * 1), cos(p / 10), cos(p / 100), cos(p / 1000), for p from 0 to 4: dim 8. */
static void fill_cosines(double out[5 * 4])
{
    for (size_t i = 0; i < 5 * 4; i++)
        out[i] = cos((double)(i / 4) * pow(10, -(double)(i % 4)));
}

static void expect_fit(const struct identify_case *identify_case, const char *part,
                       enum posenc__agreement agreement)
{
    struct asked_question asked;
    bool fits;

    question_init(&asked, identify_case);
    struct posenc__guess guess = {.context = question_context(&asked, part)};

    cr_assert_eq(posenc__try(asked.question, &guess, &fits), POSENC_OK);
    cr_expect(fits, "%s", asked.problem.detail);
    cr_expect_eq(guess.fit.agreement, agreement);
    cr_assert_eq(posenc__try_whole(asked.question, &guess), POSENC_OK);
    cr_expect_eq(guess.fit.agreement, agreement);
    posenc_memory_release(&asked.memory);
}

#define EXPECT_FIT(part, agreement, ...)                                                           \
    expect_fit(&(const struct identify_case){__VA_ARGS__}, (part), (agreement))

Test(identify_guess, lengths_and_widths_follow_from_the_tensor)
{
    double cosines[5 * 4];

    fill_cosines(cosines);
    EXPECT_FIT("cos", POSENC__AGREE_SAME, .actual = SHAPED(cosines, 5, 4), .encoding = "rope");
    EXPECT_FIT("cos", POSENC__AGREE_SAME, .actual = SHAPED(cosines, 5, 4), .encoding = "rope",
               .parameters = EXPECTED(NUMBER("head_dim", 8)));
    EXPECT_FIT("cos", POSENC__AGREE_SAME, .actual = SHAPED(cosines + 4, 4, 4), .encoding = "rope",
               .parameters = EXPECTED(NUMBER("offset", 1)));
    EXPECT_FIT("sin", POSENC__AGREE_NOT, .actual = SHAPED(cosines, 5, 4), .encoding = "rope");
}

Test(identify_guess, axes_of_one_entry_may_stand_anywhere)
{
    double cosines[5 * 4];

    fill_cosines(cosines);
    EXPECT_FIT("cos", POSENC__AGREE_SAME, .actual = SHAPED(cosines, 1, 5, 1, 4),
               .encoding = "rope");
    EXPECT_FIT("cos", POSENC__AGREE_SAME, .actual = SHAPED(cosines, 1, 1, 1, 1, 1, 1, 5, 4),
               .encoding = "rope");
}

Test(identify_guess, a_row_and_a_column_are_tensors)
{
    static const double row[] = {1, 0.1, 0.01, 0.001};
    double cosines[5 * 4], column[5];

    fill_cosines(cosines);
    for (size_t i = 0; i < 5; i++)
        column[i] = cosines[4 * i];
    EXPECT_FIT("inv_freq", POSENC__AGREE_SAME, .actual = SHAPED(row, 4), .encoding = "rope");
    EXPECT_FIT("cos", POSENC__AGREE_SAME, .actual = SHAPED(column, 5, 1), .encoding = "rope");
    EXPECT_FIT("cos", POSENC__AGREE_SAME, .actual = SHAPED(cosines + 8, 1, 4), .encoding = "rope",
               .parameters = EXPECTED(NUMBER("offset", 2)));
}

/* The whole is compared where the sample is only its first 4096 columns. */
Test(identify_guess, a_difference_behind_the_sample_is_seen_in_the_whole)
{
    static double frequencies[5000];
    struct asked_question asked;
    bool fits;

    geometric_frequencies(10000, 10000, 5000, frequencies);
    frequencies[4999] *= 2;
    init_question(&asked, .actual = SHAPED(frequencies, 5000), .encoding = "rope",
                  .part = "inv_freq");
    struct posenc__guess guess = {.context = question_context(&asked, "inv_freq")};

    cr_assert_eq(posenc__try(asked.question, &guess, &fits), POSENC_OK);
    cr_expect_leq(guess.fit.agreement, POSENC__AGREE_NEAR);
    cr_assert_eq(posenc__try_whole(asked.question, &guess), POSENC_OK);
    cr_expect_gt(guess.fit.agreement, POSENC__AGREE_NEAR);
    cr_expect_eq(guess.fit.worst, 4999);
    posenc_memory_release(&asked.memory);
}

Test(identify_guess, a_guess_that_cannot_be_is_no_failure)
{
    const double numbers[6] = {1, 2, 3, 4, 5, 6};
    struct asked_question asked;
    struct posenc__planned planned;

    init_question(&asked, .actual = SHAPED(numbers, 2, 3), .encoding = "sinusoidal"); /* odd */
    const struct posenc__guess guess = {.context = &asked.question->contexts[0]};

    cr_expect_eq(posenc__plan_guess(asked.question, &guess, &asked.memory, &planned), POSENC_OK);
    cr_expect_null(planned.tensor);
    cr_expect_str_eq(asked.problem.parameter, "dim");
    posenc_memory_release(&asked.memory);
}

Test(identify_guess, trials_are_counted_and_end)
{
    double cosines[5 * 4];
    struct asked_question asked;
    bool fits;

    fill_cosines(cosines);
    init_question(&asked, .actual = SHAPED(cosines, 5, 4), .encoding = "rope");
    struct posenc__guess guess = {.context = question_context(&asked, "cos")};

    asked.question->trials = 1;
    cr_assert_eq(posenc__try(asked.question, &guess, &fits), POSENC_OK);
    cr_expect(fits);
    cr_expect_eq(asked.question->trials, 0);
    cr_assert_eq(posenc__try(asked.question, &guess, &fits), POSENC_OK);
    cr_expect_not(fits);
    posenc_memory_release(&asked.memory);
}
