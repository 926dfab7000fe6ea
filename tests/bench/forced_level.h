/*
 * Kernel levels, forced. The linker hands every question for the best level to forced_level.c
 * (--wrap, see Makefile), so that the very code that the service runs is timed at each level.
 */
#ifndef BENCH_FORCED_LEVEL_H
#define BENCH_FORCED_LEVEL_H

#include "level.h"

/* From now on the library runs at that level, which must run here. */
void force_level(enum posenc__level level);

/* "plain", "AVX2", "AVX-512". */
const char *level_name(enum posenc__level level);

#endif
