/*
 * Entity tags (RFC 9110, section 8.8.3). A result is a pure function of what it was asked for, so
 * that its tag is made of that alone; no value is computed for it. Tags are strong: equal tags
 * promise equal bytes, on every machine and after every restart. Those of compressed bodies are
 * weak, since compressors promise that of the bytes that come out again only.
 */
#ifndef POSENC_ETAG_H
#define POSENC_ETAG_H

#include "coding.h"
#include "representation.h"

#define ETAG_DIGITS 32 /* hexadecimal, of 128 bits */
#define ETAG_SIZE   48 /* bytes of a tag with its quotes, its coding and its end */
#define ETAG_INPUTS_MAX                                                                            \
    4096 /* bytes of tensors that came in: more take longer to hash than to use */

/* What makes two representations equal but for their coding. */
struct fingerprint {
    char digits[ETAG_DIGITS + 1]; /* "" where there is none, and then no tag */
    bool is_weak;                 /* equal tags promise equal pictures, not equal bytes */
};

/*
 * Of a result in a representation: over both versions, encoding and operation, the arguments that
 * it was planned from, its warnings, the format, its tensor and its manner. None when the tensors
 * that came in are larger than ETAG_INPUTS_MAX.
 */
void fingerprint_result(const struct posenc_result *result,
                        const struct posenc_arguments *arguments,
                        const struct representation *representation,
                        struct fingerprint *fingerprint);

/* Of a document, which is at hand. */
void fingerprint_bytes(const char *bytes, size_t count, struct fingerprint *fingerprint);

/* Each coding has a tag of its own: "2f...", W/"2f...-gzip", with the quotes. */
void etag_print(const struct fingerprint *fingerprint, enum coding coding, char tag[ETAG_SIZE]);

#endif
