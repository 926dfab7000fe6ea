/* A planned result and its memory: what is timed. */
#ifndef BENCH_SUBJECT_H
#define BENCH_SUBJECT_H

#include "posenc.h"

#define SUBJECT_BLOCK ((size_t)256 << 10) /* bytes that the server asks for at a time */

struct subject {
    struct posenc_memory memory;
    struct posenc_result result;
};

/* Plans an operation; ends the program when that fails. Release with subject_release(). */
void subject_make(struct subject *subject, const char *encoding, const char *operation,
                  const struct posenc_member *members, size_t count);
void subject_release(struct subject *subject);

/* The tensor of that name, which must be there. */
const struct posenc_tensor *subject_tensor(const struct subject *subject, const char *name);

/* Fills all of it in blocks: to `out` as a whole, or over and over to one block's room. */
void subject_fill(const struct posenc_tensor *tensor, char *out, bool reuses_block);

#endif
