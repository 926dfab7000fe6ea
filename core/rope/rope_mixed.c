/* The layout mixed (V-JEPA 2): channels 2i and 2i + 1 go in and come out, by angles 2i and 2i + 1
 * of the block, counted around. No rotation, so it has no kernel. */
#include "rope_rotate.h"

/* The channel that stands beside this one in its pair. */
static double partner_of(const struct posenc__rotation *rotation, size_t element, bool imaginary)
{
    double partner;

    posenc__read_array(rotation->array, imaginary ? element - 1 : element + 1, 1, &partner);
    return rotation->rounds_steps ? (float)partner : partner;
}

static double mixed_channel(const struct posenc__rotation *rotation, size_t element, double value)
{
    const struct posenc__axes *axes = &rotation->axes;
    const size_t vector = element / axes->width, row = vector / axes->inner % axes->length;
    const size_t outer = vector / axes->inner / axes->length;
    const size_t batch = outer / (axes->outer / rotation->batches);
    const size_t channel = element % axes->width - rotation->offset;
    const size_t block = channel / (2 * rotation->block_pairs), pairs = rotation->block_pairs;
    const double *cosines = rotation->table + (batch * axes->length + row) * 2 * rotation->pairs;
    const size_t angle = block * pairs + channel % pairs;
    const bool imaginary = channel % 2 != 0;
    const double partner = partner_of(rotation, element, imaginary);
    const double straight = value * cosines[angle];
    const double crossed = (imaginary ? partner : -partner) * cosines[rotation->pairs + angle];

    if (rotation->rounds_steps)
        return (float)((float)straight + (float)crossed);
    return straight + crossed;
}

void posenc__rotate_mixed(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__rotation *rotation = context;
    const size_t begin = rotation->offset, end = begin + 2 * rotation->pairs;

    posenc__read_array(rotation->array, first, count, out);
    for (size_t i = 0; i < count; i++) {
        const size_t column = (first + i) % rotation->axes.width;

        out[i] = rotation->rounds_steps ? (float)out[i] : out[i];
        if (column >= begin && column < end)
            out[i] = mixed_channel(rotation, first + i, out[i]);
    }
}
