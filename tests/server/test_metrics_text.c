#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "metrics_rows.h"
#include "metrics_text.h"

static const char *bound(size_t index)
{
    static const char *const bounds[] = {"1.0", "2.5"};

    return bounds[index];
}

/* All four kinds, with a value that must be escaped. */
static char *write_all(bool is_openmetrics)
{
    static const struct metrics_family counter = {"a_bytes", METRICS_COUNTER, "bytes", "A."},
                                       gauge = {"b", METRICS_GAUGE, NULL, "B."},
                                       histogram = {"c_seconds", METRICS_HISTOGRAM, "seconds",
                                                    "C."},
                                       info = {"d", METRICS_INFO, NULL, "D."};
    static const uint64_t counts[] = {3, 0, 4};
    const struct metrics_label label = {"l", "a\"b\\c\nd{},"};
    const struct metrics_label labels[] = {{"x", "1"}, {"y", "2"}};
    struct json_text out = {0};
    struct metrics_text text = {.out = &out, .is_openmetrics = is_openmetrics};
    char *copy;

    metrics_begin(&text, &counter);
    metrics_sample(&text, NULL, 0, 9007199254740991.0);
    metrics_begin(&text, &gauge);
    metrics_sample(&text, &label, 1, -0.25);
    metrics_begin(&text, &histogram);
    metrics_histogram(&text, &labels[0], counts, 2, bound, 1.5);
    metrics_begin(&text, &info);
    metrics_sample(&text, labels, 2, 1.0);
    metrics_end(&text);
    copy = strndup(out.bytes, out.length);
    cr_assert(copy);
    json_text_release(&out);
    return copy;
}

Test(metrics_text, writes_the_prometheus_format)
{
    char *text = write_all(false);

    cr_expect_str_eq(text, "# HELP a_bytes_total A.\n"
                           "# TYPE a_bytes_total counter\n"
                           "a_bytes_total 9007199254740991\n"
                           "# HELP b B.\n"
                           "# TYPE b gauge\n"
                           "b{l=\"a\\\"b\\\\c\\nd{},\"} -0.250000\n"
                           "# HELP c_seconds C.\n"
                           "# TYPE c_seconds histogram\n"
                           "c_seconds_bucket{x=\"1\",le=\"1.0\"} 3\n"
                           "c_seconds_bucket{x=\"1\",le=\"2.5\"} 3\n"
                           "c_seconds_bucket{x=\"1\",le=\"+Inf\"} 7\n"
                           "c_seconds_sum{x=\"1\"} 1.500000\n"
                           "c_seconds_count{x=\"1\"} 7\n"
                           "# HELP d_info D.\n"
                           "# TYPE d_info gauge\n"
                           "d_info{x=\"1\",y=\"2\"} 1");
    free(text);
}

Test(metrics_text, writes_openmetrics)
{
    char *text = write_all(true);

    cr_expect_str_eq(text, "# HELP a_bytes A.\n"
                           "# TYPE a_bytes counter\n"
                           "# UNIT a_bytes bytes\n"
                           "a_bytes_total 9007199254740991\n"
                           "# HELP b B.\n"
                           "# TYPE b gauge\n"
                           "b{l=\"a\\\"b\\\\c\\nd{},\"} -0.250000\n"
                           "# HELP c_seconds C.\n"
                           "# TYPE c_seconds histogram\n"
                           "# UNIT c_seconds seconds\n"
                           "c_seconds_bucket{x=\"1\",le=\"1.0\"} 3\n"
                           "c_seconds_bucket{x=\"1\",le=\"2.5\"} 3\n"
                           "c_seconds_bucket{x=\"1\",le=\"+Inf\"} 7\n"
                           "c_seconds_sum{x=\"1\"} 1.500000\n"
                           "c_seconds_count{x=\"1\"} 7\n"
                           "# HELP d D.\n"
                           "# TYPE d info\n"
                           "d_info{x=\"1\",y=\"2\"} 1\n"
                           "# EOF");
    free(text);
}

/* What both formats demand of a row, so that a new one cannot break the page. */
Test(metrics_rows, keep_the_rules_of_names)
{
    const struct metrics_row *row;

    for (size_t i = 0; (row = metrics_row_at(i)) != NULL; i++) {
        const struct metrics_family *family = &row->family;
        const size_t length = strlen(family->name);

        cr_expect(row->read);
        cr_expect(family->kind == METRICS_COUNTER || family->kind == METRICS_GAUGE);
        cr_expect_eq(strspn(family->name, "abcdefghijklmnopqrstuvwxyz_"), length, "%s",
                     family->name);
        cr_expect_null(strstr(family->name, "_total"), "%s", family->name);
        cr_expect_null(strpbrk(family->help, "\n\\"), "%s", family->name);
        if (family->unit)
            cr_expect_str_eq(family->name + length - strlen(family->unit), family->unit);
        for (size_t k = 0; k < i; k++)
            cr_expect_str_neq(metrics_row_at(k)->family.name, family->name);
    }
}
