#include "inflate.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#define ZLIB_CONST /* input is const */
#include <zlib.h>

#define GZIP_WINDOW  (15 + 16) /* 16: gzip, and nothing else */
#define CAPACITY_MIN ((size_t)4096)
#define CALL_BYTES   ((size_t)1 << 17) /* unpacked between two looks at the watch */
#define BYTE_NS      4U                /* to unpack one, where it is no repetition */
#define PACKED_GUESS 4                 /* how many bytes a byte will make, to begin with */

struct unpacking {
    z_stream stream;
    const char *packed;
    size_t left; /* of the packed bytes */
    struct inflated out;
    size_t limit; /* one more byte is made, to see that there are more */
    const struct posenc_watch *watch;
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

/* Makes room for so many bytes in all. */
static bool resize(struct unpacking *unpacking, size_t capacity)
{
    const size_t more = capacity - unpacking->out.capacity;
    char *bytes;

    if (!posenc_may_take(unpacking->watch, more))
        return false;
    bytes = realloc(unpacking->out.bytes, capacity);
    if (!bytes) {
        posenc_give_back(unpacking->watch, more);
        return false;
    }
    unpacking->out.bytes = bytes;
    unpacking->out.capacity = capacity;
    return true;
}

/* Makes room for twice as much, and no more than may come. */
static bool grow(struct unpacking *unpacking)
{
    const size_t capacity = unpacking->out.capacity;

    return resize(unpacking,
                  smaller(capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * capacity, unpacking->limit + 1));
}

/* A little of what is packed can become very much, so it is asked again and again. */
static bool may_go_on(const struct unpacking *unpacking)
{
    const struct posenc_watch *const watch = unpacking->watch;
    const size_t bytes = smaller(unpacking->out.capacity - unpacking->out.size, CALL_BYTES);

    return !watch || watch->may_work(watch->context, (uint64_t)bytes * BYTE_NS);
}

/* Unpacks as far as there is room, and not too much at a time; the status is zlib's. */
static int advance(struct unpacking *unpacking)
{
    z_stream *stream = &unpacking->stream;
    const uInt in = (uInt)smaller(unpacking->left, CALL_BYTES);
    const uInt out = (uInt)smaller(unpacking->out.capacity - unpacking->out.size, CALL_BYTES);
    int status;

    stream->next_in = (const unsigned char *)unpacking->packed;
    stream->avail_in = in;
    stream->next_out = (unsigned char *)unpacking->out.bytes + unpacking->out.size;
    stream->avail_out = out;
    status = inflate(stream, Z_NO_FLUSH);
    unpacking->packed += in - stream->avail_in;
    unpacking->left -= in - stream->avail_in;
    unpacking->out.size += out - stream->avail_out;
    return status;
}

static enum inflate_outcome unpack(struct unpacking *unpacking, size_t bytes_max)
{
    for (;;) {
        if (!may_go_on(unpacking))
            return INFLATE_NO_MEMORY; /* whoever watches has a word of its own for that */
        const int status = advance(unpacking);

        if (unpacking->out.size > unpacking->limit)
            return unpacking->limit == bytes_max ? INFLATE_TOO_LARGE : INFLATE_TOO_DENSE;
        if (status == Z_STREAM_END && unpacking->left == 0)
            return INFLATE_OK;
        if (status == Z_STREAM_END && inflateReset(&unpacking->stream) == Z_OK)
            continue;
        if (status == Z_MEM_ERROR)
            return INFLATE_NO_MEMORY;
        if (status != Z_OK && status != Z_BUF_ERROR)
            return INFLATE_BROKEN;
        if (status == Z_BUF_ERROR && unpacking->left == 0)
            return INFLATE_BROKEN; /* it ends too soon */
        if (unpacking->out.size == unpacking->out.capacity && !grow(unpacking))
            return INFLATE_NO_MEMORY;
    }
}

void inflated_release(struct inflated *inflated, const struct posenc_watch *watch)
{
    free(inflated->bytes);
    posenc_give_back(watch, inflated->capacity);
    *inflated = (struct inflated){0};
}

enum inflate_outcome inflate_gzip(const char *packed, size_t packed_size, size_t bytes_max,
                                  const struct posenc_watch *watch, struct inflated *inflated)
{
    struct unpacking unpacking = {.packed = packed, .left = packed_size, .watch = watch};
    const size_t guess = packed_size > SIZE_MAX / PACKED_GUESS - CAPACITY_MIN
                             ? SIZE_MAX
                             : PACKED_GUESS * packed_size + CAPACITY_MIN;
    enum inflate_outcome outcome = INFLATE_NO_MEMORY;

    unpacking.limit = limit_of(packed_size, bytes_max);
    if (resize(&unpacking, smaller(unpacking.limit + 1, guess)) &&
        inflateInit2(&unpacking.stream, GZIP_WINDOW) == Z_OK) {
        outcome = unpack(&unpacking, bytes_max);
        (void)inflateEnd(&unpacking.stream); /* fails only for a stream that never began */
    }
    if (outcome == INFLATE_OK)
        *inflated = unpacking.out;
    else
        inflated_release(&unpacking.out, watch);
    return outcome;
}
