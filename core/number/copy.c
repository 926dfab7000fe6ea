/* Copies by whole vectors. */
#include "copy.h"

#include <stdint.h>
#include <string.h>

#ifdef __x86_64__

#define VECTOR 32 /* bytes; wider ones cross a cache line at every load */
#define STRIDE (4 * VECTOR)

typedef unsigned char vector __attribute__((vector_size(VECTOR), aligned(1), may_alias));

/* Up to the first vector of the target and behind the last stride the copies may overlap. */
POSENC__FOR_AVX2 static void copy_avx2(unsigned char *restrict out,
                                       const unsigned char *restrict in, size_t bytes)
{
    size_t done = (size_t)(-(uintptr_t)out % VECTOR);

    if (bytes < 2 * STRIDE) {
        memcpy(out, in, bytes);
        return;
    }
    memcpy(out, in, VECTOR);
    for (; done + STRIDE <= bytes; done += STRIDE) {
        const vector *const from = (const vector *)(in + done);
        vector *const to = (vector *)(out + done);
        const vector a = from[0], b = from[1], c = from[2], d = from[3];

        to[0] = a, to[1] = b, to[2] = c, to[3] = d;
    }
    memcpy(out + done, in + done, bytes - done);
}

void posenc__copy_at(enum posenc__level level, void *restrict out, const void *restrict in,
                     size_t bytes)
{
    if (level == POSENC__PLAIN)
        memcpy(out, in, bytes);
    else
        copy_avx2(out, in, bytes);
}

#else

void posenc__copy_at(enum posenc__level level, void *restrict out, const void *restrict in,
                     size_t bytes)
{
    (void)level; /* there is one */
    memcpy(out, in, bytes);
}

#endif

void posenc__copy(void *restrict out, const void *restrict in, size_t bytes)
{
    posenc__copy_at(posenc__level_best(), out, in, bytes);
}
