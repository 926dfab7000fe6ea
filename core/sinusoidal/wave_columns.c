/* Blocks of sines and cosines, any run of their columns. */
#include "wave_columns.h"

#include "wave_rows.h"

/* Columns of one half: all of them sines, or all of them cosines, of waves [first, first + count).
 */
static void fill_half(const struct posenc__waves *waves, bool is_sine, struct posenc__dd position,
                      size_t first, size_t count, double *out)
{
    posenc__wave_at(waves, position, first, count, is_sine ? out : NULL, is_sine ? NULL : out);
}

static void fill_halves(const struct posenc__waves *waves, bool sine_first,
                        struct posenc__dd position, size_t begin, size_t end, double *out)
{
    const size_t half = waves->count;

    if (begin == 0 && end == 2 * half) { /* both from one computation */
        posenc__wave_at(waves, position, 0, half, sine_first ? out : out + half,
                        sine_first ? out + half : out);
        return;
    }
    const size_t first_end = end < half ? end : half, second_begin = begin > half ? begin : half;

    if (begin < first_end)
        fill_half(waves, sine_first, position, begin, first_end - begin, out);
    if (second_begin < end)
        fill_half(waves, !sine_first, position, second_begin - half, end - second_begin,
                  out + (second_begin - begin));
}

#define PAIR_BLOCK 64 /* pairs computed at a time, on the stack */

static void fill_interleaved(const struct posenc__waves *waves, struct posenc__dd position,
                             size_t begin, size_t end, double *out)
{
    double pairs[2][PAIR_BLOCK];

    for (size_t column = begin; column < end;) {
        const size_t first = column / 2, wanted = (end + 1) / 2 - first;
        const size_t count = wanted < PAIR_BLOCK ? wanted : PAIR_BLOCK;

        posenc__wave_at(waves, position, first, count, pairs[0], pairs[1]);
        for (; column < end && column < 2 * (first + count); column++)
            out[column - begin] = pairs[column % 2][column / 2 - first];
    }
}

void posenc__wave_columns(const struct posenc__waves *waves, enum posenc__column_order order,
                          struct posenc__dd position, size_t begin, size_t end, double *out)
{
    if (order == POSENC__INTERLEAVED)
        fill_interleaved(waves, position, begin, end, out);
    else
        fill_halves(waves, order == POSENC__SIN_COS, position, begin, end, out);
}
