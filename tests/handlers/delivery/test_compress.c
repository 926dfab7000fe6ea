/* Compressing a body while it is pulled. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "compress.h"
#include "packing.h"

#define CALL_BYTES_MAX 400000 /* that one call may take from the source: a few blocks */

/* A source that makes its bytes, in pieces of any size, and can fail. */
struct stream {
    uint64_t size, fails_at;
    uint64_t read; /* so far */
    bool is_flat;  /* one byte over and over */
};

static char byte_at(const struct stream *stream, uint64_t offset)
{
    return stream->is_flat ? 'x' : (char)('0' + offset * offset / 7 % 10);
}

static ssize_t stream_read(void *state, uint64_t offset, char *buffer, size_t size)
{
    struct stream *stream = state;
    const uint64_t left = stream->size - offset;
    const size_t piece = 1 + (size_t)(offset * 31 % 5000), wanted = size < piece ? size : piece;
    const size_t count = left < wanted ? (size_t)left : wanted;

    cr_assert_eq(offset, stream->read, "offsets rise without gaps");
    if (offset >= stream->fails_at)
        return -1;
    for (size_t i = 0; i < count; i++)
        buffer[i] = byte_at(stream, offset + i);
    stream->read += count;
    return (ssize_t)count;
}

/* Pulls all of it in pieces of `piece` bytes; the size of what came. */
static size_t pull(enum coding coding, struct stream *stream, size_t piece, char *packed,
                   size_t room)
{
    const struct source source = {stream_read, stream};
    struct compressor *compressor = compressor_new(coding, &source, NULL);
    size_t size = 0;
    ssize_t got;

    cr_assert(compressor);
    do {
        const uint64_t before = stream->read;

        cr_assert_leq(size + piece, room);
        got = compressor_read(compressor, size, packed + size, piece);
        cr_assert_lt(stream->read - before, CALL_BYTES_MAX);
        size += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    cr_assert_eq(got, 0);
    compressor_free(compressor);
    return size;
}

static void check(enum coding coding, uint64_t source_size, size_t piece, bool is_flat)
{
    struct stream stream = {.size = source_size, .fails_at = UINT64_MAX, .is_flat = is_flat};
    const size_t room = (size_t)source_size + piece + 4096;
    char *packed = malloc(room), *bytes;
    const size_t packed_size = pull(coding, &stream, piece, packed, room);
    size_t size = 0;

    bytes = unpack(coding, packed, packed_size, &size);
    cr_assert(bytes, "%s of %ju bytes", coding_name(coding), (uintmax_t)source_size);
    cr_assert_eq(size, source_size);
    for (size_t i = 0; i < size; i++)
        cr_assert_eq(bytes[i], byte_at(&stream, i), "byte %zu", i);
    if (source_size > 10000)
        cr_expect_lt(packed_size, source_size / 2);
    free(packed);
    free(bytes);
}

Test(compress, comes_out_as_it_went_in_whatever_the_pieces)
{
    static const uint64_t sizes[] = {0, 1, 1000, 65536, 65537, 1000000};
    static const size_t pieces[] = {1, 97, 32768};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
        for (size_t k = 0; k < sizeof(pieces) / sizeof(*pieces); k++) {
            check(CODING_GZIP, sizes[i], pieces[k], false);
            check(CODING_ZSTD, sizes[i], pieces[k], false);
        }
}

Test(compress, takes_a_bounded_part_of_a_body_that_shrinks_to_nothing_in_each_call)
{
    check(CODING_GZIP, 20000000, 32768, true);
    check(CODING_ZSTD, 20000000, 32768, true);
}

Test(compress, fails_where_its_source_does)
{
    static const enum coding codings[] = {CODING_GZIP, CODING_ZSTD};
    char buffer[32768];

    for (size_t i = 0; i < 2; i++) {
        struct stream stream = {.size = 5000000, .fails_at = 300000};
        const struct source source = {stream_read, &stream};
        struct compressor *compressor = compressor_new(codings[i], &source, NULL);
        uint64_t offset = 0;
        ssize_t got;

        cr_assert(compressor);
        while ((got = compressor_read(compressor, offset, buffer, sizeof(buffer))) > 0)
            offset += (uint64_t)got;
        cr_expect_eq(got, -1);
        compressor_free(compressor);
    }
    compressor_free(NULL);
}
