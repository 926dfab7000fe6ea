/*
 * Python's json module writes NaN, Infinity and -Infinity, which are not JSON; published
 * configurations have them.
 */
#ifndef POSENC_PYTHON_TOKENS_H
#define POSENC_PYTHON_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#include "posenc.h"

#define PYTHON_TOKENS_TOLD_MAX 16 /* that are told one by one */

/* A token that was found. */
struct python_token {
    const char *text;                /* static storage */
    size_t offset;                   /* bytes before it */
    char parameter[POSENC_PATH_MAX]; /* dotted path of the member that holds it, perhaps cut */
};

struct python_tokens {
    size_t count; /* all of them; the first PYTHON_TOKENS_TOLD_MAX are kept */
    struct python_token items[PYTHON_TOKENS_TOLD_MAX];
};

/*
 * Finds the tokens outside strings and writes `size` bytes to `out` in which each is an empty text
 * and spaces: of the same length, so that later faults keep their offsets, and of a type that no
 * number has, so that nobody calculates with it. What else is wrong with the text stays as it is.
 */
void replace_python_tokens(const char *text, size_t size, char *out, struct python_tokens *tokens);

#endif
