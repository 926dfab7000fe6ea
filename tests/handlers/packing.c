#include "packing.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#define UNPACKED_MAX ((size_t)64 << 20)

char *pack_gzip(const char *bytes, size_t size, size_t *packed_size)
{
    z_stream stream = {0};
    char *packed;
    size_t room;

    cr_assert_eq(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    room = deflateBound(&stream, size);
    packed = malloc(room);
    cr_assert(packed);
    stream.next_in = (unsigned char *)(uintptr_t)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = (unsigned char *)packed;
    stream.avail_out = (uInt)room;
    cr_assert_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
    *packed_size = room - stream.avail_out;
    (void)deflateEnd(&stream);
    return packed;
}

static char *undo_gzip(const char *packed, size_t packed_size, char *bytes, size_t *size)
{
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)packed,
                       .avail_in = (uInt)packed_size,
                       .next_out = (unsigned char *)bytes,
                       .avail_out = UNPACKED_MAX};
    int status;

    cr_assert_eq(inflateInit2(&stream, 15 + 16), Z_OK);
    status = inflate(&stream, Z_FINISH);
    *size = UNPACKED_MAX - stream.avail_out;
    (void)inflateEnd(&stream);
    return status == Z_STREAM_END && stream.avail_in == 0 ? bytes : NULL;
}

static char *undo_zstd(const char *packed, size_t packed_size, char *bytes, size_t *size)
{
    ZSTD_DCtx *stream = ZSTD_createDCtx();
    ZSTD_inBuffer in = {packed, packed_size, 0};
    ZSTD_outBuffer out = {bytes, UNPACKED_MAX, 0};
    size_t left = 1;

    cr_assert(stream);
    while (left > 0 && !ZSTD_isError(left) && in.pos < in.size)
        left = ZSTD_decompressStream(stream, &out, &in);
    (void)ZSTD_freeDCtx(stream);
    *size = out.pos;
    return left == 0 && in.pos == in.size ? bytes : NULL;
}

char *unpack(enum coding coding, const char *packed, size_t packed_size, size_t *size)
{
    char *bytes = malloc(UNPACKED_MAX), *all;

    cr_assert(bytes);
    all = coding == CODING_GZIP ? undo_gzip(packed, packed_size, bytes, size)
                                : undo_zstd(packed, packed_size, bytes, size);
    if (!all)
        free(bytes);
    return all;
}
