/*
 * Music Transformer's skew (Huang et al., 2018, section 3.4.1): a matrix of scores against relative
 * distances becomes one of scores against keys.
 *
 *   x[i][m] is the score of query i for the distance m - (L - 1), key minus query
 *   skewed[i][j] = x[i][j + L - 1 - i]
 *
 * For keys after the query, j > i, the published code leaves a zero and then the next row's values,
 * which its causal mask hides.
 */
#include "transformer_xl.h"

static const struct posenc_parameter skew_rows[] = {
    {.name = "x",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "scores of queries against distances, [..., length, length]"},
    {.name = NULL},
};

static enum posenc_status plan_skew(struct posenc_arguments *arguments,
                                    struct posenc_memory *memory, struct posenc_result *result,
                                    struct posenc_problem *problem)
{
    const struct posenc_array *x = posenc__array(arguments, "x");

    if (x->rank < 2)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "x",
                              "'x' has %zu axes; it needs two at least: [..., length, length].",
                              x->rank);
    const size_t length = x->shape[x->rank - 2], columns = x->shape[x->rank - 1];

    if (columns != length)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "x",
                              "'x' has %zu rows and %zu columns; it must be square, with one "
                              "distance for each key.",
                              length, columns);
    const struct posenc__shift shift = {
        .x = x, .rows = length, .columns = length, .padding = 1, .keys = length};

    return posenc__add_shift(result, memory, problem, "skewed", posenc__dtype(arguments), &shift);
}

static const struct posenc_operation music_operations[] = {
    {.name = "table",
     .summary = "moves scores against distances to the keys that they belong to",
     .takes_tensors = true,
     .groups = POSENC__GROUPS(skew_rows, posenc__dtype_rows),
     .tensors = POSENC__TENSORS({"skewed", "[..., length, length]",
                                 "scores of queries against keys; those of "
                                 "keys after the query are still to be masked"}),
     .plan = plan_skew},
    {.name = NULL},
};

const struct posenc_encoding posenc__music_transformer = {
    .name = "music_transformer",
    .summary = "scores against relative distances, skewed so that they meet the keys",
    .source = "Huang et al., Music Transformer, 2018 (arXiv 1809.04281), section 3.4.1",
    .convention = "column m is the distance m - (L - 1), key minus query, so that the last column "
                  "is the query's own key; keys after the query are not masked",
    .operations = music_operations,
};
