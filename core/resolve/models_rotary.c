/* Built-in models with other rotary encodings, alike on all layers. */
#include "internal.h"
#include "models_list.h"

const struct posenc_model posenc__rotary_models[] = {
    {"qwen-7b", POSENC__NAMES("qwen1-7b"), "Qwen/Qwen-7B",
     "model_type=qwen hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
     "kv_channels=128 rotary_pct=1 rotary_emb_base=10000 seq_length=2048 "
     "use_dynamic_ntk=true use_logn_attn=true"},
    {"gemma-2b", NULL, "google/gemma-2b",
     "model_type=gemma hidden_size=2048 num_attention_heads=8 num_hidden_layers=18 "
     "head_dim=256 max_position_embeddings=8192 rope_theta=10000"},
    {"gemma-7b", NULL, "google/gemma-7b",
     "model_type=gemma hidden_size=3072 num_attention_heads=16 num_hidden_layers=28 "
     "head_dim=256 max_position_embeddings=8192 rope_theta=10000"},
    {"gemma-2-2b", POSENC__NAMES("gemma2-2b"), "google/gemma-2-2b",
     "model_type=gemma2 hidden_size=2304 num_attention_heads=8 num_hidden_layers=26 "
     "head_dim=256 max_position_embeddings=8192 rope_theta=10000"},
    {"gemma-2-9b", POSENC__NAMES("gemma2-9b"), "google/gemma-2-9b",
     "model_type=gemma2 hidden_size=3584 num_attention_heads=16 num_hidden_layers=42 "
     "head_dim=256 max_position_embeddings=8192 rope_theta=10000"},
    {"gemma-2-27b", POSENC__NAMES("gemma2-27b"), "google/gemma-2-27b",
     "model_type=gemma2 hidden_size=4608 num_attention_heads=32 num_hidden_layers=46 "
     "head_dim=128 max_position_embeddings=8192 rope_theta=10000"},
    {"phi-1", NULL, "microsoft/phi-1",
     "model_type=phi hidden_size=2048 num_attention_heads=32 num_hidden_layers=24 "
     "max_position_embeddings=2048 rope_theta=10000 partial_rotary_factor=0.5"},
    {"phi-2", NULL, "microsoft/phi-2",
     "model_type=phi hidden_size=2560 num_attention_heads=32 num_hidden_layers=32 "
     "max_position_embeddings=2048 rope_theta=10000 partial_rotary_factor=0.4"},
    {"phi-3-mini-4k", POSENC__NAMES("phi-3-mini"), "microsoft/Phi-3-mini-4k-instruct",
     "model_type=phi3 hidden_size=3072 num_attention_heads=32 num_hidden_layers=32 "
     "max_position_embeddings=4096 rope_theta=10000"},
    {"phi-4", POSENC__NAMES("phi-4-14b"), "microsoft/phi-4",
     "model_type=phi3 hidden_size=5120 num_attention_heads=40 num_hidden_layers=40 "
     "max_position_embeddings=16384 rope_theta=250000"},
    {"pythia-6.9b", NULL, "EleutherAI/pythia-6.9b",
     "model_type=gpt_neox hidden_size=4096 num_attention_heads=32 "
     "num_hidden_layers=32 max_position_embeddings=2048 rotary_emb_base=10000 "
     "rotary_pct=0.25"},
    {"gpt-neox-20b", NULL, "EleutherAI/gpt-neox-20b",
     "model_type=gpt_neox hidden_size=6144 num_attention_heads=64 "
     "num_hidden_layers=44 max_position_embeddings=2048 rotary_emb_base=10000 "
     "rotary_pct=0.25"},
    {"gpt-j-6b", POSENC__NAMES("gptj-6b"), "EleutherAI/gpt-j-6b",
     "model_type=gptj n_embd=4096 n_head=16 n_layer=28 n_positions=2048 "
     "rotary_dim=64"},
    {"stablelm-3b-4e1t", POSENC__NAMES("stablelm-3b"), "stabilityai/stablelm-3b-4e1t",
     "model_type=stablelm hidden_size=2560 num_attention_heads=32 "
     "num_hidden_layers=32 max_position_embeddings=4096 rope_theta=10000 "
     "partial_rotary_factor=0.25"},
    {"stablelm-2-1.6b", NULL, "stabilityai/stablelm-2-1_6b",
     "model_type=stablelm hidden_size=2048 num_attention_heads=32 "
     "num_hidden_layers=24 max_position_embeddings=4096 rope_theta=10000 "
     "partial_rotary_factor=0.25"},
    {"falcon-7b", NULL, "tiiuae/falcon-7b",
     "model_type=falcon hidden_size=4544 num_attention_heads=71 num_hidden_layers=32 "
     "alibi=false rope_theta=10000"},
    {"falcon-40b", NULL, "tiiuae/falcon-40b",
     "model_type=falcon hidden_size=8192 num_attention_heads=128 "
     "num_hidden_layers=60 alibi=false rope_theta=10000"},
    {"starcoder2-7b", NULL, "bigcode/starcoder2-7b",
     "model_type=starcoder2 hidden_size=4608 num_attention_heads=36 "
     "num_hidden_layers=32 max_position_embeddings=16384 rope_theta=1000000"},
    {"olmo-2-7b", POSENC__NAMES("olmo2-7b"), "allenai/OLMo-2-1124-7B",
     "model_type=olmo2 hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
     "max_position_embeddings=4096 rope_theta=500000"},
    {"command-r", POSENC__NAMES("command-r-35b"), "CohereForAI/c4ai-command-r-v01",
     "model_type=cohere hidden_size=8192 num_attention_heads=64 num_hidden_layers=40 "
     "max_position_embeddings=131072 rope_theta=8000000"},
    {"chatglm3-6b", POSENC__NAMES("chatglm3"), "THUDM/chatglm3-6b",
     "model_type=chatglm hidden_size=4096 num_attention_heads=32 num_layers=28 "
     "kv_channels=128 seq_length=8192"},
    {"glm-4.5", NULL, "zai-org/GLM-4.5",
     "model_type=glm4_moe hidden_size=5120 num_attention_heads=96 "
     "num_hidden_layers=92 head_dim=128 partial_rotary_factor=0.5 "
     "max_position_embeddings=131072 rope_theta=1000000"},
    {"glm-5", NULL, "zai-org/GLM-5",
     "model_type=glm_moe_dsa hidden_size=6144 num_attention_heads=64 "
     "num_hidden_layers=78 qk_nope_head_dim=192 qk_rope_head_dim=64 "
     "index_head_dim=128 rope_interleave=true indexer_rope_interleave=true "
     "max_position_embeddings=202752 rope_parameters.rope_type=default "
     "rope_parameters.rope_theta=1000000"},
    {"minimax-m2.5", POSENC__NAMES("minimax-m2"), "MiniMaxAI/MiniMax-M2.5",
     "model_type=minimax_m2 hidden_size=3072 num_attention_heads=48 "
     "num_hidden_layers=62 head_dim=128 rotary_dim=64 max_position_embeddings=196608 "
     "rope_theta=5000000"},
    {"gpt-oss-20b", NULL, "openai/gpt-oss-20b",
     "model_type=gpt_oss hidden_size=2880 num_attention_heads=64 "
     "num_hidden_layers=24 head_dim=64 max_position_embeddings=131072 "
     "rope_theta=150000 rope_scaling.type=yarn rope_scaling.factor=32 "
     "rope_scaling.original_max_position_embeddings=4096 rope_scaling.beta_fast=32 "
     "rope_scaling.beta_slow=1 rope_scaling.truncate=false"},
    {"gpt-oss-120b", NULL, "openai/gpt-oss-120b",
     "model_type=gpt_oss hidden_size=2880 num_attention_heads=64 "
     "num_hidden_layers=36 head_dim=64 max_position_embeddings=131072 "
     "rope_theta=150000 rope_scaling.type=yarn rope_scaling.factor=32 "
     "rope_scaling.original_max_position_embeddings=4096 rope_scaling.beta_fast=32 "
     "rope_scaling.beta_slow=1 rope_scaling.truncate=false"},
    {"deepseek-v2-lite", NULL, "deepseek-ai/DeepSeek-V2-Lite",
     "model_type=deepseek_v2 hidden_size=2048 num_attention_heads=16 "
     "num_hidden_layers=27 qk_nope_head_dim=128 qk_rope_head_dim=64 "
     "max_position_embeddings=163840 rope_theta=10000 rope_scaling.type=yarn "
     "rope_scaling.factor=40 rope_scaling.original_max_position_embeddings=4096 "
     "rope_scaling.beta_fast=32 rope_scaling.beta_slow=1 rope_scaling.mscale=0.707 "
     "rope_scaling.mscale_all_dim=0.707"},
    {"deepseek-v3", NULL, "deepseek-ai/DeepSeek-V3",
     "model_type=deepseek_v3 hidden_size=7168 num_attention_heads=128 "
     "num_hidden_layers=61 qk_nope_head_dim=128 qk_rope_head_dim=64 "
     "max_position_embeddings=163840 rope_theta=10000 rope_scaling.type=yarn "
     "rope_scaling.factor=40 rope_scaling.original_max_position_embeddings=4096 "
     "rope_scaling.beta_fast=32 rope_scaling.beta_slow=1 rope_scaling.mscale=1 "
     "rope_scaling.mscale_all_dim=1"},
    {"deepseek-r1", NULL, "deepseek-ai/DeepSeek-R1",
     "model_type=deepseek_v3 hidden_size=7168 num_attention_heads=128 "
     "num_hidden_layers=61 qk_nope_head_dim=128 qk_rope_head_dim=64 "
     "max_position_embeddings=163840 rope_theta=10000 rope_scaling.type=yarn "
     "rope_scaling.factor=40 rope_scaling.original_max_position_embeddings=4096 "
     "rope_scaling.beta_fast=32 rope_scaling.beta_slow=1 rope_scaling.mscale=1 "
     "rope_scaling.mscale_all_dim=1"},
    {"kimi-k2", POSENC__NAMES("kimi-k2-instruct"), "moonshotai/Kimi-K2-Instruct",
     "model_type=kimi_k2 hidden_size=7168 num_attention_heads=64 "
     "num_hidden_layers=61 qk_nope_head_dim=128 qk_rope_head_dim=64 "
     "max_position_embeddings=131072 rope_theta=50000 rope_scaling.type=yarn "
     "rope_scaling.factor=32 rope_scaling.original_max_position_embeddings=4096 "
     "rope_scaling.beta_fast=1 rope_scaling.beta_slow=1 rope_scaling.mscale=1 "
     "rope_scaling.mscale_all_dim=1"},
    {"esm2-650m", POSENC__NAMES("esm2"), "facebook/esm2_t33_650M_UR50D",
     "model_type=esm hidden_size=1280 num_attention_heads=20 num_hidden_layers=33 "
     "position_embedding_type=rotary max_position_embeddings=1026"},
    {NULL, NULL, NULL, NULL},
};
