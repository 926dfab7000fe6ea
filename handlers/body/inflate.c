#include "inflate.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#define ZLIB_CONST /* input is const */
#include <zlib.h>

#define GZIP_WINDOW  (15 + 16) /* 16: gzip, and nothing else */
#define CAPACITY_MIN ((size_t)4096)
#define CALL_BYTES   ((size_t)1 << 30) /* zlib counts in unsigned int */
#define PACKED_GUESS 4                 /* how many bytes a byte will make, to begin with */

struct unpacking {
    z_stream stream;
    const char *packed;
    size_t left; /* of the packed bytes */
    char *bytes; /* owned */
    size_t size, capacity;
    size_t limit; /* one more byte is made, to see that there are more */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t limit_of(size_t packed_size, size_t bytes_max)
{
    size_t dense;

    if (__builtin_mul_overflow(packed_size, INFLATE_RATIO_MAX, &dense))
        dense = SIZE_MAX;
    return smaller(smaller(bytes_max, SIZE_MAX - 1),
                   dense > INFLATE_FREE_BYTES ? dense : INFLATE_FREE_BYTES);
}

/* Makes room for twice as much, and no more than may come. */
static bool grow(struct unpacking *unpacking)
{
    size_t capacity = unpacking->capacity;
    char *grown;

    capacity = capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * capacity;
    capacity = smaller(capacity, unpacking->limit + 1);
    grown = realloc(unpacking->bytes, capacity);
    if (!grown)
        return false;
    unpacking->bytes = grown;
    unpacking->capacity = capacity;
    return true;
}

/* Unpacks as far as there is room; the status is zlib's. */
static int advance(struct unpacking *unpacking)
{
    z_stream *stream = &unpacking->stream;
    const uInt in = (uInt)smaller(unpacking->left, CALL_BYTES);
    const uInt out = (uInt)smaller(unpacking->capacity - unpacking->size, CALL_BYTES);
    int status;

    stream->next_in = (const unsigned char *)unpacking->packed;
    stream->avail_in = in;
    stream->next_out = (unsigned char *)unpacking->bytes + unpacking->size;
    stream->avail_out = out;
    status = inflate(stream, Z_NO_FLUSH);
    unpacking->packed += in - stream->avail_in;
    unpacking->left -= in - stream->avail_in;
    unpacking->size += out - stream->avail_out;
    return status;
}

static enum inflate_outcome unpack(struct unpacking *unpacking, size_t bytes_max)
{
    for (;;) {
        const int status = advance(unpacking);

        if (unpacking->size > unpacking->limit)
            return unpacking->limit == bytes_max ? INFLATE_TOO_LARGE : INFLATE_TOO_DENSE;
        if (status == Z_STREAM_END && unpacking->left == 0)
            return INFLATE_OK;
        if (status == Z_STREAM_END && inflateReset(&unpacking->stream) == Z_OK)
            continue;
        if (status == Z_MEM_ERROR)
            return INFLATE_NO_MEMORY;
        if (status != Z_OK && status != Z_BUF_ERROR)
            return INFLATE_BROKEN;
        if (unpacking->size < unpacking->capacity && unpacking->left == 0)
            return INFLATE_BROKEN;
        if (unpacking->size == unpacking->capacity && !grow(unpacking))
            return INFLATE_NO_MEMORY;
    }
}

enum inflate_outcome inflate_gzip(const char *packed, size_t packed_size, size_t bytes_max,
                                  char **unpacked, size_t *unpacked_size)
{
    struct unpacking unpacking = {.packed = packed, .left = packed_size};
    enum inflate_outcome outcome = INFLATE_NO_MEMORY;

    unpacking.limit = limit_of(packed_size, bytes_max);
    unpacking.capacity =
        smaller(unpacking.limit + 1, packed_size > SIZE_MAX / PACKED_GUESS - CAPACITY_MIN
                                         ? SIZE_MAX
                                         : PACKED_GUESS * packed_size + CAPACITY_MIN);
    unpacking.bytes = malloc(unpacking.capacity);
    if (unpacking.bytes && inflateInit2(&unpacking.stream, GZIP_WINDOW) == Z_OK) {
        outcome = unpack(&unpacking, bytes_max);
        (void)inflateEnd(&unpacking.stream); /* fails only for a stream that never began */
    }
    if (outcome == INFLATE_OK) {
        *unpacked = unpacking.bytes;
        *unpacked_size = unpacking.size;
    } else {
        free(unpacking.bytes);
    }
    return outcome;
}
