#include "rope_expect.h"

#include <math.h>

#include "rope_formula.h"

/* A decimal of 17 digits and a frequency are each rounded once. */
#define DOUBLE_ROUNDINGS 0x1p-52

static const char *words_of(const struct rope_asking *asking)
{
    return asking->scaling ? asking->scaling : "no scaling";
}

struct rope_asked rope_answer(const struct rope_asking *asking)
{
    struct rope_asked asked = {.answer = {.pairs = 0}};

    cr_assert_eq(ask_rope(&asked, asking), POSENC_OK, "%s: %s", words_of(asking),
                 asked.problem.detail);
    return asked;
}

void expect_rope_refusals(const struct rope_refusal *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *words = words_of(&rows[i].asking);
        struct rope_asked asked = {.answer = {.pairs = 0}};

        cr_expect_eq(ask_rope(&asked, &rows[i].asking), rows[i].status, "%s", words);
        cr_expect_str_eq(asked.problem.parameter, rows[i].parameter, "%s: %s", words,
                         asked.problem.detail);
        cr_expect_neq(asked.problem.detail[0], '\0', "%s", words);
        posenc_memory_release(&asked.memory);
    }
}

void expect_rope_warnings(const struct rope_warning *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct rope_asked asked = rope_answer(&rows[i].asking);
        const size_t expected = rows[i].parameter ? 1 : 0;

        cr_expect_eq(asked.arguments.warning_count, expected, "%s: %zu warnings",
                     words_of(&rows[i].asking), asked.arguments.warning_count);
        if (expected && asked.arguments.warning_count > 0)
            cr_expect_str_eq(asked.arguments.warnings[0].parameter, rows[i].parameter);
        posenc_memory_release(&asked.memory);
    }
}

void expect_rope_frequencies(const struct rope_frequency_row *rows, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        struct rope_asked asked = rope_answer(&rows[k].asking);

        cr_expect_eq(asked.answer.pairs, rows[k].pairs, "%s", words_of(&rows[k].asking));
        for (size_t i = 0; i < rows[k].pairs && i < asked.answer.pairs; i++) {
            const bool is_float = rows[k].asking.arithmetic == POSENC__ROPE_FLOAT32;
            const double right = is_float ? (float)rows[k].radians[i] : rows[k].radians[i];
            const double roundings = is_float ? 0 : DOUBLE_ROUNDINGS;

            cr_expect(fabs(asked.answer.radians[i].hi - right) <= right * roundings,
                      "%s: pair %zu turns by %.17g, not %.17g", words_of(&rows[k].asking), i,
                      asked.answer.radians[i].hi, right);
        }
        posenc_memory_release(&asked.memory);
    }
}

double rope_difference(struct posenc__dd a, struct posenc__dd b)
{
    const struct posenc__dd rest = posenc__dd_add(a, (struct posenc__dd){-b.hi, -b.lo});

    return b.hi == 0.0 ? fabs(a.hi) : fabs(rest.hi / b.hi);
}

void expect_rope_same(const struct rope_asking *a, const struct rope_asking *b, double scale)
{
    struct rope_asked first = rope_answer(a), second = rope_answer(b);

    cr_assert_eq(first.answer.pairs, second.answer.pairs);
    cr_expect_eq(first.answer.attention_factor.hi, second.answer.attention_factor.hi);
    for (size_t i = 0; i < first.answer.pairs; i++)
        cr_expect_lt(rope_difference(posenc__dd_multiply(first.answer.radians[i],
                                                         (struct posenc__dd){scale, 0.0}),
                                     second.answer.radians[i]),
                     ROPE_SAME, "%s: pair %zu", words_of(a), i);
    posenc_memory_release(&first.memory);
    posenc_memory_release(&second.memory);
}

#define ROUNDS 150

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

    *asked = rope_answer(&asking);
    cr_assert_eq(asked->answer.pairs, draw.dim / 2);
    return draw;
}

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
    if (formula->magnitude) {
        formula->magnitude(exact, draw);
        worst = fmax(worst, exact_error_bits(answer->attention_factor, exact));
    }
    mpfr_clear(exact);
    return worst;
}

void expect_rope_formula(const char *name)
{
    const struct rope_formula *formula = find_rope_formula(name);
    uint64_t seed = 11;
    double worst = -INFINITY;

    for (int round = 0; round < ROUNDS; round++) {
        struct rope_asked asked;
        const struct rope_draw draw = ask_drawn(&asked, formula, &seed);

        worst = fmax(worst, worst_of(&asked.answer, &draw, formula));
        posenc_memory_release(&asked.memory);
    }
    cr_expect_leq(worst, log2(ROPE_SAME), "%s: relative error 2^%.2f", name, worst);
}
