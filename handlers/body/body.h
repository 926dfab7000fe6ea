/*
 * A JSON body (RFC 8259) as a value. jansson reads what is small; arrays of numbers go past it,
 * through a reader of our own, straight into doubles (40 bytes and 270 ns a number become 8 and
 * 20).
 */
#ifndef POSENC_BODY_H
#define POSENC_BODY_H

#include "body_problem.h"
#include "posenc.h"

/*
 * Reads body_size bytes. Numbers are doubles (the nearest to the decimal); a number beyond the
 * doubles or between them and zero, a duplicate key, a token that RFC 8259 does not know, bytes
 * after the end, bad UTF-8,
 * "\u0000" and too much nesting are problems. Arrays whose leaves are all numbers (or the strings
 * "NaN", "Infinity", "-Infinity") become POSENC_ARRAY values of any rank up to POSENC_RANK_MAX, or
 * POSENC_RAGGED; an empty array is a POSENC_ARRAY of shape [0]; other arrays become POSENC_LIST.
 * What it makes lives in `memory`.
 */
bool read_json_body(const char *body, size_t body_size, struct posenc_memory *memory,
                    struct posenc_value *value, struct body_problem *problem);

/* The same where arrays of numbers may hold the tokens NaN, Infinity and -Infinity, which are not
 * JSON, though Python's writers of it write them. */
bool read_python_body(const char *body, size_t body_size, struct posenc_memory *memory,
                      struct posenc_value *value, struct body_problem *problem);

#endif
