/* Members that layers have of their own, by their index. */
#include "resolving_rows.h"

#define FOUR "hidden_size=1024 num_attention_heads=16 num_hidden_layers=4 "

static const struct use_row rows[] = {
    /* as transformers writes Gemma 4: the width of full layers layer by layer */
    {"model_type=gemma4_text head_dim=96 sliding_window_pattern=2 per_layer_config.01.head_dim=128 "
     "per_layer_config.03.head_dim=128 " FOUR,
     0, "layers=1,3 layer_type=full_attention parameters.dim=128", NULL},
    {"model_type=gemma4_text head_dim=96 sliding_window_pattern=2 per_layer_config.01.head_dim=128 "
     "per_layer_config.03.head_dim=128 " FOUR,
     1, "layers=0,2 layer_type=sliding_attention parameters.dim=96", NULL},
    /* layers of one type that differ */
    {"model_type=llama per_layer_config.2.head_dim=32 " FOUR, 0, "layers=0,1,3 parameters.dim=64",
     NULL},
    {"model_type=llama per_layer_config.2.head_dim=32 " FOUR, 1, "layers=2, parameters.dim=32",
     NULL},
    {"model_type=llama per_layer_config.0.num_attention_heads=8 " FOUR, 0,
     "layers=0, parameters.dim=128", NULL},
    {"model_type=deepseek_v3 per_layer_config.3.qk_nope_head_dim=64 " FOUR, 1,
     "layers=3, parameters.dim=128 parameters.rotary_dim=64 parameters.rotary_offset=64", NULL},
    /* what does not shape a rotation tells no layers apart */
    {"model_type=llama per_layer_config.1.num_local_experts=4 "
     "per_layer_config.2.head_dim=null " FOUR,
     0, "layers=all parameters.dim=64", NULL},
    /* no layer of that index, no object */
    {"model_type=llama per_layer_config.4.head_dim=32 " FOUR, 0, "layers=all", "per_layer_config"},
    {"model_type=llama per_layer_config.a.head_dim=32 " FOUR, 0, "layers=all", "per_layer_config"},
    {"model_type=llama per_layer_config.1=32 " FOUR, 0, "layers=all", "per_layer_config"},
};

Test(resolve_own, gives_a_layer_the_width_of_its_entry)
{
    expect_uses(rows, COUNT_OF(rows));
}

static const struct refused_row refusals[] = {
    {"model_type=llama per_layer_config=7 " FOUR, POSENC_WRONG_TYPE, "per_layer_config"},
    {"model_type=llama per_layer_config.1.head_dim=0 " FOUR, POSENC_OUT_OF_RANGE,
     "per_layer_config.1.head_dim"},
    {"model_type=llama per_layer_config.1.head_dim=wide " FOUR, POSENC_WRONG_TYPE,
     "per_layer_config.1.head_dim"},
    /* whose layers are these? (Gemma's class knows its number of layers, BitNet's does not) */
    {"model_type=bitnet per_layer_config.1.head_dim=32 hidden_size=64 num_attention_heads=4",
     POSENC_MISSING_PARAMETER, "num_hidden_layers"},
};

Test(resolve_own, refuses_entries_that_are_none)
{
    expect_refused(refusals, COUNT_OF(refusals));
}
