/*
 * Copies between buffers that do not overlap, for many short runs from one small source.
 *
 * memcpy is at its slowest there: where source and target have nearly the same place in their
 * pages, its loads wait for stores that they only seem to depend on, and take five times as long.
 */
#ifndef POSENC_COPY_H
#define POSENC_COPY_H

#include <stddef.h>

#include "level.h"

void posenc__copy(void *restrict out, const void *restrict in, size_t bytes);

/* The same at a level of choice, which must run here: for tests and benchmarks. */
void posenc__copy_at(enum posenc__level level, void *restrict out, const void *restrict in,
                     size_t bytes);

#endif
