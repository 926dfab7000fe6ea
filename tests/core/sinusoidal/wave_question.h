/* The sinusoidal encoding by its formula, in MPFR. */
#ifndef TESTS_WAVE_QUESTION_H
#define TESTS_WAVE_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "exact.h"

/* One question in the words of the formula. */
struct wave_question {
    size_t dim;
    const char *layout, *spacing, *odd;
    double base, min_timescale, position_scale;
    double offset, step; /* positions are offset + row * step */
    size_t length;
    const char *dtype;
};

/* Which pair and which half stands in a column; `zero` for the column that zero_pad appends. */
struct column {
    size_t pair;
    bool is_cosine, zero;
};

static inline struct column column_at(const struct wave_question *question, size_t column)
{
    const size_t pairs = question->dim / 2;
    const bool pads = question->dim % 2 != 0 && strcmp(question->odd, "zero_pad") == 0;
    const size_t sines = pads ? pairs : question->dim - pairs;

    if (pads && column + 1 == question->dim)
        return (struct column){.zero = true};
    if (strcmp(question->layout, "interleaved") == 0)
        return (struct column){column / 2, column % 2 != 0, false};
    if (strcmp(question->layout, "sin_cos") == 0)
        return column < sines ? (struct column){column, false, false}
                              : (struct column){column - sines, true, false};
    return column < pairs ? (struct column){column, true, false}
                          : (struct column){column - pairs, false, false};
}

/* angle = (offset + row * step) * position_scale * (base / m)^(-exponent) / m. */
static inline void exact_angle(mpfr_t angle, const struct wave_question *question, size_t row,
                               size_t pair)
{
    const size_t half = question->dim / 2;
    mpfr_t frequency, exponent;

    mpfr_inits2(EXACT_BITS, frequency, exponent, (mpfr_ptr)NULL);
    if (strcmp(question->spacing, "dim") == 0) {
        mpfr_set_ui(exponent, 2 * pair, MPFR_RNDN);
        mpfr_div_ui(exponent, exponent, question->dim, MPFR_RNDN);
    } else {
        mpfr_set_ui(exponent, pair, MPFR_RNDN);
        mpfr_div_ui(exponent, exponent, half > 2 ? half - 1 : 1, MPFR_RNDN);
    }
    mpfr_neg(exponent, exponent, MPFR_RNDN);
    mpfr_set_d(frequency, question->base, MPFR_RNDN);
    mpfr_div_d(frequency, frequency, question->min_timescale, MPFR_RNDN);
    mpfr_pow(frequency, frequency, exponent, MPFR_RNDN);
    mpfr_div_d(frequency, frequency, question->min_timescale, MPFR_RNDN);
    mpfr_set_d(angle, question->step, MPFR_RNDN);
    mpfr_mul_ui(angle, angle, row, MPFR_RNDN);
    mpfr_add_d(angle, angle, question->offset, MPFR_RNDN);
    mpfr_mul_d(angle, angle, question->position_scale, MPFR_RNDN);
    mpfr_mul(angle, angle, frequency, MPFR_RNDN);
    mpfr_clears(frequency, exponent, (mpfr_ptr)NULL);
}

static inline double exact_value(const struct wave_question *question, size_t row, size_t column)
{
    const struct column place = column_at(question, column);
    mpfr_t value;

    if (place.zero)
        return 0;
    mpfr_init2(value, EXACT_BITS);
    exact_angle(value, question, row, place.pair);
    if (place.is_cosine)
        mpfr_cos(value, value, MPFR_RNDN);
    else
        mpfr_sin(value, value, MPFR_RNDN);
    const double rounded = mpfr_get_d(value, MPFR_RNDN);

    mpfr_clear(value);
    return rounded;
}

#endif
