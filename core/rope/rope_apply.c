/* RoPE applied: which tensors turn, and by which table. */
#include "inputs.h"
#include "rope.h"
#include "rope_rotate.h"

const char *const posenc__apply_names[POSENC__APPLY_TENSORS] = {"x", "q", "k"};

/* The inverse turns back, and undoes the attention factor twice: once its own, once the one to be
 * undone. */
static enum posenc_status invert(const struct posenc_arguments *arguments,
                                 struct posenc__rope *rope, struct posenc_problem *problem)
{
    if (!posenc__boolean(arguments, "inverse"))
        return POSENC_OK;
    if (posenc__choice(arguments, "layout") == POSENC__MIXED)
        return posenc__refuse(problem, POSENC_CONFLICT, "inverse",
                              "The layout mixed is no rotation, so that turning back does not undo "
                              "it.");
    rope->sign = -rope->sign;
    rope->scale = 1 / rope->scale;
    if (rope->arithmetic == POSENC__ROPE_FLOAT32 || rope->arithmetic == POSENC__ROPE_GGML)
        rope->scale = (float)rope->scale;
    return POSENC_OK;
}

/* The layout of the request; turning deinterleaved vectors back also puts their pairs together. */
static enum posenc__rope_layout layout_of(const struct posenc_arguments *arguments)
{
    const enum posenc__rope_layout layout =
        (enum posenc__rope_layout)posenc__choice(arguments, "layout");

    if (layout == POSENC__DEINTERLEAVED && posenc__boolean(arguments, "inverse"))
        return POSENC__REINTERLEAVED;
    return layout;
}

/* Axes of each tensor that was sent; they must agree in width and in length. */
static enum posenc_status read_tensors(struct posenc_arguments *arguments,
                                       struct posenc__axes *axes, size_t *first,
                                       struct posenc_problem *problem)
{
    enum posenc_status status = POSENC_OK;

    *first = POSENC__APPLY_TENSORS;
    for (size_t i = 0; i < POSENC__APPLY_TENSORS && status == POSENC_OK; i++) {
        const char *name = posenc__apply_names[i];

        if (!posenc__present(arguments, name))
            continue;
        status = posenc__read_axes(arguments, name, &axes[i], problem);
        if (status != POSENC_OK)
            return status;
        *first = *first == POSENC__APPLY_TENSORS ? i : *first;
        if (axes[i].length != axes[*first].length)
            return posenc__refuse(
                problem, POSENC_WRONG_SHAPE, name,
                "'%s' has %zu positions, but '%s' has %zu; rotate them in two requests.", name,
                axes[i].length, posenc__apply_names[*first], axes[*first].length);
        status = posenc__settle_size(arguments, "dim", axes[i].width, name, problem);
        if (status == POSENC_OK) /* now known, so that the next tensor must agree */
            posenc__argument(arguments, "dim")->origin = POSENC_GIVEN;
    }
    if (status == POSENC_OK && *first == POSENC__APPLY_TENSORS)
        return posenc__refuse(
            problem, POSENC_MISSING_PARAMETER, "x",
            "Send a tensor to rotate: 'x', or 'q' and 'k', each [..., length, dim].");
    return status;
}

#define TABLE_SHARED_MAX ((size_t)1 << 21) /* bytes: what is larger leaves a usual L2 cache */
#define TABLE_SINGLE_MAX ((size_t)1 << 16) /* of a table whose rows turn one vector each */

/* Whether rows are made again and again rather than kept. */
static bool is_made_anew(const struct posenc__rope *rope, const struct posenc__rotation *rotation)
{
    const size_t row_doubles = 2 * rope->pairs;
    const bool is_shared = rotation->axes.outer > 1 || rotation->axes.inner > 1;
    const size_t bytes_max = is_shared ? TABLE_SHARED_MAX : TABLE_SINGLE_MAX;

    return posenc__rope_has_fast_rows(rope) && posenc__layout_rotates(rotation->layout) &&
           !rotation->is_exchanged && row_doubles <= POSENC__ROTATION_ROW_MAX &&
           rope->rows > bytes_max / sizeof(double) / row_doubles;
}

static void exchange(double *a, double *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double kept = a[i];

        a[i] = b[i];
        b[i] = kept;
    }
}

/* cos and sin of all rows, for all heads and batches to share; those of k shrink with xPos. */
static enum posenc_status tabulate(const struct posenc__rope *rope, const struct posenc__xpos *xpos,
                                   double sign, struct posenc_memory *memory,
                                   struct posenc__rotation *rotation,
                                   struct posenc_problem *problem)
{
    const size_t pairs = rope->pairs;

    if (!xpos && is_made_anew(rope, rotation)) {
        rotation->rope = rope;
        return POSENC_OK;
    }
    double *table = posenc__rotation_table(rotation, rope->rows, memory);

    if (!table)
        return posenc__no_memory(problem);
    posenc__rope_fill_rows(rope, 0, rope->rows, table);
    for (size_t row = 0; row < rope->rows; row++, table += 2 * pairs) {
        if (xpos)
            posenc__xpos_scale(xpos, rope, row, sign, table, table + pairs);
        if (rotation->is_exchanged)
            exchange(table, table + pairs, pairs);
    }
    return POSENC_OK;
}

/* The rotations of x and q, and of k. */
struct rotations {
    struct posenc__rotation forward, of_keys;
};

static enum posenc_status make_tables(struct posenc_arguments *arguments, struct posenc__rope *rope,
                                      struct posenc_memory *memory, struct rotations *rotations,
                                      struct posenc_problem *problem)
{
    const bool has_keys = posenc__present(arguments, "k");
    const double sign = posenc__boolean(arguments, "inverse") ? -1 : 1;
    struct posenc__rotation *forward = &rotations->forward;
    struct posenc__xpos xpos;
    enum posenc_status status = POSENC_OK;

    forward->offset = rope->rotary_offset;
    forward->pairs = rope->pairs;
    forward->block_pairs = rope->block_pairs;
    forward->batches = 1;
    if (!posenc__present(arguments, "xpos")) {
        status = tabulate(rope, NULL, sign, memory, forward, problem);
        rotations->of_keys = *forward;
        return status;
    }
    status = posenc__xpos_read(arguments, rope, memory, &xpos, problem);
    if (status == POSENC_OK)
        status = tabulate(rope, &xpos, sign, memory, forward, problem);
    rotations->of_keys = *forward;
    if (status == POSENC_OK && has_keys)
        status = tabulate(rope, &xpos, -sign, memory, &rotations->of_keys, problem);
    return status;
}

static enum posenc_status make_rotations(struct posenc_arguments *arguments,
                                         const struct posenc__axes *axes, const char *name,
                                         struct posenc_memory *memory, struct posenc_result *result,
                                         struct rotations *rotations,
                                         struct posenc_problem *problem)
{
    struct posenc__rope *rope = NULL;
    enum posenc_status status;

    rotations->forward.axes = *axes;
    if (posenc__present(arguments, "cos") || posenc__present(arguments, "sin")) {
        status = posenc__rope_read_tables(arguments, posenc__array(arguments, name), axes, name,
                                          memory, &rotations->forward, problem);
        rotations->of_keys = rotations->forward;
        return status;
    }
    status = posenc__rope_prepare(arguments, &axes->length, name, memory, result, &rope, problem);
    if (status == POSENC_OK)
        status = invert(arguments, rope, problem);
    if (status == POSENC_OK)
        status = make_tables(arguments, rope, memory, rotations, problem);
    return status == POSENC_OK ? posenc__rope_derive_steps(rope, true, memory, result, problem)
                               : status;
}

static enum posenc_status add_rotation(const struct posenc_arguments *arguments, const char *name,
                                       const struct posenc__rotation *common,
                                       const struct posenc__axes *axes,
                                       struct posenc_memory *memory, struct posenc_result *result,
                                       struct posenc_problem *problem)
{
    struct posenc__rotation *rotation = posenc_allocate(memory, 1, sizeof(*rotation));

    if (!rotation)
        return posenc__no_memory(problem);
    *rotation = *common;
    rotation->array = posenc__array(arguments, name);
    rotation->axes = *axes;
    if (axes->outer % rotation->batches != 0 ||
        (rotation->batches > 1 && rotation->array->shape[0] != rotation->batches))
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, name,
                              "'%s' needs %zu batches, as 'cos' or 'positions' have.", name,
                              rotation->batches);
    return posenc__rotation_add(rotation, posenc__dtype(arguments), name, result, memory, problem);
}

enum posenc_status posenc__rope_plan_apply(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem)
{
    return posenc__rope_plan_mistaken_apply(POSENC__ROPE_NO_MISTAKE, arguments, memory, result,
                                            problem);
}

enum posenc_status posenc__rope_plan_mistaken_apply(enum posenc__rope_mistake mistake,
                                                    struct posenc_arguments *arguments,
                                                    struct posenc_memory *memory,
                                                    struct posenc_result *result,
                                                    struct posenc_problem *problem)
{
    const size_t arithmetic = posenc__choice(arguments, "arithmetic");
    const struct posenc__rotation common = {
        .layout = mistake == POSENC__ROPE_REPEATED ? POSENC__REPEATED : layout_of(arguments),
        .is_exchanged = mistake == POSENC__ROPE_EXCHANGED,
        .rounds_steps = arithmetic == POSENC__ROPE_FLOAT32 || arithmetic == POSENC__ROPE_GGML,
    };
    struct posenc__axes axes[POSENC__APPLY_TENSORS] = {{0}};
    struct rotations rotations = {common, common};
    size_t first;
    enum posenc_status status = read_tensors(arguments, axes, &first, problem);

    if (status == POSENC_OK)
        status = make_rotations(arguments, &axes[first], posenc__apply_names[first], memory, result,
                                &rotations, problem);
    for (size_t i = 0; i < POSENC__APPLY_TENSORS && status == POSENC_OK; i++)
        if (posenc__present(arguments, posenc__apply_names[i]))
            status = add_rotation(arguments, posenc__apply_names[i],
                                  i == POSENC__APPLY_K ? &rotations.of_keys : &rotations.forward,
                                  &axes[i], memory, result, problem);
    return status;
}
