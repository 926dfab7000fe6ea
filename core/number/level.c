/* The processor's level. */
#include "level.h"

#include "posenc.h"

#ifdef __x86_64__

static bool level_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool level_has_avx512(void)
{
    return level_has_avx2() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

#else

static bool level_has_avx2(void)
{
    return false;
}

static bool level_has_avx512(void)
{
    return false;
}

#endif

bool posenc__level_runs(enum posenc__level level)
{
    switch (level) {
    case POSENC__PLAIN:
        return true;
    case POSENC__AVX2:
        return level_has_avx2();
    case POSENC__AVX512:
        return level_has_avx512();
    case POSENC__LEVEL_COUNT:
        break;
    }
    return false;
}

enum posenc__level posenc__level_best(void)
{
    if (level_has_avx512())
        return POSENC__AVX512;
    return level_has_avx2() ? POSENC__AVX2 : POSENC__PLAIN;
}

const char *posenc_kernel_level(void)
{
    static const char *const names[POSENC__LEVEL_COUNT] = {"plain", "avx2", "avx512"};

    return names[posenc__level_best()];
}
