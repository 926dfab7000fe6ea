/*
 * Rooms of large bodies that are kept for the next ones. Fresh pages cost more than all else that
 * is done to an upload; what lies here has pages. While it lies, the kernel may take them back
 * when memory is short (MADV_FREE), so that it costs nobody anything.
 */
#ifndef SPARES_H
#define SPARES_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define SPARES_MAX       4U                 /* rooms kept at one time */
#define SPARES_BYTES_MAX ((size_t)64 << 20) /* of all of them together */

struct spare {
    void *room;
    size_t size;
};

/* Any number of threads. */
struct spares {
    pthread_mutex_t mutex;
    struct spare kept[SPARES_MAX];
    size_t count;
    size_t bytes;
    uint64_t mapped, mapped_max; /* bytes of rooms that are kept or taken */
};

/* Rooms may have `mapped_max` bytes of addresses together: where these are scarce, a body that is
 * only announced takes them from everybody. */
void spares_init(struct spares *spares, uint64_t mapped_max);

/* Unmaps what is kept. Nobody may use the spares any more. */
void spares_release(struct spares *spares);

/*
 * A mapped room of at least `size` bytes, whole pages of arbitrary contents, and its size; NULL
 * when memory is out, or the rooms' share of addresses. What is not written has no pages yet, or
 * old ones.
 */
void *spares_take(struct spares *spares, size_t size, size_t *room_size);

/* Gives a room back, to be kept or unmapped. */
void spares_give(struct spares *spares, void *room, size_t size);

#endif
