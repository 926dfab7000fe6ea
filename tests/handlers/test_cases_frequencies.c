/* Public reports about exponents, bases, and the schemes that stretch a context, but YaRN. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

#define INV_FREQ "tensors/inv_freq/data"

static void expect_frequency(const char *target, const char *pair, double expected)
{
    char path[80];

    (void)snprintf(path, sizeof(path), INV_FREQ "/%s", pair);
    expect_near(number_of(target, NULL, path), expected, target);
}

/* xlite-dev/LeetCUDA #289: integer division made every exponent 0. */
Test(cases_frequencies, exponents_are_no_integers)
{
    const char *target = "/v1/rope?dim=4&positions=1&dtype=float64";

    expect_frequency(target, "1", 0.01);
    expect_near(number_of(target, NULL, "tensors/cos/data/0/1"), 0.999950000417, target);
}

#define FLAT                                                                                       \
    "\"actual\": [[0, 1, 0, 1], [0.8414709848, 0.5403023059, 0.8414709848, "                       \
    "0.5403023059], [0.9092974268, -0.4161468365, 0.9092974268, -0.4161468365]]"
#define DIVIDED                                                                                    \
    "\"actual\": [[0, 1, 0, 1], [0.8414709848, 0.5403023059, -0.5063656411, "                      \
    "0.8623188723], [0.9092974268, -0.4161468365, -0.8732972972, 0.487187675]]"

/* The same of sinusoids; angles 1 and 100 where positions are divided. */
Test(cases_frequencies, exponents_of_0_and_positions_divided_are_named)
{
    const char *named = ", \"encoding\": \"sinusoidal\", \"parameters\": {\"dim\": 4}}";
    char body[400];

    (void)snprintf(body, sizeof(body), "{" FLAT "%s", named);
    expect_fault(body, "exponents_zero", "every exponent is 0");
    expect_fault("{" FLAT "}", "exponents_zero", "every exponent is 0");
    (void)snprintf(body, sizeof(body), "{" DIVIDED "%s", named);
    expect_fault(body, "inverted_frequencies", "divided by the frequencies");
    expect_fault("{" DIVIDED "}", "inverted_frequencies", "divided by the frequencies");
}

/* Of RoPE, where frequencies are a list that a request may give: cos 1, cos 1; cos 2, cos 2. */
Test(cases_frequencies, exponents_of_0_are_named_as_rope_s_frequencies)
{
    struct answer answer =
        ask_case("/v1/identify", "{\"actual\": [[0.5403023059, 0.5403023059], [-0.4161468365, "
                                 "-0.4161468365]], \"encoding\": \"rope\", \"part\": \"cos\", "
                                 "\"parameters\": {\"dim\": 4, \"offset\": 1}}");
    const char *statement = json_string_value(found_at(&answer, "derived/statement"));

    cr_expect_str_eq(
        json_string_value(found_at(&answer, "derived/explanations/0/changes/0/parameter")),
        "inv_freq", "%s", statement);
    cr_expect(strstr(statement, "every exponent is 0"), "%s", statement);
    answer_release(&answer);
}

/* ferritin-bio/ferritin PR 173: the denominator was head_dim / 2. */
Test(cases_frequencies, exponents_are_over_the_whole_dim)
{
    expect_frequency("/v1/rope?dim=64&length=1", "1", 0.749894209);
    expect_frequency("/v1/rope?dim=64&length=1", "31", 1.333521432e-4);
}

/* lyogavin/airllm #368: rope_theta was not copied. */
Test(cases_frequencies, the_base_of_a_config_is_used_and_a_default_is_told)
{
    const char *target = "/v1/rope?dim=128&base=500000&length=1";
    const char *given = "{\"model_type\": \"llama\", \"hidden_size\": 8192, "
                        "\"num_attention_heads\": 64, \"num_hidden_layers\": 2, "
                        "\"rope_theta\": 500000}";
    const char *without = "{\"model_type\": \"llama\", \"hidden_size\": 8192, "
                          "\"num_attention_heads\": 64, \"num_hidden_layers\": 2}";

    expect_near(1024 * number_of(target, NULL, INV_FREQ "/32"), 1.44815469, target);
    expect_frequency(target, "63", 2.455140791e-6);
    cr_expect_eq(number_of("/v1/resolve", given, "uses/0/parameters/base"), 500000);
    expect_near(number_of("/v1/resolve", given, "uses/0/derived/inv_freq/63"), 2.455140791e-6,
                "resolve");
    cr_expect_eq(number_of("/v1/resolve", without, "uses/0/parameters/base"), 10000);
    struct answer answer = ask_case("/v1/resolve", without);
    char *notes = json_dumps(found_at(&answer, "uses/0/notes"), 0);

    cr_expect(strstr(notes, "base") || strstr(notes, "rope_theta"), "%s", notes);
    free(notes);
    answer_release(&answer);
}

/* 1bit-MONSTER/1bit-MONSTER #634: thousandths in 32 bits wrapped around. */
Test(cases_frequencies, a_large_base_has_the_same_bits_however_it_is_written)
{
    static const char *const written[] = {"10000000", "10000000.0", "1e7", "1E+7"};
    const double first =
        number_of("/v1/rope", "{\"dim\": 128, \"length\": 1, \"base\": 10000000}", INV_FREQ "/63");

    expect_near(first, 1.28639694e-7, "the last frequency");
    for (size_t i = 0; i < 4; i++) {
        char body[100];

        (void)snprintf(body, sizeof(body), "{\"dim\": 128, \"length\": 1, \"base\": %s}",
                       written[i]);
        cr_expect_eq(number_of("/v1/rope", body, "parameters/base"), 1e7);
        cr_expect_eq(number_of("/v1/rope", body, INV_FREQ "/63"), first, "%s", written[i]);
    }
}

static void write_linear(char *body, size_t size, const char *factor)
{
    (void)snprintf(body, size,
                   "{\"dim\": 8, \"length\": 1, \"scaling\": {\"rope_type\": \"linear\", "
                   "\"factor\": %s}}",
                   factor);
}

/* axolotl-ai-cloud/axolotl #544 */
Test(cases_frequencies, a_factor_is_a_number_with_or_without_a_point_but_no_text)
{
    static const char *const written[] = {"4", "4.0", "4e0"};
    char body[200];

    for (size_t i = 0; i < 3; i++) {
        write_linear(body, sizeof(body), written[i]);
        EXPECT_NUMBERS("/v1/rope", body, INV_FREQ, 0.25, 0.025, 0.0025, 0.00025);
    }
    write_linear(body, sizeof(body), "\"4\"");
    expect_refused("/v1/rope", body, "scaling.factor");
}

/* vllm-project/vllm PR 43770: partial_rotary_factor ignored. */
Test(cases_frequencies, a_partial_factor_shortens_the_frequencies_and_odd_widths_are_refused)
{
    EXPECT_NUMBERS("/v1/rope?dim=8&rotary_pct=0.5&length=1", NULL, INV_FREQ, 1, 0.01);
    expect_refused("/v1/rope?dim=10&rotary_pct=0.5&length=1", NULL, "partial_rotary_factor");
}

static void write_longrope(char *body, size_t size, size_t entries, double length)
{
    int used = snprintf(body, size,
                        "{\"dim\": 128, \"partial_rotary_factor\": 0.75, \"length\": 1, "
                        "\"sequence_length\": %.0f, \"max_position_embeddings\": 131072, "
                        "\"scaling\": {\"rope_type\": \"longrope\", "
                        "\"original_max_position_embeddings\": 4096",
                        length);

    for (int list = 0; list < 2; list++)
        for (size_t i = 0; i < entries; i++) {
            const char *before = i      ? ", "
                                 : list ? "], \"long_factor\": ["
                                        : ", \"short_factor\": [";

            used += snprintf(body + used, size - (size_t)used, "%s%d", before, list ? 4 : 1);
        }
    (void)snprintf(body + used, size - (size_t)used, "]}}");
}

/* apache/tvm PR 18102: the buffer was sized by the head. */
Test(cases_frequencies, longrope_has_one_factor_for_each_pair_that_turns)
{
    char body[4000];

    write_longrope(body, sizeof(body), 48, 100);
    cr_expect_eq(number_of("/v1/rope", body, INV_FREQ "/0"), 1);
    write_longrope(body, sizeof(body), 64, 100);
    expect_refused("/v1/rope", body, "scaling.short_factor");
}

/* ggml-org/llama.cpp #24823: long factors chosen by the allocated context. */
Test(cases_frequencies, longrope_is_short_up_to_the_trained_length_with_one_attention_factor)
{
    static const struct {
        double length, first;
    } cases[] = {{100, 1}, {4096, 1}, {4097, 0.25}, {131072, 0.25}};
    char body[4000];

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        write_longrope(body, sizeof(body), 48, cases[i].length);
        cr_expect_eq(number_of("/v1/rope", body, INV_FREQ "/0"), cases[i].first, "%.0f",
                     cases[i].length);
        expect_near(number_of("/v1/rope", body, "derived/attention_factor"), 1.190238071,
                    "attention factor");
    }
}

/* mlc-ai/mlc-llm PR 3375: the type su was known, longrope was not. */
Test(cases_frequencies, su_is_longrope)
{
    const char *format = "{\"dim\": 4, \"length\": 1, \"sequence_length\": %d, \"scaling\": "
                         "{\"%s\": \"%s\", \"factor\": 32, "
                         "\"original_max_position_embeddings\": 4096, "
                         "\"short_factor\": [1, 1], \"long_factor\": [2, 4]}}";

    for (int i = 0; i < 4; i++) {
        char body[400];

        (void)snprintf(body, sizeof(body), format, i < 2 ? 100 : 5000, i % 2 ? "rope_type" : "type",
                       i % 2 ? "longrope" : "su");
        EXPECT_NUMBERS("/v1/rope", body, INV_FREQ, i < 2 ? 1 : 0.5, i < 2 ? 0.01 : 0.0025);
    }
}

static double dynamic_base(const char *more, double length)
{
    char target[300];

    (void)snprintf(target, sizeof(target),
                   "/v1/rope?length=1&scaling.rope_type=dynamic&max_position_embeddings=2048&"
                   "sequence_length=%.0f&%s",
                   length, more);
    return number_of(target, NULL, "derived/effective_base");
}

/* vllm-project/vllm PR 41301: the repair removed the factor. */
Test(cases_frequencies, the_dynamic_base_grows_with_every_length_beyond_the_trained_one)
{
    double before = 10000;

    expect_near(dynamic_base("dim=128&scaling.factor=4", 4096), 51293.7873, "base at 4096");
    for (double length = 2049; length < 1e6; length *= 2) {
        const double base = dynamic_base("dim=128&scaling.factor=4", length);

        cr_expect_gt(base, before, "%.0f", length);
        before = base;
    }
}

/* vllm-project/vllm #52665: a negative number's power. */
Test(cases_frequencies, a_length_below_the_trained_one_leaves_the_dynamic_base_alone)
{
    cr_expect_eq(dynamic_base("dim=64&base=1000&scaling.factor=2", 512), 1000);
    cr_expect_eq(dynamic_base("dim=64&base=1000&scaling.factor=2", 2048), 1000);
}

/* huggingface/transformers #25104: keys cached under an older base. */
Test(cases_frequencies, a_key_cached_before_the_base_grew_has_another_angle)
{
    const char *format = "/v1/rope?dim=128&length=1&scaling.rope_type=dynamic&scaling.factor=2"
                         "&max_position_embeddings=2048&sequence_length=%d";
    static const double angles[] = {632.455532, 632.377146};

    for (int i = 0; i < 2; i++) {
        char target[200];

        (void)snprintf(target, sizeof(target), format, 2048 + i);
        cr_expect_float_eq(2000 * number_of(target, NULL, INV_FREQ "/8"), angles[i], 5e-7, "%s",
                           target);
    }
}

/* turboderp/exllama #115 */
Test(cases_frequencies, alpha_becomes_a_base_by_the_exponent_d_over_d_minus_2)
{
    const char *target = "/v1/rope?dim=128&length=1&scaling.rope_type=ntk&scaling.alpha=4";

    expect_near(number_of(target, NULL, "derived/effective_base"), 40889.9424, target);
    target = "/v1/rope?dim=128&length=1&scaling.rope_type=ntk&scaling.alpha=8";
    expect_near(number_of(target, NULL, "derived/effective_base"), 82684.6226, target);
}

/* LostRuins/koboldcpp #375 */
Test(cases_frequencies, a_linear_factor_below_one_is_another_programs_scale)
{
    const char *target = "/v1/rope?dim=128&base=1e6&length=1&scaling.rope_type=linear"
                         "&scaling.factor=8";

    expect_refused("/v1/rope?dim=128&length=1&scaling.rope_type=linear&scaling.factor=0.25", NULL,
                   "scaling.factor");
    expect_near(4096 * number_of(target, NULL, INV_FREQ "/63"), 6.353601335e-4, target);
}

/* huggingface/transformers PR 32182 */
Test(cases_frequencies, type_and_rope_type_are_one_and_unknown_keys_are_told)
{
    static const char *const names[] = {"type", "rope_type"};

    for (size_t i = 0; i < 2; i++) {
        char body[200];

        (void)snprintf(body, sizeof(body),
                       "{\"dim\": 4, \"length\": 1, \"scaling\": {\"%s\": \"linear\", \"factor\": "
                       "2.0}}",
                       names[i]);
        EXPECT_NUMBERS("/v1/rope", body, INV_FREQ, 0.5, 0.005);
    }
    expect_warning("/v1/rope",
                   "{\"dim\": 4, \"length\": 1, \"scaling\": {\"rope_type\": \"linear\", "
                   "\"factor\": 2, \"finetuned\": true}}",
                   "scaling.finetuned");
}

#define LLAMA31                                                                                    \
    "/v1/rope?dim=128&base=500000&scaling.rope_type=llama3&scaling.factor=8"                       \
    "&scaling.low_freq_factor=1&scaling.high_freq_factor=4"                                        \
    "&scaling.original_max_position_embeddings=8192&dtype=float64"

/* How many pairs a region has. */
static size_t count_region(const char *target, const char *region)
{
    struct answer answer = ask_case(target, NULL);
    const json_t *regions = found_at(&answer, "derived/region"), *one;
    size_t count = 0, i;

    json_array_foreach(regions, i, one) count += strcmp(json_string_value(one), region) == 0;
    answer_release(&answer);
    return count;
}

/* huggingface/transformers PR 32330: the new frequencies were computed, the old ones returned. */
Test(cases_frequencies, llama3_divides_the_last_frequency)
{
    expect_frequency(LLAMA31 "&length=1", "63", 3.06892599e-7);
    cr_expect_eq(count_region(LLAMA31 "&length=1", "kept"), 29);
    cr_expect_eq(count_region(LLAMA31 "&length=1", "blended"), 6);
    cr_expect_eq(count_region(LLAMA31 "&length=1", "scaled"), 29);
}

/* ggml-org/llama.cpp #8650: short prompts look right without the scheme. */
Test(cases_frequencies, llama3_shows_at_far_positions)
{
    expect_near(number_of(LLAMA31 "&positions=8192", NULL, "tensors/cos/data/0/32"), -0.401220794,
                "pair 32");
    expect_near(8192 * number_of(LLAMA31 "&positions=8192", NULL, INV_FREQ "/32"), 4.29953975,
                "pair 32");
    expect_near(8192 * number_of(LLAMA31 "&positions=8192", NULL, INV_FREQ "/40"), 0.280830132,
                "pair 40");
    expect_near(number_of("/v1/rope?dim=128&base=500000&positions=8192&dtype=float64", NULL,
                          "tensors/cos/data/0/32"),
                0.556081143, "pair 32 of the plain table");
}

/* Llama 3.2's: 15 pairs kept, 3 blended, 14 divided. */
Test(cases_frequencies, llama3_of_a_smaller_head_blends_three_pairs)
{
    const char *target = "/v1/rope?dim=64&base=500000&scaling.rope_type=llama3&scaling.factor=32"
                         "&scaling.low_freq_factor=1&scaling.high_freq_factor=4&length=1"
                         "&scaling.original_max_position_embeddings=8192";

    cr_expect_eq(count_region(target, "kept"), 15);
    cr_expect_eq(count_region(target, "blended"), 3);
    cr_expect_eq(count_region(target, "scaled"), 14);
}
