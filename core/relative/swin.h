/* Swin's parts: index and bias (swin.c), version 2's coordinates and gate (swin_coordinates.c). */
#ifndef POSENC_SWIN_H
#define POSENC_SWIN_H

#include "inputs.h"

/* Gated values that are worked out beforehand: 8 MiB, and about half a second. */
#define POSENC__SWIN_GATES_MAX ((size_t)1 << 20)

struct posenc__swin {
    unsigned version;
    bool has_class_token;
    size_t window[2];                 /* rows, columns */
    size_t pretrained[2];             /* version 2 */
    size_t tokens;                    /* with the class token */
    const struct posenc_array *table; /* or NULL: the table, or the network's output */
    size_t heads;
    const double *scales[2]; /* version 2: coordinate of each offset from 0 up, rows and columns */
    const double *gates;     /* version 2: the gated table; NULL: gated when filled */
};

/* Row of the table for two tokens. */
size_t posenc__swin_index(const struct posenc__swin *swin, size_t query, size_t key);

/* Works out version 2's coordinates, and the gated table where it is not too large. */
enum posenc_status posenc__swin_coordinates(struct posenc__swin *swin, struct posenc_memory *memory,
                                            struct posenc_problem *problem);

/* The tensor [2 rows - 1, 2 columns - 1, 2] of coordinates; a posenc__values. */
void posenc__swin_coordinate_values(const void *swin, size_t first, size_t count, double *out);

/* 16 sigmoid(x), right to an ulp. */
double posenc__swin_gate(double x);

#endif
