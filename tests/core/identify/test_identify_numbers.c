/* The numbers of an operation, and the ladder of what each may be instead. */
#include "identify_question.h"

static const double numbers[12] = {1, 2, 3, 4};

static struct posenc__context *context_of(struct asked_question *asked)
{
    init_question(asked, .actual = SHAPED(numbers, 3, 4), .encoding = "rope", .part = "cos",
                  .parameters = EXPECTED(
                      NUMBER("max_position_embeddings", 7777),
                      OBJECT("scaling", TEXT("rope_type", "linear"), NUMBER("factor", 2.5))));
    return question_context(asked, "cos");
}

static char seen[4096];

static enum posenc_status see(struct posenc__question *question, struct posenc__context *context,
                              struct posenc__change *flip, const struct posenc__number *number)
{
    (void)question;
    (void)context;
    (void)flip;
    cr_assert_lt(strlen(seen) + strlen(number->path) + 2, sizeof(seen));
    strcat(seen, number->path);
    strcat(seen, " ");
    return POSENC_OK;
}

Test(identify_numbers, parameters_and_members_are_visited_but_not_what_the_tensor_tells)
{
    struct asked_question asked;
    struct posenc__context *context = context_of(&asked);

    cr_assert_eq(posenc__visit_numbers(asked.question, context, NULL, see), POSENC_OK);
    cr_expect_not_null(strstr(seen, "base "));
    cr_expect_not_null(strstr(seen, "scaling.factor "));
    cr_expect_not_null(strstr(seen, "scaling.beta_slow ")); /* absent, but a number */
    cr_expect_not_null(strstr(seen, "max_position_embeddings "));
    cr_expect_null(strstr(seen, " length "));
    cr_expect_null(strstr(seen, "layout"));
    cr_expect(strncmp(seen, "dim ", 4) != 0 && !strstr(seen, " dim "));
    posenc_memory_release(&asked.memory);
}

static struct posenc__number number_of(enum posenc_type type, double minimum, double maximum,
                                       const struct posenc_value *was)
{
    static struct posenc_parameter row;

    row = (struct posenc_parameter){
        .name = "n", .type = type, .minimum = minimum, .maximum = maximum};
    return (struct posenc__number){.path = "n", .row = &row, .was = was};
}

static bool has_rung(const double *ladder, size_t count, double rung)
{
    for (size_t i = 0; i < count; i++)
        if (ladder[i] == rung)
            return true;
    return false;
}

/* But what a request names is tried, however wide. */
Test(identify_numbers, a_ladder_of_widths_ends_where_models_do)
{
    struct asked_question asked;
    const struct posenc__context *context = context_of(&asked);
    const struct posenc_value was = posenc_number(100000);
    const struct posenc__number width = number_of(POSENC_TYPE_INTEGER, 1, POSENC_DIM_MAX, &was);
    double ladder[POSENC__IDENTIFY_LADDER_MAX];
    const size_t count = posenc__list_ladder(context, &width, ladder);

    cr_expect(has_rung(ladder, count, 512));
    cr_expect(has_rung(ladder, count, 32768));
    cr_expect_not(has_rung(ladder, count, 65536));
    cr_expect_not(has_rung(ladder, count, POSENC_DIM_MAX));
    cr_expect(has_rung(ladder, count, 400000));
    posenc_memory_release(&asked.memory);
}

Test(identify_numbers, a_ladder_rises_within_the_rows_range)
{
    struct asked_question asked;
    const struct posenc__context *context = context_of(&asked);
    const struct posenc_value was = posenc_number(6);
    const struct posenc__number number = number_of(POSENC_TYPE_REAL, 0, 1e6, &was);
    double ladder[POSENC__IDENTIFY_LADDER_MAX];
    const size_t count = posenc__list_ladder(context, &number, ladder);

    cr_assert_gt(count, 50);
    for (size_t i = 0; i < count; i++) {
        cr_expect(i == 0 || ladder[i] > ladder[i - 1]);
        cr_expect(ladder[i] >= 0 && ladder[i] <= 1e6);
    }
    cr_expect(has_rung(ladder, count, 0.25));
    cr_expect(has_rung(ladder, count, 32768));
    cr_expect(has_rung(ladder, count, 96));       /* 6 * 16 */
    cr_expect(has_rung(ladder, count, 15));       /* 6 * 2.5, a factor of the request */
    cr_expect(has_rung(ladder, count, 6 * 7777)); /* and a length of it */
    posenc_memory_release(&asked.memory);
}

Test(identify_numbers, a_ladder_of_integers_has_no_fractions)
{
    struct asked_question asked;
    const struct posenc__context *context = context_of(&asked);
    const struct posenc__number number = number_of(POSENC_TYPE_INTEGER, -1, 1, NULL);
    double ladder[POSENC__IDENTIFY_LADDER_MAX];

    cr_assert_eq(posenc__list_ladder(context, &number, ladder), 3);
    cr_expect(ladder[0] == -1 && ladder[1] == 0 && ladder[2] == 1);
    posenc_memory_release(&asked.memory);
}

Test(identify_numbers, a_minimum_that_is_outside_is_no_rung)
{
    struct asked_question asked;
    const struct posenc__context *context = context_of(&asked);
    const struct posenc_parameter row = {
        .name = "n", .type = POSENC_TYPE_REAL, .flags = POSENC_ABOVE, .minimum = 2, .maximum = 4};
    const struct posenc__number number = {.path = "n", .row = &row};
    double ladder[POSENC__IDENTIFY_LADDER_MAX];
    const size_t count = posenc__list_ladder(context, &number, ladder);

    cr_expect_not(has_rung(ladder, count, 2));
    cr_expect(has_rung(ladder, count, 2.5));
    cr_expect(has_rung(ladder, count, 4));
    posenc_memory_release(&asked.memory);
}

Test(identify_numbers, a_copy_keeps_its_number)
{
    struct posenc_member members[] = {TEXT("kind", "a"), NUMBER("n", 1)};
    struct posenc__number number = number_of(POSENC_TYPE_REAL, 0, 0, NULL), copy;
    struct posenc_member first, second;
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    number.dictionary = "d";
    number.members = members;
    number.member_count = 2;
    cr_assert(posenc__copy_number(&number, &memory, &copy));
    posenc__set_number(&copy, 5, &first);
    posenc__set_number(&number, 7, &second);
    cr_expect_str_eq(first.name, "d");
    cr_expect_eq(posenc_find_member(&first.value, "n")->as.number, 5);
    cr_expect_eq(posenc_find_member(&second.value, "n")->as.number, 7);
    cr_expect_str_eq(posenc_find_member(&first.value, "kind")->as.text, "a");
    posenc_memory_release(&memory);
}
