/* How tensors of vectors fit together, and dot products against exact ones. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "exact.h"
#include "support.h"
#include "vectors.h"

#define WIDTH 150 /* more than two blocks */

static struct posenc_array array_of(const void *data, enum posenc_dtype dtype, size_t count)
{
    return (struct posenc_array){.dtype = dtype, .rank = 1, .shape = {count}, .data = data};
}

/* Sum of (a + shift) b with 320 bits, rounded once. */
static double exact_dot(const double *a, const double *shift, const double *b, size_t count)
{
    mpfr_t sum, term;

    mpfr_inits2(EXACT_BITS, sum, term, NULL);
    mpfr_set_zero(sum, 1);
    for (size_t i = 0; i < count; i++) {
        mpfr_set_d(term, a[i], MPFR_RNDN);
        mpfr_add_d(term, term, shift[i], MPFR_RNDN);
        mpfr_mul_d(term, term, b[i], MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    const double rounded = mpfr_get_d(sum, MPFR_RNDN);

    mpfr_clears(sum, term, NULL);
    return rounded;
}

/* The last pair of the sum cancels all of it but about a millionth. */
static void make_terms(uint64_t *seed, double *a, double *shift, double *b)
{
    for (size_t i = 0; i < WIDTH; i++) {
        a[i] = exact_between(seed, -8, 8);
        shift[i] = exact_between(seed, -0.125, 0.125);
        b[i] = exact_between(seed, -8, 8);
    }
    a[WIDTH - 1] = -exact_dot(a, shift, b, WIDTH - 1) * (1 + 1e-6);
    shift[WIDTH - 1] = 0;
    b[WIDTH - 1] = 1;
}

Test(vectors, a_dot_product_that_cancels_is_still_right_to_an_ulp)
{
    double a[WIDTH] = {0}, shift[WIDTH] = {0}, b[WIDTH] = {0};
    const struct posenc_array arrays[] = {array_of(a, POSENC_FLOAT64, WIDTH),
                                          array_of(shift, POSENC_FLOAT64, WIDTH),
                                          array_of(b, POSENC_FLOAT64, WIDTH)};
    uint64_t seed = 31;

    for (int turn = 0; turn < 200; turn++) {
        make_terms(&seed, a, shift, b);
        const double exact = exact_dot(a, shift, b, WIDTH);
        const struct posenc__dd dot = posenc__dot((struct posenc__vector){&arrays[0], 0},
                                                  (struct posenc__vector){&arrays[1], 0},
                                                  (struct posenc__vector){&arrays[2], 0}, WIDTH);

        cr_assert_leq(fabs(dot.hi - exact), 0x1p-52 * fabs(exact), "%a is not %a", dot.hi, exact);
    }
}

Test(vectors, a_vector_starts_where_it_says_and_a_missing_shift_is_zero)
{
    const float numbers[] = {9, 1, 2, 3, 9};
    const double ones[] = {1, 10, 100};
    const struct posenc_array floats = array_of(numbers, POSENC_FLOAT32, 5),
                              doubles = array_of(ones, POSENC_FLOAT64, 3);
    const struct posenc__vector none = {NULL, 0};

    cr_expect_eq(posenc__dot((struct posenc__vector){&floats, 1}, none,
                             (struct posenc__vector){&doubles, 0}, 3)
                     .hi,
                 321);
    cr_expect_eq(posenc__dot((struct posenc__vector){&doubles, 0},
                             (struct posenc__vector){&floats, 1},
                             (struct posenc__vector){&doubles, 0}, 3)
                     .hi,
                 2 * 1 + 12 * 10 + 103 * 100);
}

Test(vectors, infinities_stay_infinite_and_opposite_ones_are_no_number)
{
    const double numbers[] = {INFINITY, 1, -INFINITY, 1};
    const struct posenc_array array = array_of(numbers, POSENC_FLOAT64, 4);
    const struct posenc__vector none = {NULL, 0}, ones[] = {{&array, 1}, {&array, 3}};
    const struct posenc__dd infinite =
        posenc__dot((struct posenc__vector){&array, 0}, none, ones[0], 1);
    const struct posenc__dd terms[] = {infinite, {1, 0}};
    const struct posenc__dd half = {0.5, 0};

    cr_expect_eq(infinite.hi, INFINITY);
    cr_expect_eq(posenc__scaled_sum(terms, 2, half), INFINITY);
    cr_expect(isnan(posenc__dot((struct posenc__vector){&array, 0}, none,
                                (struct posenc__vector){&array, 0}, 3)
                        .hi) == 0); /* inf + 1 + inf */
    cr_expect(isnan(
        posenc__scaled_sum((const struct posenc__dd[]){{INFINITY, 0}, {-INFINITY, 0}}, 2, half)));
}

Test(vectors, the_inverse_root_has_a_hundred_bits)
{
    mpfr_t exact;

    mpfr_init2(exact, EXACT_BITS);
    for (unsigned x = 1; x < 3000; x++) {
        mpfr_set_ui(exact, x, MPFR_RNDN);
        mpfr_rec_sqrt(exact, exact, MPFR_RNDN);
        cr_assert_leq(exact_error_bits(posenc__inverse_root(x), exact), -100, "%u", x);
    }
    mpfr_clear(exact);
}

/* q [2, 3, 5, 4] beside a tensor of another shape. */
struct fit {
    size_t rank, shape[4];
    bool same_front, is_shared;
};

Test(vectors, axes_in_front_are_the_same_or_the_innermost)
{
    static const struct fit fits[] = {
        {4, {2, 3, 7, 4}, true, true},   {3, {3, 7, 4}, false, true},
        {2, {7, 4}, false, true},        {3, {2, 7, 4}, false, false},
        {4, {3, 2, 7, 4}, false, false}, {4, {2, 3, 7, 5}, true, false},
    };
    const struct posenc_array array = {.rank = 4, .shape = {2, 3, 5, 4}};
    const struct posenc__vectors q = {&array, 6, 5, 4};

    for (size_t i = 0; i < sizeof(fits) / sizeof(*fits); i++) {
        struct posenc_array other = {.rank = fits[i].rank};
        struct posenc_problem problem;

        memcpy(other.shape, fits[i].shape, sizeof(fits[i].shape));
        const struct posenc__vectors vectors = {&other, 1, other.shape[other.rank - 2],
                                                other.shape[other.rank - 1]};

        cr_expect_eq(posenc__check_outer("k", &vectors, "q", &q, &problem) == POSENC_OK,
                     fits[i].same_front, "%zu", i);
        cr_expect_eq(posenc__check_shared("k", &vectors, "q", &q, &problem) == POSENC_OK,
                     fits[i].is_shared, "%zu", i);
        cr_expect_eq(posenc__check_width("k", &vectors, "q", &q, &problem) == POSENC_OK,
                     vectors.width == 4, "%zu", i);
        cr_expect_eq(posenc__check_rows("k", &vectors, 7, "so", &problem), POSENC_OK);
        cr_expect_eq(posenc__check_rows("k", &vectors, 8, "so", &problem), POSENC_WRONG_SHAPE);
    }
}

Test(vectors, empty_vectors_are_refused_under_the_name_of_whose_they_are)
{
    const struct posenc_array array = {.rank = 2, .shape = {3, 0}};
    const struct posenc__vectors empty = {&array, 1, 3, 0};
    struct posenc_problem problem;

    cr_assert_eq(posenc__check_width("k", &empty, "q", &empty, &problem), POSENC_WRONG_SHAPE);
    cr_expect_str_eq(problem.parameter, "q");
}

struct pair_case {
    size_t q_rank, q[4], k_rank, k[4];
    const char *parameter; /* of the refusal; NULL: they fit */
};

Test(vectors, queries_and_keys_agree_in_all_axes_but_their_numbers)
{
    static const struct pair_case cases[] = {
        {3, {2, 3, 4}, 3, {2, 5, 4}, NULL}, {2, {3, 4}, 2, {5, 4}, NULL},
        {1, {4}, 2, {5, 4}, "q"},           {2, {3, 4}, 1, {4}, "k"},
        {3, {2, 3, 4}, 3, {1, 5, 4}, "k"},  {3, {2, 3, 4}, 2, {5, 4}, "k"},
        {2, {3, 4}, 2, {5, 6}, "k"},        {2, {3, 0}, 2, {5, 0}, "q"},
    };
    static const double numbers[40] = {0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct pair_case *row = &cases[i];
        const struct posenc_member members[] = {{"q", support_array(numbers, row->q_rank, row->q)},
                                                {"k", support_array(numbers, row->k_rank, row->k)}};
        struct posenc__vectors q, k;
        struct asked asked;

        (void)ask_with(&asked, "shaw/apply", "max_relative_position=1", members, 2); /* binds */
        const enum posenc_status status =
            posenc__read_queries_and_keys(&asked.arguments, &q, &k, &asked.problem);

        cr_expect_eq(status, row->parameter ? POSENC_WRONG_SHAPE : POSENC_OK, "%zu", i);
        if (row->parameter) {
            cr_expect_str_eq(asked.problem.parameter, row->parameter, "%zu", i);
        } else {
            cr_expect_eq(q.rows, 3);
            cr_expect_eq(k.rows, 5);
            cr_expect_eq(k.outer, q.outer);
        }
        asked_release(&asked);
    }
}
