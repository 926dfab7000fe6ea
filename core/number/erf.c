/*
 * The error function by its series, and its inverse by polynomials in w = -log(1 - y^2), a variable
 * in which erf_inverse(y) / y is smooth up to the ends (Giles, "Approximating the erfinv function",
 * 2010). The polynomials are our own: Chebyshev interpolation with 50 digits, error below 1e-17.
 */
#include "erf.h"

#include <math.h>
#include <stddef.h>

#include "dd.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

/* From here on erf rounds to 1. */
#define ERF_ONE 6.0

/*
 * erf(x) = 2 / sqrt(pi) x exp(-x^2) sum of (2 x^2)^n / (1 * 3 * ... * (2n + 1)) (Abramowitz and
 * Stegun, 7.1.6): all terms have one sign, so that nothing cancels.
 */
double posenc__erf(double x)
{
    const struct posenc__dd two_over_root_pi = {0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56};
    const struct posenc__dd square = posenc__dd_product(x, x);
    struct posenc__dd term = {x, 0.0}, sum = term;

    if (fabs(x) >= ERF_ONE)
        return copysign(1.0, x);
    for (double n = 1; fabs(term.hi) > 0x1p-110 * fabs(sum.hi); n++) {
        const struct posenc__dd step = {2.0 * square.hi, 2.0 * square.lo};

        term = posenc__dd_divide(posenc__dd_multiply(term, step),
                                 (struct posenc__dd){2.0 * n + 1.0, 0.0});
        sum = posenc__dd_add(sum, term);
    }
    const struct posenc__dd damping = posenc__dd_exp((struct posenc__dd){-square.hi, -square.lo});

    return posenc__dd_multiply(posenc__dd_multiply(sum, damping), two_over_root_pi).hi;
}

/* erf_inverse(y) / y in t = (w - 3.125) / 3.125, for w below 6.25. */
static const double erf_middle[] = {
    0x1.a755e7c99ae86p+0,   0x1.8040caa12786bp-1,   -0x1.e2b19456a082dp-5,  -0x1.7259eca3a149bp-6,
    0x1.23c5aee6b8c35p-6,   -0x1.0f249df1b8482p-8,  -0x1.4d5dd2d288f3ap-10, 0x1.4316b4d6bf6dap-10,
    -0x1.153ca239e8ef5p-12, -0x1.ea446f6d4be88p-14, 0x1.879c71f06bfb9p-14,  -0x1.f83f146703393p-17,
    -0x1.79bad0cd600e4p-17, 0x1.de7d9b8a5acd5p-18,  -0x1.6f30aa62f6e43p-21, -0x1.1c5d14613037dp-20,
    0x1.21cc1c15dfb87p-21,  -0x1.5d5da1b7fd9ccp-27, -0x1.a96b17877ab97p-24, 0x1.503ba4d125ef1p-25,
    0x1.5a5184d1fa912p-28,  -0x1.260cd2f1c6664p-27, 0x1.8d8098abcd5bap-30,  0x1.a64454acc72d9p-31,
    -0x1.1800dcbf7655ap-32};

/* ... in t = (sqrt(w) - 3.25) / 0.75, for w from 6.25 to 16. */
static const double erf_outer[] = {
    0x1.8abcc380d5a48p+1,   0x1.8204fa4162bffp-1,   0x1.8bfc9e26da7bap-9,   -0x1.9eda88e4f2171p-10,
    0x1.9d4ce38633f40p-11,  -0x1.a418d38d88595p-12, 0x1.63d03711119adp-13,  -0x1.8d8d2c9517b78p-15,
    0x1.42e8e04d5de35p-19,  0x1.5816a12ae9075p-18,  -0x1.65a995d401276p-19, 0x1.1aa473894c01dp-21,
    0x1.8ef6de7943b0ep-24,  -0x1.96b0b242e6e7fp-24, 0x1.c5963bcb6d3a3p-26,  -0x1.954e914918277p-32,
    -0x1.528c13ca4039fp-29, 0x1.0fd4768dc9d9cp-30,  -0x1.007570d08f0ffp-33, -0x1.1c6b809e24fb6p-34,
    0x1.a7ee6cd2d0625p-36};

/* ... in t = (sqrt(w) - 5.0625) / 1.0625, for w from 16 to 37.5, beyond the last double before 1.
 */
static const double erf_tail[] = {
    0x1.3a6f678932e7fp+2,  0x1.12cbdd396195ep+0,   -0x1.a3c379fe55b84p-13, -0x1.eefcdd74aada5p-13,
    0x1.76b7b25d6b526p-14, -0x1.9a5954b7c884ep-16, 0x1.8d56c268003d4p-18,  -0x1.6c0fd3700073dp-20,
    0x1.5516f48544a44p-22, -0x1.83c62e37fe9d2p-24, 0x1.4082281f68125p-25,  -0x1.5965c5471bde9p-26,
    0x1.7e21564800c9ap-27, -0x1.7cf2c2a97054fp-28, 0x1.413a518a9761cp-29,  -0x1.ae93daad3186bp-31,
    0x1.87e3dd050d20ep-33, 0x1.1f77f34229427p-40,  -0x1.f92b58356f690p-36, 0x1.0a935161b453bp-36,
    -0x1.a290c35e5ef7ep-39};

static double erf_polynomial(const double *coefficients, size_t count, double t)
{
    double value = coefficients[count - 1];

    for (size_t i = count - 1; i-- > 0;)
        value = value * t + coefficients[i];
    return value;
}

double posenc__erf_inverse(double y)
{
    if (!(fabs(y) < 1.0))
        return fabs(y) == 1.0 ? copysign(INFINITY, y) : NAN;
    const double w = -posenc__log((1.0 - y) * (1.0 + y));

    if (w < 6.25)
        return y * erf_polynomial(erf_middle, COUNT(erf_middle), (w - 3.125) / 3.125);
    const double root = sqrt(w);

    if (w < 16.0)
        return y * erf_polynomial(erf_outer, COUNT(erf_outer), (root - 3.25) / 0.75);
    return y * erf_polynomial(erf_tail, COUNT(erf_tail), (root - 5.0625) / 1.0625);
}
