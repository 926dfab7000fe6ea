/*
 * The table of model types: what a class of models makes of its config.json where the file itself
 * does not say it. One row per family of types that do the same.
 */
#ifndef POSENC_MODEL_TYPES_H
#define POSENC_MODEL_TYPES_H

#include "internal.h"

/* How positions enter, and with it which members are read. */
enum posenc__model_kind {
    POSENC__KIND_ROPE,
    POSENC__KIND_GRID, /* rotary over rows and columns (and frames): a preset of rope */
    POSENC__KIND_NONE,
    POSENC__KIND_LEARNED,   /* a table, one row per position */
    POSENC__KIND_PATCHES,   /* a table, one row per image patch and class token */
    POSENC__KIND_SINE_GRID, /* sines over rows and columns */
    POSENC__KIND_SINUSOIDAL,
    POSENC__KIND_ALIBI,
    POSENC__KIND_T5,
    POSENC__KIND_DEBERTA,
    POSENC__KIND_SHAW,
    POSENC__KIND_TRANSFORMER_XL,
    POSENC__KIND_SWIN,
    POSENC__KIND_FOREIGN, /* a rule that no encoding here has; the note says which */
    POSENC__KIND_COUNT,
};

/* What a class does of its own; members of a config as in rope.h's and HF's names. */
enum posenc__model_trait {
    POSENC__MLA = 1 << 0,        /* the head is [nope | rope]: qk_nope_head_dim, qk_rope_head_dim */
    POSENC__ROPE_LAST = 1 << 1,  /* the last qk_rope_head_dim channels of head_dim turn */
    POSENC__LOCAL_BASE = 1 << 2, /* sliding layers have a base of their own and no scaling */
    POSENC__LOCAL_SCALED = 1 << 3, /* with POSENC__LOCAL_BASE: but they are scaled alike */
    POSENC__SCALED_FULL = 1 << 4,  /* the scaling belongs to full layers only */
    POSENC__FULL_NOPE = 1 << 5,    /* full layers have no rotation where there are sliding ones */
    POSENC__NOPE_LIST = 1 << 6,    /* no_rope_layers, no_rope_layer_interval */
    POSENC__COMPRESS = 1 << 7,     /* compress_ratios: main and compress tables */
    POSENC__PROPORTIONAL = 1 << 8, /* full layers: proportional unless the file says otherwise */
    POSENC__FIXED_BASE = 1 << 9,   /* the file cannot change the base */
    POSENC__NEGATIVE = 1 << 10,    /* turns by the negative angle */
    POSENC__INDEXER = 1 << 11,     /* the sparse attention's indexer: index_head_dim */
    POSENC__QUERY_LLAMA4 = 1 << 12,
    POSENC__QUERY_MINISTRAL3 = 1 << 13,
    POSENC__QUERY_LOGN = 1 << 14,
    POSENC__QWEN_DYNAMIC = 1 << 15, /* use_dynamic_ntk with seq_length */
    POSENC__CROSS_LAYERS = 1 << 16, /* cross_attention_layers have no rotation */
    POSENC__UNIT_FACTOR = 1 << 17,  /* cos and sin are never scaled */
    POSENC__DENSE_ROPE = 1 << 18,   /* with POSENC__FULL_NOPE: dense prefix layers turn, too */
    POSENC__GLOBAL_FIRST = 1 << 19, /* every n-th layer from 0 on is full, not the last of n */
};

/* A member whose value makes another row apply; the first one that fits wins. */
struct posenc__model_variant {
    const char *member; /* dotted; NULL ends the list */
    const char *value;  /* a word, "true", "false", "null" (absent or null) or "any" */
    const char *row;    /* name of the row, in the same component */
};

#define POSENC__VARIANTS_MAX 4

struct posenc__model_type {
    const char *names;     /* space-separated model_type values; "name()" for rows that only other
                              rows lead to */
    const char *component; /* text, vision, audio, encoder, decoder, indexer */
    enum posenc__model_kind kind;
    const char *layout;    /* half, interleaved, deinterleaved or mixed, where something turns */
    unsigned traits;       /* enum posenc__model_trait */
    const char *defaults;  /* class defaults, as facts.h reads them */
    const char *constants; /* parameters of the encoding that are the class's, not the file's */
    const char *order;     /* mrope_order, where the class has sections */
    const char *also;      /* another row that applies to the same file; or NULL */
    const char *note;      /* a sentence for the caller, or NULL; of a foreign rule: what it does */
    struct posenc__model_variant variants[POSENC__VARIANTS_MAX + 1];
};

/* The row of that model_type and component, or NULL. */
const struct posenc__model_type *posenc__find_model_type(const char *name, const char *component);

/*
 * The row whose type an architecture is named after ("Qwen3MoeForCausalLM": qwen3_moe), or NULL.
 * `name` takes the type's name, which is not ended by a NUL byte but by a space or the end.
 */
const struct posenc__model_type *posenc__find_architecture(const char *architecture,
                                                           const char *component);

/* The known model_type nearest to a misspelt one, in `text` (size bytes); false when none is near.
 */
bool posenc__suggest_model_type(const char *name, char *text, size_t size);

/* The tables, each ended by a row without names. */
extern const struct posenc__model_type posenc__rope_types[];
extern const struct posenc__model_type posenc__layered_types[];
extern const struct posenc__model_type posenc__multimodal_types[];
extern const struct posenc__model_type posenc__vision_types[];
extern const struct posenc__model_type posenc__other_types[];

#endif
