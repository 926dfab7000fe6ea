/*
 * xPos (Sun et al., "A Length-Extrapolatable Transformer", 2022, section 2.3).
 *
 *   q of pair i at position p is multiplied by zeta_i^((p - center) / scale_base), k divided by it;
 *   zeta_i = (2i + gamma d) / ((1 + gamma) d),  d = rotary_dim
 *
 * A score then carries zeta^((p_q - p_k) / scale_base), whatever the center.
 */
#include <math.h>

#include "rope_rotate.h"

const struct posenc_parameter posenc__rope_xpos_rows[] = {
    {.name = "scale_base",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_ABOVE,
     POSENC__DEFAULT_NUMBER(512),
     .minimum = 0,
     .maximum = POSENC_POSITION_MAX,
     .meaning = "positions for one factor of zeta"},
    {.name = "gamma",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_ABOVE,
     POSENC__DEFAULT_NUMBER(0.4),
     .minimum = 0,
     .maximum = POSENC_POSITION_MAX,
     .meaning = "how far the smallest zeta stays from 0"},
    {.name = "center",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "half the sequence_length, rounded down (flash-attention)",
     .minimum = -POSENC_POSITION_MAX,
     .maximum = POSENC_POSITION_MAX,
     .meaning = "the position whose vectors keep their size; scores do not depend on it"},
    {.name = NULL},
};

/* Factors stay between 2^-1000 and 2^1000. */
#define EXPONENT_MAX 1000.0

static struct posenc__dd zeta_of(const struct posenc__xpos *xpos, const struct posenc__rope *rope,
                                 size_t pair)
{
    const double width = (double)(2 * rope->pairs);
    const struct posenc__dd share = posenc__dd_product(xpos->gamma, width);
    const struct posenc__dd whole = posenc__dd_add(share, (struct posenc__dd){width, 0});

    return posenc__dd_divide(posenc__dd_add(share, (struct posenc__dd){2 * (double)pair, 0}),
                             whole);
}

static double distance_from_center(const struct posenc__xpos *xpos, const struct posenc__rope *rope,
                                   size_t row)
{
    const struct posenc__dd position = posenc__position_at(&rope->axes[0].positions, row);

    return posenc__dd_add(position, (struct posenc__dd){-xpos->center, 0}).hi;
}

static enum posenc_status check_powers(const struct posenc__xpos *xpos,
                                       const struct posenc__rope *rope,
                                       struct posenc_problem *problem)
{
    const double smallest = log2(zeta_of(xpos, rope, 0).hi);

    for (size_t row = 0; row < rope->rows; row++)
        if (!(fabs(smallest * distance_from_center(xpos, rope, row) / xpos->scale_base) <
              EXPONENT_MAX))
            return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "xpos",
                                  "The position of row %zu lies so far from 'xpos.center' that its "
                                  "factor would overflow; 'xpos.scale_base' is %.17g.",
                                  row, xpos->scale_base);
    return POSENC_OK;
}

/* The object with its center filled in, so that the echo repeats the result. */
static enum posenc_status settle_center(struct posenc_arguments *arguments,
                                        struct posenc_memory *memory, struct posenc__xpos *xpos,
                                        struct posenc_problem *problem)
{
    if (!posenc__present(arguments, "sequence_length"))
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "xpos.center",
                              "'xpos.center' is required where positions do not count from 0, or "
                              "'sequence_length', whose half it is.");
    struct posenc_member *members = posenc_allocate(memory, 3, sizeof(*members));

    if (!members)
        return posenc__no_memory(problem);
    xpos->center = floor(posenc__real(arguments, "sequence_length") / 2);
    members[0] = (struct posenc_member){"scale_base", posenc_number(xpos->scale_base)};
    members[1] = (struct posenc_member){"gamma", posenc_number(xpos->gamma)};
    members[2] = (struct posenc_member){"center", posenc_number(xpos->center)};
    posenc__resolve(arguments, "xpos", posenc_object(members, 3));
    return POSENC_OK;
}

enum posenc_status posenc__xpos_read(struct posenc_arguments *arguments,
                                     const struct posenc__rope *rope, struct posenc_memory *memory,
                                     struct posenc__xpos *xpos, struct posenc_problem *problem)
{
    const struct posenc_value *object = &posenc_find_argument(arguments, "xpos")->value;
    const struct posenc_value *center = posenc_find_member(object, "center");
    enum posenc_status status = POSENC_OK;

    if (rope->axis_count > 1)
        return posenc__refuse(problem, POSENC_CONFLICT, "xpos",
                              "'xpos' needs positions of one axis.");
    xpos->scale_base = posenc_find_member(object, "scale_base")->as.number;
    xpos->gamma = posenc_find_member(object, "gamma")->as.number;
    if (center)
        xpos->center = center->as.number;
    else
        status = settle_center(arguments, memory, xpos, problem);
    return status == POSENC_OK ? check_powers(xpos, rope, problem) : status;
}

void posenc__xpos_scale(const struct posenc__xpos *xpos, const struct posenc__rope *rope,
                        size_t row, double sign, double *cosines, double *sines)
{
    const bool rounds =
        rope->arithmetic == POSENC__ROPE_FLOAT32 || rope->arithmetic == POSENC__ROPE_GGML;
    const double distance = sign * distance_from_center(xpos, rope, row);

    for (size_t pair = 0; pair < rope->pairs; pair++) {
        const double factor =
            posenc__dd_power(zeta_of(xpos, rope, pair), distance, xpos->scale_base).hi;

        cosines[pair] *= rounds ? (float)factor : factor;
        sines[pair] *= rounds ? (float)factor : factor;
        if (rounds) {
            cosines[pair] = (float)cosines[pair];
            sines[pair] = (float)sines[pair];
        }
    }
}
