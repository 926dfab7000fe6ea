/* ALiBi's slopes: powers of two with exponents that need not be integers. */
#include "alibi.h"

#include "powers.h"

enum rule { PRESS, GEOMETRIC };

static size_t power_of_two_below(size_t heads)
{
    size_t power = 1;

    while (power * 2 <= heads)
        power *= 2;
    return power;
}

/* 2^(-bias_max (index + 1) / heads), for every index from 0 on that is a multiple of `every`. */
static void geometric_slopes(double bias_max, size_t heads, size_t every, size_t count,
                             struct posenc__dd *slopes)
{
    struct posenc__powers powers;

    posenc__powers_begin(&powers, (struct posenc__dd){2, 0}, -bias_max, (double)heads);
    (void)posenc__powers_next(&powers); /* of exponent 0 */
    for (size_t index = 0; index < count * every; index++) {
        const struct posenc__dd slope = posenc__powers_next(&powers);

        if (index % every == 0)
            slopes[index / every] = slope;
    }
}

/* The released code's rule: P(c), then every second slope of P(2c), with c the power of two not
 * above `heads`. */
static void press_slopes(double bias_max, size_t heads, struct posenc__dd *slopes)
{
    const size_t power = power_of_two_below(heads);

    geometric_slopes(bias_max, power, 1, power, slopes);
    if (heads > power)
        geometric_slopes(bias_max, 2 * power, 2, heads - power, slopes + power);
}

static struct posenc__dd round_to_bfloat16(struct posenc__dd slope)
{
    uint16_t bits;

    posenc_round(POSENC_BFLOAT16, &slope.hi, 1, &bits);
    posenc_widen(POSENC_BFLOAT16, &bits, 1, &slope.hi);
    slope.lo = 0;
    return slope;
}

static enum posenc_status copy_given(const struct posenc_array *given, const char *name,
                                     size_t heads, struct posenc__dd *slopes,
                                     struct posenc_problem *problem)
{
    const double *numbers = given->data;

    if (given->shape[0] != heads)
        return posenc__refuse(problem, POSENC_CONFLICT, name,
                              "'%s' has %zu slopes, but 'heads' is %zu.", name, given->shape[0],
                              heads);
    for (size_t head = 0; head < heads; head++)
        slopes[head] = (struct posenc__dd){numbers[head], 0};
    return POSENC_OK;
}

static void compute(const struct posenc_arguments *arguments, size_t heads, bool one_sided,
                    struct posenc__dd *slopes)
{
    const double bias_max = posenc__real(arguments, "bias_max");
    const enum rule rule = posenc__choice(arguments, "slope_rule");
    const size_t distinct = one_sided ? heads / 2 : heads;

    if (rule == PRESS)
        press_slopes(bias_max, distinct, slopes);
    else
        geometric_slopes(bias_max, distinct, 1, distinct, slopes);
    for (size_t head = distinct; head < heads; head++)
        slopes[head] = slopes[head % distinct];
}

enum posenc_status posenc__alibi_slopes(const struct posenc_arguments *arguments, bool one_sided,
                                        bool is_bfloat16, struct posenc_memory *memory,
                                        const struct posenc__dd **slopes,
                                        const struct posenc__dd **right_slopes,
                                        struct posenc_problem *problem)
{
    const size_t heads = posenc__size(arguments, "heads");
    const struct posenc_array *given = posenc__array(arguments, "slopes");
    const struct posenc_array *given_right = posenc__array(arguments, "right_slopes");
    struct posenc__dd *left = posenc_allocate(memory, heads, sizeof(*left));
    struct posenc__dd *right = given_right ? posenc_allocate(memory, heads, sizeof(*right)) : left;
    enum posenc_status status = POSENC_OK;

    if (!left || !right)
        return posenc__no_memory(problem);
    if (given)
        status = copy_given(given, "slopes", heads, left, problem);
    else
        compute(arguments, heads, one_sided, left);
    if (status == POSENC_OK && given_right)
        status = copy_given(given_right, "right_slopes", heads, right, problem);
    for (size_t head = 0; head < heads && is_bfloat16 && status == POSENC_OK; head++) {
        left[head] = round_to_bfloat16(left[head]);
        right[head] = round_to_bfloat16(right[head]);
    }
    *slopes = left;
    *right_slopes = right;
    return status;
}
