/*
 * Descriptions say dims in words, "[heads, query_length, key_length]", perhaps with other words
 * between two such lists; the one with as many axes as the tensor has is meant.
 */
#include "picture_axes.h"

#include <stdio.h>
#include <string.h>

/* A list between brackets, and its parts. */
struct dims {
    size_t count;
    const char *parts[POSENC_RANK_MAX];
    size_t lengths[POSENC_RANK_MAX];
};

const struct posenc_tensor_row *picture_tensor_row(const struct posenc_result *result,
                                                   const struct posenc_tensor *tensor)
{
    const struct posenc_tensor_row *row =
        result && result->operation ? result->operation->tensors : NULL;

    while (row && row->name && strcmp(row->name, tensor->name) != 0)
        row++;
    return row && row->name ? row : NULL;
}

/* Reads the list that starts behind a bracket; true when it describes a tensor of that rank. */
static bool read_dims(const char *text, size_t rank, struct dims *dims)
{
    dims->count = 0;
    while (dims->count < POSENC_RANK_MAX && *text && *text != ']') {
        const size_t length = strcspn(text, ",]");

        dims->parts[dims->count] = text;
        dims->lengths[dims->count++] = length;
        text += length;
        text += strspn(text, ", ");
    }
    return dims->count == rank ||
           (dims->count > 0 && dims->count <= rank + 1 && strncmp(dims->parts[0], "...", 3) == 0);
}

static struct dims find_dims(const char *text, size_t rank)
{
    struct dims dims;

    for (const char *at = text; (at = strchr(at, '[')); at++) {
        if (read_dims(at + 1, rank, &dims))
            return dims;
    }
    return (struct dims){0};
}

/* A place on an axis of so many. */
static void name_place(const char *part, size_t length, char name[PICTURE_NAME_MAX])
{
    static const struct {
        const char *axis, *place;
    } words[] = {
        {"length", "position"},    {"dim", "dimension"},  {"query_length", "query"},
        {"key_length", "key"},     {"heads", "head"},     {"pairs", "pair"},
        {"tokens", "token"},       {"offsets", "offset"}, {"rows", "row"},
        {"timesteps", "timestep"},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].axis) == length && strncmp(words[i].axis, part, length) == 0) {
            (void)snprintf(name, PICTURE_NAME_MAX, "%s", words[i].place);
            return;
        }
    }
    for (size_t i = 0; i < length && i + 1 < PICTURE_NAME_MAX; i++)
        name[i] = part[i] == '_' ? ' ' : part[i];
}

void picture_name_axes(const struct posenc_result *result, const struct posenc_tensor *tensor,
                       struct picture_axis *const axes[PICTURE_AXES])
{
    const struct posenc_tensor_row *const row = picture_tensor_row(result, tensor);
    const size_t rank = tensor->rank;
    const struct dims dims = row ? find_dims(row->dims, rank) : (struct dims){0};

    for (size_t i = 0; i < PICTURE_AXES && i < rank; i++) {
        const size_t from_start = dims.count - 1 - i;

        memset(axes[i]->name, 0, PICTURE_NAME_MAX);
        if (i < dims.count && strncmp(dims.parts[from_start], "...", 3) != 0)
            name_place(dims.parts[from_start], dims.lengths[from_start], axes[i]->name);
        else
            (void)snprintf(axes[i]->name, PICTURE_NAME_MAX, rank > 1 ? "axis %zu" : "index",
                           rank - 1 - i);
    }
}
