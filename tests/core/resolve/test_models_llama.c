/* Built-in llama, mistral and qwen models against what their files say and what follows. */
#include "resolving_rows.h"

static const struct use_row models[] = {
    {"llama-7b", 0, "parameters.dim=128 parameters.base=1e4 parameters.layout=half", "rope_theta"},
    {"llama-2-7b", 0, "parameters.dim=128 parameters.base=1e4 parameters.scaling=null", NULL},
    {"codellama-34b", 0, "parameters.dim=128 parameters.base=1e6", NULL},
    {"llama-3-8b", 0, "parameters.dim=128 parameters.base=5e5 parameters.scaling=null", NULL},
    {"llama-3.1-405b", 0, "parameters.dim=128 parameters.scaling.factor=8", NULL},
    {"llama-3.2-1b", 0, "parameters.dim=64 parameters.base=5e5 parameters.scaling.factor=32", NULL},
    {"llama-3.2-3b", 0, "parameters.dim=128 parameters.scaling.factor=32", NULL},
    {"mistral-7b-v0.1", 0, "parameters.dim=128 parameters.base=1e4", NULL},
    {"mistral-7b-v0.3", 0, "parameters.dim=128 parameters.base=1e6", NULL},
    {"mistral-nemo-12b", 0, "parameters.dim=128 parameters.base=1e6", NULL}, /* not 5120 / 32 */
    {"mixtral-8x7b", 0, "parameters.dim=128 parameters.base=1e6", NULL},
    {"qwen2-7b", 0, "parameters.dim=128 parameters.base=1e6", NULL},
    /* mscale 1 beside mscale_all_dim 0: the whole gm(64), and a beta of 0 scales no queries */
    {"devstral-2", 0,
     "parameters.base=1e6 derived.attention_factor=1.4158883083359672 "
     "derived.correction_range.raw=23.595947608338104,30.017920849169702 "
     "derived.correction_range.used=23,31 derived.softmax_scale_multiplier=1 query_scale=null",
     NULL},
};

Test(models_llama, have_the_heads_bases_and_dictionaries_of_their_files)
{
    expect_model_uses(models, COUNT_OF(models));
}

/* Heads of every built-in of this table are 64 or 128 wide and turn wholly, half-split. */
Test(models_llama, turn_whole_heads_in_halves)
{
    static const char *const names[] = {"llama-3-70b",  "llama-3.3-70b", "tinyllama-1.1b",
                                        "smollm2-135m", "mixtral-8x22b", "qwen2.5-0.5b",
                                        "qwen3-0.6b",   "qwen3-32b",     "qwen3-235b-a22b"};

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct resolved resolved = resolve_model(names[i]);
        const double dim = number_in(&resolved, 0, "parameters.dim");

        cr_expect(dim == 64 || dim == 128, "%s", names[i]);
        cr_expect_eq(number_in(&resolved, 0, "parameters.rotary_dim"), dim, "%s", names[i]);
        cr_expect_str_eq(text_in(&resolved, 0, "parameters.layout"), "half", "%s", names[i]);
        cr_expect_str_eq(text_in(&resolved, 0, "layers"), "all", "%s", names[i]);
        resolved_release(&resolved);
    }
}

/* Llama 3.1 8B: pairs 0 to 28 kept, 29 to 34 blended, 35 to 63 divided by 8; by 40 digits. */
Test(models_llama, llama_3_1_has_its_published_frequencies)
{
    static const struct {
        size_t pair;
        double frequency;
    } rows[] = {{28, 0.00321144599},  {29, 0.00216657076},  {30, 0.00137189357},
                {31, 0.000856751413}, {32, 0.000524846161}, {33, 0.00031269375},
                {34, 0.000178507813}, {35, 9.55621235e-05}, {63, 3.06892599e-07}};
    struct resolved resolved = resolve_model("llama-3.1-8b");
    const double *frequencies = in_use(&resolved, 0, "derived.inv_freq")->as.array.data;

    for (size_t i = 0; i < COUNT_OF(rows); i++) /* nine digits */
        cr_expect_float_eq(frequencies[rows[i].pair] / rows[i].frequency, 1, 2e-9, "pair %zu",
                           rows[i].pair);
    resolved_release(&resolved);
}
