/*
 * Model types whose layers all turn alike. Bases and sizes are the defaults of the class in
 * transformers or, for types that only have code of their own, in that code; a file that says
 * otherwise wins.
 */
#include "model_types.h"

#define ROPE(layout_name) .component = "text", .kind = POSENC__KIND_ROPE, .layout = (layout_name)
#define HALF              ROPE("half")
#define INTERLEAVED       ROPE("interleaved")
#define DEINTERLEAVED     ROPE("deinterleaved")

const struct posenc__model_type posenc__rope_types[] = {
    /* The plain ones. */
    {.names = "llama code_llama llama3 vicuna yi deci orion llava llava_llama",
     HALF,
     .defaults = "rope_theta=1e4 hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
                 "max_position_embeddings=2048"},
    {.names = "mistral mistral3 voxtral",
     HALF,
     .defaults = "rope_theta=1e4 hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
                 "max_position_embeddings=131072"},
    {.names = "ministral", HALF, .defaults = "rope_theta=1e4 max_position_embeddings=131072"},
    {.names = "mixtral",
     HALF,
     .defaults = "rope_theta=1e6 hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
                 "max_position_embeddings=131072"},
    {.names = "qwen2 qwen2_moe qwen2_audio internvl_chat internvl",
     HALF,
     .defaults = "rope_theta=1e4 hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
                 "max_position_embeddings=32768"},
    {.names = "qwen3",
     HALF,
     .defaults = "rope_theta=1e4 head_dim=128 hidden_size=4096 num_attention_heads=32 "
                 "num_hidden_layers=32 max_position_embeddings=32768"},
    {.names = "qwen3_moe",
     HALF,
     .defaults = "rope_theta=1e4 hidden_size=2048 num_attention_heads=32 num_hidden_layers=24 "
                 "max_position_embeddings=32768"},
    {.names = "gemma paligemma",
     HALF,
     .defaults = "rope_theta=1e4 head_dim=256 hidden_size=3072 num_attention_heads=16 "
                 "num_hidden_layers=28 max_position_embeddings=8192"},
    {.names = "gemma2 vaultgemma t5gemma shieldgemma2",
     HALF,
     .defaults = "rope_theta=1e4 head_dim=256 hidden_size=2304 num_attention_heads=8 "
                 "num_hidden_layers=26 max_position_embeddings=8192"},
    {.names = "phi", HALF, .defaults = "rope_theta=1e4 partial_rotary_factor=0.5"},
    {.names = "phi3 phi3_v phi4_multimodal phi4mm phi3small",
     HALF,
     .defaults = "rope_theta=1e4 hidden_size=3072 num_attention_heads=32 num_hidden_layers=32 "
                 "max_position_embeddings=4096"},
    {.names = "phimoe", HALF, .defaults = "rope_theta=1e6"},
    {.names = "gpt_neox",
     HALF,
     .defaults = "rotary_emb_base=1e4 rotary_pct=0.25 hidden_size=6144 num_attention_heads=64 "
                 "num_hidden_layers=44 max_position_embeddings=2048"},
    {.names = "gpt_neox_japanese", HALF, .defaults = "rotary_emb_base=1e4 rotary_pct=1"},
    {.names = "stablelm stablelm_epoch",
     HALF,
     .defaults = "rope_theta=1e4 partial_rotary_factor=0.25"},
    {.names = "starcoder2", HALF, .defaults = "rope_theta=1e4"},
    {.names = "persimmon", HALF, .defaults = "rope_theta=1e4 partial_rotary_factor=0.5"},
    {.names = "fuyu", HALF, .defaults = "rope_theta=2.5e4 partial_rotary_factor=0.5"},
    {.names = "nemotron", HALF, .defaults = "rope_theta=1e4 partial_rotary_factor=0.5"},
    {.names = "nemotron-nas", HALF, .defaults = "rope_theta=5e5"},
    {.names = "olmo olmo2 olmoe olmo_hybrid", HALF, .defaults = "rope_theta=1e4"},
    {.names = "flex_olmo", HALF, .defaults = "rope_theta=5e5"},
    {.names = "granite granitemoe granitemoeshared granite_speech",
     HALF,
     .defaults = "rope_theta=1e4"},
    {.names = "deepseek", HALF, .defaults = "rope_theta=1e4"},
    {.names = "minimax", HALF, .defaults = "rope_theta=1e6 rotary_dim=64 head_dim=128"},
    {.names = "minimax_text_01 minimax_m1", HALF, .defaults = "rope_theta=1e7 rotary_dim=64"},
    {.names = "minimax_m2", HALF, .defaults = "rope_theta=5e6 rotary_dim=64 head_dim=128"},
    {.names = "minimax_m3_vl_text minimax_m3_vl",
     HALF,
     .defaults = "rope_theta=5e6 rotary_dim=64 head_dim=128"},
    {.names = "mimo", HALF, .defaults = "rope_theta=6.4e5"},
    {.names = "glm4_moe",
     HALF,
     .defaults = "rope_theta=1e4 partial_rotary_factor=0.5 head_dim=128"},
    {.names = "hunyuan_v1_dense hunyuan_v1_moe hunyuan", HALF, .defaults = "rope_theta=1e4"},
    {.names = "hy_v3", HALF, .defaults = "rope_theta=11158840 head_dim=128"},
    {.names = "bitnet csm csm_depth_decoder_model evolla EvollaModel",
     HALF,
     .defaults = "rope_theta=5e5"},
    {.names = "emu3 emu3_text_model", HALF, .defaults = "rope_theta=1e6"},
    {.names = "solar_open", HALF, .defaults = "rope_theta=1e6 head_dim=128"},
    {.names = "cwm",
     HALF,
     .defaults = "rope_theta=1e6 head_dim=128 rope_scaling.rope_type=llama3 rope_scaling.factor=16 "
                 "rope_scaling.low_freq_factor=1 rope_scaling.high_freq_factor=4 "
                 "rope_scaling.original_max_position_embeddings=8192"},
    {.names = "apertus apertus1p5 apertus1p5_text",
     HALF,
     .defaults = "rope_theta=12000000 rope_scaling.rope_type=llama3 rope_scaling.factor=8 "
                 "rope_scaling.low_freq_factor=1 rope_scaling.high_freq_factor=4 "
                 "rope_scaling.original_max_position_embeddings=8192"},
    {.names = "higgs_audio_v2 higgs_audio",
     HALF,
     .defaults = "rope_theta=5e5 head_dim=128 rope_scaling.rope_type=llama3 rope_scaling.factor=32 "
                 "rope_scaling.low_freq_factor=0.125 rope_scaling.high_freq_factor=0.5 "
                 "rope_scaling.original_max_position_embeddings=1024"},
    {.names = "arcee dots1 jais2 hyperclovax diffllama aria_text aria chameleon doge "
              "aquila aquila2 dots_ocr ovis molmo plm smollm exaone",
     HALF,
     .defaults = "rope_theta=1e4"},
    {.names = "seed_oss", HALF, .defaults = "rope_theta=1e4 head_dim=128"},
    {.names = "jetmoe", HALF, .defaults = "rope_theta=1e4 kv_channels=128"},
    {.names = "dbrx", HALF, .defaults = "attn_config.rope_theta=1e4"},
    {.names = "internlm internlm2 internlm3 xverse minicpm minicpmv codeshell plamo plamo2 bailing "
              "bailing_moe bailing_moe_v2 bailing_hybrid grok-1 arctic",
     HALF,
     .defaults = "rope_theta=1e4"},
    {.names = "openelm", HALF, .defaults = "rope_freq_constant=1e4"},
    {.names = "qwen qwen-vl",
     HALF,
     .traits = POSENC__QWEN_DYNAMIC | POSENC__QUERY_LOGN,
     .defaults = "rotary_emb_base=1e4 rotary_pct=1"},
    {.names = "nanochat", HALF, .traits = POSENC__NEGATIVE, .defaults = "rope_theta=1e4"},
    {.names = "idefics mimi moshi kyutai_speech_to_text dia voxtral_realtime xcodec2 parakeet lasr",
     HALF,
     .defaults = "rope_theta=1e4"},
    {.names = "glmasr", HALF, .defaults = "rope_theta=1e4 partial_rotary_factor=0.5"},
    {.names = "pe_audio", HALF, .defaults = "rope_theta=2e4"},
    {.names = "idefics2",
     HALF,
     .defaults = "rope_theta=1e4 hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
                 "max_position_embeddings=131072"},
    {.names = "idefics3 smolvlm",
     HALF,
     .defaults = "rope_theta=1e4 hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
                 "max_position_embeddings=2048"},
    {.names = "nomic_bert", HALF, .defaults = "rotary_emb_base=1e3 rotary_emb_fraction=1"},
    {.names = "jina_embeddings_v3", HALF, .defaults = "rotary_emb_base=2e4"},
    {.names = "eurobert", HALF, .defaults = "rope_theta=1e4"},
    {.names = "esmc neobert", HALF, .defaults = "rope_theta=1e4"},
    {.names = "timesfm2_5", HALF, .defaults = "rope_theta=1e4 head_dim=80"},

    /* Adjacent pairs. */
    {.names = "gptj", INTERLEAVED, .traits = POSENC__FIXED_BASE, .defaults = "rotary_dim=64"},
    {.names = "codegen", INTERLEAVED, .traits = POSENC__FIXED_BASE, .defaults = "rotary_dim=64"},
    {.names = "roformer", INTERLEAVED, .traits = POSENC__FIXED_BASE},
    {.names = "cohere aya_vision", INTERLEAVED, .defaults = "rope_theta=5e5"},
    {.names = "glm glm4",
     INTERLEAVED,
     .defaults = "rope_theta=1e4 partial_rotary_factor=0.5 head_dim=128"},
    {.names = "chatglm",
     INTERLEAVED,
     .defaults = "rope_theta=1e4 kv_channels=128 partial_rotary_factor=0.5"},
    {.names = "ernie4_5", INTERLEAVED, .defaults = "rope_theta=5e5 head_dim=128"},
    {.names = "ernie4_5_moe", INTERLEAVED, .defaults = "rope_theta=5e5"},
    {.names = "helium", INTERLEAVED, .defaults = "rope_theta=1e5 head_dim=128"},
    {.names = "moonshine", INTERLEAVED, .defaults = "rope_theta=1e4 partial_rotary_factor=0.9"},
    {.names = "moonshine_streaming",
     INTERLEAVED,
     .defaults = "rope_theta=1e4 partial_rotary_factor=0.8"},
    {.names = "blt", INTERLEAVED, .defaults = "rope_theta=5e5"},
    {.names = "musicflamingo",
     INTERLEAVED,
     .defaults = "rope_theta=1200 partial_rotary_factor=0.2"},

    /* YaRN dictionaries that belong to the class. */
    {.names = "gpt_oss",
     HALF,
     .defaults = "rope_theta=1.5e5 head_dim=64 rope_scaling.rope_type=yarn rope_scaling.factor=32 "
                 "rope_scaling.original_max_position_embeddings=4096 rope_scaling.beta_fast=32 "
                 "rope_scaling.beta_slow=1 rope_scaling.truncate=false"},
    {.names = "openai_privacy_filter",
     INTERLEAVED,
     .defaults = "rope_theta=1.5e5 head_dim=64 rope_scaling.rope_type=yarn rope_scaling.factor=32 "
                 "rope_scaling.original_max_position_embeddings=4096 rope_scaling.beta_fast=32 "
                 "rope_scaling.beta_slow=1 rope_scaling.truncate=false"},
    {.names = "ministral3",
     HALF,
     .traits = POSENC__QUERY_MINISTRAL3,
     .defaults = "rope_theta=1e6 head_dim=128 rope_scaling.rope_type=yarn rope_scaling.factor=16 "
                 "rope_scaling.original_max_position_embeddings=16384 rope_scaling.beta_fast=32 "
                 "rope_scaling.beta_slow=1 rope_scaling.mscale=1 rope_scaling.mscale_all_dim=1 "
                 "llama_4_scaling_beta=0.1"},

    /* Latent attention: the head is [nope | rope]. */
    {.names = "mistral4",
     DEINTERLEAVED,
     .traits = POSENC__MLA | POSENC__QUERY_MINISTRAL3,
     .defaults = "rope_theta=1e4 qk_nope_head_dim=64 qk_rope_head_dim=64 "
                 "rope_scaling.rope_type=yarn rope_scaling.factor=128 "
                 "rope_scaling.original_max_position_embeddings=8192 rope_scaling.beta_fast=32 "
                 "rope_scaling.beta_slow=1 rope_scaling.mscale=1 rope_scaling.mscale_all_dim=1 "
                 "llama_4_scaling_beta=0.1"},
    {.names = "deepseek_v2",
     INTERLEAVED,
     .traits = POSENC__MLA,
     .defaults = "rope_theta=1e4 qk_nope_head_dim=128 qk_rope_head_dim=64"},
    {.names = "deepseek_v3 kimi_k2 kimi_k25 kimi_vl deepseek_vl_v2",
     DEINTERLEAVED,
     .traits = POSENC__MLA,
     .defaults = "rope_theta=1e4 qk_nope_head_dim=128 qk_rope_head_dim=64"},
    {.names = "deepseek_v32",
     DEINTERLEAVED,
     .traits = POSENC__MLA,
     .defaults = "rope_theta=1e4 qk_nope_head_dim=128 qk_rope_head_dim=64",
     .also = "deepseek_v32(indexer)"},
    {.names = "deepseek_v32(indexer)",
     .component = "indexer",
     .kind = POSENC__KIND_ROPE,
     .layout = "half",
     .traits = POSENC__INDEXER,
     .defaults = "rope_theta=1e4 index_head_dim=128 qk_rope_head_dim=64"},
    {.names = "glm_moe_dsa",
     DEINTERLEAVED,
     .traits = POSENC__MLA,
     .defaults = "rope_theta=1e4 qk_nope_head_dim=192 qk_rope_head_dim=64",
     .also = "glm_moe_dsa(indexer)"},
    {.names = "glm_moe_dsa(indexer)",
     .component = "indexer",
     .kind = POSENC__KIND_ROPE,
     .layout = "deinterleaved",
     .traits = POSENC__INDEXER,
     .defaults = "rope_theta=1e4 index_head_dim=128 qk_rope_head_dim=64"},
    {.names = "glm4_moe_lite",
     DEINTERLEAVED,
     .traits = POSENC__MLA,
     .defaults = "rope_theta=1e4 qk_nope_head_dim=192 qk_rope_head_dim=64"},
    {.names = "minicpm3",
     HALF,
     .traits = POSENC__MLA,
     .defaults = "rope_theta=1e4 qk_nope_head_dim=64 qk_rope_head_dim=32"},
    {.names = "longcat_flash longcat",
     DEINTERLEAVED,
     .traits = POSENC__MLA,
     .defaults = "rope_theta=1e7 qk_nope_head_dim=128 qk_rope_head_dim=64"},
    {.names = "youtu axk1",
     DEINTERLEAVED,
     .traits = POSENC__MLA,
     .defaults = "rope_theta=1e4 qk_nope_head_dim=128 qk_rope_head_dim=64"},
    {.names = "axk2",
     DEINTERLEAVED,
     .traits = POSENC__MLA,
     .defaults = "rope_theta=1e4 qk_rope_head_dim=32"},

    /* Where a member decides whether anything turns. */
    {.names = "falcon RefinedWeb RefinedWebModel",
     HALF,
     .defaults = "rope_theta=1e4",
     .variants = {{"alibi", "true", "falcon(alibi)"}}},
    {.names = "baichuan",
     HALF,
     .defaults = "rope_theta=1e4",
     .variants = {{"hidden_size", "5120", "baichuan(alibi)"}}},
    {.names = "mpt(rope)", HALF, .defaults = "attn_config.rope_theta=1e4"},
    {.names = "esm",
     HALF,
     .defaults = "rope_theta=1e4",
     .variants = {{"position_embedding_type", "absolute", "roberta"},
                  {"position_embedding_type", "null", "roberta"},
                  {"position_embedding_type", "relative_key", "bert(relative)"},
                  {"position_embedding_type", "relative_key_query", "bert(relative)"}}},
    {.names = "granitemoehybrid granite4_vision",
     HALF,
     .defaults = "rope_theta=1e4",
     .variants = {{"position_embedding_type", "null", "jamba"},
                  {"position_embedding_type", "nope", "jamba"}}},
    {.names = "zamba2",
     HALF,
     .defaults = "rope_theta=1e4 use_mem_rope=false",
     .variants = {{"use_mem_rope", "false", "jamba"}}},
    {.names = "wav2vec2-conformer(rotary)",
     .component = "audio",
     .kind = POSENC__KIND_ROPE,
     .layout = "half",
     .defaults = "rotary_embedding_base=1e4"},

    /* No class known: what most models do. */
    {.names = "general()", HALF},
    {.names = "general(latent)",
     DEINTERLEAVED,
     .traits = POSENC__MLA,
     .defaults = "qk_nope_head_dim=128"},
    {.names = NULL},
};
