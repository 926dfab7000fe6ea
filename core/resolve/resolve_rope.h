/* A rotary encoding on its way from a file to its parameters. */
#ifndef POSENC_RESOLVE_ROPE_H
#define POSENC_RESOLVE_ROPE_H

#include "resolve_layers.h"

/* What a group of layers turns by, and which member said what: problems name it. */
struct posenc__rotation {
    const struct posenc__layer_rule *rule;
    size_t dim, rotary_dim, rotary_offset;
    double base;
    const struct posenc_value *dictionary; /* object of the file or class; NULL: none */
    const char *dictionary_member;         /* "rope_scaling", "rope_parameters.full_attention" */
    bool is_by_type;                       /* the dictionary is this layer type's own */
    bool is_proportional;
    double share; /* of the head that turns; 0: nobody says */
    const char *layout;
    struct posenc_value scaling; /* null: none */
    struct posenc_value sections, order;
    double original; /* trained length, for the query scale; 0: unknown */
    const char *dim_member, *rotary_member, *base_member;
    struct posenc__use use;
};

/* The dictionary of the file or the class. */
enum posenc_status posenc__find_dictionary(const struct posenc__part *part,
                                           const struct posenc_value **dictionary,
                                           const char **member, bool *by_type);

/* The scheme that the dictionary names, aliases as written; "default" where it names none. */
const char *posenc__scheme_of(const struct posenc__part *part,
                              const struct posenc__rotation *rotation);

/* resolve_width.c: dim, rotary_dim, rotary_offset. */
enum posenc_status posenc__settle_width(const struct posenc__part *part,
                                        struct posenc__rotation *rotation);

/* resolve_base.c: base. */
enum posenc_status posenc__settle_base(const struct posenc__part *part,
                                       struct posenc__rotation *rotation);

/* resolve_scaling.c: the dictionary as the encoding takes it, sections and their order. */
enum posenc_status posenc__settle_scaling(const struct posenc__part *part,
                                          struct posenc__rotation *rotation);

/* resolve_query.c: the query scale, for layers that have one; else null. */
enum posenc_status posenc__settle_query_scale(const struct posenc__part *part,
                                              const struct posenc__layer_rule *rule,
                                              double original, struct posenc_value *scale);

/*
 * resolve_derive.c: parameters and derived, by planning the encoding itself. The frequencies of
 * a vision preset are those of a plain head of `plain_dim`; 0: of the parameters themselves.
 */
enum posenc_status posenc__derive_rotation(const struct posenc__part *part,
                                           struct posenc__rotation *rotation, const char *preset,
                                           size_t plain_dim);

/* True when two values are the same, members in the same order. */
bool posenc__is_same(const struct posenc_value *a, const struct posenc_value *b);

#endif
