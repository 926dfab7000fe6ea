/*
 * Double-double arithmetic: a number as the unevaluated sum of two doubles, about 106 bits.
 *
 * Every operation is made of + - * / and fma alone, in round to nearest, so that results have the
 * same bits on every machine. Bounds hold while nothing overflows or becomes subnormal.
 */
#ifndef POSENC_DD_H
#define POSENC_DD_H

/* An unevaluated sum hi + lo with |lo| <= ulp(hi) / 2. */
struct posenc__dd {
    double hi, lo;
};

/* Exact: a + b and a * b of doubles. */
struct posenc__dd posenc__dd_sum(double a, double b);
struct posenc__dd posenc__dd_product(double a, double b);

/* Relative error at most 2^-102; signs may differ. */
struct posenc__dd posenc__dd_add(struct posenc__dd a, struct posenc__dd b);
struct posenc__dd posenc__dd_multiply(struct posenc__dd a, struct posenc__dd b);
struct posenc__dd posenc__dd_divide(struct posenc__dd a, struct posenc__dd b);

/* log(x) for finite x > 0, relative error at most 2^-105, also next to 1; NaN for any other x. */
struct posenc__dd posenc__dd_log(struct posenc__dd x);

/* exp(x), relative error at most 2^-105; infinity and 0 beyond the range of double. */
struct posenc__dd posenc__dd_exp(struct posenc__dd x);

/*
 * base^(numerator / denominator) for base > 0 and denominator != 0, relative error at most 2^-105:
 * neither the quotient nor its product with the logarithm is rounded to double-double on the way.
 * Exactly 1 for a base of 1 or a numerator of 0.
 */
struct posenc__dd posenc__dd_power(struct posenc__dd base, double numerator, double denominator);

/* log(x) of a normal x > 0, right to 0.51 ulp. Unlike libm's, the same bits on every machine. */
double posenc__log(double x);

#endif
