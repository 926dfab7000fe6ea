#include "hash_token.h"

#include <stdlib.h>
#include <string.h>

#include "token.h"

#define HASH_TOKEN_NAME "token" /* where none is given */

static int hash_token_fail(FILE *complaints, const char *why)
{
    (void)fprintf(complaints, "posencd: --hash-token: %s\n", why);
    return EXIT_FAILURE;
}

static bool hash_token_write(const char *name, const char *token, size_t size, FILE *out)
{
    unsigned char digest[SHA256_BYTES];
    struct sha256 hash;
    bool is_written;

    sha256_begin(&hash);
    sha256_add(&hash, token, size);
    sha256_end(&hash, digest);
    is_written = fprintf(out, "%s:sha256:", name) > 0;
    for (size_t i = 0; i < SHA256_BYTES; i++)
        is_written = fprintf(out, "%02x", digest[i]) > 0 && is_written;
    return fputc('\n', out) != EOF && is_written && fflush(out) == 0;
}

int hash_token(const char *name, FILE *in, FILE *out, FILE *complaints)
{
    char text[TOKEN_BYTES_MAX + 2];
    size_t size = fread(text, 1, sizeof(text), in);

    if (!name)
        name = HASH_TOKEN_NAME;
    if (!token_name_is_usable(name, strlen(name)))
        return hash_token_fail(complaints, "a name is 1 to 64 of A-Z a-z 0-9 . _ -");
    if (size > 0 && text[size - 1] == '\n')
        size--;
    if (!token_is_wellformed(text, size))
        return hash_token_fail(complaints, "standard input must hold one token, of A-Z a-z 0-9 "
                                           "- . _ ~ + / and perhaps = at its end");
    if (size < TOKEN_BYTES_MIN)
        return hash_token_fail(complaints, "the token is too short; 'openssl rand -hex 32' makes a "
                                           "good one");
    if (!hash_token_write(name, text, size, out))
        return hash_token_fail(complaints, "standard output cannot be written");
    return EXIT_SUCCESS;
}
