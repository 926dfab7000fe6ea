/*
 * A step of k positions as a matrix that does not depend on where it starts (Vaswani et al., 2017,
 * section 3.5):
 *
 *   [ sin (p + k) w ]   [  cos k w   sin k w ] [ sin p w ]
 *   [ cos (p + k) w ] = [ -sin k w   cos k w ] [ cos p w ]
 *
 * The sine comes first, so a block is the transpose of the usual rotation, in every layout.
 */
#include <math.h>

#include "analysis.h"
#include "waves.h"

static const struct posenc_parameter shift_rows[] = {
    {.name = "shift",
     .type = POSENC_TYPE_REAL,
     .minimum = -POSENC_POSITION_MAX,
     .maximum = POSENC_POSITION_MAX,
     .meaning = "k, the positions that a row is moved by"},
    {.name = "position",
     .type = POSENC_TYPE_REAL,
     POSENC__DEFAULT_NUMBER(0),
     .minimum = -POSENC_POSITION_MAX,
     .maximum = POSENC_POSITION_MAX,
     .meaning = "p, the position of the row that is moved"},
    {.name = NULL},
};

static void block_values(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__wave_row *turn = context;

    for (size_t i = 0; i < count; i++) {
        const size_t pair = (first + i) / 4, row = (first + i) / 2 % 2, column = (first + i) % 2;

        out[i] = row == column ? turn->cosines[pair]
                 : row == 0    ? turn->sines[pair]
                               : 0 - turn->sines[pair];
    }
}

static enum posenc_status check_shift(const struct posenc__wave_view *view, struct posenc__dd end,
                                      struct posenc_problem *problem)
{
    const double ends[] = {fabs(end.hi)};
    const struct posenc__positions farthest = {.count = 1, .list = ends};

    if (view->cosines < view->waves.count)
        return posenc__refuse(problem, POSENC_CONFLICT, "dim",
                              "The last sine of this odd 'dim' has no cosine, so that no matrix "
                              "moves it.");
    if (ends[0] > POSENC_POSITION_MAX ||
        posenc__check_angles(&view->waves, &farthest, problem) != POSENC_OK)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "shift",
                              "'shift' leads beyond 2^53 positions or turns.");
    return POSENC_OK;
}

/* The row at a position: moved rows are those of position + shift, as the identity says. */
static enum posenc_status add_row(const struct posenc_arguments *arguments,
                                  const struct posenc__wave_view *view, const char *name,
                                  struct posenc__dd position, struct posenc_memory *memory,
                                  struct posenc_result *result, struct posenc_problem *problem)
{
    double *out = posenc_allocate(memory, view->width, sizeof(*out));
    struct posenc__wave_row row;

    if (!out || !posenc__wave_row_init(&row, view, memory))
        return posenc__no_memory(problem);
    posenc__sincos(&view->waves, position, 0, view->waves.count, row.sines, row.cosines);
    posenc__wave_view_place(view, &row, out);
    return posenc__add_tensor(result, memory, problem, name, posenc__dtype(arguments), 1,
                              &view->width, posenc__kept_values, out);
}

static enum posenc_status add_blocks(const struct posenc_arguments *arguments,
                                     const struct posenc__wave_view *view, double shift,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    const size_t shape[] = {view->waves.count, 2, 2};
    struct posenc__wave_row *turn = posenc_allocate(memory, 1, sizeof(*turn));

    if (!turn || !posenc__wave_row_init(turn, view, memory))
        return posenc__no_memory(problem);
    posenc__sincos(&view->waves, (struct posenc__dd){shift, 0}, 0, view->waves.count, turn->sines,
                   turn->cosines);
    return posenc__add_tensor(result, memory, problem, "blocks", posenc__dtype(arguments), 3, shape,
                              block_values, turn);
}

static enum posenc_status plan_shift(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    const double shift = posenc__real(arguments, "shift");
    const struct posenc__dd start = {posenc__real(arguments, "position"), 0};
    const struct posenc__dd end = posenc__dd_sum(start.hi, shift);
    struct posenc__wave_view view;
    enum posenc_status status =
        posenc__analysis_one_axis(arguments, memory, result, &view, problem);

    posenc__warn_of_positions(arguments, memory);
    if (status == POSENC_OK)
        status = check_shift(&view, start, problem);
    if (status == POSENC_OK)
        status = check_shift(&view, (struct posenc__dd){shift, 0}, problem);
    if (status == POSENC_OK)
        status = check_shift(&view, end, problem);
    if (status == POSENC_OK)
        status = add_blocks(arguments, &view, shift, memory, result, problem);
    if (status == POSENC_OK)
        status = add_row(arguments, &view, "row", start, memory, result, problem);
    if (status == POSENC_OK)
        status = add_row(arguments, &view, "shifted", end, memory, result, problem);
    return status;
}

const struct posenc__quantity posenc__quantity_shift = {
    .operation = {.name = "shift",
                  .summary =
                      "the matrix that moves any row by some positions, and a row that it moves",
                  .asks_encoding = "table",
                  .groups =
                      (const struct posenc_parameter *const[]){posenc__encoding_rows, shift_rows,
                                                               posenc__dtype_rows, NULL},
                  .tensors =
                      (const struct posenc_tensor_row[]){
                          {"blocks", "[pairs, 2, 2]", "of each pair: what moves [sine, cosine]"},
                          {"row", "[dim]", "the row at the position"},
                          {"shifted", "[dim]", "the row moved: that at position + shift"},
                          {.name = NULL}},
                  .plan = plan_shift},
    .serves = posenc__has_waves,
    .needs = posenc__needs_waves,
};
