/*
 * log, exp and power in double-double.
 *
 * Both functions leave the main work to a table that takes the argument within 1/64 of a point
 * where the value is known to 159 bits; a short series in double-double adds the small rest. Sums
 * that carry large values are kept in triple-double, because power multiplies a logarithm by the
 * exponent, and exp turns the absolute error of its argument into a relative one.
 */
#include <math.h>
#include <stddef.h>

#include "dd.h"
#include "td.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#define STEPS 32 /* per unit, in both tables */

/* log(i / 32) for i from LOG_FIRST on: from below sqrt(1/2) to above sqrt(2). */
#define LOG_FIRST 23
static const struct posenc__td log_table[] = {
    {-0x1.522ae0738a3d8p-2, 0x1.8f7e9b38a6979p-57, 0x1.777dce76e5542p-111},
    {-0x1.269621134db92p-2, -0x1.e0efadd9db02bp-56, 0x1.63d5cf0b6f233p-110},
    {-0x1.f991c6cb3b379p-3, -0x1.f665066f980a2p-57, 0x1.c93e26ec48e0ep-111},
    {-0x1.a93ed3c8ad9e3p-3, -0x1.bcafa9de97203p-57, -0x1.ccdcee3115f1fp-111},
    {-0x1.5bf406b543db2p-3, 0x1.1f5b44c0df7e7p-61, 0x1.25a7abe3c6675p-115},
    {-0x1.1178e8227e47cp-3, 0x1.0e63a5f01c691p-58, -0x1.03c776a3fb0f1p-112},
    {-0x1.9335e5d594989p-4, 0x1.478a85704ccb7p-58, -0x1.089735832ff2fp-112},
    {-0x1.08598b59e3a07p-4, 0x1.dd7009902bf32p-58, 0x1.a7da07274e01dp-113},
    {-0x1.0415d89e74444p-5, -0x1.c05cf1d753622p-59, -0x1.3bc1c184cef0ap-114},
    {0x0p+0, 0x0p+0, 0x0p+0},
    {0x1.f829b0e7833p-6, 0x1.33e3f04f1ef23p-60, -0x1.814544147acc9p-114},
    {0x1.f0a30c01162a6p-5, 0x1.85f325c5bbacdp-59, -0x1.0ece597165991p-113},
    {0x1.6f0d28ae56b4cp-4, -0x1.906d99184b992p-58, -0x1.bf31af3e109afp-112},
    {0x1.e27076e2af2e6p-4, -0x1.61578001e0162p-60, 0x1.55db94ebc4018p-116},
    {0x1.29552f81ff523p-3, 0x1.301771c407dbfp-57, -0x1.977b021b7c784p-111},
    {0x1.5ff3070a793d4p-3, -0x1.bc60efafc6f6ep-58, -0x1.140655471954p-113},
    {0x1.9525a9cf456b4p-3, 0x1.d904c1d4e2e26p-57, -0x1.89d9afa096184p-111},
    {0x1.c8ff7c79a9a22p-3, -0x1.4f689f8434012p-57, 0x1.a24ae3b2f53a1p-111},
    {0x1.fb9186d5e3e2bp-3, -0x1.caaae64f21acbp-57, -0x1.35f6dfd3ddd52p-111},
    {0x1.1675cababa60ep-2, 0x1.ce63eab883717p-61, 0x1.1f833e82521e1p-119},
    {0x1.2e8e2bae11d31p-2, -0x1.8f4cdb95ebdf9p-56, -0x1.864244294826fp-111},
    {0x1.4618bc21c5ec2p-2, 0x1.f42decdeccf1dp-56, -0x1.77d446996dap-111},
    {0x1.5d1bdbf5809cap-2, 0x1.4236383dc7fe1p-56, 0x1.59f380b4a6b43p-112},
};

/* 2^(i / 32). */
static const struct posenc__td exp_table[STEPS] = {
    {0x1p+0, 0x0p+0, 0x0p+0},
    {0x1.059b0d3158574p+0, 0x1.d73e2a475b465p-55, 0x1.05ff94f8d257ep-110},
    {0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54, -0x1.67c9bd6ebf74cp-108},
    {0x1.11301d0125b51p+0, -0x1.6c51039449b3ap-54, 0x1.9d58b988f562dp-109},
    {0x1.172b83c7d517bp+0, -0x1.19041b9d78a76p-55, 0x1.4f2406aa13ffp-109},
    {0x1.1d4873168b9aap+0, 0x1.e016e00a2643cp-54, 0x1.ea62d0881b918p-110},
    {0x1.2387a6e756238p+0, 0x1.9b07eb6c70573p-54, -0x1.4d89f9af532ep-109},
    {0x1.29e9df51fdee1p+0, 0x1.612e8afad1255p-55, 0x1.de5448560469p-111},
    {0x1.306fe0a31b715p+0, 0x1.6f46ad23182e4p-55, 0x1.7b7b2f09cd0d9p-110},
    {0x1.371a7373aa9cbp+0, -0x1.63aeabf42eae2p-54, 0x1.87e3e12516bfap-108},
    {0x1.3dea64c123422p+0, 0x1.ada0911f09ebcp-55, -0x1.808ba68fa8fb7p-109},
    {0x1.44e086061892dp+0, 0x1.89b7a04ef80dp-59, -0x1.0ac312de3d922p-114},
    {0x1.4bfdad5362a27p+0, 0x1.d4397afec42e2p-56, 0x1.c06c7745c2b39p-113},
    {0x1.5342b569d4f82p+0, -0x1.07abe1db13cadp-55, 0x1.fa733951f214cp-111},
    {0x1.5ab07dd485429p+0, 0x1.6324c054647adp-54, -0x1.744ee506fdafep-109},
    {0x1.6247eb03a5585p+0, -0x1.383c17e40b497p-54, 0x1.5d8e757cfb991p-111},
    {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54, 0x1.57d3e3adec175p-108},
    {0x1.71f75e8ec5f74p+0, -0x1.16e4786887a99p-55, -0x1.269796953a4c3p-109},
    {0x1.7a11473eb0187p+0, -0x1.41577ee04992fp-55, -0x1.4217a932d10d4p-113},
    {0x1.82589994cce13p+0, -0x1.d4c1dd41532d8p-54, 0x1.0f6ad65cbbac1p-112},
    {0x1.8ace5422aa0dbp+0, 0x1.6e9f156864b27p-54, -0x1.30644a7836333p-110},
    {0x1.93737b0cdc5e5p+0, -0x1.75fc781b57ebcp-57, 0x1.697e257ac0db2p-111},
    {0x1.9c49182a3f09p+0, 0x1.c7c46b071f2bep-56, 0x1.6376b7943085cp-110},
    {0x1.a5503b23e255dp+0, -0x1.d2f6edb8d41e1p-54, -0x1.bfd7adfd63f48p-111},
    {0x1.ae89f995ad3adp+0, 0x1.7a1cd345dcc81p-54, 0x1.a7fbc3ae675eap-108},
    {0x1.b7f76f2fb5e47p+0, -0x1.5584f7e54ac3bp-56, 0x1.aa64481e1ab72p-111},
    {0x1.c199bdd85529cp+0, 0x1.11065895048ddp-55, 0x1.99e51125928dap-110},
    {0x1.cb720dcef9069p+0, 0x1.503cbd1e949dbp-56, 0x1.d8765566b032ep-110},
    {0x1.d5818dcfba487p+0, 0x1.2ed02d75b3707p-55, -0x1.ab053b05531fcp-111},
    {0x1.dfc97337b9b5fp+0, -0x1.1a5cd4f184b5cp-54, 0x1.b7225a944efd6p-108},
    {0x1.ea4afa2a490dap+0, -0x1.e9c23179c2893p-54, -0x1.fc0f242bbf3dep-109},
    {0x1.f50765b6e454p+0, 0x1.9d3e12dd8a18bp-54, -0x1.4019bffc80ef3p-110},
};

static const struct posenc__td log_of_2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56,
                                           0x1.7b57a079a1934p-111};
static const struct posenc__td log_of_step = {0x1.62e42fefa39efp-6, 0x1.abc9e3b39803fp-61,
                                              0x1.7b57a079a1934p-116}; /* log(2) / 32 */
#define STEPS_PER_UNIT 0x1.71547652b82fep+5                            /* 32 / log(2) */

/* 1/17, 1/15, ..., 1/3: the series of 2 atanh(s) = log((1 + s) / (1 - s)). */
static const struct posenc__dd log_series[] = {
    {0x1.e1e1e1e1e1e1ep-5, 0x1.e1e1e1e1e1e1ep-61},  {0x1.1111111111111p-4, 0x1.1111111111111p-60},
    {0x1.3b13b13b13b14p-4, -0x1.3b13b13b13b14p-58}, {0x1.745d1745d1746p-4, -0x1.745d1745d1746p-59},
    {0x1.c71c71c71c71cp-4, 0x1.c71c71c71c71cp-58},  {0x1.2492492492492p-3, 0x1.2492492492492p-57},
    {0x1.999999999999ap-3, -0x1.999999999999ap-57}, {0x1.5555555555555p-2, 0x1.5555555555555p-56},
};

/* 1/12!, 1/11!, ..., 1/2!: the series of exp. */
static const struct posenc__dd exp_series[] = {
    {0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83},
    {0x1.ae64567f544e4p-26, -0x1.c062e06d1f209p-80},
    {0x1.27e4fb7789f5cp-22, 0x1.cbbc05b4fa99ap-76},
    {0x1.71de3a556c734p-19, -0x1.c154f8ddc6cp-73},
    {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
    {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},
    {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
    {0x1.1111111111111p-7, 0x1.1111111111111p-63},
    {0x1.5555555555555p-5, 0x1.5555555555555p-59},
    {0x1.5555555555555p-3, 0x1.5555555555555p-57},
    {0x1p-1, 0x0p+0},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Horner's rule, highest power first. */
static struct posenc__dd power_series(const struct posenc__dd *terms, size_t count,
                                      struct posenc__dd x)
{
    struct posenc__dd sum = terms[0];

    for (size_t i = 1; i < count; i++)
        sum = posenc__dd_add(posenc__dd_multiply(sum, x), terms[i]);
    return sum;
}

/* Cuts x into 2^exponent * mantissa with a mantissa in [sqrt(1/2), sqrt(2)); both steps exact. */
static struct posenc__dd power_split(struct posenc__dd x, int *exponent)
{
    const double mantissa = frexp(x.hi, exponent);

    if (mantissa < 0x1.6a09e667f3bcdp-1)
        (*exponent)--;
    return (struct posenc__dd){ldexp(x.hi, -*exponent), ldexp(x.lo, -*exponent)};
}

/*
 * log(x) = exponent * log(2) + log(c) + log(m / c), c = i / 32 next to m. With s = (m - c) / (m +
 * c), |s| < 2^-6, log(m / c) = 2 s (1 + s^2 / 3 + s^4 / 5 + ...). Where the first two vanish, the
 * third keeps its relative precision: m - c is exact.
 */
struct posenc__td posenc__td_log(struct posenc__dd x)
{
    int exponent;

    if (!(x.hi > 0) || isinf(x.hi)) /* outside the domain, and outside the table */
        return (struct posenc__td){NAN, 0.0, 0.0};
    const struct posenc__dd m = power_split(x, &exponent);
    const double nearest = rint(m.hi * STEPS);
    const double c = nearest / STEPS;
    const struct posenc__dd above = posenc__dd_sum(m.hi, c);
    const struct posenc__td difference = posenc__td_from(posenc__dd_sum(m.hi - c, m.lo));
    const struct posenc__td total =
        posenc__td_add(posenc__td_from(above), (struct posenc__td){m.lo, 0.0, 0.0});
    struct posenc__td s2 = posenc__td_divide(difference, total);

    s2.high *= 2.0, s2.middle *= 2.0, s2.low *= 2.0;
    const struct posenc__dd twice = posenc__td_round(s2);
    const struct posenc__dd s = {twice.hi / 2.0, twice.lo / 2.0};
    const struct posenc__dd square = posenc__dd_multiply(s, s);
    const struct posenc__dd series = power_series(log_series, COUNT(log_series), square);
    const struct posenc__dd tail = posenc__dd_multiply(posenc__dd_multiply(twice, square), series);
    const struct posenc__td small = posenc__td_add(s2, posenc__td_from(tail));
    const struct posenc__td whole =
        posenc__td_multiply(log_of_2, (struct posenc__td){(double)exponent, 0.0, 0.0});

    return posenc__td_add(posenc__td_add(whole, log_table[(int)nearest - LOG_FIRST]), small);
}

/* exp(x) = 2^(k / 32) * exp(r), r = x - k log(2) / 32, |r| < 2^-6. */
struct posenc__td posenc__td_exp(struct posenc__td x)
{
    if (isnan(x.high))
        return (struct posenc__td){NAN, 0.0, 0.0};
    if (x.high > 710.0)
        return (struct posenc__td){INFINITY, 0.0, 0.0};
    if (x.high < -746.0)
        return (struct posenc__td){0.0, 0.0, 0.0};
    const double steps = rint(x.high * STEPS_PER_UNIT);
    const struct posenc__td r =
        posenc__td_add(x, posenc__td_multiply(log_of_step, (struct posenc__td){-steps, 0.0, 0.0}));
    const struct posenc__dd short_r = posenc__td_round(r);
    const struct posenc__dd square = posenc__dd_multiply(short_r, short_r);
    const struct posenc__dd series = power_series(exp_series, COUNT(exp_series), short_r);
    const struct posenc__td less_one =
        posenc__td_add(r, posenc__td_from(posenc__dd_multiply(square, series)));
    const int index = (int)steps & (STEPS - 1);
    const int exponent = ((int)steps - index) / STEPS;
    const struct posenc__td factor = exp_table[index];
    const struct posenc__td value = posenc__td_add(factor, posenc__td_multiply(factor, less_one));
    const double high = ldexp(value.high, exponent);

    if (isinf(high))
        return (struct posenc__td){high, 0.0, 0.0};
    return (struct posenc__td){high, ldexp(value.middle, exponent), ldexp(value.low, exponent)};
}

/* Rounded, but for an infinity, of which td_round would make a NaN. */
static struct posenc__dd power_round(struct posenc__td x)
{
    return isinf(x.high) ? (struct posenc__dd){x.high, 0.0} : posenc__td_round(x);
}

struct posenc__dd posenc__dd_log(struct posenc__dd x)
{
    return posenc__td_round(posenc__td_log(x));
}

struct posenc__dd posenc__dd_exp(struct posenc__dd x)
{
    return power_round(posenc__td_exp(posenc__td_from(x)));
}

struct posenc__dd posenc__dd_power(struct posenc__dd base, double numerator, double denominator)
{
    const struct posenc__td quotient = posenc__td_divide(
        (struct posenc__td){numerator, 0.0, 0.0}, (struct posenc__td){denominator, 0.0, 0.0});

    return power_round(posenc__td_exp(posenc__td_multiply(quotient, posenc__td_log(base))));
}

/* As posenc__td_log, with the series in double: what it adds is below 2^-13 of the result. */
double posenc__log(double x)
{
    int exponent;
    const double m = power_split((struct posenc__dd){x, 0.0}, &exponent).hi;
    const double nearest = rint(m * STEPS);
    const double c = nearest / STEPS;
    const struct posenc__td known = log_table[(int)nearest - LOG_FIRST];
    const struct posenc__dd total = posenc__dd_sum(m, c);
    const double s = (m - c) / total.hi;
    const double s_rest = (fma(-s, total.hi, m - c) - s * total.lo) / total.hi;
    const double z = s * s;
    const double series = z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z / 11))));
    const struct posenc__dd whole = posenc__dd_product((double)exponent, log_of_2.high);
    const struct posenc__dd head = posenc__dd_sum(whole.hi, known.high);
    const struct posenc__dd sum = posenc__dd_sum(head.hi, 2.0 * s);
    const double whole_rest = whole.lo + (double)exponent * log_of_2.middle;

    return sum.hi +
           (sum.lo + (head.lo + (known.middle + whole_rest) + 2.0 * (s_rest + s * series)));
}
