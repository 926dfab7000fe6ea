/* What the schemes share: reading the dictionary, and writing the answer. */
#include "rope_scheme.h"

#include <assert.h>
#include <string.h>

bool posenc__rope_number(const struct posenc__rope_work *work, const char *name, double *number)
{
    const struct posenc_value *value = posenc_find_member(work->question->scaling, name);

    if (!value || value->kind != POSENC_NUMBER)
        return false;
    *number = value->as.number;
    return true;
}

double posenc__rope_number_or(const struct posenc__rope_work *work, const char *name,
                              double fallback)
{
    (void)posenc__rope_number(work, name, &fallback); /* untouched where it is absent */
    return fallback;
}

enum posenc_status posenc__rope_refuse_missing(const struct posenc__rope_work *work,
                                               const char *parameter)
{
    return posenc__refuse(work->problem, POSENC_MISSING_PARAMETER, parameter,
                          "'%s' is required by the rope_type '%s'.", parameter, work->scheme->name);
}

enum posenc_status posenc__rope_original(const struct posenc__rope_work *work, double *original,
                                         bool *given)
{
    static const char path[] = "scaling.original_max_position_embeddings";

    *given = posenc__rope_number(work, "original_max_position_embeddings", original);
    if (*given)
        return POSENC_OK;
    if (!work->question->has_max_position_embeddings)
        return posenc__rope_refuse_missing(work, path);
    *original = work->question->max_position_embeddings;
    posenc__warn(work->arguments, work->memory, path,
                 "'%s' is not given; max_position_embeddings, %.17g, was taken for it.", path,
                 *original);
    return POSENC_OK;
}

bool posenc__rope_make_constants(struct posenc__rope_work *work, size_t size)
{
    work->constants = posenc_allocate(work->memory, 1, size);
    if (work->constants)
        memset(work->constants, 0, size);
    return work->constants;
}

void posenc__rope_say(struct posenc__rope_work *work, const char *name, struct posenc_value value)
{
    assert(work->canonical_count < POSENC__ROPE_CANONICAL_MAX);
    work->canonical[work->canonical_count++] = (struct posenc_member){name, value};
}

struct posenc__dd posenc__rope_plain(const struct posenc__rope_work *work, size_t pair)
{
    return work->plain[pair];
}

struct posenc__dd posenc__rope_weight(struct posenc__dd ratio, struct posenc__dd factor)
{
    const struct posenc__dd one = posenc__dd_of(1.0);

    if (!posenc__dd_is_below(one, factor))
        return posenc__dd_of(0.0);
    return posenc__dd_divide(posenc__dd_less(one, ratio),
                             posenc__dd_less(one, posenc__dd_divide(one, factor)));
}
