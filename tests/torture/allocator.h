/*
 * An allocator that fails on purpose. It stands in for malloc and its kin in the whole program and
 * its libraries; in sanitized builds, whose own allocator must stay, only in our own objects, and
 * so for jansson. It counts and fails only between allocator_arm() and allocator_disarm(), and only
 * for the thread that armed it.
 */
#ifndef ALLOCATOR_H
#define ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>

enum allocator_failing {
    ALLOCATOR_FAILS_ONCE, /* the n-th allocation, counted from 0 */
    ALLOCATOR_FAILS_FROM, /* that one and all after it */
};

#define ALLOCATOR_NEVER ((size_t)-1)

/* From now on. */
void allocator_arm(size_t n, enum allocator_failing failing);

/* What happened since. */
struct allocator_report {
    size_t calls;  /* allocations that were asked for */
    size_t failed; /* of these */
    long live;     /* blocks allocated and not freed */
};

struct allocator_report allocator_disarm(void);

#endif
