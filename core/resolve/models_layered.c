/* Built-in models whose layers differ, or whose positions have several axes. */
#include "internal.h"
#include "models_list.h"

const struct posenc_model posenc__layered_models[] = {
    {"llama-4-scout", POSENC__NAMES("llama-4-scout-17b-16e"),
     "meta-llama/Llama-4-Scout-17B-16E-Instruct",
     "model_type=llama4_text hidden_size=5120 num_attention_heads=40 "
     "num_hidden_layers=48 head_dim=128 max_position_embeddings=10485760 "
     "rope_theta=500000 rope_scaling.rope_type=llama3 rope_scaling.factor=16 "
     "rope_scaling.low_freq_factor=1 rope_scaling.high_freq_factor=1 "
     "rope_scaling.original_max_position_embeddings=8192"},
    {"llama-4-maverick", POSENC__NAMES("llama-4-maverick-17b-128e"),
     "meta-llama/Llama-4-Maverick-17B-128E-Instruct",
     "model_type=llama4_text hidden_size=5120 num_attention_heads=40 "
     "num_hidden_layers=48 head_dim=128 max_position_embeddings=1048576 "
     "rope_theta=500000"},
    {"gemma-3-1b", POSENC__NAMES("gemma3-1b"), "google/gemma-3-1b-it",
     "model_type=gemma3_text hidden_size=1152 num_attention_heads=4 "
     "num_hidden_layers=26 head_dim=256 max_position_embeddings=32768 "
     "rope_theta=1000000 rope_local_base_freq=10000 sliding_window_pattern=6"},
    {"gemma-3-4b", POSENC__NAMES("gemma3-4b"), "google/gemma-3-4b-it",
     "model_type=gemma3_text hidden_size=2560 num_attention_heads=8 "
     "num_hidden_layers=34 head_dim=256 max_position_embeddings=131072 "
     "rope_theta=1000000 rope_local_base_freq=10000 sliding_window_pattern=6 "
     "rope_scaling.rope_type=linear rope_scaling.factor=8"},
    {"gemma-3-12b", POSENC__NAMES("gemma3-12b"), "google/gemma-3-12b-it",
     "model_type=gemma3_text hidden_size=3840 num_attention_heads=16 "
     "num_hidden_layers=48 head_dim=256 max_position_embeddings=131072 "
     "rope_theta=1000000 rope_local_base_freq=10000 sliding_window_pattern=6 "
     "rope_scaling.rope_type=linear rope_scaling.factor=8"},
    {"gemma-3-27b", POSENC__NAMES("gemma3-27b"), "google/gemma-3-27b-it",
     "model_type=gemma3_text hidden_size=5376 num_attention_heads=32 "
     "num_hidden_layers=62 head_dim=128 max_position_embeddings=131072 "
     "rope_theta=1000000 rope_local_base_freq=10000 sliding_window_pattern=6 "
     "rope_scaling.rope_type=linear rope_scaling.factor=8"},
    {"gemma-4-e2b", POSENC__NAMES("gemma4-e2b"), "google/gemma-4-E2B",
     "model_type=gemma4_text hidden_size=1536 num_attention_heads=8 "
     "num_hidden_layers=35 head_dim=256 global_head_dim=512 "
     "max_position_embeddings=131072 rope_theta=1000000 rope_local_base_freq=10000 "
     "partial_rotary_factor=0.25 sliding_window_pattern=5"},
    {"gemma-4-e4b", POSENC__NAMES("gemma4-e4b"), "google/gemma-4-E4B",
     "model_type=gemma4_text hidden_size=2560 num_attention_heads=8 "
     "num_hidden_layers=42 head_dim=256 global_head_dim=512 "
     "max_position_embeddings=131072 rope_theta=1000000 rope_local_base_freq=10000 "
     "partial_rotary_factor=0.25 sliding_window_pattern=6"},
    {"olmo-3.1-32b", POSENC__NAMES("olmo3.1-32b"), "allenai/Olmo-3.1-32B-Instruct",
     "model_type=olmo3 hidden_size=5120 num_attention_heads=40 num_hidden_layers=64 "
     "max_position_embeddings=65536 rope_theta=500000 sliding_window_pattern=4 "
     "rope_scaling.rope_type=yarn rope_scaling.factor=8 "
     "rope_scaling.original_max_position_embeddings=8192 rope_scaling.beta_fast=32 "
     "rope_scaling.beta_slow=1 rope_scaling.attention_factor=1.2079441541679836"},
    {"exaone-4.0-32b", POSENC__NAMES("exaone-4-32b"), "LGAI-EXAONE/EXAONE-4.0-32B",
     "model_type=exaone4 hidden_size=5120 num_attention_heads=40 "
     "num_hidden_layers=64 head_dim=128 max_position_embeddings=131072 "
     "rope_theta=1000000 sliding_window=4096 sliding_window_pattern=LLLG "
     "rope_scaling.rope_type=llama3 rope_scaling.factor=16 "
     "rope_scaling.low_freq_factor=1 rope_scaling.high_freq_factor=4 "
     "rope_scaling.original_max_position_embeddings=8192"},
    {"command-r7b", POSENC__NAMES("command-r7b-12-2024"), "CohereForAI/c4ai-command-r7b-12-2024",
     "model_type=cohere2 hidden_size=4096 num_attention_heads=32 "
     "num_hidden_layers=32 max_position_embeddings=8192 rope_theta=50000 "
     "sliding_window_pattern=4"},
    {"qwen3-next-80b-a3b", POSENC__NAMES("qwen3-next"), "Qwen/Qwen3-Next-80B-A3B-Instruct",
     "model_type=qwen3_next hidden_size=2048 num_attention_heads=16 "
     "num_hidden_layers=48 head_dim=256 partial_rotary_factor=0.25 "
     "full_attention_interval=4 max_position_embeddings=262144 rope_theta=10000000"},
    {"qwen3.5-35b-a3b", NULL, "Qwen/Qwen3.5-35B-A3B",
     "model_type=qwen3_5_moe text_config.model_type=qwen3_5_moe_text "
     "text_config.hidden_size=2048 text_config.num_attention_heads=16 "
     "text_config.num_hidden_layers=40 text_config.head_dim=256 "
     "text_config.full_attention_interval=4 "
     "text_config.max_position_embeddings=262144 "
     "text_config.rope_parameters.rope_type=default "
     "text_config.rope_parameters.rope_theta=10000000 "
     "text_config.rope_parameters.partial_rotary_factor=0.25 "
     "text_config.rope_parameters.mrope_section=11,11,10 "
     "text_config.rope_parameters.mrope_interleaved=true vision_config.depth=27 "
     "vision_config.hidden_size=1152 vision_config.num_heads=16 "
     "vision_config.num_position_embeddings=2304 vision_config.patch_size=16"},
    {"qwen2-vl-7b", NULL, "Qwen/Qwen2-VL-7B-Instruct",
     "model_type=qwen2_vl hidden_size=3584 num_attention_heads=28 "
     "num_hidden_layers=28 max_position_embeddings=32768 rope_theta=1000000 "
     "rope_scaling.type=mrope rope_scaling.mrope_section=16,24,24 "
     "vision_config.depth=32 vision_config.embed_dim=1280 vision_config.num_heads=16"},
    {"qwen2.5-vl-7b", NULL, "Qwen/Qwen2.5-VL-7B-Instruct",
     "model_type=qwen2_5_vl hidden_size=3584 num_attention_heads=28 "
     "num_hidden_layers=28 max_position_embeddings=128000 rope_theta=1000000 "
     "rope_scaling.type=mrope rope_scaling.mrope_section=16,24,24 "
     "vision_config.depth=32 vision_config.hidden_size=1280 "
     "vision_config.num_heads=16"},
    {"qwen3-vl-8b", NULL, "Qwen/Qwen3-VL-8B-Instruct",
     "model_type=qwen3_vl text_config.model_type=qwen3_vl_text "
     "text_config.hidden_size=4096 text_config.num_attention_heads=32 "
     "text_config.num_hidden_layers=36 text_config.head_dim=128 "
     "text_config.max_position_embeddings=262144 text_config.rope_theta=5000000 "
     "text_config.rope_scaling.rope_type=default "
     "text_config.rope_scaling.mrope_interleaved=true "
     "text_config.rope_scaling.mrope_section=24,20,20 vision_config.depth=27 "
     "vision_config.hidden_size=1152 vision_config.num_heads=16 "
     "vision_config.num_position_embeddings=2304 vision_config.patch_size=16"},
    {"deepseek-v4-flash", NULL, "deepseek-ai/DeepSeek-V4-Flash",
     "model_type=deepseek_v4 hidden_size=4096 num_attention_heads=64 "
     "num_hidden_layers=43 head_dim=512 qk_rope_head_dim=64 "
     "max_position_embeddings=1048576 rope_theta=10000 compress_rope_theta=160000 "
     "compress_ratios=0,0,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,"
     "128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,0 "
     "rope_scaling.type=yarn rope_scaling.factor=16 "
     "rope_scaling.original_max_position_embeddings=65536 rope_scaling.beta_fast=32 "
     "rope_scaling.beta_slow=1"},
    {"modernbert-base", NULL, "answerdotai/ModernBERT-base",
     "model_type=modernbert hidden_size=768 num_attention_heads=12 "
     "num_hidden_layers=22 max_position_embeddings=8192 global_rope_theta=160000 "
     "local_rope_theta=10000 global_attn_every_n_layers=3"},
    {"modernbert-large", NULL, "answerdotai/ModernBERT-large",
     "model_type=modernbert hidden_size=1024 num_attention_heads=16 "
     "num_hidden_layers=28 max_position_embeddings=8192 global_rope_theta=160000 "
     "local_rope_theta=10000 global_attn_every_n_layers=3"},
    {NULL, NULL, NULL, NULL},
};
