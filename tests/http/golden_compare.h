/* Comparing a reply with what a golden line expects. */
#ifndef GOLDEN_COMPARE_H
#define GOLDEN_COMPARE_H

#include <jansson.h>
#include <stdbool.h>

/* Tolerances are those of tests/golden/README.md; `place` names where a difference was found. */
struct difference {
    bool found;
    char place[256];
};

/* Numbers of a tensor, flattened, rounded to the reply's dtype, against the expected ones. */
void compare_tensors(const json_t *expected, const json_t *reply, const json_t *tolerance,
                     struct difference *difference);

/* Every member of `expected` must be in `actual`; lists must have the same length. */
void compare_subset(const json_t *expected, const json_t *actual, const json_t *tolerance,
                    const char *path, struct difference *difference);

/* `expected` is a value, or a list of which any will do. */
bool is_one_of(const json_t *expected, const json_t *actual);

#endif
