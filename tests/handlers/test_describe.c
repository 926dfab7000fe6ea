/* Descriptions say what a row says: defaults, ranges, choices, members. */
#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"

static json_t *parameter_of(const struct answer *answer, size_t operation, const char *name)
{
    json_t *parameters = json_object_get(
        json_array_get(json_object_get(answer->document, "operations"), operation), "parameters");

    for (size_t i = 0; i < json_array_size(parameters); i++) {
        json_t *parameter = json_array_get(parameters, i);

        if (strcmp(json_string_value(json_object_get(parameter, "name")), name) == 0)
            return parameter;
    }
    return NULL;
}

Test(describe, tells_defaults_ranges_choices_and_aliases)
{
    struct answer answer = ask("GET", "/v1/encodings/sinusoidal", NULL);
    json_t *base = parameter_of(&answer, 0, "base"), *dim = parameter_of(&answer, 0, "dim");
    json_t *layout = parameter_of(&answer, 0, "layout");

    cr_expect_eq(json_number_value(json_object_get(base, "default")), 10000);
    cr_expect_eq(json_number_value(json_object_get(base, "exclusive_minimum")), 0);
    cr_expect_null(json_object_get(base, "maximum"));
    cr_expect(json_is_true(json_object_get(dim, "required")));
    cr_expect_eq(json_number_value(json_object_get(dim, "minimum")), 1);
    cr_expect_str_eq(json_string_value(json_array_get(json_object_get(dim, "aliases"), 0)),
                     "embed_dim");
    cr_expect_str_eq(json_string_value(json_object_get(layout, "default")), "interleaved");
    cr_expect_eq(json_array_size(json_object_get(layout, "choices")), 3);
    answer_release(&answer);
}

Test(describe, says_that_a_tensor_tells_what_a_table_requires)
{
    struct answer answer = ask("GET", "/v1/encodings/sinusoidal", NULL);

    cr_expect(json_is_false(json_object_get(parameter_of(&answer, 1, "dim"), "required")));
    cr_expect(json_is_true(json_object_get(parameter_of(&answer, 1, "x"), "required")));
    answer_release(&answer);
}

Test(describe, says_why_there_is_no_default_and_lists_members)
{
    struct answer answer = ask("GET", "/v1/encodings/rope", NULL);
    json_t *layout = parameter_of(&answer, 1, "layout"),
           *scaling = parameter_of(&answer, 0, "scaling");

    cr_expect_not_null(
        strstr(json_string_value(json_object_get(layout, "no_default_because")), "llama"));
    cr_expect(json_is_true(json_object_get(scaling, "other_members_allowed")));
    cr_expect_geq(json_array_size(json_object_get(scaling, "members")), 10);
    answer_release(&answer);
}

Test(describe, lists_presets_with_their_settings)
{
    struct answer answer = ask("GET", "/v1/encodings/sinusoidal", NULL);
    json_t *presets = json_object_get(answer.document, "presets");
    bool found = false;

    for (size_t i = 0; i < json_array_size(presets); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(presets, i), "name")),
                   "whisper") == 0)
            found = strcmp(json_string_value(json_object_get(
                               json_object_get(json_array_get(presets, i), "settings"), "layout")),
                           "sin_cos") == 0;
    cr_expect(found);
    answer_release(&answer);
}

static json_t *quantity_of(const struct answer *answer, const char *name)
{
    json_t *quantities = json_object_get(answer->document, "quantities");

    for (size_t i = 0; i < json_array_size(quantities); i++) {
        json_t *quantity = json_array_get(quantities, i);

        if (strcmp(json_string_value(json_object_get(quantity, "name")), name) == 0)
            return quantity;
    }
    return NULL;
}

Test(describe, says_which_encodings_have_a_quantity_and_how_it_is_asked_for)
{
    struct answer answer = ask("GET", "/v1/encodings", NULL);
    json_t *bound = quantity_of(&answer, "decay_bound");
    json_t *scale = quantity_of(&answer, "query_scale");
    json_t *equivariance = quantity_of(&answer, "permutation_equivariance");

    cr_expect_str_eq(json_string_value(json_object_get(bound, "path")), "/v1/analysis/decay_bound");
    cr_expect_eq(json_array_size(json_object_get(bound, "methods")), 2);
    cr_assert_eq(json_array_size(json_object_get(bound, "encodings")), 1);
    cr_expect_str_eq(json_string_value(json_array_get(json_object_get(bound, "encodings"), 0)),
                     "rope");
    cr_expect_str_eq(json_string_value(json_object_get(bound, "and_parameters_of")), "table");
    cr_expect_null(json_object_get(scale, "encodings"));
    cr_expect_eq(json_array_size(json_object_get(equivariance, "methods")), 1);
    answer_release(&answer);
}
