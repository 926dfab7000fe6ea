/*
 * Log lines, logfmt or JSON, each written by one write(), so that lines of different threads do
 * not mix. A line is built in the caller's memory and cut rather than grown.
 */
#ifndef LOG_H
#define LOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOG_LINE_MAX 4096
#define LOG_TEXT_MAX 256 /* bytes of one value that are kept, before escapes */

enum log_format { LOG_LOGFMT, LOG_JSON };
enum log_level { LOG_INFO, LOG_WARN, LOG_ERROR, LOG_NONE };

/* Indexed by the enums; each ends in NULL. */
extern const char *const log_format_names[];
extern const char *const log_level_names[];

/* How a request ended: answered, answered with 4xx, or with 5xx or not at all. */
enum log_kind { LOG_SERVED, LOG_REFUSED, LOG_FAILED, LOG_KINDS };

/* Why a line was not written: more of that kind than the limit allows, or trouble with fd. */
enum log_drop {
    LOG_DROP_SERVED,
    LOG_DROP_REFUSED,
    LOG_DROP_FAILED,
    LOG_DROP_SLOW,
    LOG_DROP_UNWRITABLE,
    LOG_DROPS
};

/* For people. */
extern const char *const log_drop_names[LOG_DROPS];

/* Lines dropped since the start. */
struct log_drops {
    _Atomic uint64_t counts[LOG_DROPS];
};

struct log_limit;
struct log_queue;

/* Where and how to log. Read-only once threads run. What it points to is borrowed. */
struct log {
    int fd;
    enum log_format format;
    enum log_level level;    /* least level written */
    struct log_limit *limit; /* NULL: there is none */
    struct log_drops *drops; /* due where limit or queue is */
    struct log_queue *queue; /* NULL: lines are written at once */
};

struct log_line {
    const struct log *log; /* NULL: below the level, nothing is kept */
    size_t used;
    char text[LOG_LINE_MAX];
};

/* Starts a line with its time, level and message; then values; then log_end() writes it. */
void log_begin(struct log_line *line, const struct log *log, enum log_level level,
               const char *message);
void log_add_text(struct log_line *line, const char *name, const char *value);
void log_add_number(struct log_line *line, const char *name, uint64_t value);
void log_add_ms(struct log_line *line, const char *name, uint64_t microseconds);
void log_end(struct log_line *line);

/* Whether a line of a request that ended so is to be written; if not, it is counted as dropped. */
bool log_admits(const struct log *log, enum log_kind kind, uint64_t now_ms);

/* A line of a message and one text. */
void log_note(const struct log *log, enum log_level level, const char *message, const char *name,
              const char *value);

#endif
