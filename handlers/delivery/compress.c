#include "compress.h"

#include <assert.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#define SOURCE_BLOCK ((size_t)65536)
#define CALL_BYTES   ((size_t)262144) /* taken from the source in one call, and then written out */

#define GZIP_LEVEL  1
#define GZIP_WINDOW (15 + 16) /* 16: with the header of gzip */
#define GZIP_MEMORY 8
#define ZSTD_LEVEL  1
#define ZSTD_WINDOW 17 /* 128 KiB: rows of numbers repeat soon or never; RFC 9659 allows 8 MiB */

/* What one step is to do beside taking input. */
enum push { PUSH_NOTHING, PUSH_FLUSH, PUSH_END };

/* What the libraries hold with these settings, about. */
#define GZIP_BYTES ((size_t)280 << 10)
#define ZSTD_BYTES ((size_t)1 << 20)

/* As measured, for text. */
#define GZIP_BYTE_PS 12000
#define ZSTD_BYTE_PS 4000

struct compressor {
    struct source source;
    const struct posenc_watch *watch;
    size_t taken;
    uint64_t source_offset;
    bool is_drained; /* the source has ended */
    bool is_done;    /* and all of it is written */
    size_t in_at, in_size;
    z_stream gzip;
    ZSTD_CCtx *zstd; /* NULL: gzip */
    char in[SOURCE_BLOCK];
};

static bool begin_gzip(struct compressor *compressor)
{
    return deflateInit2(&compressor->gzip, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                        Z_DEFAULT_STRATEGY) == Z_OK;
}

/* The first call allocates; made here, a lack of memory is known before anything is sent. */
static bool begin_zstd(struct compressor *compressor)
{
    ZSTD_inBuffer in = {"", 0, 0};
    ZSTD_outBuffer out = {compressor->in, sizeof(compressor->in), 0};
    ZSTD_CCtx *zstd = ZSTD_createCCtx();

    compressor->zstd = zstd;
    return zstd &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, ZSTD_WINDOW)) &&
           !ZSTD_isError(ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_continue)) && out.pos == 0;
}

uint64_t compressor_byte_ps(enum coding coding)
{
    return coding == CODING_ZSTD ? ZSTD_BYTE_PS : GZIP_BYTE_PS;
}

struct compressor *compressor_new(enum coding coding, const struct source *source,
                                  const struct posenc_watch *watch)
{
    const size_t bytes =
        sizeof(struct compressor) + (coding == CODING_ZSTD ? ZSTD_BYTES : GZIP_BYTES);
    struct compressor *compressor;

    assert(coding == CODING_GZIP || coding == CODING_ZSTD);
    if (!posenc_may_take(watch, bytes))
        return NULL;
    compressor = calloc(1, sizeof(*compressor));
    if (!compressor) {
        posenc_give_back(watch, bytes);
        return NULL;
    }
    compressor->source = *source;
    compressor->watch = watch;
    compressor->taken = bytes;
    if (coding == CODING_GZIP ? begin_gzip(compressor) : begin_zstd(compressor))
        return compressor;
    compressor_free(compressor);
    return NULL;
}

void compressor_free(struct compressor *compressor)
{
    if (!compressor)
        return;
    if (compressor->zstd)
        (void)ZSTD_freeCCtx(compressor->zstd); /* always succeeds for one of this kind */
    else
        (void)deflateEnd(&compressor->gzip); /* says whether the stream was ended; it may not be */
    posenc_give_back(compressor->watch, compressor->taken);
    free(compressor);
}

/* Writes up to `size` bytes, and returns how many; -1 when the library fails. */
static ssize_t step_gzip(struct compressor *compressor, enum push push, char *buffer, size_t size)
{
    static const int flush[] = {Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FINISH};
    z_stream *gzip = &compressor->gzip;
    const uInt room = size < CALL_BYTES ? (uInt)size : CALL_BYTES;
    int status;

    gzip->next_in = (unsigned char *)compressor->in + compressor->in_at;
    gzip->avail_in = (uInt)(compressor->in_size - compressor->in_at);
    gzip->next_out = (unsigned char *)buffer;
    gzip->avail_out = room;
    status = deflate(gzip, flush[push]);
    compressor->in_at = compressor->in_size - gzip->avail_in;
    compressor->is_done = status == Z_STREAM_END;
    return status == Z_STREAM_ERROR ? -1 : (ssize_t)(room - gzip->avail_out);
}

static ssize_t step_zstd(struct compressor *compressor, enum push push, char *buffer, size_t size)
{
    static const ZSTD_EndDirective end[] = {ZSTD_e_continue, ZSTD_e_flush, ZSTD_e_end};
    ZSTD_inBuffer in = {compressor->in, compressor->in_size, compressor->in_at};
    ZSTD_outBuffer out = {buffer, size, 0};
    const size_t left = ZSTD_compressStream2(compressor->zstd, &out, &in, end[push]);

    compressor->in_at = in.pos;
    compressor->is_done = push == PUSH_END && left == 0;
    return ZSTD_isError(left) ? -1 : (ssize_t)out.pos;
}

/* Fills the block, when all of it is taken; false when the source fails. */
static bool refill(struct compressor *compressor)
{
    ssize_t got;

    if (compressor->in_at < compressor->in_size || compressor->is_drained)
        return true;
    got = compressor->source.read(compressor->source.state, compressor->source_offset,
                                  compressor->in, sizeof(compressor->in));
    if (got < 0)
        return false;
    compressor->is_drained = got == 0;
    compressor->source_offset += (uint64_t)got;
    compressor->in_at = 0;
    compressor->in_size = (size_t)got;
    return true;
}

static ssize_t step(struct compressor *compressor, uint64_t source_end, char *buffer, size_t size)
{
    const enum push push = compressor->is_drained                    ? PUSH_END
                           : compressor->source_offset >= source_end ? PUSH_FLUSH
                                                                     : PUSH_NOTHING;

    return compressor->zstd ? step_zstd(compressor, push, buffer, size)
                            : step_gzip(compressor, push, buffer, size);
}

ssize_t compressor_read(void *state, uint64_t offset, char *buffer, size_t size)
{
    struct compressor *compressor = state;
    const uint64_t source_end = compressor->source_offset + CALL_BYTES;
    size_t written = 0;

    (void)offset; /* rises without gaps */
    while (written < size && !compressor->is_done) {
        if (written > 0 && compressor->source_offset >= source_end)
            break;
        if (!refill(compressor))
            return -1;
        const ssize_t got = step(compressor, source_end, buffer + written, size - written);

        if (got < 0)
            return -1;
        written += (size_t)got;
    }
    return (ssize_t)written;
}
