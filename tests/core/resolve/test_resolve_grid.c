/* Rotary towers: the preset, the head, the base, and the frequencies of one axis. */
#include "resolving_rows.h"

#include <math.h>

static const struct use_row rows[] = {
    {"model_type=pixtral head_dim=32 " WIDE, 0, "parameters.dim=32", NULL},
    {"model_type=pixtral " WIDE, 0,
     "parameters.dim=64 parameters.base=1e4 encoding=rope layers=all", NULL},
    {"model_type=pixtral rope_theta=77 " WIDE, 0, "parameters.base=77", NULL},
    {"model_type=pixtral rope_theta=5 rope_parameters.rope_theta=77 " WIDE, 0, "parameters.base=77",
     NULL},
    {"model_type=sam2_video memory_attention_rope_theta=77 " WIDE, 0, "parameters.base=77", NULL},
    {"model_type=gemma4_vision " WIDE, 0, "parameters.base=100 parameters.dim=64", NULL},
    {"model_type=sam2_video memory_attention_hidden_size=512 memory_attention_downsample_rate=2 "
     "memory_attention_num_attention_heads=4",
     0, "parameters.dim=64", NULL},
    /* the tower of a file of two parts */
    {"model_type=qwen2_vl head_dim=128 vision_config.model_type=qwen2_vl_vision "
     "vision_config.rope_parameters.rope_type=axial vision_config.rope_parameters.rope_theta=77 "
     "vision_config.embed_dim=1280 vision_config.num_heads=16 " SHAPE,
     1, "component=vision parameters.dim=80 parameters.base=77 parameters.scaling=null", NULL},
    {"model_type=qwen2_vl head_dim=128 vision_config.embed_dim=1280 "
     "vision_config.num_heads=16 " SHAPE,
     1, "component=vision parameters.dim=80", NULL},
    {"model_type=llama4 text_config.num_hidden_layers=1 text_config.no_rope_layers=1, "
     "vision_config.hidden_size=1408 vision_config.num_attention_heads=16",
     1, "component=vision parameters.preset=llama4_vision parameters.dim=88", NULL},
};

Test(resolve_grid, reads_head_and_base_of_the_tower)
{
    expect_uses(rows, COUNT_OF(rows));
}

/* One axis's frequencies: of the whole head where both alternate, of half of it, or of a third made
 * even (2 * (64 / 3 / 2) = 20). */
Test(resolve_grid, derives_the_frequencies_of_one_axis)
{
    static const struct {
        const char *facts;
        size_t count;
        double second;
    } cases[] = {
        {"model_type=pixtral " WIDE, 32, 0.7498942093324559},             /* 10^(-4/32) */
        {"model_type=llama4_vision_model " WIDE, 16, 0.5623413251903491}, /* 10^(-4/16) */
        {"model_type=dinov3_vit " WIDE, 16, 0.7498942093324559},          /* 10^(-2/16) */
        {"model_type=vjepa2 " WIDE, 10, 0.3981071705534972},              /* 10^(-4/10) */
        {"model_type=minimax_m3_vl_vision " WIDE, 10, 0.3981071705534972},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct resolved resolved = resolve(cases[i].facts);
        const struct posenc_array *list = &in_use(&resolved, 0, "derived.inv_freq")->as.array;
        const double *frequencies = list->data;

        cr_assert_eq(list->shape[0], cases[i].count, "%s: %zu", cases[i].facts, list->shape[0]);
        cr_expect_eq(frequencies[0], 1);
        cr_expect_float_eq(frequencies[1], cases[i].second, 0x1p-52, "%s: %.17g", cases[i].facts,
                           frequencies[1]);
        resolved_release(&resolved);
    }
}

/* What is told can be asked for as it is, with a grid. */
Test(resolve_grid, gives_parameters_that_rope_takes_beside_a_grid)
{
    static const char *const facts[] = {
        "model_type=pixtral " WIDE,           "model_type=vjepa2 " WIDE,
        "model_type=dinov3_vit " WIDE,        "model_type=kimi_k25_vision " WIDE,
        "model_type=muse_spark_vision " WIDE, "model_type=minimax_m3_vl_vision " WIDE};

    for (size_t i = 0; i < COUNT_OF(facts); i++) {
        struct resolved resolved = resolve(facts[i]);
        const struct posenc_members *told = &in_use(&resolved, 0, "parameters")->as.object;
        const double grid[] = {1, 2, 2};
        const bool is_video = strstr(facts[i], "vjepa2") || strstr(facts[i], "minimax_m3");
        double x[4 * 64] = {1};
        const size_t shape[] = {4, 64};
        const struct posenc_array tensor = {
            .dtype = POSENC_FLOAT64, .rank = 2, .shape = {shape[0], shape[1]}, .data = x};
        struct posenc_member members[16];
        struct posenc_result result;

        cr_assert_leq(told->count, 13);
        memcpy(members, told->items, told->count * sizeof(*members));
        members[told->count] = (struct posenc_member){
            "grid", is_video ? posenc_numbers(grid, 3) : posenc_numbers(grid + 1, 2)};
        members[told->count + 1] = (struct posenc_member){"x", posenc_nested(&tensor)};
        cr_expect_eq(posenc_make("rope", "apply", posenc_object(members, told->count + 2),
                                 &resolved.memory, &result, &resolved.problem),
                     POSENC_OK, "%s: %s", facts[i], resolved.problem.detail);
        resolved_release(&resolved);
    }
}

static const struct refused_row refusals[] = {
    {"model_type=sam3_vit_model hidden_size=64", POSENC_MISSING_PARAMETER, "num_heads"},
    {"model_type=sam3_vit_model num_attention_heads=4", POSENC_MISSING_PARAMETER, "hidden_size"},
    {"model_type=pixtral head_dim=0 " WIDE, POSENC_OUT_OF_RANGE, "head_dim"},
    {"model_type=pixtral head_dim=16385 " WIDE, POSENC_OUT_OF_RANGE, "head_dim"},
    {"model_type=sam2_video memory_attention_downsample_rate=0", POSENC_OUT_OF_RANGE,
     "memory_attention_downsample_rate"},
    {"model_type=pixtral rope_theta=0 " WIDE, POSENC_OUT_OF_RANGE, "rope_theta"},
    {"model_type=qwen2_vl head_dim=128 vision_config.embed_dim=8 vision_config.num_heads=16 " SHAPE,
     POSENC_OUT_OF_RANGE, "vision_config.num_heads"},
};

Test(resolve_grid, refuses_towers_without_a_head)
{
    expect_refused(refusals, COUNT_OF(refusals));
}
