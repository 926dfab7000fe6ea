/*
 * Texts that are JSON (RFC 8259), are not, or may or may not be, named as parsers' test suites name
 * them: y_ must be read, n_ must be refused, i_ is for the parser to decide.
 */
#ifndef JSON_VERDICT_H
#define JSON_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

struct json_case {
    const char *row;
    const char *name;
    const char *bytes;
    size_t size;
    bool is_read; /* our verdict */
};

/*
 * Asserts the verdict of the reader of bodies, from a copy that ends where its allocation does; and
 * that a request with a body that it refuses gets a 400 which says where the fault is.
 */
void expect_json_verdicts(const struct json_case *cases, size_t count);

#endif
