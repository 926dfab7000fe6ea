/* Built-in models whose layers differ, or whose positions have several axes. */
#include "resolving_rows.h"

static const struct use_row models[] = {
    {"llama-4-scout", 0,
     "parameters.layout=interleaved parameters.scaling.factor=16 "
     "parameters.scaling.low_freq_factor=1 parameters.scaling.high_freq_factor=1",
     NULL},
    {"llama-4-scout", 1, "encoding=none query_scale.rule=llama4_nope", NULL},
    {"llama-4-maverick", 0, "parameters.base=5e5 parameters.scaling=null", NULL},
    {"gemma-3-1b", 0, "parameters.base=1e6 parameters.scaling=null layers=5,11,17,23", NULL},
    {"gemma-3-4b", 0, "parameters.base=1e6 parameters.scaling.factor=8", NULL},
    {"gemma-3-4b", 1, "parameters.base=1e4 parameters.scaling=null", NULL},
    {"gemma-3-27b", 0, "parameters.dim=128 parameters.scaling.factor=8", NULL},
    {"gemma-4-e2b", 0,
     "parameters.dim=512 parameters.scaling.rope_type=proportional layers=4,9,14,19,24,29,34",
     NULL},
    {"gemma-4-e4b", 1, "parameters.dim=256 parameters.base=1e4", NULL},
    {"olmo-3.1-32b", 0,
     "derived.attention_factor=1.2079441541679836 "
     "derived.correction_range.raw=18.081135034337585,34.98411900147241 "
     "derived.correction_range.used=18,35",
     NULL},
    {"olmo-3.1-32b", 1, "parameters.base=5e5 parameters.scaling=null", NULL},
    {"exaone-4.0-32b", 1, "encoding=none", NULL},
    {"command-r7b", 0, "parameters.base=5e4 parameters.layout=interleaved", NULL},
    {"command-r7b", 1, "encoding=none layers=3,7,11,15,19,23,27,31", NULL},
    {"qwen3-next-80b-a3b", 0,
     "parameters.dim=256 parameters.rotary_dim=64 layers=3,7,11,15,19,23,27,31,35,39,43,47", NULL},
    {"qwen3.5-35b-a3b", 0, "parameters.mrope_section=11,11,10 parameters.mrope_order=interleaved",
     NULL},
    {"qwen2-vl-7b", 0, "parameters.mrope_section=16,24,24 parameters.mrope_order=chunked", NULL},
    {"qwen2-vl-7b", 1, "component=vision parameters.preset=qwen2_vl_vision parameters.dim=80",
     NULL},
    {"qwen3-vl-8b", 0,
     "parameters.base=5e6 parameters.mrope_section=24,20,20 parameters.mrope_order=interleaved",
     NULL},
    {"qwen3-vl-8b", 2, "encoding=learned parameters.rows=2304", NULL},
    {"deepseek-v4-flash", 0,
     "layer_type=main parameters.base=1e4 parameters.rotary_offset=448 parameters.scaling=null "
     "layers=0,1",
     NULL},
    {"deepseek-v4-flash", 1,
     "layer_type=compress parameters.base=1.6e5 derived.attention_factor=1 "
     "derived.correction_range.raw=15.453295264960227,24.708423791350594 "
     "derived.correction_range.used=15,25",
     NULL},
    {"modernbert-base", 0, "parameters.base=1.6e5 layers=0,3,6,9,12,15,18,21", NULL},
    {"modernbert-large", 1, "parameters.base=1e4", NULL},
};

Test(models_layered, have_the_bases_scalings_and_sections_of_their_layers)
{
    expect_model_uses(models, COUNT_OF(models));
}

/* Gemma 4, D 512, base 1e6, share 0.25: 64 live pairs of 256. */
Test(models_layered, gemma_4_turns_a_quarter_of_its_exponents)
{
    struct resolved resolved = resolve_model("gemma-4-e4b");
    const struct posenc_array *list = &in_use(&resolved, 0, "derived.inv_freq")->as.array;
    const double *w = list->data;

    cr_assert_eq(list->shape[0], 256);
    cr_expect_float_eq(w[1], 0.947463526, 1e-9);
    cr_expect_float_eq(w[63], 0.0333762469, 1e-10);
    for (size_t i = 64; i < 256; i++)
        cr_expect_eq(w[i], 0);
    resolved_release(&resolved);
}
