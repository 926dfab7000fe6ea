/* Element types: their names, and one rounding from double into each. */
#include <assert.h>
#include <string.h>

#include "dtype.h"
#include "dtype_kernel.h"
#include "level.h"
#include "posenc.h"

struct dtype_row {
    const char *name;
    size_t size;
};

static const struct dtype_row dtype_rows[POSENC_DTYPE_COUNT] = {
    [POSENC_FLOAT64] = {"float64", 8}, [POSENC_FLOAT32] = {"float32", 4},
    [POSENC_FLOAT16] = {"float16", 2}, [POSENC_BFLOAT16] = {"bfloat16", 2},
    [POSENC_INT64] = {"int64", 8},     [POSENC_INT32] = {"int32", 4},
};

const char *posenc_dtype_name(enum posenc_dtype dtype)
{
    assert(dtype < POSENC_DTYPE_COUNT);
    return dtype_rows[dtype].name;
}

size_t posenc_dtype_size(enum posenc_dtype dtype)
{
    assert(dtype < POSENC_DTYPE_COUNT);
    return dtype_rows[dtype].size;
}

bool posenc_dtype_find(const char *name, enum posenc_dtype *dtype)
{
    for (int i = 0; i < POSENC_DTYPE_COUNT; i++) {
        if (strcmp(dtype_rows[i].name, name) == 0) {
            *dtype = (enum posenc_dtype)i;
            return true;
        }
    }
    return false;
}

static void dtype_round_plain(enum posenc_dtype dtype, const double *values, size_t count,
                              void *out)
{
    dtype_round(dtype, values, count, out);
}

static void dtype_widen_plain(enum posenc_dtype dtype, const void *elements, size_t count,
                              double *out)
{
    dtype_widen(dtype, elements, count, out);
}

#ifdef __x86_64__
POSENC__FOR_AVX2 static void dtype_round_avx2(enum posenc_dtype dtype, const double *values,
                                              size_t count, void *out)
{
    dtype_round(dtype, values, count, out);
}

POSENC__FOR_AVX2 static void dtype_widen_avx2(enum posenc_dtype dtype, const void *elements,
                                              size_t count, double *out)
{
    dtype_widen(dtype, elements, count, out);
}

POSENC__FOR_AVX512 static void dtype_round_avx512(enum posenc_dtype dtype, const double *values,
                                                  size_t count, void *out)
{
    dtype_round(dtype, values, count, out);
}

POSENC__FOR_AVX512 static void dtype_widen_avx512(enum posenc_dtype dtype, const void *elements,
                                                  size_t count, double *out)
{
    dtype_widen(dtype, elements, count, out);
}
#endif

struct dtype_level {
    void (*round)(enum posenc_dtype dtype, const double *values, size_t count, void *out);
    void (*widen)(enum posenc_dtype dtype, const void *elements, size_t count, double *out);
};

static const struct dtype_level dtype_levels[POSENC__LEVEL_COUNT] = {
    [POSENC__PLAIN] = {dtype_round_plain, dtype_widen_plain},
#ifdef __x86_64__
    [POSENC__AVX2] = {dtype_round_avx2, dtype_widen_avx2},
    [POSENC__AVX512] = {dtype_round_avx512, dtype_widen_avx512},
#endif
};

void posenc__round_at(enum posenc__level level, enum posenc_dtype dtype, const double *values,
                      size_t count, void *out)
{
    dtype_levels[level].round(dtype, values, count, out);
}

void posenc__widen_at(enum posenc__level level, enum posenc_dtype dtype, const void *elements,
                      size_t count, double *out)
{
    dtype_levels[level].widen(dtype, elements, count, out);
}

void posenc_round(enum posenc_dtype dtype, const double *values, size_t count, void *out)
{
    posenc__round_at(posenc__level_best(), dtype, values, count, out);
}

void posenc_widen(enum posenc_dtype dtype, const void *elements, size_t count, double *out)
{
    posenc__widen_at(posenc__level_best(), dtype, elements, count, out);
}
