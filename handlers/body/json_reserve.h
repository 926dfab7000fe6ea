/*
 * Memory for jansson while it reads one body, taken beforehand. When an allocation fails in its
 * lexer, jansson 2.14 goes on without the byte that had no room; when that byte closes a text, it
 * reads on behind its buffer. So none may fail: what it can need at most is reserved, or the body
 * is not read at all.
 */
#ifndef POSENC_JSON_RESERVE_H
#define POSENC_JSON_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

#include "posenc.h"

/* Gives jansson its allocator; once in a process, before it has any value and any other thread. */
void json_reserve_install(void);

struct json_reserve {
    const struct posenc_watch *watch;
    char *bytes;
    size_t size;
};

/*
 * Reserves, for this thread, what jansson needs at most for a text of `size` bytes and `values`
 * values, names not counted; false, and nothing to end, when memory is out. `watch` may be NULL.
 */
bool json_reserve_begin(struct json_reserve *reserve, const struct posenc_watch *watch, size_t size,
                        size_t values);

/* Every value that was made since must have been released. */
void json_reserve_end(struct json_reserve *reserve);

#endif
