/*
 * Metrics of one value without labels, as rows of data: a new gauge is one row in metrics_rows.c
 * and a function that reads it.
 */
#ifndef METRICS_ROWS_H
#define METRICS_ROWS_H

#include "metrics_text.h"

struct server;

struct metrics_row {
    struct metrics_family family;                /* a counter or a gauge */
    double (*read)(const struct server *server); /* by any thread, at any time */
};

/* NULL past the last. */
const struct metrics_row *metrics_row_at(size_t index);

#endif
