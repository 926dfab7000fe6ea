/* FIRE's network of one variable, taken apart into straight segments. */
#include "fire.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct posenc_parameter weight_rows[] = {
    {.name = "w1", .type = POSENC_TYPE_TENSOR, .meaning = "[hidden, 1]: first layer's weights"},
    {.name = "b1", .type = POSENC_TYPE_TENSOR, .meaning = "[hidden]: first layer's biases"},
    {.name = "w2",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "[heads, hidden]: second layer's weights"},
    {.name = "b2", .type = POSENC_TYPE_TENSOR, .meaning = "[heads]: second layer's biases"},
    {.name = NULL},
};

#define WEIGHTS_MEANING "the network w2 relu(w1 x + b1) + b2 that makes a bias of each distance"

const struct posenc_parameter posenc__fire_table_rows[] = {
    {.name = "weights",
     .type = POSENC_TYPE_OBJECT,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "no bias, normalized distances only",
     .members = weight_rows,
     .meaning = WEIGHTS_MEANING},
    {.name = NULL},
};

const struct posenc_parameter posenc__fire_apply_rows[] = {
    {.name = "weights",
     .type = POSENC_TYPE_OBJECT,
     .members = weight_rows,
     .meaning = WEIGHTS_MEANING},
    {.name = NULL},
};

/* The weights as doubles. */
struct layers {
    size_t heads, hidden;
    const double *w1, *b1, *w2, *b2;
};

static enum posenc_status refuse_shape(const char *name, const char *dims,
                                       struct posenc_problem *problem)
{
    char path[POSENC_PATH_MAX];

    (void)snprintf(path, sizeof(path), "weights.%s", name);
    return posenc__refuse(problem, POSENC_WRONG_SHAPE, path,
                          "'%s' must have the shape %s, with as many hidden units and heads as "
                          "the other weights.",
                          path, dims);
}

/* A weight as doubles, all of them finite and not too large. */
static enum posenc_status read_weight(const struct posenc_array *array, const char *name,
                                      struct posenc_memory *memory, const double **weight,
                                      struct posenc_problem *problem)
{
    char path[POSENC_PATH_MAX];
    size_t count = 0;

    (void)posenc_shape_count(array->rank, array->shape, &count); /* it lies in memory, so it fits */
    double *numbers = posenc_allocate(memory, count, sizeof(*numbers));

    if (!numbers)
        return posenc__no_memory(problem);
    posenc__read_array(array, 0, count, numbers);
    (void)snprintf(path, sizeof(path), "weights.%s", name);
    for (size_t i = 0; i < count; i++)
        if (!(fabs(numbers[i]) <= POSENC__FIRE_WEIGHT_MAX))
            return posenc__refuse(problem, POSENC_OUT_OF_RANGE, path,
                                  "'%s' has a number that is not finite or beyond %g.", path,
                                  POSENC__FIRE_WEIGHT_MAX);
    *weight = numbers;
    return POSENC_OK;
}

static enum posenc_status read_layers(const struct posenc_value *weights,
                                      struct posenc_memory *memory, struct layers *layers,
                                      struct posenc_problem *problem)
{
    const struct posenc_array *w1 = &posenc_find_member(weights, "w1")->as.array;
    const struct posenc_array *b1 = &posenc_find_member(weights, "b1")->as.array;
    const struct posenc_array *w2 = &posenc_find_member(weights, "w2")->as.array;
    const struct posenc_array *b2 = &posenc_find_member(weights, "b2")->as.array;

    if (w1->rank != 2 || w1->shape[1] != 1)
        return refuse_shape("w1", "[hidden, 1]", problem);
    layers->hidden = w1->shape[0];
    if (b1->rank != 1 || b1->shape[0] != layers->hidden)
        return refuse_shape("b1", "[hidden]", problem);
    if (w2->rank != 2 || w2->shape[0] == 0 || w2->shape[1] != layers->hidden)
        return refuse_shape("w2", "[heads, hidden]", problem);
    layers->heads = w2->shape[0];
    if (b2->rank != 1 || b2->shape[0] != layers->heads)
        return refuse_shape("b2", "[heads]", problem);
    enum posenc_status status = read_weight(w1, "w1", memory, &layers->w1, problem);

    if (status == POSENC_OK)
        status = read_weight(b1, "b1", memory, &layers->b1, problem);
    if (status == POSENC_OK)
        status = read_weight(w2, "w2", memory, &layers->w2, problem);
    if (status == POSENC_OK)
        status = read_weight(b2, "b2", memory, &layers->b2, problem);
    return status;
}

/* Where a hidden unit starts or stops; a unit without a slope never does. */
struct turn {
    double knot;
    size_t unit;
};

static int compare_turns(const void *a, const void *b)
{
    const struct turn *left = a, *right = b;

    return (left->knot > right->knot) - (left->knot < right->knot);
}

static void find_turns(const struct layers *layers, struct turn *turns, double *knots)
{
    for (size_t unit = 0; unit < layers->hidden; unit++) {
        const double slope = layers->w1[unit];

        turns[unit].unit = unit;
        turns[unit].knot = slope == 0 ? (double)INFINITY : -layers->b1[unit] / slope;
    }
    qsort(turns, layers->hidden, sizeof(*turns), compare_turns);
    for (size_t i = 0; i < layers->hidden; i++)
        knots[i] = turns[i].knot;
}

/* One head's line, and what a unit adds to it (sign 1) or takes from it (sign -1). */
struct line {
    struct posenc__dd slope, offset;
};

static void add_unit(struct line *line, const struct layers *layers, size_t head, size_t unit,
                     double sign)
{
    const double factor = sign * layers->w2[head * layers->hidden + unit];

    line->slope = posenc__dd_add(line->slope, posenc__dd_product(factor, layers->w1[unit]));
    line->offset = posenc__dd_add(line->offset, posenc__dd_product(factor, layers->b1[unit]));
}

/* Left of all knots those units are at work that fall, and those that are constant and positive. */
static struct line first_line(const struct layers *layers, size_t head)
{
    struct line line = {{0, 0}, {layers->b2[head], 0}};

    for (size_t unit = 0; unit < layers->hidden; unit++)
        if (layers->w1[unit] < 0 || (layers->w1[unit] == 0 && layers->b1[unit] > 0))
            add_unit(&line, layers, head, unit, 1);
    return line;
}

static void fill_head(const struct layers *layers, const struct turn *turns, size_t head,
                      struct posenc__dd *slopes, struct posenc__dd *offsets)
{
    struct line line = first_line(layers, head);

    slopes[0] = line.slope;
    offsets[0] = line.offset;
    for (size_t i = 0; i < layers->hidden; i++) {
        if (layers->w1[turns[i].unit] != 0)
            add_unit(&line, layers, head, turns[i].unit, layers->w1[turns[i].unit] > 0 ? 1 : -1);
        slopes[i + 1] = line.slope;
        offsets[i + 1] = line.offset;
    }
}

enum posenc_status posenc__fire_network_init(struct posenc__fire_network *network,
                                             const struct posenc_value *weights,
                                             struct posenc_memory *memory,
                                             struct posenc_problem *problem)
{
    struct layers layers = {0};
    const enum posenc_status status = read_layers(weights, memory, &layers, problem);

    if (status != POSENC_OK)
        return status;
    const size_t lines = layers.heads * (layers.hidden + 1); /* no more than twice the weights */
    struct turn *turns = posenc_allocate(memory, layers.hidden, sizeof(*turns));
    double *knots = posenc_allocate(memory, layers.hidden, sizeof(*knots));
    struct posenc__dd *slopes = posenc_allocate(memory, lines, sizeof(*slopes));
    struct posenc__dd *offsets = posenc_allocate(memory, lines, sizeof(*offsets));

    if (!turns || !knots || !slopes || !offsets)
        return posenc__no_memory(problem);
    find_turns(&layers, turns, knots);
    for (size_t head = 0; head < layers.heads; head++)
        fill_head(&layers, turns, head, slopes + head * (layers.hidden + 1),
                  offsets + head * (layers.hidden + 1));
    *network = (struct posenc__fire_network){layers.heads, layers.hidden, knots, slopes, offsets};
    return POSENC_OK;
}

/* How many knots lie at or below x. */
static size_t segment_of(const struct posenc__fire_network *network, double x)
{
    size_t low = 0, high = network->hidden;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (network->knots[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double posenc__fire_network_at(const struct posenc__fire_network *network, size_t head,
                               struct posenc__dd x)
{
    const size_t line = head * (network->hidden + 1) + segment_of(network, x.hi);

    return posenc__dd_add(posenc__dd_multiply(network->slopes[line], x), network->offsets[line]).hi;
}
