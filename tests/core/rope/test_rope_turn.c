/* Turned pairs at every level: the bits of a scalar reference, which rounds by other means. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "rope_turn.h"

#define PAIRS_MAX 150 /* more than two chunks of any kernel, and a rest */
#define GUARD     8   /* elements on either side that must stay as they are */
#define ROUNDS    40  /* random runs of each kind */

static uint64_t next_random(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static size_t random_below(uint64_t *seed, size_t bound)
{
    return (size_t)(next_random(seed) % bound);
}

/* Nearest, ties to even, in `digits` binary digits, with steps of 2^least at the smallest. */
static double reference_round(double x, int digits, int least, double largest)
{
    int exponent;

    if (x == 0 || !isfinite(x))
        return x;
    (void)frexp(x, &exponent);
    exponent = exponent - digits > least ? exponent - digits : least;
    x = ldexp(nearbyint(ldexp(x, -exponent)), exponent);
    return fabs(x) > largest ? copysign((double)INFINITY, x) : x;
}

static double reference_to(enum posenc_dtype dtype, double x)
{
    switch (dtype) {
    case POSENC_FLOAT32:
        return reference_round(x, 24, -149, 0x1.fffffep127);
    case POSENC_FLOAT16:
        return reference_round(x, 11, -24, 65504);
    case POSENC_BFLOAT16:
        return reference_round(x, 8, -133, 0x1.fep127);
    default:
        return x;
    }
}

static double reference_value(enum posenc_dtype dtype, const void *elements, size_t index)
{
    double value;

    posenc_widen(dtype, (const char *)elements + index * posenc_dtype_size(dtype), 1, &value);
    return value;
}

static double to_float32(double x, bool rounds)
{
    return rounds ? reference_to(POSENC_FLOAT32, x) : x;
}

struct expected {
    double real, imaginary;
};

static struct expected reference_pair(const struct posenc__turn *turn, double a, double b, double c,
                                      double s)
{
    const bool rounds = turn->rounds_steps;
    const double x = to_float32(a, rounds), y = to_float32(b, rounds);
    const double real = to_float32(x * c, rounds) - to_float32(y * s, rounds);
    const double imaginary = to_float32(y * c, rounds) + to_float32(x * s, rounds);

    return (struct expected){reference_to(turn->to, to_float32(real, rounds)),
                             reference_to(turn->to, to_float32(imaginary, rounds))};
}

/* Numbers of every size, more often of common ones, with zeros, infinities and NaN among them. */
static double random_number(uint64_t *seed, int exponents)
{
    const double fraction = ldexp((double)next_random(seed), -64) + 0.5;
    const double sign = random_below(seed, 2) ? 1 : -1;

    switch (random_below(seed, 40)) {
    case 0:
        return sign * 0.0;
    case 1:
        return sign * (double)INFINITY;
    case 2:
        return (double)NAN;
    case 3:
    case 4:
    case 5:
        return sign * ldexp(fraction, (int)random_below(seed, 2 * (size_t)exponents) - exponents);
    default:
        return sign * ldexp(fraction, (int)random_below(seed, 8) - 5);
    }
}

/* A case: the kernel's arguments over buffers with guards. */
struct trial {
    struct posenc__turn turn;
    bool is_adjacent_in, is_adjacent_out, is_in_place;
    size_t count;
    double numbers[2 * PAIRS_MAX], cosines[PAIRS_MAX], sines[PAIRS_MAX];
    _Alignas(8) char in[16 * (PAIRS_MAX + GUARD)], out[16 * (PAIRS_MAX + GUARD)];
};

static void fill_trial(struct trial *trial, uint64_t *seed)
{
    const int exponents = trial->turn.from == POSENC_FLOAT16 ? 24 : 140;

    for (size_t i = 0; i < 2 * trial->count; i++)
        trial->numbers[i] = random_number(seed, exponents);
    for (size_t i = 0; i < trial->count; i++) {
        const double angle = ldexp((double)next_random(seed), -58);
        const bool is_any = random_below(seed, 10) == 0;

        trial->cosines[i] = is_any ? random_number(seed, 60) : cos(angle);
        trial->sines[i] = is_any ? random_number(seed, 60) : sin(angle);
    }
    posenc_round(trial->turn.from, trial->numbers, 2 * trial->count,
                 trial->in + GUARD * posenc_dtype_size(trial->turn.from));
}

/* Where the first or the second channel of a pair stands among the elements. */
static size_t place_of(bool is_adjacent, size_t count, size_t pair, bool imaginary)
{
    return is_adjacent ? 2 * pair + imaginary : pair + (imaginary ? count : 0);
}

static void expect_element(const struct trial *trial, const char *out, size_t pair, bool imaginary,
                           double expected, enum posenc__level level)
{
    const size_t place = place_of(trial->is_adjacent_out, trial->count, pair, imaginary);
    const double got = reference_value(trial->turn.to, out, place);

    cr_assert((isnan(got) && isnan(expected)) ||
                  (got == expected && signbit(got) == signbit(expected)),
              "level %d, %s to %s, steps %d, %d%d%d, pair %zu of %zu, part %d: %a instead of %a",
              level, posenc_dtype_name(trial->turn.from), posenc_dtype_name(trial->turn.to),
              trial->turn.rounds_steps, trial->is_adjacent_in, trial->is_adjacent_out,
              trial->is_in_place, pair, trial->count, imaginary, got, expected);
}

static void expect_trial(const struct trial *trial, const char *out, enum posenc__level level)
{
    const char *const in = trial->in + GUARD * posenc_dtype_size(trial->turn.from);

    for (size_t i = 0; i < trial->count; i++) {
        const double a = reference_value(trial->turn.from, in,
                                         place_of(trial->is_adjacent_in, trial->count, i, false));
        const double b = reference_value(trial->turn.from, in,
                                         place_of(trial->is_adjacent_in, trial->count, i, true));
        const struct expected expected =
            reference_pair(&trial->turn, a, b, trial->cosines[i], trial->sines[i]);

        expect_element(trial, out, i, false, expected.real, level);
        expect_element(trial, out, i, true, expected.imaginary, level);
    }
}

static void run_trial(struct trial *trial, enum posenc__level level)
{
    const size_t size_in = posenc_dtype_size(trial->turn.from);
    const size_t size_out = posenc_dtype_size(trial->turn.to), guard = GUARD * size_out;
    const size_t bytes = 2 * trial->count * size_out;
    char *const out = trial->out + guard, *in = trial->in + GUARD * size_in;

    memset(trial->out, 0x5a, sizeof(trial->out));
    if (trial->is_in_place)
        in = memcpy(out, in, bytes);
    posenc__turn_pairs_at(
        level, &trial->turn,
        &(struct posenc__pairs){
            .real = in,
            .imaginary = trial->is_adjacent_in ? NULL : in + trial->count * size_in,
            .real_out = out,
            .imaginary_out = trial->is_adjacent_out ? NULL : out + trial->count * size_out,
            .cosines = trial->cosines,
            .sines = trial->sines,
            .count = trial->count});
    expect_trial(trial, out, level);
    for (size_t i = 0; i < guard; i++) {
        cr_assert_eq(trial->out[i], 0x5a, "written before the start");
        cr_assert_eq(out[bytes + i], 0x5a, "written behind the end");
    }
}

static void try_dtypes(enum posenc_dtype from, enum posenc_dtype to, uint64_t seed)
{
    static struct trial trial;

    for (unsigned kind = 0; kind < 16 * ROUNDS; kind++) {
        trial.turn = (struct posenc__turn){from, to, kind & 1};
        trial.is_adjacent_in = kind >> 1 & 1;
        trial.is_adjacent_out = kind >> 2 & 1;
        trial.is_in_place = kind >> 3 & 1;
        if (trial.is_in_place && (from != to || trial.is_adjacent_in != trial.is_adjacent_out))
            continue;
        trial.count = random_below(&seed, PAIRS_MAX + 1);
        fill_trial(&trial, &seed);
        for (enum posenc__level level = 0; level < POSENC__LEVEL_COUNT; level++)
            if (posenc__level_runs(level))
                run_trial(&trial, level);
    }
}

Test(rope_turn, every_level_gives_the_bits_of_the_reference)
{
    for (enum posenc_dtype dtype = 0; dtype <= POSENC_BFLOAT16; dtype++)
        try_dtypes(dtype, dtype, 1 + (uint64_t)dtype);
}

Test(rope_turn, dtypes_may_change_on_the_way)
{
    for (enum posenc_dtype from = 0; from <= POSENC_BFLOAT16; from++)
        for (enum posenc_dtype to = 0; to <= POSENC_BFLOAT16; to++)
            if (from != to)
                try_dtypes(from, to, 100 + 10 * (uint64_t)from + (uint64_t)to);
}

/* x / 2 + y / 2^30 lies just above or below the middle of two short numbers: rounding by way of a
 * float must not take it for the middle. */
Test(rope_turn, what_lies_beside_a_tie_is_not_taken_for_one)
{
    static const struct {
        enum posenc_dtype dtype;
        double tie, below, above;
    } rows[] = {{POSENC_FLOAT16, 1 + 0x1p-11, 1, 1 + 0x1p-10},
                {POSENC_BFLOAT16, 1 + 0x1p-8, 1, 1 + 0x1p-7},
                {POSENC_BFLOAT16, 0x1p-132 + 0x1p-134, 0x1p-132, 0x1p-132 + 0x1p-133},
                {POSENC_FLOAT16, 0x1p-23 + 0x1p-25, 0x1p-23, 0x1p-23 + 0x1p-24}};

    for (size_t row = 0; row < sizeof(rows) / sizeof(*rows); row++)
        for (enum posenc__level level = 0; level < POSENC__LEVEL_COUNT; level++) {
            const struct posenc__turn turn = {rows[row].dtype, rows[row].dtype, false};
            const double one[2] = {1, 0};
            const double cosines[2] = {rows[row].tie * (1 - 0x1p-50),
                                       rows[row].tie * (1 + 0x1p-50)};
            const double sines[2] = {0, 0};
            double got;

            for (size_t i = 0; i < 2 && posenc__level_runs(level); i++) {
                uint16_t pair[2];

                posenc_round(turn.from, one, 2, pair);
                posenc__turn_pairs_at(level, &turn,
                                      &(struct posenc__pairs){.real = pair,
                                                              .real_out = pair,
                                                              .cosines = cosines + i,
                                                              .sines = sines + i,
                                                              .count = 1});
                posenc_widen(turn.to, pair, 1, &got);
                cr_expect_eq(got, i ? rows[row].above : rows[row].below, "row %zu, level %d: %a",
                             row, level, got);
            }
        }
}
