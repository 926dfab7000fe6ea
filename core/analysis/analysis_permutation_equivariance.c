/*
 * Does attention see the order of its tokens? Without positions and without a mask, tokens that
 * come in another order come out in that order, and otherwise unchanged:
 *
 *   attention(P x) = P attention(x)
 *
 * An encoding breaks this, which is its purpose; `max_difference` says by how much.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis.h"
#include "attention.h"

static const struct posenc_parameter equivariance_rows[] = {
    {.name = "x",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "tokens [length, dim], or [heads, length, dim]: queries, keys and values at once"},
    {.name = "permutation",
     .type = POSENC_TYPE_INTEGERS,
     .minimum = 0,
     .maximum = POSENC_INTEGER_MAX,
     .meaning = "the new order: token i of the permuted x is token permutation[i] of x"},
    {.name = "causal",
     .type = POSENC_TYPE_BOOLEAN,
     POSENC__DEFAULT_BOOLEAN(false),
     .meaning = "hide later keys, which tells positions even without an encoding"},
    {.name = NULL},
};

/* Tokens, and their new order. */
struct tokens {
    struct posenc_array x; /* float64 */
    size_t count, matrices, length, width;
    const double *order;
};

static enum posenc_status check_order(const struct tokens *tokens, size_t entries,
                                      struct posenc_memory *memory, struct posenc_problem *problem)
{
    bool *seen = posenc_allocate(memory, tokens->length, sizeof(*seen));

    if (!seen)
        return posenc__no_memory(problem);
    memset(seen, 0, tokens->length * sizeof(*seen));
    if (entries != tokens->length)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "permutation",
                              "'permutation' has %zu entries, but 'x' has %zu tokens.", entries,
                              tokens->length);
    for (size_t i = 0; i < entries; i++) {
        const double token = tokens->order[i];

        if (token >= (double)tokens->length || seen[(size_t)token])
            return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "permutation",
                                  "'permutation' must hold each of 0 to %zu once; %.17g stands in "
                                  "it twice, or is none of them.",
                                  tokens->length - 1, token);
        seen[(size_t)token] = true;
    }
    return POSENC_OK;
}

static enum posenc_status read_tokens(const struct posenc_arguments *arguments,
                                      struct posenc_memory *memory, struct tokens *tokens,
                                      struct posenc_problem *problem)
{
    const struct posenc_array *x = posenc__array(arguments, "x");
    const struct posenc_array *order = posenc__array(arguments, "permutation");

    if (x->rank < 2)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "x",
                              "'x' needs two axes at least: [length, dim].");
    *tokens = (struct tokens){.x = *x,
                              .matrices = 1,
                              .length = x->shape[x->rank - 2],
                              .width = x->shape[x->rank - 1],
                              .order = order->data};
    for (size_t axis = 0; axis + 2 < x->rank; axis++)
        tokens->matrices *= x->shape[axis];
    tokens->count = tokens->matrices * tokens->length * tokens->width; /* it lies in memory */
    double *numbers = posenc_allocate(memory, tokens->count, sizeof(*numbers));

    if (!numbers)
        return posenc__no_memory(problem);
    posenc__read_array(x, 0, tokens->count, numbers);
    tokens->x.dtype = POSENC_FLOAT64;
    tokens->x.data = numbers;
    return check_order(tokens, order->shape[0], memory, problem);
}

/* Rows of `from` in the new order. */
static double *permute(const struct tokens *tokens, const double *from,
                       struct posenc_memory *memory)
{
    double *to = posenc_allocate(memory, tokens->count, sizeof(*to));

    for (size_t row = 0; to && row < tokens->matrices * tokens->length; row++) {
        const size_t matrix = row / tokens->length, token = row % tokens->length;
        const size_t source = matrix * tokens->length + (size_t)tokens->order[token];

        memcpy(to + row * tokens->width, from + source * tokens->width,
               tokens->width * sizeof(*to));
    }
    return to;
}

/* The encoding's own parameters as the request gives them, for attention to hand on. */
static enum posenc_status collect_parameters(const struct posenc_arguments *arguments,
                                             const struct posenc_result *result,
                                             struct posenc_memory *memory,
                                             struct posenc_value *parameters,
                                             struct posenc_problem *problem)
{
    const struct posenc_operation *apply = posenc_find_operation(result->encoding, "apply");
    struct posenc_member *members = posenc_allocate(memory, arguments->count, sizeof(*members));
    size_t count = 0;

    if (!members)
        return posenc__no_memory(problem);
    for (const struct posenc_parameter *const *group = apply->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++) {
            const struct posenc_argument *argument = posenc_find_argument(arguments, row->name);

            if (argument && !posenc__is_own(result->operation, row->name) &&
                argument->origin == POSENC_GIVEN)
                members[count++] = (struct posenc_member){row->name, argument->value};
        }
    *parameters = posenc_object(members, count);
    return POSENC_OK;
}

/* Problems of attention's `parameters.dim` are problems of `dim` here. */
static void translate(struct posenc_problem *problem)
{
    static const char prefix[] = "parameters.";
    const size_t length = sizeof(prefix) - 1;

    if (strncmp(problem->parameter, prefix, length) == 0)
        memmove(problem->parameter, problem->parameter + length,
                strlen(problem->parameter + length) + 1);
    else if (strlen(problem->parameter) == 1)
        (void)snprintf(problem->parameter, sizeof(problem->parameter), "x"); /* q, k or v */
}

/*
 * The echo shows what apply understood, without what attention told it: such a parameter would be
 * refused when the echo is sent. Tensors stay, which are told by their shapes.
 */
static void pass_back(const struct posenc_result *result, const struct posenc_value *understood,
                      struct posenc_arguments *arguments)
{
    const struct posenc_operation *apply = posenc_find_operation(result->encoding, "apply");

    for (const struct posenc_parameter *const *group = apply->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++) {
            const struct posenc_value *value = posenc_find_member(understood, row->name);

            if (posenc__is_own(result->operation, row->name) ||
                !posenc_find_argument(arguments, row->name) || row->type == POSENC_TYPE_TENSOR)
                continue;
            if (!value)
                posenc__drop(arguments, row->name);
            else if (value->kind == POSENC_NULL)
                posenc__argument(arguments, row->name)->value = *value;
            else
                posenc__resolve(arguments, row->name, *value);
        }
}

/* Runs attention on tokens; keeps its output, and what it understood of the encoding's parameters.
 */
static enum posenc_status attend(struct posenc_arguments *arguments, const struct tokens *tokens,
                                 const double *numbers, const struct posenc_value *parameters,
                                 struct posenc_memory *memory, struct posenc_result *result,
                                 double **out, struct posenc_value *understood,
                                 struct posenc_problem *problem)
{
    struct posenc_array x = tokens->x;

    x.data = numbers;
    const struct posenc_member members[] = {
        {"encoding", posenc_text(result->encoding->name)},
        {"parameters", *parameters},
        {"q", posenc_nested(&x)},
        {"k", posenc_nested(&x)},
        {"v", posenc_nested(&x)},
        {"causal", posenc_boolean(posenc__boolean(arguments, "causal"))},
        {"dtype", posenc_text("float64")},
    };
    const struct posenc_schema schema = {.groups = posenc__tool_attention.groups,
                                         .takes_tensors = true};
    const struct posenc_value input = posenc_object(members, sizeof(members) / sizeof(*members));
    struct posenc_arguments *inner = posenc_allocate(memory, 1, sizeof(*inner));
    struct posenc_result attention;

    *out = posenc_allocate(memory, tokens->count, sizeof(**out));
    if (!inner || !*out)
        return posenc__no_memory(problem);
    enum posenc_status status = posenc_bind(&schema, &input, memory, inner, problem);

    if (status == POSENC_OK)
        status = posenc_plan(NULL, &posenc__tool_attention, inner, memory, &attention, problem);
    if (status != POSENC_OK) {
        translate(problem);
        return status;
    }
    *understood = posenc__argument(inner, "parameters")->value;
    return posenc__fill_whole(posenc_find_tensor(&attention, "output"), memory, *out, problem);
}

static double largest_difference(const double *a, const double *b, size_t count)
{
    double largest = 0;

    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

static enum posenc_status run_both(struct posenc_arguments *arguments, const struct tokens *tokens,
                                   struct posenc_memory *memory, struct posenc_result *result,
                                   double **output, double **permuted_output,
                                   struct posenc_problem *problem)
{
    const double *permuted = permute(tokens, tokens->x.data, memory);
    struct posenc_value parameters, understood = posenc_null();
    enum posenc_status status = collect_parameters(arguments, result, memory, &parameters, problem);

    if (status == POSENC_OK && !permuted)
        return posenc__no_memory(problem);
    if (status == POSENC_OK)
        status = attend(arguments, tokens, tokens->x.data, &parameters, memory, result, output,
                        &understood, problem);
    if (status == POSENC_OK)
        status = attend(arguments, tokens, permuted, &parameters, memory, result, permuted_output,
                        &understood, problem);
    if (status == POSENC_OK)
        pass_back(result, &understood, arguments);
    return status;
}

static enum posenc_status plan_equivariance(struct posenc_arguments *arguments,
                                            struct posenc_memory *memory,
                                            struct posenc_result *result,
                                            struct posenc_problem *problem)
{
    const enum posenc_dtype dtype = posenc__dtype(arguments);
    struct tokens tokens;
    double *output = NULL, *permuted_output = NULL;
    enum posenc_status status = read_tokens(arguments, memory, &tokens, problem);

    if (status == POSENC_OK)
        status = run_both(arguments, &tokens, memory, result, &output, &permuted_output, problem);
    if (status != POSENC_OK)
        return status;
    const double *expected = permute(&tokens, output, memory);

    if (!expected)
        return posenc__no_memory(problem);
    posenc__resolve(arguments, "encoding", posenc_text(result->encoding->name));
    status = posenc__add_tensor(result, memory, problem, "output", dtype, tokens.x.rank,
                                tokens.x.shape, posenc__kept_values, output);
    if (status == POSENC_OK)
        status =
            posenc__add_tensor(result, memory, problem, "permuted_output", dtype, tokens.x.rank,
                               tokens.x.shape, posenc__kept_values, permuted_output);
    if (status != POSENC_OK)
        return status;
    return posenc__derive(
        result, memory, problem, "max_difference",
        posenc_number(largest_difference(expected, permuted_output, tokens.count)));
}

/* Attention tells the tensors itself. */
static bool needs_apply(const struct posenc_encoding *encoding, const char *parameter)
{
    static const char *const told[] = {"x", "q", "k", "scores"};

    (void)encoding;
    for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++)
        if (strcmp(parameter, told[i]) == 0)
            return false;
    return true;
}

const struct posenc__quantity posenc__quantity_permutation_equivariance = {
    .operation = {.name = "permutation_equivariance",
                  .summary = "attention over tokens, and over the same tokens in another order: "
                             "max_difference is 0 where their order makes no difference",
                  .takes_tensors = true,
                  .asks_encoding = "apply",
                  .groups = (const struct posenc_parameter *const[]){posenc__encoding_rows,
                                                                     equivariance_rows,
                                                                     posenc__dtype_rows, NULL},
                  .tensors =
                      (const struct posenc_tensor_row[]){
                          {"output", "as x", "what attention makes of x"},
                          {"permuted_output", "as x", "what it makes of x in the new order"},
                          {.name = NULL}},
                  .plan = plan_equivariance},
    .serves = posenc__acts_in_attention,
    .needs = needs_apply,
};
