#include "binary_trial.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

void binary_trial_init(struct binary_trial *trial)
{
    *trial = (struct binary_trial){.copy = NULL};
    posenc_memory_init(&trial->memory, POSENC_MEMORY_DEFAULT);
}

void binary_trial_release(struct binary_trial *trial)
{
    posenc_memory_release(&trial->memory);
    free(trial->copy);
}

void binary_trial_copy(struct binary_trial *trial, const char *bytes, size_t size)
{
    free(trial->copy);
    trial->copy = malloc(size ? size : 1);
    cr_assert(trial->copy);
    memcpy(trial->copy, bytes, size);
    trial->size = size;
}

void expect_verdict(const struct binary_trial *trial, bool is_read, const char *detail,
                    const char *what)
{
    cr_expect_eq(is_read, detail == NULL, "%.200s: %s", what, trial->problem.detail);
    if (is_read || !detail)
        return;
    cr_expect(strstr(trial->problem.detail, detail), "%.200s: %s", what, trial->problem.detail);
    cr_expect(!trial->problem.no_memory);
    cr_expect(trial->problem.offset >= 8 && trial->problem.offset <= trial->size, "%.200s: %zu",
              what, trial->problem.offset);
}
