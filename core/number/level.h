/*
 * Which instructions a vector kernel may use.
 *
 * A kernel is one piece of plain C, compiled once per level, and every level gives the same bits.
 * The level is asked for at each call: that reads a few bits the C runtime fetched from the
 * processor before main(), and so needs neither a global of ours nor a first call that differs
 * from the others. (GCC's target_clones would do the same, but crash under the thread sanitizer.)
 */
#ifndef POSENC_LEVEL_H
#define POSENC_LEVEL_H

#include <stdbool.h>

enum posenc__level {
    POSENC__PLAIN, /* what the compiler targets by default; runs everywhere */
    POSENC__AVX2,  /* with FMA: x86-64-v3 */
    POSENC__AVX512,
    POSENC__LEVEL_COUNT,
};

/* Does this processor run kernels of that level? Tests walk the levels with it. */
bool posenc__level_runs(enum posenc__level level);

/* The highest level that runs. */
enum posenc__level posenc__level_best(void);

/*
 * Marks the copies of a kernel. POSENC__KERNEL is the shared body: it is always inlined, so that it
 * is compiled for the level of the function around it.
 */
#define POSENC__KERNEL static inline __attribute__((always_inline))

/* Before a loop: what it writes is not what it reads. Where a loop stays scalar all the same, clang
 * would warn. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define POSENC__INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define POSENC__INDEPENDENT _Pragma("GCC ivdep")
#endif

#ifdef __x86_64__
#define POSENC__FOR_AVX2 __attribute__((target("avx2,fma,f16c")))
#ifdef __clang__
#define POSENC__FOR_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma,f16c")))
#else /* gcc would keep to 256 bits */
#define POSENC__FOR_AVX512                                                                         \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma,f16c,prefer-vector-width=512")))
#endif
#endif

#endif
