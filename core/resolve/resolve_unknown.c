/* Members that speak of positions and that nothing here reads: a typing slip, or news. */
#include <string.h>

#include "resolve_part.h"

/* Pieces of names that speak of positions. */
static const char *const signs[] = {"rope",  "rotary",   "position", "alibi", "pos_emb",
                                    "theta", "relative", "ntk",      "yarn",  "nope"};

/* Members that rules read, or that are known not to matter. */
static const char known[] =
    "rope_theta rope_scaling rope_parameters rope_local_base_freq local_rope_theta "
    "global_rope_theta swa_rope_theta compress_rope_theta rope_ratio rope_freq_constant "
    "rope_base rotary_emb_base rotary_embedding_base rotary_dim rotary_pct rope_pct "
    "rope_percent rotary_emb_fraction partial_rotary_factor partial_rotary_factors "
    "layer_rope_theta qk_rope_head_dim qk_nope_head_dim rope_interleave indexer_rope_interleave "
    "no_rope_layers no_rope_layer_interval mla_use_nope max_position_embeddings n_positions "
    "original_max_position_embeddings num_position_embeddings position_embedding_type "
    "position_embeddings_type position_buckets position_biased_input max_relative_positions "
    "max_source_positions max_target_positions relative_attention "
    "relative_attention_num_buckets relative_attention_max_distance pos_att_type alibi "
    "alibi_bias_max use_dynamic_ntk pos_emb learned_pos_emb use_mem_rope "
    "memory_attention_rope_theta memory_attention_rope_dropout memory_attention_rope_feat_sizes "
    "memory_attention_rope_k_sizes norm_rel_ebd use_relative_position_bias "
    "use_absolute_position_embeddings use_absolute_embeddings use_shared_relative_position_bias "
    "use_relative_positions multi_query_group_num position_bias_num_buckets "
    "position_bias_max_distance init_pos_emb_height init_pos_emb_width init_pos_emb_time "
    "pos_emb_height pos_emb_width pos_emb_time posemb_grid_size pos_emb_type "
    "pos_emb_interpolation_mode position_embedding_size position_embedding_gain "
    "position_id_per_seconds rope_dtype original_rope rotary_emb_interleaved "
    "max_trained_positions attn_rotary_emb rope_max_length yarn_only_types pos_embed_rescale "
    "pos_embed_shift pos_embed_jitter left_max_position_embeddings "
    "right_max_position_embeddings dropout_positions num_conv_pos_embeddings "
    "num_conv_pos_embedding_groups use_mid_position_embeddings use_relative_position_embeddings";

enum { NAME_LONG = 80 };

void posenc__warn_unknown(const struct posenc__part *part)
{
    for (size_t i = 0; i < part->file->as.object.count; i++) {
        const struct posenc_member *member = &part->file->as.object.items[i];
        bool speaks = false;

        for (size_t k = 0; k < sizeof(signs) / sizeof(*signs); k++)
            speaks = speaks || strstr(member->name, signs[k]);
        if (!speaks || member->value.kind == POSENC_NULL || posenc__has_word(known, member->name))
            continue;
        posenc__part_warn(part, member->name,
                          "'%s%.*s' seems to speak of positions, and nothing here reads it.",
                          part->path, NAME_LONG, member->name);
    }
}
