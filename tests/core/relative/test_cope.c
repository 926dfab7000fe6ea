/* Contextual positions: golden values, and 320-bit sums of gates. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "exact.h"
#include "support.h"

/* Of values up to 4: four times 2^-51. */
#define GOLDEN_TOLERANCE 0x1p-49

Test(cope, has_the_golden_positions_and_bias)
{
    static const double q[] = {1, 0, 0.5, 1, -1, 2};
    static const double embeddings[] = {0, 0, 1, 0.5, 0.25, -1, 2, 2};
    static const double logits[] = {0.5, -INFINITY, -INFINITY, 1, -1, -INFINITY, 2, 0, 0.5};
    static const double positions[] = {
        0.6224593312018546, 0, 0, 1, 0.2689414213699951, 0, 2.003256409179737, 1.1224593312018545,
        0.6224593312018546};
    static const double bias[] = {
        0.6224593312018546,   0, 0, 1, 0.2689414213699951, 0, -2.2361602609861175,
        -0.27553349520417275, 0};
    const struct posenc_member members[] = {
        {"q", support_array(q, 2, (const size_t[]){3, 2})},
        {"position_embeddings", support_array(embeddings, 2, (const size_t[]){4, 2})},
        {"logits", support_array(logits, 2, (const size_t[]){3, 3})},
    };
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "cope/table", "max_position=4&dtype=float64", members, 3),
                 POSENC_OK, "%s", asked.problem.detail);
    for (size_t i = 0; i < 9; i++) {
        cr_assert_float_eq(asked_values(&asked, "positions")[i], positions[i], GOLDEN_TOLERANCE);
        cr_assert_float_eq(asked_values(&asked, "bias")[i], bias[i], GOLDEN_TOLERANCE);
    }
    asked_release(&asked);
}

#define BATCH   2
#define HEADS   2
#define QUERIES 3
#define KEYS    20
#define DIM     3
#define ROWS    7

struct tensors {
    double q[BATCH * HEADS * QUERIES * DIM], embeddings[HEADS * ROWS * DIM];
    double logits[BATCH * HEADS * QUERIES * KEYS];
};

static struct tensors make_tensors(void)
{
    struct tensors tensors;
    double *numbers = (double *)&tensors;
    uint64_t seed = 26;

    for (size_t i = 0; i < sizeof(tensors) / sizeof(*numbers); i++)
        numbers[i] = exact_between(&seed, -3, 2);
    return tensors;
}

/* The gates from `key` to the end, summed with 320 bits and clamped. */
static double exact_position(const double *logits, size_t key)
{
    mpfr_t sum, gate;

    mpfr_inits2(EXACT_BITS, sum, gate, NULL);
    mpfr_set_zero(sum, 1);
    for (size_t t = key; t < KEYS; t++) {
        mpfr_set_d(gate, -logits[t], MPFR_RNDN);
        mpfr_exp(gate, gate, MPFR_RNDN);
        mpfr_add_ui(gate, gate, 1, MPFR_RNDN);
        mpfr_ui_div(gate, 1, gate, MPFR_RNDN);
        mpfr_add(sum, sum, gate, MPFR_RNDN);
    }
    const double rounded = mpfr_get_d(sum, MPFR_RNDN);

    mpfr_clears(sum, gate, NULL);
    return fmin(rounded, ROWS - 1);
}

static double naive_bias(const struct tensors *t, size_t o, size_t i, double position)
{
    const size_t below = (size_t)position, above = below + 1 < ROWS ? below + 1 : below;
    double low = 0, high = 0;

    for (size_t c = 0; c < DIM; c++) {
        const double q = t->q[(o * QUERIES + i) * DIM + c];

        low += q * t->embeddings[(o % HEADS * ROWS + below) * DIM + c];
        high += q * t->embeddings[(o % HEADS * ROWS + above) * DIM + c];
    }
    return low + (position - (double)below) * (high - low);
}

/* Products and sums of three channels, interpolated in plain doubles. */
#define LOOP_TOLERANCE 1e-13

Test(cope, heads_and_batches_by_a_double_loop)
{
    const struct tensors t = make_tensors();
    const struct posenc_member members[] = {
        {"q", support_array(t.q, 4, (const size_t[]){BATCH, HEADS, QUERIES, DIM})},
        {"position_embeddings", support_array(t.embeddings, 3, (const size_t[]){HEADS, ROWS, DIM})},
        {"logits", support_array(t.logits, 4, (const size_t[]){BATCH, HEADS, QUERIES, KEYS})},
    };
    uint64_t seed = 27;
    struct asked asked;
    size_t at = 0, clamped = 0;

    cr_assert_eq(ask_with(&asked, "cope/table", "dtype=float64", members, 3), POSENC_OK, "%s",
                 asked.problem.detail);
    const double *positions = asked_values(&asked, "positions"),
                 *bias = asked_values(&asked, "bias");

    for (size_t o = 0; o < BATCH * HEADS; o++)
        for (size_t i = 0; i < QUERIES; i++)
            for (size_t j = 0; j < KEYS; j++, at++) {
                const double exact = exact_position(&t.logits[(o * QUERIES + i) * KEYS], j);

                cr_assert_eq(positions[at], exact, "%zu %zu %zu", o, i, j);
                cr_assert_float_eq(bias[at], naive_bias(&t, o, i, exact), LOOP_TOLERANCE);
                clamped += exact == ROWS - 1;
            }
    cr_assert_gt(clamped, 0); /* or the clamp was never met */
    cr_expect_eq(echoed_number(&asked.result, "max_position"), ROWS);
    for (int i = 0; i < 10; i++)
        assert_runs_agree(&asked, &seed);
    asked_release(&asked);
}

Test(cope, open_gates_count_keys_and_no_number_stays_none)
{
    static const double q[] = {2}, embeddings[] = {0, 1, 4, 9};
    static const double logits[] = {INFINITY, NAN, -INFINITY, INFINITY, 800};
    const struct posenc_member members[] = {
        {"q", support_array(q, 2, (const size_t[]){1, 1})},
        {"position_embeddings", support_array(embeddings, 2, (const size_t[]){4, 1})},
        {"logits", support_array(logits, 2, (const size_t[]){1, 5})},
    };
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "cope/table", "dtype=float64", members, 3), POSENC_OK);
    const double *positions = asked_values(&asked, "positions"),
                 *bias = asked_values(&asked, "bias");

    cr_expect_eq(positions[4], 1);
    cr_expect_eq(positions[3], 2);
    cr_expect_eq(positions[2], 2);
    cr_expect(isnan(positions[1]) && isnan(positions[0]));
    cr_expect_eq(bias[4], 2);
    cr_expect_eq(bias[3], 8);
    cr_expect(isnan(bias[1]) && isnan(bias[0]));
    asked_release(&asked);
}

static const double zeros[64];

Test(cope, refuses_what_does_not_fit)
{
    static const struct {
        const char *query;
        size_t q[2], embeddings[2], logits[2];
        enum posenc_status status;
        const char *parameter;
    } cases[] = {
        {"", {1, 2}, {2, 2}, {2, 1}, POSENC_WRONG_SHAPE, "logits"},
        {"", {1, 2}, {2, 3}, {1, 4}, POSENC_WRONG_SHAPE, "position_embeddings"},
        {"", {1, 2}, {0, 2}, {1, 4}, POSENC_WRONG_SHAPE, "position_embeddings"},
        {"", {1, 0}, {2, 0}, {1, 4}, POSENC_WRONG_SHAPE, "q"},
        {"max_position=3", {1, 2}, {2, 2}, {1, 4}, POSENC_CONFLICT, "max_position"},
        {"max_position=0", {1, 2}, {2, 2}, {1, 4}, POSENC_OUT_OF_RANGE, "max_position"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct posenc_member members[] = {
            {"q", support_array(zeros, 2, cases[i].q)},
            {"position_embeddings", support_array(zeros, 2, cases[i].embeddings)},
            {"logits", support_array(zeros, 2, cases[i].logits)},
        };
        struct asked asked;

        cr_expect_eq(ask_with(&asked, "cope/table", cases[i].query, members, 3), cases[i].status,
                     "%zu: %s", i, asked.problem.detail);
        cr_expect_str_eq(asked.problem.parameter, cases[i].parameter, "%zu", i);
        asked_release(&asked);
    }
}

Test(cope, more_logits_than_are_summed_at_once_are_refused)
{
    static const double one[1];
    const size_t rows = ((size_t)1 << 22) + 1;
    double *logits = calloc(rows, sizeof(*logits));
    struct asked asked;

    cr_assert_not_null(logits);
    const struct posenc_member members[] = {
        {"q", support_array(one, 2, (const size_t[]){1, 1})},
        {"position_embeddings", support_array(one, 2, (const size_t[]){1, 1})},
        {"logits", support_array(logits, 2, (const size_t[]){1, rows})},
    };

    cr_expect_eq(ask_with(&asked, "cope/table", "", members, 3), POSENC_TOO_LARGE);
    cr_expect_str_eq(asked.problem.parameter, "logits");
    asked_release(&asked);
    free(logits);
}
