/*
 * The single tokens of JSON text (RFC 8259): spaces, numbers, strings, words; and, where the text
 * is wrong, the exact byte and a sentence that says what to do.
 */
#ifndef POSENC_JSON_TOKEN_H
#define POSENC_JSON_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

/* A place in a text, and why reading stopped there. */
struct json_cursor {
    const char *text;
    size_t size;
    size_t at;         /* bytes read */
    size_t text_bytes; /* of the strings read so far, without quotes and escapes decoded */
    size_t fault_at;   /* bytes before the fault */
    const char *fault; /* static storage; NULL while there is none */
    bool takes_words;  /* in arrays of numbers NaN, Infinity and -Infinity are some */
};

/* Notes a fault; returns false, so that readers can end with it. */
bool json_fail(struct json_cursor *cursor, size_t at, const char *fault);

/* The next byte, 0 to 255; -1 at the end. */
static inline int json_peek(const struct json_cursor *cursor)
{
    return cursor->at < cursor->size ? (unsigned char)cursor->text[cursor->at] : -1;
}

static inline void json_skip_space(struct json_cursor *cursor)
{
    for (; cursor->at < cursor->size; cursor->at++) {
        const char byte = cursor->text[cursor->at];

        if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t')
            return;
    }
}

/*
 * Reads a number to its end, which a space, comma, closing bracket or the end of the text must
 * follow. Beyond the doubles at either end is a fault: neither infinity nor zero was meant.
 */
bool json_read_number(struct json_cursor *cursor, double *value);

/* Goes past a string, from quote to quote; what is inside is checked: escapes, UTF-8, no NUL. */
bool json_skip_string(struct json_cursor *cursor);

/* Goes past true, false or null. */
bool json_skip_word(struct json_cursor *cursor);

/* Notes that a value is due where the cursor stands and that none does. */
bool json_fail_value(struct json_cursor *cursor);

#endif
