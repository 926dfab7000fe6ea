/* Where queries and keys stand to each other: lengths, rows, the causal mask. */
#ifndef POSENC_RELATIVE_H
#define POSENC_RELATIVE_H

#include "inputs.h"
#include "internal.h"

/* As in shared_rows.h: what these rows share. */
#define POSENC__QUERY_LENGTH                                                                       \
    .name = "query_length", .type = POSENC_TYPE_INTEGER, .minimum = 0, .maximum = INFINITY,        \
    .aliases = POSENC__NAMES("q_len"), .meaning = "number of queries"
#define POSENC__KEY_LENGTH                                                                         \
    .name = "key_length", .type = POSENC_TYPE_INTEGER, .flags = POSENC_OPTIONAL,                   \
    .fallback_note = "query_length", .minimum = 0, .maximum = INFINITY,                            \
    .aliases = POSENC__NAMES("k_len"), .meaning = "number of keys"
#define POSENC__QUERY_OFFSET                                                                       \
    .name = "query_offset", .type = POSENC_TYPE_INTEGER,                                           \
    .meaning = "position of the first query, where the first key stands at 0"
#define POSENC__MASK                                                                               \
    .name = "mask", .type = POSENC_TYPE_CHOICE, .choices = POSENC__NAMES("none", "causal")

extern const struct posenc_parameter posenc__relative_rows[];      /* lengths and query_offset */
extern const struct posenc_parameter posenc__relative_mask_rows[]; /* mask, causal by default */

/* Query number i stands at position offset + i, key number j at position j. */
struct posenc__relative {
    size_t query_length, key_length;
    int64_t offset;
};

/*
 * Reads query_length, key_length (by default as many) and query_offset (by default the last query
 * stands at the last key). Every position and every difference of two is below 2^53 in magnitude.
 */
enum posenc_status posenc__settle_lengths(struct posenc_arguments *arguments,
                                          struct posenc__relative *lengths,
                                          struct posenc_problem *problem);

/* Takes lengths and query_offset out of the echo where the list `relative_positions` stands instead
 * of them; refuses those that the request gives. */
enum posenc_status posenc__drop_lengths(struct posenc_arguments *arguments,
                                        struct posenc_problem *problem);

/* True when the parameter `mask` hides keys after the query. */
bool posenc__is_causal(const struct posenc_arguments *arguments);

#endif
