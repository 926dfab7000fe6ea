/*
 * The elements of a tensor as plain text, one after the other: what tables for people and for other
 * programs are made of.
 */
#ifndef POSENC_CELLS_H
#define POSENC_CELLS_H

#include "number_text.h"
#include "posenc.h"

#define CELLS_BLOCK ((size_t)256) /* elements computed at a time */
#define CELL_MAX    NUMBER_TEXT_MAX

/* A run of elements, and which of it comes next. */
struct cells {
    const struct posenc_tensor *tensor;
    size_t next, end;
    size_t block_first, block_count;
    _Alignas(64) char elements[CELLS_BLOCK * sizeof(double)];
    double numbers[CELLS_BLOCK];
};

/* Starts with elements [first, first + count), which the tensor has. */
void cells_begin(struct cells *cells, const struct posenc_tensor *tensor, size_t first,
                 size_t count);

/*
 * Prints the next element and returns its length, at most CELL_MAX: the shortest decimal that reads
 * back to the same value of the dtype; nan, inf or -inf where there is none. Only while next < end.
 */
size_t cells_print(struct cells *cells, char *text);

#endif
