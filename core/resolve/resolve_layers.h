/* What the layers of a stack have of their own: type, rotation or none, entries of per-layer lists.
 */
#ifndef POSENC_RESOLVE_LAYERS_H
#define POSENC_RESOLVE_LAYERS_H

#include "resolve_part.h"

struct posenc__layer_rule {
    const char *type; /* as the file or the class names it; NULL: all layers are of one type */
    bool rotates;
    bool is_local;                   /* a sliding window */
    bool is_scaled;                  /* the scaling dictionary applies */
    double base;                     /* of a per-layer list; 0: none */
    double partial;                  /* of a per-layer list; 0: none */
    const struct posenc_member *own; /* its entry of per_layer_config; NULL: none */
};

struct posenc__layer_rules {
    size_t count; /* layers; 0: unknown, then rules[0] holds for all */
    struct posenc__layer_rule *rules;
};

/* Works out the rule of every layer. `by_type` says that the dictionary is one per layer type. */
enum posenc_status posenc__read_layer_rules(const struct posenc__part *part, bool by_type,
                                            struct posenc__layer_rules *rules);

/* resolve_own.c: gives layers their entries of per_layer_config. */
enum posenc_status posenc__take_own(const struct posenc__part *part,
                                    struct posenc__layer_rules *rules);

/* True when a layer has that member of its own. */
bool posenc__has_own(const struct posenc__layer_rule *rule, const char *name);

/* True when the entries of two layers agree in what shapes a rotation. */
bool posenc__has_same_own(const struct posenc__layer_rule *a, const struct posenc__layer_rule *b);

/* posenc__part_size() for a member that a layer may have of its own. */
enum posenc_status posenc__own_size(const struct posenc__part *part,
                                    const struct posenc__layer_rule *rule, const char *names,
                                    size_t minimum, size_t maximum, struct posenc__fact *fact,
                                    size_t *size);

#endif
