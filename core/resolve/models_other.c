/* Built-in models without rotation. */
#include "internal.h"
#include "models_list.h"

const struct posenc_model posenc__other_models[] = {
    {"gpt2", POSENC__NAMES("gpt-2", "gpt2-small"), "openai-community/gpt2",
     "model_type=gpt2 n_embd=768 n_head=12 n_layer=12 n_positions=1024"},
    {"gpt2-xl", NULL, "openai-community/gpt2-xl",
     "model_type=gpt2 n_embd=1600 n_head=25 n_layer=48 n_positions=1024"},
    {"opt-125m", NULL, "facebook/opt-125m",
     "model_type=opt hidden_size=768 num_attention_heads=12 num_hidden_layers=12 "
     "max_position_embeddings=2048"},
    {"opt-6.7b", NULL, "facebook/opt-6.7b",
     "model_type=opt hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "
     "max_position_embeddings=2048"},
    {"bert-base-uncased", POSENC__NAMES("bert-base", "bert"), "google-bert/bert-base-uncased",
     "model_type=bert hidden_size=768 num_attention_heads=12 num_hidden_layers=12 "
     "max_position_embeddings=512 position_embedding_type=absolute"},
    {"bert-large-uncased", POSENC__NAMES("bert-large"), "google-bert/bert-large-uncased",
     "model_type=bert hidden_size=1024 num_attention_heads=16 num_hidden_layers=24 "
     "max_position_embeddings=512 position_embedding_type=absolute"},
    {"distilbert-base-uncased", POSENC__NAMES("distilbert"), "distilbert/distilbert-base-uncased",
     "model_type=distilbert dim=768 n_heads=12 n_layers=6 "
     "max_position_embeddings=512"},
    {"roberta-base", POSENC__NAMES("roberta"), "FacebookAI/roberta-base",
     "model_type=roberta hidden_size=768 num_attention_heads=12 num_hidden_layers=12 "
     "max_position_embeddings=514 pad_token_id=1"},
    {"xlm-roberta-base", NULL, "FacebookAI/xlm-roberta-base",
     "model_type=xlm-roberta hidden_size=768 num_attention_heads=12 "
     "num_hidden_layers=12 max_position_embeddings=514 pad_token_id=1"},
    {"bart-large", POSENC__NAMES("bart"), "facebook/bart-large",
     "model_type=bart d_model=1024 encoder_layers=12 decoder_layers=12 "
     "encoder_attention_heads=16 max_position_embeddings=1024"},
    {"whisper-tiny", NULL, "openai/whisper-tiny",
     "model_type=whisper d_model=384 encoder_layers=4 decoder_layers=4 "
     "encoder_attention_heads=6 max_source_positions=1500 max_target_positions=448"},
    {"whisper-large-v3", POSENC__NAMES("whisper-large"), "openai/whisper-large-v3",
     "model_type=whisper d_model=1280 encoder_layers=32 decoder_layers=32 "
     "encoder_attention_heads=20 max_source_positions=1500 max_target_positions=448"},
    {"m2m100-418m", POSENC__NAMES("m2m100"), "facebook/m2m100_418M",
     "model_type=m2m_100 d_model=1024 encoder_layers=12 decoder_layers=12 "
     "encoder_attention_heads=16 max_position_embeddings=1024"},
    {"bloom-560m", NULL, "bigscience/bloom-560m",
     "model_type=bloom hidden_size=1024 n_head=16 n_layer=24"},
    {"bloom", POSENC__NAMES("bloom-176b"), "bigscience/bloom",
     "model_type=bloom hidden_size=14336 n_head=112 n_layer=70"},
    {"falcon-rw-1b", NULL, "tiiuae/falcon-rw-1b",
     "model_type=falcon hidden_size=2048 num_attention_heads=32 num_hidden_layers=24 "
     "alibi=true"},
    {"mpt-7b", NULL, "mosaicml/mpt-7b",
     "model_type=mpt d_model=4096 n_heads=32 n_layers=32 max_seq_len=2048 "
     "attn_config.alibi=true attn_config.alibi_bias_max=8"},
    {"mpt-30b", NULL, "mosaicml/mpt-30b",
     "model_type=mpt d_model=7168 n_heads=64 n_layers=48 max_seq_len=8192 "
     "attn_config.alibi=true attn_config.alibi_bias_max=8"},
    {"t5-small", NULL, "google-t5/t5-small",
     "model_type=t5 d_model=512 num_heads=8 num_layers=6 "
     "relative_attention_num_buckets=32 relative_attention_max_distance=128"},
    {"t5-base", POSENC__NAMES("t5"), "google-t5/t5-base",
     "model_type=t5 d_model=768 num_heads=12 num_layers=12 "
     "relative_attention_num_buckets=32 relative_attention_max_distance=128"},
    {"t5-v1_1-xxl", POSENC__NAMES("flan-t5-xxl"), "google/t5-v1_1-xxl",
     "model_type=t5 d_model=4096 num_heads=64 num_layers=24 "
     "relative_attention_num_buckets=32 relative_attention_max_distance=128"},
    {"deberta-v3-base", POSENC__NAMES("deberta-v3"), "microsoft/deberta-v3-base",
     "model_type=deberta-v2 hidden_size=768 num_attention_heads=12 "
     "num_hidden_layers=12 max_position_embeddings=512 relative_attention=true "
     "position_buckets=256 max_relative_positions=-1 position_biased_input=false"},
    {"xlnet-base-cased", POSENC__NAMES("xlnet"), "xlnet/xlnet-base-cased",
     "model_type=xlnet d_model=768 n_head=12 n_layer=12"},
    {"clip-vit-large-patch14", POSENC__NAMES("clip"), "openai/clip-vit-large-patch14",
     "model_type=clip text_config.model_type=clip_text_model "
     "text_config.hidden_size=768 text_config.num_attention_heads=12 "
     "text_config.num_hidden_layers=12 text_config.max_position_embeddings=77 "
     "vision_config.model_type=clip_vision_model vision_config.hidden_size=1024 "
     "vision_config.num_attention_heads=16 vision_config.num_hidden_layers=24 "
     "vision_config.image_size=224 vision_config.patch_size=14"},
    {"vit-base-patch16-224", POSENC__NAMES("vit-base"), "google/vit-base-patch16-224",
     "model_type=vit hidden_size=768 num_attention_heads=12 num_hidden_layers=12 "
     "image_size=224 patch_size=16"},
    {"dinov2-base", POSENC__NAMES("dinov2"), "facebook/dinov2-base",
     "model_type=dinov2 hidden_size=768 num_attention_heads=12 num_hidden_layers=12 "
     "image_size=518 patch_size=14"},
    {"swin-tiny-patch4-window7-224", POSENC__NAMES("swin-tiny"),
     "microsoft/swin-tiny-patch4-window7-224",
     "model_type=swin embed_dim=96 image_size=224 patch_size=4 window_size=7"},
    {"mamba-130m", POSENC__NAMES("mamba"), "state-spaces/mamba-130m-hf",
     "model_type=mamba hidden_size=768 num_hidden_layers=24"},
    {"jamba-v0.1", POSENC__NAMES("jamba"), "ai21labs/Jamba-v0.1",
     "model_type=jamba hidden_size=4096 num_attention_heads=32 num_hidden_layers=32"},
    {NULL, NULL, NULL, NULL},
};
