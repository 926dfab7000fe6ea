/*
 * Who may call: with a file of tokens only those who send one of them, except to probes. The file
 * is read at start and again on SIGHUP, while requests go on.
 */
#ifndef ACCESS_H
#define ACCESS_H

#include <stdbool.h>

#include "exchange.h"
#include "token.h"

struct access;

enum access_verdict {
    ACCESS_GRANTED,
    ACCESS_NO_TOKEN,  /* none was sent */
    ACCESS_BAD_TOKEN, /* malformed, or not in the file */
    ACCESS_AMBIGUOUS, /* more than one Authorization header */
};

/* Has no tokens yet, so nobody may call; NULL when memory is out. */
struct access *access_new(void);
void access_free(struct access *access);

/*
 * Puts the file's tokens in the place of the old ones. False, and these left as they are: problem
 * says why. A file that others may write is refused, since they could let themselves in. Any
 * thread.
 *
 * count      how many tokens were read
 * is_public  whether others may read the file: only digests, so that is worth a warning and no more
 */
bool access_read(struct access *access, const char *path, size_t *count, bool *is_public,
                 char problem[TOKEN_PROBLEM_MAX]);

/* Judges a request by its Authorization header. ACCESS_GRANTED: name is the token's. Any thread. */
enum access_verdict access_check(struct access *access, const struct request *request,
                                 char name[TOKEN_NAME_MAX]);

/* The answer to every verdict but ACCESS_GRANTED: 401, or 400, as RFC 6750, 3 has it. */
void access_refuse(enum access_verdict verdict, const struct request *request,
                   struct response *response);

#endif
