/*
 * A tensor's data as nested JSON arrays, an element at a time: what is asked for is computed in
 * blocks, and nothing is kept but one of these.
 */
#ifndef POSENC_JSON_DATA_H
#define POSENC_JSON_DATA_H

#include "posenc.h"

#define JSON_BLOCK      ((size_t)256) /* elements filled at a time */
#define JSON_DATA_DEPTH 3             /* brackets around a tensor's data */

/*
 * Bytes of one element with the brackets, spaces and line ends before and behind it, at most: a
 * line for each axis on both sides, indented by two spaces a level, one line more for a comma.
 */
#define JSON_ELEMENT_MAX ((size_t)512)

/* Where the printing of a tensor's data is. */
struct json_data {
    const struct posenc_tensor *tensor;
    size_t rank;  /* axes before the first of length 0, or all of them */
    size_t cells; /* elements; of an empty tensor the brackets [] that stand for its empty rows */
    size_t strides[POSENC_RANK_MAX]; /* cells of each axis' items together */
    size_t row;                      /* cells between two innermost brackets */
    size_t cell, column;             /* the next one, in the tensor and in its row */
    size_t block_first, block_count;
    _Alignas(64) char elements[JSON_BLOCK * sizeof(double)];
    double numbers[JSON_BLOCK];
};

/* Cells to print; false when they are more than can be counted. */
bool json_data_count(const struct posenc_tensor *tensor, size_t *cells);

/* Starts with the first element of a tensor, which json_data_count() has counted. */
void json_data_begin(struct json_data *data, const struct posenc_tensor *tensor);

/*
 * Prints the next cell and what belongs around it, at most JSON_ELEMENT_MAX bytes, and returns
 * where these end. Only while cell < cells.
 */
char *json_data_print(struct json_data *data, bool pretty, char *at);

#endif
