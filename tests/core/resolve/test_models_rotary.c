/* Other built-in rotary models against what their files say and what follows. */
#include "resolving_rows.h"

static const struct use_row models[] = {
    {"qwen-7b", 0,
     "parameters.dim=128 parameters.base=1e4 parameters.scaling.rope_type=dynamic_qwen "
     "parameters.scaling.seq_length=2048 query_scale.rule=qwen1_logn",
     NULL},
    {"gemma-2b", 0, "parameters.dim=256 parameters.base=1e4", NULL},
    {"gemma-2-27b", 0, "parameters.dim=128", NULL},
    {"phi-1", 0, "parameters.dim=64 parameters.rotary_dim=32", NULL},
    {"phi-2", 0, "parameters.dim=80 parameters.rotary_dim=32", NULL},
    {"phi-3-mini-4k", 0, "parameters.dim=96 parameters.rotary_dim=96 parameters.base=1e4", NULL},
    {"phi-4", 0, "parameters.dim=128 parameters.base=2.5e5", NULL},
    {"pythia-6.9b", 0, "parameters.dim=128 parameters.rotary_dim=32", NULL},
    {"gpt-neox-20b", 0, "parameters.dim=96 parameters.rotary_dim=24", NULL},
    {"gpt-j-6b", 0, "parameters.dim=256 parameters.rotary_dim=64 parameters.layout=interleaved",
     NULL},
    {"stablelm-3b-4e1t", 0, "parameters.dim=80 parameters.rotary_dim=20", NULL},
    {"falcon-7b", 0, "encoding=rope parameters.dim=64 parameters.base=1e4", NULL},
    {"starcoder2-7b", 0, "parameters.dim=128 parameters.base=1e6", NULL},
    {"olmo-2-7b", 0, "parameters.dim=128 parameters.base=5e5", NULL},
    {"command-r", 0, "parameters.dim=128 parameters.base=8e6 parameters.layout=interleaved", NULL},
    {"chatglm3-6b", 0,
     "parameters.dim=128 parameters.rotary_dim=64 parameters.base=1e4 "
     "parameters.layout=interleaved",
     NULL},
    {"glm-4.5", 0, "parameters.dim=128 parameters.rotary_dim=64 parameters.base=1e6", NULL},
    {"glm-5", 0,
     "parameters.dim=256 parameters.rotary_dim=64 parameters.rotary_offset=192 "
     "parameters.layout=deinterleaved parameters.base=1e6",
     NULL},
    {"glm-5", 1, "component=indexer parameters.dim=128 parameters.layout=deinterleaved", NULL},
    {"minimax-m2.5", 0, "parameters.dim=128 parameters.rotary_dim=64 parameters.base=5e6", NULL},
    {"esm2-650m", 0, "encoding=rope parameters.dim=64", NULL},
};

Test(models_rotary, have_the_heads_bases_and_layouts_of_their_files)
{
    expect_model_uses(models, COUNT_OF(models));
}

/* Correction ranges and factors, by 40 digits. */
static const struct use_row yarn[] = {
    {"gpt-oss-20b", 0,
     "parameters.base=1.5e5 derived.correction_range.raw=8.092779115512402,17.398024501588555 "
     "derived.correction_range.used=8.092779115512402,17.398024501588555 "
     "derived.attention_factor=1.3465735902799727 derived.softmax_scale_multiplier=1",
     NULL},
    {"deepseek-v3", 0,
     "parameters.dim=192 parameters.rotary_offset=128 parameters.layout=deinterleaved "
     "derived.correction_range.raw=10.472240810318027,22.513440636877274 "
     "derived.correction_range.used=10,23 derived.attention_factor=1 "
     "derived.softmax_scale_multiplier=1.8738542070926265",
     NULL},
    {"deepseek-v2-lite", 0,
     "parameters.layout=interleaved derived.attention_factor=1 "
     "derived.softmax_scale_multiplier=1.5896261651208736",
     NULL},
    {"kimi-k2", 0,
     "parameters.base=5e4 derived.correction_range.raw=19.1645748886269,19.1645748886269 "
     "derived.correction_range.used=19,20 derived.attention_factor=1",
     NULL},
};

Test(models_rotary, have_the_correction_ranges_of_their_dictionaries)
{
    expect_model_uses(yarn, COUNT_OF(yarn));
}
