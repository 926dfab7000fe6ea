/* What tests of readers of binary bodies share: a body, the memory it is read in, the problem. */
#ifndef BINARY_TRIAL_H
#define BINARY_TRIAL_H

#include "body_problem.h"
#include "posenc.h"

struct binary_trial {
    struct posenc_memory memory;
    struct body_problem problem;
    char *copy; /* of the body, `size` long; what was read points into it */
    size_t size;
};

void binary_trial_init(struct binary_trial *trial);
void binary_trial_release(struct binary_trial *trial);

/* Puts a copy whose end is the end of its allocation in the place of the last one, so that a
 * sanitizer sees reads beyond. */
void binary_trial_copy(struct binary_trial *trial, const char *bytes, size_t size);

/* Asserts that the body was read, where `detail` is NULL, or else refused with these words at a
 * place behind the first eight bytes. `what` is for messages. */
void expect_verdict(const struct binary_trial *trial, bool is_read, const char *detail,
                    const char *what);

#endif
