/* Disentangled scores: golden values, and a double loop with heads and batches. */
#include <criterion/criterion.h>
#include <math.h>

#include "exact.h"
#include "support.h"

static struct posenc_member tensor(const char *name, const double *numbers, size_t rank,
                                   const size_t *shape)
{
    return (struct posenc_member){name, support_array(numbers, rank, shape)};
}

/* Of values up to 8: eight times 2^-52. */
#define GOLDEN_TOLERANCE 0x1p-49

struct golden_part {
    const char *name;
    double values[9];
};

Test(deberta_apply, parts_and_their_sum_have_the_golden_values)
{
    static const double q[] = {1, 2, 3, -1, 0.5, 1}, k[] = {2, 0, 1, 1, -1, 2};
    static const double pos_key[] = {1, 0, 2, 0.5, 3, 1, 4, 1.5};
    static const double pos_query[] = {0, 1, 0.25, 0, 0.5, -1, 0.75, -2};
    static const struct golden_part parts[] = {
        {"scores",
         {3.265986323710904, 2.5515518153991437, 2.449489742783178, 7.3484692283495345,
          3.878358759406699, 0.10206207261596575, 2.449489742783178, 1.5309310892394863,
          0.6123724356957945}},
        {"c2c",
         {0.816496580927726, 1.224744871391589, 1.224744871391589, 2.449489742783178,
          0.816496580927726, -2.041241452319315, 0.408248290463863, 0.6123724356957945,
          0.6123724356957945}},
        {"c2p",
         {2.041241452319315, 1.224744871391589, 0.408248290463863, 4.286607049870562,
          3.265986323710904, 2.2453655975512468, 1.4288690166235205, 1.4288690166235205,
          1.0206207261596576}},
        {"p2c",
         {0.408248290463863, 0.10206207261596575, 0.816496580927726, 0.6123724356957945,
          -0.2041241452319315, -0.10206207261596575, 0.6123724356957945, -0.5103103630798288,
          -1.0206207261596576}},
    };
    const struct posenc_member members[] = {
        tensor("q", q, 2, (const size_t[]){3, 2}),
        tensor("k", k, 2, (const size_t[]){3, 2}),
        tensor("pos_key", pos_key, 2, (const size_t[]){4, 2}),
        tensor("pos_query", pos_query, 2, (const size_t[]){4, 2}),
    };
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "deberta/apply",
                          "position_buckets=0&max_relative_positions=2&types=c2p,p2c&"
                          "dtype=float64",
                          members, 4),
                 POSENC_OK, "%s", asked.problem.detail);
    for (size_t p = 0; p < 4; p++) {
        const double *values = asked_values(&asked, parts[p].name);

        for (size_t i = 0; i < 9; i++)
            cr_assert_float_eq(values[i], parts[p].values[i], GOLDEN_TOLERANCE, "%s %zu",
                               parts[p].name, i);
    }
    asked_release(&asked);
}

#define BATCH   2
#define HEADS   3
#define QUERIES 4
#define KEYS    5
#define DIM     3
#define REACH   3 /* version 1: 6 rows */

struct tensors {
    double q[BATCH * HEADS * QUERIES * DIM], k[BATCH * HEADS * KEYS * DIM];
    double pos_key[HEADS * 2 * REACH * DIM], pos_query[2 * REACH * DIM];
};

static void fill_numbers(double *numbers, size_t count, uint64_t *seed)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = exact_between(seed, -2, 2);
}

static double dot(const double *a, const double *b)
{
    double sum = 0;

    for (size_t c = 0; c < DIM; c++)
        sum += a[c] * b[c];
    return sum;
}

/* The keys of every head share pos_query; pos_key has a table for each head. */
static void naive_parts(const struct tensors *t, size_t o, size_t i, size_t j, double parts[3])
{
    const long clipped = (long)i - (long)j + REACH;
    const size_t row = (size_t)(clipped < 0               ? 0
                                : clipped > 2 * REACH - 1 ? 2 * REACH - 1
                                                          : clipped);
    const double *q = &t->q[(o * QUERIES + i) * DIM], *k = &t->k[(o * KEYS + j) * DIM];

    parts[0] = dot(q, k);
    parts[1] = dot(q, &t->pos_key[(o % HEADS * 2 * REACH + row) * DIM]);
    parts[2] = dot(k, &t->pos_query[row * DIM]);
}

/* Products, sums and the root of plain loops of three channels. */
#define LOOP_TOLERANCE 1e-14

Test(deberta_apply, heads_and_batches_by_a_double_loop)
{
    static struct tensors t;
    uint64_t seed = 5;
    struct asked asked;

    fill_numbers(t.q, sizeof(t.q) / sizeof(double), &seed);
    fill_numbers(t.k, sizeof(t.k) / sizeof(double), &seed);
    fill_numbers(t.pos_key, sizeof(t.pos_key) / sizeof(double), &seed);
    fill_numbers(t.pos_query, sizeof(t.pos_query) / sizeof(double), &seed);
    const struct posenc_member members[] = {
        tensor("q", t.q, 4, (const size_t[]){BATCH, HEADS, QUERIES, DIM}),
        tensor("k", t.k, 4, (const size_t[]){BATCH, HEADS, KEYS, DIM}),
        tensor("pos_key", t.pos_key, 3, (const size_t[]){HEADS, 2 * REACH, DIM}),
        tensor("pos_query", t.pos_query, 2, (const size_t[]){2 * REACH, DIM}),
    };

    cr_assert_eq(ask_with(&asked, "deberta/apply",
                          "position_buckets=0&max_relative_positions=3&dtype=float64", members, 4),
                 POSENC_OK, "%s", asked.problem.detail);
    static const char *const names[] = {"c2c", "c2p", "p2c"};
    const double *scores = asked_values(&asked, "scores"), *values[3];
    const double scale = 1 / sqrt(3.0 * DIM);
    size_t at = 0;

    for (size_t p = 0; p < 3; p++)
        values[p] = asked_values(&asked, names[p]);
    for (size_t o = 0; o < BATCH * HEADS; o++)
        for (size_t i = 0; i < QUERIES; i++)
            for (size_t j = 0; j < KEYS; j++, at++) {
                double parts[3];

                naive_parts(&t, o, i, j, parts);
                for (size_t p = 0; p < 3; p++)
                    cr_assert_float_eq(values[p][at], parts[p] * scale, LOOP_TOLERANCE);
                cr_assert_float_eq(scores[at], (parts[0] + parts[1] + parts[2]) * scale,
                                   LOOP_TOLERANCE);
            }
    for (int i = 0; i < 10; i++)
        assert_runs_agree(&asked, &seed);
    asked_release(&asked);
}

static const double zeros[600 * 4];

struct shape_case {
    const char *query;
    size_t q[2], k[2], pos_key[2], pos_query[2]; /* {0, 0}: not sent */
    enum posenc_status status;
    const char *parameter;
};

static enum posenc_status ask_shapes(struct asked *asked, const struct shape_case *shapes)
{
    static const char *const names[] = {"q", "k", "pos_key", "pos_query"};
    const size_t *axes[] = {shapes->q, shapes->k, shapes->pos_key, shapes->pos_query};
    struct posenc_member members[4];
    size_t count = 0;

    for (size_t t = 0; t < 4; t++)
        if (axes[t][0] > 0)
            members[count++] = tensor(names[t], zeros, 2, axes[t]);
    return ask_with(asked, "deberta/apply", shapes->query, members, count);
}

Test(deberta_apply, the_scale_counts_the_types_and_only_their_parts_come)
{
    static const struct {
        struct shape_case shapes;
        size_t tensors;
        double scale_squared; /* of dim 4 */
    } cases[] = {
        {{"", {2, 4}, {2, 4}, {0}, {0}, POSENC_OK, ""}, 2, 1.0 / 4},
        {{"", {2, 4}, {2, 4}, {512, 4}, {0}, POSENC_OK, ""}, 3, 1.0 / 8},
        {{"", {2, 4}, {2, 4}, {0}, {512, 4}, POSENC_OK, ""}, 3, 1.0 / 8},
        {{"", {2, 4}, {2, 4}, {512, 4}, {512, 4}, POSENC_OK, ""}, 4, 1.0 / 12},
    };

    for (size_t c = 0; c < 4; c++) {
        static const double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
        struct posenc_member members[] = {tensor("q", ones, 2, cases[c].shapes.q),
                                          tensor("k", ones, 2, cases[c].shapes.k),
                                          tensor("pos_key", zeros, 2, (const size_t[]){512, 4}),
                                          tensor("pos_query", zeros, 2, (const size_t[]){512, 4})};
        size_t count = 2;
        struct asked asked;

        if (cases[c].shapes.pos_key[0] > 0)
            count++;
        if (cases[c].shapes.pos_query[0] > 0)
            members[count++] = members[3];
        cr_assert_eq(ask_with(&asked, "deberta/apply", "dtype=float64", members, count), POSENC_OK);
        const double *scores = asked_values(&asked, "scores");

        cr_expect_eq(asked.result.tensor_count, cases[c].tensors);
        cr_expect_float_eq(scores[0] * scores[0], 16 * cases[c].scale_squared, LOOP_TOLERANCE);
        asked_release(&asked);
    }
}

Test(deberta_apply, refuses_what_does_not_fit)
{
    static const struct shape_case cases[] = {
        {"", {2, 4}, {0}, {0}, {0}, POSENC_MISSING_PARAMETER, "k"},
        {"", {2, 4}, {2, 3}, {0}, {0}, POSENC_WRONG_SHAPE, "k"},
        {"", {2, 4}, {2, 4}, {511, 4}, {0}, POSENC_WRONG_SHAPE, "pos_key"},
        {"", {2, 4}, {2, 4}, {512, 3}, {0}, POSENC_WRONG_SHAPE, "pos_key"},
        {"", {2, 4}, {2, 4}, {0}, {256, 4}, POSENC_WRONG_SHAPE, "pos_query"},
        {"types=p2c", {2, 4}, {2, 4}, {512, 4}, {512, 4}, POSENC_CONFLICT, "pos_key"},
        {"types=c2p,p2c", {2, 4}, {2, 4}, {512, 4}, {0}, POSENC_MISSING_PARAMETER, "pos_query"},
        {"types=c2p", {2, 4}, {2, 4}, {0}, {0}, POSENC_MISSING_PARAMETER, "pos_key"},
        {"query_length=3", {2, 4}, {2, 4}, {0}, {0}, POSENC_CONFLICT, "query_length"},
        {"key_length=3", {2, 4}, {2, 4}, {0}, {0}, POSENC_CONFLICT, "key_length"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;

        cr_expect_eq(ask_shapes(&asked, &cases[i]), cases[i].status, "%zu: %s", i,
                     asked.problem.detail);
        cr_expect_str_eq(asked.problem.parameter, cases[i].parameter, "%zu", i);
        asked_release(&asked);
    }
}
