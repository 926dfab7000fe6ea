/*
 * The relative shift (Dai et al., Transformer-XL, 2019, appendix B), an operation on matrices.
 *
 *   transformer_xl  x [Q, K]         out[i][j] = x[i][j + Q - 1 - i]
 *   xlnet           x [Q, K + Q]     out[i][j] = x[i][j + Q - i]; uni: x [Q, K + 1]
 *   conformer       x [Q, 2 K - 1]   out[i][j] = x[i][j + Q - 1 - i]
 *
 * Where that column lies past the end of row i, which happens for keys after the query only, the
 * published code reads on: a zero that it put in front of the next row, and that row's values.
 */
#include "transformer_xl.h"

#include <math.h>
#include <string.h>

enum { MASK_ZERO, MASK_INFINITY, MASK_NONE };

const struct posenc_parameter posenc__transformer_xl_shift_rows[] = {
    {.name = "x",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "scores of queries against rows of distances, [..., query, rows]"},
    {.name = "mask",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("zero"),
     .choices = POSENC__NAMES("zero", "-inf", "none"),
     .meaning = "keys after the query, where attention is causal: 0, minus infinity, or what the "
                "published code leaves there, which must be masked later"},
    {.name = NULL},
};

static double shift_at(const struct posenc__shift *shift, size_t outer, size_t i, size_t j)
{
    const size_t stride = shift->columns + shift->padding;
    const size_t place = i * stride + shift->rows - i + j, column = place % stride;
    double value = 0;

    if (shift->is_masked && j + shift->rows > i + shift->keys)
        return shift->masked;
    if (column >= shift->padding)
        posenc__read_array(shift->x,
                           (outer * shift->rows + place / stride) * shift->columns + column -
                               shift->padding,
                           1, &value);
    return value;
}

static void shift_values(const void *plan, size_t first, size_t count, double *out)
{
    const struct posenc__shift *shift = plan;

    for (size_t done = 0; done < count; done++) {
        const size_t row = (first + done) / shift->keys;

        out[done] =
            shift_at(shift, row / shift->rows, row % shift->rows, (first + done) % shift->keys);
    }
}

enum posenc_status posenc__add_shift(struct posenc_result *result, struct posenc_memory *memory,
                                     struct posenc_problem *problem, const char *name,
                                     enum posenc_dtype dtype, const struct posenc__shift *shift)
{
    struct posenc__shift *plan = posenc_allocate(memory, 1, sizeof(*plan));
    size_t shape[POSENC_RANK_MAX];

    if (!plan)
        return posenc__no_memory(problem);
    *plan = *shift;
    memcpy(shape, shift->x->shape, sizeof(shape));
    shape[shift->x->rank - 1] = shift->keys;
    return posenc__add_tensor(result, memory, problem, name, dtype, shift->x->rank, shape,
                              shift_values, plan);
}

static enum posenc_status refuse_columns(const struct posenc__shift *shift, const char *wanted,
                                         struct posenc_problem *problem)
{
    return posenc__refuse(problem, POSENC_WRONG_SHAPE, "x", "'x' has %zu rows and %zu columns; %s.",
                          shift->rows, shift->columns, wanted);
}

/* How many keys the columns of x are for. */
static enum posenc_status count_keys(const struct posenc__xl_form *form,
                                     struct posenc__shift *shift, struct posenc_problem *problem)
{
    shift->padding = form->variant == POSENC__XLNET ? 0 : 1;
    switch (form->variant) {
    case POSENC__XL:
        shift->keys = shift->columns;
        return POSENC_OK;
    case POSENC__XLNET:
        if (form->is_causal && shift->columns == 0)
            return refuse_columns(shift, "there is one column more than keys", problem);
        if (!form->is_causal && shift->columns < shift->rows)
            return refuse_columns(shift, "there is a column for each key and each query", problem);
        shift->keys = shift->columns - (form->is_causal ? 1 : shift->rows);
        return POSENC_OK;
    case POSENC__CONFORMER:
        if (shift->columns % 2 == 0 || shift->rows > shift->columns / 2 + 1)
            return refuse_columns(
                shift, "K keys have 2 K - 1 columns, and at most K queries are the rows", problem);
        shift->keys = shift->columns / 2 + 1;
        return POSENC_OK;
    }
    return POSENC_OK;
}

enum posenc_status posenc__transformer_xl_plan_shift(struct posenc_arguments *arguments,
                                                     struct posenc_memory *memory,
                                                     struct posenc_result *result,
                                                     struct posenc_problem *problem)
{
    const struct posenc_array *x = posenc__array(arguments, "x");
    const size_t mask = posenc__choice(arguments, "mask");
    struct posenc__xl_form form;
    enum posenc_status status = posenc__read_xl_form(arguments, &form, problem);

    if (status != POSENC_OK)
        return status;
    if (x->rank < 2)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "x",
                              "'x' has %zu axes; it needs two at least: [..., query, rows].",
                              x->rank);
    struct posenc__shift shift = {.x = x,
                                  .rows = x->shape[x->rank - 2],
                                  .columns = x->shape[x->rank - 1],
                                  .is_masked = form.is_causal && mask != MASK_NONE,
                                  .masked = mask == MASK_INFINITY ? -(double)INFINITY : 0};

    status = count_keys(&form, &shift, problem);
    if (status != POSENC_OK)
        return status;
    return posenc__add_shift(result, memory, problem, "shifted", posenc__dtype(arguments), &shift);
}
