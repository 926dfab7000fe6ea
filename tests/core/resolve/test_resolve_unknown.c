/* Members that speak of positions and that nothing reads. */
#include "resolving_rows.h"

/* Slips and news, by the piece of the name that gives them away. */
Test(resolve_unknown, warns_of_names_that_speak_of_positions)
{
    static const char *const names[] = {
        "rope_scalling",  "rotary_dims", "position_embedding_kind", "alibi_slopes",
        "my_pos_emb",     "local_theta", "use_relative_bias",       "ntk_alpha",
        "yarn_magnitude", "nope_layers",
    };

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const struct posenc_member extra = {names[i], posenc_number(2)};
        struct resolved resolved = resolve_with("model_type=llama " SHAPE, &extra);

        cr_assert_eq(resolved.status, POSENC_OK);
        cr_assert_not_null(warning_of(&resolved, names[i]), "%s", names[i]);
        cr_expect_not_null(strstr(warning_of(&resolved, names[i]), names[i]));
        resolved_release(&resolved);
    }
}

/* Members of published files: read by a rule, or known not to matter. */
Test(resolve_unknown, is_silent_of_members_that_are_known)
{
    static const char *const names[] = {
        "hidden_act",
        "sliding_window",
        "rope_theta",
        "max_position_embeddings",
        "partial_rotary_factor",
        "rope_interleave",
        "position_embedding_type",
        "max_relative_positions",
        "rotary_emb_interleaved",
        "original_max_position_embeddings",
        "no_rope_layers",
        "mla_use_nope",
        "qk_nope_head_dim",
        "position_buckets",
        "relative_attention_num_buckets",
    };

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const struct posenc_member extra = {names[i], posenc_number(8)};
        struct resolved resolved = resolve_with("model_type=mamba num_hidden_layers=2", &extra);
        const char *detail = warning_of(&resolved, names[i]);

        cr_expect(!detail || !strstr(detail, "nothing here reads it"), "%s: %s", names[i], detail);
        resolved_release(&resolved);
    }
}

/* A null says nothing; a long name is cut; a member inside a part has the part's path. */
Test(resolve_unknown, names_the_member_by_its_path)
{
    char name[200];
    struct posenc_member extra = {name, posenc_null()};

    memset(name, 'x', sizeof(name));
    memcpy(name, "rope_", 5);
    name[sizeof(name) - 1] = '\0';
    struct resolved resolved = resolve_with("model_type=llama " SHAPE, &extra);

    cr_expect_eq(posenc_find_member(&resolved.answer, "warnings")->as.list.count, 1); /* base */
    resolved_release(&resolved);
    extra.value = posenc_number(1);
    resolved = resolve_with("model_type=llama rope_theta=7 " SHAPE, &extra);
    const struct posenc_value *warnings = posenc_find_member(&resolved.answer, "warnings");

    cr_assert_eq(warnings->as.list.count, 1);
    const char *detail = posenc_find_member(&warnings->as.list.items[0], "detail")->as.text;

    cr_expect_null(strstr(detail, name));
    cr_expect_eq(strncmp(detail + 1, name, 80), 0);
    resolved_release(&resolved);
    resolved = resolve("model_type=llava text_config.model_type=llama "
                       "text_config.rope_scalling=2 text_config.num_hidden_layers=2");
    cr_expect_not_null(warning_of(&resolved, "text_config.rope_scalling"));
    resolved_release(&resolved);
}
