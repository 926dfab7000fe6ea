/*
 * Images and videos: each pair follows one axis, and each axis has frequencies of its own.
 *
 *   alternate    Pixtral: w_i = base^(-2i / d); the first axis has w_0 w_2 ..., the second w_1 w_3
 *   blocks       Qwen2-VL and most: each axis has all w_k = base^(-2k / (d / axes)), axis by axis
 *   interleaved  Kimi: the same frequencies, w_0 of each axis, then w_1 of each ...
 *   separate     Gemma 4, V-JEPA 2: as blocks, and each axis's channels are laid out by themselves
 */
#include "rope.h"

/* Parameters that mean nothing without a rule. */
static enum posenc_status refuse_without_rule(const struct posenc_arguments *arguments,
                                              struct posenc_problem *problem)
{
    for (const struct posenc_parameter *row = posenc__rope_vision_rows; row->name; row++)
        if (posenc__given(arguments, row->name))
            return posenc__refuse(problem, POSENC_CONFLICT, row->name,
                                  "'%s' belongs to images; name an 'axes_rule', or a preset that "
                                  "does.",
                                  row->name);
    return POSENC_OK;
}

static void settle_defaults(struct posenc_arguments *arguments)
{
    const struct posenc_member defaults[] = {
        {"axis_count", posenc_number(2)},
        {"axis_order", posenc_text("yx")},
        {"coordinates", posenc_text("index")},
        {"coordinate_start", posenc_number(0)},
    };

    for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++)
        if (!posenc__present(arguments, defaults[i].name))
            posenc__resolve(arguments, defaults[i].name, defaults[i].value);
}

/* Channels whose frequencies are one axis's. */
static size_t share_of_axis(const struct posenc__rope *rope)
{
    return rope->rotary_dim / rope->axis_count / 2 * 2;
}

enum posenc_status posenc__rope_settle_rule(struct posenc_arguments *arguments,
                                            struct posenc__rope *rope,
                                            struct posenc_problem *problem)
{
    rope->rule = POSENC__RULE_NONE;
    rope->frequency_dim = rope->rotary_dim;
    if (!posenc__present(arguments, "axes_rule"))
        return refuse_without_rule(arguments, problem);
    settle_defaults(arguments);
    rope->rule = (enum posenc__rope_rule)posenc__choice(arguments, "axes_rule");
    rope->axis_count = posenc__size(arguments, "axis_count");
    const size_t share = share_of_axis(rope);

    if (share == 0 ||
        (rope->rule != POSENC__RULE_SEPARATE && share * rope->axis_count != rope->rotary_dim))
        return posenc__refuse(
            problem, POSENC_CONFLICT, "rotary_dim",
            "%zu channels that turn cannot be shared by %zu axes; the rule needs a "
            "multiple of %zu.",
            rope->rotary_dim, rope->axis_count, 2 * rope->axis_count);
    if (rope->rule != POSENC__RULE_ALTERNATE)
        rope->frequency_dim = share;
    return POSENC_OK;
}

/* Which number of the grid belongs to an axis: frames, rows, columns, or columns before rows. */
static size_t grid_index(const struct posenc_arguments *arguments, size_t axis_count, size_t axis)
{
    const bool swapped = posenc__choice(arguments, "axis_order") == 1 && axis + 2 >= axis_count;

    return swapped ? 2 * axis_count - 3 - axis : axis;
}

static enum posenc_status check_grid(const struct posenc__rope *rope,
                                     const struct posenc_array *grid, size_t *cells,
                                     struct posenc_problem *problem)
{
    const double *lines = grid->data;

    if (grid->shape[0] != rope->axis_count)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "grid",
                              "'grid' has %zu numbers; %zu are needed, one an axis.",
                              grid->shape[0], rope->axis_count);
    *cells = 1;
    for (size_t i = 0; i < rope->axis_count; i++)
        if (__builtin_mul_overflow(*cells, (size_t)lines[i], cells))
            return posenc__refuse(problem, POSENC_TOO_LARGE, "grid",
                                  "'grid' has more cells than can be counted.");
    return POSENC_OK;
}

/* A grid's lines along each axis, the last axis fastest. */
static enum posenc_status read_grid(struct posenc_arguments *arguments, const size_t *expected,
                                    const char *tensor, const struct posenc_array *grid,
                                    size_t cells, struct posenc__rope *rope,
                                    struct posenc_problem *problem)
{
    static const char *const instead[] = {"length", "offset", "step"};
    const double *lines = grid->data;

    if (expected && cells != *expected)
        return posenc__refuse(problem, POSENC_CONFLICT, "grid",
                              "'grid' has %zu cells, but the sequence axis of '%s' has %zu.", cells,
                              tensor, *expected);
    for (size_t i = 0; i < sizeof(instead) / sizeof(*instead); i++) {
        if (posenc__given(arguments, instead[i]))
            return posenc__refuse(problem, POSENC_CONFLICT, instead[i],
                                  "'grid' tells the positions; leave out '%s' or 'grid'.",
                                  instead[i]);
        posenc__drop(arguments, instead[i]);
    }
    for (size_t axis = 0; axis < rope->axis_count; axis++) {
        const size_t own = grid_index(arguments, rope->axis_count, axis);

        rope->axes[axis].positions =
            (struct posenc__positions){.count = (size_t)lines[own], .step = 1};
        rope->axes[axis].stride = 1;
        for (size_t inner = own + 1; inner < rope->axis_count; inner++)
            rope->axes[axis].stride *= (size_t)lines[inner];
    }
    rope->rows = cells;
    return POSENC_OK;
}

static enum posenc_status read_image_lists(struct posenc_arguments *arguments,
                                           const size_t *expected, const char *tensor,
                                           struct posenc__rope *rope,
                                           struct posenc_problem *problem)
{
    const struct posenc_array *lists = posenc__array(arguments, "positions");
    enum posenc_status status = POSENC_OK;

    if (!lists)
        return posenc__refuse(
            problem, POSENC_MISSING_PARAMETER, "positions",
            "'positions' are required, one list an axis; or give 'grid', rows and "
            "columns.");
    if (lists->rank != 2 || lists->shape[0] != rope->axis_count)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "positions",
                              "'positions' must be %zu lists, one an axis.", rope->axis_count);
    for (size_t axis = 0; axis < rope->axis_count && status == POSENC_OK; axis++)
        status = posenc__rope_take_list(arguments, axis, expected, tensor, rope, problem);
    rope->rows = rope->axes[0].positions.count;
    return status;
}

enum posenc_status posenc__rope_read_image(struct posenc_arguments *arguments,
                                           const size_t *expected, const char *tensor,
                                           struct posenc__rope *rope,
                                           struct posenc_problem *problem)
{
    const struct posenc_array *grid = posenc__array(arguments, "grid");
    const bool is_centered = posenc__choice(arguments, "coordinates") == 1;
    const bool has_lists = posenc__present(arguments, "positions");
    enum posenc_status status = POSENC_OK;
    size_t cells = 0;

    if (is_centered && !grid)
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "grid",
                              "'grid' is required: centered coordinates are scaled to it.");
    if (grid && has_lists && !is_centered)
        return posenc__refuse(problem, POSENC_CONFLICT, "grid",
                              "'grid' and 'positions' both tell the positions; leave one of them "
                              "out.");
    if (grid)
        status = check_grid(rope, grid, &cells, problem);
    if (status != POSENC_OK)
        return status;
    for (size_t axis = 0; axis < rope->axis_count; axis++) {
        rope->axes[axis].start = posenc__real(arguments, "coordinate_start");
        if (is_centered)
            rope->axes[axis].extent =
                ((const double *)grid->data)[grid_index(arguments, rope->axis_count, axis)];
    }
    if (grid && !has_lists)
        return read_grid(arguments, expected, tensor, grid, cells, rope, problem);
    return read_image_lists(arguments, expected, tensor, rope, problem);
}

/* The axis and the frequency of a pair. */
static void deal_pair(const struct posenc__rope *rope, size_t pair, unsigned char *axis,
                      unsigned *frequency)
{
    const size_t axes = rope->axis_count, share = rope->pairs / axes;

    switch (rope->rule) {
    case POSENC__RULE_ALTERNATE:
        *axis = (unsigned char)(pair / share);
        *frequency = (unsigned)(pair % share * axes + pair / share);
        return;
    case POSENC__RULE_INTERLEAVED:
        *axis = (unsigned char)(pair % axes);
        *frequency = (unsigned)(pair / axes);
        return;
    case POSENC__RULE_BLOCKS:
    case POSENC__RULE_SEPARATE:
    case POSENC__RULE_NONE:
        *axis = (unsigned char)(pair / share);
        *frequency = (unsigned)(pair % share);
        return;
    }
}

/* Letters of the axes in their order. */
static const char *letters_of(const struct posenc_arguments *arguments, size_t axis_count)
{
    const bool columns_first = posenc__choice(arguments, "axis_order") == 1;

    if (axis_count == 2)
        return columns_first ? "WH" : "HW";
    return columns_first ? "TWH" : "THW";
}

enum posenc_status posenc__rope_deal_image(const struct posenc_arguments *arguments,
                                           struct posenc__rope *rope, struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem)
{
    const char *letters = letters_of(arguments, rope->axis_count);

    if (rope->rule != POSENC__RULE_ALTERNATE)
        rope->pairs = rope->frequencies.pairs * rope->axis_count;
    rope->block_pairs = rope->rule == POSENC__RULE_SEPARATE ? rope->frequencies.pairs : rope->pairs;
    unsigned char *axes = posenc_allocate(memory, rope->pairs, 1);
    unsigned *frequencies = posenc_allocate(memory, rope->pairs, sizeof(*frequencies));
    char *text = posenc_allocate(memory, rope->pairs + 1, 1);

    if (!axes || !frequencies || !text)
        return posenc__no_memory(problem);
    for (size_t pair = 0; pair < rope->pairs; pair++) {
        deal_pair(rope, pair, &axes[pair], &frequencies[pair]);
        text[pair] = letters[axes[pair]];
    }
    text[rope->pairs] = '\0';
    rope->axis_of_pair = axes;
    rope->frequency_of_pair = frequencies;
    return posenc__derive(result, memory, problem, "axis_per_pair", posenc_text(text));
}
