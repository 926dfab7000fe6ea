/* posencd --hash-token: makes the line of a file of tokens from a token. */
#ifndef HASH_TOKEN_H
#define HASH_TOKEN_H

#include <stdio.h>

/*
 * Reads one token, on a line or alone, and writes "name:sha256:DIGEST". name may be NULL. The exit
 * status: success, or failure with a sentence on `complaints`, when it is no token, or one that is
 * so short that it can be found from its digest by trying.
 */
int hash_token(const char *name, FILE *in, FILE *out, FILE *complaints);

#endif
