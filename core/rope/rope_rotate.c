/* Vectors rotated, in each layout. */
#include "rope_rotate.h"

#define CHANNEL_BLOCK 128 /* channels rotated at a time, on the stack */

static void read_channels(const struct posenc__rotation *rotation, size_t first, size_t count,
                          double *out)
{
    posenc__read_array(rotation->array, first, count, out);
    for (size_t i = 0; rotation->rounds_steps && i < count; i++)
        out[i] = (float)out[i];
}

/* The real or the imaginary part of a turned pair. */
static double turn(const struct posenc__rotation *rotation, bool imaginary, double a, double b,
                   double cosine, double sine)
{
    const double straight = imaginary ? b * cosine : a * cosine,
                 crossed = imaginary ? a * sine : -b * sine;

    if (rotation->rounds_steps)
        return (float)((float)straight + (float)crossed);
    return straight + crossed;
}

/* A run of output channels of one vector that lie in one part of a block. */
struct run {
    size_t block;                  /* index of the block's first element */
    size_t channel;                /* first output channel, counted inside the block */
    size_t count;                  /* at most CHANNEL_BLOCK */
    const double *cosines, *sines; /* of the vector's row and the block's pairs */
};

/* half: channel i goes with i + pairs. */
static void run_half(const struct posenc__rotation *rotation, const struct run *run, double *out)
{
    const size_t pairs = rotation->block_pairs;
    const bool imaginary = run->channel >= pairs;
    const size_t pair = imaginary ? run->channel - pairs : run->channel;
    double a[CHANNEL_BLOCK], b[CHANNEL_BLOCK];

    read_channels(rotation, run->block + pair, run->count, a);
    read_channels(rotation, run->block + pairs + pair, run->count, b);
    for (size_t i = 0; i < run->count; i++)
        out[i] =
            turn(rotation, imaginary, a[i], b[i], run->cosines[pair + i], run->sines[pair + i]);
}

/* deinterleaved: channels 2i and 2i + 1 go in, real parts come out first, then imaginary ones. */
static void run_deinterleaved(const struct posenc__rotation *rotation, const struct run *run,
                              double *out)
{
    const size_t pairs = rotation->block_pairs;
    const bool imaginary = run->channel >= pairs;
    const size_t pair = imaginary ? run->channel - pairs : run->channel;
    double both[2 * CHANNEL_BLOCK];

    read_channels(rotation, run->block + 2 * pair, 2 * run->count, both);
    for (size_t i = 0; i < run->count; i++)
        out[i] = turn(rotation, imaginary, both[2 * i], both[2 * i + 1], run->cosines[pair + i],
                      run->sines[pair + i]);
}

/* reinterleaved: channels i and i + pairs go in and come out as 2i and 2i + 1. */
static void run_reinterleaved(const struct posenc__rotation *rotation, const struct run *run,
                              double *out)
{
    const size_t pairs = rotation->block_pairs;
    const size_t first = run->channel / 2, last = (run->channel + run->count + 1) / 2;
    double a[CHANNEL_BLOCK / 2 + 1], b[CHANNEL_BLOCK / 2 + 1];

    read_channels(rotation, run->block + first, last - first, a);
    read_channels(rotation, run->block + pairs + first, last - first, b);
    for (size_t i = 0; i < run->count; i++) {
        const size_t pair = (run->channel + i) / 2;
        const bool imaginary = (run->channel + i) % 2 != 0;

        out[i] = turn(rotation, imaginary, a[pair - first], b[pair - first], run->cosines[pair],
                      run->sines[pair]);
    }
}

/* Channels 2i and 2i + 1 go in and come out: by one angle, or, mixed, by angles 2i and 2i + 1. */
static void run_adjacent(const struct posenc__rotation *rotation, const struct run *run,
                         double *out)
{
    const bool is_mixed = rotation->layout == POSENC__MIXED;
    const size_t first = run->channel / 2, last = (run->channel + run->count + 1) / 2;
    double both[CHANNEL_BLOCK + 2];

    read_channels(rotation, run->block + 2 * first, 2 * (last - first), both);
    for (size_t i = 0; i < run->count; i++) {
        const size_t channel = run->channel + i, at = 2 * (channel / 2 - first);
        const size_t angle = is_mixed ? channel % rotation->block_pairs : channel / 2;

        out[i] = turn(rotation, channel % 2 != 0, both[at], both[at + 1], run->cosines[angle],
                      run->sines[angle]);
    }
}

static void rotate_run(const struct posenc__rotation *rotation, size_t element, size_t column,
                       size_t count, double *out)
{
    const struct posenc__axes *axes = &rotation->axes;
    const size_t vector = element / axes->width, row = vector / axes->inner % axes->length;
    const size_t outer = vector / axes->inner / axes->length;
    const size_t batch = outer / (axes->outer / rotation->batches);
    const size_t width = 2 * rotation->block_pairs;
    const size_t channel = (column - rotation->offset) % width;
    const size_t pair = (column - rotation->offset) / width * rotation->block_pairs +
                        (batch * axes->length + row) * rotation->pairs;
    const struct run run = {.block = element - channel,
                            .channel = channel,
                            .count = count,
                            .cosines = rotation->cosines + pair,
                            .sines = rotation->sines + pair};

    switch (rotation->layout) {
    case POSENC__HALF:
        run_half(rotation, &run, out);
        return;
    case POSENC__DEINTERLEAVED:
        run_deinterleaved(rotation, &run, out);
        return;
    case POSENC__REINTERLEAVED:
        run_reinterleaved(rotation, &run, out);
        return;
    case POSENC__INTERLEAVED:
    case POSENC__MIXED:
        run_adjacent(rotation, &run, out);
        return;
    }
}

/* Where the part of a vector that a column lies in ends: what passes in front, each half of each
 * block (or each block), what passes behind. */
static size_t part_end(const struct posenc__rotation *rotation, size_t column)
{
    const bool in_halves =
        rotation->layout == POSENC__HALF || rotation->layout == POSENC__DEINTERLEAVED;
    const size_t part = in_halves ? rotation->block_pairs : 2 * rotation->block_pairs;
    const size_t begin = rotation->offset, end = begin + 2 * rotation->pairs;

    if (column < begin)
        return begin;
    if (column >= end)
        return rotation->axes.width;
    return column + part - (column - begin) % part;
}

void posenc__rotate(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__rotation *rotation = context;
    const size_t begin = rotation->offset, end = begin + 2 * rotation->pairs;

    for (size_t done = 0; done < count;) {
        const size_t element = first + done, column = element % rotation->axes.width;
        size_t part = part_end(rotation, column) - column;

        part = part < count - done ? part : count - done;
        part = part < CHANNEL_BLOCK ? part : CHANNEL_BLOCK;
        if (column < begin || column >= end)
            read_channels(rotation, element, part, out + done);
        else
            rotate_run(rotation, element, column, part, out + done);
        done += part;
    }
}
