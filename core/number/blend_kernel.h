/*
 * The kernels of posenc__blend, once for all levels: blend.c compiles them for each.
 *
 * Only products, sums and one conversion, so that every level gives the same bits. The compiler
 * makes a loop of each combination of form, dtype and factors, and vectorises it.
 */
#ifndef POSENC_BLEND_KERNEL_H
#define POSENC_BLEND_KERNEL_H

#include "blend.h"
#include "dtype_kernel.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

/* A row to be written. */
struct blend_row {
    void *first, *second; /* the two places of its form */
};

POSENC__KERNEL void blend_put(enum posenc_dtype dtype, void *row, size_t at, double value)
{
    if (dtype == POSENC_FLOAT32)
        ((float *)row)[at] = (float)value;
    else
        ((double *)row)[at] = value;
}

/* Wave i of a row; `second` is the cosine where the form has both kinds. */
POSENC__KERNEL void blend_store(enum posenc__blend_form form, enum posenc_dtype dtype,
                                struct blend_row row, size_t i, double first, double second)
{
    switch (form) {
    case POSENC__BLEND_BOTH:
        blend_put(dtype, row.first, i, first);
        blend_put(dtype, row.second, i, second);
        break;
    case POSENC__BLEND_MIXED:
        blend_put(dtype, row.first, 2 * i, first);
        blend_put(dtype, row.first, 2 * i + 1, second);
        break;
    case POSENC__BLEND_ONE:
        blend_put(dtype, row.first, i, first);
        break;
    case POSENC__BLEND_DOUBLED:
        blend_put(dtype, row.first, 2 * i, first);
        blend_put(dtype, row.first, 2 * i + 1, first);
        break;
    case POSENC__BLEND_REPEATED:
        blend_put(dtype, row.first, i, first);
        blend_put(dtype, row.second, i, first);
        break;
    }
}

/* Distances [begin, end), each with its opposite or all in one direction. */
struct blend_span {
    size_t begin, end;
    bool has_opposites;
    double direction; /* 1 or -1 where there are no opposites */
};

/* Where the rows of a span are written: from its first distance on, and from that one's opposite.
 */
struct blend_target {
    char *up, *down;
    ptrdiff_t row_bytes; /* from a distance to the next larger one */
    size_t first_bytes, second_bytes;
};

POSENC__KERNEL struct blend_row blend_row_at(struct blend_target target, char *row)
{
    return (struct blend_row){row + target.first_bytes, row + target.second_bytes};
}

/* The rows of distances d and -d. A scaled 0 is +0 under a negative factor, too. */
POSENC__KERNEL void blend_pair(const struct posenc__blend *blend, enum posenc__blend_form form,
                               enum posenc_dtype dtype, bool scaled, const double *near,
                               struct blend_row up, struct blend_row down)
{
    const double *const restrict s = blend->sines, *const restrict c = blend->cosines;
    const double *const restrict near_s = near, *const restrict near_c = near + blend->near_cosines;
    const double factor = blend->sine_factor, other = blend->cosine_factor;
    const size_t waves = blend->waves;

    POSENC__INDEPENDENT
    for (size_t i = 0; i < waves; i++) {
        const double sine_part = s[i] * near_c[i], sine_turn = c[i] * near_s[i];
        const double cosine_part = c[i] * near_c[i], cosine_turn = s[i] * near_s[i];
        double up_s = sine_part + sine_turn, up_c = cosine_part - cosine_turn;
        double down_s = sine_part - sine_turn, down_c = cosine_part + cosine_turn;

        if (scaled) {
            up_s = up_s * factor + 0.0, up_c = up_c * other + 0.0;
            down_s = down_s * factor + 0.0, down_c = down_c * other + 0.0;
        }
        blend_store(form, dtype, up, i, up_s, up_c);
        blend_store(form, dtype, down, i, down_s, down_c);
    }
}

/* The row of one distance. */
POSENC__KERNEL void blend_single(const struct posenc__blend *blend, enum posenc__blend_form form,
                                 enum posenc_dtype dtype, const double *near, double direction,
                                 struct blend_row row)
{
    const double *const restrict s = blend->sines, *const restrict c = blend->cosines;
    const double *const restrict near_s = near, *const restrict near_c = near + blend->near_cosines;
    const double factor = blend->sine_factor, other = blend->cosine_factor;
    const size_t waves = blend->waves;

    POSENC__INDEPENDENT
    for (size_t i = 0; i < waves; i++) {
        const double turn = near_s[i] * direction;
        const double sine = s[i] * near_c[i] + c[i] * turn;
        const double cosine = c[i] * near_c[i] - s[i] * turn;

        blend_store(form, dtype, row, i, sine * factor + 0.0, cosine * other + 0.0);
    }
}

POSENC__KERNEL void blend_span(const struct posenc__blend *blend, enum posenc__blend_form form,
                               enum posenc_dtype dtype, const struct blend_span *span,
                               struct blend_target target)
{
    const bool scaled = blend->sine_factor != 1.0 || blend->cosine_factor != 1.0;

    for (size_t d = span->begin; d < span->end; d++) {
        const ptrdiff_t bytes = (ptrdiff_t)(d - span->begin) * target.row_bytes;
        const double *const near = blend->near + d * blend->near_stride;
        const struct blend_row up = blend_row_at(target, target.up + bytes);
        const struct blend_row down = blend_row_at(target, target.down - bytes);

        if (!span->has_opposites)
            blend_single(blend, form, dtype, near, span->direction,
                         span->direction < 0 ? down : up);
        else if (scaled)
            blend_pair(blend, form, dtype, true, near, up, down);
        else
            blend_pair(blend, form, dtype, false, near, up, down);
    }
}

/* A constant form in each branch. */
POSENC__KERNEL void blend_in_form(const struct posenc__blend *blend, enum posenc_dtype dtype,
                                  const struct blend_span *span, struct blend_target target)
{
    switch (blend->form) {
    case POSENC__BLEND_BOTH:
        blend_span(blend, POSENC__BLEND_BOTH, dtype, span, target);
        break;
    case POSENC__BLEND_MIXED:
        blend_span(blend, POSENC__BLEND_MIXED, dtype, span, target);
        break;
    case POSENC__BLEND_ONE:
        blend_span(blend, POSENC__BLEND_ONE, dtype, span, target);
        break;
    case POSENC__BLEND_DOUBLED:
        blend_span(blend, POSENC__BLEND_DOUBLED, dtype, span, target);
        break;
    case POSENC__BLEND_REPEATED:
        blend_span(blend, POSENC__BLEND_REPEATED, dtype, span, target);
        break;
    }
}

/* Rounds a row from doubles that stand as they shall stand. */
POSENC__KERNEL void blend_round(const struct posenc__blend *blend, const double *values,
                                struct blend_row row)
{
    const enum posenc__blend_form form = blend->form;
    const bool is_wide = form == POSENC__BLEND_MIXED || form == POSENC__BLEND_DOUBLED;

    dtype_round(blend->dtype, values, is_wide ? 2 * blend->waves : blend->waves, row.first);
    if (form == POSENC__BLEND_BOTH || form == POSENC__BLEND_REPEATED)
        dtype_round(blend->dtype, values + blend->waves, blend->waves, row.second);
}

/* Where the rows of distance d and its opposite go in the end. */
POSENC__KERNEL struct blend_target blend_final(const struct posenc__blend *blend, size_t d)
{
    const size_t size = posenc_dtype_size(blend->dtype);
    const ptrdiff_t row_bytes = blend->row_stride * (ptrdiff_t)size;
    const ptrdiff_t up = (ptrdiff_t)d - blend->origin, down = -(ptrdiff_t)d - blend->origin;
    char *const out = blend->out;

    return (struct blend_target){out + up * row_bytes, out + down * row_bytes, row_bytes,
                                 blend->sine * size, blend->cosine * size};
}

/* The short dtypes: a second step rounds doubles that have not left the innermost cache. */
POSENC__KERNEL void blend_short(const struct posenc__blend *blend, const struct blend_span *span)
{
    double values[2][2 * POSENC__BLEND_WAVES] = {{0}}; /* analyzers see no part left out */
    const struct blend_target kept = {(char *)values[0], (char *)values[1], 0, 0,
                                      blend->waves * sizeof(double)};

    for (size_t d = span->begin; d < span->end; d++) {
        const struct blend_target final = blend_final(blend, d);
        const struct blend_span one = {d, d + 1, span->has_opposites, span->direction};

        blend_in_form(blend, POSENC_FLOAT64, &one, kept);
        if (span->has_opposites || span->direction > 0)
            blend_round(blend, values[0], blend_row_at(final, final.up));
        if (span->has_opposites || span->direction < 0)
            blend_round(blend, values[1], blend_row_at(final, final.down));
    }
}

POSENC__KERNEL void blend_fill(const struct posenc__blend *blend, const struct blend_span *span)
{
    if (blend->dtype == POSENC_FLOAT32)
        blend_in_form(blend, POSENC_FLOAT32, span, blend_final(blend, span->begin));
    else if (blend->dtype == POSENC_FLOAT64)
        blend_in_form(blend, POSENC_FLOAT64, span, blend_final(blend, span->begin));
    else
        blend_short(blend, span);
}

#endif
