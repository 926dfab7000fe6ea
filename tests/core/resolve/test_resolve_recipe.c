#include "resolving.h"

/* One number of the first or second use of a file. */
static const struct recipe_row {
    const char *facts;
    size_t use;
    const char *encoding, *component, *layers, *path;
    double number;
} rows[] = {
    {"model_type=gpt2 n_embd=768 n_positions=1024", 0, "learned", "text", "embedding",
     "parameters.rows", 1024},
    {"model_type=opt max_position_embeddings=2048", 0, "learned", "text", "embedding",
     "parameters.position_offset", 2},
    {"model_type=roberta max_position_embeddings=514 pad_token_id=3", 0, "learned", "text",
     "embedding", "parameters.position_offset", 4},
    {"model_type=bart d_model=8 max_position_embeddings=1024", 1, "learned", "decoder", "embedding",
     "parameters.rows", 1024},
    {"model_type=vit image_size=224 patch_size=32", 0, "learned", "vision", "embedding",
     "parameters.rows", 50},
    {"model_type=vit image_size=64,32 patch_size=16", 0, "learned", "vision", "embedding",
     "parameters.rows", 9},
    {"model_type=deit image_size=224 patch_size=16", 0, "learned", "vision", "embedding",
     "parameters.rows", 198},
    {"model_type=bert position_embedding_type=relative_key max_position_embeddings=512", 0, "shaw",
     "text", "all", "parameters.max_relative_position", 511},
    {"model_type=bert position_embedding_type=alibi num_attention_heads=12", 0, "alibi", "text",
     "all", "parameters.heads", 12},
    {"model_type=bloom n_head=112", 0, "alibi", "text", "all", "parameters.heads", 112},
    {"model_type=mpt n_heads=32 attn_config.alibi=true attn_config.alibi_bias_max=16", 0, "alibi",
     "text", "all", "parameters.bias_max", 16},
    {"model_type=mpt d_model=64 n_heads=4 n_layers=1 attn_config.alibi=false "
     "attn_config.rope=true attn_config.rope_theta=500",
     0, "rope", "text", "all", "parameters.base", 500},
    {"model_type=falcon alibi=true num_attention_heads=32", 0, "alibi", "text", "all",
     "parameters.heads", 32},
    {"model_type=falcon alibi=false hidden_size=64 num_attention_heads=1 num_hidden_layers=1", 0,
     "rope", "text", "all", "parameters.dim", 64},
    {"model_type=baichuan hidden_size=5120 num_attention_heads=40 num_hidden_layers=40", 0, "alibi",
     "text", "all", "parameters.heads", 40},
    {"model_type=t5 num_heads=64 num_layers=24", 0, "t5", "encoder", "all",
     "parameters.max_distance", 128},
    {"model_type=t5 num_heads=64 num_layers=24", 1, "t5", "decoder", "all",
     "parameters.num_buckets", 32},
    {"model_type=whisper d_model=384 max_target_positions=448", 0, "sinusoidal", "encoder",
     "embedding", "parameters.dim", 384},
    {"model_type=whisper d_model=384 max_target_positions=448", 1, "learned", "decoder",
     "embedding", "parameters.rows", 448},
    {"relative_attention=true position_buckets=256 max_relative_positions=-1 "
     "max_position_embeddings=512 position_biased_input=false",
     0, "deberta", "text", "all", "parameters.max_relative_positions", 512},
    {"relative_attention=false position_buckets=256 max_position_embeddings=512", 0, "learned",
     "text", "embedding", "parameters.rows", 512},
    {"model_type=swin window_size=7", 0, "swin", "vision", "all", "parameters.version", 1},
    {"model_type=xlnet d_model=768", 0, "transformer_xl", "text", "all", "parameters.dim", 768},
    {"discriminator.relative_attention=true discriminator.position_buckets=256 "
     "discriminator.position_biased_input=false",
     0, "deberta", "discriminator", "all", "parameters.position_buckets", 256},
};

Test(resolve_recipe, finds_each_encodings_parameters)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct resolved resolved = resolve(rows[i].facts);

        cr_expect_str_eq(text_in(&resolved, rows[i].use, "encoding"), rows[i].encoding, "%s",
                         rows[i].facts);
        cr_expect_str_eq(text_in(&resolved, rows[i].use, "component"), rows[i].component, "%s",
                         rows[i].facts);
        cr_expect_str_eq(text_in(&resolved, rows[i].use, "layers"), rows[i].layers, "%s",
                         rows[i].facts);
        cr_expect_eq(number_in(&resolved, rows[i].use, rows[i].path), rows[i].number, "%s",
                     rows[i].facts);
        resolved_release(&resolved);
    }
}

Test(resolve_recipe, tells_t5s_encoder_from_its_decoder)
{
    struct resolved resolved = resolve("model_type=t5 num_heads=8 num_layers=6");

    cr_expect(in_use(&resolved, 0, "parameters.bidirectional")->as.boolean);
    cr_expect_not(in_use(&resolved, 1, "parameters.bidirectional")->as.boolean);
    resolved_release(&resolved);
}

Test(resolve_recipe, refuses_sizes_that_are_none)
{
    static const struct {
        const char *facts, *parameter;
    } refused[] = {
        {"model_type=vivit tubelet_size=2,16", "tubelet_size"},
        {"model_type=vivit tubelet_size=2", "tubelet_size"},
        {"model_type=vivit tubelet_size=2,0,16", "tubelet_size"},
        {"model_type=vivit num_frames=0", "num_frames"},
        {"model_type=yolos num_detection_tokens=few", "num_detection_tokens"},
        {"model_type=hiera patch_stride=0", "patch_stride"},
        {"model_type=vit_mae image_size=wide", "image_size"},
        {"model_type=kimi_k25_vision hidden_size=8 num_attention_heads=2 pos_emb_width=0",
         "pos_emb_width"},
    };

    for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
        struct resolved resolved = resolve(refused[i].facts);

        cr_expect_neq(resolved.status, POSENC_OK, "%s", refused[i].facts);
        cr_expect_str_eq(resolved.problem.parameter, refused[i].parameter, "%s", refused[i].facts);
        resolved_release(&resolved);
    }
}

/* What is told can be asked for as it is. */
Test(resolve_recipe, gives_parameters_that_the_encoding_takes)
{
    static const struct {
        const char *facts, *also;
    } cases[] = {
        {"model_type=vit_mae", NULL},
        {"model_type=videomae", "length"},
        {"model_type=parakeet_encoder", "length"},
        {"model_type=detr", "grid"},
        {"model_type=vivit", "init"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct resolved resolved = resolve(cases[i].facts);
        const struct posenc_members *told = &in_use(&resolved, 0, "parameters")->as.object;
        const double grid[] = {2, 3};
        struct posenc_member members[16];
        size_t count = told->count;
        struct posenc_result result;

        cr_assert_leq(count, 15);
        memcpy(members, told->items, count * sizeof(*members));
        if (cases[i].also)
            members[count++] = (struct posenc_member){
                cases[i].also, strcmp(cases[i].also, "grid") == 0   ? posenc_numbers(grid, 2)
                               : strcmp(cases[i].also, "init") == 0 ? posenc_text("zeros")
                                                                    : posenc_number(2)};
        cr_expect_eq(posenc_make(text_in(&resolved, 0, "encoding"), "table",
                                 posenc_object(members, count), &resolved.memory, &result,
                                 &resolved.problem),
                     POSENC_OK, "%s: %s", cases[i].facts, resolved.problem.detail);
        resolved_release(&resolved);
    }
}
