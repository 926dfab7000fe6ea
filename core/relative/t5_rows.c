/* T5's parameters and presets. */
#include <math.h>

#include "t5.h"

const struct posenc_parameter posenc__t5_rows[] = {
    {.name = "bidirectional",
     .type = POSENC_TYPE_BOOLEAN,
     .fallback_note = "encoders have true, with half of the buckets for keys after the query; "
                      "decoders have false",
     .meaning = "whether keys after the query have buckets of their own"},
    {.name = "num_buckets",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NUMBER(32),
     .minimum = 2,
     .maximum = POSENC__T5_BUCKETS_MAX,
     .aliases = POSENC__NAMES("relative_attention_num_buckets"),
     .meaning = "buckets, rows of the learned table; both directions together"},
    {.name = "max_distance",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NUMBER(128),
     .minimum = 2,
     .maximum = INFINITY,
     .aliases = POSENC__NAMES("relative_attention_max_distance"),
     .meaning = "from this distance on, and somewhat before it, all share the last bucket"},
    {.name = NULL},
};

const struct posenc_parameter posenc__t5_list_rows[] = {
    {.name = "relative_positions",
     .type = POSENC_TYPE_INTEGERS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "those of query_length, key_length and query_offset",
     .meaning = "key minus query, a list instead of lengths"},
    {.name = NULL},
};

#define TABLE_MEANING "the learned table [num_buckets, heads], relative_attention_bias.weight"

/* A model's parameters name them, and a table must agree. */
#define HEADS_OF_TABLE .flags = POSENC_OPTIONAL, .fallback_note = "the columns of table"

const struct posenc_parameter posenc__t5_table_rows[] = {
    {.name = "table",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "no bias, buckets only",
     .meaning = TABLE_MEANING},
    {POSENC__HEADS, HEADS_OF_TABLE},
    {.name = NULL},
};

const struct posenc_parameter posenc__t5_apply_rows[] = {
    {.name = "table", .type = POSENC_TYPE_TENSOR, .meaning = TABLE_MEANING},
    {POSENC__HEADS, HEADS_OF_TABLE},
    {.name = NULL},
};

#define BIDIRECTIONAL(x) POSENC__SET_BOOLEAN("bidirectional", x)
#define BUCKETS(x)       POSENC__SET_NUMBER("num_buckets", x)
#define DISTANCE(x)      POSENC__SET_NUMBER("max_distance", x)

const struct posenc_preset posenc__t5_presets[] = {
    {.name = "t5_encoder",
     .meaning = "self-attention of the encoders of T5, mT5, UMT5, LongT5 (local)",
     .settings = {BIDIRECTIONAL(true), BUCKETS(32), DISTANCE(128)}},
    {.name = "t5_decoder",
     .meaning = "self-attention of their decoders; cross-attention has no bias",
     .settings = {BIDIRECTIONAL(false), BUCKETS(32), DISTANCE(128)}},
    {.name = "mpnet",
     .meaning = "MPNet, whose scores are divided by sqrt(head dimension)",
     .settings = {BIDIRECTIONAL(true), BUCKETS(32), DISTANCE(128)}},
    {.name = "wavlm",
     .meaning = "WavLM, which multiplies the bias by a gate of its own",
     .settings = {BIDIRECTIONAL(true), BUCKETS(320), DISTANCE(800)}},
    {.name = "layoutlmv3",
     .meaning = "LayoutLMv2 and v3, token distances; box distances have 64 buckets up to 256",
     .settings = {BIDIRECTIONAL(true), BUCKETS(32), DISTANCE(128)}},
    {.name = NULL},
};
