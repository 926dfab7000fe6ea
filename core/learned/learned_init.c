/*
 * Generated tables: what frameworks' initialisers draw from a seed.
 *
 * A truncated normal is made from one uniform number u, in the arithmetic of the draw:
 *
 *   z = sqrt(2) erf_inverse(u),   u uniform between erf(a / sqrt(2)) and erf(b / sqrt(2))
 *
 * with a and b in standard deviations; glorot_uniform is uniform within +-sqrt(6 / (rows + dim))
 * (Glorot and Bengio, 2010, equation 16).
 */
#include <math.h>

#include "erf.h"
#include "learned.h"
#include "random.h"
#include "random_jax.h"
#include "random_numpy.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#define ROOT_TWO 0x1.6a09e667f3bcdp+0

/* What an init takes beside rows and dim, in the order of enum posenc__init. */
struct init_rule {
    bool is_drawn;
    bool has_spread; /* mean and std */
    bool has_bounds; /* low and high, with these defaults */
    double low, high;
};

static const struct init_rule init_rules[] = {
    [POSENC__INIT_NORMAL] = {.is_drawn = true, .has_spread = true},
    [POSENC__INIT_UNIFORM] = {.is_drawn = true, .has_bounds = true, .low = 0, .high = 1},
    [POSENC__INIT_TRUNCATED_NORMAL] = {true, true, true, -2, 2},
    [POSENC__INIT_TRUNC_NORMAL_TORCH] = {true, true, true, -2, 2},
    [POSENC__INIT_ZEROS] = {.is_drawn = false},
    [POSENC__INIT_GLOROT_UNIFORM] = {.is_drawn = true},
};

/* A generator's way to uniform and to normal numbers. */
typedef void draw_numbers(const struct posenc__stream *stream, double low_or_mean,
                          double high_or_std, size_t count, double *out);

static void init_start_torch(const struct posenc__stream *stream, struct posenc__mt19937 *generator)
{
    posenc__mt19937_seed(generator, stream->seed);
    for (size_t i = 0; i < stream->skip; i++)
        (void)posenc__mt19937_next(generator); /* thrown away on purpose */
}

static void torch_uniform(const struct posenc__stream *stream, double low, double high,
                          size_t count, double *out)
{
    struct posenc__mt19937 generator = {.next = 0};

    init_start_torch(stream, &generator);
    posenc__torch_uniform(&generator, stream->draw, low, high, count, out);
}

static void torch_normal(const struct posenc__stream *stream, double mean, double std, size_t count,
                         double *out)
{
    struct posenc__mt19937 generator = {.next = 0};

    init_start_torch(stream, &generator);
    posenc__torch_normal(&generator, stream->draw, mean, std, count, out);
}

/* In the order of enum posenc__generator. */
static const struct {
    draw_numbers *uniform, *normal;
} generators[] = {
    [POSENC__GENERATOR_TORCH] = {torch_uniform, torch_normal},
    [POSENC__GENERATOR_NUMPY_LEGACY] = {posenc__numpy_legacy_uniform, posenc__numpy_legacy_normal},
    [POSENC__GENERATOR_NUMPY] = {posenc__numpy_uniform, posenc__numpy_normal},
    [POSENC__GENERATOR_JAX] = {posenc__jax_uniform, posenc__jax_normal},
    [POSENC__GENERATOR_JAX_ORIGINAL] = {posenc__jax_original_uniform, posenc__jax_original_normal},
};

static enum posenc__generator generator_of(const struct posenc_arguments *arguments)
{
    return (enum posenc__generator)posenc__choice(arguments, "generator");
}

static bool is_jax(enum posenc__generator generator)
{
    return generator == POSENC__GENERATOR_JAX || generator == POSENC__GENERATOR_JAX_ORIGINAL;
}

static bool is_numpy(enum posenc__generator generator)
{
    return generator == POSENC__GENERATOR_NUMPY || generator == POSENC__GENERATOR_NUMPY_LEGACY;
}

static enum posenc_status init_drop(struct posenc_arguments *arguments, const char *name,
                                    struct posenc_problem *problem)
{
    if (posenc__given(arguments, name))
        return posenc__refuse(problem, POSENC_CONFLICT, name,
                              "'%s' does not shape a table of init '%s'; leave it out.", name,
                              posenc__argument(arguments, "init")->value.as.text);
    posenc__drop(arguments, name);
    return POSENC_OK;
}

static enum posenc_status settle_spread(struct posenc_arguments *arguments,
                                        const struct init_rule *rule,
                                        struct posenc_problem *problem)
{
    if (rule->has_spread)
        return POSENC_OK;
    const enum posenc_status status = init_drop(arguments, "mean", problem);

    return status == POSENC_OK ? init_drop(arguments, "std", problem) : status;
}

static enum posenc_status settle_bounds(struct posenc_arguments *arguments,
                                        const struct init_rule *rule,
                                        struct posenc_problem *problem)
{
    if (!rule->has_bounds) {
        const enum posenc_status status = init_drop(arguments, "low", problem);

        return status == POSENC_OK ? init_drop(arguments, "high", problem) : status;
    }
    if (!posenc__present(arguments, "low"))
        posenc__resolve(arguments, "low", posenc_number(rule->low));
    if (!posenc__present(arguments, "high"))
        posenc__resolve(arguments, "high", posenc_number(rule->high));
    const double low = posenc__real(arguments, "low"), high = posenc__real(arguments, "high");

    if (low > high)
        return posenc__refuse(problem, POSENC_CONFLICT, "low",
                              "'low' is %.17g, above 'high', which is %.17g.", low, high);
    if (!isfinite(high - low))
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "high",
                              "'high' - 'low' must be a finite number.");
    return POSENC_OK;
}

/* A table of zeros has no stream. Naming one does no harm, but is no secret either. */
static void drop_stream(struct posenc_arguments *arguments, struct posenc_memory *memory)
{
    static const char *const names[] = {"seed", "generator", "skip", "draw_dtype"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (posenc__given(arguments, names[i]))
            posenc__warn(arguments, memory, names[i], "'%s' was left out: zeros are not drawn.",
                         names[i]);
        posenc__drop(arguments, names[i]);
    }
}

static enum posenc_status settle_dtype(struct posenc_arguments *arguments,
                                       enum posenc__generator generator,
                                       struct posenc_problem *problem)
{
    if (!posenc__present(arguments, "draw_dtype"))
        posenc__resolve(arguments, "draw_dtype",
                        posenc_text(is_numpy(generator) ? "float64" : "float32"));
    if (generator == POSENC__GENERATOR_NUMPY_LEGACY && posenc__choice(arguments, "draw_dtype") == 0)
        return posenc__refuse(problem, POSENC_CONFLICT, "draw_dtype",
                              "numpy.random.seed's generator draws float64 only.");
    return POSENC_OK;
}

static enum posenc_status settle_stream(struct posenc_arguments *arguments,
                                        struct posenc_problem *problem)
{
    const enum posenc__generator generator = generator_of(arguments);
    const double seed = posenc__real(arguments, "seed");

    if (seed < 0 && generator != POSENC__GENERATOR_TORCH)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "seed",
                              "'seed' is negative, which only torch takes; it is %.17g.", seed);
    if (seed > UINT32_MAX && generator == POSENC__GENERATOR_NUMPY_LEGACY)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "seed",
                              "'seed' must be below 2^32 for numpy.random.seed; it is %.17g.",
                              seed);
    if (posenc__real(arguments, "skip") > 0 && is_jax(generator))
        return posenc__refuse(problem, POSENC_CONFLICT, "skip",
                              "'skip' must be 0 for JAX, whose keys have no draws before them.");
    if (posenc__choice(arguments, "init") == POSENC__INIT_TRUNC_NORMAL_TORCH &&
        generator != POSENC__GENERATOR_TORCH)
        return posenc__refuse(problem, POSENC_CONFLICT, "generator",
                              "'trunc_normal_torch' is torch's rule and needs generator 'torch'; "
                              "'truncated_normal' is everybody's.");
    return settle_dtype(arguments, generator, problem);
}

enum posenc_status posenc__learned_settle_init(struct posenc_arguments *arguments,
                                               struct posenc_memory *memory,
                                               struct posenc_problem *problem)
{
    const struct init_rule *rule = &init_rules[posenc__choice(arguments, "init")];
    enum posenc_status status = settle_spread(arguments, rule, problem);

    if (status == POSENC_OK)
        status = settle_bounds(arguments, rule, problem);
    if (status != POSENC_OK)
        return status;
    if (rule->is_drawn)
        return settle_stream(arguments, problem);
    drop_stream(arguments, memory);
    return POSENC_OK;
}

/* torch documents that a negative seed s counts as 2^64 - 1 + s. */
static struct posenc__stream read_stream(const struct posenc_arguments *arguments)
{
    const int64_t seed = (int64_t)posenc__real(arguments, "seed");

    return (struct posenc__stream){
        .seed = seed < 0 ? (uint64_t)seed - 1 : (uint64_t)seed,
        .skip = posenc__size(arguments, "skip"),
        .draw = posenc__choice(arguments, "draw_dtype") == 0 ? POSENC_FLOAT32 : POSENC_FLOAT64};
}

static double init_fit(enum posenc_dtype draw, double x)
{
    return draw == POSENC_FLOAT32 ? (double)(float)x : x;
}

/* How uniform numbers become normal ones: scaled, shifted, and kept within bounds. */
struct truncation {
    double (*erf_inverse)(double);
    double scale, mean; /* of the normal number */
    double low, high;   /* of the scaled and shifted one */
};

static void init_truncate(enum posenc_dtype draw, const struct truncation *truncation, size_t count,
                          double *table)
{
    const double scale = init_fit(draw, truncation->scale), mean = init_fit(draw, truncation->mean);
    const double low = init_fit(draw, truncation->low), high = init_fit(draw, truncation->high);

    for (size_t i = 0; i < count; i++) {
        const double inverse = init_fit(draw, truncation->erf_inverse(table[i]));
        const double x = init_fit(draw, init_fit(draw, inverse * scale) + mean);

        table[i] = x < low ? low : x > high ? high : x;
    }
}

/* Bounds are absolute; what comes out of them, infinities among it, is clamped to them. */
static void draw_trunc_normal_torch(const struct posenc_arguments *arguments,
                                    const struct posenc__stream *stream, size_t count,
                                    double *table)
{
    const double mean = posenc__real(arguments, "mean"), std = posenc__real(arguments, "std");
    const double low = posenc__real(arguments, "low"), high = posenc__real(arguments, "high");
    const struct truncation truncation = {posenc__erf_inverse, std * ROOT_TWO, mean, low, high};

    torch_uniform(stream, posenc__erf((low - mean) / std / ROOT_TWO),
                  posenc__erf((high - mean) / std / ROOT_TWO), count, table);
    init_truncate(stream->draw, &truncation, count, table);
}

/* Bounds are in standard deviations. JAX keeps off the bounds themselves. */
static void draw_truncated_normal(const struct posenc_arguments *arguments,
                                  const struct posenc__stream *stream, size_t count, double *table)
{
    const enum posenc__generator generator = generator_of(arguments);
    const enum posenc_dtype draw = stream->draw;
    const double mean = init_fit(draw, posenc__real(arguments, "mean"));
    const double std = init_fit(draw, posenc__real(arguments, "std"));
    const bool is_xla = is_jax(generator) && draw == POSENC_FLOAT32;
    struct truncation unit = {.erf_inverse =
                                  is_xla ? posenc__jax_erf_inverse32 : posenc__erf_inverse,
                              .scale = ROOT_TWO,
                              .low = init_fit(draw, posenc__real(arguments, "low")),
                              .high = init_fit(draw, posenc__real(arguments, "high"))};

    generators[generator].uniform(stream, posenc__erf(unit.low / ROOT_TWO),
                                  posenc__erf(unit.high / ROOT_TWO), count, table);
    if (is_jax(generator) && unit.low < unit.high) {
        unit.low = draw == POSENC_FLOAT32 ? (double)nextafterf((float)unit.low, INFINITY)
                                          : nextafter(unit.low, INFINITY);
        unit.high = draw == POSENC_FLOAT32 ? (double)nextafterf((float)unit.high, -INFINITY)
                                           : nextafter(unit.high, -INFINITY);
    }
    init_truncate(draw, &unit, count, table);
    for (size_t i = 0; i < count; i++)
        table[i] = init_fit(draw, init_fit(draw, table[i] * std) + mean);
}

/* torch and JAX round on different ways to the bound; Keras takes the root of 6 / (rows + dim). */
static double glorot_bound(enum posenc__generator generator, enum posenc_dtype draw, double fans)
{
    if (generator == POSENC__GENERATOR_TORCH)
        return sqrt(3.0) * sqrt(2.0 / fans);
    if (is_jax(generator))
        return init_fit(draw, sqrt(init_fit(draw, 3.0 * init_fit(draw, 1.0 / (fans / 2.0)))));
    return sqrt(6.0 / fans);
}

static void draw_glorot(const struct posenc_arguments *arguments,
                        const struct posenc__stream *stream, size_t count, double *table)
{
    const enum posenc__generator generator = generator_of(arguments);
    const double fans = posenc__real(arguments, "rows") + posenc__real(arguments, "dim");
    const double bound = glorot_bound(generator, stream->draw, fans);

    if (!is_jax(generator)) {
        generators[generator].uniform(stream, -bound, bound, count, table);
        return;
    }
    generators[generator].uniform(stream, -1.0, 1.0, count, table);
    for (size_t i = 0; i < count; i++)
        table[i] = init_fit(stream->draw, table[i] * bound);
}

/* Bounds that float32 draws cannot hold would give infinities. */
static enum posenc_status check_drawn(const double *table, size_t count,
                                      struct posenc_problem *problem)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(table[i]))
            return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "init",
                                  "This table has values beyond the range of 'draw_dtype'; choose "
                                  "a smaller mean, std or bound.");
    return POSENC_OK;
}

enum posenc_status posenc__learned_draw(const struct posenc_arguments *arguments, double *table,
                                        struct posenc_problem *problem)
{
    const struct posenc__stream stream = read_stream(arguments);
    const enum posenc__generator generator = generator_of(arguments);
    const size_t count = posenc__size(arguments, "rows") * posenc__size(arguments, "dim");

    switch ((enum posenc__init)posenc__choice(arguments, "init")) {
    case POSENC__INIT_NORMAL:
        generators[generator].normal(&stream, posenc__real(arguments, "mean"),
                                     posenc__real(arguments, "std"), count, table);
        break;
    case POSENC__INIT_UNIFORM:
        generators[generator].uniform(&stream, posenc__real(arguments, "low"),
                                      posenc__real(arguments, "high"), count, table);
        break;
    case POSENC__INIT_TRUNCATED_NORMAL:
        draw_truncated_normal(arguments, &stream, count, table);
        break;
    case POSENC__INIT_TRUNC_NORMAL_TORCH:
        draw_trunc_normal_torch(arguments, &stream, count, table);
        break;
    case POSENC__INIT_GLOROT_UNIFORM:
        draw_glorot(arguments, &stream, count, table);
        break;
    case POSENC__INIT_ZEROS:
        break;
    }
    return check_drawn(table, count, problem);
}
