/*
 * A body compressed as it is pulled, in constant memory: a filter around another read(), fast
 * rather than tight, since numbers shrink little and are made at the speed of the network.
 */
#ifndef POSENC_COMPRESS_H
#define POSENC_COMPRESS_H

#include "coding.h"
#include "posenc.h"

/* What is compressed; read() is as in struct response. */
struct source {
    ssize_t (*read)(void *state, uint64_t offset, char *buffer, size_t size);
    void *state;
};

struct compressor;

/* Holds all the memory that it will need; NULL when that is out. The coding is not identity. The
 * watch, which may be NULL, is asked for it, and outlives the compressor. */
struct compressor *compressor_new(enum coding coding, const struct source *source,
                                  const struct posenc_watch *watch);

/* About what compressing a byte takes, in picoseconds. */
uint64_t compressor_byte_ps(enum coding coding);

/* Frees it, NULL too. */
void compressor_free(struct compressor *compressor);

/* read() of the compressed body, whose state is the compressor. One call takes no more than a few
 * blocks from the source, however well they shrink. */
ssize_t compressor_read(void *state, uint64_t offset, char *buffer, size_t size);

#endif
