/* Classes for images, videos and sound without rotation: encoding, component, parameters. */
#include "resolving_rows.h"

#include <stdio.h>

/* Rows are counted here as in the comments: (side / patch)^2 and what stands beside. */
static const struct use_row tables[] = {
    {"model_type=clipseg_vision_model patch_size=16", 0, /* 14 * 14 + 1 */
     "component=vision encoding=learned layers=embedding parameters.rows=197 parameters.dim=768",
     NULL},
    {"model_type=xclip_vision_model", 0, "parameters.rows=50", "image_size"},
    {"model_type=metaclip_2_vision_model", 0, "parameters.rows=50", NULL},
    {"model_type=git_vision_model", 0, "parameters.rows=197", NULL},
    {"model_type=kosmos_2_vision_model", 0, "parameters.rows=257 parameters.dim=1024", NULL},
    {"model_type=idefics_vision embed_dim=1280", 0, "parameters.rows=257 parameters.dim=1280",
     NULL},
    {"model_type=instructblipvideo_vision_model", 0, "parameters.rows=257 parameters.dim=1408",
     NULL},
    {"model_type=bridgetower_vision_model", 0, "parameters.rows=325", NULL},
    {"model_type=owlvit_vision_model", 0, "parameters.rows=577", NULL},
    {"model_type=owlv2_vision_model", 0, "parameters.rows=2305", NULL},
    {"model_type=groupvit_vision_model", 0, "parameters.rows=196 parameters.dim=384", NULL},
    {"model_type=janus_vision_model", 0, "parameters.rows=576", NULL},
    {"model_type=ovis2_vision", 0, "parameters.rows=256", NULL},
    {"model_type=phi4_multimodal_vision", 0, "parameters.rows=1024 parameters.dim=1152", NULL},
    {"model_type=aimv2_vision_model", 0, "encoding=learned parameters.rows=256", NULL},
    {"model_type=yolos num_detection_tokens=7", 0, "parameters.rows=1736", NULL}, /* 32 * 54 + 8 */
    {"model_type=vilt", 0, "component=vision parameters.rows=145", NULL},
    {"model_type=vilt", 1, "component=text encoding=learned parameters.rows=40", NULL},
    {"model_type=timesformer", 0, "component=vision parameters.rows=197", NULL},
    {"model_type=timesformer num_frames=96", 1,
     "component=vision encoding=learned parameters.rows=96 parameters.dim=768", NULL},
    {"model_type=vivit", 0, "parameters.rows=3137", NULL},                 /* 16 * 14 * 14 + 1 */
    {"model_type=vivit image_size=64,32", 0, "parameters.rows=129", NULL}, /* 16 * 4 * 2 + 1 */
    {"model_type=vivit tubelet_size=4,16,32", 0, "parameters.rows=785", NULL}, /* 8 * 14 * 7 + 1 */
    {"model_type=dpt", 0, "encoding=learned parameters.rows=577", NULL},
    {"model_type=hiera image_size=224,112", 0, "parameters.rows=1568 parameters.dim=96", NULL},
    {"model_type=sam_vision_model hidden_size=1280", 0,
     "component=vision encoding=learned parameters.rows=4096 parameters.dim=1280", NULL},
    {"model_type=vitdet image_size=1024", 0, "parameters.rows=197", NULL}, /* of the pre-training */
    {"model_type=pix2struct_vision_model", 0,
     "component=vision encoding=learned parameters.rows=4096", NULL},
    {"model_type=kosmos_2_5_vision_model", 0, "parameters.rows=4096 parameters.dim=1536", NULL},
};

Test(model_types_vision, count_the_rows_of_their_tables)
{
    expect_uses(tables, COUNT_OF(tables));
}

static const struct use_row waves[] = {
    {"model_type=vit_mae hidden_size=1024", 0,
     "component=vision encoding=sinusoidal_grid parameters.preset=mae parameters.grid=14,14 "
     "parameters.prefix_tokens=1 parameters.dim=1024",
     NULL},
    {"model_type=vit_mae", 1,
     "component=decoder encoding=sinusoidal_grid parameters.preset=mae parameters.grid=14,14 "
     "parameters.dim=512",
     NULL},
    {"model_type=aimv2_vision_model is_native=true", 0,
     "component=vision encoding=sinusoidal_grid parameters.preset=mae parameters.grid=null", NULL},
    {"model_type=videomae", 0,
     "component=vision encoding=sinusoidal parameters.preset=vaswani parameters.dim=768", NULL},
    {"model_type=videomae", 1,
     "component=decoder encoding=sinusoidal parameters.preset=vaswani parameters.dim=384", NULL},
    {"model_type=detr position_embedding_type=sine", 0,
     "component=vision encoding=sinusoidal_grid parameters.preset=detr parameters.dim=256", NULL},
    {"model_type=conditional_detr d_model=288", 0,
     "encoding=sinusoidal_grid parameters.preset=detr parameters.dim=288", NULL},
    {"model_type=table-transformer", 0, "encoding=sinusoidal_grid parameters.preset=detr", NULL},
    {"model_type=mask2former hidden_dim=128", 0,
     "encoding=sinusoidal_grid parameters.preset=detr parameters.dim=128", NULL},
    {"model_type=oneformer", 0, "encoding=sinusoidal_grid parameters.dim=256", NULL},
    {"model_type=maskformer decoder_config.d_model=64", 0,
     "encoding=sinusoidal_grid parameters.preset=detr parameters.dim=64", NULL},
    {"model_type=kosmos_2_text_model embed_dim=2048", 0,
     "component=text encoding=sinusoidal parameters.preset=m2m100 parameters.dim=2048", NULL},
    {"model_type=timesfm hidden_size=1280 use_positional_embedding=true", 0,
     "component=text encoding=sinusoidal parameters.preset=tensor2tensor parameters.dim=1280",
     NULL},
    {"model_type=timesfm hidden_size=1280", 0, "encoding=none", NULL},
    {"model_type=parakeet_encoder", 0,
     "component=audio encoding=transformer_xl parameters.variant=conformer parameters.dim=1024",
     NULL},
};

Test(model_types_vision, have_the_waves_of_their_class)
{
    expect_uses(waves, COUNT_OF(waves));
}

static const struct use_row texts[] = {
    {"model_type=clipseg_text_model", 0,
     "component=text encoding=learned parameters.rows=77 parameters.dim=512", NULL},
    {"model_type=xclip_text_model", 0, "parameters.rows=77", NULL},
    {"model_type=metaclip_2_text_model", 0, "parameters.rows=77", NULL},
    {"model_type=groupvit_text_model", 0, "parameters.rows=77 parameters.dim=256", NULL},
    {"model_type=aimv2_text_model", 0, "parameters.rows=77 parameters.dim=768", NULL},
    {"model_type=owlvit_text_model", 0, "parameters.rows=16 parameters.position_offset=null", NULL},
    {"model_type=owlv2_text_model", 0, "parameters.rows=16", NULL},
    {"model_type=align_text_model", 0, "parameters.rows=512", NULL},
    {"model_type=flava_text_model", 0, "parameters.rows=512", NULL},
    {"model_type=dpr", 0, "parameters.rows=512", NULL},
    {"model_type=instructblip_qformer", 0, "encoding=learned parameters.rows=512", NULL},
    {"model_type=blip_2_qformer", 0, "component=text encoding=none", NULL},
    {"model_type=blip_2_qformer use_qformer_text_input=true", 0, "encoding=learned", NULL},
};

Test(model_types_vision, count_the_rows_of_the_texts_beside_them)
{
    expect_uses(texts, COUNT_OF(texts));
}

Test(model_types_vision, have_no_positions_where_they_convolve)
{
    static const char types[] =
        "convnext convnextv2 dinov3_convnext resnet regnet bit mobilenet_v1 "
        "mobilenet_v2 efficientnet hgnet_v2 focalnet poolformer segformer";
    const char *list = types;

    for (size_t length; (length = posenc__next_word(&list)) > 0; list += length) {
        char facts[64];
        const struct use_row row = {facts, 0, "component=vision encoding=none layers=all", NULL};

        (void)snprintf(facts, sizeof(facts), "model_type=%.*s", (int)length, list);
        expect_uses(&row, 1);
    }
}

/* What is no encoding here is refused with what it is. */
Test(model_types_vision, refuse_rules_that_no_encoding_has)
{
    static const struct {
        const char *facts, *words;
    } rows[] = {
        {"model_type=wav2vec2 hidden_size=768", "convolution"},
        {"model_type=hubert hidden_size=768", "convolution"},
        {"model_type=unispeech-sat", "convolution"},
        {"model_type=data2vec-audio", "convolution"},
        {"model_type=deformable_detr position_embedding_type=sine", "centres of pixels"},
        {"model_type=detr position_embedding_type=learned", "a table for columns"},
        {"model_type=reformer", "quotient and remainder"},
        {"model_type=levit", "every pair of distances"},
        {"model_type=dinat", "neighbourhood"},
        {"model_type=vitdet use_absolute_position_embeddings=false", "depend on the query"},
        {"model_type=sam_vision_model use_abs_pos=false", "depend on the query"},
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct resolved resolved = resolve(rows[i].facts);

        cr_expect_eq(resolved.status, POSENC_OUT_OF_RANGE, "%s", rows[i].facts);
        cr_expect_str_eq(resolved.problem.parameter, "model_type", "%s", rows[i].facts);
        cr_expect(strstr(resolved.problem.detail, rows[i].words), "%s: %s", rows[i].facts,
                  resolved.problem.detail);
        resolved_release(&resolved);
    }
}
