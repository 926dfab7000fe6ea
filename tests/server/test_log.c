#include <criterion/criterion.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "log.h"

/* Writes one line with one text value and returns it. */
static void write_line(enum log_format format, const char *value, char out[LOG_LINE_MAX + 1])
{
    struct log log = {.format = format, .level = LOG_INFO};
    struct log_line line;
    ssize_t got;
    int ends[2];

    cr_assert_eq(pipe2(ends, O_NONBLOCK), 0);
    log.fd = ends[1];
    log_begin(&line, &log, LOG_WARN, "request");
    log_add_text(&line, "path", value);
    log_add_number(&line, "status", 200);
    log_add_ms(&line, "duration_ms", 1234567);
    log_end(&line);
    got = read(ends[0], out, LOG_LINE_MAX);
    cr_assert_gt(got, 0);
    out[got] = '\0';
    (void)close(ends[0]);
    (void)close(ends[1]);
}

Test(log, quotes_logfmt_only_where_needed)
{
    char line[LOG_LINE_MAX + 1];

    write_line(LOG_LOGFMT, "/v1/rope", line);
    cr_expect(strstr(line, " level=warn msg=request path=/v1/rope status=200 "
                           "duration_ms=1234.567\n"),
              "%s", line);
    cr_expect_eq(strncmp(line, "ts=2", 4), 0, "%s", line);
    write_line(LOG_LOGFMT, "a b=\"c\"\\\n\x7f\xff", line);
    cr_expect(strstr(line, " path=\"a b=\\\"c\\\"\\\\\\u000a\\u007f\\u00ff\" "), "%s", line);
    write_line(LOG_LOGFMT, "", line);
    cr_expect(strstr(line, " path=\"\" "), "%s", line);
}

Test(log, writes_json_that_a_parser_reads_back)
{
    static const char value[] = "a \"b\"\\\r\n\t\x01{}=\x7f";
    char line[LOG_LINE_MAX + 1];
    json_t *object;

    write_line(LOG_JSON, value, line);
    object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    cr_assert(object, "%s", line);
    cr_expect_str_eq(json_string_value(json_object_get(object, "path")), value);
    cr_expect_str_eq(json_string_value(json_object_get(object, "level")), "warn");
    cr_expect_eq(json_integer_value(json_object_get(object, "status")), 200);
    cr_expect(json_is_real(json_object_get(object, "duration_ms")));
    json_decref(object);
}

Test(log, cuts_long_values_and_stays_one_valid_line)
{
    static char value[100000];
    char line[LOG_LINE_MAX + 1];

    for (int c = 1; c < 256; c += 31) {
        json_t *object;

        memset(value, c, sizeof(value) - 1);
        write_line(LOG_JSON, value, line);
        object = json_loads(line, 0, NULL);
        cr_assert(object, "%s", line);
        cr_expect_eq(json_integer_value(json_object_get(object, "status")), 200);
        json_decref(object);
        cr_expect(strstr(line, "...\""), "%s", line);
        cr_expect_eq(strchr(line, '\n'), line + strlen(line) - 1);
    }
}

Test(log, never_outgrows_its_line)
{
    static char value[LOG_TEXT_MAX * 2];
    struct log log = {.format = LOG_JSON};
    char out[LOG_LINE_MAX + 1];
    struct log_line line;
    json_t *object;
    ssize_t got;
    int ends[2];

    memset(value, '\n', sizeof(value) - 1); /* six bytes each when escaped */
    cr_assert_eq(pipe2(ends, O_NONBLOCK), 0);
    log.fd = ends[1];
    log_begin(&line, &log, LOG_INFO, "m");
    for (unsigned i = 0; i < 100; i++) {
        char name[8];

        (void)snprintf(name, sizeof(name), "v%u", i);
        log_add_text(&line, name, value);
        cr_assert_leq(line.used, LOG_LINE_MAX - 2);
    }
    log_end(&line);
    got = read(ends[0], out, LOG_LINE_MAX);
    cr_assert_gt(got, LOG_LINE_MAX / 2);
    out[got] = '\0';
    object = json_loads(out, 0, NULL);
    cr_expect(object, "%s", out);
    json_decref(object);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

Test(log, leaves_out_what_is_below_its_level)
{
    struct log log = {.level = LOG_ERROR};
    char out[LOG_LINE_MAX + 1];
    ssize_t got;
    int ends[2];

    cr_assert_eq(pipe2(ends, O_NONBLOCK), 0);
    log.fd = ends[1];
    log_note(&log, LOG_WARN, "quiet", "a", "b");
    log_note(&log, LOG_ERROR, "loud", "a", "b");
    log.level = LOG_NONE;
    log_note(&log, LOG_ERROR, "silent", "a", "b");
    got = read(ends[0], out, LOG_LINE_MAX);
    cr_assert_gt(got, 0);
    out[got] = '\0';
    cr_expect(strstr(out, "msg=loud a=b\n"));
    cr_expect_not(strstr(out, "quiet"));
    cr_expect_not(strstr(out, "silent"));
    (void)close(ends[0]);
    (void)close(ends[1]);
}

Test(log, goes_on_when_nobody_can_be_told)
{
    const struct log log = {.fd = -1};

    log_note(&log, LOG_ERROR, "unheard", "a", "b"); /* must return */
    cr_expect_eq(log.fd, -1);
}
