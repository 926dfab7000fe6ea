/* The choice of the kernel that blends rows. */
#include "blend.h"

#include <assert.h>

#include "blend_kernel.h"

typedef void blend_run(const struct posenc__blend *blend, const struct blend_span *span);

static void blend_plain(const struct posenc__blend *blend, const struct blend_span *span)
{
    blend_fill(blend, span);
}

#ifdef __x86_64__
POSENC__FOR_AVX2 static void blend_avx2(const struct posenc__blend *blend,
                                        const struct blend_span *span)
{
    blend_fill(blend, span);
}

POSENC__FOR_AVX512 static void blend_avx512(const struct posenc__blend *blend,
                                            const struct blend_span *span)
{
    blend_fill(blend, span);
}
#endif

static blend_run *const blend_runs[POSENC__LEVEL_COUNT] = {
    [POSENC__PLAIN] = blend_plain,
#ifdef __x86_64__
    [POSENC__AVX2] = blend_avx2,
    [POSENC__AVX512] = blend_avx512,
#endif
};

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Distances whose opposites are wanted, too, are filled in pairs; the others one by one. */
void posenc__blend_at(enum posenc__level level, const struct posenc__blend *blend, ptrdiff_t begin,
                      ptrdiff_t end)
{
    blend_run *const run = blend_runs[level];
    const size_t up = end > 0 ? (size_t)end : 0;             /* 0 to up - 1 forwards */
    const size_t down = begin < 0 ? (size_t)(1 - begin) : 1; /* 1 to down - 1 backwards */
    const size_t first_up = begin > 1 ? (size_t)begin : 1;
    const size_t first_down = end < 0 ? (size_t)(1 - end) : 1;
    const size_t shared = up < down ? up : down;
    const size_t paired = begin < 0 && end > 1 ? shared : 1; /* 1 to paired - 1 both ways */

    assert(blend->waves <= POSENC__BLEND_WAVES);
    if (begin <= 0 && end > 0)
        run(blend, &(struct blend_span){0, 1, false, 1});
    if (paired > 1)
        run(blend, &(struct blend_span){1, paired, true, 0});
    if (larger(paired, first_up) < up)
        run(blend, &(struct blend_span){larger(paired, first_up), up, false, 1});
    if (larger(paired, first_down) < down)
        run(blend, &(struct blend_span){larger(paired, first_down), down, false, -1});
}

void posenc__blend(const struct posenc__blend *blend, ptrdiff_t begin, ptrdiff_t end)
{
    posenc__blend_at(posenc__level_best(), blend, begin, end);
}
