/*
 * Relative positions in a window of h rows and w columns of tokens, counted row by row.
 *
 * Version 1 (Liu et al., Swin Transformer, 2021), query 1 and key 2 at rows r and columns c:
 *
 *   index = (r1 - r2 + h - 1) (2 w - 1) + (c1 - c2 + w - 1),   bias[head][1][2] =
 * table[index][head]
 *
 * With a class token in front (Bao et al., BEiT, 2021) the table has three rows more: n - 3 for the
 * class token's query, n - 2 for its key, n - 1 for both. Version 2: swin_coordinates.c.
 */
#include "swin.h"

#include <string.h>

#define WINDOW_MAX 16384 /* a side, so that an index is an int32 */

static const struct posenc_parameter swin_rows[] = {
    {.name = "window",
     .type = POSENC_TYPE_INTEGERS,
     .minimum = 1,
     .maximum = WINDOW_MAX,
     .aliases = POSENC__NAMES("window_size"),
     .meaning = "rows and columns of tokens"},
    {.name = "version",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NUMBER(1),
     .minimum = 1,
     .maximum = 2,
     .meaning = "1: a learned table; 2: a network of log-spaced coordinates"},
    {.name = "pretrained_window",
     .type = POSENC_TYPE_INTEGERS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "window",
     .minimum = 1,
     .maximum = WINDOW_MAX,
     .aliases = POSENC__NAMES("pretrained_window_size"),
     .meaning = "version 2: the window of training, whose offsets fill -8 to 8"},
    {.name = "class_token",
     .type = POSENC_TYPE_BOOLEAN,
     POSENC__DEFAULT_BOOLEAN(false),
     .meaning = "version 1: a class token in front, with three rows of its own, as in BEiT"},
    {.name = "table",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "no bias, only the index",
     .meaning = "version 1: the learned table [(2h - 1)(2w - 1), heads]"},
    {.name = "mlp_output",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "no bias, only index and coordinates",
     .meaning = "version 2: what the network makes of the coordinates, [(2h - 1)(2w - 1), heads]"},
    {.name = NULL},
};

size_t posenc__swin_index(const struct posenc__swin *swin, size_t query, size_t key)
{
    const size_t height = swin->window[0], width = swin->window[1];
    const size_t offsets = (2 * height - 1) * (2 * width - 1);

    if (swin->has_class_token && (query == 0 || key == 0))
        return offsets + (query != 0 ? 1 : key != 0 ? 0 : 2);
    query -= swin->has_class_token;
    key -= swin->has_class_token;
    return (query / width + height - 1 - key / width) * (2 * width - 1) + query % width + width -
           1 - key % width;
}

static void index_values(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__swin *swin = context;

    for (size_t i = 0; i < count; i++)
        out[i] = (double)posenc__swin_index(swin, (first + i) / swin->tokens,
                                            (first + i) % swin->tokens);
}

static void bias_values(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__swin *swin = context;

    for (size_t i = 0; i < count; i++) {
        const size_t row = (first + i) / swin->tokens, key = (first + i) % swin->tokens;
        const size_t head = row / swin->tokens;
        const size_t element =
            posenc__swin_index(swin, row % swin->tokens, key) * swin->heads + head;

        if (swin->gates)
            out[i] = swin->gates[element];
        else
            posenc__read_array(swin->table, element, 1, &out[i]);
        if (swin->version == 2 && !swin->gates)
            out[i] = posenc__swin_gate(out[i]);
    }
}

static enum posenc_status read_window(const struct posenc_arguments *arguments, const char *name,
                                      size_t window[2], struct posenc_problem *problem)
{
    const struct posenc_array *list = posenc__array(arguments, name);
    const double *sides = list->data;

    if (list->shape[0] != 2)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, name,
                              "'%s' must be two integers, rows and columns; it has %zu.", name,
                              list->shape[0]);
    window[0] = (size_t)sides[0];
    window[1] = (size_t)sides[1];
    return POSENC_OK;
}

/* Each version has parameters that the other has not. */
static enum posenc_status check_version(const struct posenc_arguments *arguments,
                                        const struct posenc__swin *swin,
                                        struct posenc_problem *problem)
{
    static const struct {
        const char *name;
        unsigned version;
    } only[] = {{"table", 1}, {"pretrained_window", 2}, {"mlp_output", 2}};

    for (size_t i = 0; i < sizeof(only) / sizeof(*only); i++)
        if (posenc__present(arguments, only[i].name) && swin->version != only[i].version)
            return posenc__refuse(problem, POSENC_CONFLICT, only[i].name,
                                  "'%s' belongs to version %u, but 'version' is %u.", only[i].name,
                                  only[i].version, swin->version);
    if (swin->has_class_token && swin->version == 2)
        return posenc__refuse(problem, POSENC_CONFLICT, "class_token",
                              "Version 2 has no coordinates for a class token.");
    return POSENC_OK;
}

/* The table or the network's output: a row for each index. */
static enum posenc_status read_table(const struct posenc_arguments *arguments,
                                     struct posenc__swin *swin, struct posenc_problem *problem)
{
    const char *name = swin->version == 1 ? "table" : "mlp_output";
    const struct posenc_array *table = posenc__array(arguments, name);
    const size_t rows =
        (2 * swin->window[0] - 1) * (2 * swin->window[1] - 1) + (swin->has_class_token ? 3 : 0);

    if (!table)
        return POSENC_OK;
    if (table->rank != 2 || table->shape[0] != rows)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, name,
                              "'%s' must be [%zu, heads]: a row for each pair of offsets in this "
                              "window%s.",
                              name, rows, swin->has_class_token ? " and three more" : "");
    swin->table = table;
    swin->heads = table->shape[1];
    return POSENC_OK;
}

static enum posenc_status swin_prepare(struct posenc_arguments *arguments,
                                       struct posenc_memory *memory, struct posenc__swin *swin,
                                       struct posenc_problem *problem)
{
    *swin = (struct posenc__swin){.version = (unsigned)posenc__size(arguments, "version"),
                                  .has_class_token = posenc__boolean(arguments, "class_token")};
    enum posenc_status status = read_window(arguments, "window", swin->window, problem);

    if (status == POSENC_OK)
        status = check_version(arguments, swin, problem);
    if (status == POSENC_OK)
        status = read_table(arguments, swin, problem);
    if (status != POSENC_OK)
        return status;
    swin->tokens = swin->window[0] * swin->window[1] + (swin->has_class_token ? 1 : 0);
    if (swin->version == 1)
        return POSENC_OK;
    memcpy(swin->pretrained, swin->window, sizeof(swin->window));
    if (posenc__present(arguments, "pretrained_window"))
        status = read_window(arguments, "pretrained_window", swin->pretrained, problem);
    if (status == POSENC_OK)
        status = posenc__swin_coordinates(swin, memory, problem);
    return status;
}

static enum posenc_status plan_table(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    struct posenc__swin *swin = posenc_allocate(memory, 1, sizeof(*swin));

    if (!swin)
        return posenc__no_memory(problem);
    enum posenc_status status = swin_prepare(arguments, memory, swin, problem);

    if (status != POSENC_OK)
        return status;
    const enum posenc_dtype dtype = posenc__dtype(arguments);
    const size_t tokens[] = {swin->heads, swin->tokens, swin->tokens};
    const size_t offsets[] = {2 * swin->window[0] - 1, 2 * swin->window[1] - 1, 2};

    status = posenc__add_tensor(result, memory, problem, "index", POSENC_INT32, 2, tokens + 1,
                                index_values, swin);
    if (status == POSENC_OK && swin->version == 2)
        status = posenc__add_tensor(result, memory, problem, "coordinates", dtype, 3, offsets,
                                    posenc__swin_coordinate_values, swin);
    if (status == POSENC_OK && swin->table)
        status = posenc__add_tensor(result, memory, problem, "bias", dtype, 3, tokens, bias_values,
                                    swin);
    return status;
}

/* Scores [..., heads, tokens, tokens] plus the bias. */
static enum posenc_status plan_apply(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    const struct posenc_array *scores = posenc__array(arguments, "scores");
    struct posenc__swin *swin = posenc_allocate(memory, 1, sizeof(*swin));

    if (!swin)
        return posenc__no_memory(problem);
    const enum posenc_status status = swin_prepare(arguments, memory, swin, problem);

    if (status != POSENC_OK)
        return status;
    if (!swin->table)
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER,
                              swin->version == 1 ? "table" : "mlp_output",
                              "The bias needs '%s', a row for each index and a column for each "
                              "head.",
                              swin->version == 1 ? "table" : "mlp_output");
    const size_t *last = scores->rank < 3 ? NULL : scores->shape + scores->rank - 3;

    if (!last || last[0] != swin->heads || last[1] != swin->tokens || last[2] != swin->tokens)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "scores",
                              "'scores' must be [..., %zu, %zu, %zu]: heads, and the tokens of the "
                              "window twice.",
                              swin->heads, swin->tokens, swin->tokens);
    return posenc__add_bias(result, memory, problem, arguments, last[0] * last[1] * last[2],
                            bias_values, swin);
}

static const struct posenc_operation swin_operations[] = {
    {.name = "table",
     .summary = "the row of the table for every two tokens of a window, coordinates, and the bias",
     .groups = POSENC__GROUPS(swin_rows, posenc__dtype_rows),
     .tensors = POSENC__TENSORS({"index", "[tokens, tokens]", "row of the table, int32"},
                                {"coordinates", "[2h - 1, 2w - 1, 2]",
                                 "version 2: what the network takes, of rows and of columns"},
                                {"bias", "[heads, tokens, tokens]",
                                 "what is added to scores; only with table or mlp_output"}),
     .int32_tensors = POSENC__NAMES("index"),
     .plan = plan_table},
    {.name = "apply",
     .summary = "adds the bias to attention scores",
     .takes_tensors = true,
     .groups = POSENC__GROUPS(posenc__scores_rows, swin_rows, posenc__dtype_rows),
     .tensors = POSENC__TENSORS({"scores", "[..., heads, tokens, tokens]", "scores plus the bias"}),
     .plan = plan_apply},
    {.name = NULL},
};

const struct posenc_encoding posenc__swin = {
    .name = "swin",
    .summary = "a bias for each offset between two tokens of a window",
    .source = "Liu et al., Swin Transformer, 2021 (arXiv 2103.14030), and Swin Transformer V2, "
              "2022 (arXiv 2111.09883), section 3.3; Bao et al., BEiT, 2021 (arXiv 2106.08254)",
    .convention =
        "query minus key, rows before columns, tokens row by row; the class token's rows are the "
        "last three: its query, its key, both; version 2's coordinates reach 1.0566, not 1",
    .operations = swin_operations,
};
