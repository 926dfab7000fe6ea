/* A block of a response's body that a worker has made before the connection takes it. */
#ifndef AHEAD_H
#define AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "budget.h"
#include "exchange.h"

/* Zeroed is empty. */
struct ahead {
    char *bytes; /* owned; their capacity is taken from a budget */
    size_t capacity;
    uint64_t offset; /* of the first byte in the body */
    size_t size;
    bool is_last, has_failed; /* read() has said that none follow */
};

/* Makes room once, for all blocks; false when memory is out. capacity is at least 1. */
bool ahead_make_room(struct ahead *ahead, size_t capacity, struct budget *budget);

/* Frees it. Safe twice. */
void ahead_release(struct ahead *ahead, struct budget *budget);

/* Makes the block that follows the last one, or what stands in its place. */
void ahead_fill(struct ahead *ahead, const struct response *response);

/* Writes up to size bytes from that offset of the body on; how many, 0 when the block has no more.
 * The offset lies not before the block. */
size_t ahead_take(const struct ahead *ahead, uint64_t offset, char *buffer, size_t size);

#endif
