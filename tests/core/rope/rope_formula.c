/* Every scheme's frequencies by its formula in MPFR, with parameters drawn at random. */
#include "rope_formula.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static double whole_between(uint64_t *seed, double low, double high)
{
    return floor(exact_between(seed, low, high));
}

struct rope_draw rope_draw(uint64_t *seed)
{
    struct rope_draw draw = {
        .dim = 2 * (size_t)whole_between(seed, 2.0, 65.0),
        .base = pow(10.0, exact_between(seed, 3.0, 8.0)),
        .factor = exact_between(seed, 1.0, 64.0),
        .original = whole_between(seed, 256.0, 100000.0),
        .low = exact_between(seed, 0.5, 2.0),
        .high = exact_between(seed, 2.0, 8.0),
        .mixed_b = exact_between(seed, 0.1, 2.0),
    };

    draw.length = draw.original + whole_between(seed, 1.0, 1e6);
    for (size_t i = 0; i < draw.dim / 2; i++)
        draw.extensions[i] = exact_between(seed, 1.0, 70.0);
    return draw;
}

/* base^(-2 pair / dim) */
static void set_plain(mpfr_t w, double base, size_t pair, size_t dim)
{
    mpfr_t exponent;

    mpfr_init2(exponent, EXACT_BITS);
    mpfr_set_d(exponent, -2.0 * (double)pair, MPFR_RNDN);
    mpfr_div_d(exponent, exponent, (double)dim, MPFR_RNDN);
    mpfr_set_d(w, base, MPFR_RNDN);
    mpfr_pow(w, w, exponent, MPFR_RNDN);
    mpfr_clear(exponent);
}

/* x *= growth^(top / bottom) */
static void multiply_power(mpfr_t x, const mpfr_t growth, double top, double bottom)
{
    mpfr_t power;

    mpfr_init2(power, EXACT_BITS);
    mpfr_set_d(power, top, MPFR_RNDN);
    mpfr_div_d(power, power, bottom, MPFR_RNDN);
    mpfr_pow(power, growth, power, MPFR_RNDN);
    mpfr_mul(x, x, power, MPFR_RNDN);
    mpfr_clear(power);
}

/* The pair that turns `turns` times over the original length. */
static void set_corrected(mpfr_t pair, const struct rope_draw *draw, double turns)
{
    mpfr_t divisor;

    mpfr_init2(divisor, EXACT_BITS);
    mpfr_const_pi(divisor, MPFR_RNDN);
    mpfr_mul_d(divisor, divisor, 2.0 * turns, MPFR_RNDN);
    mpfr_d_div(pair, draw->original, divisor, MPFR_RNDN);
    mpfr_log(pair, pair, MPFR_RNDN);
    mpfr_mul_d(pair, pair, (double)draw->dim, MPFR_RNDN);
    mpfr_set_d(divisor, draw->base, MPFR_RNDN);
    mpfr_log(divisor, divisor, MPFR_RNDN);
    mpfr_mul_ui(divisor, divisor, 2, MPFR_RNDN);
    mpfr_div(pair, pair, divisor, MPFR_RNDN);
    mpfr_clear(divisor);
}

/* The ramp between the pairs of `fast` and `slow` turns. */
static void set_ramp(mpfr_t ramp, const struct rope_draw *draw, size_t pair, double fast,
                     double slow, bool truncate)
{
    const double last = (double)draw->dim - 1.0;
    mpfr_t low, high;

    mpfr_inits2(EXACT_BITS, low, high, (mpfr_ptr)NULL);
    set_corrected(low, draw, fast);
    set_corrected(high, draw, slow);
    if (truncate) {
        mpfr_floor(low, low);
        mpfr_ceil(high, high);
    }
    if (mpfr_sgn(low) < 0)
        mpfr_set_ui(low, 0, MPFR_RNDN);
    if (mpfr_cmp_d(high, last) > 0)
        mpfr_set_d(high, last, MPFR_RNDN);
    if (mpfr_equal_p(low, high))
        mpfr_add_d(high, high, 0.001, MPFR_RNDN);
    mpfr_sub(high, high, low, MPFR_RNDN);
    mpfr_ui_sub(ramp, pair, low, MPFR_RNDN);
    mpfr_div(ramp, ramp, high, MPFR_RNDN);
    if (mpfr_sgn(ramp) < 0)
        mpfr_set_ui(ramp, 0, MPFR_RNDN);
    if (mpfr_cmp_ui(ramp, 1) > 0)
        mpfr_set_ui(ramp, 1, MPFR_RNDN);
    mpfr_clears(low, high, (mpfr_ptr)NULL);
}

/* w = w * (1 - weight) + w / factor * weight */
static void scale_by_weight(mpfr_t w, const mpfr_t weight, double factor)
{
    mpfr_t share;

    mpfr_init2(share, EXACT_BITS);
    mpfr_div_d(share, weight, factor, MPFR_RNDN);
    mpfr_add_ui(share, share, 1, MPFR_RNDN);
    mpfr_sub(share, share, weight, MPFR_RNDN);
    mpfr_mul(w, w, share, MPFR_RNDN);
    mpfr_clear(share);
}

static void formula_default(mpfr_t w, const struct rope_draw *draw, size_t pair)
{
    set_plain(w, draw->base, pair, draw->dim);
}

static void formula_linear(mpfr_t w, const struct rope_draw *draw, size_t pair)
{
    set_plain(w, draw->base, pair, draw->dim);
    mpfr_div_d(w, w, draw->factor, MPFR_RNDN);
}

/* (base * growth^(d / (d - 2)))^(-2 pair / d), through the larger base itself. */
static void set_enlarged(mpfr_t w, const mpfr_t growth, const struct rope_draw *draw, size_t pair)
{
    const double d = (double)draw->dim;
    mpfr_t base;

    mpfr_init2(base, EXACT_BITS);
    mpfr_set_d(base, draw->base, MPFR_RNDN);
    multiply_power(base, growth, d, d - 2.0);
    mpfr_set_ui(w, 1, MPFR_RNDN);
    multiply_power(w, base, -2.0 * (double)pair, d);
    mpfr_clear(base);
}

static void formula_ntk(mpfr_t w, const struct rope_draw *draw, size_t pair)
{
    mpfr_t growth;

    mpfr_init2(growth, EXACT_BITS);
    mpfr_set_d(growth, draw->factor, MPFR_RNDN);
    set_enlarged(w, growth, draw, pair);
    mpfr_clear(growth);
}

/* factor * n / M - (factor - 1) */
static void formula_dynamic(mpfr_t w, const struct rope_draw *draw, size_t pair)
{
    mpfr_t growth;

    mpfr_init2(growth, EXACT_BITS);
    mpfr_set_d(growth, draw->factor, MPFR_RNDN);
    mpfr_mul_d(growth, growth, draw->length, MPFR_RNDN);
    mpfr_div_d(growth, growth, draw->original, MPFR_RNDN);
    mpfr_sub_d(growth, growth, draw->factor, MPFR_RNDN);
    mpfr_add_ui(growth, growth, 1, MPFR_RNDN);
    set_enlarged(w, growth, draw, pair);
    mpfr_clear(growth);
}

/* (base * s)^(-2 pair / d) / s^(2 / d) */
static void formula_ntk_fixed(mpfr_t w, const struct rope_draw *draw, size_t pair)
{
    const double d = (double)draw->dim;
    mpfr_t factor, base;

    mpfr_inits2(EXACT_BITS, factor, base, (mpfr_ptr)NULL);
    mpfr_set_d(factor, draw->factor, MPFR_RNDN);
    mpfr_mul_d(base, factor, draw->base, MPFR_RNDN);
    mpfr_set_ui(w, 1, MPFR_RNDN);
    multiply_power(w, base, -2.0 * (double)pair, d);
    multiply_power(w, factor, -2.0, d);
    mpfr_clears(factor, base, (mpfr_ptr)NULL);
}

/* w / exp(a (pair + 1)^b), a = ln(s) / (d / 2)^b */
static void formula_mixed(mpfr_t w, const struct rope_draw *draw, size_t pair)
{
    mpfr_t a, b, place;

    mpfr_inits2(EXACT_BITS, a, b, place, (mpfr_ptr)NULL);
    mpfr_set_d(b, draw->mixed_b, MPFR_RNDN);
    mpfr_set_d(place, (double)draw->dim / 2.0, MPFR_RNDN);
    mpfr_pow(place, place, b, MPFR_RNDN);
    mpfr_set_d(a, draw->factor, MPFR_RNDN);
    mpfr_log(a, a, MPFR_RNDN);
    mpfr_div(a, a, place, MPFR_RNDN);
    mpfr_set_ui(place, pair + 1, MPFR_RNDN);
    mpfr_pow(place, place, b, MPFR_RNDN);
    mpfr_mul(a, a, place, MPFR_RNDN);
    mpfr_exp(a, a, MPFR_RNDN);
    set_plain(w, draw->base, pair, draw->dim);
    mpfr_div(w, w, a, MPFR_RNDN);
    mpfr_clears(a, b, place, (mpfr_ptr)NULL);
}

static void set_yarn(mpfr_t w, const struct rope_draw *draw, size_t pair, bool truncate)
{
    mpfr_t ramp;

    mpfr_init2(ramp, EXACT_BITS);
    set_ramp(ramp, draw, pair, 32.0, 1.0, truncate);
    set_plain(w, draw->base, pair, draw->dim);
    scale_by_weight(w, ramp, draw->factor);
    mpfr_clear(ramp);
}

static void formula_yarn(mpfr_t w, const struct rope_draw *draw, size_t pair)
{
    set_yarn(w, draw, pair, true);
}

static void formula_yarn_untruncated(mpfr_t w, const struct rope_draw *draw, size_t pair)
{
    set_yarn(w, draw, pair, false);
}

/* Linear and NTK-aware tables blended over 1.25 to 0.75 turns, then the plain one over 16 to 2. */
static void formula_ntk_by_parts(mpfr_t w, const struct rope_draw *draw, size_t pair)
{
    mpfr_t inner, outer, linear, enlarged;

    mpfr_inits2(EXACT_BITS, inner, outer, linear, enlarged, (mpfr_ptr)NULL);
    set_ramp(inner, draw, pair, 1.25, 0.75, true);
    set_ramp(outer, draw, pair, 16.0, 2.0, true);
    formula_linear(linear, draw, pair);
    formula_ntk(enlarged, draw, pair);
    mpfr_mul(linear, linear, inner, MPFR_RNDN);
    mpfr_ui_sub(inner, 1, inner, MPFR_RNDN);
    mpfr_mul(enlarged, enlarged, inner, MPFR_RNDN);
    mpfr_add(linear, linear, enlarged, MPFR_RNDN);
    mpfr_mul(linear, linear, outer, MPFR_RNDN);
    mpfr_ui_sub(outer, 1, outer, MPFR_RNDN);
    formula_default(w, draw, pair);
    mpfr_mul(w, w, outer, MPFR_RNDN);
    mpfr_add(w, w, linear, MPFR_RNDN);
    mpfr_clears(inner, outer, linear, enlarged, (mpfr_ptr)NULL);
}

static void formula_longrope(mpfr_t w, const struct rope_draw *draw, size_t pair)
{
    set_plain(w, draw->base, pair, draw->dim);
    mpfr_div_d(w, w, draw->extensions[pair], MPFR_RNDN);
}

/* By wavelengths: 2 pi / w beyond L / low is scaled, below L / high kept. */
static void formula_llama3(mpfr_t w, const struct rope_draw *draw, size_t pair)
{
    mpfr_t smooth;

    mpfr_init2(smooth, EXACT_BITS);
    set_plain(w, draw->base, pair, draw->dim);
    mpfr_const_pi(smooth, MPFR_RNDN);
    mpfr_mul_ui(smooth, smooth, 2, MPFR_RNDN);
    mpfr_div(smooth, smooth, w, MPFR_RNDN); /* the wavelength */
    mpfr_d_div(smooth, draw->original, smooth, MPFR_RNDN);
    mpfr_sub_d(smooth, smooth, draw->low, MPFR_RNDN);
    mpfr_t width;
    mpfr_init2(width, EXACT_BITS);
    mpfr_set_d(width, draw->high, MPFR_RNDN);
    mpfr_sub_d(width, width, draw->low, MPFR_RNDN);
    mpfr_div(smooth, smooth, width, MPFR_RNDN);
    if (mpfr_sgn(smooth) < 0)
        mpfr_set_ui(smooth, 0, MPFR_RNDN);
    if (mpfr_cmp_ui(smooth, 1) > 0)
        mpfr_set_ui(smooth, 1, MPFR_RNDN);
    mpfr_ui_sub(smooth, 1, smooth, MPFR_RNDN);
    scale_by_weight(w, smooth, draw->factor);
    mpfr_clears(smooth, width, (mpfr_ptr)NULL);
}

/* Dictionaries; %a keeps every bit of the parameters. */

static void write_default(char *text, size_t size, const struct rope_draw *draw)
{
    (void)draw;
    (void)snprintf(text, size, "rope_type=default");
}

static void write_linear(char *text, size_t size, const struct rope_draw *draw)
{
    (void)snprintf(text, size, "rope_type=linear&factor=%a", draw->factor);
}

static void write_ntk(char *text, size_t size, const struct rope_draw *draw)
{
    (void)snprintf(text, size, "rope_type=ntk&alpha=%a", draw->factor);
}

static void write_dynamic(char *text, size_t size, const struct rope_draw *draw)
{
    (void)snprintf(text, size, "rope_type=dynamic&factor=%a", draw->factor);
}

static void write_ntk_fixed(char *text, size_t size, const struct rope_draw *draw)
{
    (void)snprintf(text, size, "rope_type=ntk_fixed&factor=%a", draw->factor);
}

static void write_mixed(char *text, size_t size, const struct rope_draw *draw)
{
    (void)snprintf(text, size, "rope_type=ntk_fixed&factor=%a&mixed_b=%a", draw->factor,
                   draw->mixed_b);
}

static void write_yarn(char *text, size_t size, const struct rope_draw *draw)
{
    (void)snprintf(text, size, "rope_type=yarn&factor=%a&original_max_position_embeddings=%a",
                   draw->factor, draw->original);
}

static void write_yarn_untruncated(char *text, size_t size, const struct rope_draw *draw)
{
    (void)snprintf(text, size,
                   "rope_type=yarn&factor=%a&original_max_position_embeddings=%a&truncate=false",
                   draw->factor, draw->original);
}

static void write_ntk_by_parts(char *text, size_t size, const struct rope_draw *draw)
{
    (void)snprintf(text, size,
                   "rope_type=ntk_by_parts&factor=%a&original_max_position_embeddings=%a",
                   draw->factor, draw->original);
}

static void write_longrope(char *text, size_t size, const struct rope_draw *draw)
{
    int used =
        snprintf(text, size, "rope_type=longrope&factor=%a&original_max_position_embeddings=%a",
                 draw->factor, draw->original);

    for (int list = 0; list < 2; list++)
        for (size_t i = 0; i < draw->dim / 2; i++) {
            const char *before = i > 0 ? "," : list ? "&long_factor=" : "&short_factor=";

            used += snprintf(text + used, size - (size_t)used, "%s%a", before,
                             list ? draw->extensions[i] : 1.0);
        }
}

static void write_llama3(char *text, size_t size, const struct rope_draw *draw)
{
    (void)snprintf(text, size,
                   "rope_type=llama3&factor=%a&low_freq_factor=%a&high_freq_factor=%a"
                   "&original_max_position_embeddings=%a",
                   draw->factor, draw->low, draw->high, draw->original);
}

/* sqrt(1 + ln(s) / ln(L)) */
static void set_longrope_magnitude(mpfr_t magnitude, const struct rope_draw *draw)
{
    mpfr_t log_original;

    mpfr_init2(log_original, EXACT_BITS);
    mpfr_set_d(log_original, draw->original, MPFR_RNDN);
    mpfr_log(log_original, log_original, MPFR_RNDN);
    mpfr_set_d(magnitude, draw->factor, MPFR_RNDN);
    mpfr_log(magnitude, magnitude, MPFR_RNDN);
    mpfr_div(magnitude, magnitude, log_original, MPFR_RNDN);
    mpfr_add_ui(magnitude, magnitude, 1, MPFR_RNDN);
    mpfr_sqrt(magnitude, magnitude, MPFR_RNDN);
    mpfr_clear(log_original);
}

/* ln(s) / 10 + 1 */
static void set_yarn_magnitude(mpfr_t magnitude, const struct rope_draw *draw)
{
    mpfr_set_d(magnitude, draw->factor, MPFR_RNDN);
    mpfr_log(magnitude, magnitude, MPFR_RNDN);
    mpfr_div_ui(magnitude, magnitude, 10, MPFR_RNDN);
    mpfr_add_ui(magnitude, magnitude, 1, MPFR_RNDN);
}

const struct rope_formula rope_formulas[] = {
    {"default", write_default, formula_default, NULL, false},
    {"linear", write_linear, formula_linear, NULL, false},
    {"ntk", write_ntk, formula_ntk, NULL, false},
    {"dynamic", write_dynamic, formula_dynamic, NULL, true},
    {"ntk_fixed", write_ntk_fixed, formula_ntk_fixed, NULL, false},
    {"ntk_fixed with mixed_b", write_mixed, formula_mixed, NULL, false},
    {"ntk_by_parts", write_ntk_by_parts, formula_ntk_by_parts, NULL, false},
    {"yarn", write_yarn, formula_yarn, set_yarn_magnitude, false},
    {"yarn, not truncated", write_yarn_untruncated, formula_yarn_untruncated, set_yarn_magnitude,
     false},
    {"llama3", write_llama3, formula_llama3, NULL, false},
    {"longrope", write_longrope, formula_longrope, set_longrope_magnitude, true},
    {.name = NULL},
};

const struct rope_formula *find_rope_formula(const char *name)
{
    for (const struct rope_formula *formula = rope_formulas; formula->name; formula++)
        if (strcmp(formula->name, name) == 0)
            return formula;
    cr_assert_fail("there is no formula of %s", name);
    return NULL;
}
