/* RoPE applied: vectors rotated, in each of the three layouts. */
#include "inputs.h"
#include "rope.h"

#define CHANNEL_BLOCK 128 /* channels rotated at a time, on the stack */

/* One tensor and the rotation of its vectors. The table is small beside the tensor, whose heads all
 * share it. */
struct rotation {
    const struct posenc_array *array;
    struct posenc__axes axes;
    const struct posenc__rope *rope;
    enum posenc__rope_layout layout;
    const double *cosines, *sines; /* [length][pairs] */
    bool rounds_steps;             /* products and sums rounded to float32 each */
};

/* The real or the imaginary part of a turned pair. */
static double turn(const struct rotation *rotation, bool imaginary, double a, double b,
                   double cosine, double sine)
{
    const double straight = imaginary ? b * cosine : a * cosine,
                 crossed = imaginary ? a * sine : -b * sine;

    if (rotation->rounds_steps)
        return (float)((float)straight + (float)crossed);
    return straight + crossed;
}

/* A run of output channels of one vector that lie in one part of the turned block. */
struct run {
    size_t vector;                 /* index of the vector's first turned element */
    size_t channel;                /* first output channel, counted inside the turned block */
    size_t count;                  /* at most CHANNEL_BLOCK */
    const double *cosines, *sines; /* of the vector's row */
};

/* half: channel i goes with i + pairs. */
static void run_half(const struct rotation *rotation, const struct run *run, double *out)
{
    const size_t pairs = rotation->rope->frequencies.pairs;
    const bool imaginary = run->channel >= pairs;
    const size_t pair = imaginary ? run->channel - pairs : run->channel;
    double a[CHANNEL_BLOCK], b[CHANNEL_BLOCK];

    posenc__read_array(rotation->array, run->vector + pair, run->count, a);
    posenc__read_array(rotation->array, run->vector + pairs + pair, run->count, b);
    for (size_t i = 0; i < run->count; i++)
        out[i] =
            turn(rotation, imaginary, a[i], b[i], run->cosines[pair + i], run->sines[pair + i]);
}

/* deinterleaved: channels 2i and 2i + 1 go in, real parts come out first, then imaginary ones. */
static void run_deinterleaved(const struct rotation *rotation, const struct run *run, double *out)
{
    const size_t pairs = rotation->rope->frequencies.pairs;
    const bool imaginary = run->channel >= pairs;
    const size_t pair = imaginary ? run->channel - pairs : run->channel;
    double both[2 * CHANNEL_BLOCK];

    posenc__read_array(rotation->array, run->vector + 2 * pair, 2 * run->count, both);
    for (size_t i = 0; i < run->count; i++)
        out[i] = turn(rotation, imaginary, both[2 * i], both[2 * i + 1], run->cosines[pair + i],
                      run->sines[pair + i]);
}

/* interleaved: channels 2i and 2i + 1 go in and come out. */
static void run_interleaved(const struct rotation *rotation, const struct run *run, double *out)
{
    const size_t first = run->channel / 2, last = (run->channel + run->count + 1) / 2;
    double both[CHANNEL_BLOCK + 2];

    posenc__read_array(rotation->array, run->vector + 2 * first, 2 * (last - first), both);
    for (size_t i = 0; i < run->count; i++) {
        const size_t pair = (run->channel + i) / 2, at = 2 * (pair - first);

        out[i] = turn(rotation, (run->channel + i) % 2 != 0, both[at], both[at + 1],
                      run->cosines[pair], run->sines[pair]);
    }
}

/* Ends of the parts of a vector: what passes in front, what turns, what passes behind. */
static size_t part_end(const struct rotation *rotation, size_t column)
{
    const size_t begin = rotation->rope->rotary_offset, pairs = rotation->rope->frequencies.pairs;

    if (column < begin)
        return begin;
    if (column < begin + pairs && rotation->layout != POSENC__INTERLEAVED)
        return begin + pairs;
    if (column < begin + 2 * pairs)
        return begin + 2 * pairs;
    return rotation->axes.width;
}

static void rotate_run(const struct rotation *rotation, size_t element, size_t column, size_t count,
                       double *out)
{
    const struct posenc__rope *rope = rotation->rope;
    const size_t pairs = rope->frequencies.pairs;
    const size_t row =
        element / rotation->axes.width / rotation->axes.inner % rotation->axes.length;
    const struct run run = {.vector = element - column + rope->rotary_offset,
                            .channel = column - rope->rotary_offset,
                            .count = count,
                            .cosines = rotation->cosines + row * pairs,
                            .sines = rotation->sines + row * pairs};

    switch (rotation->layout) {
    case POSENC__HALF:
        run_half(rotation, &run, out);
        return;
    case POSENC__INTERLEAVED:
        run_interleaved(rotation, &run, out);
        return;
    case POSENC__DEINTERLEAVED:
        run_deinterleaved(rotation, &run, out);
        return;
    }
}

static void rotation_values(const void *context, size_t first, size_t count, double *out)
{
    const struct rotation *rotation = context;
    const size_t begin = rotation->rope->rotary_offset,
                 end = begin + 2 * rotation->rope->frequencies.pairs;

    for (size_t done = 0; done < count;) {
        const size_t element = first + done, column = element % rotation->axes.width;
        size_t part = part_end(rotation, column) - column;

        part = part < count - done ? part : count - done;
        part = part < CHANNEL_BLOCK ? part : CHANNEL_BLOCK;
        if (column < begin || column >= end)
            posenc__read_array(rotation->array, element, part, out + done);
        else
            rotate_run(rotation, element, column, part, out + done);
        done += part;
    }
}

/* cos and sin of all rows, for all heads and batches to share. */
static enum posenc_status tabulate(const struct posenc__rope *rope, struct posenc_memory *memory,
                                   const double **cosines, const double **sines,
                                   struct posenc_problem *problem)
{
    const size_t pairs = rope->frequencies.pairs;
    size_t count;

    if (__builtin_mul_overflow(rope->rows, pairs, &count))
        return posenc__refuse(problem, POSENC_TOO_LARGE, "",
                              "The table of angles would have too many entries.");
    double *c = posenc_allocate(memory, count, sizeof(*c)),
           *s = posenc_allocate(memory, count, sizeof(*s));

    if (!c || !s)
        return posenc__no_memory(problem);
    for (size_t row = 0; row < rope->rows; row++)
        posenc__rope_row(rope, row, 0, pairs, c + row * pairs, s + row * pairs);
    *cosines = c;
    *sines = s;
    return POSENC_OK;
}

/* The inverse turns back, and undoes the attention factor twice: once its own, once the one to be
 * undone. */
static void invert(struct posenc__rope *rope)
{
    rope->sign = -rope->sign;
    rope->scale = 1 / rope->scale;
}

static const char *const tensor_names[] = {"x", "q", "k"};
#define TENSOR_NAMES (sizeof(tensor_names) / sizeof(*tensor_names))

/* Axes of each tensor that was sent; they must agree in width and in length. */
static enum posenc_status read_tensors(struct posenc_arguments *arguments,
                                       struct posenc__axes *axes, const char **first,
                                       struct posenc_problem *problem)
{
    enum posenc_status status = POSENC_OK;
    size_t length = 0;

    *first = NULL;
    for (size_t i = 0; i < TENSOR_NAMES && status == POSENC_OK; i++) {
        const char *name = tensor_names[i];

        if (!posenc__present(arguments, name))
            continue;
        status = posenc__read_axes(arguments, name, &axes[i], problem);
        if (status != POSENC_OK)
            return status;
        if (*first && axes[i].length != length)
            return posenc__refuse(
                problem, POSENC_WRONG_SHAPE, name,
                "'%s' has %zu positions, but '%s' has %zu; rotate them in two requests.", name,
                axes[i].length, *first, length);
        length = axes[i].length;
        *first = *first ? *first : name;
        status = posenc__settle_size(arguments, "dim", axes[i].width, name, problem);
        if (status == POSENC_OK) /* now known, so that the next tensor must agree */
            posenc__argument(arguments, "dim")->origin = POSENC_GIVEN;
    }
    if (status == POSENC_OK && !*first)
        return posenc__refuse(
            problem, POSENC_MISSING_PARAMETER, "x",
            "Send a tensor to rotate: 'x', or 'q' and 'k', each [..., length, dim].");
    return status;
}

static enum posenc_status add_rotation(const struct posenc_arguments *arguments, const char *name,
                                       const struct rotation *common,
                                       const struct posenc__axes *axes,
                                       struct posenc_memory *memory, struct posenc_result *result,
                                       struct posenc_problem *problem)
{
    struct rotation *rotation = posenc_allocate(memory, 1, sizeof(*rotation));

    if (!rotation)
        return posenc__no_memory(problem);
    *rotation = *common;
    rotation->array = posenc__array(arguments, name);
    rotation->axes = *axes;
    return posenc__add_tensor(result, memory, problem, name, posenc__dtype(arguments),
                              rotation->array->rank, rotation->array->shape, rotation_values,
                              rotation);
}

enum posenc_status posenc__rope_plan_apply(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem)
{
    struct posenc__axes axes[TENSOR_NAMES] = {{0}};
    struct rotation common = {.layout = posenc__choice(arguments, "layout")};
    struct posenc__rope *rope = NULL;
    const char *first;
    enum posenc_status status = read_tensors(arguments, axes, &first, problem);

    if (status != POSENC_OK)
        return status;
    const size_t length = axes[first[0] == 'x' ? 0 : first[0] == 'q' ? 1 : 2].length;

    status = posenc__rope_prepare(arguments, &length, first, memory, result, &rope, problem);
    if (status != POSENC_OK)
        return status;
    if (posenc__boolean(arguments, "inverse"))
        invert(rope);
    common.rope = rope;
    common.rounds_steps = rope->arithmetic == POSENC__ROPE_FLOAT32;
    status = tabulate(rope, memory, &common.cosines, &common.sines, problem);
    for (size_t i = 0; i < TENSOR_NAMES && status == POSENC_OK; i++)
        if (posenc__present(arguments, tensor_names[i]))
            status = add_rotation(arguments, tensor_names[i], &common, &axes[i], memory, result,
                                  problem);
    return status;
}
