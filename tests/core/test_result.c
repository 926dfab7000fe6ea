/* Making results: finding, planning, and the echo. */
#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

static enum posenc_status make(struct asked *asked, const char *encoding, const char *operation,
                               const char *query)
{
    asked_init(asked);
    return posenc_make(encoding, operation, support_object(&asked->memory, query, NULL, 0),
                       &asked->memory, &asked->result, &asked->problem);
}

Test(result, one_call_makes_a_table)
{
    struct asked asked;

    cr_assert_eq(make(&asked, "sinusoidal", "table", "length=2&dim=4&dtype=float64"), POSENC_OK);
    cr_expect_eq(asked.result.encoding, posenc_find("sinusoidal"));
    cr_expect_str_eq(asked.result.operation->name, "table");
    cr_assert_eq(asked.result.tensor_count, 1);
    const double *values = asked_values(&asked, "encoding");

    cr_expect_eq(values[0], 0);
    cr_expect_eq(values[1], 1);
    cr_expect_float_eq(values[4], 0.8414709848078965, 1e-16);
    asked_release(&asked);
}

struct refusal {
    const char *encoding, *operation, *query;
    enum posenc_status status;
    const char *parameter, *suggestion;
};

Test(result, every_status_comes_with_a_problem_and_leaves_the_result_alone)
{
    static const struct refusal refusals[] = {
        {"sinusodal", "table", "", POSENC_UNKNOWN_ENCODING, "", "sinusoidal"},
        {"fourier", "table", "", POSENC_UNKNOWN_ENCODING, "", ""},
        {"alibi", "tables", "", POSENC_UNKNOWN_OPERATION, "", ""},
        {"sinusoidal", "table", "lenght=2", POSENC_UNKNOWN_PARAMETER, "lenght", "length"},
        {"sinusoidal", "table", "length=2", POSENC_MISSING_PARAMETER, "dim", ""},
        {"sinusoidal", "table", "dim=4", POSENC_MISSING_PARAMETER, "length", ""},
        {"sinusoidal", "table", "length=two&dim=4", POSENC_WRONG_TYPE, "length", ""},
        {"sinusoidal", "table", "length=2&dim=0", POSENC_OUT_OF_RANGE, "dim", ""},
        {"sinusoidal", "table", "length=2&dim=5", POSENC_OUT_OF_RANGE, "dim", ""},
        {"sinusoidal", "table", "positions=1,2&length=2&dim=4", POSENC_CONFLICT, "positions", ""},
        {"sinusoidal", "table", "length=9007199254740991&dim=1048576", POSENC_TOO_LARGE, "", ""},
        {"alibi", "table", "heads=2&query_length=4294967296&key_length=4294967296",
         POSENC_TOO_LARGE, "", ""},
    };

    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
        const struct refusal *row = &refusals[i];
        struct posenc_result untouched;
        struct asked asked;

        memset(&untouched, 0x5a, sizeof(untouched));
        memcpy(&asked.result, &untouched, sizeof(untouched));
        cr_expect_eq(make(&asked, row->encoding, row->operation, row->query), row->status, "%zu",
                     i);
        cr_expect_eq(asked.problem.status, row->status);
        cr_expect_str_eq(asked.problem.parameter, row->parameter, "%zu", i);
        cr_expect_str_eq(asked.problem.suggestion, row->suggestion, "%zu", i);
        cr_expect_str_neq(asked.problem.detail, "");
        cr_expect_eq(memcmp(&asked.result, &untouched, sizeof(untouched)), 0, "%zu", i);
        asked_release(&asked);
    }
}

Test(result, a_wrong_shape_is_refused)
{
    const double numbers[] = {1, 2, 3};
    const struct posenc_member x = {"x", posenc_numbers(numbers, 3)};
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "sinusoidal/apply", "", &x, 1), POSENC_WRONG_SHAPE);
    cr_expect_str_eq(asked.problem.parameter, "x");
    asked_release(&asked);
}

Test(result, aliases_lead_to_the_encoding_itself)
{
    struct asked asked;

    cr_assert_eq(make(&asked, "nope", "table", ""), POSENC_OK);
    cr_expect_str_eq(asked.result.encoding->name, "none");
    asked_release(&asked);
}

Test(result, the_echo_has_every_parameter_that_shaped_it_and_no_other)
{
    struct asked asked;

    cr_assert_eq(make(&asked, "sinusoidal", "table", "max_len=3&d_model=4&preset=fairseq"),
                 POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "length"), 3);
    cr_expect_eq(echoed_number(&asked.result, "dim"), 4);
    cr_expect_eq(echoed_number(&asked.result, "base"), 10000);
    cr_expect_eq(echoed_number(&asked.result, "padding_idx"), 1);
    cr_expect_str_eq(echoed_text(&asked.result, "layout"), "sin_cos");
    cr_expect_str_eq(echoed_text(&asked.result, "dtype"), "float32");
    cr_expect_str_eq(echoed_text(&asked.result, "preset"), "fairseq");
    const struct posenc_value parameters =
        posenc_object(asked.result.parameters.items, asked.result.parameters.count);

    cr_expect_null(posenc_find_member(&parameters, "positions"));
    cr_expect_null(posenc_find_member(&parameters, "max_len"));
    cr_expect_eq(asked.result.inputs.count, 0);
    asked_release(&asked);
}

Test(result, the_echo_tells_tensors_that_came_in_by_dtype_and_shape)
{
    const double numbers[8] = {0};
    const struct posenc_member x = {"x", support_array(numbers, 3, (const size_t[]){1, 2, 4})};
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "sinusoidal/apply", "", &x, 1), POSENC_OK);
    cr_assert_eq(asked.result.inputs.count, 1);
    cr_expect_str_eq(asked.result.inputs.items[0].name, "x");
    const struct posenc_value *told = &asked.result.inputs.items[0].value;
    const struct posenc_array *shape = &posenc_find_member(told, "shape")->as.array;

    cr_expect_str_eq(posenc_find_member(told, "dtype")->as.text, "float64");
    cr_assert_eq(shape->shape[0], 3);
    cr_expect_eq(((const double *)shape->data)[2], 4);
    cr_expect_eq(echoed_number(&asked.result, "dim"), 4);
    cr_expect_eq(echoed_number(&asked.result, "length"), 2);
    asked_release(&asked);
}

/* Writes over the stack that a call before left behind. */
static unsigned char scribble(void)
{
    volatile unsigned char stack[32768];

    for (size_t i = 0; i < sizeof(stack); i++)
        stack[i] = 0xee;
    return stack[17];
}

Test(result, lives_as_long_as_its_memory)
{
    const double numbers[] = {1, 2, 3, 4};
    static const char *const encodings[] = {"none", "sinusoidal"};

    for (size_t i = 0; i < 2; i++) {
        const struct posenc_member members[] = {
            {"x", support_array(numbers, 2, (const size_t[]){1, 4})},
            {"dtype", posenc_text("float64")}};
        struct asked asked;

        asked_init(&asked);
        cr_assert_eq(posenc_make(encodings[i], "apply", posenc_object(members, 2), &asked.memory,
                                 &asked.result, &asked.problem),
                     POSENC_OK);
        cr_assert_eq(scribble(), 0xee);
        const double *values = asked_values(&asked, "x");

        for (size_t k = 0; k < 4; k++)
            cr_expect_eq(values[k], numbers[k] + (i == 1 && k % 2 == 1 ? 1 : 0));
        asked_release(&asked);
    }
}

Test(result, derived_quantities_keep_their_order)
{
    struct asked asked;

    asked_init(&asked);
    memset(&asked.result, 0, sizeof(asked.result));
    cr_assert_eq(
        posenc__derive(&asked.result, &asked.memory, &asked.problem, "a", posenc_number(1)),
        POSENC_OK);
    cr_assert_eq(
        posenc__derive(&asked.result, &asked.memory, &asked.problem, "b", posenc_text("two")),
        POSENC_OK);
    cr_assert_eq(asked.result.derived.count, 2);
    cr_expect_eq(asked.result.derived.items[0].value.as.number, 1);
    cr_expect_str_eq(asked.result.derived.items[1].name, "b");
    asked_release(&asked);
}

Test(result, warnings_of_binding_come_with_it)
{
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "sinusoidal/table", "length=1&dim=2", NULL, 0), POSENC_OK);
    cr_expect_eq(asked.result.warning_count, 0);
    posenc__warn(&asked.arguments, &asked.memory, "p", "words");
    cr_assert_eq(posenc_plan(asked.result.encoding, asked.result.operation, &asked.arguments,
                             &asked.memory, &asked.result, &asked.problem),
                 POSENC_OK);
    cr_assert_eq(asked.result.warning_count, 1);
    cr_expect_str_eq(asked.result.warnings[0].parameter, "p");
    asked_release(&asked);
}
