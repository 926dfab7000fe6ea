#include "upload.h"

#include <stdlib.h>
#include <string.h>

#define UPLOAD_CAPACITY_MIN 4096U

void upload_init(struct upload *upload, size_t bytes_max, _Atomic uint64_t *held, uint64_t held_max,
                 struct spares *spares)
{
    *upload = (struct upload){
        .bytes_max = bytes_max, .held = held, .held_max = held_max, .spares = spares};
}

static void upload_free_bytes(struct upload *upload)
{
    if (upload->is_large)
        spares_give(upload->spares, upload->bytes, upload->capacity);
    else
        free(upload->bytes);
    upload->bytes = NULL;
    upload->capacity = 0;
    upload->is_large = false;
}

/* Moves what has arrived into a room of at least `capacity` bytes. */
static bool upload_move(struct upload *upload, size_t capacity)
{
    size_t room_size;
    char *const room = spares_take(upload->spares, capacity, &room_size);

    if (!room)
        return false;
    if (upload->size > 0)
        memcpy(room, upload->bytes, upload->size);
    upload_free_bytes(upload);
    upload->bytes = room;
    upload->capacity = room_size;
    upload->is_large = true;
    return true;
}

static bool upload_grow(struct upload *upload, size_t capacity)
{
    if (capacity >= UPLOAD_LARGE_BYTES)
        return upload_move(upload, capacity);
    char *grown = realloc(upload->bytes, capacity);

    if (!grown)
        return false;
    upload->bytes = grown;
    upload->capacity = capacity;
    return true;
}

enum upload_outcome upload_reserve(struct upload *upload, uint64_t announced)
{
    if (announced > upload->bytes_max)
        return UPLOAD_TOO_LARGE;
    if (announced <= upload->capacity)
        return UPLOAD_OK;
    return upload_grow(upload, (size_t)announced) ? UPLOAD_OK : UPLOAD_NO_MEMORY;
}

/* Twice as much, but neither less than needed nor more than may ever come. */
static size_t upload_next_capacity(const struct upload *upload, size_t needed)
{
    size_t capacity =
        upload->capacity > UPLOAD_CAPACITY_MIN ? upload->capacity : UPLOAD_CAPACITY_MIN;

    while (capacity < needed && capacity <= upload->bytes_max / 2)
        capacity *= 2;
    return capacity < needed ? upload->bytes_max : capacity;
}

/* Counts bytes when they arrive, not when they are announced: announcing is free for a client. */
static bool upload_claim(struct upload *upload, size_t size)
{
    if (atomic_fetch_add(upload->held, size) + size <= upload->held_max)
        return true;
    atomic_fetch_sub(upload->held, size);
    return false;
}

enum upload_outcome upload_append(struct upload *upload, const char *bytes, size_t size)
{
    if (size > upload->bytes_max - upload->size)
        return UPLOAD_TOO_LARGE;
    if (size > upload->capacity - upload->size &&
        !upload_grow(upload, upload_next_capacity(upload, upload->size + size)))
        return UPLOAD_NO_MEMORY;
    if (!upload_claim(upload, size))
        return UPLOAD_NO_MEMORY;
    memcpy(upload->bytes + upload->size, bytes, size);
    upload->size += size;
    return UPLOAD_OK;
}

void upload_release(struct upload *upload)
{
    if (upload->size > 0)
        atomic_fetch_sub(upload->held, upload->size);
    upload_free_bytes(upload);
    upload->size = 0;
}
