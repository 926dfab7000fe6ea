/*
 * Writing metrics as text: OpenMetrics 1.0, or the Prometheus format 0.0.4, which differs in where
 * "_total" and "_info" stand, and in having neither units nor an end mark.
 */
#ifndef METRICS_TEXT_H
#define METRICS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json_text.h"

enum metrics_kind { METRICS_COUNTER, METRICS_GAUGE, METRICS_HISTOGRAM, METRICS_INFO };

/* A family; its samples follow. */
struct metrics_family {
    const char *name; /* without the "_total" of counters and the "_info" of infos */
    enum metrics_kind kind;
    const char *unit; /* "seconds", "bytes", which the name then ends in; or NULL */
    const char *help; /* one line without backslashes */
};

struct metrics_text {
    struct json_text *out; /* where memory that runs out is noted */
    bool is_openmetrics;
    const struct metrics_family *family;
};

struct metrics_label {
    const char *name;
    const char *value; /* any text */
};

/* The lines that tell what follows. */
void metrics_begin(struct metrics_text *text, const struct metrics_family *family);

/* One sample of a counter, gauge or info; labels may be NULL when label_count is 0. */
void metrics_sample(struct metrics_text *text, const struct metrics_label *labels,
                    size_t label_count, double value);

/*
 * A histogram of one label: counts of buckets, each for itself, the last without a bound; bounds
 * by index; and the sum of all observations.
 */
void metrics_histogram(struct metrics_text *text, const struct metrics_label *label,
                       const uint64_t *counts, size_t bounds, const char *(*bound)(size_t index),
                       double sum);

/* What must stand at the end; the last line's own end is left out. */
void metrics_end(struct metrics_text *text);

#endif
