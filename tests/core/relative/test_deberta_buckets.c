/* Logarithmic buckets against 320-bit logarithms, ties against integers. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "deberta.h"
#include "exact.h"
#include "support.h"

static enum posenc_status read_buckets(struct asked *asked, size_t buckets, size_t reach,
                                       struct posenc__deberta_buckets *read)
{
    char query[120];

    (void)snprintf(query, sizeof(query),
                   "query_length=1&position_buckets=%zu&max_relative_positions=%zu", buckets,
                   reach);
    const enum posenc_status status = ask(asked, "deberta/table", query);

    if (status != POSENC_OK)
        return status;
    return posenc__read_deberta_buckets(&asked->arguments, read, &asked->memory, &asked->problem);
}

/* An integer that is right when the logarithm is one exactly, which 320 bits then show. */
#define INTEGER_BITS 250

/* mid + ceil(ln(n / mid) / ln((reach - 1) / mid) (mid - 1)), by the words of the paper's code. */
static long exact_bucket(long n, long middle, long reach)
{
    mpfr_t ratio, base;

    if (n <= middle)
        return n;
    mpfr_inits2(EXACT_BITS, ratio, base, NULL);
    mpfr_set_si(ratio, n, MPFR_RNDN);
    mpfr_div_si(ratio, ratio, middle, MPFR_RNDN);
    mpfr_log(ratio, ratio, MPFR_RNDN);
    mpfr_set_si(base, reach - 1, MPFR_RNDN);
    mpfr_div_si(base, base, middle, MPFR_RNDN);
    mpfr_log(base, base, MPFR_RNDN);
    mpfr_div(ratio, ratio, base, MPFR_RNDN);
    mpfr_mul_si(ratio, ratio, middle - 1, MPFR_RNDN);
    mpfr_round(base, ratio);
    mpfr_sub(base, ratio, base, MPFR_RNDN);
    if (!mpfr_zero_p(base) && mpfr_get_exp(base) < -INTEGER_BITS)
        mpfr_round(ratio, ratio);
    mpfr_ceil(ratio, ratio);
    const long steps = mpfr_get_si(ratio, MPFR_RNDN);

    mpfr_clears(ratio, base, NULL);
    return middle + steps;
}

static long clamp(long index, long last)
{
    return index < 0 ? 0 : index > last ? last : index;
}

/* The pairs with 2, 4, 8, 16 between middle and reach - 1 have ties; 65 and 257 are tight. */
static const size_t plans[][2] = {{256, 512},  {8, 17},    {8, 33},   {32, 128},  {32, 257},
                                  {64, 1025},  {10, 20},   {6, 82},   {2, 3},     {2, 100},
                                  {4, 4},      {128, 66},  {26, 118}, {512, 258}, {128, 4097},
                                  {18, 16385}, {34, 4914}, {50, 626}};

Test(deberta_buckets, every_distance_is_where_the_logarithm_says)
{
    for (size_t p = 0; p < sizeof(plans) / sizeof(*plans); p++) {
        const long span = (long)plans[p][0], reach = (long)plans[p][1], middle = span / 2;
        struct posenc__deberta_buckets buckets;
        struct asked asked;

        cr_assert_eq(read_buckets(&asked, plans[p][0], plans[p][1], &buckets), POSENC_OK, "%s",
                     asked.problem.detail);
        for (long n = 0; n < 2 * reach && n < 20000; n++) {
            const long bucket = exact_bucket(n, middle, reach), last = 2 * span - 1;

            cr_assert_eq(posenc__deberta_index(&buckets, n), clamp(span + bucket, last),
                         "%ld, %ld at %ld", span, reach, n);
            cr_assert_eq(posenc__deberta_index(&buckets, -n), clamp(span - bucket, last),
                         "%ld, %ld at -%ld", span, reach, n);
        }
        asked_release(&asked);
    }
}

/* (reach - 1) / middle = ratio^(middle - 1): each step multiplies the distance by the ratio. */
Test(deberta_buckets, a_distance_whose_logarithm_is_an_integer_is_the_last_of_its_bucket)
{
    static const struct {
        size_t middle;
        long ratio;
    } ties[] = {{4, 2}, {4, 3}, {5, 7}, {9, 3}, {13, 4}, {25, 2}, {3, 8191}};

    for (size_t t = 0; t < sizeof(ties) / sizeof(*ties); t++) {
        const long middle = (long)ties[t].middle, ratio = ties[t].ratio;
        struct posenc__deberta_buckets buckets;
        struct asked asked;
        long reach = middle, distance = middle;

        for (long step = 1; step < middle; step++)
            reach *= ratio;
        cr_assert_eq(read_buckets(&asked, 2 * ties[t].middle, (size_t)reach + 1, &buckets),
                     POSENC_OK, "%s", asked.problem.detail);
        for (long step = 0; step < middle; step++, distance *= ratio) {
            cr_assert_eq(posenc__deberta_index(&buckets, distance), 3 * middle + step);
            cr_assert_eq(posenc__deberta_index(&buckets, -distance), middle - step);
            cr_assert_eq(posenc__deberta_index(&buckets, distance + 1),
                         clamp(3 * middle + step + 1, 4 * middle - 1));
            cr_assert_eq(posenc__deberta_index(&buckets, -distance - 1), middle - step - 1);
        }
        asked_release(&asked);
    }
}

Test(deberta_buckets, is_odd_and_rising_up_to_the_largest_plan)
{
    static const size_t large[][2] = {{256, 512},
                                      {POSENC__DEBERTA_BUCKETS_MAX, POSENC__DEBERTA_DISTANCE_MAX},
                                      {POSENC__DEBERTA_BUCKETS_MAX, 4098},
                                      {0, 77}};

    for (size_t p = 0; p < sizeof(large) / sizeof(*large); p++) {
        struct posenc__deberta_buckets buckets;
        struct asked asked;
        int64_t before = -1;

        cr_assert_eq(read_buckets(&asked, large[p][0], large[p][1], &buckets), POSENC_OK);
        const int64_t span = buckets.span;

        for (int64_t n = 0; n < (int64_t)1 << 40; n += 1 + n / 50) {
            const int64_t right = posenc__deberta_index(&buckets, n);
            const int64_t left = posenc__deberta_index(&buckets, -n);

            cr_assert_geq(right, before);
            cr_assert(left == 2 * span - right || (left == 0 && right == 2 * span - 1));
            before = right;
        }
        cr_assert_eq(before, 2 * span - 1);
        asked_release(&asked);
    }
}

Test(deberta_buckets, refuses_plans_without_logarithmic_buckets)
{
    static const struct {
        size_t buckets, reach;
        enum posenc_status status;
        const char *parameter;
    } cases[] = {
        {7, 512, POSENC_OUT_OF_RANGE, "position_buckets"},
        {1, 512, POSENC_OUT_OF_RANGE, "position_buckets"},
        {POSENC__DEBERTA_BUCKETS_MAX + 2, 1 << 20, POSENC_OUT_OF_RANGE, "position_buckets"},
        {256, 129, POSENC_CONFLICT, "max_relative_positions"},
        {2, 2, POSENC_CONFLICT, "max_relative_positions"},
        {0, 0, POSENC_OUT_OF_RANGE, "max_relative_positions"},
        {256, POSENC__DEBERTA_DISTANCE_MAX + 1u, POSENC_OUT_OF_RANGE, "max_relative_positions"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct posenc__deberta_buckets buckets;
        struct asked asked;

        cr_expect_eq(read_buckets(&asked, cases[i].buckets, cases[i].reach, &buckets),
                     cases[i].status, "%zu", i);
        cr_expect_str_eq(asked.problem.parameter, cases[i].parameter);
        asked_release(&asked);
    }
}
