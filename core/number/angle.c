/* Waves, and the choice of the kernel that turns them into sines and cosines. */
#include "angle.h"

#include "angle_kernel.h"
#include "td.h"

static const struct posenc__td angle_per_turn = {0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52,
                                                 -0x1.f1976b7ed8fbcp-108}; /* 2 pi */
static const struct posenc__td turns_per_angle = {0x1.45f306dc9c883p-3, -0x1.6b01ec5417056p-57,
                                                  -0x1.6447e493ad4cep-111}; /* 1 / (2 pi) */

bool posenc__waves_init(struct posenc__waves *waves, size_t count, struct posenc_memory *memory)
{
    double *const parts = posenc_allocate(memory, count, 2 * sizeof(*parts));

    if (!parts)
        return false;
    *waves = (struct posenc__waves){.count = count, .hi = parts, .lo = parts + count};
    return true;
}

void posenc__waves_set(struct posenc__waves *waves, size_t index, struct posenc__dd radians)
{
    const struct posenc__dd turns =
        posenc__td_round(posenc__td_multiply(turns_per_angle, posenc__td_from(radians)));

    waves->hi[index] = turns.hi;
    waves->lo[index] = turns.lo;
}

double posenc__waves_radians(const struct posenc__waves *waves, size_t index)
{
    const struct posenc__dd turns = {waves->hi[index], waves->lo[index]};

    return posenc__td_multiply(angle_per_turn, posenc__td_from(turns)).high;
}

/* sines and cosines both wanted. */
typedef void angle_run(const struct angle_waves *waves, struct posenc__dd position, size_t count,
                       double *sines, double *cosines);

/* A processor without fma as an instruction splits its factors instead. */
#if defined(__FP_FAST_FMA) || defined(__aarch64__)
#define PLAIN_FUSED true
#else
#define PLAIN_FUSED false
#endif

static void angle_plain(const struct angle_waves *waves, struct posenc__dd position, size_t count,
                        double *sines, double *cosines)
{
    angle_kernel(waves, position, count, sines, cosines, PLAIN_FUSED);
}

#ifdef __x86_64__
POSENC__FOR_AVX2 static void angle_avx2(const struct angle_waves *waves, struct posenc__dd position,
                                        size_t count, double *sines, double *cosines)
{
    angle_kernel(waves, position, count, sines, cosines, true);
}

POSENC__FOR_AVX512 static void angle_avx512(const struct angle_waves *waves,
                                            struct posenc__dd position, size_t count, double *sines,
                                            double *cosines)
{
    angle_kernel(waves, position, count, sines, cosines, true);
}
#endif

static angle_run *const angle_runs[POSENC__LEVEL_COUNT] = {
    [POSENC__PLAIN] = angle_plain,
#ifdef __x86_64__
    [POSENC__AVX2] = angle_avx2,
    [POSENC__AVX512] = angle_avx512,
#endif
};

#define UNWANTED 64 /* values of the output nobody asked for that are computed at a time */

/* The kernel writes both outputs; the one that is not wanted goes to a small buffer. */
static void angle_run_one(angle_run *run, struct angle_waves waves, struct posenc__dd position,
                          size_t count, double *sines, double *cosines)
{
    double unwanted[UNWANTED] = {0.0};

    while (count > 0) {
        const size_t part = count < UNWANTED ? count : UNWANTED;

        run(&waves, position, part, sines ? sines : unwanted, cosines ? cosines : unwanted);
        waves.hi += part, waves.lo += part;
        sines = sines ? sines + part : NULL;
        cosines = cosines ? cosines + part : NULL;
        count -= part;
    }
}

void posenc__sincos_at(enum posenc__level level, const struct posenc__waves *waves,
                       struct posenc__dd position, size_t first, size_t count, double *sines,
                       double *cosines)
{
    const struct angle_waves run_waves = {waves->hi + first, waves->lo + first};

    if (sines && cosines)
        angle_runs[level](&run_waves, position, count, sines, cosines);
    else if (sines || cosines)
        angle_run_one(angle_runs[level], run_waves, position, count, sines, cosines);
}

void posenc__sincos(const struct posenc__waves *waves, struct posenc__dd position, size_t first,
                    size_t count, double *sines, double *cosines)
{
    posenc__sincos_at(posenc__level_best(), waves, position, first, count, sines, cosines);
}
