#include "metrics_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define METRICS_NUMBER_MAX 64
#define METRICS_EXACT_MAX  9007199254740992.0 /* 2^53 */

static void metrics_put(struct metrics_text *text, const char *string)
{
    json_text_raw(text->out, string, strlen(string));
}

static const char *metrics_kind_name(const struct metrics_text *text, enum metrics_kind kind)
{
    switch (kind) {
    case METRICS_COUNTER:
        return "counter";
    case METRICS_GAUGE:
        return "gauge";
    case METRICS_HISTOGRAM:
        return "histogram";
    case METRICS_INFO:
        break;
    }
    return text->is_openmetrics ? "info" : "gauge";
}

/* What samples of such a family bear behind its name. */
static const char *metrics_suffix(enum metrics_kind kind)
{
    if (kind == METRICS_COUNTER)
        return "_total";
    return kind == METRICS_INFO ? "_info" : "";
}

/* "# TYPE name value"; the older format knows samples' names only. */
static void metrics_put_about(struct metrics_text *text, const char *word, const char *value)
{
    metrics_put(text, "# ");
    metrics_put(text, word);
    metrics_put(text, " ");
    metrics_put(text, text->family->name);
    if (!text->is_openmetrics)
        metrics_put(text, metrics_suffix(text->family->kind));
    metrics_put(text, " ");
    metrics_put(text, value);
    metrics_put(text, "\n");
}

void metrics_begin(struct metrics_text *text, const struct metrics_family *family)
{
    text->family = family;
    metrics_put_about(text, "HELP", family->help);
    metrics_put_about(text, "TYPE", metrics_kind_name(text, family->kind));
    if (text->is_openmetrics && family->unit)
        metrics_put_about(text, "UNIT", family->unit);
}

/* Backslash, quote and line end are escaped; other bytes stand as they are. */
static void metrics_put_value(struct metrics_text *text, const char *value)
{
    for (; *value; value++) {
        if (*value == '\n') {
            metrics_put(text, "\\n");
            continue;
        }
        if (*value == '\\' || *value == '"')
            metrics_put(text, "\\");
        json_text_raw(text->out, value, 1);
    }
}

static void metrics_put_label(struct metrics_text *text, const char *before,
                              const struct metrics_label *label)
{
    metrics_put(text, before);
    metrics_put(text, label->name);
    metrics_put(text, "=\"");
    metrics_put_value(text, label->value);
    metrics_put(text, "\"");
}

static void metrics_put_number(struct metrics_text *text, double value)
{
    char number[METRICS_NUMBER_MAX];

    if (value == floor(value) && fabs(value) <= METRICS_EXACT_MAX)
        (void)snprintf(number, sizeof(number), " %.0f\n", value);
    else
        (void)snprintf(number, sizeof(number), " %.6f\n", value);
    metrics_put(text, number);
}

static void metrics_put_sample(struct metrics_text *text, const char *suffix,
                               const struct metrics_label *labels, size_t label_count, double value)
{
    metrics_put(text, text->family->name);
    metrics_put(text, suffix);
    for (size_t i = 0; i < label_count; i++)
        metrics_put_label(text, i == 0 ? "{" : ",", &labels[i]);
    if (label_count > 0)
        metrics_put(text, "}");
    metrics_put_number(text, value);
}

void metrics_sample(struct metrics_text *text, const struct metrics_label *labels,
                    size_t label_count, double value)
{
    metrics_put_sample(text, metrics_suffix(text->family->kind), labels, label_count, value);
}

void metrics_histogram(struct metrics_text *text, const struct metrics_label *label,
                       const uint64_t *counts, size_t bounds, const char *(*bound)(size_t index),
                       double sum)
{
    struct metrics_label labels[2] = {*label, {.name = "le"}};
    uint64_t count = 0;

    for (size_t i = 0; i <= bounds; i++) {
        count += counts[i];
        labels[1].value = i < bounds ? bound(i) : "+Inf";
        metrics_put_sample(text, "_bucket", labels, 2, (double)count);
    }
    metrics_put_sample(text, "_sum", label, 1, sum);
    metrics_put_sample(text, "_count", label, 1, (double)count);
}

void metrics_end(struct metrics_text *text)
{
    if (text->is_openmetrics)
        metrics_put(text, "# EOF");
    else if (text->out->length > 0)
        text->out->length--;
}
