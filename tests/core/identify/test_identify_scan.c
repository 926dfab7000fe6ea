/* Numbers that a tensor tells: over all magnitudes, on the ladder, and between its rungs. */
#include "identify_question.h"

#define DIM 16

static struct posenc_value cosines(double base, double factor, double out[6 * DIM / 2])
{
    static const double positions[] = {0, 1, 2, 3, 50, 900};
    double frequencies[DIM / 2];

    geometric_frequencies(base, DIM, DIM / 2, frequencies);
    for (size_t i = 0; i < DIM / 2; i++)
        frequencies[i] /= factor;
    return wave_table(cos, positions, 6, frequencies, DIM / 2, out);
}

static struct posenc_member expected(const struct posenc_value *scaling)
{
    static const double positions[] = {0, 1, 2, 3, 50, 900};
    static struct posenc_member members[3];

    members[0] = (struct posenc_member){"positions", posenc_numbers(positions, 6)};
    members[1] = (struct posenc_member){"dim", posenc_number(DIM)};
    members[2] = (struct posenc_member){"scaling", scaling ? *scaling : posenc_null()};
    return (struct posenc_member){"parameters", posenc_object(members, 3)};
}

/* The words of the best guess after a search, "" where nothing explains the tensor. */
static void expect_found(struct posenc_value actual, const struct posenc_value *scaling,
                         bool by_climbing, const char *words)
{
    struct asked_question asked;

    init_question(&asked, .actual = actual, .encoding = "rope", .part = "cos",
                  .parameters = expected(scaling));
    struct posenc__context *context = question_context(&asked, "cos");

    cr_assert_eq(by_climbing ? posenc__climb(asked.question, context, NULL)
                             : posenc__scan(asked.question, context, NULL),
                 POSENC_OK);
    cr_expect_eq(posenc__is_explained(asked.question), *words != '\0');
    if (*words)
        cr_expect_str_eq(asked.question->best[0].changes[0]->words, words);
    posenc_memory_release(&asked.memory);
}

Test(identify_scan, a_searched_number_is_found_over_all_magnitudes)
{
    double out[6 * DIM / 2];

    expect_found(cosines(3, 1, out), NULL, false, "'base' is 3 instead of 10000");
    expect_found(cosines(54321, 1, out), NULL, false, "'base' is 54321 instead of 10000");
    expect_found(cosines(1e12, 1, out), NULL, false, "'base' is 1000000000000 instead of 10000");
}

Test(identify_scan, a_number_is_found_on_the_ladder)
{
    const struct posenc_member linear[] = {TEXT("rope_type", "linear"), NUMBER("factor", 4)};
    const struct posenc_value scaling = posenc_object(linear, 2);
    double out[6 * DIM / 2];

    expect_found(cosines(1e4, 40, out), &scaling, true, "'scaling.factor' is 40 instead of 4");
    expect_found(cosines(1e4, 128, out), &scaling, true, "'scaling.factor' is 128 instead of 4");
    /* No ladder has 13.7; it lies between rungs. */
    expect_found(cosines(1e4, 13.7, out), &scaling, true, "'scaling.factor' is 13.7 instead of 4");
}

Test(identify_scan, a_number_of_a_dictionary_that_nobody_expected)
{
    double out[6 * DIM / 2];

    expect_found(cosines(1e4, 8, out), NULL, true, "'scaling.factor' is 8");
}

/* As expected the tensor has another shape: 24 rows less. */
Test(identify_scan, a_number_that_makes_the_shape)
{
    const struct posenc_member grid = LIST_OF("grid", 3, 4);
    struct asked made;

    ask(&made, "sinusoidal_grid", "table", grid, NUMBER("dim", 16), TEXT("axis_order", "xy"),
        NUMBER("prefix_tokens", 24));
    expect_mistake("'prefix_tokens' is 24 instead of 0", .actual = tensor_of(&made, "encoding"),
                   .encoding = "sinusoidal_grid",
                   .parameters = EXPECTED(grid, NUMBER("dim", 16), TEXT("axis_order", "xy")));
    posenc_memory_release(&made.memory);
}

Test(identify_scan, nothing_is_found_in_noise)
{
    double noise[6 * DIM / 2];

    draw_numbers(9, 6 * DIM / 2, noise);
    expect_found(SHAPED(noise, 6, DIM / 2), NULL, false, "");
    expect_found(SHAPED(noise, 6, DIM / 2), NULL, true, "");
}
