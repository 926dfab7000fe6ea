/* A query string (application/x-www-form-urlencoded, WHATWG URL) as an object of untyped values. */
#ifndef POSENC_QUERY_H
#define POSENC_QUERY_H

#include "name_tree.h"

#define QUERY_MEMBERS_MAX NAME_TREE_MAX       /* names, the dotted ones included */
#define QUERY_DEPTH_MAX   NAME_TREE_DEPTH_MAX /* dots in a name */

/*
 * Reads `query` ("a=1&scaling.factor=4", not decoded): percent escapes and '+' are decoded once,
 * dotted names make nested objects, each value is POSENC_UNTYPED with its comma-separated numbers
 * read when all pieces are numbers that fit a double (the words NaN, Infinity and -Infinity count
 * as numbers). A name without '=' is the empty text. Refused: bad escapes, NUL and bytes that are
 * not UTF-8, an empty name, a name given twice (the problem names it), a name that is both a value
 * and an object.
 */
bool read_query(const char *query, struct posenc_memory *memory, struct posenc_value *object,
                struct body_problem *problem);

/*
 * One value as a query has it, decoded: POSENC_UNTYPED, with its comma-separated numbers where all
 * pieces are some. The text must outlive the value. False when memory is out.
 */
bool read_untyped(const char *text, struct posenc_memory *memory, struct posenc_value *value);

#endif
