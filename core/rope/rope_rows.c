/* RoPE's parameters. */
#include <math.h>

#include "rope.h"

/* posenc__position_rows, but positions may have several axes, and holes. */
const struct posenc_parameter posenc__rope_position_rows[] = {
    {POSENC__LENGTH, .fallback_note = "required, unless positions, a grid or a tensor tell it"},
    {POSENC__OFFSET},
    {POSENC__STEP},
    {.name = "positions",
     .type = POSENC_TYPE_POSITIONS,
     .flags = POSENC_OPTIONAL | POSENC_NULLS,
     .fallback_note = "length, offset and step, or grid",
     .meaning =
         "instead of length, offset and step: real numbers; one list per axis with "
         "mrope_section (T, H, W) or axes_rule, where null (or \"NaN\") is a token that does "
         "not turn"},
    {.name = NULL},
};

const struct posenc_parameter posenc__rope_rows[] = {
    {POSENC__WIDTH, .flags = POSENC_FROM_TENSOR,
     .aliases = POSENC__NAMES("head_dim", "embed_dim", "d_model"), .meaning = "head dimension"},
    {.name = "rotary_dim",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "dim, or what partial_rotary_factor leaves of it",
     .minimum = 1,
     .maximum = POSENC_DIM_MAX,
     .meaning = "how many channels turn; even"},
    {.name = "partial_rotary_factor",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_OPTIONAL | POSENC_ABOVE,
     .fallback_note = "1",
     .minimum = 0,
     .maximum = 1,
     .aliases = POSENC__NAMES("rotary_pct"),
     .instead_of = POSENC__NAMES("rotary_dim"),
     .meaning = "instead of rotary_dim: the share of dim that turns, its product truncated"},
    {.name = "rotary_offset",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NUMBER(0),
     .minimum = 0,
     .maximum = POSENC_DIM_MAX,
     .meaning = "the first channel that turns; dim - rotary_dim for heads that are [nope | rope]"},
    {POSENC__BASE, .aliases = POSENC__NAMES("theta", "rope_theta"),
     .meaning = "pair i turns by base^(-2i / rotary_dim) radians per position"},
    {.name = "scaling",
     .type = POSENC_TYPE_OBJECT,
     .flags = POSENC_OPEN,
     POSENC__DEFAULT_NULL,
     .members = posenc__rope_scaling_rows,
     .aliases = POSENC__NAMES("rope_scaling", "rope_parameters"),
     .meaning = "a rope_scaling or rope_parameters dictionary as it stands in a config.json"},
    {.name = "sequence_length",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "length, when positions are 0 to length - 1",
     .minimum = 1,
     .maximum = INFINITY,
     .meaning = "the length that the schemes dynamic and longrope depend on"},
    {.name = "max_position_embeddings",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note =
         "required by dynamic, used by yarn and longrope where the dictionary has no factor",
     .minimum = 1,
     .maximum = INFINITY,
     .meaning = "as in config.json"},
    {.name = "original_max_position_embeddings",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "the dictionary's",
     .minimum = 1,
     .maximum = INFINITY,
     .meaning = "as at the top of some config.json files; counts as the dictionary's"},
    {.name = "yarn_dialect",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("transformers"),
     .choices = POSENC__NAMES("transformers", "deepseek"),
     .meaning =
         "how mscale without mscale_all_dim counts: not at all, or as in DeepSeek's own code"},
    {.name = "attention_factor",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("apply"),
     .choices = POSENC__NAMES("apply", "omit"),
     .meaning = "whether cos and sin are multiplied by the scheme's attention factor"},
    {.name = "direction",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NUMBER(1),
     .minimum = -1,
     .maximum = 1,
     .meaning = "1: turn by the angle; -1: by the negative angle (nanochat)"},
    {.name = "mrope_section",
     .type = POSENC_TYPE_INTEGERS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "one axis",
     .minimum = 0,
     .maximum = POSENC_DIM_MAX,
     .meaning =
         "pairs per axis, for positions of several axes; they sum to rotary_dim / 2, or to dim / 2 "
         "with the scheme proportional"},
    {.name = "mrope_order",
     .type = POSENC_TYPE_CHOICE,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "required with mrope_section",
     .choices = POSENC__NAMES("chunked", "interleaved", "ernie"),
     .meaning = "how pairs are dealt to axes: in blocks (Qwen2-VL), T H W T H W ... (Qwen3-VL), or "
                "H W ... then T "
                "(Ernie)"},
    {.name = "inv_freq",
     .type = POSENC_TYPE_REALS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "from base and scaling",
     .instead_of = POSENC__NAMES("base", "scaling"),
     .meaning = "the frequencies themselves, radians per position, one a pair"},
    {.name = "arithmetic",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("exact"),
     .choices = POSENC__NAMES("exact", "float32", "ggml", "bfloat16_table"),
     .meaning = "exact: one rounding at the end; float32: transformers' sequence of roundings; "
                "ggml: its iterated "
                "product; bfloat16_table: exact cos and sin kept as bfloat16"},
    {.name = NULL},
};

const struct posenc_parameter posenc__rope_table_rows[] = {
    {.name = "layout",
     .type = POSENC_TYPE_CHOICE,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "tables do not depend on it",
     .choices = POSENC__NAMES("half", "interleaved", "deinterleaved", "mixed"),
     .meaning = "which channels make a pair when the table is applied"},
    {.name = "table_layout",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("pairs"),
     .choices = POSENC__NAMES("pairs", "half", "interleaved", "cos_sin"),
     .meaning = "one column a pair; all pairs twice (transformers); each pair twice in a row; or "
                "cos then sin in one "
                "tensor (vLLM)"},
    {.name = NULL},
};

const struct posenc_parameter posenc__rope_apply_rows[] = {
    {.name = "x",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "at least one of x, q and k",
     .meaning = "a tensor [..., length, dim] to rotate"},
    {.name = "q",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "at least one of x, q and k",
     .meaning = "queries [..., length, dim] to rotate"},
    {.name = "k",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "at least one of x, q and k",
     .meaning = "keys [..., length, dim] to rotate"},
    {.name = "layout",
     .type = POSENC_TYPE_CHOICE,
     .choices = POSENC__NAMES("half", "interleaved", "deinterleaved", "mixed"),
     .fallback_note =
         "half pairs channel i with i + rotary_dim/2 (llama and most models in transformers, "
         "GPT-NeoX), "
         "interleaved pairs 2i with 2i + 1 (GPT-J, Cohere, GLM, Meta's own Llama files), "
         "deinterleaved "
         "takes adjacent pairs and puts out halves (DeepSeek-V3 in transformers, many tutorials), "
         "mixed pairs 2i with 2i + 1 but turns channel j by angle j modulo the pairs (V-JEPA 2)",
     .meaning = "which channels make a pair"},
    {.name = "inverse",
     .type = POSENC_TYPE_BOOLEAN,
     POSENC__DEFAULT_BOOLEAN(false),
     .meaning = "undo the rotation: negated sine, divided by the squared attention factor; "
                "deinterleaved then takes halves and puts out adjacent pairs"},
    {.name = "cos",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "computed",
     .meaning = "a table of your own instead of all that shapes angles: any numbers [positions, "
                "pairs], whose rows the positions name, or [batch, length, pairs]"},
    {.name = "sin",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "computed",
     .meaning = "as cos"},
    {.name = "xpos",
     .type = POSENC_TYPE_OBJECT,
     POSENC__DEFAULT_NULL,
     .members = posenc__rope_xpos_rows,
     .meaning = "xPos: q and x grow by zeta^((p - center) / scale_base), k shrinks by it; zeta of "
                "pair i is (2i / rotary_dim + gamma) / (1 + gamma)"},
    {.name = NULL},
};
