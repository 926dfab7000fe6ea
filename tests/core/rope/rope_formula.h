/* Every scheme's frequencies by its formula in MPFR, with parameters drawn at random. */
#ifndef TESTS_ROPE_FORMULA_H
#define TESTS_ROPE_FORMULA_H

#include <stdbool.h>

#include "exact.h"

/* A scheme's parameters, drawn at random. Doubles, so that MPFR starts from the same numbers. */
struct rope_draw {
    size_t dim;
    double base, factor, original, length, low, high, mixed_b;
    double extensions[64];
};

/* Bases from 1e3 to 1e8, factors from 1 to 64, widths from 4 to 128. */
struct rope_draw rope_draw(uint64_t *seed);

#define ROPE_DICTIONARY_MAX 8192 /* bytes of a dictionary as text, with its end */

struct rope_formula {
    const char *name;
    /* Writes the dictionary as question_dictionary() reads it. */
    void (*write)(char *text, size_t size, const struct rope_draw *draw);
    /* Radians per position of a pair. */
    void (*frequency)(mpfr_t w, const struct rope_draw *draw, size_t pair);
    /* What multiplies cos and sin; NULL: 1. */
    void (*magnitude)(mpfr_t magnitude, const struct rope_draw *draw);
    bool has_length; /* depends on length, which is past the original one */
};

/* Ends with a NULL name. */
extern const struct rope_formula rope_formulas[];

const struct rope_formula *find_rope_formula(const char *name);

#endif
