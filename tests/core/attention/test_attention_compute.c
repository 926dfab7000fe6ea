/* Scores and weights in their order: products, encoding, mask, softmax or none. */
#include "attending.h"

Test(attention_compute, without_softmax_scores_weigh_values)
{
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("none"), CAUSAL, SCALE(2), F64,
        {"softmax", posenc_boolean(false)}, {"q", ROWS(2, 1, 1, 1)}, {"k", ROWS(2, 1, 3, 5)},
        {"v", ROWS(2, 1, 1, 10)});
    EXPECT_VALUES(&asked, "output", 0, 6, 106);
    cr_expect_null(posenc_find_tensor(&asked.result, "weights"));
    posenc_memory_release(&asked.memory);
}

Test(attention_compute, linear_attention_rotates_the_numerator_only)
{
    const struct posenc_member layout = {"layout", posenc_text("half")};
    /* Features: q (2, 1), keys (1, 3) and (e^-1, 1). */
    const double near = exp(-1.0), sum = 2 * 1 + 1 * 3 + 2 * near + 1;
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("rope"), OPEN, F64,
        {"parameters", posenc_object(&layout, 1)}, {"kind", posenc_text("linear")},
        {"q", ROWS(1, 2, 1, 0)}, {"k", ROWS(2, 2, 0, 2, -1, 0)}, {"v", ROWS(2, 1, 1, 10)});
    /* The query stands one position after the first key. */
    const double turned = 5 * cos(1.0) + (2 * 3 - 1) * sin(1.0);

    EXPECT_VALUES(&asked, "scores", SUM_ERROR, turned, 2 * near + 1);
    EXPECT_VALUES(&asked, "weights", SUM_ERROR, turned / sum, (2 * near + 1) / sum);
    EXPECT_VALUES(&asked, "output", SUM_ERROR, (turned + 10 * (2 * near + 1)) / sum);
    posenc_memory_release(&asked.memory);
}

Test(attention_compute, linear_attention_adds_before_it_makes_features)
{
    const struct posenc_member dim = {"dim", posenc_number(2)};
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("sinusoidal"), OPEN, F64,
        {"parameters", posenc_object(&dim, 1)}, {"kind", posenc_text("linear")},
        {"q", ROWS(1, 2, 1, 2)}, {"k", ROWS(1, 2, 3, 4)});
    EXPECT_VALUES(&asked, "scores", SUM_ERROR, 2 * 4 + 4 * 6);
    EXPECT_VALUES(&asked, "weights", 0, 1);
    posenc_memory_release(&asked.memory);
}

#define BATCHES 2
#define HEADS   4
#define SHARED  2 /* heads of keys */
#define QUERIES 3
#define KEYS    5
#define WIDTH   6
#define VALUES  2

/* A score with everything in its place: keys of the head's group, the scale, the mask. */
static double plain_score(const double *q, const double *k, size_t batch, size_t head, size_t query,
                          size_t key)
{
    const double *a = q + ((batch * HEADS + head) * QUERIES + query) * WIDTH;
    const double *b = k + ((batch * SHARED + head / (HEADS / SHARED)) * KEYS + key) * WIDTH;
    double sum = 0;

    for (size_t i = 0; i < WIDTH; i++)
        sum += a[i] * b[i];
    return key > query + KEYS - QUERIES ? HIDDEN : sum / sqrt((double)WIDTH);
}

/* The textbook's softmax and output, by loops over every axis. */
static void expect_row(const struct asked *asked, const double *q, const double *k, const double *v,
                       size_t batch, size_t head, size_t query)
{
    const size_t row = (batch * HEADS + head) * QUERIES + query;
    const double *values = v + (batch * SHARED + head / (HEADS / SHARED)) * KEYS * VALUES;
    double scores[KEYS], sum = 0, output[VALUES] = {0};

    for (size_t key = 0; key < KEYS; key++) {
        scores[key] = plain_score(q, k, batch, head, query, key);
        sum += exp(scores[key]);
    }
    for (size_t key = 0; key < KEYS; key++) {
        const double weight = exp(scores[key]) / sum;
        const double score = asked_value(asked, "scores", row * KEYS + key);

        cr_expect(score == scores[key] || fabs(score - scores[key]) < SUM_ERROR,
                  "row %zu, key %zu: %.17g", row, key, score);
        cr_expect_float_eq(asked_value(asked, "weights", row * KEYS + key), weight, SUM_ERROR);
        for (size_t i = 0; i < VALUES; i++)
            output[i] += weight * values[key * VALUES + i];
    }
    for (size_t i = 0; i < VALUES; i++)
        cr_expect_float_eq(asked_value(asked, "output", row * VALUES + i), output[i], SUM_ERROR);
}

Test(attention_compute, is_the_textbooks_for_batches_and_shared_heads)
{
    double q[BATCHES * HEADS * QUERIES * WIDTH], k[BATCHES * SHARED * KEYS * WIDTH];
    double v[BATCHES * SHARED * KEYS * VALUES];
    const struct posenc_array arrays[] = {shaped(q, 4, BATCHES, HEADS, QUERIES, WIDTH),
                                          shaped(k, 4, BATCHES, SHARED, KEYS, WIDTH),
                                          shaped(v, 4, BATCHES, SHARED, KEYS, VALUES)};
    uint64_t seed = 31;
    struct asked asked;

    for (size_t i = 0; i < sizeof(q) / sizeof(*q); i++)
        q[i] = exact_between(&seed, -2, 2);
    for (size_t i = 0; i < sizeof(k) / sizeof(*k); i++)
        k[i] = exact_between(&seed, -2, 2);
    for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++)
        v[i] = exact_between(&seed, -2, 2);
    ask(&asked, NULL, "attention", UNDER("none"), CAUSAL, F64, {"q", posenc_nested(&arrays[0])},
        {"k", posenc_nested(&arrays[1])}, {"v", posenc_nested(&arrays[2])});
    for (size_t row = 0; row < BATCHES * HEADS * QUERIES; row++)
        expect_row(&asked, q, k, v, row / QUERIES / HEADS, row / QUERIES % HEADS, row % QUERIES);
    posenc_memory_release(&asked.memory);
}

/* The bias is not scaled, and a bias of its own is no reason not to hide. */
Test(attention_compute, biases_come_after_the_scale_and_before_the_mask)
{
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("alibi"), CAUSAL, F64, SCALE(10), {"q", ROWS(2, 1, 1, 2)},
        {"k", ROWS(2, 1, 3, 4)});
    EXPECT_VALUES(&asked, "scores", 0, 30, HIDDEN, 60 - 0.00390625, 80);
    posenc_memory_release(&asked.memory);
}

/* Hidden scores are minus infinity; without softmax they weigh nothing. */
Test(attention_compute, hidden_scores_weigh_nothing_without_softmax)
{
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("none"), CAUSAL, SCALE(1), F64,
        {"softmax", posenc_boolean(false)}, {"q", ROWS(2, 1, 2, 3)}, {"k", ROWS(2, 1, 1, 1)},
        {"v", ROWS(2, 1, 10, 100)});
    EXPECT_VALUES(&asked, "scores", 0, 2, HIDDEN, 3, 3);
    EXPECT_VALUES(&asked, "output", 0, 20, 330);
    posenc_memory_release(&asked.memory);
}

/* The denominator leaves hidden keys out, too: features of zeros are ones. */
Test(attention_compute, linear_attention_sums_what_is_not_hidden)
{
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("none"), CAUSAL, F64, {"kind", posenc_text("linear")},
        {"q", ROWS(2, 1, 0, 0)}, {"k", ROWS(2, 1, 0, 2)}, {"v", ROWS(2, 1, 1, 5)});
    EXPECT_VALUES(&asked, "scores", 0, 1, HIDDEN, 1, 3);
    EXPECT_VALUES(&asked, "weights", 0, 1, 0, 0.25, 0.75);
    EXPECT_VALUES(&asked, "output", 0, 1, 4);
    posenc_memory_release(&asked.memory);
}

/* <R(p) q, R(t) k> depends on p - t alone, far away as well. */
Test(attention_compute, rotated_scores_depend_on_the_distance_alone)
{
    const struct posenc_member half = {"layout", posenc_text("half")};
    uint64_t seed = 32;

    for (int draw = 0; draw < 50; draw++) {
        const double far = floor(exact_between(&seed, 0, 0x1p40));
        const double p = floor(exact_between(&seed, 0, 1000)),
                     t = floor(exact_between(&seed, 0, 1000));
        double q[4], k[4];
        struct asked near_by, far_off;

        for (size_t i = 0; i < 4; i++) {
            q[i] = exact_between(&seed, -1, 1);
            k[i] = exact_between(&seed, -1, 1);
        }
        ask(&near_by, NULL, "attention", UNDER("rope"), OPEN, F64,
            {"parameters", posenc_object(&half, 1)}, {"q", asking_rows(1, 4, q)},
            {"k", asking_rows(1, 4, k)}, {"q_positions", LIST(p)}, {"k_positions", LIST(t)});
        ask(&far_off, NULL, "attention", UNDER("rope"), OPEN, F64,
            {"parameters", posenc_object(&half, 1)}, {"q", asking_rows(1, 4, q)},
            {"k", asking_rows(1, 4, k)}, {"q_positions", LIST(p + far)},
            {"k_positions", LIST(t + far)});
        cr_expect_float_eq(asked_value(&near_by, "scores", 0), asked_value(&far_off, "scores", 0),
                           SUM_ERROR, "draw %d", draw);
        posenc_memory_release(&near_by.memory);
        posenc_memory_release(&far_off.memory);
    }
}

/* Says yes so many times. */
struct patience {
    size_t left;
};

static bool may_work(void *context, uint64_t nanoseconds)
{
    struct patience *patience = context;

    (void)nanoseconds;
    return patience->left > 0 && patience->left--;
}

static bool may_take(void *context, size_t bytes)
{
    (void)context;
    (void)bytes;
    return true;
}

static void give_back(void *context, size_t bytes)
{
    (void)context;
    (void)bytes;
}

#define PART_ROWS 100 /* of 200 products of 64 channels: 0.8 ms, less than one part */

/* How many questions whether to work it takes to be done; each refusal before that ends the work.
 */
static size_t count_questions(size_t queries)
{
    static const double numbers[5 * PART_ROWS * 64];
    enum posenc_status status = POSENC_CANCELLED;
    size_t questions = 0;

    for (; status == POSENC_CANCELLED; questions++) {
        struct patience patience = {questions};
        const struct posenc_watch watch = {may_work, may_take, give_back, &patience};
        struct posenc__computed computed = {0};
        struct question question;

        cr_assert_lt(questions, 100);
        read_question(&question, UNDER("none"), CAUSAL, {"q", asking_rows(queries, 64, numbers)},
                      {"k", asking_rows(200, 64, numbers)});
        cr_assert_eq(question.status, POSENC_OK);
        question.memory.watch = &watch;
        status = posenc__attention_compute(&question.arguments, &question.memory,
                                           &question.attention, &computed, &question.problem);
        cr_assert(status == POSENC_OK || status == POSENC_CANCELLED);
        question.memory.watch = NULL;
        posenc_memory_release(&question.memory);
    }
    return questions - 1;
}

/* The whole work is asked for before any of it, then its parts of a millisecond: five times the
 * products are 4 ms, three parts more. */
Test(attention_compute, asks_whether_to_go_on_every_millisecond)
{
    const size_t few = count_questions(PART_ROWS), many = count_questions(5 * PART_ROWS);

    cr_expect_geq(few, 2);
    cr_expect_eq(many, few + 3, "%zu and %zu", few, many);
}
