/* Classes whose layers differ: which layers do what where the file is silent. */
#include "resolving_rows.h"

#define EIGHT "hidden_size=1024 num_attention_heads=16 num_hidden_layers=8 "

/* Use 0 is what rotates on full layers, then what rotates on sliding ones, then none. */
static const struct use_row bases[] = {
    {"model_type=gemma3_text " EIGHT, 0,
     "layer_type=full_attention parameters.base=1e6 parameters.dim=256 layers=5,", NULL},
    {"model_type=gemma3_text " EIGHT, 1,
     "layer_type=sliding_attention parameters.base=1e4 layers=0,1,2,3,4,6,7", NULL},
    {"model_type=gemma3n_text " EIGHT, 0, "parameters.base=1e6 layers=4,", NULL},
    {"model_type=modernbert " EIGHT, 0, "parameters.base=1.6e5 layers=0,3,6", NULL},
    {"model_type=modernbert " EIGHT, 1, "parameters.base=1e4 layers=1,2,4,5,7", NULL},
    {"model_type=mimo_v2_flash " EIGHT, 0, /* int(192 * 0.334) */
     "parameters.base=5e6 parameters.dim=192 parameters.rotary_dim=64", NULL},
    {"model_type=mimo_v2_flash " EIGHT, 1, "parameters.base=1e4 parameters.rotary_dim=64", NULL},
    {"model_type=laguna " EIGHT, 0, "parameters.base=5e5 parameters.rotary_dim=64 layers=3,7",
     NULL},
    {"model_type=laguna " EIGHT, 1, "parameters.base=1e4 parameters.rotary_dim=128", NULL},
    {"model_type=mellum " EIGHT, 0, "parameters.base=5e5 parameters.rotary_dim=128", NULL},
    {"model_type=mellum " EIGHT, 1, "parameters.base=1e4 parameters.rotary_dim=128", NULL},
};

Test(model_types_layered, give_full_and_sliding_layers_their_bases)
{
    expect_uses(bases, COUNT_OF(bases));
}

/* A share of the exponents of 512 channels on full layers; all of 256 on sliding ones. */
static const struct use_row proportional[] = {
    {"model_type=gemma4_text " EIGHT, 0,
     "parameters.dim=512 parameters.base=1e6 parameters.rotary_dim=null "
     "parameters.scaling.rope_type=proportional "
     "parameters.scaling.partial_rotary_factor=0.25 layers=5,",
     NULL},
    {"model_type=gemma4_text " EIGHT, 1,
     "parameters.dim=256 parameters.base=1e4 parameters.rotary_dim=256 parameters.scaling=null",
     NULL},
};

Test(model_types_layered, turn_a_share_of_gemma4s_full_heads)
{
    expect_uses(proportional, COUNT_OF(proportional));
}

/* The main table is plain; the compressed one is scaled, and its cosines never are. */
static const struct use_row compressed[] = {
    {"model_type=deepseek_v4 compress_ratios=0,4 rope_scaling.type=yarn rope_scaling.factor=16 "
     "rope_scaling.original_max_position_embeddings=65536 hidden_size=4096 "
     "num_attention_heads=64 num_hidden_layers=2",
     0,
     "layers=0, parameters.base=1e4 parameters.dim=512 parameters.rotary_dim=64 "
     "parameters.rotary_offset=448 parameters.layout=interleaved parameters.scaling=null",
     NULL},
    {"model_type=deepseek_v4 compress_ratios=0,4 rope_scaling.type=yarn rope_scaling.factor=16 "
     "rope_scaling.original_max_position_embeddings=65536 hidden_size=4096 "
     "num_attention_heads=64 num_hidden_layers=2",
     1,
     "layers=1, parameters.base=1.6e5 parameters.scaling.rope_type=yarn "
     "derived.attention_factor=1",
     NULL},
};

Test(model_types_layered, keep_deepseek_v4s_two_tables_apart)
{
    expect_uses(compressed, COUNT_OF(compressed));
}

#define YARN                                                                                       \
    "rope_scaling.rope_type=yarn rope_scaling.factor=8 "                                           \
    "rope_scaling.original_max_position_embeddings=8192 "

static const struct use_row scaled_full[] = {
    {"model_type=olmo3 " YARN EIGHT, 0,
     "layers=3,7 parameters.base=5e5 parameters.scaling.rope_type=yarn "
     "derived.attention_factor=1.2079441541679836",
     NULL},
    {"model_type=olmo3 " YARN EIGHT, 1, "parameters.base=5e5 parameters.scaling=null", NULL},
    /* modernbert scales both */
    {"model_type=modernbert rope_scaling.rope_type=linear rope_scaling.factor=2 " EIGHT, 1,
     "parameters.base=1e4 parameters.scaling.factor=2", NULL},
    /* gemma 3 scales its full layers only */
    {"model_type=gemma3_text rope_scaling.rope_type=linear rope_scaling.factor=8 " EIGHT, 0,
     "parameters.scaling.factor=8", NULL},
    {"model_type=gemma3_text rope_scaling.rope_type=linear rope_scaling.factor=8 " EIGHT, 1,
     "parameters.scaling=null", NULL},
};

Test(model_types_layered, scale_the_layers_that_the_class_scales)
{
    expect_uses(scaled_full, COUNT_OF(scaled_full));
}

static const struct use_row without[] = {
    {"model_type=cohere2 " EIGHT, 0, "parameters.layout=interleaved layers=0,1,2,4,5,6", NULL},
    {"model_type=cohere2 " EIGHT, 1, "encoding=none layers=3,7", NULL},
    {"model_type=exaone4 sliding_window=4096 " EIGHT, 1, "encoding=none layers=3,7", NULL},
    {"model_type=exaone4 " EIGHT, 0, "encoding=rope layers=all", NULL}, /* the 1.2B */
    {"model_type=afmoe " EIGHT, 1, "encoding=none layers=3,7", NULL},
    {"model_type=smollm3 " EIGHT, 0, "parameters.base=2e6 layers=0,1,2,4,5,6", NULL},
    {"model_type=smollm3 " EIGHT, 1, "encoding=none layers=3,7", NULL},
    {"model_type=llama4_text " EIGHT, 0,
     "parameters.base=5e5 parameters.dim=128 parameters.layout=interleaved query_scale=null", NULL},
    {"model_type=llama4_text " EIGHT, 1,
     "encoding=none query_scale.attn_scale=0.1 query_scale.floor_scale=8192", NULL},
    {"model_type=mllama_text_model " EIGHT, 0, "parameters.base=5e5 layers=0,1,2,4,5,6,7", NULL},
    {"model_type=mllama_text_model " EIGHT, 1, "encoding=none layers=3,", NULL},
};

Test(model_types_layered, leave_layers_without_rotation_where_the_class_does)
{
    expect_uses(without, COUNT_OF(without));
}

/* Attention on some layers only: state spaces and convolutions have no positions. */
static const struct use_row some[] = {
    {"model_type=qwen3_next " EIGHT, 0, /* 0.25 of 256 */
     "layers=3,7 parameters.dim=256 parameters.rotary_dim=64", NULL},
    {"model_type=bamba " EIGHT, 0, "parameters.rotary_dim=32 parameters.base=1e4", NULL},
    {"model_type=lfm2 " EIGHT, 0, "parameters.base=1e6", NULL},
    {"model_type=recurrent_gemma " EIGHT, 0, "parameters.dim=64 parameters.rotary_dim=32", NULL},
};

Test(model_types_layered, turn_on_attention_layers_only)
{
    expect_uses(some, COUNT_OF(some));
}
