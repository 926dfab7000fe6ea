/* Groups of layers: settled once, merged where they come out alike, told in an order. */
#include <stdio.h>

#include "resolving_rows.h"

Test(resolve_rope, merges_types_that_come_out_alike)
{
    static const char *const words[] = {"sliding_attention", "full_attention"};
    struct posenc_value items[2];
    const struct posenc_member types = word_list("layer_types", words, 2, items);
    struct resolved resolved = resolve_with("model_type=gpt_oss num_hidden_layers=2 "
                                            "max_position_embeddings=131072",
                                            &types);

    cr_assert_eq(use_count(&resolved), 1);
    cr_expect_str_eq(text_in(&resolved, 0, "layers"), "all");
    cr_expect_not(is_in(&resolved, 0, "layer_type"));
    cr_expect_not(in_use(&resolved, 0, "parameters.scaling.truncate")->as.boolean);
    resolved_release(&resolved);
}

Test(resolve_rope, says_that_more_different_layers_are_not_resolved)
{
    char facts[2000] = "model_type=granite_swa hidden_size=64 num_attention_heads=4 "
                       "num_hidden_layers=100 layer_rope_theta=";

    for (int layer = 0; layer < 100; layer++)
        (void)snprintf(facts + strlen(facts), sizeof(facts) - strlen(facts), "%d,", 100 + layer);
    struct resolved resolved = resolve(facts);

    cr_expect_eq(resolved.status, POSENC_TOO_LARGE);
    resolved_release(&resolved);
}

Test(resolve_rope, keeps_the_indexer_out_of_layers_that_share_it)
{
    static const char *const words[] = {"full", "shared", "full"};
    struct posenc_value items[3];
    const struct posenc_member types = word_list("indexer_types", words, 3, items);
    struct resolved resolved =
        resolve_with("model_type=glm_moe_dsa num_hidden_layers=3 qk_nope_head_dim=192 "
                     "qk_rope_head_dim=64 index_head_dim=128 rope_theta=1e6",
                     &types);

    cr_assert_eq(use_count(&resolved), 2);
    cr_expect_str_eq(text_in(&resolved, 0, "layers"), "all");
    cr_expect_str_eq(text_in(&resolved, 1, "component"), "indexer");
    cr_expect(has_layers(&resolved, 1, (const double[]){0, 2}, 2));
    cr_expect_eq(number_in(&resolved, 1, "parameters.dim"), 128);
    resolved_release(&resolved);
}

Test(resolve_rope, tells_the_softmax_multiplier_once_for_the_whole_model)
{
    struct resolved resolved =
        resolve("model_type=deepseek_v3 head_dim=64 hidden_size=7168 num_attention_heads=128 "
                "num_hidden_layers=61 qk_nope_head_dim=128 qk_rope_head_dim=64 rope_theta=1e4 "
                "max_position_embeddings=163840 rope_scaling.type=yarn rope_scaling.factor=40 "
                "rope_scaling.original_max_position_embeddings=4096 rope_scaling.mscale=1 "
                "rope_scaling.mscale_all_dim=1");

    cr_expect_float_eq(posenc_find_member(&resolved.answer, "softmax_scale_multiplier")->as.number,
                       1.8738542070926265, 1e-15);
    resolved_release(&resolved);
}

/* Uses of a file, in their order: "layer_type encoding" of each. */
struct order_row {
    const char *facts, *uses[4];
};

/* What rotates on full layers, what rotates on sliding ones, what does not. */
static const struct order_row orders[] = {
    {"model_type=gemma3_text sliding_window_pattern=2 " SHAPE,
     {"full_attention rope", "sliding_attention rope"}},
    {"model_type=modernbert global_attn_every_n_layers=2 " SHAPE,
     {"full_attention rope", "sliding_attention rope"}},
    {"model_type=exaone4 sliding_window=8 sliding_window_pattern=LG " SHAPE,
     {"sliding_attention rope", "full_attention none"}},
    {"model_type=deepseek_v4 compress_ratios=4,0 rope_scaling.type=yarn rope_scaling.factor=16 "
     "rope_scaling.original_max_position_embeddings=65536 " SHAPE,
     {"compress rope", "main rope"}},
    {"model_type=olmo3 sliding_window_pattern=2 " SHAPE, {"- rope"}}, /* nothing to scale: alike */
};

Test(resolve_rope, tells_uses_in_the_order_of_what_rotates)
{
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        struct resolved resolved = resolve(orders[i].facts);
        size_t count = 0;

        while (count < 4 && orders[i].uses[count])
            count++;
        cr_assert_eq(use_count(&resolved), count, "%s: %zu uses", orders[i].facts,
                     use_count(&resolved));
        for (size_t use = 0; use < count; use++) {
            char told[64];

            (void)snprintf(
                told, sizeof(told), "%s %s",
                is_in(&resolved, use, "layer_type") ? text_in(&resolved, use, "layer_type") : "-",
                text_in(&resolved, use, "encoding"));
            cr_expect_str_eq(told, orders[i].uses[use], "%s", orders[i].facts);
        }
        resolved_release(&resolved);
    }
}

/* A stack whose depth nobody says, but whose layers are alike, is one use of all. */
Test(resolve_rope, needs_no_number_of_layers_where_they_are_alike)
{
    static const struct use_row rows[] = {
        {"model_type=starcoder2 hidden_size=64 num_attention_heads=4", 0,
         "encoding=rope layers=all layer_type=null", NULL},
        {"model_type=starcoder2 hidden_size=64 num_attention_heads=4 num_hidden_layers=1", 0,
         "encoding=rope layers=all", NULL},
    };
    static const struct refused_row refused[] = {
        {"model_type=smollm3 hidden_size=64 num_attention_heads=4", POSENC_MISSING_PARAMETER,
         "num_hidden_layers"},
        {"model_type=laguna hidden_size=64 num_attention_heads=4", POSENC_MISSING_PARAMETER,
         "num_hidden_layers"},
    };

    expect_uses(rows, COUNT_OF(rows));
    expect_refused(refused, COUNT_OF(refused));
}

/* 64 different layers are the most, one more is too many. */
Test(resolve_rope, resolves_as_many_different_layers_as_are_promised)
{
    for (int layers = POSENC_CONFIG_USES_MAX; layers <= POSENC_CONFIG_USES_MAX + 1; layers++) {
        char facts[2000];

        (void)snprintf(facts, sizeof(facts),
                       "model_type=granite_swa hidden_size=64 num_attention_heads=4 "
                       "num_hidden_layers=%d layer_rope_theta=",
                       layers);
        for (int layer = 0; layer < layers; layer++)
            (void)snprintf(facts + strlen(facts), sizeof(facts) - strlen(facts), "%d,",
                           100 + layer);
        struct resolved resolved = resolve(facts);

        cr_expect_eq(resolved.status,
                     layers == POSENC_CONFIG_USES_MAX ? POSENC_OK : POSENC_TOO_LARGE, "%d", layers);
        resolved_release(&resolved);
    }
}

/* Whose layout: the class's, the file's switch for latent attention, or a general flag. */
static const struct use_row layouts[] = {
    {"model_type=llama rope_interleave=true " SHAPE, 0, "parameters.layout=half", NULL},
    {"model_type=llama rotary_emb_interleaved=true " SHAPE, 0, "parameters.layout=interleaved",
     NULL},
    {"model_type=llama rotary_emb_interleaved=false " SHAPE, 0, "parameters.layout=half", NULL},
    {"model_type=deepseek_v3 rope_interleave=true " SHAPE, 0, "parameters.layout=deinterleaved",
     NULL},
    {"model_type=deepseek_v2 rope_interleave=true " SHAPE, 0, "parameters.layout=interleaved",
     NULL},
    {"model_type=deepseek_v2 rope_interleave=false " SHAPE, 0, "parameters.layout=half", NULL},
};

Test(resolve_rope, has_the_layout_of_class_or_switch)
{
    expect_uses(layouts, COUNT_OF(layouts));
}
