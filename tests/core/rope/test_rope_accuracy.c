/*
 * RoPE's tables against MPFR over schemes, widths, bases and positions up to 2^53. ROPE_VALUES in
 * the environment sets how many cosines and sines are looked at.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "asking.h"
#include "rope_formula.h"
#include "rope_question.h"

#define VALUES 100000 /* where ROPE_VALUES is not set */

#define POSITIONS 10 /* of one table */

/* A float64 cosine, divided by the attention factor: the promise. */
#define FLOAT64_ERROR 5e-16

/* What was found. */
struct findings {
    size_t values, misrounded; /* of float32, once each */
    double worst;              /* error of a float64, divided by the attention factor */
    double worst_position;
};

static size_t values_wanted(void)
{
    const char *text = getenv("ROPE_VALUES");

    return text ? (size_t)strtoul(text, NULL, 10) : VALUES;
}

/* Magnitudes as likely small as large, up to 2^53; every fourth is no whole number. */
static double draw_position(uint64_t *seed)
{
    const double size = exp2(exact_between(seed, 0.0, 53.0));
    const double whole = exact_bits(seed) % 16 ? floor(size) : POSENC_POSITION_MAX - floor(size);
    const double position = exact_bits(seed) % 4 ? whole : size;

    return exact_bits(seed) % 4 ? position : -position;
}

/* The table of a draw at some positions. */
static void ask_table(struct asked *asked, const struct rope_draw *draw,
                      const struct rope_formula *formula, const double *positions,
                      const char *dtype)
{
    char text[ROPE_DICTIONARY_MAX];
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    formula->write(text, sizeof(text), draw);
    const struct posenc_member members[] = {
        {"dim", posenc_number((double)draw->dim)},
        {"base", posenc_number(draw->base)},
        {"scaling", question_dictionary(&memory, text)},
        {"positions", posenc_numbers(positions, POSITIONS)},
        {"dtype", posenc_text(dtype)},
        {"max_position_embeddings", posenc_number(draw->original)},
        {"sequence_length", posenc_number(draw->length)},
    };

    ask_members(asked, "rope", "table", members, formula->has_length ? 7 : 5);
    cr_assert_eq(asked->status, POSENC_OK, "%s: %s", text, asked->problem.detail);
    posenc_memory_release(&memory);
}

/* One cosine or sine in both dtypes, beside the exact one. */
static void look_at(struct findings *findings, double wide, double narrow, const mpfr_t exact,
                    double magnitude, double position)
{
    mpfr_t error;

    mpfr_init2(error, EXACT_BITS);
    mpfr_sub_d(error, exact, wide, MPFR_RNDN);
    const double size = fabs(mpfr_get_d(error, MPFR_RNDN)) / magnitude;

    mpfr_clear(error);
    findings->values++;
    findings->misrounded += narrow != (double)mpfr_get_flt(exact, MPFR_RNDN);
    if (size > findings->worst) {
        findings->worst = size;
        findings->worst_position = position;
    }
}

static void compare_pair(struct findings *findings, const struct asked *wide,
                         const struct asked *narrow, const double *positions, size_t pairs,
                         size_t pair, const mpfr_t w, const mpfr_t magnitude)
{
    mpfr_t sine, cosine;

    mpfr_inits2(EXACT_BITS, sine, cosine, (mpfr_ptr)NULL);
    for (size_t row = 0; row < POSITIONS; row++) {
        const size_t at = row * pairs + pair;
        const double size = mpfr_get_d(magnitude, MPFR_RNDN);

        mpfr_mul_d(cosine, w, positions[row], MPFR_RNDN);
        mpfr_sin_cos(sine, cosine, cosine, MPFR_RNDN);
        mpfr_mul(sine, sine, magnitude, MPFR_RNDN);
        mpfr_mul(cosine, cosine, magnitude, MPFR_RNDN);
        look_at(findings, asked_value(wide, "cos", at), asked_value(narrow, "cos", at), cosine,
                size, positions[row]);
        look_at(findings, asked_value(wide, "sin", at), asked_value(narrow, "sin", at), sine, size,
                positions[row]);
    }
    mpfr_clears(sine, cosine, (mpfr_ptr)NULL);
}

/* One pair of one scheme at several positions. */
static void compare_drawn(struct findings *findings, const struct rope_formula *formula,
                          uint64_t *seed)
{
    const struct rope_draw draw = rope_draw(seed);
    const size_t pairs = draw.dim / 2, pair = exact_bits(seed) % pairs;
    struct asked wide, narrow;
    double positions[POSITIONS];
    mpfr_t w, magnitude;

    mpfr_inits2(EXACT_BITS, w, magnitude, (mpfr_ptr)NULL);
    for (size_t row = 0; row < POSITIONS; row++)
        positions[row] = draw_position(seed);
    formula->frequency(w, &draw, pair);
    mpfr_set_ui(magnitude, 1, MPFR_RNDN);
    if (formula->magnitude)
        formula->magnitude(magnitude, &draw);
    ask_table(&wide, &draw, formula, positions, "float64");
    ask_table(&narrow, &draw, formula, positions, "float32");
    compare_pair(findings, &wide, &narrow, positions, pairs, pair, w, magnitude);
    posenc_memory_release(&wide.memory);
    posenc_memory_release(&narrow.memory);
    mpfr_clears(w, magnitude, (mpfr_ptr)NULL);
}

Test(rope_accuracy, float32_is_never_misrounded_and_float64_is_within_5e_16)
{
    const size_t wanted = values_wanted();
    const struct rope_formula *formula = rope_formulas;
    struct findings findings = {0};
    uint64_t seed = 2021;

    while (findings.values < wanted) {
        compare_drawn(&findings, formula, &seed);
        formula = formula[1].name ? formula + 1 : rope_formulas;
    }
    (void)fprintf(stderr,
                  "rope_accuracy: %zu values: %zu misrounded in float32, worst error of float64 "
                  "%.3g (at position %.17g)\n",
                  findings.values, findings.misrounded, findings.worst, findings.worst_position);
    cr_expect_eq(findings.misrounded, 0);
    cr_expect_leq(findings.worst, FLOAT64_ERROR);
}
