#include "inference_rows.h"

#include <stdlib.h>
#include <string.h>

static bool is_called(const struct posenc_parameter *row, const char *name)
{
    if (strcmp(row->name, name) == 0)
        return true;
    for (const char *const *alias = row->aliases; alias && *alias; alias++)
        if (strcmp(*alias, name) == 0)
            return true;
    return false;
}

const struct posenc_parameter *inference_row_find(const struct inference_model *model,
                                                  const char *name)
{
    for (const struct posenc_parameter *const *group = model->operation->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++)
            if (is_called(row, name))
                return row;
    return NULL;
}

bool inference_row_is_single(const struct posenc_parameter *row)
{
    return row->type == POSENC_TYPE_INTEGER || row->type == POSENC_TYPE_REAL ||
           row->type == POSENC_TYPE_BOOLEAN;
}

const char *inference_row_datatype(const struct posenc_parameter *row)
{
    switch (row->type) {
    case POSENC_TYPE_INTEGER:
    case POSENC_TYPE_INTEGERS:
        return "INT64";
    case POSENC_TYPE_REAL:
    case POSENC_TYPE_REALS:
    case POSENC_TYPE_POSITIONS:
        return "FP64";
    case POSENC_TYPE_BOOLEAN:
        return "BOOL";
    case POSENC_TYPE_TENSOR:
        return "FP32";
    case POSENC_TYPE_CHOICE:
    case POSENC_TYPE_CHOICES:
    case POSENC_TYPE_TEXT:
    case POSENC_TYPE_OBJECT:
        break;
    }
    return NULL;
}

bool inference_row_is_input(const struct posenc_parameter *row)
{
    return inference_row_datatype(row) != NULL;
}

bool inference_row_is_optional(const struct inference_model *model,
                               const struct posenc_parameter *row)
{
    return row->has_fallback || row->flags & POSENC_OPTIONAL ||
           (row->flags & POSENC_FROM_TENSOR && model->operation->takes_tensors);
}

/* The length that an item says: digits alone, or a free one. */
static int64_t length_of(const char *item)
{
    char *end;
    const long long length = strtoll(item, &end, 10);

    return end > item && (*end == ',' || *end == ']') ? length : -1;
}

size_t inference_shape_of(const char *words, int64_t shape[POSENC_RANK_MAX])
{
    const char *item = strchr(words, '[');
    size_t rank = 0;

    while (item && *item != ']' && rank < POSENC_RANK_MAX) {
        shape[rank++] = length_of(item + 1);
        item = strpbrk(item + 1, ",]");
    }
    if (rank == 0)
        shape[rank++] = -1;
    return rank;
}

/* Words about a tensor that comes in: those of the output that bears its name, or its own. */
static const char *dims_of(const struct inference_model *model, const struct posenc_parameter *row)
{
    for (const struct posenc_tensor_row *tensor = model->operation->tensors; tensor->name; tensor++)
        if (strcmp(tensor->name, row->name) == 0)
            return tensor->dims;
    return row->meaning;
}

size_t inference_row_shape(const struct inference_model *model, const struct posenc_parameter *row,
                           int64_t shape[POSENC_RANK_MAX])
{
    if (row->type == POSENC_TYPE_TENSOR)
        return inference_shape_of(dims_of(model, row), shape);
    shape[0] = inference_row_is_single(row) ? 1 : -1;
    return 1;
}
