/* What the tests of writers share: memory, a text to write to, and looks at the JSON that it holds.
 */
#ifndef WRITING_H
#define WRITING_H

#include <jansson.h>

#include "json_text.h"

/* Of one test; both are emptied by writing_end(). */
extern struct posenc_memory memory;
extern struct json_text written;

/* The fixtures of a suite: WRITING_SUITE(name) before its tests. Beginning anew ends what was. */
void writing_begin(void);
void writing_end(void);

#define WRITING_SUITE(name) TestSuite(name, .init = writing_begin, .fini = writing_end)

/* Expects exactly this text, and starts another. */
void expect_written(const char *expected);

/* What was written, as JSON; lives until writing_end(). Starts another text. */
const json_t *written_json(void);

/* The member that the names lead to, from object to object; NULL where one is missing. The last
 * argument is NULL. */
const json_t *look_at(const json_t *json, ...) __attribute__((sentinel));

/* The text there; "" where there is none. */
const char *look_at_text(const json_t *json, ...) __attribute__((sentinel));

/* Whether an array of texts, which may be NULL, holds this one. */
bool holds_text(const json_t *array, const char *text);

/* The names of an object's members in their order, separated by spaces; good until the next call.
 */
const char *names_of(const json_t *object);

#endif
