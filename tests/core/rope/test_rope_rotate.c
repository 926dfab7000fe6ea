/* Rotated tensors, filled in any runs, at every level: the elements of a scalar reference. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rope_rotate.h"
#include "support.h"

#define TRIALS 60
#define RUNS   12 /* of each tensor and level */

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

static double random_number(uint64_t *seed)
{
    return ldexp((double)next_random(seed), -62) - 2;
}

/* A tensor [batch, heads, length, dim] and the tables [length, pairs] that rotate it. */
struct trial {
    enum posenc_dtype dtype, out_dtype;
    const char *layout;
    size_t shape[4], axis, length; /* the sequence axis and how long it is */
    size_t pairs, offset, count;
    double *values, *cosines, *sines; /* values as the dtype holds them */
    void *elements;
};

static void *make_room(size_t count, size_t size)
{
    void *room = malloc(count * size);

    cr_assert_not_null(room);
    return room;
}

static void draw_trial(struct trial *trial, uint64_t *seed)
{
    static const char *const layouts[] = {"half", "interleaved", "deinterleaved"};

    trial->dtype = (enum posenc_dtype)random_below(seed, 4);
    trial->out_dtype =
        random_below(seed, 4) ? trial->dtype : (enum posenc_dtype)random_below(seed, 4);
    trial->layout = layouts[random_below(seed, 3)];
    trial->axis = 1 + random_below(seed, 2);
    trial->count = 1;
    for (size_t i = 0; i < 4; i++)
        trial->shape[i] = i < 3 ? 1 + random_below(seed, 4) : 2 + random_below(seed, 200);
    trial->length = trial->shape[trial->axis];
    trial->pairs = 1 + random_below(seed, trial->shape[3] / 2);
    if (random_below(seed, 3) == 0)
        trial->pairs = trial->shape[3] / 2;
    trial->offset = random_below(seed, trial->shape[3] - 2 * trial->pairs + 1);
    for (size_t i = 0; i < 4; i++)
        trial->count *= trial->shape[i];
    trial->values = make_room(trial->count, sizeof(double));
    trial->elements = make_room(trial->count, sizeof(double));
    trial->cosines = make_room(trial->length * trial->pairs, sizeof(double));
    trial->sines = make_room(trial->length * trial->pairs, sizeof(double));
    for (size_t i = 0; i < trial->count; i++)
        trial->values[i] = random_number(seed);
    posenc_round(trial->dtype, trial->values, trial->count, trial->elements);
    posenc_widen(trial->dtype, trial->elements, trial->count, trial->values);
    for (size_t i = 0; i < trial->length * trial->pairs; i++) {
        trial->cosines[i] = random_number(seed);
        trial->sines[i] = random_number(seed);
    }
}

static void release_trial(struct trial *trial)
{
    free(trial->values);
    free(trial->elements);
    free(trial->cosines);
    free(trial->sines);
}

/* The rotated element before it is rounded to what comes out. */
static double reference(const struct trial *trial, size_t element)
{
    const size_t dim = trial->shape[3], pairs = trial->pairs;
    const size_t column = element % dim, vector = element / dim;
    const size_t row = (trial->axis == 2 ? vector : vector / trial->shape[2]) % trial->length;
    const bool in_halves = strcmp(trial->layout, "half") == 0;
    const bool out_halves = strcmp(trial->layout, "interleaved") != 0;
    const size_t start = element - column + trial->offset;

    if (column < trial->offset || column >= trial->offset + 2 * pairs)
        return trial->values[element];
    const size_t channel = column - trial->offset;
    const size_t pair = out_halves ? channel % pairs : channel / 2;
    const bool imaginary = out_halves ? channel >= pairs : channel % 2;
    const double a = trial->values[start + (in_halves ? pair : 2 * pair)];
    const double b = trial->values[start + (in_halves ? pair + pairs : 2 * pair + 1)];
    const double c = trial->cosines[row * pairs + pair], s = trial->sines[row * pairs + pair];

    return imaginary ? b * c + a * s : a * c - b * s;
}

/* Binds and plans the trial; the result is in `asked`. */
static const struct posenc_tensor *plan_trial(const struct trial *trial, struct asked *asked)
{
    const struct posenc_array x = {
        .dtype = trial->dtype,
        .rank = 4,
        .shape = {trial->shape[0], trial->shape[1], trial->shape[2], trial->shape[3]},
        .data = trial->elements};
    const size_t table[2] = {trial->length, trial->pairs};
    const struct posenc_member members[] = {
        {"x", posenc_nested(&x)},
        {"cos", support_array(trial->cosines, 2, table)},
        {"sin", support_array(trial->sines, 2, table)},
        {"layout", posenc_text(trial->layout)},
        {"dtype", posenc_text(posenc_dtype_name(trial->out_dtype))},
        {"rotary_dim", posenc_number((double)(2 * trial->pairs))},
        {"rotary_offset", posenc_number((double)trial->offset)},
        {"sequence_axis", posenc_number((double)trial->axis - 4)}};

    cr_assert_eq(ask_with(asked, "rope/apply", NULL, members, sizeof(members) / sizeof(*members)),
                 POSENC_OK, "%s", asked->problem.detail);
    return &asked->result.tensors[0];
}

static struct posenc__rotation make_rotation(const struct trial *trial,
                                             const struct posenc_array *x, double *table)
{
    const size_t pairs = trial->pairs;
    const bool is_by_row = trial->axis == 2;

    for (size_t row = 0; row < trial->length; row++) {
        memcpy(table + 2 * row * pairs, trial->cosines + row * pairs, pairs * sizeof(*table));
        memcpy(table + (2 * row + 1) * pairs, trial->sines + row * pairs, pairs * sizeof(*table));
    }
    return (struct posenc__rotation){
        .array = x,
        .axes = {.outer = trial->shape[0] * (is_by_row ? trial->shape[1] : 1),
                 .length = trial->length,
                 .inner = is_by_row ? 1 : trial->shape[2],
                 .width = trial->shape[3]},
        .offset = trial->offset,
        .pairs = pairs,
        .block_pairs = pairs,
        .layout = strcmp(trial->layout, "half") == 0          ? POSENC__HALF
                  : strcmp(trial->layout, "interleaved") == 0 ? POSENC__INTERLEAVED
                                                              : POSENC__DEINTERLEAVED,
        .batches = 1,
        .table = table};
}

static void expect_run(const struct trial *trial, const struct posenc__rotation *rotation,
                       enum posenc__level level, size_t first, size_t count)
{
    const size_t size = posenc_dtype_size(trial->out_dtype);
    unsigned char *const out = make_room(count + 2, size), *const run = out + size;

    memset(out, 0xa5, (count + 2) * size);
    posenc__rotate_at(level, rotation, trial->out_dtype, first, count, run);
    for (size_t i = 0; i < count; i++) {
        const double value = reference(trial, first + i);
        unsigned char expected[sizeof(double)];

        posenc_round(trial->out_dtype, &value, 1, expected);
        cr_assert_arr_eq(run + i * size, expected, size,
                         "level %d, %s, %s to %s, run of %zu from %zu, element %zu", level,
                         trial->layout, posenc_dtype_name(trial->dtype),
                         posenc_dtype_name(trial->out_dtype), count, first, i);
    }
    for (size_t i = 0; i < size; i++)
        cr_assert(out[i] == 0xa5 && run[count * size + i] == 0xa5, "written outside of the run");
    free(out);
}

Test(rope_rotate, every_level_fills_any_run_with_the_bits_of_the_reference)
{
    uint64_t seed = 5;

    for (size_t i = 0; i < TRIALS; i++) {
        struct trial trial;

        draw_trial(&trial, &seed);
        const struct posenc_array x = {.dtype = trial.dtype, .data = trial.elements};
        double *const table = make_room(2 * trial.length * trial.pairs, sizeof(*table));
        const struct posenc__rotation rotation = make_rotation(&trial, &x, table);

        for (enum posenc__level level = 0; level < POSENC__LEVEL_COUNT; level++) {
            for (size_t run = 0; run < RUNS && posenc__level_runs(level); run++) {
                const size_t first = run ? random_below(&seed, trial.count) : 0;
                const size_t count =
                    run ? random_below(&seed, trial.count - first + 1) : trial.count;

                expect_run(&trial, &rotation, level, first, count);
            }
        }
        free(table);
        release_trial(&trial);
    }
}

/* The header's promise, kept for whole vectors in any order. */
Test(rope_rotate, whole_vectors_may_be_written_over_their_input)
{
    uint64_t seed = 6;

    for (size_t i = 0; i < TRIALS; i++) {
        struct trial trial;
        struct asked asked;

        draw_trial(&trial, &seed);
        trial.out_dtype = trial.dtype;
        trial.layout = i % 2 ? "half" : "interleaved";
        const struct posenc_tensor *tensor = plan_trial(&trial, &asked);
        const size_t size = posenc_dtype_size(trial.dtype), dim = trial.shape[3];
        const size_t vectors = trial.count / dim, cut = random_below(&seed, vectors + 1);
        unsigned char *const apart = make_room(trial.count, size);

        posenc_fill(tensor, 0, trial.count, apart);
        posenc_fill(tensor, cut * dim, trial.count - cut * dim,
                    (char *)trial.elements + cut * dim * size);
        posenc_fill(tensor, 0, cut * dim, trial.elements);
        cr_assert_arr_eq(trial.elements, apart, trial.count * size, "%s %s", trial.layout,
                         posenc_dtype_name(trial.dtype));
        free(apart);
        posenc_memory_release(&asked.memory);
        release_trial(&trial);
    }
}

/* Rows of a long sequence are made where they are needed; a table of them gives the same bits. */
static void expect_made_rows(const char *layout, size_t heads, size_t length, double axis,
                             uint64_t *seed)
{
    enum { DIM = 66 };
    const size_t count = heads * length * DIM;
    float *const numbers = make_room(count, sizeof(*numbers)), *const made = make_room(count, 4),
                 *const kept = make_room(count, 4);
    const bool is_by_row = axis == -2;
    const struct posenc_array x = {
        .dtype = POSENC_FLOAT32,
        .rank = 3,
        .shape = {is_by_row ? heads : length, is_by_row ? length : heads, DIM},
        .data = numbers};
    const struct posenc_member members[] = {{"x", posenc_nested(&x)},
                                            {"layout", posenc_text(layout)},
                                            {"offset", posenc_number(1000)},
                                            {"direction", posenc_number(-1)},
                                            {"sequence_axis", posenc_number(axis)}};
    const struct posenc_member wanted[] = {{"length", posenc_number((double)length)},
                                           {"dim", posenc_number(DIM)},
                                           {"offset", posenc_number(1000)},
                                           {"direction", posenc_number(-1)},
                                           {"dtype", posenc_text("float64")}};
    const size_t shape[2] = {length, DIM / 2};
    struct asked asked, tables, given;

    for (size_t i = 0; i < count; i++)
        numbers[i] = (float)random_number(seed);
    cr_assert_eq(ask_with(&asked, "rope/apply", NULL, members, 5), POSENC_OK);
    cr_assert_eq(ask_with(&tables, "rope/table", NULL, wanted, 5), POSENC_OK);
    const struct posenc_member by_table[] = {
        members[0],
        members[1],
        members[4],
        {"cos", support_array(asked_values(&tables, "cos"), 2, shape)},
        {"sin", support_array(asked_values(&tables, "sin"), 2, shape)}};

    cr_assert_eq(ask_with(&given, "rope/apply", NULL, by_table, 5), POSENC_OK, "%s",
                 given.problem.detail);
    posenc_fill(&given.result.tensors[0], 0, count, kept);
    posenc_fill(&asked.result.tensors[0], 0, count, made);
    cr_assert_arr_eq(made, kept, count * sizeof(*made), "%s, %zu heads", layout, heads);
    for (size_t done = 0, part; done < count; done += part) {
        part = 1 + random_below(seed, count / 3);
        part = part < count - done ? part : count - done;
        posenc_fill(&asked.result.tensors[0], done, part, made + done);
    }
    cr_assert_arr_eq(made, kept, count * sizeof(*made), "%s, %zu heads, in runs", layout, heads);
    cr_expect_lt(asked.memory.used, (size_t)1 << 18, "a table was kept");
    posenc_memory_release(&asked.memory);
    posenc_memory_release(&tables.memory);
    posenc_memory_release(&given.memory);
    free(numbers);
    free(made);
    free(kept);
}

Test(rope_rotate, rows_that_are_not_kept_have_the_bits_of_those_that_are)
{
    uint64_t seed = 7;

    expect_made_rows("half", 1, 700, -2, &seed);
    expect_made_rows("interleaved", 3, 4100, -2, &seed);
    expect_made_rows("half", 3, 4100, -2, &seed);
    expect_made_rows("deinterleaved", 2, 4100, -3, &seed);
}
