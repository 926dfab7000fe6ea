/* A request's body while it arrives, under two limits: its own, and one for all bodies together. */
#ifndef UPLOAD_H
#define UPLOAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spares.h"

#define UPLOAD_LARGE_BYTES ((size_t)1 << 20) /* from here on a body has a room of its own pages */

enum upload_outcome { UPLOAD_OK, UPLOAD_TOO_LARGE, UPLOAD_NO_MEMORY };

struct upload {
    char *bytes; /* owned; size of them have arrived */
    size_t size, capacity;
    bool is_large;         /* bytes is a room of the spares */
    struct spares *spares; /* borrowed */
    size_t bytes_max;
    uint64_t held_max;      /* of all bodies */
    _Atomic uint64_t *held; /* counts the bytes of all bodies; borrowed */
};

/* Nothing is allocated yet. */
void upload_init(struct upload *upload, size_t bytes_max, _Atomic uint64_t *held, uint64_t held_max,
                 struct spares *spares);

/* Makes room for an announced size at once: growing would copy. */
enum upload_outcome upload_reserve(struct upload *upload, uint64_t announced);

/* On failure what had arrived is kept. */
enum upload_outcome upload_append(struct upload *upload, const char *bytes, size_t size);

/* Frees the bytes and gives them back to the common count. Safe twice. */
void upload_release(struct upload *upload);

#endif
