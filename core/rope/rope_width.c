/* How many channels turn: rotary_dim, or a share of the head. */
#include <string.h>

#include "rope.h"

/* A member of the scaling dictionary, or NULL. */
static const struct posenc_value *scaling_member(const struct posenc_arguments *arguments,
                                                 const char *name)
{
    return posenc_find_member(&posenc_find_argument(arguments, "scaling")->value, name);
}

/* The scheme's name; rope_type wins over the legacy type. */
static const char *scheme_name(const struct posenc_arguments *arguments)
{
    const struct posenc_value *type = scaling_member(arguments, "rope_type");

    if (!type || type->kind != POSENC_TEXT)
        type = scaling_member(arguments, "type");
    return type && type->kind == POSENC_TEXT ? type->as.text : "";
}

/* proportional keeps the whole head's pairs, and takes the dictionary's share for itself. */
static bool is_proportional(const struct posenc_arguments *arguments)
{
    return strcmp(scheme_name(arguments), "proportional") == 0;
}

/* The share of the head that turns, from the request or the dictionary; 0 when neither says. */
static enum posenc_status read_partial(const struct posenc_arguments *arguments, double *partial,
                                       const char **name, struct posenc_problem *problem)
{
    const struct posenc_value *inside =
        is_proportional(arguments) ? NULL : scaling_member(arguments, "partial_rotary_factor");
    const bool outside = posenc__present(arguments, "partial_rotary_factor");

    *partial = 0;
    *name = "partial_rotary_factor";
    if (outside)
        *partial = posenc__real(arguments, "partial_rotary_factor");
    if (!inside || inside->kind != POSENC_NUMBER)
        return POSENC_OK;
    if (outside && *partial != inside->as.number)
        return posenc__refuse(
            problem, POSENC_CONFLICT, "partial_rotary_factor",
            "'partial_rotary_factor' is %.17g, but 'scaling.partial_rotary_factor' says %.17g.",
            *partial, inside->as.number);
    *partial = inside->as.number;
    *name = outside ? *name : "scaling.partial_rotary_factor";
    return POSENC_OK;
}

static enum posenc_status check_rotary_dim(const struct posenc_arguments *arguments,
                                           const char *name, size_t rotary_dim,
                                           struct posenc_problem *problem)
{
    const size_t dim = posenc__size(arguments, "dim");

    if (rotary_dim < 2 || rotary_dim % 2 != 0 || rotary_dim > dim)
        return posenc__refuse(
            problem, POSENC_OUT_OF_RANGE, name,
            "'%s' makes %zu of %zu channels turn; an even number of them must, at least 2.", name,
            rotary_dim, dim);
    return POSENC_OK;
}

size_t posenc__rope_paired_dim(const struct posenc_arguments *arguments)
{
    const bool spans_head = is_proportional(arguments) && !posenc__present(arguments, "axes_rule");

    return posenc__size(arguments, spans_head ? "dim" : "rotary_dim");
}

/* The pairs, which may be more than turn, are whole and lie within the head. */
static enum posenc_status check_room(const struct posenc_arguments *arguments,
                                     struct posenc_problem *problem)
{
    const size_t dim = posenc__size(arguments, "dim"), paired = posenc__rope_paired_dim(arguments);
    const size_t offset = posenc__size(arguments, "rotary_offset");

    if (paired % 2 != 0)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "dim",
                              "'dim' %zu is odd, but the rope_type proportional has the whole head "
                              "in pairs.",
                              dim);
    if (paired + offset > dim)
        return posenc__refuse(problem, POSENC_CONFLICT, "rotary_offset",
                              "'rotary_offset' %zu leaves no room for %zu channels in 'dim' %zu.",
                              offset, paired, dim);
    return POSENC_OK;
}

enum posenc_status posenc__rope_settle_width(struct posenc_arguments *arguments,
                                             struct posenc_problem *problem)
{
    const size_t dim = posenc__size(arguments, "dim");
    const bool given = posenc__present(arguments, "rotary_dim");
    const char *name;
    double partial;
    enum posenc_status status = read_partial(arguments, &partial, &name, problem);

    if (status != POSENC_OK)
        return status;
    /* The truncated product of doubles, as Python's int(head_dim * factor). */
    const size_t told = partial > 0 ? (size_t)((double)dim * partial) : dim;

    if (!given)
        posenc__resolve(arguments, "rotary_dim", posenc_number((double)told));
    else
        name = "rotary_dim";
    const size_t rotary_dim = posenc__size(arguments, "rotary_dim");

    if (given && partial > 0 && told != rotary_dim)
        return posenc__refuse(
            problem, POSENC_CONFLICT, "rotary_dim",
            "'rotary_dim' is %zu, but the partial rotary factor %.17g leaves %zu of %zu channels.",
            rotary_dim, partial, told, dim);
    status = check_rotary_dim(arguments, given || partial > 0 ? name : "dim", rotary_dim, problem);
    return status == POSENC_OK ? check_room(arguments, problem) : status;
}
