/* Model types whose layers differ: sliding and full, with and without rotation, several bases. */
#include "model_types.h"

#define ROPE(layout_name) .component = "text", .kind = POSENC__KIND_ROPE, .layout = (layout_name)
#define HALF              ROPE("half")
#define INTERLEAVED       ROPE("interleaved")

const struct posenc__model_type posenc__layered_types[] = {
    /* A base of their own for sliding layers. */
    {.names = "gemma3_text gemma3 t5gemma2 t5gemma2_text t5gemma2_decoder cohere_compass",
     HALF,
     .traits = POSENC__LOCAL_BASE,
     .defaults = "rope_theta=1e6 rope_local_base_freq=1e4 sliding_window_pattern=6 head_dim=256 "
                 "hidden_size=2304 num_attention_heads=8 num_hidden_layers=26 "
                 "max_position_embeddings=131072"},
    {.names = "gemma3n_text gemma3n",
     HALF,
     .traits = POSENC__LOCAL_BASE,
     .defaults = "rope_theta=1e6 rope_local_base_freq=1e4 sliding_window_pattern=5 head_dim=256 "
                 "hidden_size=2048 num_attention_heads=8 num_hidden_layers=35 "
                 "max_position_embeddings=32768"},
    {.names = "gemma4_text gemma4 gemma4_unified gemma4_unified_text diffusion_gemma "
              "diffusion_gemma_text",
     HALF,
     .traits = POSENC__LOCAL_BASE | POSENC__PROPORTIONAL,
     .defaults = "rope_theta=1e6 rope_local_base_freq=1e4 partial_rotary_factor=0.25 "
                 "sliding_window_pattern=6 head_dim=256 global_head_dim=512"},
    {.names = "embedding_gemma2 embedding_gemma2_text",
     HALF,
     .traits = POSENC__LOCAL_BASE,
     .defaults = "rope_theta=1e6 rope_local_base_freq=1e4 sliding_window_pattern=6 head_dim=256 "
                 "global_head_dim=512 hidden_size=512 num_attention_heads=4 num_hidden_layers=24"},
    {.names = "modernbert modernbert-decoder",
     HALF,
     .traits = POSENC__LOCAL_BASE | POSENC__LOCAL_SCALED | POSENC__GLOBAL_FIRST,
     .defaults = "global_rope_theta=1.6e5 local_rope_theta=1e4 global_attn_every_n_layers=3 "
                 "hidden_size=768 num_attention_heads=12 num_hidden_layers=22"},
    {.names = "mimo_v2_flash mimo_v2",
     HALF,
     .traits = POSENC__LOCAL_BASE,
     .defaults = "rope_theta=5e6 swa_rope_theta=1e4 partial_rotary_factor=0.334 head_dim=192 "
                 "swa_head_dim=192 sliding_window_pattern=6"},
    {.names = "laguna",
     HALF,
     .defaults = "head_dim=128 rope_scaling.full_attention.rope_type=default "
                 "rope_scaling.full_attention.rope_theta=5e5 "
                 "rope_scaling.full_attention.partial_rotary_factor=0.5 "
                 "rope_scaling.sliding_attention.rope_type=default "
                 "rope_scaling.sliding_attention.rope_theta=1e4 sliding_window_pattern=4"},
    {.names = "mellum",
     HALF,
     .defaults = "head_dim=128 rope_scaling.full_attention.rope_type=default "
                 "rope_scaling.full_attention.rope_theta=5e5 "
                 "rope_scaling.sliding_attention.rope_type=default "
                 "rope_scaling.sliding_attention.rope_theta=1e4 sliding_window_pattern=4"},
    {.names = "zaya",
     HALF,
     .defaults = "partial_rotary_factor=0.5 head_dim=128 rope_scaling.hybrid.rope_type=default "
                 "rope_scaling.hybrid.rope_theta=5e6 "
                 "rope_scaling.hybrid_sliding.rope_type=default "
                 "rope_scaling.hybrid_sliding.rope_theta=1e4"},
    {.names = "deepseek_v4",
     INTERLEAVED,
     .traits = POSENC__COMPRESS | POSENC__ROPE_LAST | POSENC__UNIT_FACTOR,
     .defaults = "rope_theta=1e4 compress_rope_theta=1.6e5 head_dim=512 qk_rope_head_dim=64",
     .note = "the attention output is turned back by the query's position"},

    /* Scaling for full layers only. */
    {.names = "olmo3",
     HALF,
     .traits = POSENC__SCALED_FULL,
     .defaults = "rope_theta=5e5 sliding_window_pattern=4"},
    {.names = "step3p5 step3p7 step3p5_flash step3p7_flash",
     HALF,
     .traits = POSENC__SCALED_FULL,
     .defaults = "rope_theta=1e4 head_dim=128"},
    {.names = "granite_swa granitemoe_swa muse_glimmer", HALF, .defaults = "rope_theta=1e4"},

    /* Full layers without rotation. */
    {.names = "cohere2 cohere2_vision",
     INTERLEAVED,
     .traits = POSENC__FULL_NOPE,
     .defaults = "rope_theta=1e4 sliding_window_pattern=4"},
    {.names = "cohere2_moe",
     INTERLEAVED,
     .traits = POSENC__FULL_NOPE,
     .defaults = "rope_theta=1e4 sliding_window_pattern=4 head_dim=128",
     .variants = {{"prefix_dense_sliding_window_pattern", "1", "cohere2_moe(dense)"}}},
    {.names = "cohere2_moe(dense)",
     INTERLEAVED,
     .traits = POSENC__FULL_NOPE | POSENC__DENSE_ROPE,
     .defaults = "rope_theta=1e4 sliding_window_pattern=4 head_dim=128"},
    {.names = "exaone4 exaone4_5_text exaone4_5 exaone_moe k_exaone",
     HALF,
     .traits = POSENC__FULL_NOPE,
     .defaults = "rope_theta=1e4 sliding_window_pattern=4",
     .variants = {{"sliding_window", "null", "exaone4(global)"}}},
    {.names = "exaone4(global)", HALF, .defaults = "rope_theta=1e4"},
    {.names = "afmoe",
     HALF,
     .traits = POSENC__FULL_NOPE,
     .defaults = "rope_theta=1e4 head_dim=128 global_attn_every_n_layers=4"},
    {.names = "smollm3",
     HALF,
     .traits = POSENC__NOPE_LIST,
     .defaults = "rope_theta=2e6 no_rope_layer_interval=4"},
    {.names = "llama4_text llama4",
     INTERLEAVED,
     .traits = POSENC__NOPE_LIST | POSENC__QUERY_LLAMA4,
     .defaults =
         "rope_theta=5e5 head_dim=128 no_rope_layer_interval=4 attn_temperature_tuning=true "
         "attn_scale=0.1 floor_scale=8192 hidden_size=5120 num_attention_heads=40 "
         "num_hidden_layers=48 max_position_embeddings=131072"},
    {.names = "mllama_text_model mllama",
     HALF,
     .traits = POSENC__CROSS_LAYERS,
     .defaults = "rope_theta=5e5 hidden_size=4096 num_attention_heads=32 num_hidden_layers=40 "
                 "max_position_embeddings=131072 cross_attention_layers=3,8,13,18,23,28,33,38"},

    /* Attention on some layers only. */
    {.names = "qwen3_next",
     HALF,
     .defaults = "rope_theta=1e4 head_dim=256 partial_rotary_factor=0.25 "
                 "full_attention_interval=4"},
    {.names = "bamba", HALF, .defaults = "rope_theta=1e4 partial_rotary_factor=0.5"},
    {.names = "falcon_h1", HALF, .defaults = "rope_theta=1e4"},
    {.names = "lfm2 lfm2_moe lfm2_vl", HALF, .defaults = "rope_theta=1e6"},
    {.names = "recurrent_gemma", HALF, .defaults = "rope_theta=1e4 partial_rotary_factor=0.5"},
    {.names = NULL},
};
