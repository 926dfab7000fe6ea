/* Public reports about YaRN: its attention factor, its range of pairs, its lengths. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"

#define YARN     "/v1/rope?length=1&dtype=float64&scaling.rope_type=yarn"
#define ORIGINAL "&scaling.original_max_position_embeddings="
#define INV_FREQ "tensors/inv_freq/data"
#define FACTOR   "derived/attention_factor"
#define USED     "derived/correction_range/used"
#define RAW      "derived/correction_range/raw"

Test(cases_yarn, magnitudes_of_the_usual_factors)
{
    static const double magnitudes[][2] = {
        {2, 1.069314718},  {4, 1.138629436},  {8, 1.207944154},  {16, 1.277258872},
        {32, 1.346573590}, {40, 1.368887945}, {64, 1.415888308}, {128, 1.485203026},
    };

    for (size_t i = 0; i < sizeof(magnitudes) / sizeof(*magnitudes); i++) {
        char target[200];

        (void)snprintf(target, sizeof(target), YARN "&dim=64" ORIGINAL "4096&scaling.factor=%.0f",
                       magnitudes[i][0]);
        expect_near(number_of(target, NULL, FACTOR), magnitudes[i][1], target);
    }
}

/* ml-explore/mlx-lm PR 1507 */
Test(cases_yarn, an_explicit_attention_factor_wins)
{
    const char *target =
        YARN "&dim=64" ORIGINAL "4096&scaling.factor=64&scaling.attention_factor=1.0";

    cr_expect_eq(number_of(target, NULL, FACTOR), 1);
    cr_expect_eq(number_of(target, NULL, "tensors/cos/data/0/0"), 1);
}

/* NVIDIA/TensorRT-LLM PR 16379: the factor was fed back into its formula. */
Test(cases_yarn, the_attention_factor_counts_once)
{
    const char *target = YARN "&dim=64" ORIGINAL "4096&scaling.factor=64";

    expect_near(number_of(target, NULL, "tensors/cos/data/0/0"), 1.415888308, target);
    target = YARN "&dim=64" ORIGINAL "4096&scaling.factor=32";
    expect_near(number_of(target, NULL, "tensors/cos/data/0/0"), 1.346573590, target);
}

/* deepseek-ai/DeepSeek-R1 #684: a multiplier to one library, unknown to another. */
Test(cases_yarn, attn_factor_is_left_out_with_a_warning)
{
    const char *target =
        YARN "&dim=64" ORIGINAL "4096&scaling.factor=4&scaling.attn_factor=0.8782488562869419";

    expect_near(number_of(target, NULL, FACTOR), 1.138629436, target);
    expect_warning(target, NULL, "scaling.attn_factor");
}

/* huggingface/transformers PR 47435: the second correction, on the softmax scale, was missing. */
Test(cases_yarn, mscale_all_dim_goes_to_the_softmax_scale)
{
    static const struct {
        const char *mscale;
        double multiplier;
    } models[] = {{"0.707", 1.589626165}, {"1.0", 1.873854207}};

    for (size_t i = 0; i < 2; i++) {
        char target[300];

        (void)snprintf(target, sizeof(target),
                       YARN "&dim=64" ORIGINAL
                            "4096&scaling.factor=40&scaling.mscale=%s&scaling.mscale_all_dim=%s",
                       models[i].mscale, models[i].mscale);
        cr_expect_eq(number_of(target, NULL, FACTOR), 1);
        expect_near(number_of(target, NULL, "derived/softmax_scale_multiplier"),
                    models[i].multiplier, target);
    }
}

/* vllm-project/vllm #27722: gpt-oss does not round its range. */
Test(cases_yarn, truncate_false_keeps_the_range_between_pairs)
{
    const char *exact =
        YARN "&dim=64&base=150000" ORIGINAL "4096&scaling.factor=32&scaling.truncate=false";
    const char *rounded = YARN "&dim=64&base=150000" ORIGINAL "4096&scaling.factor=32";

    EXPECT_NUMBERS(exact, NULL, USED, 8.09277912, 17.39802450);
    EXPECT_NUMBERS(rounded, NULL, USED, 8, 18);
    expect_near(number_of(exact, NULL, INV_FREQ "/9"), 0.0317056962, exact);
    expect_near(number_of(exact, NULL, INV_FREQ "/15"), 1.05260210e-3, exact);
    expect_near(number_of(exact, NULL, INV_FREQ "/17"), 1.29318701e-4, exact);
    expect_near(number_of(rounded, NULL, INV_FREQ "/9"), 0.0316207523, rounded);
    expect_near(number_of(rounded, NULL, INV_FREQ "/15"), 1.20613097e-3, rounded);
    expect_near(number_of(rounded, NULL, INV_FREQ "/17"), 2.27947796e-4, rounded);
}

/* keras-team/keras-hub PR 2981: clamped at d / 2 - 1 instead of d - 1. */
Test(cases_yarn, the_range_may_end_beyond_the_last_pair)
{
    const char *target = YARN "&dim=64&base=10000" ORIGINAL "131072&scaling.factor=8";

    expect_near(number_of(target, NULL, RAW "/1"), 34.55464, target);
    expect_near(number_of(target, NULL, INV_FREQ "/31"), 5.25715180e-5, target);
    expect_near(number_of(target, NULL, INV_FREQ "/25"), 5.98473263e-4, target);
}

/* paiml/aprender PR 2161: the unscaled part stood on an enlarged base. */
Test(cases_yarn, pairs_that_are_kept_are_those_of_the_plain_table)
{
    const char *target = YARN "&dim=128" ORIGINAL "2048&scaling.factor=4";
    const char *enlarged = "/v1/rope?length=1&dim=128&scaling.rope_type=ntk&scaling.alpha=4";

    expect_near(number_of(target, NULL, INV_FREQ "/1"), 0.8659643234, target);
    expect_near(number_of(enlarged, NULL, INV_FREQ "/1"), 0.8471171852, enlarged);
}

/* The frequencies of `right`, with what it keeps on an NTK-enlarged base, as a JSON list. */
static void enlarge_base(const struct answer *right, char *list, size_t size)
{
    const double base = 1e4 * pow(4, 128.0 / 126), factor = 4;
    size_t length = 0;

    for (int pair = 0; pair < 64; pair++) {
        char path[64];

        (void)snprintf(path, sizeof(path), "tensors/interpolation_weight/data/%d", pair);
        const double weight = json_number_value(found_at(right, path));
        const double kept = pow(base, -pair / 64.0), scaled = pow(1e4, -pair / 64.0) / factor;

        length += (size_t)snprintf(list + length, size - length, "%s%.17g", pair > 0 ? ", " : "",
                                   (1 - weight) * kept + weight * scaled);
        cr_assert_lt(length, size);
    }
}

/* The same report: no parameter makes that, and the first pair that differs is one that is kept. */
Test(cases_yarn, an_enlarged_base_shows_in_the_first_pair_that_should_be_kept)
{
    struct answer right = ask_case(YARN "&dim=128" ORIGINAL "2048&scaling.factor=4", NULL);
    char list[64 * 26], body[64 * 26 + 300];

    cr_expect_str_eq(json_string_value(found_at(&right, "derived/region/1")), "kept");
    enlarge_base(&right, list, sizeof(list));
    cr_expect(strstr(list, ", 0.84711718"), "%s", list);
    (void)snprintf(body, sizeof(body),
                   "{\"encoding\": \"rope\", \"part\": \"inv_freq\", \"parameters\": {\"dim\": "
                   "128, \"scaling\": {\"rope_type\": \"yarn\", \"factor\": 4, "
                   "\"original_max_position_embeddings\": 2048}}, \"actual\": [%s]}",
                   list);
    struct answer told = ask_case("/v1/identify", body);

    cr_expect_str_eq(json_string_value(found_at(&told, "derived/verdict")), "unexplained");
    cr_expect_eq(json_number_value(found_at(&told, "derived/expected/first_different/0")), 1);
    answer_release(&right);
    answer_release(&told);
}

/* NVIDIA/Megatron-LM #1418: the extended length in the place of the original one. */
Test(cases_yarn, the_original_length_is_asked_for_and_places_the_range)
{
    const char *right = YARN "&dim=128&base=1e6" ORIGINAL "32768&scaling.factor=4";
    const char *wrong = YARN "&dim=128&base=1e6" ORIGINAL "131072&scaling.factor=4";

    EXPECT_NUMBERS(right, NULL, USED, 23, 40);
    expect_near(number_of(right, NULL, INV_FREQ "/40"), 4.4456985e-5, right);
    EXPECT_NUMBERS(wrong, NULL, USED, 30, 47);
    expect_near(number_of(wrong, NULL, INV_FREQ "/40"), 9.9374438e-5, wrong);
    expect_refused(YARN "&dim=128&base=1e6&scaling.factor=4", NULL,
                   "scaling.original_max_position_embeddings");
}

/* pytorch/torchtitan PR 4215: asserted a range that begins above 0. */
Test(cases_yarn, the_range_may_begin_at_0_or_have_no_width)
{
    const char *target = YARN "&dim=128" ORIGINAL "128&scaling.factor=4";
    const char *narrow =
        YARN "&dim=64&base=50000" ORIGINAL "4096&scaling.factor=32&scaling.truncate=false"
             "&scaling.beta_fast=1&scaling.beta_slow=1";
    const double plain = pow(50000, -38.0 / 64), next = pow(50000, -40.0 / 64);

    EXPECT_NUMBERS(target, NULL, RAW, -3.13791803, 20.9444816);
    EXPECT_NUMBERS(target, NULL, USED, 0, 21);
    expect_near(number_of(target, NULL, INV_FREQ "/10"), 0.152445453, target);
    expect_near(number_of(narrow, NULL, INV_FREQ "/19"), plain, narrow);
    expect_near(number_of(narrow, NULL, INV_FREQ "/20"), next / 32, narrow);
}
