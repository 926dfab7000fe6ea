/*
 * Layouts whose two channels of a pair turn by angles of their own; no rotations, so they have no
 * kernel. In a block of n pairs
 *
 *   mixed (V-JEPA 2)  pairs channels 2i and 2i + 1, and turns channel c by angle c modulo n
 *   repeated          pairs channels i and i + n, and turns channel c by angle c / 2
 */
#include "rope_rotate.h"

/* A channel of a block: the angle it turns by, and the channel that it makes a pair with. */
struct place {
    size_t angle;
    size_t distance; /* of the two channels */
    bool is_second;
};

static struct place place_of(const struct posenc__rotation *rotation, size_t channel)
{
    const size_t pairs = rotation->block_pairs;

    if (rotation->layout == POSENC__MIXED)
        return (struct place){channel % pairs, 1, channel % 2 != 0};
    return (struct place){channel / 2, pairs, channel >= pairs};
}

/* The other channel of the pair. */
static double partner_of(const struct posenc__rotation *rotation, size_t element,
                         struct place place)
{
    double partner;

    posenc__read_array(rotation->array,
                       place.is_second ? element - place.distance : element + place.distance, 1,
                       &partner);
    return rotation->rounds_steps ? (float)partner : partner;
}

static double mixed_channel(const struct posenc__rotation *rotation, size_t element, double value)
{
    const struct posenc__axes *axes = &rotation->axes;
    const size_t vector = element / axes->width, row = vector / axes->inner % axes->length;
    const size_t outer = vector / axes->inner / axes->length;
    const size_t batch = outer / (axes->outer / rotation->batches);
    const size_t channel = element % axes->width - rotation->offset;
    const size_t pairs = rotation->block_pairs, block = channel / (2 * pairs);
    const struct place place = place_of(rotation, channel % (2 * pairs));
    const double *cosines = rotation->table + (batch * axes->length + row) * 2 * rotation->pairs;
    const size_t angle = block * pairs + place.angle;
    const double partner = partner_of(rotation, element, place);
    const double straight = value * cosines[angle];
    const double crossed =
        (place.is_second ? partner : -partner) * cosines[rotation->pairs + angle];

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
