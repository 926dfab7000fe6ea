/* What the answers to questions of frequencies must be; rows of data for the tests of the schemes.
 */
#ifndef TESTS_ROPE_EXPECT_H
#define TESTS_ROPE_EXPECT_H

#include <criterion/criterion.h>

#include "rope_question.h"

#define COUNT_OF(rows) (sizeof(rows) / sizeof(*(rows)))

#define TRAINED "&original_max_position_embeddings=4096"

/* A question that is refused, and the member that is named. */
struct rope_refusal {
    struct rope_asking asking;
    enum posenc_status status;
    const char *parameter;
};

void expect_rope_refusals(const struct rope_refusal *rows, size_t count);

/* A question that is answered with exactly one warning, and the member it is about; NULL: none. */
struct rope_warning {
    struct rope_asking asking;
    const char *parameter;
};

void expect_rope_warnings(const struct rope_warning *rows, size_t count);

/* Frequencies of all pairs: right to the last bit but one of a double, or under the arithmetic
 * float32 the same float. */
struct rope_frequency_row {
    struct rope_asking asking;
    size_t pairs;
    double radians[8];
};

void expect_rope_frequencies(const struct rope_frequency_row *rows, size_t count);

/* Both questions have the same answer, pair by pair, with a's frequencies times `scale`. */
void expect_rope_same(const struct rope_asking *a, const struct rope_asking *b, double scale);

/* The relative difference of two double-doubles; the difference where b is 0. */
double rope_difference(struct posenc__dd a, struct posenc__dd b);

/* Two exact ways to one frequency: a relative difference that no double shows. */
#define ROPE_SAME 0x1p-90

/* Random parameters of the formula of that name (rope_formula.h) against MPFR: frequencies, and
 * attention factors where the formula has them, to ROPE_SAME. */
void expect_rope_formula(const char *name);

/* Asserts that the question is answered; release the memory. */
struct rope_asked rope_answer(const struct rope_asking *asking);

#endif
