/*
 * What must hold of relative encodings whatever their parameters: entries that depend on distances,
 * last rows that decoding repeats, rules that are monotone and odd. A failure names the draw.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "asking.h"
#include "exact.h"

#define DRAWS 200

#define MEMBERS_MAX 12
#define LENGTH_MAX  40

/* A request that grows. */
struct trial {
    uint64_t seed;
    const char *encoding, *tensor;
    size_t count;
    struct posenc_member members[MEMBERS_MAX];
    double numbers[2][4]; /* of lists in the members */
};

static void add(struct trial *trial, const char *name, struct posenc_value value)
{
    cr_assert_lt(trial->count, MEMBERS_MAX);
    trial->members[trial->count++] = (struct posenc_member){name, value};
}

static size_t below(struct trial *trial, size_t limit)
{
    return exact_bits(&trial->seed) % limit;
}

static double between(struct trial *trial, double low, double high)
{
    return exact_between(&trial->seed, low, high);
}

static void begin(struct trial *trial, const char *encoding, const char *tensor)
{
    trial->encoding = encoding;
    trial->tensor = tensor;
    add(trial, "dtype", posenc_text("float64"));
}

static void begin_alibi(struct trial *trial)
{
    static const char *const forms[] = {"signed", "symmetric", "clamped"};

    begin(trial, "alibi", "bias");
    add(trial, "heads", posenc_number((double)(1 + below(trial, 20))));
    add(trial, "form", posenc_text(forms[below(trial, 3)]));
    add(trial, "mask", posenc_text(below(trial, 2) ? "none" : "causal"));
    add(trial, "bias_max", posenc_number(between(trial, 1, 16)));
}

static void begin_t5(struct trial *trial)
{
    const size_t quarters = 1 + below(trial, 20);

    begin(trial, "t5", "bucket");
    add(trial, "bidirectional", posenc_boolean(below(trial, 2) == 1));
    add(trial, "num_buckets", posenc_number((double)(4 * quarters)));
    add(trial, "max_distance", posenc_number((double)(2 * quarters + 1 + below(trial, 300))));
}

static void begin_deberta(struct trial *trial)
{
    const size_t half = 2 + below(trial, 40);

    begin(trial, "deberta", "index");
    add(trial, "position_buckets", posenc_number((double)(2 * half)));
    add(trial, "max_relative_positions", posenc_number((double)(half + 2 + below(trial, 300))));
}

static void begin_shaw(struct trial *trial)
{
    begin(trial, "shaw", "index");
    add(trial, "max_relative_position", posenc_number((double)below(trial, 20)));
}

static void begin_kerple(struct trial *trial)
{
    const bool is_log = below(trial, 2);

    for (size_t i = 0; i < 4; i++) {
        trial->numbers[0][i] = between(trial, 0.01, 2);
        trial->numbers[1][i] = between(trial, 0.01, 3);
    }
    begin(trial, "kerple", "bias");
    add(trial, "kind", posenc_text(is_log ? "log" : "power"));
    add(trial, "p", posenc_numbers(trial->numbers[0], 4));
    add(trial, "a", posenc_numbers(trial->numbers[1], 4));
    add(trial, "mask", posenc_text(below(trial, 2) ? "none" : "causal"));
}

static void begin_sandwich(struct trial *trial)
{
    begin(trial, "sandwich", "bias");
    add(trial, "heads", posenc_number((double)(1 + below(trial, 6))));
    add(trial, "dim", posenc_number((double)(2 + 2 * below(trial, 64))));
    add(trial, "base", posenc_number(pow(10, between(trial, 1, 6))));
    add(trial, "mask", posenc_text(below(trial, 2) ? "none" : "causal"));
}

static void (*const beginnings[])(struct trial *) = {
    begin_alibi, begin_t5, begin_deberta, begin_shaw, begin_kerple, begin_sandwich,
};

#define ENCODINGS (sizeof(beginnings) / sizeof(*beginnings))

/* [..., queries, keys] as doubles, in the answer's memory. DeBERTa counts queries from 0 unless it
 * is told otherwise. */
static double *ask_rows(struct asked *asked, const struct trial *trial, size_t queries, size_t keys,
                        size_t *heads)
{
    struct trial whole = *trial;

    add(&whole, "query_length", posenc_number((double)queries));
    add(&whole, "key_length", posenc_number((double)keys));
    if (strcmp(trial->encoding, "deberta") == 0)
        add(&whole, "query_offset", posenc_number((double)keys - (double)queries));
    ask_members(asked, trial->encoding, "table", whole.members, whole.count);
    cr_assert_eq(asked->status, POSENC_OK, "%s: %s", trial->encoding, asked->problem.detail);
    const struct posenc_tensor *tensor = posenc_find_tensor(&asked->result, trial->tensor);
    unsigned char *bytes = posenc_allocate(&asked->memory, tensor->count, 8);
    double *values = posenc_allocate(&asked->memory, tensor->count, sizeof(*values));

    posenc_fill(tensor, 0, tensor->count, bytes);
    posenc_widen(tensor->dtype, bytes, tensor->count, values);
    *heads = tensor->count / (queries * keys);
    return values;
}

/* Every entry equals its neighbour one query and one key later. */
Test(bias_properties, entries_depend_on_the_distance_alone_to_the_bit)
{
    for (uint64_t draw = 0; draw < DRAWS * ENCODINGS; draw++) {
        struct trial trial = {.seed = draw};
        struct asked asked;
        size_t heads;

        beginnings[draw % ENCODINGS](&trial);
        const size_t queries = 1 + below(&trial, LENGTH_MAX), keys = 1 + below(&trial, LENGTH_MAX);
        const double *rows = ask_rows(&asked, &trial, queries, keys, &heads);

        for (size_t i = 0; i + 1 < heads * queries; i++)
            for (size_t j = 0; j + 1 < keys && (i + 1) % queries != 0; j++)
                cr_assert_eq(rows[i * keys + j], rows[(i + 1) * keys + j + 1],
                             "draw %d, %s: query %zu, key %zu", (int)draw, trial.encoding,
                             i % queries, j);
        posenc_memory_release(&asked.memory);
    }
}

/* A decoder asks for the last queries alone, and must get the rows that training had. */
Test(bias_properties, the_last_queries_alone_have_the_last_rows_to_the_bit)
{
    for (uint64_t draw = 0; draw < DRAWS * ENCODINGS; draw++) {
        struct trial trial = {.seed = draw};
        struct asked full, part;
        size_t heads;

        beginnings[draw % ENCODINGS](&trial);
        const size_t keys = 1 + below(&trial, LENGTH_MAX), queries = 1 + below(&trial, keys);
        const double *all = ask_rows(&full, &trial, keys, keys, &heads);
        const double *last = ask_rows(&part, &trial, queries, keys, &heads);

        for (size_t head = 0; head < heads; head++)
            cr_assert_eq(memcmp(all + (head * keys + keys - queries) * keys,
                                last + head * queries * keys, queries * keys * sizeof(*all)),
                         0, "draw %d, %s", (int)draw, trial.encoding);
        posenc_memory_release(&full.memory);
        posenc_memory_release(&part.memory);
    }
}

/* Weights of attention under a form of ALiBi. */
static void ask_weights(struct asked *asked, const char *form, const double *q, const double *k,
                        size_t heads, size_t queries, size_t keys, size_t dim)
{
    const struct posenc_member parameters[] = {{"form", posenc_text(form)},
                                               {"heads", posenc_number((double)heads)}};
    const struct posenc_array left = {.rank = 3, .shape = {heads, queries, dim}, .data = q};
    const struct posenc_array right = {.rank = 3, .shape = {heads, keys, dim}, .data = k};

    ask(asked, NULL, "attention", {"encoding", posenc_text("alibi")},
        {"parameters", posenc_object(parameters, 2)}, {"q", posenc_nested(&left)},
        {"k", posenc_nested(&right)}, {"causal", posenc_boolean(true)},
        {"dtype", posenc_text("float64")});
    cr_assert_eq(asked->status, POSENC_OK, "%s: %s", form, asked->problem.detail);
}

/* Scores stay below 100, so that an ulp of a score moves a weight by 100 ulp at most. */
#define WEIGHT_ERROR (100 * 0x1p-52)

/* Row constants fall out of a softmax, and what differs on the right of the query is masked. */
Test(bias_properties, all_forms_of_alibi_are_one_after_a_causal_softmax)
{
    static const char *const forms[] = {"key_index", "key_index_right", "symmetric", "clamped"};

    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        struct trial trial = {.seed = draw};
        const size_t heads = 1 + below(&trial, 5), keys = 1 + below(&trial, 12);
        const size_t queries = 1 + below(&trial, keys), dim = 1 + below(&trial, 6);
        double q[5 * 12 * 6], k[5 * 12 * 6];
        struct asked plain, other;

        for (size_t i = 0; i < sizeof(q) / sizeof(*q); i++) {
            q[i] = between(&trial, -2, 2);
            k[i] = between(&trial, -2, 2);
        }
        ask_weights(&plain, "signed", q, k, heads, queries, keys, dim);
        ask_weights(&other, forms[draw % 4], q, k, heads, queries, keys, dim);
        for (size_t i = 0; i < heads * queries; i++) {
            double sum = 0;

            for (size_t j = i * keys; j < (i + 1) * keys; j++) {
                const double weight = asked_value(&plain, "weights", j);

                sum += weight;
                cr_assert_float_eq(asked_value(&other, "weights", j), weight, WEIGHT_ERROR,
                                   "draw %d: %s", (int)draw, forms[draw % 4]);
            }
            cr_assert_float_eq(sum, 1, 0x1p-49, "draw %d", (int)draw);
        }
        posenc_memory_release(&plain.memory);
        posenc_memory_release(&other.memory);
    }
}

#define REACH 500

/* Index or bucket at distances -REACH to REACH, in the encoding's own sign. */
static void ask_distances(struct asked *asked, struct trial *trial, double values[2 * REACH + 1])
{
    double distances[2 * REACH + 1];

    for (int i = 0; i <= 2 * REACH; i++)
        distances[i] = i - REACH;
    add(trial, "relative_positions", posenc_numbers(distances, 2 * REACH + 1));
    ask_members(asked, trial->encoding, "table", trial->members, trial->count);
    for (size_t i = 0; i <= 2 * REACH; i++)
        values[i] = asked_value(asked, trial->tensor, i);
}

Test(bias_properties, t5_buckets_never_fall_with_distance_and_mirror)
{
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        struct trial trial = {.seed = draw};
        double values[2 * REACH + 1];
        const double *at = values + REACH;
        struct asked asked;

        begin_t5(&trial);
        ask_distances(&asked, &trial, values);
        const struct posenc_argument *both =
            posenc_find_argument(&asked.arguments, "bidirectional");
        const double buckets =
            posenc_find_argument(&asked.arguments, "num_buckets")->value.as.number;
        const double side = both->value.as.boolean ? buckets / 2 : buckets;

        cr_assert_eq(at[0], 0);
        for (int n = 1; n <= REACH; n++) {
            cr_assert_geq(at[-n], at[1 - n], "draw %d: distance %d", (int)draw, n);
            cr_assert_leq(at[-n], at[1 - n] + (n < side / 2 ? 1 : side), "draw %d", (int)draw);
            cr_assert_eq(at[n], both->value.as.boolean ? at[-n] + side : 0, "draw %d: distance %d",
                         (int)draw, n);
        }
        cr_assert_eq(at[-REACH], side - 1, "draw %d", (int)draw);
        posenc_memory_release(&asked.memory);
    }
}

/* index - span is an odd function, except that the last row of the table cuts it on the right. */
Test(bias_properties, deberta_buckets_are_odd_and_never_fall)
{
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        struct trial trial = {.seed = draw};
        double values[2 * REACH + 1];
        const double *at = values + REACH;
        struct asked asked;

        begin_deberta(&trial);
        ask_distances(&asked, &trial, values);
        const double span =
            posenc_find_argument(&asked.arguments, "position_buckets")->value.as.number;

        cr_assert_eq(at[0], span);
        for (int n = 1; n <= REACH; n++) {
            cr_assert_eq(at[n], fmin(2 * span - at[-n], 2 * span - 1), "draw %d: distance %d",
                         (int)draw, n);
            cr_assert_geq(at[n], at[n - 1], "draw %d: distance %d", (int)draw, n);
        }
        posenc_memory_release(&asked.memory);
    }
}

Test(bias_properties, kerple_falls_from_zero_with_distance)
{
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        struct trial trial = {.seed = draw};
        struct asked asked;
        size_t heads;

        begin_kerple(&trial);
        const double *rows = ask_rows(&asked, &trial, 1, LENGTH_MAX, &heads);

        for (size_t head = 0; head < heads; head++) {
            const double *row = rows + head * LENGTH_MAX;

            cr_assert_eq(row[LENGTH_MAX - 1], 0, "draw %d", (int)draw);
            for (size_t j = 1; j < LENGTH_MAX; j++)
                cr_assert_lt(row[j - 1], row[j], "draw %d, head %zu: key %zu", (int)draw, head, j);
        }
        posenc_memory_release(&asked.memory);
    }
}

Test(bias_properties, fire_distances_rise_from_0_and_stay_below_1)
{
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        struct trial trial = {.seed = draw};
        struct asked asked;
        size_t heads;

        begin(&trial, "fire", "normalized");
        add(&trial, "c", posenc_number(pow(10, between(&trial, -3, 2))));
        add(&trial, "threshold", posenc_number(pow(10, between(&trial, -1, 4))));
        const double *rows = ask_rows(&asked, &trial, LENGTH_MAX, LENGTH_MAX, &heads);

        for (size_t i = 0; i < LENGTH_MAX; i++) {
            const double *row = rows + i * LENGTH_MAX;

            cr_assert_eq(row[i], 0, "draw %d", (int)draw);
            for (size_t j = 0; j < i; j++)
                cr_assert_gt(row[j], row[j + 1], "draw %d: query %zu, key %zu", (int)draw, i, j);
            cr_assert_lt(row[0], 1, "draw %d", (int)draw);
        }
        posenc_memory_release(&asked.memory);
    }
}

/* Two published ways to the same matrix, on and below the diagonal. */
Test(bias_properties, the_skew_is_the_relative_shift_below_the_diagonal_to_the_bit)
{
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        struct trial trial = {.seed = draw};
        const size_t length = 1 + below(&trial, 15);
        double x[15 * 15];
        struct asked skewed, shifted;

        for (size_t i = 0; i < length * length; i++)
            x[i] = between(&trial, -1, 1);
        ask(&skewed, "music_transformer", "table", {"x", asking_rows(length, length, x)},
            {"dtype", posenc_text("float64")});
        ask(&shifted, "transformer_xl", "shift", {"x", asking_rows(length, length, x)},
            {"dtype", posenc_text("float64")});
        for (size_t i = 0; i < length; i++)
            for (size_t j = 0; j <= i; j++) {
                const double entry = x[i * length + j + length - 1 - i];

                cr_assert_eq(asked_value(&skewed, "skewed", i * length + j), entry, "draw %d",
                             (int)draw);
                cr_assert_eq(asked_value(&shifted, "shifted", i * length + j), entry, "draw %d",
                             (int)draw);
            }
        posenc_memory_release(&skewed.memory);
        posenc_memory_release(&shifted.memory);
    }
}

/* The index of (i, j) and that of (j, i) mirror each other around the middle of the table. */
Test(bias_properties, swin_indices_mirror_around_the_middle)
{
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        struct trial trial = {.seed = draw};
        const double window[] = {(double)(1 + below(&trial, 6)), (double)(1 + below(&trial, 6))};
        const size_t tokens = (size_t)(window[0] * window[1]);
        const double last = (2 * window[0] - 1) * (2 * window[1] - 1) - 1;
        struct asked asked;

        ask(&asked, "swin", "table", {"window", posenc_numbers(window, 2)});
        for (size_t i = 0; i < tokens; i++)
            for (size_t j = 0; j < tokens; j++)
                cr_assert_eq(asked_value(&asked, "index", i * tokens + j) +
                                 asked_value(&asked, "index", j * tokens + i),
                             last, "draw %d: %zu, %zu", (int)draw, i, j);
        posenc_memory_release(&asked.memory);
    }
}
