/* Classes whose layers all turn alike: what each takes where the file is silent. */
#include "resolving_rows.h"

#include <stdio.h>

/* Heads of 64 channels, unless the class has a width of its own. */
struct class_row {
    const char *types, *layout;
    double base, dim, rotary_dim;
};

#define HALF "half"
#define ADJ  "interleaved"
#define DEI  "deinterleaved"

/* As published, class by class; the numbers that one has to know. */
static const struct class_row classes[] = {
    {"llama mistral ministral qwen2 qwen2_moe phi3 starcoder2 olmo olmo2 olmoe granite deepseek "
     "hunyuan_v1_dense arcee dots1 internlm2 baichuan falcon esmc idefics chameleon eurobert",
     HALF, 1e4, 64, 64},
    {"mixtral phimoe emu3", HALF, 1e6, 64, 64},
    {"solar_open cwm", HALF, 1e6, 128, 128},
    {"seed_oss jetmoe", HALF, 1e4, 128, 128},
    {"flex_olmo nemotron-nas bitnet csm csm_depth_decoder_model evolla", HALF, 5e5, 64, 64},
    {"qwen3", HALF, 1e4, 128, 128},
    {"qwen3_moe", HALF, 1e4, 64, 64}, /* its class has no head_dim */
    {"gemma gemma2", HALF, 1e4, 256, 256},
    {"phi persimmon nemotron glmasr", HALF, 1e4, 64, 32},
    {"fuyu", HALF, 2.5e4, 64, 32},
    {"gpt_neox stablelm", HALF, 1e4, 64, 16},
    {"gpt_neox_japanese qwen", HALF, 1e4, 64, 64},
    {"glm4_moe", HALF, 1e4, 128, 64},
    {"minimax", HALF, 1e6, 128, 64},
    {"minimax_m2 minimax_m3_vl_text", HALF, 5e6, 128, 64},
    {"hy_v3", HALF, 11158840, 128, 128},
    {"apertus apertus1p5_text", HALF, 1.2e7, 64, 64},
    {"higgs_audio_v2", HALF, 5e5, 128, 128},
    {"openelm dbrx", HALF, 1e4, 64, 64},
    {"pe_audio jina_embeddings_v3", HALF, 2e4, 64, 64},
    {"nomic_bert", HALF, 1e3, 64, 64},
    {"timesfm2_5", HALF, 1e4, 80, 80},
    {"gptj codegen roformer", ADJ, 1e4, 64, 64},
    {"cohere ernie4_5_moe", ADJ, 5e5, 64, 64},
    {"ernie4_5", ADJ, 5e5, 128, 128},
    {"glm glm4", ADJ, 1e4, 128, 64},
    {"chatglm", ADJ, 1e4, 128, 64},
    {"helium", ADJ, 1e5, 128, 128},
    {"musicflamingo", ADJ, 1200, 64, 12}, /* int(64 * 0.2) */
};

static void expect_class(const char *type, const struct class_row *row)
{
    char facts[160];

    (void)snprintf(facts, sizeof(facts), "model_type=%s " WIDE, type);
    struct resolved resolved = resolve(facts);

    cr_assert_eq(use_count(&resolved), 1, "%s", type);
    cr_expect_str_eq(text_in(&resolved, 0, "parameters.layout"), row->layout, "%s", type);
    cr_expect_eq(number_in(&resolved, 0, "parameters.base"), row->base, "%s", type);
    cr_expect_eq(number_in(&resolved, 0, "parameters.dim"), row->dim, "%s", type);
    cr_expect_eq(number_in(&resolved, 0, "parameters.rotary_dim"), row->rotary_dim, "%s", type);
    resolved_release(&resolved);
}

Test(model_types_rope, take_the_layout_base_and_width_of_their_class)
{
    for (size_t i = 0; i < COUNT_OF(classes); i++) {
        const char *types = classes[i].types;

        for (size_t length; (length = posenc__next_word(&types)) > 0; types += length) {
            char type[64];

            (void)snprintf(type, sizeof(type), "%.*s", (int)length, types);
            expect_class(type, &classes[i]);
        }
    }
}

static const struct use_row shares[] = {
    /* int(36 * 0.9) and int(40 * 0.8): Moonshine's heads */
    {"model_type=moonshine hidden_size=288 num_attention_heads=8 num_hidden_layers=2", 0,
     "parameters.dim=36 parameters.rotary_dim=32 parameters.layout=interleaved", NULL},
    {"model_type=moonshine_streaming hidden_size=320 num_attention_heads=8 num_hidden_layers=2", 0,
     "parameters.dim=40 parameters.rotary_dim=32 parameters.layout=interleaved", NULL},
    {"model_type=nanochat " WIDE, 0, "parameters.direction=-1 parameters.layout=half", NULL},
    /* GPT-J has no say over its base. */
    {"model_type=gptj n_embd=4096 n_head=16 n_layer=28 rotary_dim=32 rope_theta=5e5", 0,
     "parameters.base=1e4 parameters.rotary_dim=32 parameters.dim=256", NULL},
};

Test(model_types_rope, truncate_shares_and_fix_what_the_class_fixes)
{
    expect_uses(shares, COUNT_OF(shares));
}

/* Latent attention: [nope | rope], whatever head_dim says. */
static const struct use_row latent[] = {
    {"model_type=deepseek_v2 " WIDE, 0,
     "parameters.dim=192 parameters.rotary_dim=64 parameters.rotary_offset=128 "
     "parameters.layout=interleaved",
     "qk_rope_head_dim"},
    {"model_type=deepseek_v3 head_dim=64 " WIDE, 0,
     "parameters.dim=192 parameters.rotary_offset=128 parameters.layout=deinterleaved", NULL},
    {"model_type=kimi_k2 rope_theta=5e4 " WIDE, 0,
     "parameters.base=5e4 parameters.rotary_dim=64 parameters.layout=deinterleaved", NULL},
    {"model_type=glm4_moe_lite " WIDE, 0,
     "parameters.dim=256 parameters.rotary_dim=64 parameters.layout=deinterleaved", NULL},
    {"model_type=minicpm3 " WIDE, 0,
     "parameters.dim=96 parameters.rotary_dim=32 parameters.layout=half", NULL},
    {"model_type=longcat_flash " WIDE, 0,
     "parameters.base=1e7 parameters.rotary_dim=64 parameters.layout=deinterleaved", NULL},
    {"model_type=youtu " WIDE, 0, "parameters.rotary_dim=64 parameters.layout=deinterleaved", NULL},
    {"model_type=axk2 qk_nope_head_dim=64 " WIDE, 0,
     "parameters.rotary_dim=32 parameters.layout=deinterleaved", NULL},
    {"model_type=deepseek_v3 rope_interleave=false " WIDE, 0, "parameters.layout=half", NULL},
    {"model_type=minicpm3 rope_interleave=true " WIDE, 0, "parameters.layout=deinterleaved", NULL},
    /* Sparse attention's indexer has a head of its own, of which the first channels turn. */
    {"model_type=deepseek_v32 " WIDE, 1,
     "component=indexer parameters.dim=128 parameters.rotary_dim=64 parameters.rotary_offset=null "
     "parameters.layout=half",
     NULL},
    {"model_type=glm_moe_dsa " WIDE, 1, "component=indexer parameters.layout=deinterleaved", NULL},
    {"model_type=glm_moe_dsa indexer_rope_interleave=false " WIDE, 1, "parameters.layout=half",
     NULL},
};

Test(model_types_rope, know_latent_heads_and_their_layouts)
{
    expect_uses(latent, COUNT_OF(latent));
}

/* Dictionaries that belong to a class. */
static const struct use_row dictionaries[] = {
    {"model_type=gpt_oss " WIDE, 0,
     "parameters.dim=64 parameters.base=1.5e5 parameters.scaling.rope_type=yarn "
     "parameters.scaling.truncate=false parameters.scaling.factor=32 "
     "derived.attention_factor=1.346573590279973",
     "rope_scaling"},
    {"model_type=openai_privacy_filter " WIDE, 0,
     "parameters.layout=interleaved parameters.scaling.truncate=false", "rope_scaling"},
    {"model_type=ministral3 " WIDE, 0,
     "parameters.base=1e6 parameters.scaling.factor=16 derived.attention_factor=1 "
     "parameters.scaling.original_max_position_embeddings=16384 query_scale.beta=0.1",
     "rope_scaling"},
    /* Twice gm(128) in the softmax: 1.4852030263919617^2. */
    {"model_type=mistral4 " WIDE, 0,
     "parameters.scaling.factor=128 derived.attention_factor=1 "
     "derived.softmax_scale_multiplier=2.2058280296038413",
     "rope_scaling"},
    {"model_type=cwm " WIDE, 0, "parameters.scaling.rope_type=llama3 parameters.scaling.factor=16",
     "rope_scaling"},
    {"model_type=apertus " WIDE, 0,
     "parameters.scaling.rope_type=llama3 parameters.scaling.factor=8", "rope_scaling"},
    {"model_type=higgs_audio_v2 " WIDE, 0,
     "parameters.scaling.factor=32 parameters.scaling.low_freq_factor=0.125 "
     "parameters.scaling.high_freq_factor=0.5 "
     "parameters.scaling.original_max_position_embeddings=1024",
     "rope_scaling"},
};

Test(model_types_rope, bring_the_dictionary_of_their_class)
{
    expect_uses(dictionaries, COUNT_OF(dictionaries));
}

/* A member says whether anything turns. */
static const struct use_row switches[] = {
    {"model_type=falcon alibi=false " WIDE, 0, "encoding=rope", NULL},
    {"model_type=falcon alibi=true " WIDE, 0, "encoding=alibi", NULL},
    {"model_type=baichuan " WIDE, 0, "encoding=rope", NULL}, /* 7B; the 13B is 5120 wide */
    {"model_type=baichuan hidden_size=5120 num_attention_heads=40 num_hidden_layers=2", 0,
     "encoding=alibi", NULL},
    {"model_type=esm position_embedding_type=rotary " WIDE, 0, "encoding=rope", NULL},
    {"model_type=esm max_position_embeddings=1026 " WIDE, 0, "encoding=learned", NULL},
    {"model_type=granitemoehybrid position_embedding_type=rope " WIDE, 0, "encoding=rope", NULL},
    {"model_type=granitemoehybrid position_embedding_type=nope " WIDE, 0, "encoding=none", NULL},
    {"model_type=granitemoehybrid " WIDE, 0, "encoding=none", NULL},
    {"model_type=zamba2 use_mem_rope=true " WIDE, 0, "encoding=rope", NULL},
    {"model_type=zamba2 " WIDE, 0, "encoding=none", NULL},
    {"model_type=wav2vec2-conformer position_embeddings_type=rotary " WIDE, 0,
     "encoding=rope component=audio parameters.base=1e4", NULL},
};

Test(model_types_rope, follow_the_member_that_decides)
{
    expect_uses(switches, COUNT_OF(switches));
}

/* Qwen 1: its own steps of the base, and a scale of queries. */
Test(model_types_rope, read_qwen_1s_switches)
{
    static const struct use_row rows[] = {
        {"model_type=qwen kv_channels=128 seq_length=2048 use_dynamic_ntk=true use_logn_attn=true "
         "rotary_emb_base=10000 " WIDE,
         0,
         "parameters.dim=128 parameters.scaling.rope_type=dynamic_qwen "
         "parameters.scaling.seq_length=2048 query_scale.rule=qwen1_logn "
         "query_scale.seq_length=2048",
         NULL},
        {"model_type=qwen kv_channels=128 seq_length=2048 " WIDE, 0,
         "parameters.scaling=null query_scale=null", NULL},
    };

    expect_uses(rows, COUNT_OF(rows));
}
