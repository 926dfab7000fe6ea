/* Asking for an operation in tests: bound, planned, and read element by element. */
#ifndef TESTS_ASKING_H
#define TESTS_ASKING_H

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "internal.h"

/* A request and its answer; release the memory whatever the status. */
struct asked {
    struct posenc_memory memory;
    struct posenc_arguments arguments;
    struct posenc_result result;
    struct posenc_problem problem;
    enum posenc_status status;
};

#define LIST(...)                                                                                  \
    posenc_numbers((const double[]){__VA_ARGS__},                                                  \
                   sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/* A tensor or lists of two axes. */
static inline struct posenc_value asking_rows(size_t rows, size_t columns, const double *numbers)
{
    const struct posenc_array array = {
        .dtype = POSENC_FLOAT64, .rank = 2, .shape = {rows, columns}, .data = numbers};

    return posenc_nested(&array);
}

#define ROWS(rows, columns, ...) asking_rows((rows), (columns), (const double[]){__VA_ARGS__})

/* Of an encoding, or of a tool where it is NULL. */
static inline void ask_members(struct asked *asked, const char *encoding, const char *operation,
                               const struct posenc_member *members, size_t count)
{
    const struct posenc_value input = posenc_object(members, count);
    const struct posenc_encoding *found = encoding ? posenc_find(encoding) : NULL;
    const struct posenc_operation *asked_for =
        encoding ? posenc_find_operation(found, operation) : posenc_find_tool(operation);
    const struct posenc_schema schema = {.groups = asked_for->groups,
                                         .presets = found ? found->presets : NULL,
                                         .takes_tensors = asked_for->takes_tensors};

    memset(asked, 0, sizeof(*asked));
    posenc_memory_init(&asked->memory, POSENC_MEMORY_DEFAULT);
    asked->status =
        posenc_bind(&schema, &input, &asked->memory, &asked->arguments, &asked->problem);
    if (asked->status == POSENC_OK)
        asked->status = posenc_plan(found, asked_for, &asked->arguments, &asked->memory,
                                    &asked->result, &asked->problem);
}

/* ask(&asked, "rope", "table", {"dim", posenc_number(8)}, ...) */
#define ask(asked, encoding, operation, ...)                                                       \
    ask_members((asked), (encoding), (operation), (const struct posenc_member[]){__VA_ARGS__},     \
                sizeof((const struct posenc_member[]){__VA_ARGS__}) /                              \
                    sizeof(struct posenc_member))

/* One element of a tensor, which must be there. */
static inline double asked_value(const struct asked *asked, const char *tensor, size_t index)
{
    const struct posenc_tensor *found = posenc_find_tensor(&asked->result, tensor);
    unsigned char element[8];
    double value;

    cr_assert(asked->status == POSENC_OK, "%s: %s", asked->problem.parameter,
              asked->problem.detail);
    cr_assert_not_null(found, "there is no tensor %s", tensor);
    cr_assert_lt(index, found->count);
    posenc_fill(found, index, 1, element);
    posenc_widen(found->dtype, element, 1, &value);
    return value;
}

/* All elements of a tensor, one by one and in one go, against a list. */
static inline void expect_values(const struct asked *asked, const char *tensor,
                                 const double *expected, size_t count, double tolerance)
{
    const struct posenc_tensor *found = posenc_find_tensor(&asked->result, tensor);
    double values[256], elements[256];

    cr_assert(asked->status == POSENC_OK, "%s: %s", asked->problem.parameter,
              asked->problem.detail);
    cr_assert_not_null(found, "there is no tensor %s", tensor);
    cr_assert_eq(found->count, count, "%s has %zu elements, not %zu", tensor, found->count, count);
    cr_assert_leq(count, sizeof(values) / sizeof(*values));
    posenc_fill(found, 0, count, elements);
    posenc_widen(found->dtype, elements, count, values);
    for (size_t i = 0; i < count; i++) {
        cr_expect(values[i] == expected[i] || fabs(values[i] - expected[i]) <= tolerance,
                  "%s[%zu] is %.17g, not %.17g", tensor, i, values[i], expected[i]);
        cr_expect_eq(asked_value(asked, tensor, i), values[i]);
    }
}

#define EXPECT_VALUES(asked, tensor, tolerance, ...)                                               \
    expect_values((asked), (tensor), (const double[]){__VA_ARGS__},                                \
                  sizeof((const double[]){__VA_ARGS__}) / sizeof(double), (tolerance))

static inline void expect_refusal(const struct asked *asked, enum posenc_status status,
                                  const char *parameter)
{
    cr_expect_eq(asked->status, status, "status '%s', %s: %s", posenc_status_text(asked->status),
                 asked->problem.parameter, asked->problem.detail);
    cr_expect_str_eq(asked->problem.parameter, parameter);
}

static inline const char *asked_text(const struct asked *asked, const char *derived)
{
    const struct posenc_value object = {.kind = POSENC_OBJECT, .as.object = asked->result.derived};
    const struct posenc_value *found = posenc_find_member(&object, derived);

    cr_assert(asked->status == POSENC_OK, "%s: %s", asked->problem.parameter,
              asked->problem.detail);
    cr_assert_not_null(found, "nothing derived is called %s", derived);
    return found->as.text;
}

#endif
