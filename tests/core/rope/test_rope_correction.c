/* YaRN's correction range: raw, rounded, clamped, never without a width. */
#include <math.h>

#include "rope_correction.h"
#include "rope_expect.h"

/* What the range needs of a question. */
struct bench {
    struct posenc__rope_question question;
    struct posenc__rope_frequencies frequencies;
    struct posenc_problem problem;
    struct posenc__rope_scheme scheme;
    struct posenc__rope_work work;
};

static void set_bench(struct bench *bench, size_t dim, double base)
{
    *bench = (struct bench){.question = {.dim = dim, .rotary_dim = dim, .base = base},
                            .frequencies = {.table_dim = dim},
                            .scheme = {.name = "tried"}};
    bench->work = (struct posenc__rope_work){.question = &bench->question,
                                             .frequencies = &bench->frequencies,
                                             .problem = &bench->problem,
                                             .scheme = &bench->scheme};
}

struct range {
    size_t dim;
    double base;
    struct posenc__rope_bounds bounds; /* original, fast, slow, truncate */
    double raw[2], used[2];
};

/* Ranges of published files, then those that are clamped or have no width. */
static const struct range ranges[] = {
    {64,
     1e4,
     {4096, 32, 1, true},
     {10.472240810318027, 22.513440636877274}, /* DeepSeek-V3 */
     {10, 23}},
    {64,
     1.5e5,
     {4096, 32, 1, false},
     {8.092779115512402, 17.398024501588555}, /* gpt-oss */
     {8.092779115512402, 17.398024501588555}},
    {64, 1.5e5, {4096, 32, 1, true}, {8.092779115512402, 17.398024501588555}, {8, 18}},
    {128,
     1e6,
     {32768, 32, 1, true},
     {23.5959476083381, 39.6508807104171}, /* Qwen2.5 */
     {23, 40}},
    {128,
     5e5,
     {8192, 32, 1, true},
     {18.081135034337585, 34.98411900147241}, /* Olmo 3.1 */
     {18, 35}},
    {128, 1e4, {128, 32, 1, true}, {-3.1379180324824425, 20.944481620636054}, {0, 21}},
    {128,
     1e4,
     {128, 32, 1, false},
     {-3.1379180324824425, 20.944481620636054},
     {0, 20.944481620636054}},
    /* Beyond the last pair, 31, but not beyond the last channel. */
    {64, 1e4, {131072, 32, 1, true}, {22.513440636877274, 34.55464046343652}, {22, 35}},
    {16, 100, {100000, 600, 1, true}, {5.694675525032966, 16.80728052656754}, {5, 15}},
    {64,
     5e4,
     {4096, 1, 1, true},
     {19.1645748886269, 19.1645748886269}, /* Kimi-K2 */
     {19, 20}},
    {64,
     5e4,
     {4096, 1, 1, false},
     {19.1645748886269, 19.1645748886269},
     {19.1645748886269, 19.1655748886269}},
};

/* Decimals of 17 digits and the answer are each rounded once. */
static bool is_near(double value, double right)
{
    return fabs(value - right) <= fabs(right) * 0x1p-52;
}

Test(rope_correction, gives_the_raw_range_and_the_one_that_is_used)
{
    for (size_t k = 0; k < COUNT_OF(ranges); k++) {
        const struct range *row = &ranges[k];
        struct posenc__rope_correction correction;
        struct bench bench;

        set_bench(&bench, row->dim, row->base);
        cr_assert_eq(posenc__rope_correct(&bench.work, &row->bounds, &correction), POSENC_OK, "%s",
                     bench.problem.detail);
        cr_expect(is_near(correction.raw[0], row->raw[0]), "row %zu: %.17g", k, correction.raw[0]);
        cr_expect(is_near(correction.raw[1], row->raw[1]), "row %zu: %.17g", k, correction.raw[1]);
        cr_expect(is_near(correction.low.hi, row->used[0]), "row %zu: %.17g", k, correction.low.hi);
        cr_expect(is_near(correction.high.hi, row->used[1]), "row %zu: %.17g", k,
                  correction.high.hi);
    }
}

/* Turns that are the doubles nearest to L / (2 pi base^(2 k / d)) lead to k but for 1e-16 of it,
 * which no double of the size of k shows. Below and above k by 50 digits. */
struct hair {
    size_t dim;
    double base, original, turns, low, high;
};

static const struct hair hairs[] = {
    {8, 1e4, 4096, 0x1.04c26be3b06cfp+6, 0, 1},  /* 1 - 7.9e-18 */
    {8, 1e4, 4096, 0x1.a1371305e714bp+2, 2, 3},  /* 2 + 3.9e-18 */
    {8, 1e4, 4096, 0x1.4dc5a8d185aa2p-1, 3, 4},  /* 3 + 3.4e-17 */
    {16, 1e2, 4096, 0x1.25458a2566033p+5, 4, 5}, /* 5 - 1.3e-16 */
    {16, 1e2, 4096, 0x1.49d66800919d9p+4, 5, 6}, /* 6 - 6.7e-17 */
};

Test(rope_correction, rounds_outwards_by_what_no_double_shows)
{
    for (size_t k = 0; k < COUNT_OF(hairs); k++) {
        const struct hair *row = &hairs[k];
        const struct posenc__rope_bounds bounds = {row->original, row->turns, row->turns, true};
        struct posenc__rope_correction correction;
        struct bench bench;

        set_bench(&bench, row->dim, row->base);
        cr_assert_eq(posenc__rope_correct(&bench.work, &bounds, &correction), POSENC_OK);
        cr_expect_eq(correction.low.hi, row->low, "row %zu", k);
        cr_expect_eq(correction.high.hi, row->high, "row %zu", k);
    }
}

/* 2 pi positions make one turn; 25.13274122871834591 make four. */
Test(rope_correction, refuses_bases_without_a_logarithm_and_lengths_below_the_slow_turns)
{
    static const struct {
        double base;
        struct posenc__rope_bounds bounds;
        enum posenc_status status;
        const char *parameter;
    } rows[] = {
        {1, {4096, 32, 1, true}, POSENC_OUT_OF_RANGE, "base"},
        {0.5, {4096, 32, 1, true}, POSENC_OUT_OF_RANGE, "base"},
        {1.0625, {4096, 32, 1, true}, POSENC_OUT_OF_RANGE, "base"}, /* its pairs all turn more */
        {1e4, {6, 32, 1, true}, POSENC_OUT_OF_RANGE, "scaling.original_max_position_embeddings"},
        {1e4, {25, 32, 4, true}, POSENC_OUT_OF_RANGE, "scaling.original_max_position_embeddings"},
        {1e4, {7, 32, 1, true}, POSENC_OK, ""},
        {1e4, {26, 32, 4, true}, POSENC_OK, ""},
    };

    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        struct posenc__rope_correction correction;
        struct bench bench;

        set_bench(&bench, 8, rows[k].base);
        cr_expect_eq(posenc__rope_correct(&bench.work, &rows[k].bounds, &correction),
                     rows[k].status, "row %zu", k);
        cr_expect_str_eq(bench.problem.parameter, rows[k].parameter, "row %zu", k);
    }
}

Test(rope_correction, the_ramp_runs_from_zero_at_low_to_one_at_high)
{
    const struct posenc__rope_correction whole = {.low = {2, 0}, .high = {6, 0}};
    const struct posenc__rope_correction narrow = {.low = {2.5, 0}, .high = {2.501, 0}};
    const double right[] = {0, 0, 0, 0.25, 0.5, 0.75, 1, 1};

    for (size_t pair = 0; pair < 8; pair++) {
        cr_expect_eq(posenc__rope_ramp(&whole, pair).hi, right[pair]);
        cr_expect_eq(posenc__rope_ramp_float(&whole, pair), (float)right[pair]);
        cr_expect_eq(posenc__rope_ramp(&narrow, pair).hi, pair < 3 ? 0.0 : 1.0);
        cr_expect_eq(posenc__rope_ramp_float(&narrow, pair), pair < 3 ? 0.0f : 1.0f);
    }
}

/* By 50 digits, each step rounded to 24 bits; the exact values differ from the seventh digit on. */
Test(rope_correction, ggmls_float32_has_its_own_pair)
{
    struct bench bench;

    set_bench(&bench, 64, 1e4);
    cr_expect_eq(posenc__rope_correction_float(&bench.work, 4096, 32), 10.472240447998047f);
    cr_expect_eq(posenc__rope_correction_float(&bench.work, 4096, 1), 22.513439178466797f);
    set_bench(&bench, 128, 1e6);
    cr_expect_eq(posenc__rope_correction_float(&bench.work, 32768, 32), 23.595947265625f);
}
