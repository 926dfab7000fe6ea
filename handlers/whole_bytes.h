/* Bytes that are all at hand, as a body that is pulled. */
#ifndef POSENC_WHOLE_BYTES_H
#define POSENC_WHOLE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct whole_bytes {
    const char *bytes; /* not owned */
    size_t size;
};

/* read() as in struct response, at any offset; the state is a struct whole_bytes. */
ssize_t whole_bytes_read(void *state, uint64_t offset, char *buffer, size_t size);

#endif
