/* FIRE's network as segments, against the network itself. */
#include <criterion/criterion.h>
#include <math.h>

#include "exact.h"
#include "fire.h"
#include "support.h"

#define HIDDEN_MAX 24
#define HEADS      3

struct weights {
    size_t hidden;
    double w1[HIDDEN_MAX], b1[HIDDEN_MAX], w2[HEADS * HIDDEN_MAX], b2[HEADS];
};

static struct weights random_weights(size_t hidden, uint64_t *seed)
{
    struct weights weights = {.hidden = hidden};

    for (size_t i = 0; i < hidden; i++) {
        weights.w1[i] = exact_bits(seed) % 5 ? exact_between(seed, -2, 2) : 0;
        weights.b1[i] = exact_bits(seed) % 5 ? exact_between(seed, -1, 1) : 0;
    }
    for (size_t i = 0; i < HEADS * hidden; i++)
        weights.w2[i] = exact_between(seed, -1, 1);
    for (size_t i = 0; i < HEADS; i++)
        weights.b2[i] = exact_between(seed, -1, 1);
    return weights;
}

static struct posenc_value weights_object(const struct weights *weights,
                                          struct posenc_member members[4])
{
    const size_t w1[] = {weights->hidden, 1}, w2[] = {HEADS, weights->hidden}, b2[] = {HEADS};

    members[0] = (struct posenc_member){"w1", support_array(weights->w1, 2, w1)};
    members[1] = (struct posenc_member){"b1", support_array(weights->b1, 1, w1)};
    members[2] = (struct posenc_member){"w2", support_array(weights->w2, 2, w2)};
    members[3] = (struct posenc_member){"b2", support_array(weights->b2, 1, b2)};
    return posenc_object(members, 4);
}

/* The network by its definition, and the sum of its terms' magnitudes. */
static long double direct(const struct weights *weights, size_t head, double x, long double *size)
{
    long double sum = weights->b2[head];

    *size = fabsl(sum);
    for (size_t i = 0; i < weights->hidden; i++) {
        const long double z = (long double)weights->w1[i] * x + weights->b1[i];
        const long double w2 = weights->w2[head * weights->hidden + i];

        sum += z > 0 ? w2 * z : 0;
        *size += fabsl(w2) * (fabsl((long double)weights->w1[i] * x) + fabsl(weights->b1[i]));
    }
    return sum;
}

#define ROUNDINGS 0x1p-52L /* an ulp of the largest terms: the knots', and the result's */

Test(fire_network, segments_are_the_network_at_every_point)
{
    uint64_t seed = 21;
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    for (size_t hidden = 0; hidden <= HIDDEN_MAX; hidden++) {
        const struct weights weights = random_weights(hidden, &seed);
        struct posenc_member members[4];
        const struct posenc_value object = weights_object(&weights, members);
        struct posenc__fire_network network;
        struct posenc_problem problem;

        cr_assert_eq(posenc__fire_network_init(&network, &object, &memory, &problem), POSENC_OK);
        for (int i = 0; i < 300; i++) {
            const bool at_knot = hidden > 0 && i % 3 == 0;
            const double knot = at_knot ? network.knots[exact_bits(&seed) % hidden] : 0;
            const double x = at_knot && isfinite(knot) ? knot : exact_between(&seed, -3, 3);
            const size_t head = exact_bits(&seed) % HEADS;
            long double size;
            const long double exact = direct(&weights, head, x, &size);
            const double value = posenc__fire_network_at(&network, head, (struct posenc__dd){x, 0});

            cr_assert_leq(fabsl(value - exact), ROUNDINGS * size, "hidden %zu, x %a", hidden, x);
        }
    }
    posenc_memory_release(&memory);
}

struct misfit {
    const char *name, *parameter;
    size_t rank, shape[2];
};

Test(fire_network, refuses_shapes_that_do_not_fit_together)
{
    static const struct misfit misfits[] = {
        {"w1", "weights.w1", 1, {4, 1}}, {"w1", "weights.w1", 2, {2, 2}},
        {"w1", "weights.b1", 2, {3, 1}}, {"b1", "weights.b1", 2, {4, 1}},
        {"b1", "weights.b1", 1, {5, 1}}, {"w2", "weights.w2", 2, {3, 3}},
        {"w2", "weights.w2", 2, {0, 4}}, {"b2", "weights.b2", 1, {4, 1}},
        {"b2", "weights.b2", 2, {3, 1}},
    };
    uint64_t seed = 22;
    const struct weights weights = random_weights(4, &seed);
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    for (size_t i = 0; i < sizeof(misfits) / sizeof(*misfits); i++) {
        struct posenc_member members[4];
        const struct posenc_value object = weights_object(&weights, members);
        struct posenc__fire_network network;
        struct posenc_problem problem;

        for (size_t m = 0; m < 4; m++)
            if (members[m].name[0] == misfits[i].name[0] &&
                members[m].name[1] == misfits[i].name[1])
                members[m].value = support_array(weights.w2, misfits[i].rank, misfits[i].shape);
        cr_expect_eq(posenc__fire_network_init(&network, &object, &memory, &problem),
                     POSENC_WRONG_SHAPE, "%zu", i);
        cr_expect_str_eq(problem.parameter, misfits[i].parameter, "%zu", i);
    }
    posenc_memory_release(&memory);
}

Test(fire_network, refuses_weights_that_are_not_finite_or_too_large)
{
    static const double bad[] = {1.0001e100, -1e300, INFINITY, NAN};
    uint64_t seed = 23;
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        struct weights weights = random_weights(4, &seed);
        struct posenc_member members[4];
        const struct posenc_value object = weights_object(&weights, members);
        struct posenc__fire_network network;
        struct posenc_problem problem;

        weights.w2[5] = bad[i];
        cr_expect_eq(posenc__fire_network_init(&network, &object, &memory, &problem),
                     POSENC_OUT_OF_RANGE);
        cr_expect_str_eq(problem.parameter, "weights.w2");
    }
    posenc_memory_release(&memory);
}
