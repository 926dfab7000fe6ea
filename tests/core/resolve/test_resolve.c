/* Resolving whole files: one row or test for each kind of model. */
#include "resolving.h"

/* Frequencies of a double-precision reference: some ulp. */
#define RELATIVE_MAX 2e-15

#define LLAMA_31                                                                                   \
    "model_type=llama hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "               \
    "max_position_embeddings=131072 rope_theta=500000 "
#define LLAMA_3_SCALING                                                                            \
    "rope_scaling.rope_type=llama3 rope_scaling.factor=8 rope_scaling.low_freq_factor=1 "          \
    "rope_scaling.high_freq_factor=4 rope_scaling.original_max_position_embeddings=8192"

static void expect_near(double value, double wanted)
{
    cr_expect(value >= wanted * (1 - RELATIVE_MAX) && value <= wanted * (1 + RELATIVE_MAX),
              "%.17g is not %.17g", value, wanted);
}

static double frequency(const struct resolved *resolved, size_t use, size_t pair)
{
    const struct posenc_value *list = in_use(resolved, use, "derived.inv_freq");

    cr_assert_lt(pair, list->as.array.shape[0]);
    return ((const double *)list->as.array.data)[pair];
}

Test(resolve, reads_a_plain_rotary_model)
{
    struct resolved resolved = resolve(LLAMA_31 LLAMA_3_SCALING);

    cr_assert_eq(use_count(&resolved), 1);
    cr_expect_str_eq(text_in(&resolved, 0, "component"), "text");
    cr_expect_str_eq(text_in(&resolved, 0, "layers"), "all");
    cr_expect_str_eq(text_in(&resolved, 0, "encoding"), "rope");
    cr_expect_eq(number_in(&resolved, 0, "parameters.dim"), 128);
    cr_expect_eq(number_in(&resolved, 0, "parameters.base"), 500000);
    cr_expect_str_eq(text_in(&resolved, 0, "parameters.layout"), "half");
    cr_expect_eq(number_in(&resolved, 0, "parameters.scaling.high_freq_factor"), 4);
    expect_near(frequency(&resolved, 0, 63), 3.0689259889145111e-07);
    cr_expect_eq(posenc_find_member(&resolved.answer, "num_hidden_layers")->as.number, 32);
    resolved_release(&resolved);
}

Test(resolve, takes_the_classs_default_and_says_so)
{
    struct resolved resolved =
        resolve("model_type=stablelm hidden_size=2560 num_attention_heads=32 num_hidden_layers=4");

    cr_expect_eq(number_in(&resolved, 0, "parameters.rotary_dim"), 20);
    cr_expect_eq(number_in(&resolved, 0, "parameters.base"), 10000);
    cr_expect_not_null(warning_of(&resolved, "rope_theta"));
    resolved_release(&resolved);
}

Test(resolve, names_both_members_of_a_conflict)
{
    struct resolved resolved =
        resolve("model_type=qwen3 head_dim=128 num_hidden_layers=2 rope_theta=1e6 "
                "rope_parameters.rope_type=default rope_parameters.rope_theta=5e5 "
                "partial_rotary_factor=0.5 rotary_dim=32");

    cr_expect_eq(number_in(&resolved, 0, "parameters.base"), 5e5);
    cr_assert_not_null(warning_of(&resolved, "rope_theta"));
    cr_expect_not_null(strstr(warning_of(&resolved, "rope_theta"), "rope_parameters.rope_theta"));
    cr_assert_not_null(warning_of(&resolved, "rotary_dim"));
    cr_expect_not_null(strstr(warning_of(&resolved, "rotary_dim"), "partial_rotary_factor"));
    cr_expect_eq(number_in(&resolved, 0, "parameters.rotary_dim"), 64);
    resolved_release(&resolved);
}

Test(resolve, resolves_text_and_tower_of_a_multimodal_file)
{
    struct resolved resolved =
        resolve("model_type=qwen3_vl text_config.model_type=qwen3_vl_text text_config.head_dim=128 "
                "text_config.num_hidden_layers=36 text_config.rope_theta=5e6 "
                "vision_config.hidden_size=1152 vision_config.num_heads=16 "
                "vision_config.num_position_embeddings=2304");

    cr_assert_eq(use_count(&resolved), 3);
    cr_expect_str_eq(text_in(&resolved, 0, "parameters.mrope_order"), "interleaved");
    cr_expect_not_null(warning_of(&resolved, "text_config.rope_scaling.mrope_section"));
    cr_expect_str_eq(text_in(&resolved, 1, "parameters.preset"), "qwen2_vl_vision");
    cr_expect_eq(number_in(&resolved, 1, "parameters.dim"), 72);
    cr_expect_eq(in_use(&resolved, 1, "derived.inv_freq")->as.array.shape[0], 18);
    cr_expect_str_eq(text_in(&resolved, 2, "layers"), "embedding");
    cr_expect_eq(number_in(&resolved, 2, "parameters.rows"), 2304);
    resolved_release(&resolved);
}

Test(resolve, says_what_it_does_not_know_of_a_tower)
{
    struct resolved resolved =
        resolve(LLAMA_31 "vision_config.model_type=never_heard_of vision_config.hidden_size=3");

    cr_expect_eq(use_count(&resolved), 1);
    cr_expect_not_null(warning_of(&resolved, "vision_config.model_type"));
    resolved_release(&resolved);
}

Test(resolve, falls_back_on_general_rules_with_a_warning)
{
    struct resolved resolved = resolve("model_type=zorgon hidden_size=64 num_attention_heads=4 "
                                       "num_hidden_layers=2 rope_theta=77");

    cr_expect_eq(number_in(&resolved, 0, "parameters.base"), 77);
    cr_expect_not_null(warning_of(&resolved, "model_type"));
    resolved_release(&resolved);
}

Test(resolve, takes_no_member_for_a_sign_of_a_class_when_others_mean_something_else_by_it)
{
    struct resolved absolute = resolve("model_type=zorgon hidden_size=64 num_hidden_layers=2 "
                                       "position_embedding_type=absolute");
    struct resolved sine =
        resolve("model_type=zorgon d_model=256 encoder_layers=6 position_embedding_type=sine");

    cr_expect_str_eq(text_in(&absolute, 0, "encoding"), "learned");
    cr_expect_eq(sine.status, POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(sine.problem.parameter, "model_type");
    resolved_release(&absolute);
    resolved_release(&sine);
}

Test(resolve, warns_of_rotary_members_that_a_model_does_not_use)
{
    struct resolved resolved =
        resolve("model_type=nemotron_h num_hidden_layers=4 rope_theta=10000");

    cr_expect_str_eq(text_in(&resolved, 0, "encoding"), "none");
    cr_expect_str_eq(text_in(&resolved, 0, "layers"), "all");
    cr_expect_not_null(warning_of(&resolved, "rope_theta"));
    resolved_release(&resolved);
}

/* Files that are refused, and the member that is at fault. */
static const struct refusal {
    const char *facts;
    enum posenc_status status;
    const char *parameter;
} refusals[] = {
    {"", POSENC_MISSING_PARAMETER, "model_type"},
    {"hidden_size=3", POSENC_MISSING_PARAMETER, "model_type"},
    {"model_type=zorgon hidden_size=3", POSENC_OUT_OF_RANGE, "model_type"},
    {"model_type=7", POSENC_WRONG_TYPE, "model_type"},
    {"model_type=llama hidden_size=16 num_attention_heads=0 num_hidden_layers=1",
     POSENC_OUT_OF_RANGE, "num_attention_heads"},
    {"model_type=llama hidden_size=16 num_attention_heads=2 num_hidden_layers=5000",
     POSENC_OUT_OF_RANGE, "num_hidden_layers"},
    {"model_type=llama hidden_size=16.5 num_attention_heads=2", POSENC_WRONG_TYPE, "hidden_size"},
    {"model_type=phi hidden_size=16 num_hidden_layers=1", POSENC_MISSING_PARAMETER,
     "num_attention_heads"},
    {"model_type=llama hidden_size=16 num_attention_heads=2 rope_scaling.rope_type=llama3 "
     "rope_scaling.factor=8 max_position_embeddings=64",
     POSENC_MISSING_PARAMETER, "rope_scaling.low_freq_factor"},
    {"model_type=llava text_config.model_type=llama text_config.rope_scaling.rope_type=yarm "
     "text_config.rope_scaling.factor=8",
     POSENC_OUT_OF_RANGE, "text_config.rope_scaling.rope_type"},
    {"model_type=llama rope_scaling.factor=8", POSENC_MISSING_PARAMETER, "rope_scaling"},
    {"model_type=llama rope_scaling=3", POSENC_WRONG_TYPE, "rope_scaling"},
    {"model_type=llama rope_theta=-1", POSENC_OUT_OF_RANGE, "rope_theta"},
    {"model_type=smollm3 head_dim=8 rope_theta=10", POSENC_MISSING_PARAMETER, "num_hidden_layers"},
    {"model_type=bloom hidden_size=8", POSENC_MISSING_PARAMETER, "num_attention_heads"},
};

Test(resolve, refuses_what_cannot_be_right_by_its_path)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
        struct resolved resolved = resolve(refusals[i].facts);

        cr_expect_eq(resolved.status, refusals[i].status, "%s: %d, %s", refusals[i].facts,
                     (int)resolved.status, resolved.problem.detail);
        cr_expect_str_eq(resolved.problem.parameter, refusals[i].parameter, "%s: %s",
                         refusals[i].facts, resolved.problem.detail);
        resolved_release(&resolved);
    }
}

Test(resolve, refuses_a_list)
{
    struct posenc_memory memory;
    const double numbers[] = {1, 2};
    const struct posenc_value list = posenc_numbers(numbers, 2);
    struct posenc_value answer;
    struct posenc_problem problem;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    cr_expect_eq(posenc_resolve(&list, &memory, &answer, &problem), POSENC_WRONG_TYPE);
    posenc_memory_release(&memory);
}

Test(resolve, fails_cleanly_at_every_shortage_of_memory)
{
    struct posenc_memory roomy, tight;
    struct posenc_value config, answer;
    struct posenc_problem problem;
    enum posenc_status status = POSENC_NO_MEMORY;

    posenc_memory_init(&roomy, POSENC_MEMORY_DEFAULT);
    cr_assert(posenc__read_facts(LLAMA_31 LLAMA_3_SCALING, &roomy, &config));
    for (size_t limit = 0; status != POSENC_OK; limit += 512) {
        cr_assert_lt(limit, (size_t)1 << 22);
        posenc_memory_init(&tight, limit);
        status = posenc_resolve(&config, &tight, &answer, &problem);
        cr_expect(status == POSENC_OK || problem.status == POSENC_NO_MEMORY, "%s", problem.detail);
        posenc_memory_release(&tight);
    }
    posenc_memory_release(&roomy);
}

/* Depth Anything, SAM, ColPali: a head of their own around models that are known. */
Test(resolve, says_of_an_unknown_object_what_its_parts_are)
{
    struct resolved resolved =
        resolve("model_type=depth_anything backbone_config.model_type=dinov2 "
                "backbone_config.hidden_size=384 "
                "backbone_config.image_size=518 "
                "backbone_config.patch_size=14");

    cr_assert_eq(use_count(&resolved), 1);
    cr_expect_str_eq(text_in(&resolved, 0, "component"), "vision");
    cr_expect_eq(number_in(&resolved, 0, "parameters.rows"), 1370);
    cr_expect_not_null(warning_of(&resolved, "model_type"));
    resolved_release(&resolved);
    resolved = resolve("model_type=colpali vlm_config.text_config.model_type=gemma "
                       "vlm_config.vision_config.model_type=siglip_vision_model");
    cr_assert_eq(use_count(&resolved), 2);
    cr_expect_str_eq(text_in(&resolved, 0, "encoding"), "rope");
    cr_expect_str_eq(text_in(&resolved, 1, "encoding"), "learned");
    resolved_release(&resolved);
}

/* A detector's backbone without positions says nothing of the detector. */
Test(resolve, refuses_an_unknown_object_whose_parts_have_no_positions)
{
    static const char *const facts[] = {
        "model_type=rt_detr backbone_config.model_type=resnet",
        "model_type=sam2 vision_config.model_type=sam2_vision_model",
    };

    for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++) {
        struct resolved resolved = resolve(facts[i]);

        cr_expect_eq(resolved.status, POSENC_OUT_OF_RANGE, "%s", facts[i]);
        cr_expect_str_eq(resolved.problem.parameter, "model_type", "%s", facts[i]);
        resolved_release(&resolved);
    }
}

/* The file of a wrapper is answered for its other parts. */
Test(resolve, warns_of_a_part_whose_rule_no_encoding_has)
{
    struct resolved resolved =
        resolve("model_type=speech-encoder-decoder encoder.model_type=wav2vec2 "
                "decoder.model_type=bert decoder.hidden_size=64");
    const char *warning = warning_of(&resolved, "encoder.model_type");

    cr_assert_eq(use_count(&resolved), 1);
    cr_expect_str_eq(text_in(&resolved, 0, "component"), "decoder");
    cr_assert_not_null(warning);
    cr_expect(strstr(warning, "convolution"), "%s", warning);
    resolved_release(&resolved);
}

/* Towers have norms and heads like texts, and positions unlike them. */
Test(resolve, guesses_no_towers_class_by_what_texts_have)
{
    struct resolved resolved =
        resolve("model_type=new_vision num_key_value_heads=4 rms_norm_eps=1e-6 "
                "hidden_size=64 num_attention_heads=4");

    cr_expect_eq(resolved.status, POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(resolved.problem.parameter, "model_type");
    resolved_release(&resolved);
    resolved = resolve("model_type=new_audio rope_theta=77 hidden_size=64 num_attention_heads=4");
    cr_expect_eq(number_in(&resolved, 0, "parameters.base"), 77); /* what turns says so */
    resolved_release(&resolved);
}
