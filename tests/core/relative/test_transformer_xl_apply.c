/* Scores by a double loop over distances. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "exact.h"
#include "support.h"

#define BATCH 2
#define HEADS 2
#define DIM   3
#define SIDE  6 /* largest number of queries and keys */
#define ROWS  (2 * SIDE)

struct tensors {
    double q[BATCH * HEADS * SIDE * DIM], k[BATCH * HEADS * SIDE * DIM];
    double u[HEADS * DIM], v[DIM], rows[HEADS * ROWS * DIM];
};

struct scores_case {
    const char *query;
    bool is_causal;
    size_t queries, keys, rows;
    long start; /* distance of row 0 */
};

static const struct scores_case cases[] = {
    {"variant=transformer_xl&dtype=float64", true, 4, 6, 6, 5},
    {"variant=transformer_xl&dtype=float64", true, 5, 3, 3, 2},
    {"variant=xlnet&attention=uni&dtype=float64", true, 4, 6, 7, 6},
    {"variant=xlnet&attention=bi&dtype=float64", false, 4, 6, 10, 6},
    {"variant=xlnet&attention=bi&dtype=float64", false, 6, 2, 8, 2},
    {"variant=conformer&dtype=float64", false, 5, 5, 9, 4},
    {"variant=conformer&dtype=float64", false, 3, 6, 11, 5},
};

static struct tensors make_tensors(void)
{
    struct tensors tensors;
    double *numbers = (double *)&tensors;
    uint64_t seed = 23;

    for (size_t i = 0; i < sizeof(tensors) / sizeof(*numbers); i++)
        numbers[i] = exact_between(&seed, -2, 2);
    return tensors;
}

/* u is for each head, v for all, and so are rows of distances for each head. */
static enum posenc_status ask_scores(struct asked *asked, const struct scores_case *c,
                                     const struct tensors *t)
{
    const struct posenc_member members[] = {
        {"q", support_array(t->q, 4, (const size_t[]){BATCH, HEADS, c->queries, DIM})},
        {"k", support_array(t->k, 4, (const size_t[]){BATCH, HEADS, c->keys, DIM})},
        {"content_bias", support_array(t->u, 2, (const size_t[]){HEADS, DIM})},
        {"position_bias", support_array(t->v, 1, (const size_t[]){DIM})},
        {"rows", support_array(t->rows, 3, (const size_t[]){HEADS, c->rows, DIM})},
    };

    return ask_with(asked, "transformer_xl/apply", c->query, members, 5);
}

static double naive_score(const struct scores_case *c, const struct tensors *t, size_t o, size_t i,
                          size_t j)
{
    const long distance = (long)(i + c->keys) - (long)(c->queries + j);
    const size_t head = o % HEADS, row = (size_t)(c->start - distance);
    double sum = 0;

    if (c->is_causal && distance < 0)
        return -INFINITY;
    for (size_t channel = 0; channel < DIM; channel++) {
        const double q = t->q[(o * c->queries + i) * DIM + channel];

        sum += (q + t->u[head * DIM + channel]) * t->k[(o * c->keys + j) * DIM + channel];
        sum += (q + t->v[channel]) * t->rows[(head * c->rows + row) * DIM + channel];
    }
    return sum / sqrt(DIM);
}

/* Products, sums and the root of a plain loop of six terms. */
#define LOOP_TOLERANCE 1e-14

Test(transformer_xl_apply, every_variant_by_a_double_loop)
{
    const struct tensors t = make_tensors();
    uint64_t seed = 24;

    for (size_t n = 0; n < sizeof(cases) / sizeof(*cases); n++) {
        const struct scores_case *c = &cases[n];
        struct asked asked;
        size_t at = 0;

        cr_assert_eq(ask_scores(&asked, c, &t), POSENC_OK, "%s", asked.problem.detail);
        const double *scores = asked_values(&asked, "scores");

        for (size_t o = 0; o < BATCH * HEADS; o++)
            for (size_t i = 0; i < c->queries; i++)
                for (size_t j = 0; j < c->keys; j++, at++) {
                    const double expected = naive_score(c, &t, o, i, j);

                    if (isinf(expected))
                        cr_assert_eq(scores[at], expected, "%zu: %zu %zu", n, i, j);
                    else
                        cr_assert_float_eq(scores[at], expected, LOOP_TOLERANCE, "%zu: %zu %zu", n,
                                           i, j);
                }
        cr_assert_eq(asked.result.tensors[0].count, at);
        for (int i = 0; i < 5; i++)
            assert_runs_agree(&asked, &seed);
        asked_release(&asked);
    }
}

static const double zeros[256];

struct shape_case {
    const char *query;
    size_t q[2], k[2], u[2], v[2], rows[2]; /* a bias with {0, n} is [n] */
    enum posenc_status status;
    const char *parameter;
};

static struct posenc_value bias(const size_t shape[2])
{
    return shape[0] == 0 ? support_array(zeros, 1, shape + 1) : support_array(zeros, 2, shape);
}

Test(transformer_xl_apply, refuses_what_does_not_fit)
{
    static const struct shape_case shapes[] = {
        {"", {2, 4}, {3, 4}, {0, 4}, {0, 4}, {3, 4}, POSENC_OK, ""},
        {"", {2, 0}, {3, 0}, {0, 0}, {0, 0}, {3, 0}, POSENC_WRONG_SHAPE, "q"},
        {"", {2, 4}, {3, 5}, {0, 4}, {0, 4}, {3, 4}, POSENC_WRONG_SHAPE, "k"},
        {"", {2, 4}, {3, 4}, {0, 3}, {0, 4}, {3, 4}, POSENC_WRONG_SHAPE, "content_bias"},
        {"", {2, 4}, {3, 4}, {2, 4}, {0, 4}, {3, 4}, POSENC_WRONG_SHAPE, "content_bias"},
        {"", {2, 4}, {3, 4}, {0, 4}, {0, 5}, {3, 4}, POSENC_WRONG_SHAPE, "position_bias"},
        {"", {2, 4}, {3, 4}, {0, 4}, {0, 4}, {3, 3}, POSENC_WRONG_SHAPE, "rows"},
        {"", {2, 4}, {3, 4}, {0, 4}, {0, 4}, {4, 4}, POSENC_WRONG_SHAPE, "rows"},
        {"variant=xlnet&attention=uni",
         {2, 4},
         {3, 4},
         {0, 4},
         {0, 4},
         {3, 4},
         POSENC_WRONG_SHAPE,
         "rows"},
        {"variant=xlnet&attention=bi",
         {2, 4},
         {3, 4},
         {0, 4},
         {0, 4},
         {4, 4},
         POSENC_WRONG_SHAPE,
         "rows"},
        {"variant=conformer", {2, 4}, {3, 4}, {0, 4}, {0, 4}, {3, 4}, POSENC_WRONG_SHAPE, "rows"},
        {"variant=conformer", {4, 4}, {3, 4}, {0, 4}, {0, 4}, {5, 4}, POSENC_WRONG_SHAPE, "q"},
        {"variant=xlnet",
         {2, 4},
         {3, 4},
         {0, 4},
         {0, 4},
         {3, 4},
         POSENC_MISSING_PARAMETER,
         "attention"},
    };

    for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
        const struct posenc_member members[] = {
            {"q", support_array(zeros, 2, shapes[i].q)},
            {"k", support_array(zeros, 2, shapes[i].k)},
            {"content_bias", bias(shapes[i].u)},
            {"position_bias", bias(shapes[i].v)},
            {"rows", support_array(zeros, 2, shapes[i].rows)},
        };
        struct asked asked;

        memset(&asked, 0, sizeof(asked));
        cr_expect_eq(ask_with(&asked, "transformer_xl/apply", shapes[i].query, members, 5),
                     shapes[i].status, "%zu: %s", i, asked.problem.detail);
        cr_expect_str_eq(asked.problem.parameter, shapes[i].parameter, "%zu", i);
        asked_release(&asked);
    }
}

/* A key and a row whose products cancel all but 2^-53 of 1. */
Test(transformer_xl_apply, terms_that_cancel_leave_what_is_left_exactly)
{
    static const double ones[] = {1}, key[] = {1}, row[] = {-1 + 0x1p-53}, zero[] = {0};
    const struct posenc_member members[] = {
        {"q", support_array(ones, 2, (const size_t[]){1, 1})},
        {"k", support_array(key, 2, (const size_t[]){1, 1})},
        {"content_bias", support_array(zero, 1, (const size_t[]){1})},
        {"position_bias", support_array(zero, 1, (const size_t[]){1})},
        {"rows", support_array(row, 2, (const size_t[]){1, 1})},
    };
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "transformer_xl/apply", "dtype=float64", members, 5), POSENC_OK);
    cr_expect_eq(asked_values(&asked, "scores")[0], 0x1p-53);
    asked_release(&asked);
}
