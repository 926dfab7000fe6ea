/*
 * Rows as data: the words in which tables of parameters, groups of tables and presets are written,
 * the rows that several tables have, and the tables that several encodings use.
 */
#ifndef POSENC_SHARED_ROWS_H
#define POSENC_SHARED_ROWS_H

#include <math.h>

#include "posenc.h"

#define POSENC__NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define POSENC__DEFAULT_NUMBER(x)                                                                  \
    .fallback = {.kind = POSENC_NUMBER, .as.number = (x)}, .has_fallback = true
#define POSENC__DEFAULT_BOOLEAN(x)                                                                 \
    .fallback = {.kind = POSENC_BOOLEAN, .as.boolean = (x)}, .has_fallback = true
#define POSENC__DEFAULT_TEXT(x)                                                                    \
    .fallback = {.kind = POSENC_TEXT, .as.text = (x)}, .has_fallback = true
#define POSENC__DEFAULT_NULL .fallback = {.kind = POSENC_NULL}, .has_fallback = true
#define POSENC__SET_NUMBER(n, x)                                                                   \
    {                                                                                              \
        .name = (n), .value = {.kind = POSENC_NUMBER, .as.number = (x) }                           \
    }
#define POSENC__SET_BOOLEAN(n, x)                                                                  \
    {                                                                                              \
        .name = (n), .value = {.kind = POSENC_BOOLEAN, .as.boolean = (x) }                         \
    }
#define POSENC__SET_TEXT(n, x)                                                                     \
    {                                                                                              \
        .name = (n), .value = {.kind = POSENC_TEXT, .as.text = (x) }                               \
    }
#define POSENC__SET_NULL(n)                                                                        \
    {                                                                                              \
        .name = (n), .value = {.kind = POSENC_NULL }                                               \
    }

/* What an operation takes, and what it gives. */
#define POSENC__GROUPS(...)  ((const struct posenc_parameter *const[]){__VA_ARGS__, NULL})
#define POSENC__TENSORS(...) ((const struct posenc_tensor_row[]){__VA_ARGS__, {.name = NULL}})

/*
 * Rows that mean the same wherever they stand, without what differs from table to table: in a row
 * {POSENC__BASE, .aliases = ..., .meaning = ...} the fields named here are set already.
 */
#define POSENC__WIDTH                                                                              \
    .name = "dim", .type = POSENC_TYPE_INTEGER, .minimum = 1, .maximum = POSENC_DIM_MAX
#define POSENC__HEADS                                                                              \
    .name = "heads", .type = POSENC_TYPE_INTEGER, .minimum = 1, .maximum = POSENC_HEADS_MAX,       \
    .aliases = POSENC__NAMES("num_heads", "n_heads"), .meaning = "attention heads"
#define POSENC__BASE                                                                               \
    .name = "base", .type = POSENC_TYPE_REAL, .flags = POSENC_ABOVE | POSENC_SEARCHED,             \
    POSENC__DEFAULT_NUMBER(10000), .minimum = 0, .maximum = INFINITY
#define POSENC__BASE_OF_WAVES                                                                      \
    POSENC__BASE, .meaning = "the largest time scale: wavelengths run from 2 pi towards 2 pi base"
#define POSENC__LENGTH                                                                             \
    .name = "length", .type = POSENC_TYPE_INTEGER, .flags = POSENC_OPTIONAL, .minimum = 0,         \
    .maximum = INFINITY, .aliases = POSENC__NAMES("max_len", "seq_len"),                           \
    .meaning = "number of positions: offset, offset + step, ..."
#define POSENC__OFFSET                                                                             \
    .name = "offset", .type = POSENC_TYPE_REAL, POSENC__DEFAULT_NUMBER(0),                         \
    .minimum = -POSENC_POSITION_MAX, .maximum = POSENC_POSITION_MAX,                               \
    .meaning = "the first position"
#define POSENC__STEP                                                                               \
    .name = "step", .type = POSENC_TYPE_REAL, POSENC__DEFAULT_NUMBER(1),                           \
    .minimum = -POSENC_POSITION_MAX, .maximum = POSENC_POSITION_MAX,                               \
    .meaning = "from one position to the next; may be negative or a fraction"

/* Tables. */

extern const struct posenc_parameter posenc__dtype_rows[];    /* dtype */
extern const struct posenc_parameter posenc__preset_rows[];   /* preset */
extern const struct posenc_parameter posenc__position_rows[]; /* length, offset, step, positions */
extern const struct posenc_parameter posenc__sequence_axis_rows[]; /* sequence_axis */
extern const struct posenc_parameter posenc__additive_rows[];      /* x */
extern const struct posenc_parameter posenc__scores_rows[];        /* scores */
extern const struct posenc_parameter posenc__query_key_rows[];     /* q, k */

#endif
