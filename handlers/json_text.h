/*
 * Writing JSON text: documents, problems, echoes. Commas are placed by looking at the last byte, so
 * that calls read like the document. A writer that runs out of memory notes it in `failed` and goes
 * on writing nothing.
 */
#ifndef POSENC_JSON_TEXT_H
#define POSENC_JSON_TEXT_H

#include "posenc.h"

struct json_text {
    char *bytes; /* owned; not ended by a NUL byte */
    size_t length, capacity;
    bool failed;
    const struct posenc_watch *watch; /* asked before `bytes` grows; NULL: nobody is */
};

void json_text_release(struct json_text *text);

void json_text_begin_object(struct json_text *text);
void json_text_end_object(struct json_text *text);
void json_text_begin_array(struct json_text *text);
void json_text_end_array(struct json_text *text);
void json_text_key(struct json_text *text, const char *name);

void json_text_string(struct json_text *text,
                      const char *string); /* NULL: null; bytes that are not UTF-8 become U+FFFD */
void json_text_number(struct json_text *text, double number);
void json_text_integer(struct json_text *text, int64_t integer);
void json_text_boolean(struct json_text *text, bool boolean);
void json_text_null(struct json_text *text);
void json_text_value(
    struct json_text *text,
    const struct posenc_value *value); /* any kind; arrays nested by axis; a ragged one,
                                          whose numbers nobody kept, is null */

/* A member in one call. */
void json_text_member_string(struct json_text *text, const char *name, const char *string);
/* A member whose text is the JSON that was written into nested, which is released. */
void json_text_member_nested(struct json_text *text, const char *name, struct json_text *nested);
void json_text_member_integer(struct json_text *text, const char *name, int64_t integer);
void json_text_member_boolean(struct json_text *text, const char *name, bool boolean);
void json_text_member_value(struct json_text *text, const char *name,
                            const struct posenc_value *value);

/* Bytes as they are: line ends between members, or text made elsewhere. */
void json_text_raw(struct json_text *text, const char *bytes, size_t count);

/*
 * Appends compact JSON text as people read it: one member a line, two spaces of indentation for
 * each of the `depth` levels outside and each inside; arrays of scalars stay on their line.
 */
void json_text_raw_indented(struct json_text *text, const char *compact, size_t count,
                            size_t depth);

#endif
