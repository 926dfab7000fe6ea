/* Layouts that turn the two channels of a pair by angles of their own, block by block. */
#include "rope_rotate.h"

#include <math.h>

#include "asking.h"
#include "exact.h"

/* Rotated vectors of numbers below 16 carry a few ulp of that. */
#define ROTATION_ERROR 1e-14

/* 1 to 8 at position 3, base 10000: 40 digits. */
Test(rope_mixed, channel_j_turns_by_angle_j_counted_around)
{
    struct asked asked;

    ask(&asked, "rope", "apply", {"dtype", posenc_text("float64")}, {"positions", LIST(3)},
        {"layout", posenc_text("mixed")}, {"x", ROWS(1, 8, 1, 2, 3, 4, 5, 6, 7, 8)});
    EXPECT_VALUES(&asked, "x", ROTATION_ERROR, -1.2722325127201799, 2.2061931849125516,
                  2.8786681004369799, 4.0089819865135061, -5.7966825313614306, 7.209619968060334,
                  6.7568862346229473, 8.0209639685270142);
    posenc_memory_release(&asked.memory);
}

#define LENGTH 3
#define INNER  2
#define OUTER  4
#define WIDTH  16
#define OFFSET 2
#define BLOCK  3 /* pairs */
#define PAIRS  6 /* two blocks: channels 2 to 13 turn */
#define COUNT  (OUTER * LENGTH * INNER * WIDTH)
#define TABLE  (2 * LENGTH * 2 * PAIRS) /* of two batches */

static struct posenc__rotation make_rotation(const struct posenc_array *array,
                                             enum posenc__rope_layout layout, const double *table)
{
    return (struct posenc__rotation){
        .array = array,
        .axes = {.outer = OUTER, .length = LENGTH, .inner = INNER, .width = WIDTH},
        .offset = OFFSET,
        .pairs = PAIRS,
        .block_pairs = BLOCK,
        .layout = layout,
        .batches = 2,
        .table = table,
    };
}

/* Angle 0 1 2 0 1 2 and neighbours, or 0 0 1 1 2 2 and the other half, of a block of 6 channels. */
static double turned(const double *x, enum posenc__rope_layout layout, size_t c,
                     const double *cosines)
{
    static const size_t mixed[] = {0, 1, 2, 0, 1, 2}, repeated[] = {0, 0, 1, 1, 2, 2};
    const size_t angle = layout == POSENC__MIXED ? mixed[c] : repeated[c];
    const double crossed = layout == POSENC__MIXED ? (c % 2 ? x[c - 1] : -x[c + 1])
                                                   : (c < BLOCK ? -x[c + BLOCK] : x[c - BLOCK]);

    return x[c] * cosines[angle] + crossed * cosines[PAIRS + angle];
}

/* The same by loops over axes instead of arithmetic on one index. */
static void rotate_plainly(const double *x, enum posenc__rope_layout layout, const double *table,
                           double *out)
{
    for (size_t o = 0; o < OUTER; o++)
        for (size_t row = 0; row < LENGTH; row++)
            for (size_t i = 0; i < INNER; i++) {
                const size_t at = ((o * LENGTH + row) * INNER + i) * WIDTH;
                const double *cosines = table + ((o < 2 ? 0 : LENGTH) + row) * 2 * PAIRS;

                memcpy(out + at, x + at, WIDTH * sizeof(*x));
                for (size_t block = 0; block < 2; block++)
                    for (size_t c = 0; c < 2 * BLOCK; c++) {
                        const size_t start = at + OFFSET + block * 2 * BLOCK;

                        out[start + c] = turned(x + start, layout, c, cosines + block * BLOCK);
                    }
            }
}

static void expect_plain(enum posenc__rope_layout layout)
{
    double x[COUNT], table[TABLE], right[COUNT], out[COUNT];
    const struct posenc_array array = {
        .dtype = POSENC_FLOAT64, .rank = 1, .shape = {COUNT}, .data = x};
    uint64_t seed = 3;

    for (size_t i = 0; i < COUNT; i++)
        x[i] = exact_between(&seed, -9, 9);
    for (size_t i = 0; i < TABLE; i++)
        table[i] = exact_between(&seed, -1, 1);
    rotate_plainly(x, layout, table, right);
    const struct posenc__rotation rotation = make_rotation(&array, layout, table);

    posenc__rotate_mixed(&rotation, 0, COUNT, out);
    for (size_t i = 0; i < COUNT; i++)
        cr_expect_eq(out[i], right[i], "element %zu", i);
    for (int round = 0; round < 100; round++) { /* runs begin and end inside pairs */
        const size_t first = exact_bits(&seed) % COUNT;
        const size_t count = 1 + exact_bits(&seed) % (COUNT - first);

        posenc__rotate_mixed(&rotation, first, count, out);
        cr_expect_arr_eq(out, right + first, count * sizeof(*out), "%zu from %zu", count, first);
    }
}

Test(rope_mixed, each_vector_has_its_row_its_batch_and_its_blocks)
{
    expect_plain(POSENC__MIXED);
    expect_plain(POSENC__REPEATED);
}

/* Tensor, products and sum: four roundings to float32. */
Test(rope_mixed, float32_rounds_every_step)
{
    double x[COUNT], table[TABLE], out[COUNT];
    const struct posenc_array array = {
        .dtype = POSENC_FLOAT64, .rank = 1, .shape = {COUNT}, .data = x};
    struct posenc__rotation rotation = make_rotation(&array, POSENC__MIXED, table);
    uint64_t seed = 4;

    for (size_t i = 0; i < COUNT; i++)
        x[i] = exact_between(&seed, -9, 9);
    for (size_t i = 0; i < TABLE; i++)
        table[i] = (float)exact_between(&seed, -1, 1);
    rotation.rounds_steps = true;
    posenc__rotate_mixed(&rotation, 0, COUNT, out);
    cr_expect_eq(out[0], (double)(float)x[0]); /* does not turn, but is rounded */
    for (size_t c = 0; c < 2; c++) {
        const float straight = (float)x[OFFSET + c] * (float)table[c];
        const float crossed = (float)x[OFFSET + 1 - c] * (float)table[PAIRS + c];

        cr_expect_eq(out[OFFSET + c], (double)(c == 0 ? straight - crossed : straight + crossed));
    }
}
