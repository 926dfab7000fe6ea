/*
 * Log lines, logfmt or JSON, each written by one write(), so that lines of different threads do
 * not mix. A line is built in the caller's memory and cut rather than grown.
 */
#ifndef LOG_H
#define LOG_H

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

/* Where and how to log. Read-only once threads run. */
struct log {
    int fd;
    enum log_format format;
    enum log_level level; /* least level written */
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

/* A line of a message and one text. */
void log_note(const struct log *log, enum log_level level, const char *message, const char *name,
              const char *value);

#endif
