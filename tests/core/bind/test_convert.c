/* Converting raw values to their rows' types. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support.h"

static const struct posenc_parameter rows[] = {
    {.name = "integer", .type = POSENC_TYPE_INTEGER, .flags = POSENC_OPTIONAL},
    {.name = "counted",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .minimum = 1,
     .maximum = 8},
    {.name = "real", .type = POSENC_TYPE_REAL, .flags = POSENC_OPTIONAL},
    {.name = "above",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_OPTIONAL | POSENC_ABOVE,
     .minimum = 0,
     .maximum = INFINITY},
    {.name = "bounded",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_OPTIONAL | POSENC_ABOVE,
     .minimum = 0,
     .maximum = 1},
    {.name = "boolean", .type = POSENC_TYPE_BOOLEAN, .flags = POSENC_OPTIONAL},
    {.name = "choice",
     .type = POSENC_TYPE_CHOICE,
     .flags = POSENC_OPTIONAL,
     .choices = POSENC__NAMES("half", "interleaved")},
    {.name = "text", .type = POSENC_TYPE_TEXT, .flags = POSENC_OPTIONAL},
    {.name = "integers",
     .type = POSENC_TYPE_INTEGERS,
     .flags = POSENC_OPTIONAL,
     .minimum = 0,
     .maximum = INFINITY},
    {.name = "reals", .type = POSENC_TYPE_REALS, .flags = POSENC_OPTIONAL},
    {.name = "positions", .type = POSENC_TYPE_POSITIONS, .flags = POSENC_OPTIONAL},
    {.name = "tensor", .type = POSENC_TYPE_TENSOR, .flags = POSENC_OPTIONAL},
    {.name = "object", .type = POSENC_TYPE_OBJECT, .flags = POSENC_OPTIONAL, .members = rows},
    {.name = NULL},
};

/* Binds one member and nothing else. */
static enum posenc_status convert(struct asked *asked, const char *name, struct posenc_value value)
{
    static const struct posenc_parameter *const groups[] = {rows, NULL};
    const struct posenc_schema schema = {.groups = groups};
    const struct posenc_member member = {name, value};
    const struct posenc_value input = posenc_object(&member, 1);

    asked_init(asked);
    return posenc_bind(&schema, &input, &asked->memory, &asked->arguments, &asked->problem);
}

static struct posenc_value converted(const struct asked *asked, const char *name)
{
    const struct posenc_argument *argument = posenc_find_argument(&asked->arguments, name);

    cr_assert_eq(argument->origin, POSENC_GIVEN);
    return argument->value;
}

static struct posenc_value untyped(const char *text, const double *numbers, size_t count)
{
    return (struct posenc_value){.kind = POSENC_UNTYPED, .as.untyped = {text, numbers, count}};
}

static struct posenc_value list(const struct posenc_value *items, size_t count)
{
    return (struct posenc_value){.kind = POSENC_LIST, .as.list = {items, count}};
}

struct number_case {
    const char *name;
    double number;
    enum posenc_status status;
};

Test(convert, numbers_by_type_and_range)
{
    static const struct number_case cases[] = {
        {"integer", 1e3, POSENC_OK},
        {"integer", -7, POSENC_OK},
        {"integer", 9007199254740991.0, POSENC_OK},
        {"integer", 9007199254740992.0, POSENC_OUT_OF_RANGE},
        {"integer", -9007199254740991.0, POSENC_OK},
        {"integer", -9007199254740992.0, POSENC_OUT_OF_RANGE},
        {"integer", 1e300, POSENC_OUT_OF_RANGE},
        {"integer", 4.5, POSENC_WRONG_TYPE},
        {"integer", NAN, POSENC_WRONG_TYPE},
        {"integer", INFINITY, POSENC_WRONG_TYPE},
        {"counted", 1, POSENC_OK},
        {"counted", 8, POSENC_OK},
        {"counted", 0, POSENC_OUT_OF_RANGE},
        {"counted", 9, POSENC_OUT_OF_RANGE},
        {"real", -1e308, POSENC_OK},
        {"real", NAN, POSENC_OUT_OF_RANGE},
        {"real", -INFINITY, POSENC_OUT_OF_RANGE},
        {"above", 5e-324, POSENC_OK},
        {"above", 0, POSENC_OUT_OF_RANGE},
        {"above", -0.0, POSENC_OUT_OF_RANGE},
        {"bounded", 1, POSENC_OK},
        {"bounded", 1.0000000000000002, POSENC_OUT_OF_RANGE},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct number_case *row = &cases[i];
        const struct posenc_value values[] = {posenc_number(row->number),
                                              untyped("text", &row->number, 1)};

        for (size_t k = 0; k < 2; k++) {
            struct asked asked;

            cr_expect_eq(convert(&asked, row->name, values[k]), row->status, "%s %g", row->name,
                         row->number);
            if (row->status == POSENC_OK)
                cr_expect_eq(converted(&asked, row->name).as.number, row->number);
            else
                cr_expect_str_eq(asked.problem.parameter, row->name);
            asked_release(&asked);
        }
    }
}

Test(convert, tells_the_range_and_the_refused_value)
{
    struct asked asked;

    (void)convert(&asked, "counted", posenc_number(9));
    cr_expect_str_eq(asked.problem.value, "9");
    cr_expect_str_eq(asked.problem.detail, "'counted' must be an integer from 1 to 8; it is '9'.");
    asked_release(&asked);
    (void)convert(&asked, "above", posenc_number(-1));
    cr_expect_str_eq(asked.problem.detail, "'above' must be a finite number above 0; it is '-1'.");
    asked_release(&asked);
    (void)convert(&asked, "bounded", posenc_boolean(true));
    cr_expect_str_eq(asked.problem.detail, "'bounded' must be a finite number above 0 and at most "
                                           "1; it is 'true'.");
    asked_release(&asked);
}

Test(convert, every_other_kind_is_of_the_wrong_type)
{
    static const char *const number_names[] = {"integer", "real", "above"};
    const double two[] = {1, 2};
    const struct posenc_value values[] = {
        posenc_text("6"),       posenc_boolean(true),
        posenc_numbers(two, 1), posenc_object(NULL, 0),
        list(NULL, 0),          untyped("six", NULL, 0),
        untyped("1,2", two, 2), {.kind = POSENC_RAGGED, .as.text = "1"}};

    for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
        for (size_t k = 0; k < 3; k++) {
            struct asked asked;

            cr_expect_eq(convert(&asked, number_names[k], values[i]), POSENC_WRONG_TYPE, "%zu", i);
            cr_expect_str_neq(asked.problem.value, "");
            asked_release(&asked);
        }
}

Test(convert, booleans_are_true_and_false_and_in_queries_1_and_0)
{
    const double one = 1;
    struct asked asked;

    cr_assert_eq(convert(&asked, "boolean", posenc_boolean(true)), POSENC_OK);
    cr_expect(converted(&asked, "boolean").as.boolean);
    asked_release(&asked);
    cr_assert_eq(convert(&asked, "boolean", untyped("false", NULL, 0)), POSENC_OK);
    cr_expect_eq(converted(&asked, "boolean").kind, POSENC_BOOLEAN);
    cr_expect_not(converted(&asked, "boolean").as.boolean);
    asked_release(&asked);
    cr_assert_eq(convert(&asked, "boolean", untyped("1", &one, 1)), POSENC_OK);
    cr_expect(converted(&asked, "boolean").as.boolean);
    asked_release(&asked);
    cr_assert_eq(convert(&asked, "boolean", untyped("0", &one, 1)), POSENC_OK);
    cr_expect_not(converted(&asked, "boolean").as.boolean);
    asked_release(&asked);
    cr_expect_eq(convert(&asked, "boolean", posenc_number(1)), POSENC_WRONG_TYPE);
    asked_release(&asked);
    cr_expect_eq(convert(&asked, "boolean", posenc_text("true")), POSENC_WRONG_TYPE);
    asked_release(&asked);
    cr_expect_eq(convert(&asked, "boolean", untyped("yes", NULL, 0)), POSENC_WRONG_TYPE);
    asked_release(&asked);
}

Test(convert, choices_are_texts_among_the_rows_choices)
{
    struct asked asked;

    cr_assert_eq(convert(&asked, "choice", posenc_text("interleaved")), POSENC_OK);
    cr_expect_eq(posenc__choice(&asked.arguments, "choice"), 1);
    asked_release(&asked);
    cr_assert_eq(convert(&asked, "choice", untyped("half", NULL, 0)), POSENC_OK);
    cr_expect_eq(posenc__choice(&asked.arguments, "choice"), 0);
    asked_release(&asked);
    cr_assert_eq(convert(&asked, "choice", posenc_text("Half")), POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(asked.problem.value, "Half");
    cr_expect_eq(asked.problem.allowed_count, 2);
    cr_expect(is_allowed(&asked.problem, "half"));
    asked_release(&asked);
    cr_assert_eq(convert(&asked, "choice", posenc_number(0)), POSENC_WRONG_TYPE);
    cr_expect_eq(asked.problem.allowed_count, 2);
    asked_release(&asked);
}

Test(convert, texts_keep_what_looks_like_a_number)
{
    const double number = 12;
    struct asked asked;

    cr_assert_eq(convert(&asked, "text", untyped("12", &number, 1)), POSENC_OK);
    cr_expect_str_eq(converted(&asked, "text").as.text, "12");
    asked_release(&asked);
    cr_expect_eq(convert(&asked, "text", posenc_number(12)), POSENC_WRONG_TYPE);
    asked_release(&asked);
}

Test(convert, lists_of_numbers_come_from_arrays_and_from_queries)
{
    const double numbers[] = {3, 1, 2};
    const struct posenc_value values[] = {posenc_numbers(numbers, 3), untyped("3,1,2", numbers, 3)};

    for (size_t i = 0; i < 2; i++) {
        struct asked asked;

        cr_assert_eq(convert(&asked, "integers", values[i]), POSENC_OK);
        const struct posenc_array array = converted(&asked, "integers").as.array;

        cr_expect_eq(array.rank, 1);
        cr_expect_eq(array.shape[0], 3);
        cr_expect_eq(memcmp(array.data, numbers, sizeof(numbers)), 0);
        asked_release(&asked);
    }
}

Test(convert, an_empty_list_is_a_list)
{
    struct asked asked;

    cr_assert_eq(convert(&asked, "reals", posenc_numbers(NULL, 0)), POSENC_OK);
    cr_expect_eq(converted(&asked, "reals").as.array.shape[0], 0);
    asked_release(&asked);
}

Test(convert, a_list_of_any_dtype_is_read_as_doubles)
{
    const float narrow[] = {0.5f, -1.25f, 3.0f};
    const struct posenc_array array = {
        .dtype = POSENC_FLOAT32, .rank = 1, .shape = {3}, .data = narrow};
    struct asked asked;

    cr_assert_eq(convert(&asked, "reals", posenc_nested(&array)), POSENC_OK);
    const struct posenc_array wide = converted(&asked, "reals").as.array;

    cr_expect_eq(wide.dtype, POSENC_FLOAT64);
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(((const double *)wide.data)[i], narrow[i]);
    asked_release(&asked);
}

struct list_case {
    const char *name;
    double second;
    enum posenc_status status;
    const char *path;
};

Test(convert, names_the_element_that_does_not_fit)
{
    static const struct list_case cases[] = {
        {"integers", 1.5, POSENC_WRONG_TYPE, "integers.1"},
        {"integers", -1, POSENC_OUT_OF_RANGE, "integers.1"},
        {"integers", 9007199254740992.0, POSENC_OUT_OF_RANGE, "integers.1"},
        {"reals", NAN, POSENC_OUT_OF_RANGE, "reals.1"},
        {"positions", INFINITY, POSENC_OUT_OF_RANGE, "positions.1"},
        {"positions", 9007199254740994.0, POSENC_OUT_OF_RANGE, "positions.1"},
        {"positions", -9007199254740994.0, POSENC_OUT_OF_RANGE, "positions.1"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const double numbers[] = {2, cases[i].second, 3};
        struct asked asked;

        cr_expect_eq(convert(&asked, cases[i].name, posenc_numbers(numbers, 3)), cases[i].status,
                     "%zu", i);
        cr_expect_str_eq(asked.problem.parameter, cases[i].path);
        cr_expect_null(strstr(asked.problem.detail, "list"), "an element is no list: %s",
                       asked.problem.detail);
        asked_release(&asked);
    }
}

struct written_case {
    const char *name;
    double number; /* the nearest of the decimal */
    bool is_above;
    enum posenc_status status;
};

/* One number beside the double that stands for it, as a number, in a query and in a list. */
static void expect_judged(const struct written_case *one)
{
    static const char text[] = "as it was written";
    const struct posenc_rounded alone = {0, one->is_above, text, NULL};
    const struct posenc_rounded second = {1, one->is_above, text, NULL};
    const double pair[] = {3, one->number};
    const bool is_list = strcmp(one->name, "positions") == 0 || strcmp(one->name, "integers") == 0;
    struct posenc_value values[] = {posenc_number(one->number), untyped(text, &one->number, 1)};
    struct asked asked;

    if (is_list) {
        values[0] = posenc_numbers(pair, 2);
        values[1] = untyped("3,as it was written", pair, 2);
    }
    for (size_t i = 0; i < 2; i++) {
        values[i].rounded = is_list ? &second : &alone;
        cr_expect_eq(convert(&asked, one->name, values[i]), one->status, "%s %.17g %d: %s",
                     one->name, one->number, one->is_above, asked.problem.detail);
        if (one->status != POSENC_OK)
            cr_expect_str_eq(asked.problem.value, text);
        if (one->status != POSENC_OK && is_list)
            cr_expect(strstr(asked.problem.parameter, "s.1"), "%s", asked.problem.parameter);
        asked_release(&asked);
    }
}

Test(convert, judges_a_rounded_number_as_it_was_written)
{
    static const struct written_case cases[] = {
        {"positions", 9007199254740992.0, true, POSENC_OUT_OF_RANGE},
        {"positions", 9007199254740992.0, false, POSENC_OK},
        {"positions", -9007199254740992.0, false, POSENC_OUT_OF_RANGE},
        {"positions", -9007199254740992.0, true, POSENC_OK},
        {"positions", 4503599627370497.0, true, POSENC_OK}, /* the nearest of ...497.25 */
        {"integers", 5, true, POSENC_WRONG_TYPE},
        {"integers", 0, false, POSENC_WRONG_TYPE},
        {"integers", 9007199254740992.0, true, POSENC_OUT_OF_RANGE},
        {"integer", 9007199254740991.0, true, POSENC_WRONG_TYPE},
        {"integer", 9007199254740992.0, true, POSENC_OUT_OF_RANGE},
        {"integer", -9007199254740992.0, false, POSENC_OUT_OF_RANGE},
        {"counted", 8, true, POSENC_WRONG_TYPE},
        {"bounded", 1, true, POSENC_OUT_OF_RANGE},
        {"bounded", 1, false, POSENC_OK},
        {"real", 9007199254740992.0, true, POSENC_OK}, /* it has no range */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        expect_judged(&cases[i]);
}

Test(convert, a_rounded_number_becomes_its_double_and_no_more)
{
    static const double numbers[] = {1, 2};
    static const struct posenc_rounded written = {1, true, "2.00000000000000000001", NULL};
    struct posenc_value list = posenc_numbers(numbers, 2);
    struct asked asked;

    list.rounded = &written;
    cr_assert_eq(convert(&asked, "positions", list), POSENC_OK);
    cr_expect_null(converted(&asked, "positions").rounded);
    asked_release(&asked);
}

Test(convert, positions_stand_from_minus_to_plus_2_to_the_53)
{
    const double numbers[] = {-9007199254740992.0, 0.25, 9007199254740992.0};
    struct asked asked;

    cr_expect_eq(convert(&asked, "positions", posenc_numbers(numbers, 3)), POSENC_OK);
    asked_release(&asked);
}

Test(convert, positions_may_be_one_list_per_axis)
{
    const double numbers[] = {0, 1, 2, 3, NAN, 5};
    struct asked asked;

    cr_assert_eq(convert(&asked, "positions", support_array(numbers, 2, (const size_t[]){2, 2})),
                 POSENC_OK);
    cr_expect_eq(converted(&asked, "positions").as.array.rank, 2);
    asked_release(&asked);
    cr_assert_eq(convert(&asked, "positions", support_array(numbers, 2, (const size_t[]){2, 3})),
                 POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(asked.problem.parameter, "positions.1.1");
    asked_release(&asked);
    cr_expect_eq(convert(&asked, "positions", support_array(numbers, 3, (const size_t[]){1, 2, 2})),
                 POSENC_WRONG_TYPE);
    asked_release(&asked);
    cr_expect_eq(convert(&asked, "reals", support_array(numbers, 2, (const size_t[]){2, 2})),
                 POSENC_WRONG_TYPE);
    asked_release(&asked);
}

Test(convert, names_the_element_that_is_no_number_however_deep)
{
    const double numbers[] = {1, 2};
    const struct posenc_value inner[] = {posenc_number(1), posenc_text("a")};
    const struct posenc_value outer[] = {posenc_numbers(numbers, 2), list(inner, 2)};
    struct asked asked;

    cr_assert_eq(convert(&asked, "integers", list(inner, 2)), POSENC_WRONG_TYPE);
    cr_expect_str_eq(asked.problem.parameter, "integers.1");
    cr_expect_str_eq(asked.problem.value, "a");
    asked_release(&asked);
    cr_assert_eq(convert(&asked, "positions", list(outer, 2)), POSENC_WRONG_TYPE);
    cr_expect_str_eq(asked.problem.parameter, "positions.1.1");
    asked_release(&asked);
    cr_assert_eq(convert(&asked, "tensor", list(outer, 2)), POSENC_WRONG_TYPE);
    cr_expect_str_eq(asked.problem.parameter, "tensor.1.1");
    asked_release(&asked);
    cr_assert_eq(convert(&asked, "reals", list(outer, 2)), POSENC_WRONG_TYPE);
    cr_expect_str_eq(asked.problem.parameter, "reals.0");
    asked_release(&asked);
}

Test(convert, lists_that_are_no_lists)
{
    static const char *const names[] = {"integers", "reals", "positions", "tensor"};
    const struct posenc_value values[] = {posenc_number(3), posenc_text("a"), posenc_boolean(true),
                                          untyped("a,b", NULL, 0)};

    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++) {
            struct asked asked;

            cr_expect_eq(convert(&asked, names[i], values[k]), POSENC_WRONG_TYPE);
            cr_expect_str_eq(asked.problem.parameter, names[i]);
            asked_release(&asked);
        }
}

Test(convert, ragged_rows_are_a_wrong_shape_that_names_the_row)
{
    static const char *const names[] = {"integers", "reals", "positions", "tensor"};
    const struct posenc_value ragged = {.kind = POSENC_RAGGED, .as.text = "0.2"};

    for (size_t i = 0; i < 4; i++) {
        struct asked asked;

        cr_assert_eq(convert(&asked, names[i], ragged), POSENC_WRONG_SHAPE);
        cr_expect_str_eq(asked.problem.parameter, names[i]);
        cr_expect_not_null(strstr(asked.problem.detail, ".0.2"));
        asked_release(&asked);
    }
}

Test(convert, tensors_keep_their_dtype_and_shape)
{
    const uint16_t halves[] = {0x3c00, 0xc000};
    const struct posenc_array array = {
        .dtype = POSENC_FLOAT16, .rank = 3, .shape = {1, 2, 1}, .data = halves};
    struct asked asked;

    cr_assert_eq(convert(&asked, "tensor", posenc_nested(&array)), POSENC_OK);
    cr_expect_eq(converted(&asked, "tensor").as.array.dtype, POSENC_FLOAT16);
    cr_expect_eq(converted(&asked, "tensor").as.array.data, halves);
    asked_release(&asked);
}

Test(convert, objects_are_objects)
{
    const struct posenc_member inner = {"counted", posenc_number(9)};
    const struct posenc_member outer = {"object", posenc_object(&inner, 1)};
    struct asked asked;

    cr_expect_eq(convert(&asked, "object", posenc_text("{}")), POSENC_WRONG_TYPE);
    asked_release(&asked);
    cr_expect_eq(convert(&asked, "object", untyped("a", NULL, 0)), POSENC_WRONG_TYPE);
    asked_release(&asked);
    cr_assert_eq(convert(&asked, "object", posenc_object(&outer, 1)), POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(asked.problem.parameter, "object.object.counted");
    asked_release(&asked);
}

Test(convert, every_type_has_a_name)
{
    for (int a = POSENC_TYPE_INTEGER; a <= POSENC_TYPE_OBJECT; a++)
        for (int b = POSENC_TYPE_INTEGER; b < a; b++)
            cr_expect_str_neq(posenc_type_name((enum posenc_type)a),
                              posenc_type_name((enum posenc_type)b));
    cr_expect_str_eq(posenc_type_name(POSENC_TYPE_POSITIONS), "list of positions");
}

Test(convert, suggests_the_choice_that_was_probably_meant)
{
    struct asked asked;

    cr_assert_eq(convert(&asked, "choice", posenc_text("interleave")), POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(asked.problem.suggestion, "interleaved");
    cr_expect_eq(asked.problem.allowed_count, 2);
    posenc_memory_release(&asked.memory);
    cr_assert_eq(convert(&asked, "choice", posenc_text("quaternion")), POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(asked.problem.suggestion, "");
    posenc_memory_release(&asked.memory);
}
