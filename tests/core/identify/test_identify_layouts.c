/* Mistakes of pairs, columns, rows and positions that public reports tell of. */
#include "identify_case.h"

#define HALF(i, pairs)        (i), (i) + (pairs)
#define INTERLEAVED(i, pairs) 2 * (i), 2 * (i) + 1

/* Turns the pair (a, b) of a row. */
static void turn(double *row, size_t a, size_t b, double angle)
{
    const double x = row[a], y = row[b];

    row[a] = x * cos(angle) - y * sin(angle);
    row[b] = y * cos(angle) + x * sin(angle);
}

/* The first vector of karpathy/nanochat #264: both layouts are rotations, of other pairs. */
Test(identify_layouts, pairs_of_the_other_layout)
{
    expect_mistake("'layout' is half instead of interleaved",
                   .actual = ROWS(1, 4, -1.984110649, 1.959900667, 2.462377902, 4.019799668),
                   .x = ROWS(1, 4, 1, 2, 3, 4), .encoding = "rope",
                   .parameters = EXPECTED(TEXT("layout", "interleaved"), NUMBER("offset", 1)));
    expect_mistake("'layout' is interleaved instead of half",
                   .actual = ROWS(1, 4, -1.142639664, 1.922075597, 2.959850668, 4.029799502),
                   .x = ROWS(1, 4, 1, 2, 3, 4), .encoding = "rope",
                   .parameters = EXPECTED(TEXT("layout", "half"), NUMBER("offset", 1)));
}

/* ggml-org/llama.cpp PR 22611: the channels of an engine with neighbouring pairs, not permuted */
Test(identify_layouts, channels_that_were_not_permuted)
{
    double x[6 * 8], right[6 * 8], permuted[6 * 8];

    draw_numbers(3, 6 * 8, x);
    memcpy(right, x, sizeof(x));
    for (size_t row = 0; row < 6; row++)
        for (size_t i = 0; i < 4; i++)
            turn(right + row * 8, HALF(i, 4), (double)row * pow(1e4, -(double)i / 4));
    for (size_t row = 0; row < 6; row++)
        for (size_t i = 0; i < 4; i++) {
            permuted[row * 8 + 2 * i] = right[row * 8 + i];
            permuted[row * 8 + 2 * i + 1] = right[row * 8 + i + 4];
        }
    expect_mistake("its columns stand in another order", .actual = asking_rows(6, 8, permuted),
                   .x = asking_rows(6, 8, x), .encoding = "rope",
                   .parameters = EXPECTED(TEXT("layout", "half")));
}

/* huggingface/transformers #16288: a quarter turn tells the layouts apart */
Test(identify_layouts, a_quarter_turn_of_ones)
{
    static const double quarter[] = {M_PI_2, M_PI_2};

    expect_mistake("'layout' is half instead of interleaved", .actual = ROWS(1, 4, -1, -1, 1, 1),
                   .x = ROWS(1, 4, 1, 1, 1, 1), .encoding = "rope",
                   .parameters = EXPECTED(TEXT("layout", "interleaved"), NUMBER("offset", 1),
                                          {"inv_freq", posenc_numbers(quarter, 2)}));
}

/* The same report: what is off by a hundredth is not right. */
Test(identify_layouts, a_hundredth_off_is_not_right)
{
    double x[6 * 8], wrong[6 * 8];

    draw_numbers(4, 6 * 8, x);
    memcpy(wrong, x, sizeof(x));
    for (size_t row = 0; row < 6; row++)
        for (size_t i = 0; i < 4; i++)
            turn(wrong + row * 8, INTERLEAVED(i, 4),
                 (double)row * pow(1e4, -(double)i / 4) + (i == 1 ? 0.01 : 0));
    expect_case(
        &(const struct identify_case){.actual = asking_rows(6, 8, wrong),
                                      .x = asking_rows(6, 8, x),
                                      .encoding = "rope",
                                      .parameters = EXPECTED(TEXT("layout", "interleaved"))},
        "unexplained", "Nearest is 'x' under 'rope'");
}

/* The first cosine column of positions 0 to 8, and then the tenth position. */
static struct posenc_value cosines(const double *positions, size_t rows, double *out)
{
    double frequencies[16];

    geometric_frequencies(1e4, 32, 16, frequencies);
    return wave_table(cos, positions, rows, frequencies, 16, out);
}

/* RobertCsordas/moeut PR 6 and others */
Test(identify_layouts, a_first_step_that_counts_one_too_many)
{
    const double wrong = 10;
    double out[16];

    cr_expect_float_eq(cos(wrong), -0.839071529, 1e-9);
    expect_mistake("every position is 1 too large", .actual = cosines(&wrong, 1, out),
                   .encoding = "rope",
                   .parameters = EXPECTED(NUMBER("dim", 32), NUMBER("offset", 9)));
}

Test(identify_layouts, a_first_step_that_begins_at_zero)
{
    double x[16], first[16];

    draw_numbers(5, 16, x);
    memcpy(first, x, sizeof(x));
    expect_mistake("nothing was applied", .actual = asking_rows(1, 16, first),
                   .x = asking_rows(1, 16, x), .encoding = "rope",
                   .parameters = EXPECTED(NUMBER("offset", 9), TEXT("layout", "half")));
}

Test(identify_layouts, positions_that_are_far_off)
{
    double positions[9], out[9 * 16];

    for (size_t i = 0; i < 9; i++)
        positions[i] = (double)i + 1234;
    expect_mistake("every position is 1234 too large", .actual = cosines(positions, 9, out),
                   .encoding = "rope", .parameters = EXPECTED(NUMBER("dim", 32)));
}

/* unslothai/unsloth #3699 and others: positions counted over the padding in front */
Test(identify_layouts, positions_that_count_padding)
{
    static const double right[] = {0, 0, 0, 1, 2}, wrong[] = {0, 1, 2, 3, 4};
    double out[5 * 16];

    expect_mistake("rows are counted from 0", .actual = cosines(wrong, 5, out), .encoding = "rope",
                   .parameters =
                       EXPECTED(NUMBER("dim", 32), {"positions", posenc_numbers(right, 5)}));
}

/* vllm-project/vllm-gaudi and others: 16 bits hold no position between 15936 and 16000 */
Test(identify_layouts, positions_in_a_small_type)
{
    static const double right[] = {0, 3, 255, 4097, 15962};
    static const double bfloat16[] = {0, 3, 255, 4096, 15936}, float16[] = {0, 3, 255, 4096, 15960};
    double out[5 * 16];

    expect_mistake("positions were rounded to bfloat16", .actual = cosines(bfloat16, 5, out),
                   .encoding = "rope",
                   .parameters =
                       EXPECTED(NUMBER("dim", 32), {"positions", posenc_numbers(right, 5)}));
    expect_mistake(
        "positions were rounded to float16", .actual = cosines(float16, 5, out), .encoding = "rope",
        .parameters = EXPECTED(NUMBER("dim", 32), {"positions", posenc_numbers(right, 5)}));
}

/* ml-explore/mlx #3494 and others: of a batch of single tokens only the first row turned */
Test(identify_layouts, rows_that_were_not_turned)
{
    double x[3 * 2 * 16], wrong[3 * 2 * 16], zero[3 * 2 * 16] = {0};

    draw_numbers(6, 3 * 2 * 16, x);
    memcpy(wrong, x, sizeof(x));
    for (size_t i = 0; i < 8; i++)
        turn(wrong, HALF(i, 8), 5 * pow(1e4, -(double)i / 8));
    expect_mistake("rows from 1 on are as they came in", .actual = SHAPED(wrong, 3, 2, 1, 16),
                   .x = SHAPED(x, 3, 2, 1, 16), .encoding = "rope",
                   .parameters = EXPECTED(NUMBER("offset", 5), TEXT("layout", "half")));
    memcpy(zero, wrong, 16 * sizeof(double));
    expect_mistake("rows from 1 on are zero", .actual = SHAPED(zero, 3, 2, 1, 16),
                   .x = SHAPED(x, 3, 2, 1, 16), .encoding = "rope",
                   .parameters = EXPECTED(NUMBER("offset", 5), TEXT("layout", "half")));
}

/* neuralmagic/sparseml PR 1826: a table that ends at the length it was traced with */
Test(identify_layouts, rows_past_the_traced_length)
{
    static double positions[600], out[600 * 16];

    for (size_t i = 0; i < 600; i++)
        positions[i] = (double)(i < 512 ? i : 511);
    expect_mistake("rows from 512 on repeat the one before", .actual = cosines(positions, 600, out),
                   .encoding = "rope", .parameters = EXPECTED(NUMBER("dim", 32)));
    for (size_t i = 512; i < 600; i++)
        positions[i] = (double)(i - 512);
    expect_mistake("it begins anew after 512 rows", .actual = cosines(positions, 600, out),
                   .encoding = "rope", .parameters = EXPECTED(NUMBER("dim", 32)));
    memset(out + 512 * 16, 0, 88 * 16 * sizeof(*out));
    expect_mistake("rows from 512 on are zero", .actual = asking_rows(600, 16, out),
                   .encoding = "rope", .parameters = EXPECTED(NUMBER("dim", 32)));
}

Test(identify_layouts, rows_and_columns_exchanged)
{
    double right[7 * 16], wrong[16 * 7];
    static const double positions[] = {0, 1, 2, 3, 4, 5, 6};

    (void)cosines(positions, 7, right); /* writes `right` */
    for (size_t row = 0; row < 7; row++)
        for (size_t i = 0; i < 16; i++)
            wrong[i * 7 + row] = right[row * 16 + i];
    expect_mistake("its last two axes are exchanged", .actual = asking_rows(16, 7, wrong),
                   .encoding = "rope", .parameters = EXPECTED(NUMBER("dim", 32)));
}
