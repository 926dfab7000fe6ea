/* Attention sees the order of its tokens only through an encoding or a mask. */
#include <criterion/criterion.h>

#include "quantity.h"

static const double tokens[] = {1, 2, 0.5, -1, 3, 0, -2, 0.25, 1.5, 1, 1, -0.5};
static const double order[] = {2, 0, 1};

static enum posenc_status ask_tokens(struct asked *asked, const char *query,
                                     const double *permutation, size_t count)
{
    const struct posenc_member members[] = {
        {"x", support_array(tokens, 2, (size_t[]){3, 4})},
        {"permutation", posenc_numbers(permutation, count)},
    };

    return ask_quantity_with(asked, "permutation_equivariance", query, members, 2);
}

static double difference(const char *query)
{
    struct asked asked;

    cr_assert_eq(ask_tokens(&asked, query, order, 3), POSENC_OK, "%s: %s", query,
                 asked.problem.detail);
    const double found = derived_value(&asked, "max_difference")->as.number;

    asked_release(&asked);
    return found;
}

/* Sums of three weights in another order. */
#define REORDERED 0x1p-50

Test(analysis_permutation_equivariance, holds_without_positions_and_breaks_with_them)
{
    static const char *const seen[] = {
        "encoding=sinusoidal",
        "encoding=rope&layout=half",
        "encoding=alibi&form=symmetric",
        "encoding=none&causal=true",
    };

    cr_expect_leq(difference("encoding=none&dtype=float64"), REORDERED);
    for (size_t i = 0; i < sizeof(seen) / sizeof(*seen); i++)
        cr_expect_gt(difference(seen[i]), 1e-3, "%s", seen[i]);
}

Test(analysis_permutation_equivariance, outputs_are_attentions_over_both_orders)
{
    double permuted[12];
    struct asked asked, attention;

    for (size_t i = 0; i < 12; i++)
        permuted[i] = tokens[4 * (size_t)order[i / 4] + i % 4];
    const struct posenc_value x = support_array(permuted, 2, (size_t[]){3, 4});
    const struct posenc_member scale = {"base", posenc_number(50)};
    const struct posenc_member members[] = {
        {"encoding", posenc_text("sinusoidal")},
        {"parameters", posenc_object(&scale, 1)},
        {"causal", posenc_boolean(false)},
        {"q", x},
        {"k", x},
        {"v", x},
    };
    const struct posenc_operation *tool = posenc_find_tool("attention");
    const struct posenc_schema schema = {.groups = tool->groups, .takes_tensors = true};
    const struct posenc_value input = posenc_object(members, 6);

    asked_init(&attention);
    cr_assert_eq(
        posenc_bind(&schema, &input, &attention.memory, &attention.arguments, &attention.problem),
        POSENC_OK);
    cr_assert_eq(posenc_plan(NULL, tool, &attention.arguments, &attention.memory, &attention.result,
                             &attention.problem),
                 POSENC_OK);
    cr_assert_eq(ask_tokens(&asked, "encoding=sinusoidal&base=50", order, 3), POSENC_OK);
    assert_tensor_near(&asked, "permuted_output", asked_values(&attention, "output"), 12, 0);
    asked_release(&asked);
    asked_release(&attention);
}

Test(analysis_permutation_equivariance, refuses_what_is_no_permutation)
{
    static const double twice[] = {0, 1, 1}, beyond[] = {0, 1, 3};
    struct asked asked;

    cr_expect_eq(ask_tokens(&asked, "encoding=none", twice, 3), POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(asked.problem.parameter, "permutation");
    asked_release(&asked);
    cr_expect_eq(ask_tokens(&asked, "encoding=none", beyond, 3), POSENC_OUT_OF_RANGE);
    asked_release(&asked);
    cr_expect_eq(ask_tokens(&asked, "encoding=none", order, 2), POSENC_WRONG_SHAPE);
    asked_release(&asked);
}

Test(analysis_permutation_equivariance, names_the_encodings_parameters_as_the_request_does)
{
    struct asked asked;

    cr_expect_eq(ask_tokens(&asked, "encoding=rope", order, 3), POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "layout");
    asked_release(&asked);
    cr_expect_eq(ask_tokens(&asked, "encoding=sinusoidal&offset=3", order, 3), POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "offset");
    asked_release(&asked);
    cr_expect_eq(ask_tokens(&asked, "encoding=sinusoidal&dim=6", order, 3), POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "dim");
    asked_release(&asked);
}

static bool is_echoed(const struct asked *asked, const char *name)
{
    for (size_t i = 0; i < asked->result.parameters.count; i++)
        if (strcmp(asked->result.parameters.items[i].name, name) == 0)
            return true;
    return false;
}

/* What attention tells apply is refused in a request, and so has no place in an echo. */
Test(analysis_permutation_equivariance, echoes_what_was_understood_and_not_what_attention_told)
{
    struct asked asked;

    cr_assert_eq(ask_tokens(&asked, "encoding=rope&layout=half", order, 3), POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "rotary_dim"), 4); /* followed from x */
    cr_expect_eq(echoed_number(&asked.result, "base"), 10000);
    cr_expect_str_eq(echoed_text(&asked.result, "dtype"), "float32"); /* the quantity's own */
    cr_expect(is_echoed(&asked, "scaling"), "null is a value, too");
    cr_expect_not(is_echoed(&asked, "sequence_axis"));
    cr_expect_not(is_echoed(&asked, "offset"));
    cr_expect_not(is_echoed(&asked, "length"));
    asked_release(&asked);
}
