/* No positional encoding (NoPE): the identity, so that callers need no special case. */
#include "inputs.h"

static enum posenc_status plan_table(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    (void)arguments;
    (void)memory;
    (void)result;
    (void)problem;
    return POSENC_OK;
}

static void copy_values(const void *plan, size_t first, size_t count, double *out)
{
    posenc__read_array(plan, first, count, out);
}

static enum posenc_status plan_apply(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    const struct posenc_array *x = posenc__array(arguments, "x");

    return posenc__add_tensor(result, memory, problem, "x", posenc__dtype(arguments), x->rank,
                              x->shape, copy_values, x);
}

static const struct posenc_parameter none_rows[] = {
    {.name = "x", .type = POSENC_TYPE_TENSOR, .meaning = "the tensor that comes back as it is"},
    {.name = NULL},
};

static const struct posenc_operation none_operations[] = {
    {.name = "table",
     .summary = "nothing: there is no table",
     .groups = POSENC__GROUPS(posenc__dtype_rows),
     .tensors = (const struct posenc_tensor_row[]){{.name = NULL}},
     .plan = plan_table},
    {.name = "apply",
     .summary = "gives the tensor back, rounded to dtype",
     .takes_tensors = true,
     .groups = POSENC__GROUPS(none_rows, posenc__dtype_rows),
     .tensors = POSENC__TENSORS({"x", "as x", "x itself"}),
     .plan = plan_apply},
    {.name = NULL},
};

const struct posenc_encoding posenc__none = {
    .name = "none",
    .summary = "no encoding at all: the identity",
    .source = "Haviv et al., Transformer Language Models without Positional Encodings Still Learn "
              "Positional Information, 2022 (arXiv 2203.16634)",
    .convention = "nothing is added; a causal mask alone lets positions leak",
    .aliases = POSENC__NAMES("nope"),
    .operations = none_operations,
};
