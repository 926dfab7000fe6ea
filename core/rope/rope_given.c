/*
 * Rotation by tables that the caller brings, as the ONNX operator RotaryEmbedding (opset 23) takes
 * them: any numbers, cos and sin need not belong to one angle.
 */
#include <math.h>
#include <stdio.h>

#include "rope_rotate.h"

/* Parameters that shape angles, which the tables stand instead of. */
static const char *const instead[] = {"base",
                                      "scaling",
                                      "inv_freq",
                                      "mrope_section",
                                      "mrope_order",
                                      "axes_rule",
                                      "axis_count",
                                      "axis_order",
                                      "coordinates",
                                      "coordinate_start",
                                      "grid",
                                      "xpos",
                                      "sequence_length",
                                      "max_position_embeddings",
                                      "original_max_position_embeddings",
                                      "yarn_dialect",
                                      "attention_factor"};

static enum posenc_status drop_angles(struct posenc_arguments *arguments,
                                      struct posenc_problem *problem)
{
    for (size_t i = 0; i < sizeof(instead) / sizeof(*instead); i++) {
        if (posenc__given(arguments, instead[i]))
            return posenc__refuse(problem, POSENC_CONFLICT, instead[i],
                                  "'cos' and 'sin' stand instead of angles; leave out '%s'.",
                                  instead[i]);
        posenc__drop(arguments, instead[i]);
    }
    return POSENC_OK;
}

static enum posenc_status check_tables(const struct posenc_arguments *arguments,
                                       struct posenc_problem *problem)
{
    const struct posenc_array *cosines = posenc__array(arguments, "cos");
    const struct posenc_array *sines = posenc__array(arguments, "sin");
    const size_t pairs = posenc__size(arguments, "rotary_dim") / 2;

    if (!cosines || !sines)
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, cosines ? "sin" : "cos",
                              "'cos' and 'sin' are both required where one of them is sent.");
    if (cosines->rank != 2 && cosines->rank != 3)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "cos",
                              "'cos' has %zu axes; it needs [positions, pairs], or [batch, length, "
                              "pairs].",
                              cosines->rank);
    if (cosines->shape[cosines->rank - 1] != pairs)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "cos",
                              "'cos' has %zu columns, but %zu channels turn, which make %zu pairs.",
                              cosines->shape[cosines->rank - 1], 2 * pairs, pairs);
    for (size_t axis = 0; axis < cosines->rank; axis++)
        if (sines->rank != cosines->rank || sines->shape[axis] != cosines->shape[axis])
            return posenc__refuse(problem, POSENC_WRONG_SHAPE, "sin",
                                  "'sin' must have the shape of 'cos'.");
    return POSENC_OK;
}

/* Tables or positions of each batch: the first axis of the tensor must count them. */
static enum posenc_status settle_batches(const struct posenc_arguments *arguments,
                                         const struct posenc_array *tensor,
                                         const struct posenc__axes *axes, const char *name,
                                         size_t *batches, struct posenc_problem *problem)
{
    const struct posenc_array *cosines = posenc__array(arguments, "cos");
    const struct posenc_array *positions = posenc__array(arguments, "positions");
    const bool in_tables = cosines->rank == 3;

    *batches = 1;
    if (!in_tables && !(positions && positions->rank == 2))
        return POSENC_OK;
    *batches = in_tables ? cosines->shape[0] : positions->shape[0];
    if (*batches == 0 || axes->outer == 0 || axes->outer % *batches != 0 ||
        tensor->shape[0] != *batches)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, in_tables ? "cos" : "positions",
                              "There are %zu batches of it, but '%s' has %zu.", *batches, name,
                              tensor->shape[0]);
    return POSENC_OK;
}

/* [batch, length, pairs]: row by row, without positions. */
static enum posenc_status check_batched(struct posenc_arguments *arguments, size_t length,
                                        const char *name, struct posenc_problem *problem)
{
    static const char *const counts[] = {"positions", "length", "offset", "step"};
    const struct posenc_array *cosines = posenc__array(arguments, "cos");

    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        if (posenc__given(arguments, counts[i]))
            return posenc__refuse(problem, POSENC_CONFLICT, counts[i],
                                  "'cos' has a row for each row of each batch already; leave out "
                                  "'%s'.",
                                  counts[i]);
        posenc__drop(arguments, counts[i]);
    }
    if (cosines->shape[1] != length)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "cos",
                              "'cos' has %zu rows a batch, but the sequence axis of '%s' has %zu.",
                              cosines->shape[1], name, length);
    return POSENC_OK;
}

/* The table's row for a position, which must be one of its. */
static enum posenc_status find_row(double position, size_t index, size_t rows, size_t *row,
                                   struct posenc_problem *problem)
{
    char path[POSENC_PATH_MAX];

    if (position >= 0 && position < (double)rows && position == floor(position)) {
        *row = (size_t)position;
        return POSENC_OK;
    }
    (void)snprintf(path, sizeof(path), "positions.%zu", index);
    return posenc__refuse(problem, POSENC_OUT_OF_RANGE, path,
                          "Position %.17g is no row of 'cos', which has rows 0 to %zu.", position,
                          rows - (rows > 0));
}

/* Whether exactly one of inverse and the negative direction is asked for. */
static bool turns_back(const struct posenc_arguments *arguments)
{
    return posenc__boolean(arguments, "inverse") != (posenc__real(arguments, "direction") < 0);
}

/* Row `from` of the caller's tables as a row of the rotation's; `to` is that one's index. */
static void take_row(const struct posenc_arguments *arguments, size_t from, size_t to,
                     const struct posenc__rotation *rotation, double *table)
{
    const size_t pairs = rotation->pairs;
    double *const first = table + to * 2 * pairs, *const second = first + pairs;
    double *const cosines = rotation->is_exchanged ? second : first;
    double *const sines = rotation->is_exchanged ? first : second;

    posenc__read_array(posenc__array(arguments, "cos"), from * pairs, pairs, cosines);
    posenc__read_array(posenc__array(arguments, "sin"), from * pairs, pairs, sines);
    for (size_t i = 0; turns_back(arguments) && i < pairs; i++)
        sines[i] = -sines[i];
    for (size_t i = 0; i < 2 * pairs; i++)
        first[i] = isnan(first[i]) ? (double)NAN : first[i]; /* as rope_turn.h wants it */
}

static enum posenc_status gather(const struct posenc_arguments *arguments, const double *positions,
                                 size_t count, const struct posenc__rotation *rotation,
                                 double *table, struct posenc_problem *problem)
{
    const size_t rows = posenc__array(arguments, "cos")->shape[0];

    for (size_t i = 0; i < count; i++) {
        size_t row = 0;
        const enum posenc_status status = find_row(positions[i], i, rows, &row, problem);

        if (status != POSENC_OK)
            return status;
        take_row(arguments, row, i, rotation, table);
    }
    return POSENC_OK;
}

/* Positions of each batch's rows, one after another. */
static enum posenc_status list_positions(struct posenc_arguments *arguments, size_t batches,
                                         size_t length, const char *name,
                                         struct posenc_memory *memory, const double **list,
                                         struct posenc_problem *problem)
{
    const struct posenc_array *given = posenc__array(arguments, "positions");
    struct posenc__positions positions;
    enum posenc_status status;

    if (given && given->rank == 2) {
        *list = given->data;
        if (given->shape[1] == length)
            return POSENC_OK;
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "positions",
                              "'positions' has %zu entries a batch, but the sequence axis of '%s' "
                              "has %zu.",
                              given->shape[1], name, length);
    }
    status = posenc__read_positions(arguments, &length, name, &positions, problem);
    if (status != POSENC_OK)
        return status;
    double *numbers = posenc_allocate(memory, batches * length, sizeof(*numbers));

    for (size_t i = 0; numbers && i < length; i++)
        numbers[i] = posenc__position_at(&positions, i).hi;
    *list = numbers;
    return numbers ? POSENC_OK : posenc__no_memory(problem);
}

static enum posenc_status fill_tables(struct posenc_arguments *arguments, size_t length,
                                      const char *name, struct posenc_memory *memory,
                                      struct posenc__rotation *rotation,
                                      struct posenc_problem *problem)
{
    const size_t rows = rotation->batches * length;
    const bool is_batched = posenc__array(arguments, "cos")->rank == 3;
    double *table = posenc__rotation_table(rotation, rows, memory);
    const double *positions = NULL;
    enum posenc_status status;

    if (!table)
        return posenc__no_memory(problem);
    if (!is_batched) {
        status =
            list_positions(arguments, rotation->batches, length, name, memory, &positions, problem);
        return status == POSENC_OK ? gather(arguments, positions, rows, rotation, table, problem)
                                   : status;
    }
    status = check_batched(arguments, length, name, problem);
    for (size_t row = 0; row < rows && status == POSENC_OK; row++)
        take_row(arguments, row, row, rotation, table);
    return status;
}

enum posenc_status posenc__rope_read_tables(struct posenc_arguments *arguments,
                                            const struct posenc_array *tensor,
                                            const struct posenc__axes *axes, const char *name,
                                            struct posenc_memory *memory,
                                            struct posenc__rotation *rotation,
                                            struct posenc_problem *problem)
{
    enum posenc_status status = drop_angles(arguments, problem);

    if (status == POSENC_OK)
        status = posenc__rope_settle_width(arguments, problem);
    if (status == POSENC_OK)
        status = check_tables(arguments, problem);
    if (status == POSENC_OK)
        status = settle_batches(arguments, tensor, axes, name, &rotation->batches, problem);
    if (status != POSENC_OK)
        return status;
    rotation->offset = posenc__size(arguments, "rotary_offset");
    rotation->pairs = rotation->block_pairs = posenc__size(arguments, "rotary_dim") / 2;
    if (posenc__real(arguments, "direction") == 0)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "direction",
                              "'direction' must be 1 or -1; it is 0.");
    return fill_tables(arguments, axes->length, name, memory, rotation, problem);
}
