/*
 * Bearer tokens (RFC 6750) and the file that says which are good. The file holds digests, so that
 * reading it lets nobody in; a digest without salt is safe because tokens are long and random,
 * which is why short ones are refused where the line of such a file is made.
 */
#ifndef TOKEN_H
#define TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "sha256.h"

#define TOKEN_BYTES_MIN   16          /* of a token that a line may be made of */
#define TOKEN_BYTES_MAX   1024        /* of a token */
#define TOKEN_NAME_MAX    65          /* bytes of a token's name, with its end */
#define TOKENS_MAX        1024        /* in one file: every request is compared with all of them */
#define TOKENS_BYTES_MAX  (256 << 10) /* of the file */
#define TOKEN_PROBLEM_MAX 512         /* bytes of a sentence, with its end */

struct token {
    char name[TOKEN_NAME_MAX]; /* for the log */
    unsigned char digest[SHA256_BYTES];
};

struct token_list {
    size_t count;
    struct token tokens[TOKENS_MAX];
};

/* Whether the bytes are what RFC 6750, 2.1 calls b64token, and not too many. */
bool token_is_wellformed(const char *text, size_t size);

/* 1 to 64 of A-Z a-z 0-9 . _ - */
bool token_name_is_usable(const char *name, size_t size);

/*
 * Reads the text of a file: lines "name:sha256:" and 64 hexadecimal digits; empty ones, and those
 * that begin with '#', say nothing. Names may repeat, digests may not. False, with a problem that
 * names the line and never shows more of it than its name, when a line is anything else, or there
 * is no token at all. NUL bytes make a line odd.
 */
bool token_list_parse(const char *text, size_t size, struct token_list *list,
                      char problem[TOKEN_PROBLEM_MAX]);

/*
 * The token of that text, or NULL. Takes as long whichever it is, and when it is none: all entries
 * are compared to their last byte.
 */
const struct token *token_list_find(const struct token_list *list, const char *text, size_t size);

#endif
