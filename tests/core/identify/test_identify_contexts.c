/* Where a tensor may come from, as the request leaves it open. */
#include "identify_question.h"

static const double numbers[12] = {1, 2, 3, 4};

static size_t count_contexts(const char *encoding, const char *part, bool is_applied)
{
    struct asked_question asked;

    init_question(&asked, .actual = SHAPED(numbers, 3, 4),
                  .x = is_applied ? SHAPED(numbers, 3, 4) : posenc_null(), .encoding = encoding,
                  .part = part);
    cr_assert_eq(asked.status, POSENC_OK, "%s", asked.problem.detail);
    const size_t count = asked.question->context_count;

    for (size_t i = 0; i < count; i++)
        cr_expect_str_eq(asked.question->contexts[i].operation->name,
                         is_applied ? "apply" : "table");
    posenc_memory_release(&asked.memory);
    return count;
}

/* Tensors of all tables, counted from the registry. */
static size_t count_tables(const char *part)
{
    const struct posenc_encoding *encoding;
    size_t count = 0;

    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++) {
        const struct posenc_operation *table = posenc_find_operation(encoding, "table");

        for (const struct posenc_tensor_row *row = table ? table->tensors : NULL; row && row->name;
             row++)
            count += !part || strcmp(row->name, part) == 0 ? 1 : 0;
    }
    return count;
}

Test(identify_contexts, every_tensor_of_every_table_where_nothing_is_said)
{
    cr_assert_leq(count_tables(NULL), POSENC__IDENTIFY_CONTEXTS_MAX, "some are left out");
    cr_expect_eq(count_contexts(NULL, NULL, false), count_tables(NULL));
}

Test(identify_contexts, an_encoding_and_a_part_leave_fewer)
{
    cr_expect_eq(count_contexts("rope", NULL, false), 5); /* cos sin cos_sin inv_freq weight */
    cr_expect_eq(count_contexts("rope", "sin", false), 1);
    cr_expect_eq(count_contexts(NULL, "slopes", false), 1);
    cr_expect_eq(count_contexts(NULL, "bias", false), count_tables("bias"));
}

Test(identify_contexts, x_asks_for_what_is_applied)
{
    cr_expect_eq(count_contexts("rope", NULL, true), 1);
    cr_expect_eq(count_contexts("rope", "q", true), 1);
    cr_expect_gt(count_contexts(NULL, NULL, true), 3);
}

static void expect_refused(const char *encoding, const char *part, bool is_applied,
                           struct posenc_member parameters, enum posenc_status status,
                           const char *parameter)
{
    struct asked_question asked;

    init_question(&asked, .actual = SHAPED(numbers, 3, 4),
                  .x = is_applied ? SHAPED(numbers, 3, 4) : posenc_null(), .encoding = encoding,
                  .part = part, .parameters = parameters);
    cr_expect_eq(asked.status, status, "%s", asked.problem.detail);
    cr_expect_str_eq(asked.problem.parameter, parameter);
    posenc_memory_release(&asked.memory);
}

Test(identify_contexts, what_cannot_be_asked_is_refused)
{
    const struct posenc_member none = {.name = NULL};

    expect_refused("rop", NULL, false, none, POSENC_OUT_OF_RANGE, "encoding");
    expect_refused("rope", "bias", false, none, POSENC_OUT_OF_RANGE, "part");
    expect_refused(NULL, "cosine", false, none, POSENC_OUT_OF_RANGE, "part");
    expect_refused("timestep", NULL, true, none, POSENC_CONFLICT, "x");
}

Test(identify_contexts, a_model_stands_for_its_parameters)
{
    struct asked_question asked;

    init_question(&asked, .actual = SHAPED(numbers, 3, 4), .encoding = "rope", .part = "cos",
                  .parameters = EXPECTED(TEXT("model", "llama-3.1-8b")));
    cr_assert_eq(asked.status, POSENC_OK, "%s", asked.problem.detail);
    const struct posenc_members *given = &asked.question->contexts[0].given;
    const struct posenc_value object = posenc_object(given->items, given->count);

    cr_expect_null(posenc_find_member(&object, "model"));
    cr_assert_not_null(posenc_find_member(&object, "base"));
    cr_expect_eq(posenc_find_member(&object, "base")->as.number, 500000);
    posenc_memory_release(&asked.memory);
}

/* An echo names the types of what it gave, and a tensor is compared as it came in. */
Test(identify_contexts, types_are_no_parameters_of_a_tensor)
{
    struct asked_question asked;

    init_question(&asked, .actual = SHAPED(numbers, 3, 4), .encoding = "rope", .part = "cos",
                  .parameters = EXPECTED(TEXT("dtype", "float16"),
                                         TEXT("frequency_dtype", "float32"), NUMBER("dim", 8)));
    cr_assert_eq(asked.status, POSENC_OK, "%s", asked.problem.detail);
    const struct posenc_members *given = &asked.question->contexts[0].given;

    cr_assert_eq(given->count, 1u);
    cr_expect_str_eq(given->items[0].name, "dim");
    posenc_memory_release(&asked.memory);
}
