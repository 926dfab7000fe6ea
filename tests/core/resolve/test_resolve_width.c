/* How wide a head is and what of it turns: the file's words, and those that contradict. */
#include "resolving_rows.h"

/* A hidden size that 16 heads do not divide evenly. */
#define UNEVEN "hidden_size=1000 num_attention_heads=16 num_hidden_layers=2 "

static const struct use_row widths[] = {
    {"model_type=llama " WIDE, 0, "parameters.dim=64 parameters.rotary_dim=64", NULL},
    {"model_type=llama head_dim=128 " WIDE, 0, "parameters.dim=128", NULL},
    {"model_type=llama head_dim=null " WIDE, 0, "parameters.dim=64", NULL},
    {"model_type=qwen3 " WIDE, 0, "parameters.dim=128", "head_dim"},
    {"model_type=qwen3 head_dim=null " WIDE, 0, "parameters.dim=64", NULL},
    {"model_type=moonshine hidden_size=288 encoder_num_attention_heads=8 "
     "encoder_num_hidden_layers=6",
     0, "parameters.dim=36 parameters.rotary_dim=32", NULL},
    {"model_type=qwen kv_channels=128 " WIDE, 0, "parameters.dim=128", NULL},
    {"model_type=zamba2 use_mem_rope=true attention_head_dim=80 " WIDE, 0, "parameters.dim=80",
     NULL},
    {"model_type=gptj n_embd=1024 n_head=8 n_layer=2", 0, "parameters.dim=128", NULL},
    {"model_type=llama d_model=1024 n_heads=8 n_layers=2", 0, "parameters.dim=128", NULL},
    {"model_type=llama " UNEVEN, 0, "parameters.dim=62", "num_attention_heads"},
    {"model_type=llama num_attention_heads=16 num_hidden_layers=2", 0, "parameters.dim=256",
     "hidden_size"}, /* 4096 of the class */
    /* full and sliding layers of Gemma 4, MiMo-V2 */
    {"model_type=gemma4_text global_head_dim=128 head_dim=96 sliding_window_pattern=2 " WIDE, 0,
     "layers=1, parameters.dim=128", NULL},
    {"model_type=gemma4_text global_head_dim=128 head_dim=96 sliding_window_pattern=2 " WIDE, 1,
     "layers=0, parameters.dim=96", NULL},
    /* the class's word for one type of layer beside the file's for the others */
    {"model_type=gemma4_text head_dim=96 sliding_window_pattern=2 " WIDE, 0,
     "layers=1, parameters.dim=512", NULL},
    {"model_type=mimo_v2_flash swa_head_dim=96 head_dim=192 sliding_window_pattern=2 " WIDE, 1,
     "parameters.dim=96 parameters.rotary_dim=32", NULL},
};

Test(resolve_width, is_the_files_word_or_the_quotient_of_its_numbers)
{
    expect_uses(widths, COUNT_OF(widths));
}

static const struct use_row shares[] = {
    {"model_type=phi hidden_size=2560 num_attention_heads=32 num_hidden_layers=2 "
     "partial_rotary_factor=0.4",
     0, "parameters.dim=80 parameters.rotary_dim=32", NULL},
    {"model_type=llama head_dim=192 partial_rotary_factor=0.334 " WIDE, 0,
     "parameters.rotary_dim=64", NULL},
    {"model_type=gpt_neox rotary_pct=0.5 " WIDE, 0, "parameters.rotary_dim=32", NULL},
    {"model_type=stablelm rope_pct=0.5 " WIDE, 0, "parameters.rotary_dim=32", NULL},
    {"model_type=nomic_bert rotary_emb_fraction=0.5 " WIDE, 0, "parameters.rotary_dim=32", NULL},
    {"model_type=llama rope_parameters.rope_type=default "
     "rope_parameters.partial_rotary_factor=0.75 " WIDE,
     0, "parameters.rotary_dim=48", NULL},
    /* the dictionary's share before the top's */
    {"model_type=llama partial_rotary_factor=0.5 rope_parameters.rope_type=default "
     "rope_parameters.partial_rotary_factor=0.75 " WIDE,
     0, "parameters.rotary_dim=48", "partial_rotary_factor"},
    /* a width in channels: alone, beside the class's share, and against the file's */
    {"model_type=llama rotary_dim=32 " WIDE, 0, "parameters.rotary_dim=32", NULL},
    {"model_type=phi rotary_dim=24 " WIDE, 0, "parameters.rotary_dim=24", NULL},
    {"model_type=phi partial_rotary_factor=0.5 rotary_dim=32 " WIDE, 0, "parameters.rotary_dim=32",
     NULL},
    {"model_type=phi partial_rotary_factor=0.5 rotary_dim=24 " WIDE, 0, "parameters.rotary_dim=32",
     "rotary_dim"},
    /* MiniMax: the class's width, unless the file has a share */
    {"model_type=minimax_m2 " WIDE, 0, "parameters.dim=128 parameters.rotary_dim=64", NULL},
    {"model_type=minimax_m2 partial_rotary_factor=0.25 " WIDE, 0, "parameters.rotary_dim=32", NULL},
    {"model_type=step3p5 partial_rotary_factors=0.5,1 " WIDE, 0,
     "layers=0, parameters.rotary_dim=64", NULL}, /* its class has heads of 128 channels */
};

Test(resolve_width, turns_the_share_or_the_channels_that_are_named)
{
    expect_uses(shares, COUNT_OF(shares));
}

static const struct use_row split[] = {
    {"model_type=deepseek_v3 head_dim=64 qk_nope_head_dim=96 qk_rope_head_dim=32 " WIDE, 0,
     "parameters.dim=128 parameters.rotary_dim=32 parameters.rotary_offset=96", NULL},
    {"model_type=deepseek_v3 qk_nope_head_dim=0 qk_rope_head_dim=32 " WIDE, 0,
     "parameters.dim=32 parameters.rotary_offset=null", NULL},
    /* a share must not be taken of what turns already */
    {"model_type=deepseek_v3 partial_rotary_factor=0.5 " WIDE, 0, "parameters.rotary_dim=64", NULL},
    {"model_type=deepseek_v4 head_dim=256 qk_rope_head_dim=32 compress_ratios=0,0 " WIDE, 0,
     "parameters.dim=256 parameters.rotary_dim=32 parameters.rotary_offset=224", NULL},
    {"model_type=deepseek_v32 index_head_dim=96 qk_rope_head_dim=32 " WIDE, 1,
     "parameters.dim=96 parameters.rotary_dim=32 parameters.rotary_offset=null", NULL},
};

Test(resolve_width, takes_latent_heads_apart)
{
    expect_uses(split, COUNT_OF(split));
}

static const struct refused_row refusals[] = {
    {"model_type=phi hidden_size=16 num_hidden_layers=1", POSENC_MISSING_PARAMETER,
     "num_attention_heads"},
    {"model_type=phi num_attention_heads=16 num_hidden_layers=1", POSENC_MISSING_PARAMETER,
     "hidden_size"},
    {"model_type=llama head_dim=0 " WIDE, POSENC_OUT_OF_RANGE, "head_dim"},
    {"model_type=llama head_dim=16385 " WIDE, POSENC_OUT_OF_RANGE, "head_dim"},
    {"model_type=llama head_dim=63 " WIDE, POSENC_OUT_OF_RANGE, "head_dim"}, /* odd */
    {"model_type=llama head_dim=64.5 " WIDE, POSENC_WRONG_TYPE, "head_dim"},
    {"model_type=llama head_dim=128 partial_rotary_factor=0.7 " WIDE, POSENC_OUT_OF_RANGE,
     "partial_rotary_factor"}, /* 89 channels */
    {"model_type=llama partial_rotary_factor=1.5 " WIDE, POSENC_OUT_OF_RANGE,
     "partial_rotary_factor"},
    /* 0 is no word for the whole head */
    {"model_type=llama partial_rotary_factor=0 " WIDE, POSENC_OUT_OF_RANGE,
     "partial_rotary_factor"},
    {"model_type=llama rope_parameters.rope_type=default "
     "rope_parameters.partial_rotary_factor=0 " WIDE,
     POSENC_OUT_OF_RANGE, "rope_parameters.partial_rotary_factor"},
    {"model_type=nomic_bert rotary_emb_fraction=0 " WIDE, POSENC_OUT_OF_RANGE,
     "rotary_emb_fraction"},
    {"model_type=llama rotary_dim=66 " WIDE, POSENC_OUT_OF_RANGE, "rotary_dim"},
    {"model_type=llama rotary_dim=1 " WIDE, POSENC_OUT_OF_RANGE, "rotary_dim"},
    {"model_type=axk2 " WIDE, POSENC_MISSING_PARAMETER, "qk_nope_head_dim"},
    {"model_type=zorgon kv_lora_rank=4 qk_rope_head_dim=7 " WIDE, POSENC_OUT_OF_RANGE,
     "qk_rope_head_dim"},
    {"model_type=deepseek_v4 head_dim=32 qk_rope_head_dim=64 compress_ratios=0,0 " WIDE,
     POSENC_OUT_OF_RANGE, "qk_rope_head_dim"},
};

Test(resolve_width, refuses_heads_that_cannot_turn_by_the_member_at_fault)
{
    expect_refused(refusals, COUNT_OF(refusals));
}
