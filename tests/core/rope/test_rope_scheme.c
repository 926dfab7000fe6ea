/* What schemes share: reading numbers, the trained length, and the weight of a pair. */
#include "rope_scheme.h"

#include "rope_expect.h"

static const struct posenc_member members[] = {
    {"factor", {.kind = POSENC_NUMBER, .as.number = 4}},
    {"beta_fast", {.kind = POSENC_NULL, .as.number = 7}},
    {"truncate", {.kind = POSENC_BOOLEAN, .as.boolean = true}},
};

Test(rope_scheme, only_numbers_are_numbers)
{
    const struct posenc_value scaling = posenc_object(members, COUNT_OF(members));
    const struct posenc__rope_question question = {.scaling = &scaling};
    const struct posenc__rope_work work = {.question = &question};
    double number = -1;

    cr_expect(posenc__rope_number(&work, "factor", &number));
    cr_expect_eq(number, 4);
    number = -1;
    cr_expect_not(posenc__rope_number(&work, "beta_fast", &number));
    cr_expect_not(posenc__rope_number(&work, "truncate", &number));
    cr_expect_not(posenc__rope_number(&work, "alpha", &number));
    cr_expect_eq(number, -1);
    cr_expect_eq(posenc__rope_number_or(&work, "factor", 32), 4);
    cr_expect_eq(posenc__rope_number_or(&work, "beta_fast", 32), 32);
}

/* Both lengths are there in two files of three, and they differ. */
Test(rope_scheme, the_trained_length_is_the_dictionarys_or_else_assumed_aloud)
{
    const struct posenc_member trained = {"original_max_position_embeddings", posenc_number(4096)};
    const struct posenc_value dictionaries[] = {posenc_object(&trained, 1), posenc_object(NULL, 0)};

    for (size_t k = 0; k < 4; k++) {
        const struct posenc__rope_question question = {.scaling = &dictionaries[k / 2],
                                                       .has_max_position_embeddings = k % 2 == 0,
                                                       .max_position_embeddings = 16384};
        const struct posenc__rope_scheme scheme = {.name = "tried"};
        struct posenc_arguments arguments = {.warning_count = 0};
        struct posenc_problem problem = {.parameter = ""};
        struct posenc_memory memory;
        const struct posenc__rope_work work = {.question = &question,
                                               .scheme = &scheme,
                                               .arguments = &arguments,
                                               .memory = &memory,
                                               .problem = &problem};
        double original = 0;
        bool given = false;

        posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
        cr_expect_eq(posenc__rope_original(&work, &original, &given),
                     k == 3 ? POSENC_MISSING_PARAMETER : POSENC_OK);
        cr_expect_eq(given, k < 2);
        cr_expect_eq(original, k < 2 ? 4096 : k == 2 ? 16384 : 0);
        cr_expect_eq(arguments.warning_count, k == 2 ? 1 : 0);
        cr_expect_str_eq(problem.parameter,
                         k == 3 ? "scaling.original_max_position_embeddings" : "");
        posenc_memory_release(&memory);
    }
}

/* ratio = (1 - weight) + weight / factor. */
Test(rope_scheme, the_weight_is_the_share_of_the_whole_scaling)
{
    static const double rows[][3] = {
        {1, 4, 0},
        {0.25, 4, 1},
        {0.625, 4, 0.5},
        {0.5, 2, 1},
        {0.5, 1, 0},
        {0.7, 0.25, 0},
        {0.5, 1e15, 0.5 / (1 - 1e-15)},
    };

    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        const struct posenc__dd weight =
            posenc__rope_weight(posenc__dd_of(rows[k][0]), posenc__dd_of(rows[k][1]));

        cr_expect_float_eq(weight.hi, rows[k][2], 0x1p-53, "row %zu: %.17g", k, weight.hi);
    }
}

Test(rope_scheme, double_doubles_are_compared_below_what_doubles_show)
{
    const struct posenc__dd low = {1, -0x1p-60}, one = {1, 0}, high = {1, 0x1p-60};

    cr_expect(posenc__dd_is_below(low, one));
    cr_expect(posenc__dd_is_below(one, high));
    cr_expect_not(posenc__dd_is_below(one, one));
    cr_expect_not(posenc__dd_is_below(high, low));
    cr_expect_eq(posenc__dd_less(high, low).hi, 0x1p-59);
}
