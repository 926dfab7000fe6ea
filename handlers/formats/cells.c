/* Elements are computed in blocks, and never beyond the run. */
#include "cells.h"

#include <math.h>
#include <string.h>

void cells_begin(struct cells *cells, const struct posenc_tensor *tensor, size_t first,
                 size_t count)
{
    cells->tensor = tensor;
    cells->next = cells->block_first = first;
    cells->end = first + count;
    cells->block_count = 0;
}

static void cells_fill(struct cells *cells)
{
    const size_t left = cells->end - cells->next;

    cells->block_first = cells->next;
    cells->block_count = left < CELLS_BLOCK ? left : CELLS_BLOCK;
    posenc_fill(cells->tensor, cells->block_first, cells->block_count, cells->elements);
    posenc_widen(cells->tensor->dtype, cells->elements, cells->block_count, cells->numbers);
}

size_t cells_print(struct cells *cells, char *text)
{
    const enum posenc_dtype dtype = cells->tensor->dtype;

    if (cells->next == cells->block_first + cells->block_count)
        cells_fill(cells);
    const size_t index = cells->next++ - cells->block_first;
    const double number = cells->numbers[index];

    if (dtype == POSENC_INT64)
        return number_print_integer(((const int64_t *)(const void *)cells->elements)[index], text);
    if (isfinite(number))
        return number_print(dtype, number, text);
    const char *const word = isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";

    memcpy(text, word, strlen(word));
    return strlen(word);
}
