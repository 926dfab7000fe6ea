/* Mistakes of biases that public reports tell of: slopes, signs, masks, buckets, windows. */
#include "identify_case.h"

/* The slopes of 12 heads (Press et al., 2022): those of 8, then every other one of 16. */
static const double slopes_of_12[] = {.5,        .25,           .125,          .0625,
                                      .03125,    .015625,       .0078125,      .00390625,
                                      M_SQRT1_2, M_SQRT1_2 / 2, M_SQRT1_2 / 4, M_SQRT1_2 / 8};

static struct posenc_value slopes(const double *numbers, size_t count)
{
    return posenc_numbers(numbers, count);
}

static void expect_slopes(const char *words, const double *wrong, size_t count)
{
    expect_mistake(words, .actual = slopes(wrong, count), .encoding = "alibi", .part = "slopes",
                   .parameters = EXPECTED(NUMBER("heads", (double)count)));
}

Test(identify_biases, slopes_of_every_rule)
{
    double geometric[12], sorted[12], late[8], padded[12];

    for (size_t i = 0; i < 12; i++) {
        geometric[i] = exp2(-8 * (double)(i + 1) / 12);
        padded[i] = exp2(-(double)(i + 1) / 2);
    }
    cr_expect_float_eq(geometric[0], 0.62996052, 1e-8);
    for (size_t i = 0; i < 8; i++)
        late[i] = exp2(-(double)i);
    static const size_t falling[] = {8, 0, 9, 1, 10, 2, 11, 3, 4, 5, 6, 7};
    for (size_t i = 0; i < 12; i++)
        sorted[i] = slopes_of_12[falling[i]];

    expect_case(&(const struct identify_case){.actual = slopes(slopes_of_12, 12),
                                              .encoding = "alibi",
                                              .part = "slopes",
                                              .parameters = EXPECTED(NUMBER("heads", 12))},
                "right", "Right");
    expect_slopes("'slope_rule' is geometric instead of press", geometric, 12);
    expect_slopes("they are sorted, largest first", sorted, 12);
    expect_slopes("each is that of the entry before", late, 8);
    expect_slopes("they are the first of 16, as of 'heads' 16", padded, 12);
}

/* Biases of one head with slope 1/2 and five keys, for one query or five. */
#define ONE_HEAD(rows, ...) SHAPED(((const double[]){__VA_ARGS__}), 1, (rows), 5)

static struct posenc_member half_slope(const char *form, const double *query_length)
{
    static const double slope[] = {0.5};
    static struct posenc_member members[5];
    size_t count = 0;

    members[count++] = (struct posenc_member){"slopes", posenc_numbers(slope, 1)};
    members[count++] = (struct posenc_member){"query_length", posenc_number(*query_length)};
    members[count++] = (struct posenc_member){"key_length", posenc_number(5)};
    members[count++] = (struct posenc_member){"form", posenc_text(form)};
    members[count++] = (struct posenc_member){"mask", posenc_text("none")};
    return (struct posenc_member){"parameters", posenc_object(members, count)};
}

/* meta-pytorch/attention-gym #29, vllm-project/vllm PR 945, OpenNMT/CTranslate2 PR 1228 and others:
 * the right row is -2 -1.5 -1 -0.5 0 */
Test(identify_biases, signs_and_constants)
{
    const double one = 1;

    expect_mistake("'distance_scale' is -1 instead of 1", .actual = ONE_HEAD(1, 2, 1.5, 1, 0.5, 0),
                   .encoding = "alibi", .part = "bias", .parameters = half_slope("signed", &one));
    expect_mistake("'form' is key_index instead of signed",
                   .actual = ONE_HEAD(1, 0, 0.5, 1, 1.5, 2), .encoding = "alibi", .part = "bias",
                   .parameters = half_slope("signed", &one));
    expect_mistake("a constant is added to each row",
                   .actual = ONE_HEAD(1, -2.7, -2.2, -1.7, -1.2, -0.7), .encoding = "alibi",
                   .part = "bias", .parameters = half_slope("signed", &one));
}

/* Dao-AILab/flash-attention PR 540: on both sides of the query */
Test(identify_biases, a_symmetric_form)
{
    const double five = 5;
    double symmetric[25];

    for (size_t i = 0; i < 25; i++)
        symmetric[i] = -0.5 * fabs((double)(i / 5) - (double)(i % 5));
    expect_mistake("'form' is symmetric instead of signed", .actual = SHAPED(symmetric, 1, 5, 5),
                   .encoding = "alibi", .part = "bias", .parameters = half_slope("signed", &five));
}

/* Buckets of T5 (Raffel et al., 2020), 32 of them up to distance 128, by their powers: bucket e + j
 * of e exact ones begins where n^(N - ...) does; here as printed in public reports. */
static const double bucket_of_first[] = {0, 17, 18, 19, 20, 21, 22, 23, 24, 24};
static const double bucket_of_last[] = {8, 8, 7, 6, 5, 4, 3, 2, 1, 0};

/* Row and column of ten queries and keys: only the distance counts. */
static void fill_buckets(double out[100], bool is_mirrored)
{
    for (size_t query = 0; query < 10; query++)
        for (size_t key = 0; key < 10; key++) {
            const size_t from = is_mirrored ? key : query, to = is_mirrored ? query : key;

            out[query * 10 + key] =
                to >= from ? bucket_of_first[to - from] : bucket_of_last[9 - (from - to)];
        }
}

/* lucidrains/x-transformers PR 10 and others */
Test(identify_biases, buckets_of_the_other_sign)
{
    const struct posenc_member both = EXPECTED({"bidirectional", posenc_boolean(true)});
    double buckets[100];

    fill_buckets(buckets, false);
    expect_case(&(const struct identify_case){.actual = asking_rows(10, 10, buckets),
                                              .encoding = "t5",
                                              .part = "bucket",
                                              .parameters = both},
                "right", "Right");
    fill_buckets(buckets, true);
    expect_mistake("query minus key", .actual = asking_rows(10, 10, buckets), .encoding = "t5",
                   .part = "bucket", .parameters = both);
}

/* The same reports: distance 20 of a decoder is bucket 17, and 10 by the encoder's rule. */
Test(identify_biases, buckets_of_an_encoder_in_a_decoder)
{
    static const double decoder[] = {0, 1, 8, 17}, encoder[] = {0, 1, 8, 10};
    static const double distances[] = {0, -1, -8, -20};
    const struct posenc_member expected =
        EXPECTED({"bidirectional", posenc_boolean(false)},
                 {"relative_positions", posenc_numbers(distances, 4)});

    expect_case(&(const struct identify_case){.actual = posenc_numbers(decoder, 4),
                                              .encoding = "t5",
                                              .part = "bucket",
                                              .parameters = expected},
                "right", "Right");
    expect_mistake("'bidirectional' is true instead of false", .actual = posenc_numbers(encoder, 4),
                   .encoding = "t5", .part = "bucket", .parameters = expected);
}

/* NVIDIA/TensorRT-LLM PR 13870: a bias that forgets the cache */
Test(identify_biases, a_row_that_forgets_the_cache)
{
    expect_mistake("'query_offset' is 0 instead of 9",
                   .actual = asking_rows(1, 10, bucket_of_first), .encoding = "t5",
                   .part = "bucket",
                   .parameters = EXPECTED({"bidirectional", posenc_boolean(true)},
                                          NUMBER("query_length", 1), NUMBER("key_length", 10)));
}

/* LitingLin/SwinTrack #25 and others: the index of a window of 2 by 2 */
Test(identify_biases, an_index_of_windows)
{
    expect_case(
        &(const struct identify_case){
            .actual = ROWS(4, 4, 4, 3, 1, 0, 5, 4, 2, 1, 7, 6, 4, 3, 8, 7, 5, 4),
            .encoding = "swin",
            .part = "index",
            .parameters = EXPECTED(LIST_OF("window", 2, 2), NUMBER("version", 1))},
        "right", "Right");
    expect_mistake("its last two axes are exchanged",
                   .actual = ROWS(4, 4, 4, 5, 7, 8, 3, 4, 6, 7, 1, 2, 4, 5, 0, 1, 3, 4),
                   .encoding = "swin", .part = "index",
                   .parameters = EXPECTED(LIST_OF("window", 2, 2), NUMBER("version", 1)));
}

/* microsoft/Swin-Transformer #139: a window of 2 by 3 taken for one of 3 by 2 */
Test(identify_biases, a_window_of_the_other_orientation)
{
    double index[36];

    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++) {
            const double down = (double)(i / 2) - (double)(j / 2) + 2;
            const double right = (double)(i % 2) - (double)(j % 2) + 1;

            index[i * 6 + j] = down * 3 + right;
        }
    expect_mistake("'window' is [3, 2] instead of [2, 3]", .actual = asking_rows(6, 6, index),
                   .encoding = "swin", .part = "index",
                   .parameters = EXPECTED(LIST_OF("window", 2, 3), NUMBER("version", 1)));
}
