/* posenc_round and posenc_widen at a level of choice, which must run here: for tests and
 * benchmarks. */
#ifndef POSENC_DTYPE_H
#define POSENC_DTYPE_H

#include "level.h"
#include "posenc.h"

void posenc__round_at(enum posenc__level level, enum posenc_dtype dtype, const double *values,
                      size_t count, void *out);
void posenc__widen_at(enum posenc__level level, enum posenc_dtype dtype, const void *elements,
                      size_t count, double *out);

#endif
