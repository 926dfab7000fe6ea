/* ALiBi's parameters and presets. */
#include "alibi.h"

#include "relative.h"

const struct posenc_parameter posenc__alibi_rows[] = {
    {POSENC__HEADS, .flags = POSENC_OPTIONAL,
     .fallback_note = "required, unless slopes or scores tell it"},
    {POSENC__QUERY_LENGTH, .flags = POSENC_FROM_TENSOR},
    {POSENC__KEY_LENGTH},
    {.name = "form",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("signed"),
     .choices = POSENC__NAMES("signed", "symmetric", "clamped", "key_index", "key_index_right"),
     .meaning = "m (j - i); -m |i - j|; m (j - i) but 0 for future keys; m j; or m (j - last), "
                "with i the query's and "
                "j the key's position"},
    {POSENC__MASK, .flags = POSENC_OPTIONAL,
     .fallback_note = "causal for the form signed, else none",
     .meaning = "causal: keys after the query are masked"},
    {.name = "slopes",
     .instead_of = POSENC__NAMES("bias_max"),
     .type = POSENC_TYPE_REALS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "the slope_rule's",
     .meaning = "the slopes themselves, one a head"},
    {.name = "slope_rule",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("press"),
     .choices = POSENC__NAMES("press", "geometric"),
     .meaning = "heads that are no power of two: the released code's interleaved slopes, or one "
                "geometric series"},
    {.name = "bias_max",
     .type = POSENC_TYPE_REAL,
     POSENC__DEFAULT_NUMBER(8),
     .flags = POSENC_ABOVE,
     .minimum = 0,
     .maximum = 512,
     .aliases = POSENC__NAMES("alibi_bias_max"),
     .meaning = "B of m = 2^(-B (h + 1) / heads): 8 in the paper, 16 in MPT-7B-StoryWriter"},
    {.name = "alignment",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("bottom_right"),
     .choices = POSENC__NAMES("bottom_right", "top_left"),
     .meaning = "where the queries stand when there are fewer or more of them than keys: at the "
                "end of the keys, or at "
                "their start"},
    {.name = "right_slopes",
     .type = POSENC_TYPE_REALS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "the same slopes on both sides",
     .meaning = "other slopes for keys after the query, one a head"},
    {.name = "one_sided",
     .type = POSENC_TYPE_BOOLEAN,
     POSENC__DEFAULT_BOOLEAN(false),
     .meaning = "the first half of the heads sees only keys up to the query, the second only keys "
                "from it on; both use "
                "the slopes of half the heads"},
    {.name = "distance_scale",
     .type = POSENC_TYPE_REAL,
     POSENC__DEFAULT_NUMBER(1),
     .minimum = -POSENC_POSITION_MAX,
     .maximum = POSENC_POSITION_MAX,
     .meaning = "multiplies distances: trained length / length interpolates"},
    {.name = "attention_mask",
     .type = POSENC_TYPE_INTEGERS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "keys count from 0",
     .minimum = 0,
     .maximum = 1,
     .meaning = "1 for each key that counts: keys then stand at BLOOM's positions, (cumulated mask "
                "- 1) mask"},
    {.name = "masked",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("-inf"),
     .choices = POSENC__NAMES("-inf", "finfo_min"),
     .meaning = "how masked entries are written: minus infinity, or the dtype's most negative "
                "finite value"},
    {.name = "arithmetic",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("exact"),
     .choices = POSENC__NAMES("exact", "bfloat16"),
     .meaning = "exact: one rounding at the end; bfloat16: slopes, distances and products rounded "
                "to bfloat16, as "
                "Falcon does"},
    {.name = "inside_scale",
     .type = POSENC_TYPE_BOOLEAN,
     POSENC__DEFAULT_BOOLEAN(false),
     .meaning = "the bias stands inside attention's 1 / sqrt(dim), as in Falcon; apply then "
                "divides it and needs dim"},
    {.name = NULL},
};

const struct posenc_parameter posenc__alibi_apply_rows[] = {
    {POSENC__WIDTH, .flags = POSENC_OPTIONAL, .fallback_note = "only needed with inside_scale",
     .aliases = POSENC__NAMES("head_dim"), .meaning = "head dimension"},
    {.name = NULL},
};

#define FORM(name) POSENC__SET_TEXT("form", name)
#define MASK(name) POSENC__SET_TEXT("mask", name)

const struct posenc_preset posenc__alibi_presets[] = {
    {.name = "press",
     .meaning = "the released code: m j with the causal mask",
     .settings = {FORM("key_index"), MASK("causal")}},
    {.name = "bloom",
     .meaning =
         "BLOOM: m j; positions by cumulated mask where attention_mask is sent; masked elsewhere",
     .settings = {FORM("key_index"), MASK("none")}},
    {.name = "mpt",
     .meaning = "MPT, llm-foundry: m (j - last), 0 for the last key; masked elsewhere",
     .settings = {FORM("key_index_right"), MASK("none")}},
    {.name = "falcon",
     .meaning = "Falcon-RW: m j in bfloat16, divided by sqrt(dim) with the scores",
     .settings = {FORM("key_index"), MASK("none"), POSENC__SET_TEXT("arithmetic", "bfloat16"),
                  POSENC__SET_BOOLEAN("inside_scale", true)}},
    {.name = "baichuan",
     .meaning = "Baichuan 13B: m j with the causal mask",
     .settings = {FORM("key_index"), MASK("causal")}},
    {.name = "jina",
     .meaning = "Jina BERT v2 and other encoders: -m |i - j|",
     .settings = {FORM("symmetric"), MASK("none")}},
    {.name = "flash_attention",
     .meaning = "FlashAttention without causal: -m |i + key_length - query_length - j|",
     .settings = {FORM("symmetric"), MASK("none"), POSENC__SET_TEXT("alignment", "bottom_right")}},
    {.name = NULL},
};
