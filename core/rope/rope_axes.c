/*
 * Positions of several axes (multimodal RoPE): each pair follows one of them. Sections count pairs
 * per axis.
 *
 *   chunked      Qwen2-VL: the first s0 pairs follow T, the next s1 H, the last s2 W
 *   interleaved  Qwen3-VL: T everywhere, but pair i follows H where i % 3 == 1 and i < 3 s1, W
 * where i % 3 == 2 and i < 3 s2 ernie        Ernie 4.5 VL: sections are (H, W, T); the first s0 +
 * s1 pairs alternate H and W, the rest follow T
 */
#include "rope.h"

#include <math.h>
#include <stdio.h>

enum order { CHUNKED, INTERLEAVED, ERNIE };
enum { T, H, W, AXES };

static const char letters[] = "THW";

/* The axis of a pair; sections are known to fit. */
static unsigned char axis_of(enum order order, const double *sections, size_t pair)
{
    const double i = (double)pair;

    switch (order) {
    case CHUNKED:
        return i < sections[T] ? T : i < sections[T] + sections[H] ? H : W;
    case INTERLEAVED:
        if (pair % 3 == 1 && i < 3 * sections[H])
            return H;
        return pair % 3 == 2 && i < 3 * sections[W] ? W : T;
    case ERNIE:
        if (i < sections[0] + sections[1])
            return pair % 2 == 0 ? H : W;
        return T;
    }
    return T;
}

/* The sections: a parameter, or a member of the dictionary; both must agree. NULL when there are
 * none. */
static enum posenc_status find_sections(struct posenc_arguments *arguments,
                                        const struct posenc_array **sections, const char **path,
                                        struct posenc_problem *problem)
{
    const struct posenc_value *inside =
        posenc_find_member(&posenc_find_argument(arguments, "scaling")->value, "mrope_section");

    *sections = posenc__array(arguments, "mrope_section");
    *path = "mrope_section";
    if (!inside || inside->kind != POSENC_ARRAY)
        return POSENC_OK;
    const double *inner = inside->as.array.data;

    for (size_t i = 0; *sections && i < inside->as.array.shape[0]; i++)
        if ((*sections)->shape[0] != inside->as.array.shape[0] ||
            ((const double *)(*sections)->data)[i] != inner[i])
            return posenc__refuse(
                problem, POSENC_CONFLICT, "mrope_section",
                "'mrope_section' and 'scaling.mrope_section' differ; leave one of them out.");
    *path = *sections ? *path : "scaling.mrope_section";
    *sections = &inside->as.array;
    return POSENC_OK;
}

static enum posenc_status check_sections(const struct posenc__rope *rope, enum order order,
                                         const struct posenc_array *sections, const char *path,
                                         struct posenc_problem *problem)
{
    const double *pairs = sections->data;
    double sum = 0;

    if (sections->shape[0] != AXES)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, path,
                              "'%s' has %zu entries; it needs %d, one an axis.", path,
                              sections->shape[0], (int)AXES);
    for (size_t i = 0; i < AXES; i++)
        sum += pairs[i];
    if (sum != (double)(rope->paired_dim / 2))
        return posenc__refuse(problem, POSENC_CONFLICT, path,
                              "'%s' sums to %.17g, but there are %zu pairs.", path, sum,
                              rope->paired_dim / 2);
    if (order == ERNIE && pairs[0] != pairs[1])
        return posenc__refuse(
            problem, POSENC_CONFLICT, path,
            "'%s' needs as many pairs for H as for W, since the order ernie alternates them.",
            path);
    return POSENC_OK;
}

/* The order, named or implied by the dictionary's mrope_interleaved. */
static enum posenc_status settle_order(struct posenc_arguments *arguments, enum order *order,
                                       struct posenc_problem *problem)
{
    const struct posenc_value *flag =
        posenc_find_member(&posenc_find_argument(arguments, "scaling")->value, "mrope_interleaved");
    const bool interleaved = flag && flag->kind == POSENC_BOOLEAN && flag->as.boolean;

    if (!posenc__present(arguments, "mrope_order") && interleaved)
        posenc__resolve(arguments, "mrope_order", posenc_text("interleaved"));
    if (!posenc__present(arguments, "mrope_order"))
        return posenc__refuse(
            problem, POSENC_MISSING_PARAMETER, "mrope_order",
            "'mrope_order' is required with sections: chunked (Qwen2-VL, GLM-4V), interleaved "
            "(Qwen3-VL) or ernie (Ernie 4.5 VL).");
    *order = (enum order)posenc__choice(arguments, "mrope_order");
    if (interleaved && *order != INTERLEAVED)
        return posenc__refuse(
            problem, POSENC_CONFLICT, "mrope_order",
            "'mrope_order' contradicts 'scaling.mrope_interleaved', which is true.");
    return POSENC_OK;
}

static enum posenc_status deal_pairs(struct posenc__rope *rope, enum order order,
                                     const double *sections, struct posenc_memory *memory,
                                     struct posenc_result *result, struct posenc_problem *problem)
{
    const size_t pairs = rope->paired_dim / 2;
    unsigned char *axes = posenc_allocate(memory, pairs, 1);
    char *text = posenc_allocate(memory, pairs + 1, 1);

    if (!axes || !text)
        return posenc__no_memory(problem);
    for (size_t i = 0; i < pairs; i++) {
        axes[i] = axis_of(order, sections, i);
        text[i] = letters[axes[i]];
    }
    text[pairs] = '\0';
    rope->axis_of_pair = axes;
    return posenc__derive(result, memory, problem, "axis_per_pair", posenc_text(text));
}

enum posenc_status posenc__rope_take_list(struct posenc_arguments *arguments, size_t axis,
                                          const size_t *expected, const char *tensor,
                                          struct posenc__rope *rope, struct posenc_problem *problem)
{
    const struct posenc_array *lists = posenc__array(arguments, "positions");
    const struct posenc_array list = {.dtype = POSENC_FLOAT64,
                                      .rank = 1,
                                      .shape = {lists->shape[1]},
                                      .data = (const double *)lists->data + axis * lists->shape[1]};

    return posenc__take_positions(arguments, &list, expected, tensor, &rope->axes[axis].positions,
                                  problem);
}

enum posenc_status posenc__rope_refuse_nulls(const struct posenc_arguments *arguments,
                                             struct posenc_problem *problem)
{
    const struct posenc_array *lists = posenc__array(arguments, "positions");
    size_t count = 0;
    char path[POSENC_PATH_MAX];

    if (!lists)
        return POSENC_OK;
    (void)posenc_shape_count(lists->rank, lists->shape, &count); /* it lies in memory, so it fits */
    for (size_t i = 0; i < count; i++) {
        const size_t width = lists->shape[lists->rank - 1];

        if (!isnan(((const double *)lists->data)[i]))
            continue;
        if (lists->rank == 1)
            (void)snprintf(path, sizeof(path), "positions.%zu", i);
        else
            (void)snprintf(path, sizeof(path), "positions.%zu.%zu", i / width, i % width);
        return posenc__refuse(problem, POSENC_WRONG_TYPE, path,
                              "'%s' must be a finite number; only images, with an axes_rule, have "
                              "tokens without a position.",
                              path);
    }
    return POSENC_OK;
}

/* One list per axis, T, H, W; or length, offset and step, the same for all axes, as text has them.
 */
static enum posenc_status read_lists(struct posenc_arguments *arguments, const size_t *expected,
                                     const char *tensor, struct posenc__rope *rope,
                                     struct posenc_problem *problem)
{
    const struct posenc_array *lists = posenc__array(arguments, "positions");
    enum posenc_status status = POSENC_OK;

    if (lists && (lists->rank != 2 || lists->shape[0] != AXES))
        return posenc__refuse(
            problem, POSENC_WRONG_SHAPE, "positions",
            "'positions' must be three lists, one an axis (T, H, W), since there are sections.");
    rope->axis_count = AXES;
    if (!lists) {
        status =
            posenc__read_positions(arguments, expected, tensor, &rope->axes[T].positions, problem);
        rope->axes[H] = rope->axes[W] = rope->axes[T];
        return status;
    }
    for (size_t axis = 0; axis < AXES && status == POSENC_OK; axis++)
        status = posenc__rope_take_list(arguments, axis, expected, tensor, rope, problem);
    return status;
}

static enum posenc_status read_one_axis(struct posenc_arguments *arguments, const size_t *expected,
                                        const char *tensor, struct posenc__rope *rope,
                                        struct posenc_problem *problem)
{
    struct posenc__positions *positions = &rope->axes[0].positions;
    const enum posenc_status status =
        posenc__read_positions(arguments, expected, tensor, positions, problem);

    rope->axis_count = 1;
    rope->rows = positions->count;
    if (status == POSENC_OK && positions->count > 0 &&
        !posenc__present(arguments, "sequence_length") && posenc__positions_are_plain(positions))
        posenc__resolve(arguments, "sequence_length", posenc_number((double)positions->count));
    return status;
}

static enum posenc_status read_sections(struct posenc_arguments *arguments, const size_t *expected,
                                        const char *tensor, const struct posenc_array *sections,
                                        const char *path, struct posenc_memory *memory,
                                        struct posenc_result *result, struct posenc__rope *rope,
                                        struct posenc_problem *problem)
{
    enum order order = CHUNKED;
    enum posenc_status status = settle_order(arguments, &order, problem);

    if (status == POSENC_OK)
        status = check_sections(rope, order, sections, path, problem);
    if (status == POSENC_OK)
        status = read_lists(arguments, expected, tensor, rope, problem);
    rope->rows = rope->axes[0].positions.count;
    return status == POSENC_OK ? deal_pairs(rope, order, sections->data, memory, result, problem)
                               : status;
}

enum posenc_status posenc__rope_read_axes(struct posenc_arguments *arguments,
                                          const size_t *expected, const char *tensor,
                                          struct posenc_memory *memory,
                                          struct posenc_result *result, struct posenc__rope *rope,
                                          struct posenc_problem *problem)
{
    const struct posenc_array *sections;
    const char *path;
    enum posenc_status status = find_sections(arguments, &sections, &path, problem);

    if (status != POSENC_OK)
        return status;
    if (rope->rule != POSENC__RULE_NONE && sections)
        return posenc__refuse(
            problem, POSENC_CONFLICT, path,
            "'%s' and 'axes_rule' both deal pairs to axes; leave one of them out.", path);
    if (rope->rule != POSENC__RULE_NONE)
        return posenc__rope_read_image(arguments, expected, tensor, rope, problem);
    status = posenc__rope_refuse_nulls(arguments, problem);
    if (status != POSENC_OK)
        return status;
    if (!sections)
        return read_one_axis(arguments, expected, tensor, rope, problem);
    return read_sections(arguments, expected, tensor, sections, path, memory, result, rope,
                         problem);
}
