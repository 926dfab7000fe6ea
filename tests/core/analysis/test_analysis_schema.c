/* Quantities as rows: which encodings have them, and what their requests are bound to. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "quantity.h"

/* A request of each quantity, with every kind of encoding that it looks at in its own way. */
static const struct {
    const char *quantity, *query;
} requests[] = {
    {"decay", "encoding=rope&dim=6&length=5&threshold=0.9"},
    {"decay", "encoding=alibi&heads=3&offsets=0,4&threshold=-1"},
    {"decay_bound", "encoding=rope&dim=6&offsets=0,4"},
    {"dot_by_offset", "encoding=sinusoidal&dim=6&offsets=0,-4.5"},
    {"precision", "encoding=sinusoidal&dim=6&length=9&step=inv_freq&step_dtype=float16"},
    {"precision", "encoding=rope&dim=6&length=9&step=angle&step_dtype=bfloat16"},
    {"query_scale", "rule=llama4_nope&length=3&step=8192"},
    {"receptive_field", "encoding=alibi&heads=3&mass=0.5,0.75&epsilon=0.125&length=100"},
    {"shift", "encoding=timestep&preset=dit&dim=6&shift=3"},
    {"similarity", "encoding=sinusoidal&dim=6&length=5&metric=cosine"},
    {"wavelengths", "encoding=rope&dim=6&length=5"},
};

#define REQUESTS (sizeof(requests) / sizeof(*requests))

static const double tokens[] = {1, 2, 0.5, -1, 3, 0, -2, 0.25, 1.5, 1, 1, -0.5};
static const size_t token_shape[] = {3, 4};

static bool is_called(const struct posenc_parameter *row, const char *name)
{
    for (const char *const *alias = row->aliases; alias && *alias; alias++)
        if (strcmp(*alias, name) == 0)
            return true;
    return strcmp(row->name, name) == 0;
}

Test(analysis_schema, quantities_stand_in_alphabetical_order_and_are_found_by_name)
{
    const struct posenc_operation *quantity;
    const char *last = "";

    for (size_t i = 0; (quantity = posenc_quantity_at(i)) != NULL; i++) {
        cr_expect_lt(strcmp(last, quantity->name), 0);
        cr_expect_eq(posenc_find_quantity(quantity->name), quantity);
        cr_expect_neq(quantity->tensors[0].name, NULL);
        last = quantity->name;
    }
    cr_expect_null(posenc_find_quantity("wavelenghts"));
    cr_expect_str_eq(posenc_suggest_quantity("wavelenghts"), "wavelengths");
    cr_expect_null(posenc_suggest_quantity("attention"));
}

Test(analysis_schema, an_encoding_has_a_quantity_by_what_its_rows_say)
{
    static const struct {
        const char *quantity, *encoding;
        bool serves;
    } pairs[] = {
        {"wavelengths", "sinusoidal", true},
        {"wavelengths", "timestep", true},
        {"wavelengths", "alibi", false},
        {"decay_bound", "rope", true},
        {"decay_bound", "sinusoidal", false},
        {"decay", "kerple", true},
        {"decay", "learned", false},
        {"receptive_field", "alibi", true},
        {"receptive_field", "kerple", false},
        {"similarity", "learned", true},
        {"similarity", "rope", false},
        {"permutation_equivariance", "none", true},
        {"decay", "fire", false}, /* its own required `threshold` would be hidden */
        {"permutation_equivariance", "timestep", false},
    };

    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
        cr_expect_eq(posenc_quantity_serves(posenc_find_quantity(pairs[i].quantity),
                                            posenc_find(pairs[i].encoding)),
                     pairs[i].serves, "%s of %s", pairs[i].quantity, pairs[i].encoding);
}

static void assert_rows_are_distinct(const struct posenc_schema *schema, const char *where)
{
    const struct posenc_parameter *rows[POSENC_ARGUMENTS_MAX];
    size_t count = 0;

    for (const struct posenc_parameter *const *group = schema->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++) {
            cr_assert_lt(count, POSENC_ARGUMENTS_MAX - 8, "%s leaves no room", where);
            for (size_t i = 0; i < count; i++)
                cr_assert_not(is_called(rows[i], row->name), "%s: %s twice", where, row->name);
            rows[count++] = row;
        }
}

Test(analysis_schema, no_name_stands_in_a_request_twice_and_callers_find_room)
{
    const struct posenc_operation *quantity;
    const struct posenc_encoding *encoding;

    for (size_t i = 0; (quantity = posenc_quantity_at(i)) != NULL; i++)
        for (size_t j = 0; (encoding = posenc_encoding_at(j)) != NULL; j++) {
            struct posenc_memory memory;
            struct posenc_problem problem;
            struct posenc_schema schema = {0};
            const struct posenc_encoding *found;
            const struct posenc_member member = {"encoding", posenc_text(encoding->name)};
            const struct posenc_value input = posenc_object(&member, 1);
            char where[80];

            if (!quantity->asks_encoding || !posenc_quantity_serves(quantity, encoding))
                continue;
            (void)snprintf(where, sizeof(where), "%s of %s", quantity->name, encoding->name);
            posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
            cr_assert_eq(
                posenc_quantity_schema(quantity, &input, &memory, &found, &schema, &problem),
                POSENC_OK, "%s", where);
            cr_expect_eq(found, encoding);
            cr_expect_eq(schema.presets, encoding->presets);
            assert_rows_are_distinct(&schema, where);
            posenc_memory_release(&memory);
        }
}

Test(analysis_schema, refuses_an_encoding_that_is_missing_unknown_or_without_the_quantity)
{
    static const struct {
        const char *query;
        enum posenc_status status;
        const char *suggestion;
    } cases[] = {
        {"dim=8", POSENC_MISSING_PARAMETER, ""},
        {"encoding=sinusoid&dim=8", POSENC_OUT_OF_RANGE, "sinusoidal"},
        {"encoding=alibi&heads=8", POSENC_OUT_OF_RANGE, ""},
    };
    struct asked asked;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        assert_quantity_refused(&asked, "wavelengths", cases[i].query, cases[i].status, "encoding");
        cr_expect_str_eq(asked.problem.suggestion, cases[i].suggestion);
        cr_expect(is_allowed(&asked.problem, "rope"));
        cr_expect_not(is_allowed(&asked.problem, "alibi"));
        asked_release(&asked);
    }
}

Test(analysis_schema, an_unknown_name_comes_before_the_encoding_that_it_may_have_meant)
{
    struct asked asked;

    assert_quantity_refused(&asked, "wavelengths", "encodin=rope&dim=8", POSENC_UNKNOWN_PARAMETER,
                            "encodin");
    cr_expect_str_eq(asked.problem.suggestion, "encoding");
    asked_release(&asked);
    assert_quantity_refused(&asked, "wavelengths", "encoding=rope&dmi=8", POSENC_UNKNOWN_PARAMETER,
                            "dmi");
    cr_expect_str_eq(asked.problem.suggestion, "dim");
    asked_release(&asked);
    assert_quantity_refused(&asked, "decay", "encoding=rope&dim=8&ofsets=1",
                            POSENC_UNKNOWN_PARAMETER, "ofsets");
    cr_expect_str_eq(asked.problem.suggestion, "offsets");
    asked_release(&asked);
}

Test(analysis_schema, an_alias_and_a_preset_of_the_encoding_work)
{
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "shift", "encoding=rotary&head_dim=4&shift=1"), POSENC_OK,
                 "%s", asked.problem.detail);
    cr_expect_str_eq(echoed_text(&asked.result, "encoding"), "rope");
    asked_release(&asked);
    cr_assert_eq(ask_quantity(&asked, "wavelengths", "encoding=sinusoidal&dim=8&preset=whisper"),
                 POSENC_OK);
    cr_expect_str_eq(echoed_text(&asked.result, "spacing"), "half_minus_1");
    asked_release(&asked);
}

static void assert_described(const struct posenc_result *result)
{
    for (size_t t = 0; t < result->tensor_count; t++) {
        const struct posenc_tensor_row *row = result->operation->tensors;

        while (row->name && strcmp(row->name, result->tensors[t].name) != 0)
            row++;
        cr_assert_not_null(row->name, "%s plans '%s', which no row describes",
                           result->operation->name, result->tensors[t].name);
    }
}

Test(analysis_schema, any_runs_of_elements_agree_and_every_tensor_is_described)
{
    uint64_t seed = 7;

    for (size_t i = 0; i < REQUESTS; i++) {
        struct asked asked;

        cr_assert_eq(ask_quantity(&asked, requests[i].quantity, requests[i].query), POSENC_OK,
                     "%s?%s: %s", requests[i].quantity, requests[i].query, asked.problem.detail);
        assert_described(&asked.result);
        assert_runs_agree(&asked, &seed);
        asked_release(&asked);
    }
}

/* Asks with a memory of so many bytes. */
static enum posenc_status ask_within(size_t limit, size_t request, struct posenc_result *result)
{
    const struct posenc_operation *quantity = posenc_find_quantity(requests[request].quantity);
    const struct posenc_encoding *encoding;
    struct posenc_memory texts, memory;
    struct posenc_problem problem;
    struct posenc_schema schema = {0};
    static struct posenc_arguments arguments;

    posenc_memory_init(&texts, POSENC_MEMORY_DEFAULT);
    posenc_memory_init(&memory, limit);
    const struct posenc_value input = support_object(&texts, requests[request].query, NULL, 0);
    enum posenc_status status =
        posenc_quantity_schema(quantity, &input, &memory, &encoding, &schema, &problem);

    if (status == POSENC_OK)
        status = posenc_bind(&schema, &input, &memory, &arguments, &problem);
    if (status == POSENC_OK)
        status = posenc_plan(encoding, quantity, &arguments, &memory, result, &problem);
    posenc_memory_release(&memory);
    posenc_memory_release(&texts);
    return status;
}

Test(analysis_schema, every_quantity_ends_well_at_every_memory_limit)
{
    for (size_t i = 0; i < REQUESTS; i++) {
        struct posenc_result result = {.tensor_count = 77};
        size_t limit = 0;
        enum posenc_status status;

        while ((status = ask_within(limit, i, &result)) != POSENC_OK) {
            cr_assert_eq(status, POSENC_NO_MEMORY, "%s at %zu", requests[i].query, limit);
            cr_assert_eq(result.tensor_count, 77);
            limit += 64;
        }
        cr_assert_gt(limit, 0);
    }
}

Test(analysis_schema, tensors_of_a_request_reach_the_quantity)
{
    const double order[] = {2, 0, 1};
    const struct posenc_member members[] = {
        {"x", support_array(tokens, 2, token_shape)},
        {"permutation", posenc_numbers(order, 3)},
    };
    struct asked asked;

    cr_assert_eq(
        ask_quantity_with(&asked, "permutation_equivariance", "encoding=sinusoidal", members, 2),
        POSENC_OK, "%s", asked.problem.detail);
    cr_expect_eq(asked.result.tensor_count, 2);
    cr_expect_eq(asked.result.inputs.count, 1);
    asked_release(&asked);
}
