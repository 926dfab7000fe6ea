/* Parameter rows that several encodings share. */
#include "shared_rows.h"

#include "posenc_models.h"

const struct posenc_parameter posenc__dtype_rows[] = {
    {.name = "dtype",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("float32"),
     .choices = POSENC__NAMES("float64", "float32", "float16", "bfloat16"),
     .meaning = "type of the returned tensors; values are rounded to it once, to nearest even"},
    {.name = NULL},
};

const struct posenc_parameter posenc__preset_rows[] = {
    {.name = "preset",
     .type = POSENC_TYPE_TEXT,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "no preset",
     .meaning = "a named bundle of parameters; explicit ones override it"},
    {.name = NULL},
};

const struct posenc_parameter posenc__position_rows[] = {
    {POSENC__LENGTH, .fallback_note = "required, unless positions or a tensor tell it"},
    {POSENC__OFFSET},
    {POSENC__STEP},
    {.name = "positions",
     .type = POSENC_TYPE_POSITIONS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "length, offset and step",
     .meaning = "the positions themselves, instead of length, offset and step; real numbers"},
    {.name = NULL},
};

const struct posenc_parameter posenc__sequence_axis_rows[] = {
    {.name = "sequence_axis",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NUMBER(-2),
     .minimum = -POSENC_RANK_MAX,
     .maximum = POSENC_RANK_MAX,
     .meaning =
         "the axis of the tensor along which positions run; [batch, seq, heads, dim] has -3"},
    {.name = NULL},
};

const struct posenc_parameter posenc__additive_rows[] = {
    {.name = "x",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "the tensor [..., length, dim] to which the encoding is added"},
    {.name = NULL},
};

const struct posenc_parameter posenc__scores_rows[] = {
    {.name = "scores",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "attention scores [..., heads, query, key] to which the bias is added"},
    {.name = NULL},
};

const struct posenc_parameter posenc__query_key_rows[] = {
    {.name = "q", .type = POSENC_TYPE_TENSOR, .meaning = "queries [..., query, dim]"},
    {.name = "k", .type = POSENC_TYPE_TENSOR, .meaning = "keys [..., key, dim]"},
    {.name = NULL},
};

const struct posenc_parameter posenc_model_parameters[] = {
    {.name = "model",
     .type = POSENC_TYPE_TEXT,
     .flags = POSENC_OPTIONAL | POSENC_SILENT,
     .fallback_note = "no model",
     .meaning = "take the parameters from a built-in model; explicit ones override them"},
    {.name = "config",
     .type = POSENC_TYPE_OBJECT,
     .flags = POSENC_OPTIONAL | POSENC_SILENT | POSENC_OPEN,
     .fallback_note = "no configuration",
     .meaning = "take the parameters from a whole config.json; explicit ones override them"},
    {.name = "layer",
     .type = POSENC_TYPE_TEXT,
     .flags = POSENC_OPTIONAL | POSENC_SILENT,
     .fallback_note = "the first use of the text component",
     .meaning = "which layer of the model or configuration: an index from 0, or the name of a "
                "layer type or component"},
    {.name = NULL},
};
