#include <stdio.h>

#include "resolving.h"

#define SHAPE "hidden_size=64 num_attention_heads=4 rope_theta=1e6 "

Test(resolve_layers, gives_sliding_layers_their_own_base)
{
    struct resolved resolved =
        resolve("model_type=gemma3_text head_dim=256 num_hidden_layers=8 rope_theta=1e6 "
                "rope_local_base_freq=1e4 sliding_window_pattern=4 rope_scaling.rope_type=linear "
                "rope_scaling.factor=8");

    cr_assert_eq(use_count(&resolved), 2);
    cr_expect_str_eq(text_in(&resolved, 0, "layer_type"), "full_attention");
    cr_expect(has_layers(&resolved, 0, (const double[]){3, 7}, 2));
    cr_expect_eq(number_in(&resolved, 0, "parameters.scaling.factor"), 8);
    cr_expect_str_eq(text_in(&resolved, 1, "layer_type"), "sliding_attention");
    cr_expect_eq(number_in(&resolved, 1, "parameters.base"), 1e4);
    cr_expect_not(is_in(&resolved, 1, "parameters.scaling"));
    resolved_release(&resolved);
}

Test(resolve_layers, puts_modernberts_full_layers_first_of_each_three)
{
    struct resolved resolved =
        resolve("model_type=modernbert hidden_size=768 num_attention_heads=12 num_hidden_layers=5 "
                "global_rope_theta=160000 local_rope_theta=10000 global_attn_every_n_layers=3");

    cr_expect(has_layers(&resolved, 0, (const double[]){0, 3}, 2));
    cr_expect_eq(number_in(&resolved, 0, "parameters.base"), 160000);
    cr_expect_eq(number_in(&resolved, 1, "parameters.base"), 10000);
    resolved_release(&resolved);
}

Test(resolve_layers, leaves_full_layers_without_rotation_where_the_class_does)
{
    struct resolved resolved =
        resolve("model_type=exaone4 " SHAPE "num_hidden_layers=4 sliding_window=8 "
                "sliding_window_pattern=LLLG");

    cr_assert_eq(use_count(&resolved), 2);
    cr_expect(has_layers(&resolved, 0, (const double[]){0, 1, 2}, 3));
    cr_expect_str_eq(text_in(&resolved, 1, "encoding"), "none");
    cr_expect(has_layers(&resolved, 1, (const double[]){3}, 1));
    resolved_release(&resolved);
}

Test(resolve_layers, turns_all_layers_where_none_slides)
{
    struct resolved resolved =
        resolve("model_type=exaone4 " SHAPE "num_hidden_layers=4 sliding_window=null");

    cr_assert_eq(use_count(&resolved), 1);
    cr_expect_str_eq(text_in(&resolved, 0, "encoding"), "rope");
    resolved_release(&resolved);
}

Test(resolve_layers, scales_olmo3s_full_layers_only)
{
    struct resolved resolved =
        resolve("model_type=olmo3 " SHAPE "num_hidden_layers=4 rope_scaling.rope_type=yarn "
                "rope_scaling.factor=8 rope_scaling.original_max_position_embeddings=8192");

    cr_expect_eq(number_in(&resolved, 0, "parameters.scaling.factor"), 8);
    cr_expect_str_eq(text_in(&resolved, 1, "layer_type"), "sliding_attention");
    cr_expect_eq(number_in(&resolved, 1, "parameters.base"), 1e6);
    cr_expect_not(is_in(&resolved, 1, "parameters.scaling"));
    resolved_release(&resolved);
}

Test(resolve_layers, reads_the_list_of_layers_without_rotation)
{
    struct resolved listed =
        resolve("model_type=smollm3 " SHAPE "num_hidden_layers=3 no_rope_layers=1,0,1");
    struct resolved spaced = resolve("model_type=smollm3 " SHAPE "num_hidden_layers=5");

    cr_expect(has_layers(&listed, 1, (const double[]){1}, 1));
    cr_expect(has_layers(&spaced, 1, (const double[]){3}, 1));
    resolved_release(&listed);
    resolved_release(&spaced);
}

Test(resolve_layers, scales_queries_where_llama4_does_not_turn)
{
    struct resolved resolved = resolve("model_type=llama4_text " SHAPE "num_hidden_layers=4");

    cr_expect_not(is_in(&resolved, 0, "query_scale"));
    cr_expect_str_eq(text_in(&resolved, 1, "query_scale.rule"), "llama4_nope");
    cr_expect_eq(number_in(&resolved, 1, "query_scale.floor_scale"), 8192);
    resolved_release(&resolved);
}

Test(resolve_layers, takes_a_base_per_layer_and_zero_for_none)
{
    struct resolved resolved =
        resolve("model_type=granite_swa hidden_size=64 num_attention_heads=4 num_hidden_layers=4 "
                "layer_rope_theta=10000,0,5000,10000,77");

    cr_assert_eq(use_count(&resolved), 3);
    cr_expect(has_layers(&resolved, 0, (const double[]){0, 3}, 2));
    cr_expect_eq(number_in(&resolved, 1, "parameters.base"), 5000);
    cr_expect_str_eq(text_in(&resolved, 2, "encoding"), "none");
    resolved_release(&resolved);
}

Test(resolve_layers, refuses_a_list_that_is_shorter_than_the_stack)
{
    struct resolved resolved =
        resolve("model_type=granite_swa hidden_size=64 num_attention_heads=4 num_hidden_layers=4 "
                "layer_rope_theta=10000,0");

    cr_expect_eq(resolved.status, POSENC_WRONG_SHAPE);
    cr_expect_str_eq(resolved.problem.parameter, "layer_rope_theta");
    resolved_release(&resolved);
}

/* Where nobody says how many layers there are, entries of a list have no layer to belong to. */
Test(resolve_layers, needs_the_number_of_layers_beside_a_list)
{
    static const char *const lists[] = {"layer_rope_theta=10000,0", "rope_theta=10000,500",
                                        "partial_rotary_factors=0.5,1"};

    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        char facts[160];

        (void)snprintf(facts, sizeof(facts),
                       "model_type=granite_swa hidden_size=64 num_attention_heads=4 %s", lists[i]);
        struct resolved resolved = resolve(facts);

        cr_expect_eq(resolved.status, POSENC_MISSING_PARAMETER, "%s", lists[i]);
        cr_expect_str_eq(resolved.problem.parameter, "num_hidden_layers", "%s", lists[i]);
        resolved_release(&resolved);
    }
}

Test(resolve_layers, tells_deepseek_v4s_two_tables_apart)
{
    struct resolved resolved =
        resolve("model_type=deepseek_v4 num_hidden_layers=3 compress_ratios=0,4,128,0 "
                "max_position_embeddings=1048576 rope_scaling.type=yarn rope_scaling.factor=16 "
                "rope_scaling.original_max_position_embeddings=65536");

    cr_expect_str_eq(text_in(&resolved, 0, "layer_type"), "main");
    cr_expect_eq(number_in(&resolved, 0, "parameters.rotary_offset"), 448);
    cr_expect_not(is_in(&resolved, 0, "parameters.scaling"));
    cr_expect_str_eq(text_in(&resolved, 1, "layer_type"), "compress");
    cr_expect_eq(number_in(&resolved, 1, "parameters.base"), 160000);
    cr_expect_eq(number_in(&resolved, 1, "derived.attention_factor"), 1);
    resolved_release(&resolved);
}

/* transformers 5 names the layers' types, and has a dictionary for each table. */
Test(resolve_layers, finds_deepseek_v4s_tables_by_the_types_of_its_layers)
{
    static const char *const words[] = {"sliding_attention", "compressed_sparse_attention",
                                        "heavily_compressed_attention"};
    const double main_layers[] = {0}, compress_layers[] = {1, 2};
    struct posenc_value items[3];
    const struct posenc_member types = word_list("layer_types", words, 3, items);
    struct resolved resolved = resolve_with(
        "model_type=deepseek_v4 num_hidden_layers=3 rope_parameters.main.rope_theta=77 "
        "rope_parameters.main.rope_type=default rope_parameters.compress.rope_theta=99 "
        "rope_parameters.compress.rope_type=yarn rope_parameters.compress.factor=16 "
        "rope_parameters.compress.original_max_position_embeddings=65536",
        &types);

    cr_expect_str_eq(text_in(&resolved, 0, "layer_type"), "main");
    cr_expect(has_layers(&resolved, 0, main_layers, 1));
    cr_expect_eq(number_in(&resolved, 0, "parameters.base"), 77);
    cr_expect_str_eq(text_in(&resolved, 1, "layer_type"), "compress");
    cr_expect(has_layers(&resolved, 1, compress_layers, 2));
    cr_expect_eq(number_in(&resolved, 1, "parameters.base"), 99);
    cr_expect_eq(number_in(&resolved, 1, "parameters.scaling.factor"), 16);
    resolved_release(&resolved);
}

Test(resolve_layers, turns_a_share_of_the_exponents_in_gemma4s_full_layers)
{
    struct resolved resolved = resolve("model_type=gemma4_text num_hidden_layers=6");
    const double *frequencies = in_use(&resolved, 0, "derived.inv_freq")->as.array.data;

    cr_expect_str_eq(text_in(&resolved, 0, "parameters.scaling.rope_type"), "proportional");
    cr_expect_eq(number_in(&resolved, 0, "parameters.dim"), 512);
    cr_expect_gt(frequencies[63], 0);
    cr_expect_eq(frequencies[64], 0);
    cr_expect_eq(number_in(&resolved, 1, "parameters.rotary_dim"), 256);
    resolved_release(&resolved);
}

Test(resolve_layers, reads_a_dictionary_per_layer_type)
{
    static const char *const words[] = {"sliding_attention", "full_attention"};
    struct posenc_value items[2];
    const struct posenc_member types = word_list("layer_types", words, 2, items);
    struct resolved resolved =
        resolve_with("model_type=laguna head_dim=64 num_hidden_layers=2 "
                     "rope_parameters.full_attention.rope_theta=5e5 "
                     "rope_parameters.full_attention.partial_rotary_factor=0.5 "
                     "rope_parameters.sliding_attention.rope_theta=1e4 rope_parameters.extra=1",
                     &types);

    cr_expect(has_layers(&resolved, 0, (const double[]){1}, 1));
    cr_expect_eq(number_in(&resolved, 0, "parameters.rotary_dim"), 32);
    cr_expect_eq(number_in(&resolved, 0, "parameters.base"), 5e5);
    cr_expect_eq(number_in(&resolved, 1, "parameters.rotary_dim"), 64);
    cr_expect_not_null(warning_of(&resolved, "rope_parameters.extra"));
    resolved_release(&resolved);
}

Test(resolve_layers, gives_layers_without_attention_no_encoding)
{
    static const char *const words[] = {"linear_attention", "full_attention", "linear_attention"};
    struct posenc_value items[3];
    const struct posenc_member types = word_list("layer_types", words, 3, items);
    struct resolved resolved =
        resolve_with("model_type=qwen3_next head_dim=256 rope_theta=1e7", &types);

    cr_expect_eq(posenc_find_member(&resolved.answer, "num_hidden_layers")->as.number, 3);
    cr_expect(has_layers(&resolved, 0, (const double[]){1}, 1));
    cr_expect_str_eq(text_in(&resolved, 1, "layer_type"), "linear_attention");
    cr_expect_str_eq(text_in(&resolved, 1, "encoding"), "none");
    resolved_release(&resolved);
}
