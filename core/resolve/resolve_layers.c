/* Which layers differ, by the lists, patterns and intervals that files use. */
#include "resolve_layers.h"
#include "posenc_models.h"

#include <math.h>
#include <string.h>

#define SLIDING "sliding_attention"
#define FULL    "full_attention"

/* Mixers without attention, by the names that files give their layers. */
static const char attention_free[] = "linear_attention conv short_conv mamba mamba2 recurrent "
                                     "linear rwkv kda moe mlp gated_deltanet";

/* Where the rules of one stack are written. */
struct writing {
    const struct posenc__part *part;
    struct posenc__layer_rules *rules;
};

static bool is_sliding(const char *type)
{
    return type && (strstr(type, "sliding") || strstr(type, "local"));
}

static bool has_trait(const struct writing *writing, unsigned trait)
{
    return writing->part->type->traits & trait;
}

static void set_type(struct writing *writing, size_t layer, const char *type)
{
    struct posenc__layer_rule *rule = &writing->rules->rules[layer];

    rule->type = type;
    rule->is_local = is_sliding(type);
    if (posenc__has_word(attention_free, type))
        rule->rotates = false;
}

/* Entry of a list that must have one for each layer; more belong to prediction heads. */
static enum posenc_status check_length(const struct writing *writing, const char *member,
                                       size_t length)
{
    if (length >= writing->rules->count)
        return POSENC_OK;
    return posenc__part_refuse(writing->part, POSENC_WRONG_SHAPE, member,
                               "'%s' has %zu entries, but there are %zu layers.",
                               posenc__part_path(writing->part, member), length,
                               writing->rules->count);
}

/* The numbers of a per-layer list, or NULL where the file has none (an empty one counts as none).
 */
static enum posenc_status read_numbers(const struct writing *writing, const char *names,
                                       const double **numbers, struct posenc__fact *fact)
{
    *fact = posenc__part_look(writing->part, names);
    *numbers = NULL;
    if (!fact->value || fact->value->kind != POSENC_ARRAY || fact->value->as.array.rank != 1 ||
        fact->value->as.array.shape[0] == 0)
        return POSENC_OK;
    *numbers = fact->value->as.array.data;
    return check_length(writing, fact->member, fact->value->as.array.shape[0]);
}

/* DeepSeek-V4: a sliding layer turns by the main table, every compressing one by the other. */
static const char *table_of(const char *type)
{
    return is_sliding(type) || strcmp(type, "main") == 0 ? "main" : "compress";
}

/* Types as words; a shorter list of block_types repeats. */
static enum posenc_status take_words(struct writing *writing, bool *found)
{
    const struct posenc__fact fact =
        posenc__part_look(writing->part, "layer_types layers_block_type block_types");
    const bool repeats = strcmp(fact.member, "block_types") == 0;
    enum posenc_status status = POSENC_OK;

    *found = fact.value && fact.value->kind == POSENC_LIST && fact.value->as.list.count > 0;
    if (!*found)
        return POSENC_OK;
    if (!repeats)
        status = check_length(writing, fact.member, fact.value->as.list.count);
    for (size_t i = 0; i < writing->rules->count && status == POSENC_OK; i++) {
        const struct posenc_value *word = &fact.value->as.list.items[i % fact.value->as.list.count];

        if (word->kind != POSENC_TEXT)
            return posenc__part_refuse(writing->part, POSENC_WRONG_TYPE, fact.member,
                                       "'%s' must be a list of texts, one a layer.",
                                       posenc__part_path(writing->part, fact.member));
        set_type(writing, i,
                 has_trait(writing, POSENC__COMPRESS) ? table_of(word->as.text) : word->as.text);
    }
    return status;
}

/* Lists of numbers that tell two types apart: a layer is of the first type where the entry is 0. */
static enum posenc_status take_switch(struct writing *writing, const char *member, const char *zero,
                                      const char *other, bool *found)
{
    struct posenc__fact fact;
    const double *numbers;
    const enum posenc_status status = read_numbers(writing, member, &numbers, &fact);

    *found = numbers != NULL;
    for (size_t i = 0; numbers && status == POSENC_OK && i < writing->rules->count; i++)
        set_type(writing, i, numbers[i] == 0 ? zero : other);
    return status;
}

/* Lists of the layers that are of the one type; the others are of the other. */
static bool take_indices(struct writing *writing, const char *member, const char *listed,
                         const char *others)
{
    const struct posenc_value *list = posenc__part_member(writing->part, member);

    if (!list || list->kind != POSENC_ARRAY || list->as.array.rank != 1)
        return false;
    const double *indices = list->as.array.data;

    for (size_t i = 0; i < writing->rules->count; i++)
        set_type(writing, i, others);
    for (size_t i = 0; i < list->as.array.shape[0]; i++)
        if (indices[i] >= 0 && indices[i] < (double)writing->rules->count) {
            writing->rules->rules[(size_t)indices[i]].rotates = true;
            set_type(writing, (size_t)indices[i], listed);
        }
    return true;
}

/* "LLLG": one letter a layer, repeated; G is global, which means full. */
static void take_letters(struct writing *writing, const char *letters)
{
    const size_t length = strlen(letters);

    for (size_t i = 0; i < writing->rules->count; i++)
        set_type(writing, i, letters[i % length] == 'G' ? FULL : SLIDING);
}

/* Every n-th layer is full: the last of each n, or the first. */
static enum posenc_status take_interval(struct writing *writing, const char *names,
                                        const char *others, bool *found)
{
    const bool first = has_trait(writing, POSENC__GLOBAL_FIRST);
    struct posenc__fact fact = posenc__part_look(writing->part, names);
    size_t interval = 0;
    enum posenc_status status = POSENC_OK;

    *found = fact.value != NULL;
    if (fact.value && fact.value->kind == POSENC_TEXT && *fact.value->as.text) {
        take_letters(writing, fact.value->as.text);
        return POSENC_OK;
    }
    if (fact.value)
        status =
            posenc__part_size(writing->part, names, 1, POSENC_CONFIG_LAYERS_MAX, &fact, &interval);
    for (size_t i = 0; *found && status == POSENC_OK && i < writing->rules->count; i++)
        set_type(writing, i, (first ? i : i + 1) % interval == 0 ? FULL : others);
    if (*found && status == POSENC_OK)
        posenc__part_tell_assumed(writing->part, &fact);
    return status;
}

/* The type of every layer, from the first source that the file or the class has. */
static enum posenc_status take_types(struct writing *writing, bool needs_types)
{
    static const char patterns[] = "sliding_window_pattern _sliding_window_pattern "
                                   "global_attn_every_n_layers layer_switch";
    bool found;
    enum posenc_status status = take_words(writing, &found);

    if (status == POSENC_OK && !found && has_trait(writing, POSENC__COMPRESS))
        status = take_switch(writing, "compress_ratios", "main", "compress", &found);
    if (status == POSENC_OK && !found)
        status = take_switch(writing, "hybrid_layer_pattern", FULL, SLIDING, &found);
    if (status == POSENC_OK && !found)
        status = take_switch(writing, "attn_type_list", "linear_attention", FULL, &found);
    if (status == POSENC_OK && !found)
        found = take_indices(writing, "attn_layer_indices", "attention", "mamba") ||
                take_indices(writing, "full_attn_idxs", FULL, "conv") ||
                take_indices(writing, "hybrid_layer_ids", "hybrid", "mamba");
    if (status == POSENC_OK && !found)
        status = take_interval(writing, "full_attention_interval", "linear_attention", &found);
    if (status == POSENC_OK && !found && needs_types)
        status = take_interval(writing, patterns, SLIDING, &found);
    return status;
}

/* Nemotron-NAS: blocks whose attention was taken out. */
static enum posenc_status skip_blocks(struct writing *writing)
{
    const struct posenc_value *blocks = posenc__part_member(writing->part, "block_configs");
    enum posenc_status status = POSENC_OK;

    if (!blocks || blocks->kind != POSENC_LIST)
        return POSENC_OK;
    status = check_length(writing, "block_configs", blocks->as.list.count);
    for (size_t i = 0; i < writing->rules->count && status == POSENC_OK; i++) {
        static const char *const marks[] = {"attention.no_op", "attention.replace_with_linear"};

        for (size_t k = 0; k < 2; k++) {
            const struct posenc_value *mark =
                posenc__find_path(&blocks->as.list.items[i], marks[k]);

            if (mark && mark->kind == POSENC_BOOLEAN && mark->as.boolean)
                writing->rules->rules[i].rotates = false;
        }
    }
    return status;
}

/* no_rope_layers has a 1 where a layer turns; empty or missing, the interval tells. */
static enum posenc_status take_nope_list(struct writing *writing)
{
    struct posenc__fact fact;
    const double *marks;
    size_t interval;
    enum posenc_status status = read_numbers(writing, "no_rope_layers", &marks, &fact);

    if (status == POSENC_OK)
        status = posenc__part_size(writing->part, "no_rope_layer_interval", 1,
                                   POSENC_CONFIG_LAYERS_MAX, &fact, &interval);
    for (size_t i = 0; i < writing->rules->count && status == POSENC_OK; i++)
        writing->rules->rules[i].rotates =
            marks ? marks[i] != 0 : interval == 0 || (i + 1) % interval != 0;
    return status;
}

/* Lists of bases (0: no rotation) and of shares. */
static enum posenc_status take_lists(struct writing *writing)
{
    struct posenc__fact fact;
    const double *bases, *shares = NULL;
    enum posenc_status status = read_numbers(writing, "layer_rope_theta rope_theta", &bases, &fact);

    for (size_t i = 0; bases && status == POSENC_OK && i < writing->rules->count; i++) {
        if (!(isfinite(bases[i]) && bases[i] >= 0))
            return posenc__part_refuse(writing->part, POSENC_OUT_OF_RANGE, fact.member,
                                       "'%s' must hold numbers of at least 0.",
                                       posenc__part_path(writing->part, fact.member));
        writing->rules->rules[i].base = bases[i];
        writing->rules->rules[i].rotates = writing->rules->rules[i].rotates && bases[i] > 0;
    }
    if (status == POSENC_OK)
        status = read_numbers(writing, "partial_rotary_factors", &shares, &fact);
    for (size_t i = 0; shares && status == POSENC_OK && i < writing->rules->count; i++) {
        if (!(shares[i] > 0 && shares[i] <= 1))
            return posenc__part_refuse(writing->part, POSENC_OUT_OF_RANGE, fact.member,
                                       "'%s' must hold numbers above 0 and up to 1.",
                                       posenc__part_path(writing->part, fact.member));
        writing->rules->rules[i].partial = shares[i];
    }
    return status;
}

/* Cohere2-MoE: the dense layers in front turn although they are full. */
static bool is_dense(const struct writing *writing, size_t layer)
{
    const struct posenc_value *types = posenc__part_member(writing->part, "mlp_layer_types");

    return has_trait(writing, POSENC__DENSE_ROPE) && types && types->kind == POSENC_LIST &&
           layer < types->as.list.count && types->as.list.items[layer].kind == POSENC_TEXT &&
           strcmp(types->as.list.items[layer].as.text, "dense") == 0;
}

/* What the class makes of the types. */
static void apply_traits(struct writing *writing)
{
    struct posenc__layer_rule *rules = writing->rules->rules;
    bool any_local = false;

    for (size_t i = 0; i < writing->rules->count; i++)
        any_local = any_local || rules[i].is_local;
    for (size_t i = 0; i < writing->rules->count; i++) {
        if (has_trait(writing, POSENC__FULL_NOPE) && any_local && !rules[i].is_local &&
            !is_dense(writing, i))
            rules[i].rotates = false;
        if (has_trait(writing, POSENC__SCALED_FULL) && rules[i].is_local)
            rules[i].is_scaled = false;
        if (has_trait(writing, POSENC__LOCAL_BASE) && !has_trait(writing, POSENC__LOCAL_SCALED) &&
            rules[i].is_local)
            rules[i].is_scaled = false;
        if (has_trait(writing, POSENC__COMPRESS) && rules[i].type &&
            strcmp(rules[i].type, "main") == 0)
            rules[i].is_scaled = false;
        if (!has_trait(writing, POSENC__LOCAL_BASE | POSENC__PROPORTIONAL))
            rules[i].is_local = false; /* nothing else asks */
    }
}

/* The indexer's own list: a shared layer uses another's. */
static enum posenc_status take_indexers(struct writing *writing)
{
    const struct posenc_value *types = posenc__part_member(writing->part, "indexer_types");

    if (!types || types->kind != POSENC_LIST)
        return POSENC_OK;
    for (size_t i = 0; i < writing->rules->count && i < types->as.list.count; i++) {
        const struct posenc_value *type = &types->as.list.items[i];

        if (type->kind == POSENC_TEXT && strcmp(type->as.text, "shared") == 0)
            writing->rules->rules[i].rotates = false;
    }
    return check_length(writing, "indexer_types", types->as.list.count);
}

static enum posenc_status write_rules(struct writing *writing, bool by_type)
{
    const unsigned typed =
        POSENC__LOCAL_BASE | POSENC__FULL_NOPE | POSENC__SCALED_FULL | POSENC__PROPORTIONAL;
    enum posenc_status status;

    if (has_trait(writing, POSENC__INDEXER))
        return take_indexers(writing);
    status = take_types(writing, by_type || has_trait(writing, typed));
    if (status == POSENC_OK)
        status = skip_blocks(writing);
    if (status == POSENC_OK && has_trait(writing, POSENC__NOPE_LIST))
        status = take_nope_list(writing);
    if (status == POSENC_OK && has_trait(writing, POSENC__CROSS_LAYERS)) {
        const struct posenc_value *list =
            posenc__part_look(writing->part, "cross_attention_layers").value;
        const double *layers = list && list->kind == POSENC_ARRAY && list->as.array.rank == 1
                                   ? list->as.array.data
                                   : NULL;

        for (size_t i = 0; layers && i < list->as.array.shape[0]; i++)
            if (layers[i] >= 0 && layers[i] < (double)writing->rules->count)
                writing->rules->rules[(size_t)layers[i]].rotates = false;
    }
    if (status == POSENC_OK)
        status = take_lists(writing);
    if (status == POSENC_OK)
        status = posenc__take_own(writing->part, writing->rules);
    if (status == POSENC_OK)
        apply_traits(writing);
    return status;
}

static bool has_list(const struct posenc__part *part, const char *names)
{
    const struct posenc_value *value = posenc__part_look(part, names).value;

    return value && value->kind == POSENC_ARRAY && value->as.array.shape[0] > 0;
}

/* Whether nothing in the file or class tells layers apart; else their number must be known. */
static bool is_uniform(const struct posenc__part *part, bool by_type)
{
    const unsigned typed = POSENC__LOCAL_BASE | POSENC__FULL_NOPE | POSENC__SCALED_FULL |
                           POSENC__PROPORTIONAL | POSENC__NOPE_LIST | POSENC__COMPRESS;

    return !by_type && !(part->type->traits & typed) &&
           !has_list(part, "layer_rope_theta rope_theta") &&
           !has_list(part, "partial_rotary_factors") &&
           !posenc__part_member(part, "per_layer_config");
}

enum posenc_status posenc__read_layer_rules(const struct posenc__part *part, bool by_type,
                                            struct posenc__layer_rules *rules)
{
    struct writing writing = {part, rules};
    bool known;
    enum posenc_status status = posenc__part_layers(part, &known, &rules->count);

    if (status != POSENC_OK)
        return status;
    if (!known)
        rules->count = 0;
    if (rules->count == 0 && !is_uniform(part, by_type))
        return posenc__part_refuse_missing(part, "num_hidden_layers");
    rules->rules = posenc_allocate(part->whole->memory, rules->count + 1, sizeof(*rules->rules));
    if (!rules->rules)
        return posenc__no_memory(part->whole->problem);
    for (size_t i = 0; i <= rules->count; i++)
        rules->rules[i] = (struct posenc__layer_rule){.rotates = true, .is_scaled = true};
    return write_rules(&writing, by_type);
}
