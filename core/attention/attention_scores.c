/* Attention's arithmetic: products, mask, softmax, sums. */
#include <math.h>
#include <string.h>

#include "attention.h"
#include "attention_kernel.h"

size_t posenc__attention_count(const struct posenc__attention *attention)
{
    return attention->matrices * attention->queries * attention->keys;
}

/* The keys' matrix for a matrix of queries: several query heads may share one key head. */
static size_t key_matrix(const struct posenc__attention *attention, size_t matrix)
{
    const size_t batch = matrix / attention->heads, head = matrix % attention->heads;

    return batch * attention->kv_heads + head / (attention->heads / attention->kv_heads);
}

void posenc__attention_products(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__products *products = context;
    const struct posenc__attention *attention = products->attention;
    const size_t width = attention->width, keys = attention->keys;

    for (size_t done = 0, part; done < count; done += part) {
        const size_t row = (first + done) / keys, key = (first + done) % keys;
        const size_t matrix = key_matrix(attention, row / attention->queries);

        part = keys - key < count - done ? keys - key : count - done;
        posenc__dots(&(struct posenc__dots){.a = products->q + row * width,
                                            .b = products->k + (matrix * keys + key) * width,
                                            .width = width,
                                            .rows = part,
                                            .scale = products->scale,
                                            .out = out + done});
    }
}

uint64_t posenc__attention_sum_ns(size_t count)
{
    return 8 + (uint64_t)count / 2;
}

/* The position of a row, given or counted; lists of several axes do not order rows, counting does.
 */
static double position_of(const struct posenc__side *side, size_t row)
{
    if (side->positions && side->positions->rank == 1)
        return ((const double *)side->positions->data)[row];
    return side->offset + (double)row;
}

void posenc__attention_mask(const struct posenc__attention *attention, double *scores)
{
    const size_t rows = attention->matrices * attention->queries;

    if (!attention->causal)
        return;
    for (size_t row = 0; row < rows; row++) {
        const double query = position_of(&attention->q, row % attention->queries);

        for (size_t key = 0; key < attention->keys; key++)
            if (position_of(&attention->k, key) > query)
                scores[row * attention->keys + key] = -(double)INFINITY;
    }
}

#define LOG2_E  0x1.71547652b82fep+0
#define LN_2_HI 0x1.62e42fefa0000p-1 /* so few bits that its product with an exponent is exact */
#define LN_2_LO 0x1.cf79abc9e3b3ap-40

/* 0 from here on: half the smallest number there is. */
#define EXP_ZERO (-745.2)

/* exp(x) for x <= 0 within an ulp, from + and * alone: unlike libm's, the same on every machine. */
static double decay(double x)
{
    static const double inverse_factorials[] = {
        1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
        1.0 / 5040,       1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      0.5};

    if (!(x > EXP_ZERO))
        return x < 0 ? 0 : x; /* minus infinity or NaN */
    const double exponent = floor(x * LOG2_E + 0.5);
    const double high = x - exponent * LN_2_HI, rest = high - exponent * LN_2_LO;
    double series = 0;

    for (size_t i = 0; i < sizeof(inverse_factorials) / sizeof(*inverse_factorials); i++)
        series = series * rest + inverse_factorials[i];
    return ldexp(1 + (rest + rest * rest * series), (int)exponent);
}

static void softmax_row(const double *scores, size_t count, double *weights)
{
    double largest = -(double)INFINITY, sum = 0;

    for (size_t i = 0; i < count; i++)
        if (scores[i] > largest)
            largest = scores[i];
    for (size_t i = 0; i < count; i++) {
        const bool is_hidden = scores[i] == -(double)INFINITY;

        weights[i] = is_hidden ? 0 : decay(scores[i] - largest);
        sum += weights[i];
    }
    for (size_t i = 0; i < count && sum != 0; i++)
        weights[i] /= sum;
}

void posenc__attention_softmax(const struct posenc__attention *attention, const double *scores,
                               double *weights)
{
    const size_t rows = attention->matrices * attention->queries;

    for (size_t row = 0; row < rows; row++)
        softmax_row(scores + row * attention->keys, attention->keys,
                    weights + row * attention->keys);
}

void posenc__attention_features(const double *x, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = x[i] > 0 ? x[i] + 1 : decay(x[i]);
}

void posenc__attention_divide(const struct posenc__attention *attention, const double *numerators,
                              const double *denominators, double *weights)
{
    const size_t rows = attention->matrices * attention->queries, keys = attention->keys;

    for (size_t row = 0; row < rows; row++) {
        const double *upper = numerators + row * keys, *lower = denominators + row * keys;
        double sum = 0;

        for (size_t key = 0; key < keys; key++)
            sum += upper[key] == -(double)INFINITY ? 0 : lower[key];
        for (size_t key = 0; key < keys; key++)
            weights[row * keys + key] =
                upper[key] == -(double)INFINITY || sum == 0 ? 0 : upper[key] / sum;
    }
}

/* Columns [column, column + count) of the output of one row. */
static void output_run(const struct posenc__outputs *outputs, size_t row, size_t column,
                       size_t count, double *out)
{
    const struct posenc__attention *attention = outputs->attention;
    const size_t matrix = key_matrix(attention, row / attention->queries);
    const double *weights = outputs->weights + row * attention->keys;
    const double *v = outputs->v + matrix * attention->keys * attention->value_width + column;

    memset(out, 0, count * sizeof(*out));
    posenc__weigh(&(struct posenc__weighed){.weights = weights,
                                            .v = v,
                                            .rows = attention->keys,
                                            .stride = attention->value_width,
                                            .count = count,
                                            .out = out});
}

void posenc__attention_outputs(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__outputs *outputs = context;
    const size_t width = outputs->attention->value_width;

    for (size_t done = 0; done < count;) {
        const size_t row = (first + done) / width, column = (first + done) % width;
        const size_t part = width - column < count - done ? width - column : count - done;

        output_run(outputs, row, column, part, out + done);
        done += part;
    }
}
