/* SHA-256 (FIPS 180-4), for entity tags and tokens. Its time depends on lengths alone, not on
 * bytes. */
#ifndef POSENC_SHA256_H
#define POSENC_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32
#define SHA256_BLOCK 64

struct sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far; those of the last, unfinished block wait in it */
    unsigned char block[SHA256_BLOCK];
};

void sha256_begin(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, size_t count);
void sha256_end(struct sha256 *hash, unsigned char digest[SHA256_BYTES]);

#endif
