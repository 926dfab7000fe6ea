#include "catalogue_requests.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

#define STEPS_MAX 16 /* parameters that one request may be told to add */

const json_t *find_by_name(const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(list, i), "name")), name) == 0)
            return json_array_get(list, i);
    return NULL;
}

/* Four of everything: widths, lengths, buckets and tensors then fit each other. */
static json_t *square(void)
{
    return json_loads("[[1,2,3,4],[0.5,-1,2,0],[1,0,0,1],[4,3,2,1]]", 0, NULL);
}

#define WIDTH 48 /* a dim that 2, 3, 4 and 6 divide, with pairs to spare for each axis */

/* How many axes the preset's settings speak of. */
static size_t axes_of(const json_t *settings)
{
    const json_t *axes = json_object_get(settings, "axis_count");
    const char *split = json_string_value(json_object_get(settings, "split"));

    if (axes)
        return (size_t)json_number_value(axes);
    if (json_object_get(settings, "axes_rule"))
        return 2; /* rows and columns, unless axis_count says otherwise */
    return split && strcmp(split, "quarter") == 0 ? 3 : 0;
}

static json_t *list_of_axes(size_t axes, json_t *item)
{
    json_t *list = json_array();

    for (size_t i = 0; i < axes; i++)
        json_array_append(list, item);
    json_decref(item);
    return list;
}

/* A value that the parameter's description allows, in the company of a preset's settings. */
static json_t *value_of(const json_t *parameter, const json_t *settings)
{
    const size_t axes = axes_of(settings);
    const char *type = json_string_value(json_object_get(parameter, "type"));
    const json_t *choices = json_object_get(parameter, "choices");

    if (strcmp(json_string_value(json_object_get(parameter, "name")), "dim") == 0)
        return json_integer(WIDTH);
    if (strcmp(type, "integer") == 0)
        return json_integer(4);
    if (strcmp(type, "real") == 0)
        return json_real(0.5);
    if (strcmp(type, "boolean") == 0)
        return json_false();
    if (strcmp(type, "tensor") == 0)
        return square();
    if (strcmp(type, "list of integers") == 0)
        return list_of_axes(axes ? axes : 2, json_integer(2));
    if (strcmp(type, "list of positions") == 0 && axes > 1)
        return list_of_axes(axes, json_pack("[i,i]", 0, 1));
    if (strcmp(type, "list of reals") == 0 || strcmp(type, "list of positions") == 0)
        return json_pack("[f,f]", 1.0, 0.5);
    return json_incref(json_array_get(choices, 0));
}

unsigned grow_request(const char *path, const json_t *parameters, const json_t *settings,
                      json_t *body)
{
    for (int step = 0; step < STEPS_MAX; step++) {
        char *text = json_dumps(body, JSON_COMPACT);
        struct answer answer = ask("POST", path, text);
        const unsigned status = answer.status;
        const bool is_missing = strcmp(answer_text(&answer, "title"), "missing parameter") == 0;
        const json_t *parameter =
            is_missing ? find_by_name(parameters, answer_text(&answer, "parameter")) : NULL;

        if (!parameter)
            cr_expect_eq(status, 200, "POST %s %s: %s", path, text, answer.body);
        else
            json_object_set_new(body, json_string_value(json_object_get(parameter, "name")),
                                value_of(parameter, settings));
        free(text);
        answer_release(&answer);
        if (!parameter)
            return status;
    }
    cr_expect_fail("%s asks for more than %d parameters", path, STEPS_MAX);
    return 0;
}
