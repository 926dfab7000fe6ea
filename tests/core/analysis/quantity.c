/* Asking for quantities of analysis in tests. */
#include "quantity.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum posenc_status ask_quantity_with(struct asked *asked, const char *name, const char *query,
                                     const struct posenc_member *members, size_t count)
{
    const struct posenc_operation *quantity = posenc_find_quantity(name);
    const struct posenc_encoding *encoding;
    struct posenc_schema schema = {0};

    cr_assert_not_null(quantity, "no quantity %s", name);
    asked_init(asked);
    const struct posenc_value input = support_object(&asked->memory, query, members, count);
    enum posenc_status status = posenc_quantity_schema(quantity, &input, &asked->memory, &encoding,
                                                       &schema, &asked->problem);

    if (status == POSENC_OK)
        status = posenc_bind(&schema, &input, &asked->memory, &asked->arguments, &asked->problem);
    if (status == POSENC_OK)
        status = posenc_plan(encoding, quantity, &asked->arguments, &asked->memory, &asked->result,
                             &asked->problem);
    return status;
}

enum posenc_status ask_quantity(struct asked *asked, const char *quantity, const char *query)
{
    return ask_quantity_with(asked, quantity, query, NULL, 0);
}

void assert_quantity_refused(struct asked *asked, const char *quantity, const char *query,
                             enum posenc_status status, const char *parameter)
{
    cr_assert_eq(ask_quantity(asked, quantity, query), status, "%s?%s: %s", quantity, query,
                 asked->problem.detail);
    cr_assert_str_eq(asked->problem.parameter, parameter, "%s?%s", quantity, query);
    cr_assert_str_neq(asked->problem.detail, "");
}

void assert_tensor_near(struct asked *asked, const char *name, const double *expected, size_t count,
                        double tolerance)
{
    const struct posenc_tensor *tensor = posenc_find_tensor(&asked->result, name);

    cr_assert_not_null(tensor, "no tensor %s: %s", name, asked->problem.detail);
    cr_assert_eq(tensor->count, count, "%s has %zu elements", name, tensor->count);
    const double *values = asked_values(asked, name);

    for (size_t i = 0; i < count; i++)
        cr_assert(values[i] == expected[i] || fabs(values[i] - expected[i]) <= tolerance,
                  "%s[%zu] is %.17g, not %.17g", name, i, values[i], expected[i]);
}

const struct posenc_value *derived_value(const struct asked *asked, const char *name)
{
    for (size_t i = 0; i < asked->result.derived.count; i++)
        if (strcmp(asked->result.derived.items[i].name, name) == 0)
            return &asked->result.derived.items[i].value;
    cr_assert(false, "nothing derived is called %s", name);
    return NULL;
}
