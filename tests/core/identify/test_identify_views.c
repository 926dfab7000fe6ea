/* What a right tensor may have gone through: each view is found, with its numbers, and no other. */
#include "identify_question.h"

#define ROWS_OF  6
#define WIDTH    4
#define ELEMENTS (ROWS_OF * WIDTH)

/* The right cosines of 6 positions and 8 channels. */
static void fill_right(double out[ELEMENTS])
{
    for (size_t i = 0; i < ELEMENTS; i++)
        out[i] = cos((double)(i / WIDTH) * pow(10, -(double)(i % WIDTH)));
}

/* The best guess after all views were tried; its view's kind where it explains the tensor. */
static enum posenc__view_kind find_view(struct asked_question *asked, struct posenc_value actual)
{
    init_question(asked, .actual = actual, .encoding = "rope", .part = "cos",
                  .parameters = EXPECTED(NUMBER("dim", 8)));
    const struct posenc__guess guess = {.context = &asked->question->contexts[0]};

    cr_assert_eq(asked->status, POSENC_OK, "%s", asked->problem.detail);
    cr_assert_eq(posenc__try_views(asked->question, &guess), POSENC_OK);
    return posenc__is_explained(asked->question) ? asked->question->best[0].view.kind
                                                 : POSENC__VIEW_NONE;
}

static void expect_view(const double *actual, enum posenc__view_kind kind, double number)
{
    struct asked_question asked;

    cr_expect_eq(find_view(&asked, SHAPED(actual, ROWS_OF, WIDTH)), kind);
    cr_expect_float_eq(asked.question->best[0].view.number, number, 1e-9);
    posenc_memory_release(&asked.memory);
}

Test(identify_views, factors_and_constants_of_rows)
{
    double right[ELEMENTS], wrong[ELEMENTS];

    fill_right(right);
    for (size_t i = 0; i < ELEMENTS; i++)
        wrong[i] = -1.75 * right[i];
    expect_view(wrong, POSENC__VIEW_SCALED, -1.75);
    for (size_t i = 0; i < ELEMENTS; i++)
        wrong[i] = right[i] + (double)(i / WIDTH) * 0.3 - 1;
    expect_view(wrong, POSENC__VIEW_ROW_OFFSET, 0);
}

Test(identify_views, tails_of_every_kind_from_the_second_row_on)
{
    double right[ELEMENTS], wrong[ELEMENTS];

    fill_right(right);
    for (size_t first = 2; first < ROWS_OF - 1; first++) {
        memcpy(wrong, right, sizeof(right));
        memset(wrong + first * WIDTH, 0, (ROWS_OF - first) * WIDTH * sizeof(*wrong));
        expect_view(wrong, POSENC__VIEW_ZERO_TAIL, (double)first);
        for (size_t i = first * WIDTH; i < ELEMENTS; i++)
            wrong[i] = right[(first - 1) * WIDTH + i % WIDTH];
        expect_view(wrong, POSENC__VIEW_LAST_TAIL, (double)first);
        for (size_t i = first * WIDTH; i < ELEMENTS; i++)
            wrong[i] = right[i % (first * WIDTH)];
        expect_view(wrong, POSENC__VIEW_WRAPPED, (double)first);
    }
}

Test(identify_views, columns_in_any_order)
{
    static const size_t order[WIDTH] = {2, 0, 3, 1};
    double right[ELEMENTS], wrong[ELEMENTS];
    struct asked_question asked;

    fill_right(right);
    for (size_t i = 0; i < ELEMENTS; i++)
        wrong[i] = right[i / WIDTH * WIDTH + order[i % WIDTH]];
    cr_expect_eq(find_view(&asked, SHAPED(wrong, ROWS_OF, WIDTH)), POSENC__VIEW_COLUMNS);
    cr_assert_eq(asked.question->best[0].view.order_count, WIDTH);
    for (size_t i = 0; i < WIDTH; i++)
        cr_expect_eq(asked.question->best[0].view.order[i], order[i]);
    posenc_memory_release(&asked.memory);
}

Test(identify_views, rows_for_columns)
{
    double right[ELEMENTS], wrong[ELEMENTS];
    struct asked_question asked;

    fill_right(right);
    for (size_t i = 0; i < ELEMENTS; i++)
        wrong[i % WIDTH * ROWS_OF + i / WIDTH] = right[i];
    cr_expect_eq(find_view(&asked, SHAPED(wrong, WIDTH, ROWS_OF)), POSENC__VIEW_TRANSPOSED);
    posenc_memory_release(&asked.memory);
}

Test(identify_views, of_what_is_only_nearly_so_there_is_none)
{
    double wrong[ELEMENTS];

    fill_right(wrong);
    for (size_t i = 0; i < ELEMENTS; i++)
        wrong[i] = 2 * wrong[i] + (i == 5 ? 0.02 : 0);
    struct asked_question asked;

    cr_expect_eq(find_view(&asked, SHAPED(wrong, ROWS_OF, WIDTH)), POSENC__VIEW_NONE);
    posenc_memory_release(&asked.memory);
}

/* ALiBi of two heads, exchanged: -1/16 and -1/256 for each step back, causal. */
Test(identify_views, heads_in_another_order_with_their_masks)
{
    double wrong[2 * 3 * 3];
    struct asked_question asked;

    for (size_t i = 0; i < 18; i++) {
        const double back = (double)(i / 3 % 3) - (double)(i % 3);

        wrong[i] = back < 0 ? -(double)INFINITY : -back * (i < 9 ? 0x1p-8 : 0x1p-4);
    }
    init_question(&asked, .actual = SHAPED(wrong, 2, 3, 3), .encoding = "alibi", .part = "bias");
    const struct posenc__guess guess = {.context = &asked.question->contexts[0]};

    cr_assert_eq(posenc__try_views(asked.question, &guess), POSENC_OK);
    cr_assert(posenc__is_explained(asked.question));
    cr_expect_eq(asked.question->best[0].view.kind, POSENC__VIEW_HEADS);
    cr_expect(asked.question->best[0].view.order[0] == 1);
    posenc_memory_release(&asked.memory);
}
