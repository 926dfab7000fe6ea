/* Lists of positions in which null stands for a token without a position. */
#include <math.h>

#include "bind.h"

/* Items of a list, whichever way it was read. */
static bool list_length(const struct posenc_value *list, size_t *length)
{
    if (list->kind == POSENC_ARRAY && list->as.array.rank == 1)
        *length = list->as.array.shape[0];
    else if (list->kind == POSENC_LIST)
        *length = list->as.list.count;
    else
        return false;
    return true;
}

static bool is_leaf(const struct posenc_value *item)
{
    return item->kind == POSENC_NUMBER || item->kind == POSENC_NULL;
}

static bool all_leaves(const struct posenc_value *list)
{
    for (size_t i = 0; list->kind == POSENC_LIST && i < list->as.list.count; i++)
        if (!is_leaf(&list->as.list.items[i]))
            return false;
    return true;
}

static void copy_row(const struct posenc_value *list, size_t length, double *out)
{
    if (list->kind == POSENC_ARRAY) {
        posenc__read_array(&list->as.array, 0, length, out);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        const struct posenc_value *item = &list->as.list.items[i];

        out[i] = item->kind == POSENC_NULL ? NAN : item->as.number;
    }
}

/* The common length of all rows; false when there is none. */
static bool common_length(const struct posenc_value *rows, size_t count, size_t *length)
{
    for (size_t i = 0; i < count; i++) {
        size_t own = 0;

        if (!list_length(&rows[i], &own) || !all_leaves(&rows[i]) || (i > 0 && own != *length))
            return false;
        *length = own;
    }
    return count > 0;
}

/* Appends what is known of a row's or an item's numbers, the first of which is the base-th of all.
 */
static bool append_rounded(const struct posenc_value *from, size_t base,
                           struct posenc_memory *memory, struct posenc_value *value,
                           struct posenc_rounded **last)
{
    for (const struct posenc_rounded *at = from->rounded; at; at = at->next) {
        struct posenc_rounded *const copy = posenc_allocate(memory, 1, sizeof(*copy));

        if (!copy)
            return false;
        *copy = (struct posenc_rounded){base + at->index, at->is_above, at->text, NULL};
        if (*last)
            (*last)->next = copy;
        else
            value->rounded = copy;
        *last = copy;
    }
    return true;
}

/* The same of one row: of its array, or of the items of its list. */
static bool append_row(const struct posenc_value *row, size_t base, struct posenc_memory *memory,
                       struct posenc_value *value, struct posenc_rounded **last)
{
    if (row->kind == POSENC_ARRAY)
        return append_rounded(row, base, memory, value, last);
    for (size_t i = 0; i < row->as.list.count; i++)
        if (!append_rounded(&row->as.list.items[i], base + i, memory, value, last))
            return false;
    return true;
}

bool posenc__convert_nulls(const struct posenc_value *raw, struct posenc_memory *memory,
                           struct posenc_value *value)
{
    struct posenc_array array = {.dtype = POSENC_FLOAT64, .rank = 2};
    struct posenc_rounded *last = NULL;
    const bool is_flat = all_leaves(raw);
    size_t length = 0;

    if (raw->kind != POSENC_LIST)
        return false;
    const struct posenc_value *rows = is_flat ? raw : raw->as.list.items;
    const size_t count = is_flat ? 1 : raw->as.list.count;

    if (!common_length(rows, count, &length))
        return false;
    /* Both counts are of values that lie in memory, each far larger than a double. */
    double *numbers = posenc_allocate(memory, count * length, sizeof(*numbers));

    array.rank = is_flat ? 1 : 2;
    array.shape[0] = is_flat ? length : count;
    array.shape[1] = is_flat ? 0 : length;
    array.data = numbers;
    *value = posenc_nested(&array);
    for (size_t i = 0; value->as.array.data && i < count; i++) {
        copy_row(&rows[i], length, numbers + i * length);
        if (!append_row(&rows[i], i * length, memory, value, &last))
            value->as.array.data = NULL;
    }
    return true;
}
