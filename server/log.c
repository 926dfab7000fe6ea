#include "log.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "log_limit.h"
#include "log_queue.h"
#include "utc.h"

#define LOG_END_ROOM 4 /* for the bytes that end a line */

const char *const log_format_names[] = {"logfmt", "json", NULL};
const char *const log_level_names[] = {"info", "warn", "error", "none", NULL};
const char *const log_drop_names[LOG_DROPS] = {
    "more served requests a second than are logged",
    "more refused requests a second than are logged",
    "more failed requests a second than are logged",
    "standard error is read too slowly",
    "standard error cannot be written",
};

static void log_put(struct log_line *line, char c)
{
    if (line->used < LOG_LINE_MAX - LOG_END_ROOM)
        line->text[line->used++] = c;
}

static void log_put_text(struct log_line *line, const char *text)
{
    for (; *text; text++)
        log_put(line, *text);
}

/* At least `count` decimal digits, with leading zeros; a line has several, and printf is slow. */
static void log_put_digits(struct log_line *line, uint64_t number, size_t count)
{
    char digits[20];
    size_t first = sizeof(digits);

    for (; number > 0 || first > sizeof(digits) - count; number /= 10)
        digits[--first] = (char)('0' + number % 10);
    for (; first < sizeof(digits); first++)
        log_put(line, digits[first]);
}

/*
 * Bytes outside printable ASCII become \u00XX, also those of UTF-8: a line must stay one line and
 * valid JSON whatever a client sends, and must not steer a terminal.
 */
static void log_put_escaped(struct log_line *line, const char *text)
{
    static const char hex[] = "0123456789abcdef";
    size_t kept = 0;

    for (; kept < LOG_TEXT_MAX && text[kept]; kept++) {
        const unsigned char c = (unsigned char)text[kept];

        /* An escape that does not fit whole would break the quoting. */
        if (line->used + sizeof("\\u0000") > LOG_LINE_MAX - LOG_END_ROOM)
            return;
        if (c < 0x20 || c >= 0x7f) {
            log_put_text(line, "\\u00");
            log_put(line, hex[c >> 4]);
            log_put(line, hex[c & 15]);
            continue;
        }
        if (c == '"' || c == '\\')
            log_put(line, '\\');
        log_put(line, (char)c);
    }
    if (text[kept])
        log_put_text(line, "...");
}

static bool log_needs_quotes(const char *text)
{
    for (const char *at = text; *at; at++) {
        const unsigned char c = (unsigned char)*at;

        if (c <= ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '=')
            return true;
    }
    return *text == '\0';
}

static void log_put_name(struct log_line *line, const char *name)
{
    const bool is_json = line->log->format == LOG_JSON;

    if (line->used > (is_json ? 1U : 0U))
        log_put(line, is_json ? ',' : ' ');
    if (is_json)
        log_put(line, '"');
    log_put_text(line, name);
    log_put_text(line, is_json ? "\":" : "=");
}

/* A value that cannot begin in the room that is left is dropped with its name. */
static bool log_has_room(const struct log_line *line, const char *name)
{
    return line->log && line->used + strlen(name) + 40 < LOG_LINE_MAX - LOG_END_ROOM;
}

void log_add_text(struct log_line *line, const char *name, const char *value)
{
    bool is_quoted;

    if (!log_has_room(line, name))
        return;
    is_quoted = line->log->format == LOG_JSON || log_needs_quotes(value);
    log_put_name(line, name);
    if (is_quoted)
        line->text[line->used++] = '"';
    log_put_escaped(line, value);
    if (is_quoted)
        line->text[line->used++] = '"'; /* LOG_END_ROOM keeps a byte for it */
}

void log_add_number(struct log_line *line, const char *name, uint64_t value)
{
    if (!log_has_room(line, name))
        return;
    log_put_name(line, name);
    log_put_digits(line, value, 1);
}

void log_add_ms(struct log_line *line, const char *name, uint64_t microseconds)
{
    if (!log_has_room(line, name))
        return;
    log_put_name(line, name);
    log_put_digits(line, microseconds / 1000, 1);
    log_put(line, '.');
    log_put_digits(line, microseconds % 1000, 3);
}

static void log_add_time(struct log_line *line)
{
    char text[UTC_SIZE];
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now); /* cannot fail for this clock */
    utc_print(&now, text);
    log_add_text(line, "ts", text);
}

void log_begin(struct log_line *line, const struct log *log, enum log_level level,
               const char *message)
{
    line->log = level >= log->level && level < LOG_NONE ? log : NULL;
    line->used = 0;
    if (!line->log)
        return;
    if (log->format == LOG_JSON)
        log_put(line, '{');
    log_add_time(line);
    log_add_text(line, "level", log_level_names[level]);
    log_add_text(line, "msg", message);
}

void log_end(struct log_line *line)
{
    ssize_t written;

    if (!line->log)
        return;
    if (line->log->format == LOG_JSON)
        line->text[line->used++] = '}';
    line->text[line->used++] = '\n';
    if (line->log->queue) {
        log_queue_put(line->log->queue, line->text, line->used);
        return;
    }
    /* A full disk or a closed pipe must not stop the service, and there is nobody to tell. */
    written = write(line->log->fd, line->text, line->used);
    (void)written;
}

bool log_admits(const struct log *log, enum log_kind kind, uint64_t now_ms)
{
    static const enum log_drop drops[LOG_KINDS] = {LOG_DROP_SERVED, LOG_DROP_REFUSED,
                                                   LOG_DROP_FAILED};

    if (!log->limit || log_limit_admits(log->limit, kind, now_ms))
        return true;
    atomic_fetch_add(&log->drops->counts[drops[kind]], 1);
    if (log->queue)
        log_queue_wake(log->queue);
    return false;
}

void log_note(const struct log *log, enum log_level level, const char *message, const char *name,
              const char *value)
{
    struct log_line line;

    log_begin(&line, log, level, message);
    log_add_text(&line, name, value);
    log_end(&line);
}
