/* Built-in models with llama's, mistral's and qwen's plain rotation. */
#include "internal.h"
#include "models_list.h"

const struct posenc_model posenc__llama_models[] = {
    {"llama-7b", POSENC__NAMES("llama-1-7b"), "huggyllama/llama-7b",
     "model_type=llama hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
     "max_position_embeddings=2048"},
    {"llama-2-7b", POSENC__NAMES("llama2-7b"), "meta-llama/Llama-2-7b-hf",
     "model_type=llama hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
     "max_position_embeddings=4096 rope_theta=10000"},
    {"llama-2-13b", POSENC__NAMES("llama2-13b"), "meta-llama/Llama-2-13b-hf",
     "model_type=llama hidden_size=5120 num_attention_heads=40 num_hidden_layers=40 "
     "max_position_embeddings=4096 rope_theta=10000"},
    {"llama-2-70b", POSENC__NAMES("llama2-70b"), "meta-llama/Llama-2-70b-hf",
     "model_type=llama hidden_size=8192 num_attention_heads=64 num_hidden_layers=80 "
     "max_position_embeddings=4096 rope_theta=10000"},
    {"codellama-7b", POSENC__NAMES("code-llama-7b"), "codellama/CodeLlama-7b-hf",
     "model_type=llama hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
     "max_position_embeddings=16384 rope_theta=1000000"},
    {"codellama-34b", POSENC__NAMES("code-llama-34b"), "codellama/CodeLlama-34b-hf",
     "model_type=llama hidden_size=8192 num_attention_heads=64 num_hidden_layers=48 "
     "max_position_embeddings=16384 rope_theta=1000000"},
    {"llama-3-8b", POSENC__NAMES("llama3-8b"), "meta-llama/Meta-Llama-3-8B",
     "model_type=llama hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
     "max_position_embeddings=8192 rope_theta=500000"},
    {"llama-3-70b", POSENC__NAMES("llama3-70b"), "meta-llama/Meta-Llama-3-70B",
     "model_type=llama hidden_size=8192 num_attention_heads=64 num_hidden_layers=80 "
     "max_position_embeddings=8192 rope_theta=500000"},
    {"llama-3.1-8b", POSENC__NAMES("llama3.1-8b"), "meta-llama/Llama-3.1-8B",
     "model_type=llama hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
     "max_position_embeddings=131072 rope_theta=500000 rope_scaling.rope_type=llama3 "
     "rope_scaling.factor=8 rope_scaling.low_freq_factor=1 "
     "rope_scaling.high_freq_factor=4 "
     "rope_scaling.original_max_position_embeddings=8192"},
    {"llama-3.1-70b", POSENC__NAMES("llama3.1-70b"), "meta-llama/Llama-3.1-70B",
     "model_type=llama hidden_size=8192 num_attention_heads=64 num_hidden_layers=80 "
     "max_position_embeddings=131072 rope_theta=500000 rope_scaling.rope_type=llama3 "
     "rope_scaling.factor=8 rope_scaling.low_freq_factor=1 "
     "rope_scaling.high_freq_factor=4 "
     "rope_scaling.original_max_position_embeddings=8192"},
    {"llama-3.1-405b", POSENC__NAMES("llama3.1-405b"), "meta-llama/Llama-3.1-405B",
     "model_type=llama hidden_size=16384 num_attention_heads=128 "
     "num_hidden_layers=126 max_position_embeddings=131072 rope_theta=500000 "
     "rope_scaling.rope_type=llama3 rope_scaling.factor=8 "
     "rope_scaling.low_freq_factor=1 rope_scaling.high_freq_factor=4 "
     "rope_scaling.original_max_position_embeddings=8192"},
    {"llama-3.2-1b", POSENC__NAMES("llama3.2-1b"), "meta-llama/Llama-3.2-1B",
     "model_type=llama hidden_size=2048 num_attention_heads=32 num_hidden_layers=16 "
     "head_dim=64 max_position_embeddings=131072 rope_theta=500000 "
     "rope_scaling.rope_type=llama3 rope_scaling.factor=32 "
     "rope_scaling.low_freq_factor=1 rope_scaling.high_freq_factor=4 "
     "rope_scaling.original_max_position_embeddings=8192"},
    {"llama-3.2-3b", POSENC__NAMES("llama3.2-3b"), "meta-llama/Llama-3.2-3B",
     "model_type=llama hidden_size=3072 num_attention_heads=24 num_hidden_layers=28 "
     "head_dim=128 max_position_embeddings=131072 rope_theta=500000 "
     "rope_scaling.rope_type=llama3 rope_scaling.factor=32 "
     "rope_scaling.low_freq_factor=1 rope_scaling.high_freq_factor=4 "
     "rope_scaling.original_max_position_embeddings=8192"},
    {"llama-3.3-70b", POSENC__NAMES("llama3.3-70b"), "meta-llama/Llama-3.3-70B-Instruct",
     "model_type=llama hidden_size=8192 num_attention_heads=64 num_hidden_layers=80 "
     "max_position_embeddings=131072 rope_theta=500000 rope_scaling.rope_type=llama3 "
     "rope_scaling.factor=8 rope_scaling.low_freq_factor=1 "
     "rope_scaling.high_freq_factor=4 "
     "rope_scaling.original_max_position_embeddings=8192"},
    {"tinyllama-1.1b", POSENC__NAMES("tinyllama"), "TinyLlama/TinyLlama-1.1B-Chat-v1.0",
     "model_type=llama hidden_size=2048 num_attention_heads=32 num_hidden_layers=22 "
     "max_position_embeddings=2048 rope_theta=10000"},
    {"smollm2-135m", NULL, "HuggingFaceTB/SmolLM2-135M",
     "model_type=llama hidden_size=576 num_attention_heads=9 num_hidden_layers=30 "
     "max_position_embeddings=8192 rope_theta=100000"},
    {"smollm2-1.7b", NULL, "HuggingFaceTB/SmolLM2-1.7B",
     "model_type=llama hidden_size=2048 num_attention_heads=32 num_hidden_layers=24 "
     "max_position_embeddings=8192 rope_theta=130000"},
    {"mistral-7b-v0.1", POSENC__NAMES("mistral-7b"), "mistralai/Mistral-7B-v0.1",
     "model_type=mistral hidden_size=4096 num_attention_heads=32 "
     "num_hidden_layers=32 max_position_embeddings=32768 rope_theta=10000"},
    {"mistral-7b-v0.3", NULL, "mistralai/Mistral-7B-v0.3",
     "model_type=mistral hidden_size=4096 num_attention_heads=32 "
     "num_hidden_layers=32 max_position_embeddings=32768 rope_theta=1000000"},
    {"mistral-nemo-12b", POSENC__NAMES("mistral-nemo"), "mistralai/Mistral-Nemo-Base-2407",
     "model_type=mistral hidden_size=5120 num_attention_heads=32 "
     "num_hidden_layers=40 head_dim=128 max_position_embeddings=131072 "
     "rope_theta=1000000"},
    {"mixtral-8x7b", NULL, "mistralai/Mixtral-8x7B-v0.1",
     "model_type=mixtral hidden_size=4096 num_attention_heads=32 "
     "num_hidden_layers=32 max_position_embeddings=32768 rope_theta=1000000"},
    {"mixtral-8x22b", NULL, "mistralai/Mixtral-8x22B-v0.1",
     "model_type=mixtral hidden_size=6144 num_attention_heads=48 "
     "num_hidden_layers=56 max_position_embeddings=65536 rope_theta=1000000"},
    {"devstral-2-123b", POSENC__NAMES("devstral-2"), "mistralai/Devstral-2-123B-Instruct-2512",
     "model_type=ministral3 hidden_size=12288 num_attention_heads=96 "
     "num_hidden_layers=88 head_dim=128 max_position_embeddings=262144 "
     "rope_parameters.rope_type=yarn rope_parameters.rope_theta=1000000 "
     "rope_parameters.factor=64 "
     "rope_parameters.original_max_position_embeddings=4096 "
     "rope_parameters.beta_fast=4 rope_parameters.beta_slow=1 "
     "rope_parameters.mscale=1 rope_parameters.mscale_all_dim=0 "
     "rope_parameters.llama_4_scaling_beta=0"},
    {"qwen1.5-7b", NULL, "Qwen/Qwen1.5-7B",
     "model_type=qwen2 hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
     "max_position_embeddings=32768 rope_theta=1000000"},
    {"qwen2-7b", NULL, "Qwen/Qwen2-7B-Instruct",
     "model_type=qwen2 hidden_size=3584 num_attention_heads=28 num_hidden_layers=28 "
     "max_position_embeddings=32768 rope_theta=1000000"},
    {"qwen2.5-0.5b", NULL, "Qwen/Qwen2.5-0.5B-Instruct",
     "model_type=qwen2 hidden_size=896 num_attention_heads=14 num_hidden_layers=24 "
     "max_position_embeddings=32768 rope_theta=1000000"},
    {"qwen2.5-7b", NULL, "Qwen/Qwen2.5-7B-Instruct",
     "model_type=qwen2 hidden_size=3584 num_attention_heads=28 num_hidden_layers=28 "
     "max_position_embeddings=32768 rope_theta=1000000"},
    {"qwen2.5-72b", NULL, "Qwen/Qwen2.5-72B-Instruct",
     "model_type=qwen2 hidden_size=8192 num_attention_heads=64 num_hidden_layers=80 "
     "max_position_embeddings=32768 rope_theta=1000000"},
    {"qwen3-0.6b", NULL, "Qwen/Qwen3-0.6B",
     "model_type=qwen3 hidden_size=1024 num_attention_heads=16 num_hidden_layers=28 "
     "head_dim=128 max_position_embeddings=40960 rope_theta=1000000"},
    {"qwen3-8b", NULL, "Qwen/Qwen3-8B",
     "model_type=qwen3 hidden_size=4096 num_attention_heads=32 num_hidden_layers=36 "
     "head_dim=128 max_position_embeddings=40960 rope_theta=1000000"},
    {"qwen3-32b", NULL, "Qwen/Qwen3-32B",
     "model_type=qwen3 hidden_size=5120 num_attention_heads=64 num_hidden_layers=64 "
     "head_dim=128 max_position_embeddings=40960 rope_theta=1000000"},
    {"qwen3-30b-a3b", NULL, "Qwen/Qwen3-30B-A3B",
     "model_type=qwen3_moe hidden_size=2048 num_attention_heads=32 "
     "num_hidden_layers=48 head_dim=128 max_position_embeddings=40960 "
     "rope_theta=1000000"},
    {"qwen3-235b-a22b", NULL, "Qwen/Qwen3-235B-A22B",
     "model_type=qwen3_moe hidden_size=4096 num_attention_heads=64 "
     "num_hidden_layers=94 head_dim=128 max_position_embeddings=40960 "
     "rope_theta=1000000"},
    {NULL, NULL, NULL, NULL},
};
