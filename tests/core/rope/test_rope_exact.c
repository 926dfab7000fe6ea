/* Every scheme's frequencies against its formula in MPFR, with random parameters. */
#include <criterion/criterion.h>

#include "rope_formula.h"
#include "rope_question.h"

#define ROUNDS 150

/* Far below what a double shows, so that angles at 2^53 positions keep their bits; log2 of the
 * relative error. */
#define PROMISED_BITS (-90.0)

/* log2 of the largest relative error of one answer. */
static double worst_of(const struct posenc__rope_frequencies *answer, const struct rope_draw *draw,
                       const struct rope_formula *formula)
{
    double worst = -INFINITY;
    mpfr_t exact;

    mpfr_init2(exact, EXACT_BITS);
    for (size_t pair = 0; pair < answer->pairs; pair++) {
        formula->frequency(exact, draw, pair);
        worst = fmax(worst, exact_error_bits(answer->radians[pair], exact));
    }
    mpfr_clear(exact);
    return worst;
}

/* Draws parameters and asks; release the memory. */
static struct rope_draw ask_drawn(struct rope_asked *asked, const struct rope_formula *formula,
                                  uint64_t *seed)
{
    const struct rope_draw draw = rope_draw(seed);
    char text[ROPE_DICTIONARY_MAX];

    formula->write(text, sizeof(text), &draw);
    const struct rope_asking asking = {
        .dim = draw.dim,
        .base = draw.base,
        .scaling = text,
        .max_position_embeddings = formula->has_length ? draw.original : 0.0,
        .sequence_length = formula->has_length ? draw.length : 0.0,
    };

    cr_assert_eq(ask_rope(asked, &asking), POSENC_OK, "%s: %s", text, asked->problem.detail);
    cr_assert_eq(asked->answer.pairs, draw.dim / 2);
    return draw;
}

static void compare(const char *name)
{
    const struct rope_formula *formula = find_rope_formula(name);
    uint64_t seed = 11;
    double worst = -INFINITY;

    for (int round = 0; round < ROUNDS; round++) {
        struct rope_asked asked = {.answer = {.pairs = 0}};
        const struct rope_draw draw = ask_drawn(&asked, formula, &seed);

        worst = fmax(worst, worst_of(&asked.answer, &draw, formula));
        posenc_memory_release(&asked.memory);
    }
    cr_log_info("%s: worst relative error 2^%.2f", name, worst);
    cr_expect_leq(worst, PROMISED_BITS, "%s: 2^%.2f", name, worst);
}

Test(rope_exact, default_and_linear_keep_90_bits)
{
    compare("default");
    compare("linear");
}

Test(rope_exact, schemes_that_enlarge_the_base_keep_90_bits)
{
    compare("ntk");
    compare("dynamic");
    compare("ntk_fixed");
    compare("ntk_fixed with mixed_b");
}

Test(rope_exact, schemes_that_blend_tables_keep_90_bits)
{
    compare("ntk_by_parts");
    compare("yarn");
    compare("yarn, not truncated");
    compare("llama3");
}

Test(rope_exact, longrope_keeps_90_bits)
{
    compare("longrope");
}

Test(rope_exact, attention_factors_keep_90_bits)
{
    uint64_t seed = 12;
    double worst = -INFINITY;
    mpfr_t exact;

    mpfr_init2(exact, EXACT_BITS);
    for (int round = 0; round < ROUNDS; round++) {
        const struct rope_formula *formula = find_rope_formula(round % 2 ? "longrope" : "yarn");
        struct rope_asked asked = {.answer = {.pairs = 0}};
        const struct rope_draw draw = ask_drawn(&asked, formula, &seed);

        formula->magnitude(exact, &draw);
        worst = fmax(worst, exact_error_bits(asked.answer.attention_factor, exact));
        posenc_memory_release(&asked.memory);
    }
    mpfr_clear(exact);
    cr_expect_leq(worst, PROMISED_BITS, "2^%.2f", worst);
}
