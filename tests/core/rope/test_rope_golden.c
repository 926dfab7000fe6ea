/*
 * Frequencies and what follows from them against values computed with 60 digits, on the
 * dictionaries of published models and at every edge of every scheme. A line of
 * tests/golden/rope_frequencies.jsonl has the same name, and all of its pairs.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "rope_question.h"

/* Units in the last place of a double: the values here are rounded themselves. */
#define DOUBLE_ULP 2.0

#define SAMPLES_MAX 4

struct golden {
    const char *name;
    struct rope_asking asking;
    bool is_float; /* the values are floats, and ours must round to the same ones */
    double attention_factor;
    double effective_base, softmax; /* 0: not known */
    double range[4];                /* yarn: raw low and high, used low and high */
    size_t pairs;                   /* 0: not known */
    struct {
        size_t pair;
        double value;
    } samples[SAMPLES_MAX]; /* up to the first {0, 0} */
};

/* clang-format off */
static const struct golden rows[] = {
    {"default_d16_b1", {.dim = 16, .base = 1, .scaling = "rope_type=default"},
     .attention_factor = 1, .pairs = 8, .samples = {{2, 1}, {4, 1}, {7, 1}}},
    {"default_d16_b5000000", {.dim = 16, .base = 5000000, .scaling = "rope_type=default"},
     .attention_factor = 1, .pairs = 8, .samples = {{2, 0.021147425268811283}, {4,
     0.00044721359549995795}, {7, 1.3753120438672643e-06}}},
    {"default_d16_fractional_base", {.dim = 16, .base = 12345.678}, .attention_factor = 1,
     .pairs = 8, .samples = {{2, 0.09486833174985224}, {4, 0.009000000369000023}, {7,
     0.00026298103040371917}}},
    {"partial_inside_parameters", {.dim = 256, .rotary_dim = 64, .base = 10000000,
     .scaling = "rope_type=default&rope_theta=10000000&partial_rotary_factor=0.25"},
     .attention_factor = 1, .pairs = 32, .samples = {{10, 0.006493816315762113}, {16,
     0.00031622776601683794}, {31, 1.6548170999431814e-07}}},
    {"linear_d8_f1.0", {.dim = 8, .scaling = "rope_type=linear&factor=1"}, .attention_factor = 1,
     .pairs = 4, .samples = {{1, 0.1}, {2, 0.01}, {3, 0.001}}},
    {"linear_d8_f3.0", {.dim = 8, .scaling = "rope_type=linear&factor=3"}, .attention_factor = 1,
     .pairs = 4, .samples = {{1, 0.03333333333333333}, {2, 0.0033333333333333335}, {3,
     0.0003333333333333333}}},
    {"linear_d8_f4", {.dim = 8, .scaling = "rope_type=linear&factor=4"}, .attention_factor = 1,
     .pairs = 4, .samples = {{1, 0.025}, {2, 0.0025}, {3, 0.00025}}},
    {"linear_d8_f8.0", {.dim = 8, .scaling = "rope_type=linear&factor=8"}, .attention_factor = 1,
     .pairs = 4, .samples = {{1, 0.0125}, {2, 0.00125}, {3, 0.000125}}},
    {"linear_d128_f8_b1e6", {.dim = 128, .base = 1000000, .scaling = "factor=8&rope_type=linear"},
     .attention_factor = 1, .pairs = 64, .samples = {{21, 0.0013432597854016468}, {32, 0.000125},
     {63, 1.5511722009396494e-07}}},
    {"linear_partial", {.dim = 64, .rotary_dim = 16, .scaling = "type=linear&factor=2"},
     .attention_factor = 1, .pairs = 8, .samples = {{2, 0.05}, {4, 0.005}, {7,
     0.00015811388300841897}}},
    {"ntk_alpha_d8_a1.0_as_ntk", {.dim = 8, .scaling = "rope_type=ntk&alpha=1"},
     .attention_factor = 1, .effective_base = 10000, .pairs = 4, .samples = {{1, 0.1}, {2, 0.01},
     {3, 0.001}}},
    {"ntk_alpha_d8_a4.0_as_ntk", {.dim = 8, .scaling = "rope_type=ntk&alpha=4"},
     .attention_factor = 1, .effective_base = 63496.04207872798, .pairs = 4, .samples = {{1,
     0.06299605249474366}, {2, 0.003968502629920499}, {3, 0.00025}}},
    {"ntk_alpha_d128_a8.0_as_ntk", {.dim = 128, .scaling = "rope_type=ntk&alpha=8"},
     .attention_factor = 1, .effective_base = 82684.62264056221, .pairs = 64, .samples = {{21,
     0.024348376258293156}, {32, 0.003477664048114574}, {63, 1.4434774808618228e-05}}},
    {"ntk_alpha_and_length", {.dim = 8, .scaling = "rope_type=dynamic&alpha=4",
     .max_position_embeddings = 2048, .sequence_length = 8192}, .attention_factor = 1,
     .effective_base = 63496.04207872798, .pairs = 4, .samples = {{1, 0.06299605249474366}, {2,
     0.003968502629920499}, {3, 0.00025}}},
    {"ntk_fixed_d8_f4", {.dim = 8, .scaling = "rope_type=ntk_fixed&factor=4"},
     .attention_factor = 1, .effective_base = 40000, .pairs = 4, .samples = {{1, 0.05}, {2,
     0.0035355339059327377}, {3, 0.00025}}},
    {"ntk_fixed_d128_f8", {.dim = 128, .scaling = "rope_type=ntk_fixed&factor=8"},
     .attention_factor = 1, .effective_base = 80000, .pairs = 64, .samples = {{21,
     0.023826640763565134}, {32, 0.0034225060574364767}, {63, 1.4434774808618228e-05}}},
    {"ntk_mixed_d16_f8_b0.625", {.dim = 16, .scaling = "rope_type=ntk_fixed&factor=8"
     "&mixed_b=0.625"}, .attention_factor = 1, .pairs = 8, .samples = {{2, 0.03241784141975634}, {4,
     0.00212217652476492}, {7, 3.952847075210474e-05}}},
    {"dynamic_d8_f2_M2048_n1", {.dim = 8, .scaling = "rope_type=dynamic&factor=2",
     .max_position_embeddings = 2048, .sequence_length = 1}, .attention_factor = 1,
     .effective_base = 10000, .pairs = 4, .samples = {{1, 0.1}, {2, 0.01}, {3, 0.001}}},
    {"dynamic_d8_f2_M2048_n2048", {.dim = 8, .scaling = "rope_type=dynamic&factor=2",
     .max_position_embeddings = 2048, .sequence_length = 2048}, .attention_factor = 1,
     .effective_base = 10000, .pairs = 4, .samples = {{1, 0.1}, {2, 0.01}, {3, 0.001}}},
    {"dynamic_d8_f2_M2048_n4096", {.dim = 8, .scaling = "rope_type=dynamic&factor=2",
     .max_position_embeddings = 2048, .sequence_length = 4096}, .attention_factor = 1,
     .effective_base = 43267.48710922225, .pairs = 4, .samples = {{1, 0.06933612743506347}, {2,
     0.004807498567691361}, {3, 0.0003333333333333333}}},
    {"dynamic_d8_f2_M2048_n8192", {.dim = 8, .scaling = "rope_type=dynamic&factor=2",
     .max_position_embeddings = 2048, .sequence_length = 8192}, .attention_factor = 1,
     .effective_base = 133905.18279406722, .pairs = 4, .samples = {{1, 0.052275795857471025}, {2,
     0.0027327588325319844}, {3, 0.00014285714285714287}}},
    {"dynamic_d128_f10_M2048_n16384", {.dim = 128, .scaling = "rope_type=dynamic&factor=10",
     .max_position_embeddings = 2048, .sequence_length = 16384}, .attention_factor = 1,
     .effective_base = 759702.2311480094, .pairs = 64, .samples = {{21, 0.011760177690354437}, {32,
     0.0011473034487608708}, {63, 1.626453499562617e-06}}},
    {"dynamic_f1", {.dim = 16, .scaling = "rope_type=dynamic&factor=1",
     .max_position_embeddings = 2048, .sequence_length = 6144}, .attention_factor = 1,
     .effective_base = 35097.924382760604, .pairs = 8, .samples = {{2, 0.07305999556432365}, {4,
     0.005337762951858991}, {7, 0.00010540925533894598}}},
    {"dynamic_ignores_original", {.dim = 16, .scaling = "type=dynamic&factor=4"
     "&original_max_position_embeddings=1024", .max_position_embeddings = 4096,
     .sequence_length = 10000}, .attention_factor = 1, .effective_base = 88904.41730260632,
     .pairs = 8, .samples = {{2, 0.05791208019738008}, {4, 0.003353809032787782}, {7,
     4.674036264452108e-05}}},
    {"ntk_by_parts_d16_f8", {.dim = 16, .scaling = "rope_type=ntk_by_parts&factor=8"
     "&original_max_position_embeddings=4096"}, .attention_factor = 1, .pairs = 8, .samples = {{2,
     0.1}, {4, 0.00768251137850373}, {7, 3.952847075210474e-05}}},
    {"ntk_by_parts_ntk_factor", {.dim = 64, .scaling = "rope_type=ntk_by_parts&factor=8"
     "&ntk_factor=0.5&original_max_position_embeddings=4096"}, .attention_factor = 1, .pairs = 32,
     .samples = {{10, 0.05623413251903491}, {16, 0.006593093508625774}, {31,
     1.666901790204155e-05}}},
    {"ntk_by_parts_no_extrapolation", {.dim = 64, .scaling = "rope_type=ntk_by_parts&factor=8"
     "&extrapolation_factor=0&original_max_position_embeddings=4096"}, .attention_factor = 1,
     .pairs = 32, .samples = {{10, 0.02875283349254113}, {16, 0.0034189207888159806}, {31,
     1.666901790204155e-05}}},
    {"yarn_d16_f4_L2048", {.dim = 16, .scaling = "rope_type=yarn&factor=4"
     "&original_max_position_embeddings=2048"}, .attention_factor = 1.138629436111989,
     .range = {2.0160002112515443, 5.026300167891356, 2, 6}, .pairs = 8, .samples = {{2, 0.1}, {4,
     0.00625}, {7, 7.905694150420948e-05}}},
    {"yarn_d16_f4_L2048_no_truncate", {.dim = 16, .scaling = "rope_type=yarn&factor=4"
     "&original_max_position_embeddings=2048&truncate=false"},
     .attention_factor = 1.138629436111989, .range = {2.0160002112515443, 5.026300167891356,
     2.0160002112515443, 5.026300167891356}, .pairs = 8, .samples = {{2, 0.1}, {4,
     0.005056971521129435}, {7, 7.905694150420948e-05}}},
    {"yarn_d16_f4_L32_low_clamped", {.dim = 16, .scaling = "rope_type=yarn&factor=4"
     "&original_max_position_embeddings=32"}, .attention_factor = 1.138629436111989,
     .range = {-1.59635973671623, 1.4139402199235818, 0, 2}, .pairs = 8, .samples = {{2, 0.025}, {4,
     0.0025}, {7, 7.905694150420948e-05}}},
    {"yarn_high_clamped", {.dim = 16, .base = 100, .scaling = "rope_type=yarn&factor=4"
     "&original_max_position_embeddings=65536"}, .attention_factor = 1.138629436111989,
     .range = {10.052600335782712, 16.073200249062335, 10, 15}, .pairs = 8, .samples = {{2,
     0.31622776601683794}, {4, 0.1}, {7, 0.01778279410038923}}},
    {"yarn_d128_f4_L32768_b1e6", {.dim = 128, .base = 1000000, .scaling = "type=yarn&factor=4"
     "&original_max_position_embeddings=32768", .max_position_embeddings = 32768},
     .attention_factor = 1.138629436111989, .range = {23.5959476083381, 39.6508807104171, 23, 40},
     .pairs = 64, .samples = {{21, 0.010746078283213174}, {32, 0.0006029411764705882}, {63,
     3.102344401879299e-07}}},
    {"yarn_equal_betas_no_truncate", {.dim = 64, .base = 50000, .scaling = "beta_fast=1"
     "&beta_slow=1&factor=32&mscale=1&mscale_all_dim=1&original_max_position_embeddings=4096"
     "&type=yarn&truncate=false"}, .attention_factor = 1, .range = {19.1645748886269,
     19.1645748886269, 19.1645748886269, 19.1655748886269}, .pairs = 32, .samples = {{10,
     0.0340072781554661}, {16, 0.00447213595499958}, {31, 8.764412911589874e-07}}},
    {"yarn_mscale_both_equal", {.dim = 64, .scaling = "beta_fast=32&beta_slow=1&factor=40"
     "&mscale=1&mscale_all_dim=1&original_max_position_embeddings=4096&type=yarn"},
     .attention_factor = 1, .range = {10.472240810318027, 22.513440636877274, 10, 23}, .pairs = 32,
     .samples = {{10, 0.05623413251903491}, {16, 0.0055}, {31, 3.33380358040831e-06}}},
    {"yarn_mscale_both_0.707", {.dim = 64, .scaling = "beta_fast=32&beta_slow=1&factor=40"
     "&mscale=0.707&mscale_all_dim=0.707&original_max_position_embeddings=4096&type=yarn"},
     .attention_factor = 1, .range = {10.472240810318027, 22.513440636877274, 10, 23}, .pairs = 32,
     .samples = {{10, 0.05623413251903491}, {16, 0.0055}, {31, 3.33380358040831e-06}}},
    {"yarn_mscale_differs", {.dim = 64, .scaling = "beta_fast=32&beta_slow=1&factor=40"
     "&mscale=0.707&mscale_all_dim=1&original_max_position_embeddings=4096&type=yarn"},
     .attention_factor = 0.9210423553163399, .range = {10.472240810318027, 22.513440636877274, 10,
     23}, .pairs = 32, .samples = {{10, 0.05623413251903491}, {16, 0.0055}, {31,
     3.33380358040831e-06}}},
    {"yarn_mscale_differs_2", {.dim = 64, .scaling = "beta_fast=32&beta_slow=1&factor=40&mscale=1"
     "&mscale_all_dim=0.5&original_max_position_embeddings=4096&type=yarn"},
     .attention_factor = 1.155721990196261, .range = {10.472240810318027, 22.513440636877274, 10,
     23}, .pairs = 32, .samples = {{10, 0.05623413251903491}, {16, 0.0055}, {31,
     3.33380358040831e-06}}},
    {"yarn_mscale_alone", {.dim = 64, .scaling = "beta_fast=32&beta_slow=1&factor=40&mscale=0.707"
     "&original_max_position_embeddings=4096&type=yarn"}, .attention_factor = 1.3688879454113936,
     .range = {10.472240810318027, 22.513440636877274, 10, 23}, .pairs = 32, .samples = {{10,
     0.05623413251903491}, {16, 0.0055}, {31, 3.33380358040831e-06}}},
    {"yarn_mscale_all_dim_zero", {.dim = 64, .scaling = "beta_fast=32&beta_slow=1&factor=40"
     "&mscale=1&mscale_all_dim=0&original_max_position_embeddings=4096&type=yarn"},
     .attention_factor = 1.3688879454113936, .range = {10.472240810318027, 22.513440636877274, 10,
     23}, .pairs = 32, .samples = {{10, 0.05623413251903491}, {16, 0.0055}, {31,
     3.33380358040831e-06}}},
    {"yarn_attention_factor_1", {.dim = 64, .scaling = "rope_type=yarn&factor=64"
     "&original_max_position_embeddings=4096&attention_factor=1"}, .attention_factor = 1,
     .range = {10.472240810318027, 22.513440636877274, 10, 23}, .pairs = 32, .samples = {{10,
     0.05623413251903491}, {16, 0.005456730769230769}, {31, 2.0836272377551937e-06}}},
    {"yarn_attention_factor_beats_mscale", {.dim = 64, .scaling = "beta_fast=32&beta_slow=1"
     "&factor=40&mscale=0.707&mscale_all_dim=1&original_max_position_embeddings=4096&type=yarn"
     "&attention_factor=1.25"}, .attention_factor = 1.25, .range = {10.472240810318027,
     22.513440636877274, 10, 23}, .pairs = 32, .samples = {{10, 0.05623413251903491}, {16, 0.0055},
     {31, 3.33380358040831e-06}}},
    {"yarn_factor_missing", {.dim = 16, .scaling = "rope_type=yarn"
     "&original_max_position_embeddings=4096", .max_position_embeddings = 16384},
     .attention_factor = 1.138629436111989, .range = {2.618060202579507, 5.628360159219318, 2, 6},
     .pairs = 8, .samples = {{2, 0.1}, {4, 0.00625}, {7, 7.905694150420948e-05}}},
    {"yarn_no_original", {.dim = 16, .scaling = "rope_type=yarn&factor=4",
     .max_position_embeddings = 2048}, .attention_factor = 1.138629436111989,
     .range = {2.0160002112515443, 5.026300167891356, 2, 6}, .pairs = 8, .samples = {{2, 0.1}, {4,
     0.00625}, {7, 7.905694150420948e-05}}},
    {"yarn_partial", {.dim = 64, .rotary_dim = 32, .scaling = "rope_type=yarn&factor=8"
     "&original_max_position_embeddings=4096"}, .attention_factor = 1.2079441541679836,
     .range = {5.236120405159014, 11.256720318438637, 5, 12}, .pairs = 16, .samples = {{5,
     0.05623413251903491}, {8, 0.00625}, {15, 2.2228492625486534e-05}}},
    {"longd8_n1", {.dim = 8, .scaling = "rope_type=longrope&short_factor=1,1.1,1.2,1.3"
     "&long_factor=2,4,8,16&original_max_position_embeddings=4096",
     .max_position_embeddings = 131072, .sequence_length = 1},
     .attention_factor = 1.1902380714238083, .pairs = 4, .samples = {{1, 0.0909090909090909}, {2,
     0.008333333333333333}, {3, 0.0007692307692307692}}},
    {"longd8_n4096", {.dim = 8, .scaling = "rope_type=longrope&short_factor=1,1.1,1.2,1.3"
     "&long_factor=2,4,8,16&original_max_position_embeddings=4096",
     .max_position_embeddings = 131072, .sequence_length = 4096},
     .attention_factor = 1.1902380714238083, .pairs = 4, .samples = {{1, 0.0909090909090909}, {2,
     0.008333333333333333}, {3, 0.0007692307692307692}}},
    {"longd8_n4097", {.dim = 8, .scaling = "rope_type=longrope&short_factor=1,1.1,1.2,1.3"
     "&long_factor=2,4,8,16&original_max_position_embeddings=4096",
     .max_position_embeddings = 131072, .sequence_length = 4097},
     .attention_factor = 1.1902380714238083, .pairs = 4, .samples = {{1, 0.025}, {2, 0.00125}, {3,
     6.25e-05}}},
    {"longd8_n131072", {.dim = 8, .scaling = "rope_type=longrope&short_factor=1,1.1,1.2,1.3"
     "&long_factor=2,4,8,16&original_max_position_embeddings=4096",
     .max_position_embeddings = 131072, .sequence_length = 131072},
     .attention_factor = 1.1902380714238083, .pairs = 4, .samples = {{1, 0.025}, {2, 0.00125}, {3,
     6.25e-05}}},
    {"longfactor_given", {.dim = 8, .scaling = "rope_type=longrope&short_factor=1,1.1,1.2,1.3"
     "&long_factor=2,4,8,16&original_max_position_embeddings=4096&factor=2",
     .max_position_embeddings = 131072, .sequence_length = 5000},
     .attention_factor = 1.0408329997330663, .pairs = 4, .samples = {{1, 0.025}, {2, 0.00125}, {3,
     6.25e-05}}},
    {"longattention_factor", {.dim = 8, .scaling = "rope_type=longrope&short_factor=1,1.1,1.2,1.3"
     "&long_factor=2,4,8,16&original_max_position_embeddings=4096&attention_factor=1.5",
     .max_position_embeddings = 131072, .sequence_length = 5000}, .attention_factor = 1.5,
     .pairs = 4, .samples = {{1, 0.025}, {2, 0.00125}, {3, 6.25e-05}}},
    {"longtop_level_L", {.dim = 8, .scaling = "rope_type=longrope&short_factor=1,1.1,1.2,1.3"
     "&long_factor=2,4,8,16&original_max_position_embeddings=2048", .max_position_embeddings = 4096,
     .sequence_length = 2049}, .attention_factor = 1.044465935734187, .pairs = 4, .samples = {{1,
     0.025}, {2, 0.00125}, {3, 6.25e-05}}},
    {"longno_L", {.dim = 8, .scaling = "rope_type=longrope&short_factor=1,1.1,1.2,1.3"
     "&long_factor=2,4,8,16", .max_position_embeddings = 4096, .sequence_length = 4096},
     .attention_factor = 1, .pairs = 4, .samples = {{1, 0.0909090909090909}, {2,
     0.008333333333333333}, {3, 0.0007692307692307692}}},
    {"longsu", {.dim = 8, .scaling = "type=su&short_factor=1,1.1,1.2,1.3&long_factor=2,4,8,16"
     "&original_max_position_embeddings=4096", .max_position_embeddings = 131072,
     .sequence_length = 4097}, .attention_factor = 1.1902380714238083, .pairs = 4, .samples = {{1,
     0.025}, {2, 0.00125}, {3, 6.25e-05}}},
    {"llama3_d16", {.dim = 16, .base = 500000, .scaling = "rope_type=llama3&factor=8"
     "&low_freq_factor=1&high_freq_factor=4&original_max_position_embeddings=8192"},
     .attention_factor = 1, .pairs = 8, .samples = {{2, 0.03760603093086393}, {4,
     0.0005248461609929547}, {7, 1.2891731721515574e-06}}},
    {"llama3_d128_f8", {.dim = 128, .base = 500000, .scaling = "rope_type=llama3&factor=8"
     "&low_freq_factor=1&high_freq_factor=4&original_max_position_embeddings=8192"},
     .attention_factor = 1, .pairs = 64, .samples = {{21, 0.013490419890226748}, {32,
     0.0005248461609929547}, {63, 3.068925988914511e-07}}},
    {"llama3_low_equals_high", {.dim = 128, .base = 500000, .scaling = "factor=16"
     "&high_freq_factor=1&low_freq_factor=1&original_max_position_embeddings=8192"
     "&rope_type=llama3"}, .attention_factor = 1, .pairs = 64, .samples = {{21,
     0.013490419890226748}, {32, 0.001414213562373095}, {63, 1.5344629944572555e-07}}},
    {"llama3_factor_1", {.dim = 32, .base = 500000, .scaling = "rope_type=llama3&factor=1"
     "&low_freq_factor=1&high_freq_factor=4&original_max_position_embeddings=8192"},
     .attention_factor = 1, .pairs = 16, .samples = {{5, 0.016560440080994446}, {8,
     0.001414213562373095}, {15, 4.5416704806078695e-06}}},
    {"llama3_higgs", {.dim = 128, .base = 500000, .scaling = "rope_type=llama3&factor=32"
     "&low_freq_factor=0.125&high_freq_factor=0.5&original_max_position_embeddings=1024"},
     .attention_factor = 1, .pairs = 64, .samples = {{21, 0.013490419890226748}, {32,
     0.0004295567965593682}, {63, 7.672314972286278e-08}}},
    {"proportional_d8_p0.5", {.dim = 8, .rotary_dim = 4, .scaling = "rope_type=proportional"},
     .attention_factor = 1, .pairs = 4, .samples = {{1, 0.1}, {2, 0}, {3, 0}}},
    {"proportional_d16_p1_factor2", {.dim = 16, .scaling = "rope_type=proportional&factor=2"},
     .attention_factor = 1, .pairs = 8, .samples = {{2, 0.05}, {4, 0.005}, {7,
     0.00015811388300841897}}},
    {"legacy_mrope", {.dim = 128, .base = 1000000, .scaling = "type=mrope"}, .attention_factor = 1,
     .pairs = 64, .samples = {{21, 0.010746078283213174}, {32, 0.001}, {63,
     1.2409377607517195e-06}}},
    {"model_deepseek_v3", {.dim = 64, .scaling = "beta_fast=32&beta_slow=1&factor=40&mscale=1"
     "&mscale_all_dim=1&original_max_position_embeddings=4096&type=yarn",
     .max_position_embeddings = 163840}, .attention_factor = 1, .softmax = 1.8738542070926265,
     .range = {10.472240810318027, 22.513440636877274, 10, 23}, .pairs = 32, .samples = {{10,
     0.05623413251903491}, {16, 0.0055}, {31, 3.33380358040831e-06}}},
    {"model_deepseek_v2_lite_f32", {.dim = 64, .scaling = "beta_fast=32&beta_slow=1&factor=40"
     "&mscale=0.707&mscale_all_dim=0.707&original_max_position_embeddings=4096&type=yarn",
     .max_position_embeddings = 163840}, .is_float = true, .attention_factor = 1,
     .softmax = 1.5896261651208736, .range = {10.472240810318027, 22.513440636877274, 10, 23},
     .pairs = 32, .samples = {{10, 0.05623413249850273}, {16, 0.005499999970197678}, {31,
     3.3338035336782923e-06}}},
    {"model_deepseek_v4_compress", {.dim = 64, .base = 160000, .scaling = "beta_fast=32"
     "&beta_slow=1&factor=16&original_max_position_embeddings=65536&type=yarn&attention_factor=1",
     .max_position_embeddings = 1048576}, .attention_factor = 1, .range = {15.453295264960227,
     24.708423791350594, 15, 25}, .pairs = 32, .samples = {{10, 0.023643540225079394}, {16,
     0.002265625}, {31, 5.680529036909976e-07}}},
    {"model_kimi_k2", {.dim = 64, .base = 50000, .scaling = "beta_fast=1&beta_slow=1&factor=32"
     "&mscale=1&mscale_all_dim=1&original_max_position_embeddings=4096&type=yarn",
     .max_position_embeddings = 131072}, .attention_factor = 1, .softmax = 1.8132604340394958,
     .range = {19.1645748886269, 19.1645748886269, 19, 20}, .pairs = 32, .samples = {{10,
     0.0340072781554661}, {16, 0.00447213595499958}, {31, 8.764412911589874e-07}}},
    {"model_kimi_k2_f32", {.dim = 64, .base = 50000, .scaling = "beta_fast=1&beta_slow=1"
     "&factor=32&mscale=1&mscale_all_dim=1&original_max_position_embeddings=4096&type=yarn",
     .max_position_embeddings = 131072}, .is_float = true, .attention_factor = 1,
     .softmax = 1.8132604340394958, .range = {19.1645748886269, 19.1645748886269, 19, 20},
     .pairs = 32, .samples = {{10, 0.034007277339696884}, {16, 0.004472136031836271}, {31,
     8.764412768869079e-07}}},
    {"model_gpt_oss", {.dim = 64, .base = 150000, .scaling = "beta_fast=32&beta_slow=1&factor=32"
     "&original_max_position_embeddings=4096&rope_type=yarn&truncate=false",
     .max_position_embeddings = 131072}, .attention_factor = 1.3465735902799727,
     .range = {8.092779115512402, 17.398024501588555, 8.092779115512402, 17.398024501588555},
     .pairs = 32, .samples = {{10, 0.01933500112654036}, {16, 0.00045648391922324016}, {31,
     3.0235114281192144e-07}}},
    {"model_gpt_oss_f32", {.dim = 64, .base = 150000, .scaling = "beta_fast=32&beta_slow=1"
     "&factor=32&original_max_position_embeddings=4096&rope_type=yarn&truncate=false",
     .max_position_embeddings = 131072}, .is_float = true, .attention_factor = 1.3465735902799727,
     .range = {8.092779115512402, 17.398024501588555, 8.092779115512402, 17.398024501588555},
     .pairs = 32, .samples = {{10, 0.019335001707077026}, {16, 0.0004564839182421565}, {31,
     3.023511396804679e-07}}},
    {"model_ministral3", {.dim = 128, .base = 1000000, .scaling = "rope_type=yarn&factor=16"
     "&original_max_position_embeddings=16384&beta_fast=32&beta_slow=1&mscale=1&mscale_all_dim=1",
     .max_position_embeddings = 262144}, .attention_factor = 1, .range = {20.3849609879223,
     36.439894090001296, 20, 37}, .pairs = 64, .samples = {{21, 0.010153463672006566}, {32,
     0.00033823529411764706}, {63, 7.755861004698247e-08}}},
    {"model_mistral4_f32", {.dim = 64, .scaling = "rope_type=yarn&factor=128"
     "&original_max_position_embeddings=8192&beta_fast=32&beta_slow=1&mscale=1&mscale_all_dim=1",
     .max_position_embeddings = 1048576}, .is_float = true, .attention_factor = 1,
     .range = {12.880480775629875, 24.921680602189124, 12, 25}, .pairs = 32, .samples = {{10,
     0.05623413249850273}, {16, 0.006947115529328585}, {31, 1.04181367532874e-06}}},
    {"model_llama2_yarn_64k", {.dim = 128, .scaling = "type=yarn&factor=16"
     "&original_max_position_embeddings=4096", .max_position_embeddings = 65536},
     .attention_factor = 1.2772588722239782, .range = {20.944481620636054, 45.02688127375455, 20,
     46}, .pairs = 64, .samples = {{21, 0.046940859997959404}, {32, 0.005673076923076923}, {63,
     7.217387404309114e-06}}},
    {"model_gemma3_27b_full", {.dim = 128, .base = 1000000, .scaling = "factor=8&rope_type=linear"},
     .attention_factor = 1, .pairs = 64, .samples = {{21, 0.0013432597854016468}, {32, 0.000125},
     {63, 1.5511722009396494e-07}}},
    {"model_gemma4_full", {.dim = 512, .base = 1000000, .scaling = "partial_rotary_factor=0.25"
     "&rope_theta=1000000&rope_type=proportional"}, .attention_factor = 1, .pairs = 256,
     .samples = {{85, 0}, {128, 0}, {255, 0}}},
    {"model_glm5.2", {.dim = 64, .base = 8000000, .scaling = "rope_theta=8000000"
     "&rope_type=default"}, .attention_factor = 1, .pairs = 32, .samples = {{10,
     0.0069628073495660815}, {16, 0.00035355339059327376}, {31, 2.0541472625399943e-07}}},
    {"model_glm5.2_f32", {.dim = 64, .base = 8000000, .scaling = "rope_theta=8000000"
     "&rope_type=default"}, .is_float = true, .attention_factor = 1, .pairs = 32, .samples = {{10,
     0.006962807383388281}, {16, 0.00035355339059606194}, {31, 2.0541472167678876e-07}}},
    {"model_exaone4_32b", {.dim = 128, .base = 1000000, .scaling = "rope_type=llama3&factor=16"
     "&low_freq_factor=1&high_freq_factor=4&original_max_position_embeddings=8192"},
     .attention_factor = 1, .pairs = 64, .samples = {{21, 0.010746078283213174}, {32,
     0.00015743665431525205}, {63, 7.755861004698247e-08}}},
    {"model_exaone4_32b_f32", {.dim = 128, .base = 1000000, .scaling = "rope_type=llama3"
     "&factor=16&low_freq_factor=1&high_freq_factor=4&original_max_position_embeddings=8192"},
     .is_float = true, .attention_factor = 1, .pairs = 64, .samples = {{21, 0.010746078565716743},
     {32, 0.00015743666153866798}, {63, 7.75586102008674e-08}}},
    {"default_d8_b10000_float32", {.dim = 8, .arithmetic = POSENC__ROPE_FLOAT32}, .is_float = true,
     .attention_factor = 1, .pairs = 4, .samples = {{1, 0.10000000149011612}, {2,
     0.009999999776482582}, {3, 0.0010000000474974513}}},
    {"default_d128_b500000_float32", {.dim = 128, .base = 500000,
     .arithmetic = POSENC__ROPE_FLOAT32}, .is_float = true, .attention_factor = 1, .pairs = 64,
     .samples = {{21, 0.013490419834852219}, {32, 0.001414213445968926}, {63,
     2.4551407022954663e-06}}},
    {"linear_d16_f3_float32", {.dim = 16, .scaling = "rope_type=linear&factor=3",
     .arithmetic = POSENC__ROPE_FLOAT32}, .is_float = true, .attention_factor = 1, .pairs = 8,
     .samples = {{2, 0.03333333507180214}, {4, 0.003333333181217313}, {7, 0.0001054092645063065}}},
    {"dynamic_d128_f10_M2048_n16384_float32", {.dim = 128, .scaling = "rope_type=dynamic&factor=10",
     .max_position_embeddings = 2048, .sequence_length = 16384, .arithmetic = POSENC__ROPE_FLOAT32},
     .is_float = true, .attention_factor = 1, .pairs = 64, .samples = {{21, 0.011760177090764046},
     {32, 0.0011473033810034394}, {63, 1.6264534679066855e-06}}},
    {"yarn_d16_f4_L2048_float32", {.dim = 16, .scaling = "rope_type=yarn&factor=4"
     "&original_max_position_embeddings=2048", .arithmetic = POSENC__ROPE_FLOAT32},
     .is_float = true, .attention_factor = 1.138629436111989, .pairs = 8, .samples = {{2,
     0.10000000149011612}, {4, 0.00624999962747097}, {7, 7.905694656074047e-05}}},
    {"model_deepseek_v3_float32", {.dim = 64, .scaling = "beta_fast=32&beta_slow=1&factor=40"
     "&mscale=1&mscale_all_dim=1&original_max_position_embeddings=4096&type=yarn",
     .arithmetic = POSENC__ROPE_FLOAT32}, .is_float = true, .attention_factor = 1, .pairs = 32,
     .samples = {{10, 0.05623412877321243}, {16, 0.005500000435858965}, {31,
     3.3338035336782923e-06}}},
    {"model_kimi_k2_float32", {.dim = 64, .base = 50000, .scaling = "beta_fast=1&beta_slow=1"
     "&factor=32&mscale=1&mscale_all_dim=1&original_max_position_embeddings=4096&type=yarn",
     .arithmetic = POSENC__ROPE_FLOAT32}, .is_float = true, .attention_factor = 1, .pairs = 32,
     .samples = {{10, 0.034007277339696884}, {16, 0.004472136031836271}, {31,
     8.764412768869079e-07}}},
    {"llama3_d128_f8_float32", {.dim = 128, .base = 500000, .scaling = "rope_type=llama3&factor=8"
     "&low_freq_factor=1&high_freq_factor=4&original_max_position_embeddings=8192",
     .arithmetic = POSENC__ROPE_FLOAT32}, .is_float = true, .attention_factor = 1, .pairs = 64,
     .samples = {{21, 0.013490419834852219}, {32, 0.0005248460220173001}, {63,
     3.068925877869333e-07}}},
    {"llama3_d64_f32_float32", {.dim = 64, .base = 500000, .scaling = "rope_type=llama3&factor=32"
     "&low_freq_factor=1&high_freq_factor=4&original_max_position_embeddings=8192",
     .arithmetic = POSENC__ROPE_FLOAT32}, .is_float = true, .attention_factor = 1, .pairs = 32,
     .samples = {{10, 0.016560440883040428}, {16, 0.000429556705057621}, {31,
     9.418306490260875e-08}}},
    {"llama3_low_equals_high_float32", {.dim = 128, .base = 500000, .scaling = "factor=16"
     "&high_freq_factor=1&low_freq_factor=1&original_max_position_embeddings=8192&rope_type=llama3",
     .arithmetic = POSENC__ROPE_FLOAT32}, .is_float = true, .attention_factor = 1, .pairs = 64,
     .samples = {{21, 0.013490419834852219}, {32, 0.001414213445968926}, {63,
     1.5344629389346665e-07}}},
    {"proportional_d16_p0.25_float32", {.dim = 16, .scaling = "rope_type=proportional"
     "&partial_rotary_factor=0.25", .arithmetic = POSENC__ROPE_FLOAT32}, .is_float = true,
     .attention_factor = 1, .pairs = 8, .samples = {{2, 0}, {4, 0}, {7, 0}}},
    {"softmax_multiplier_40_0_707", {.dim = 64, .scaling = "rope_type=yarn&factor=40"
     "&original_max_position_embeddings=4096&mscale=0.707&mscale_all_dim=0.707"},
     .attention_factor = 1, .softmax = 1.5896261651208734},
    {"softmax_multiplier_64_1_0", {.dim = 64, .scaling = "rope_type=yarn&factor=64"
     "&original_max_position_embeddings=4096&mscale=1&mscale_all_dim=1"}, .attention_factor = 1,
     .softmax = 2.004739701682487},
};
/* clang-format on */

static bool is_near(double value, double right)
{
    return fabs(value - right) <= DOUBLE_ULP * (nextafter(fabs(right), INFINITY) - fabs(right));
}

static bool is_sample(const struct golden *row, size_t i)
{
    return row->samples[i].pair > 0 || row->samples[i].value > 0;
}

static void compare_samples(const struct golden *row, const struct posenc__rope_frequencies *answer)
{
    for (size_t i = 0; i < SAMPLES_MAX && is_sample(row, i); i++) {
        const double value = answer->radians[row->samples[i].pair].hi;
        const double right = row->samples[i].value;

        if (row->is_float)
            cr_expect_eq((float)value, (float)right, "%s, pair %zu: %.9g, not %.9g", row->name,
                         row->samples[i].pair, value, right);
        else
            cr_expect(is_near(value, right), "%s, pair %zu: %.17g, not %.17g", row->name,
                      row->samples[i].pair, value, right);
    }
}

static void compare_derived(const struct golden *row, const struct posenc__rope_frequencies *answer)
{
    const double range[4] = {answer->correction_raw[0], answer->correction_raw[1],
                             answer->correction_used[0], answer->correction_used[1]};

    cr_expect(is_near(answer->attention_factor.hi, row->attention_factor), "%s: %.17g", row->name,
              answer->attention_factor.hi);
    if (row->effective_base > 0)
        cr_expect(is_near(answer->effective_base, row->effective_base), "%s: %.17g", row->name,
                  answer->effective_base);
    if (row->softmax > 0)
        cr_expect(is_near(answer->softmax_scale_multiplier, row->softmax), "%s: %.17g", row->name,
                  answer->softmax_scale_multiplier);
    for (size_t i = 0; row->range[1] != 0 && i < 4; i++)
        cr_expect(is_near(range[i], row->range[i]), "%s: %.17g, not %.17g", row->name, range[i],
                  row->range[i]);
}

Test(rope_golden, every_row_has_its_60_digit_values)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct rope_asked asked = {.answer = {.pairs = 0}};

        cr_assert_eq(ask_rope(&asked, &rows[i].asking), POSENC_OK, "%s: %s", rows[i].name,
                     asked.problem.detail);
        cr_expect(rows[i].pairs == 0 || asked.answer.pairs == rows[i].pairs, "%s", rows[i].name);
        compare_samples(&rows[i], &asked.answer);
        compare_derived(&rows[i], &asked.answer);
        posenc_memory_release(&asked.memory);
    }
}
