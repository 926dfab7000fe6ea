/* Multimodal classes: how text deals its pairs to axes, and what towers do. */
#include "resolving_rows.h"

/* Heads of 128 channels. */
#define TALL "hidden_size=1024 num_attention_heads=8 num_hidden_layers=2 "

static const struct use_row texts[] = {
    {"model_type=qwen2_vl " TALL, 0,
     "parameters.base=1e6 parameters.mrope_section=16,24,24 parameters.mrope_order=chunked "
     "parameters.layout=half",
     "rope_scaling.mrope_section"},
    {"model_type=qwen2_5_omni_text " TALL, 0,
     "parameters.base=1e6 parameters.mrope_section=16,24,24 parameters.mrope_order=chunked", NULL},
    {"model_type=qwen3_vl_text " TALL, 0,
     "parameters.base=5e5 parameters.mrope_section=24,20,20 parameters.mrope_order=interleaved "
     "parameters.layout=half",
     NULL},
    {"model_type=qwen3_omni_moe_text " TALL, 0,
     "parameters.base=1e6 parameters.mrope_section=24,20,20 parameters.mrope_order=interleaved",
     NULL},
    {"model_type=qwen3_5_text full_attention_interval=2 " TALL, 0, /* 0.25 of 256: 32 pairs */
     "parameters.base=1e4 parameters.dim=256 parameters.rotary_dim=64 "
     "parameters.mrope_section=11,11,10 parameters.mrope_order=interleaved",
     NULL},
    {"model_type=ernie4_5_vl_moe_text " TALL, 0,
     "parameters.base=5e5 parameters.mrope_section=22,22,20 parameters.mrope_order=ernie "
     "parameters.layout=interleaved",
     NULL},
    {"model_type=paddleocr_vl_text " TALL, 0,
     "parameters.base=5e5 parameters.mrope_section=16,24,24 parameters.mrope_order=chunked "
     "parameters.layout=half",
     NULL},
    {"model_type=glm4v_text partial_rotary_factor=0.5 rope_scaling.rope_type=default "
     "rope_scaling.mrope_section=8,12,12 " TALL,
     0,
     "parameters.base=1e4 parameters.rotary_dim=64 parameters.mrope_order=chunked "
     "parameters.layout=interleaved",
     NULL},
    {"model_type=glm4v_moe_text rope_scaling.rope_type=default "
     "rope_scaling.mrope_section=8,12,12 " TALL,
     0, "parameters.rotary_dim=64 parameters.mrope_order=chunked parameters.layout=half", NULL},
    /* Qwen3-VL interleaves whether or not the flag is there. */
    {"model_type=qwen3_vl_text rope_scaling.rope_type=default "
     "rope_scaling.mrope_section=24,20,20 " TALL,
     0, "parameters.mrope_order=interleaved", NULL},
    /* Hunyuan's four axes: what holds of text. */
    {"model_type=hunyuan_vl_text rope_scaling.type=xdrope rope_scaling.alpha=1000 "
     "rope_scaling.xdrope_section=16,16,16,16 " TALL,
     0, "parameters.mrope_section=null parameters.scaling.rope_type=ntk", "rope_scaling"},
};

Test(model_types_multimodal, deal_the_pairs_of_text_as_their_class_does)
{
    expect_uses(texts, COUNT_OF(texts));
}

/* Towers by themselves: 16 heads of 64 channels unless the class says otherwise. */
static const struct use_row towers[] = {
    {"model_type=pixtral " WIDE, 0,
     "component=vision parameters.preset=pixtral parameters.layout=half parameters.base=1e4 "
     "parameters.dim=64",
     NULL},
    {"model_type=qwen2_vl vision_config.embed_dim=1280 vision_config.num_heads=16 " TALL, 1,
     "component=vision parameters.preset=qwen2_vl_vision parameters.layout=half "
     "parameters.dim=80 parameters.base=1e4",
     NULL},
    {"model_type=llama4_vision_model " WIDE, 0,
     "parameters.preset=llama4_vision parameters.layout=interleaved parameters.base=1e4", NULL},
    {"model_type=gemma4_vision " WIDE, 0,
     "parameters.preset=gemma4_vision parameters.layout=half parameters.base=100", NULL},
    {"model_type=qwen2_5_vl_vision rope_parameters.rope_type=axial rope_parameters.rope_theta=1e4 "
     "hidden_size=1280 num_heads=16",
     0,
     "component=vision parameters.preset=qwen2_vl_vision parameters.layout=half "
     "parameters.dim=80 parameters.base=1e4 parameters.scaling=null",
     NULL},
    {"model_type=lfm3_vl_vision", 0,
     "parameters.preset=qwen2_vl_vision parameters.layout=half parameters.base=1e6", NULL},
    {"model_type=mlcd_vision_model", 0,
     "parameters.preset=qwen2_vl_vision parameters.layout=half parameters.dim=104", NULL},
    /* columns before rows, from 1 */
    {"model_type=step3p5_vision", 0,
     "parameters.preset=qwen2_vl_vision parameters.axis_order=xy parameters.layout=half "
     "parameters.dim=96",
     NULL},
    {"model_type=muse_spark_vision", 0,
     "parameters.preset=qwen2_vl_vision parameters.axis_order=xy parameters.coordinate_start=1 "
     "parameters.layout=half",
     NULL},
    {"model_type=inkling2_vision", 0,
     "parameters.preset=llama4_vision parameters.layout=interleaved parameters.dim=64", NULL},
    /* frames, too: 3 * 26 of 80 channels turn */
    {"model_type=minimax_m3_vl_vision", 0,
     "parameters.preset=qwen2_vl_vision parameters.axis_count=3 parameters.layout=half "
     "parameters.dim=80 parameters.rotary_dim=78",
     NULL},
    {"model_type=sam2_video rope_parameters.rope_type=axial rope_parameters.rope_theta=77", 0,
     "component=vision parameters.preset=sam2 parameters.layout=interleaved parameters.dim=256 "
     "parameters.base=77",
     NULL},
    {"model_type=kimi_k25_vision vt_hidden_size=1152 vt_num_attention_heads=16", 0,
     "parameters.preset=kimi_k25_vision parameters.layout=half parameters.dim=72", NULL},
    {"model_type=dinov3_vit " WIDE, 0,
     "parameters.preset=dinov3 parameters.layout=half parameters.base=100", NULL},
    {"model_type=sam3_vit_model " WIDE, 0,
     "parameters.preset=sam2 parameters.layout=interleaved parameters.base=1e4", NULL},
    /* Angles are tiled over adjacent channels: no plain rotation. */
    {"model_type=vjepa2 " WIDE, 0,
     "parameters.preset=vjepa2 parameters.layout=mixed parameters.base=1e4", NULL},
};

Test(model_types_multimodal, give_rotary_towers_their_preset_and_layout)
{
    expect_uses(towers, COUNT_OF(towers));
}

/* A preset says the layout, too, except Kimi's: the class must not contradict it. */
Test(model_types_multimodal, have_the_layout_of_their_preset)
{
    for (size_t i = 0; i < COUNT_OF(towers); i++) {
        struct resolved resolved = resolve(towers[i].facts);
        const char *name = text_in(&resolved, towers[i].use, "parameters.preset");
        const char *layout = text_in(&resolved, towers[i].use, "parameters.layout");
        const struct posenc_preset *preset = posenc_find("rope")->presets;

        while (preset->name && strcmp(preset->name, name) != 0)
            preset++;
        cr_assert_not_null(preset->name, "%s", name);
        for (const struct posenc_setting *setting = preset->settings; setting->name; setting++)
            if (strcmp(setting->name, "layout") == 0)
                cr_expect_str_eq(setting->value.as.text, layout, "%s", name);
        resolved_release(&resolved);
    }
}

/* (224 / 32)^2 + 1, (224 / 16)^2, (448 / 14)^2 + 1, (224 / 16)^2 + 2 rows. */
static const struct use_row tables[] = {
    {"model_type=clip_vision_model", 0,
     "component=vision encoding=learned parameters.rows=50 parameters.dim=768", NULL},
    {"model_type=siglip_vision_model", 0, "encoding=learned parameters.rows=196", NULL},
    {"model_type=siglip2_vision_model", 0, "encoding=learned parameters.rows=256", NULL},
    {"model_type=intern_vit_6b hidden_size=3200", 0,
     "encoding=learned parameters.rows=1025 parameters.dim=3200", NULL},
    {"model_type=deit", 0, "encoding=learned parameters.rows=198", NULL},
    {"model_type=clip_text_model", 0,
     "component=text encoding=learned parameters.rows=77 parameters.dim=512", NULL},
    {"model_type=siglip_text_model", 0, "component=text parameters.rows=64", NULL},
    {"model_type=qwen3_vl text_config.model_type=qwen3_vl_text text_config.num_hidden_layers=2 "
     "vision_config.hidden_size=1152 vision_config.num_heads=16 "
     "vision_config.num_position_embeddings=2304",
     2, "component=vision encoding=learned parameters.rows=2304 layers=embedding", NULL},
    {"model_type=qwen3_5_vision", 1, "encoding=learned parameters.rows=2304 parameters.dim=1152",
     NULL},
    {"model_type=kimi_k25_vision vt_num_attention_heads=4 vt_hidden_size=64 init_pos_emb_height=5 "
     "init_pos_emb_width=7",
     1, "encoding=learned parameters.rows=35 parameters.dim=64", NULL},
    {"model_type=muse_glimmer_vision", 1, "encoding=learned parameters.rows=1024", NULL},
    {"model_type=step3p5_vision", 1, "encoding=learned parameters.rows=2704", NULL},
    {"model_type=qwen2_audio_encoder d_model=1280", 0,
     "component=audio encoding=sinusoidal parameters.preset=whisper parameters.dim=1280", NULL},
};

Test(model_types_multimodal, count_the_rows_of_towers_with_a_table)
{
    expect_uses(tables, COUNT_OF(tables));
}
