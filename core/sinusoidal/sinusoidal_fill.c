/* Elements of sinusoidal tables. */
#include <string.h>

#include "sinusoidal.h"

/* sin and cos of pairs [first, first + count) of a row, before the output scale. */
static void sines_of(const struct posenc__sinusoidal *plan, size_t row, size_t first, size_t count,
                     double *sines, double *cosines)
{
    if (plan->frequencies) {
        const struct posenc__dd position = posenc__position_at(&plan->positions, row);
        const float scaled = (float)position.hi * (float)plan->position_scale;

        posenc__sincos_float32(plan->frequencies + first, scaled, count, sines, cosines);
    } else {
        posenc__wave_rows_sincos(&plan->rows, row, first, count, sines, cosines);
    }
}

/* Columns [begin, end) of a row. */
struct span {
    size_t begin, end;
    double *out;
};

/* Pairs of [0, count) whose column start + i * stride lies in the span. */
static void pairs_in(const struct span *span, size_t start, size_t stride, size_t count,
                     size_t *low, size_t *high)
{
    *low = span->begin > start ? (span->begin - start + stride - 1) / stride : 0;
    *high = span->end > start ? (span->end - start + stride - 1) / stride : 0;
    *low = *low < count ? *low : count;
    *high = *high < count ? *high : count;
}

static void scatter(const struct span *span, const double *values, size_t first, size_t last,
                    size_t start, size_t stride, size_t low, size_t high, double scale)
{
    low = low > first ? low : first;
    high = high < last ? high : last;
    for (size_t i = low; i < high; i++)
        span->out[start + i * stride - span->begin] = values[i - first] * scale + 0.0;
}

#define PAIR_BLOCK 64 /* pairs computed at a time, on the stack */

static void fill_span(const struct posenc__sinusoidal *plan, size_t row, const struct span *span)
{
    double sines[PAIR_BLOCK], cosines[PAIR_BLOCK];
    size_t sine_low, sine_high, cosine_low, cosine_high;

    pairs_in(span, plan->sine_start, plan->stride, plan->sines, &sine_low, &sine_high);
    pairs_in(span, plan->cosine_start, plan->stride, plan->cosines, &cosine_low, &cosine_high);
    for (size_t first = 0; first < plan->sines; first += PAIR_BLOCK) {
        const size_t last = first + PAIR_BLOCK < plan->sines ? first + PAIR_BLOCK : plan->sines;
        const bool wants_sines = sine_low < last && sine_high > first;
        const bool wants_cosines = cosine_low < last && cosine_high > first;

        if (!wants_sines && !wants_cosines)
            continue;
        sines_of(plan, row, first, last - first, sines, cosines);
        scatter(span, sines, first, last, plan->sine_start, plan->stride, sine_low, sine_high,
                plan->output_scale);
        scatter(span, cosines, first, last, plan->cosine_start, plan->stride, cosine_low,
                cosine_high, plan->output_scale);
    }
}

static bool is_padding(const struct posenc__sinusoidal *plan, size_t row)
{
    if (!plan->has_padding)
        return false;
    const struct posenc__dd position = posenc__position_at(&plan->positions, row);

    return position.hi == plan->padding && position.lo == 0;
}

void posenc__sinusoidal_values(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__sinusoidal *plan = context;

    for (size_t done = 0; done < count;) {
        const size_t row = (first + done) / plan->dim, begin = (first + done) % plan->dim;
        const size_t part = plan->dim - begin < count - done ? plan->dim - begin : count - done;
        const struct span span = {begin, begin + part, out + done};

        if (is_padding(plan, row))
            for (size_t i = 0; i < part; i++)
                span.out[i] = 0;
        else
            fill_span(plan, row, &span);
        if (span.end == plan->dim && plan->sines + plan->cosines < plan->dim)
            span.out[part - 1] = 0;
        done += part;
    }
}

/* Whole rows, and zeros where no wave goes: an odd last column, the row of padding. */
static void whole_rows(const void *context, enum posenc_dtype dtype, size_t first, size_t count,
                       void *out)
{
    const struct posenc__sinusoidal *plan = context;
    const bool is_mixed = plan->stride == 2;
    const struct posenc__wave_layout layout = {.form = is_mixed ? POSENC__BLEND_MIXED
                                                                : POSENC__BLEND_BOTH,
                                               .width = plan->dim,
                                               .sine = plan->sine_start,
                                               .cosine = plan->cosine_start,
                                               .sine_factor = plan->output_scale,
                                               .cosine_factor = plan->output_scale};
    const size_t size = posenc_dtype_size(dtype), used = 2 * plan->sines;

    posenc__wave_rows_fill(&plan->rows, &layout, dtype, first, count, out);
    for (size_t i = 0; i < count && (plan->has_padding || used < plan->dim); i++) {
        const size_t kept = is_padding(plan, first + i) ? 0 : used;

        memset((char *)out + (i * plan->dim + kept) * size, 0, (plan->dim - kept) * size);
    }
}

void posenc__sinusoidal_elements(const void *context, enum posenc_dtype dtype, size_t first,
                                 size_t count, void *out)
{
    const struct posenc__sinusoidal *plan = context;
    const struct posenc__rows rows = {plan->dim, posenc__sinusoidal_values, whole_rows};

    posenc__fill_rows(&rows, plan, dtype, first, count, out);
}
