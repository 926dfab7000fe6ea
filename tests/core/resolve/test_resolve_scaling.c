/* The dictionary: which one, in whose words, and what of it reaches the encoding. */
#include "resolving_rows.h"

#define LLAMA3                                                                                     \
    "rope_scaling.rope_type=llama3 rope_scaling.factor=8 rope_scaling.low_freq_factor=1 "          \
    "rope_scaling.high_freq_factor=4 max_position_embeddings=131072 "
#define YARN "rope_scaling.rope_type=yarn rope_scaling.factor=4 "

static const struct use_row chosen[] = {
    {"model_type=llama " SHAPE, 0, "parameters.scaling=null", NULL},
    {"model_type=llama rope_scaling=null " SHAPE, 0, "parameters.scaling=null", NULL},
    {"model_type=llama rope_scaling=false " SHAPE, 0, "parameters.scaling=null", NULL},
    {"model_type=llama rope_parameters.rope_type=linear rope_parameters.factor=2 " SHAPE, 0,
     "parameters.scaling.factor=2", NULL},
    /* both: rope_scaling, and the other is told of unless it says the same */
    {"model_type=llama rope_scaling.type=linear rope_scaling.factor=3 "
     "rope_parameters.rope_type=linear rope_parameters.factor=2 " SHAPE,
     0, "parameters.scaling.factor=3", "rope_parameters"},
    {"model_type=llama rope_scaling=null rope_parameters.rope_type=linear "
     "rope_parameters.factor=2 " SHAPE,
     0, "parameters.scaling.factor=2", NULL},
    /* names of old files */
    {"model_type=llama rope_scaling.type=linear rope_scaling.factor=2 " SHAPE, 0,
     "parameters.scaling.rope_type=linear", NULL},
    {"model_type=llama rope_scaling.rope_type=linear rope_scaling.type=yarn "
     "rope_scaling.factor=2 " SHAPE,
     0, "parameters.scaling.rope_type=linear", "rope_scaling"},
    {"model_type=llama head_dim=4 rope_scaling.type=su rope_scaling.short_factor=1,1 "
     "rope_scaling.long_factor=2,2 original_max_position_embeddings=64 "
     "max_position_embeddings=128 " SHAPE,
     0,
     "parameters.scaling.rope_type=longrope parameters.scaling.factor=2 "
     "parameters.scaling.original_max_position_embeddings=64",
     NULL},
    {"model_type=phi3 head_dim=4 rope_scaling.type=yarn rope_scaling.short_factor=1,1 "
     "rope_scaling.long_factor=2,2 original_max_position_embeddings=64 "
     "max_position_embeddings=128 " SHAPE,
     0, "parameters.scaling.rope_type=longrope", NULL},
    {"model_type=llama rope_scaling.type=mrope rope_scaling.mrope_section=4,2,2 " SHAPE, 0,
     "parameters.scaling=null parameters.mrope_section=4,2,2", NULL},
};

Test(resolve_scaling, takes_the_dictionary_that_transformers_takes)
{
    expect_uses(chosen, COUNT_OF(chosen));
}

/* The trained length: the top of the file, the dictionary, or assumed. */
static const struct use_row originals[] = {
    {"model_type=llama original_max_position_embeddings=8192 " LLAMA3 SHAPE, 0,
     "parameters.scaling.original_max_position_embeddings=8192", NULL},
    {"model_type=llama original_max_position_embeddings=4096 "
     "rope_scaling.original_max_position_embeddings=8192 " LLAMA3 SHAPE,
     0, "parameters.scaling.original_max_position_embeddings=4096",
     "original_max_position_embeddings"},
    {"model_type=ministral3 rope_scaling.original_max_position_embeddings=2048 " YARN SHAPE, 0,
     "query_scale.original_max_position_embeddings=2048", NULL},
    /* linear has no trained length */
    {"model_type=llama original_max_position_embeddings=8192 rope_scaling.rope_type=linear "
     "rope_scaling.factor=2 " SHAPE,
     0, "parameters.scaling.original_max_position_embeddings=null", NULL},
    {"model_type=llama max_position_embeddings=4096 " YARN SHAPE, 0,
     "parameters.scaling.original_max_position_embeddings=4096",
     "rope_scaling.original_max_position_embeddings"},
};

Test(resolve_scaling, finds_the_trained_length_where_files_put_it)
{
    expect_uses(originals, COUNT_OF(originals));
}

/* default has no members: what stands there is told, but not what others read. */
static const struct use_row leftovers[] = {
    {"model_type=llama rope_scaling.rope_type=default rope_scaling.factor=2 " SHAPE, 0,
     "parameters.scaling=null", "rope_scaling.factor"},
    {"model_type=hunyuan_v1_dense rope_scaling.type=dynamic rope_scaling.alpha=1000 "
     "rope_scaling.factor=1 rope_scaling.beta_fast=32 " SHAPE,
     0, "parameters.scaling.rope_type=ntk parameters.scaling.alpha=1000", "rope_scaling.beta_fast"},
};

Test(resolve_scaling, tells_of_members_that_no_scheme_reads)
{
    expect_uses(leftovers, COUNT_OF(leftovers));
    struct resolved resolved =
        resolve("model_type=llama rope_parameters.rope_type=default rope_parameters.rope_theta=7 "
                "rope_parameters.partial_rotary_factor=1 " SHAPE);

    cr_expect_eq(posenc_find_member(&resolved.answer, "warnings")->as.list.count, 0);
    resolved_release(&resolved);
}

/* Sections of the file, of the class, and those that do not fit. */
static const struct use_row sections[] = {
    {"model_type=qwen2_vl head_dim=16 rope_scaling.type=mrope "
     "rope_scaling.mrope_section=4,2,2 " SHAPE,
     0, "parameters.mrope_section=4,2,2 parameters.mrope_order=chunked", NULL},
    {"model_type=llama head_dim=16 rope_scaling.rope_type=default "
     "rope_scaling.mrope_section=4,2,2 rope_scaling.mrope_interleaved=true " SHAPE,
     0, "parameters.mrope_order=interleaved", NULL},
    {"model_type=llama head_dim=16 mrope_section=4,2,2 " SHAPE, 0,
     "parameters.mrope_section=4,2,2 parameters.mrope_order=chunked", NULL},
    {"model_type=qwen2_vl head_dim=128 " SHAPE, 0, "parameters.mrope_section=16,24,24",
     "rope_scaling.mrope_section"},
    {"model_type=qwen2_vl head_dim=16 " SHAPE, 0, "parameters.mrope_section=null",
     "rope_scaling.mrope_section"},
    {"model_type=llama head_dim=16 rope_scaling.rope_type=default "
     "rope_scaling.mrope_section=2,2,2,2 " SHAPE,
     0, "parameters.mrope_section=null", "rope_scaling"},
};

Test(resolve_scaling, deals_pairs_by_the_sections_of_file_or_class)
{
    expect_uses(sections, COUNT_OF(sections));
}

/* Dictionaries by layer type; shared members beside them are left out, and told. */
static const struct use_row by_type[] = {
    {"model_type=laguna sliding_window_pattern=2 "
     "rope_parameters.full_attention.rope_type=linear rope_parameters.full_attention.factor=4 "
     "rope_parameters.sliding_attention.rope_theta=77 rope_parameters.factor=9 " SHAPE,
     0, "layers=1, parameters.scaling.factor=4", "rope_parameters.factor"},
    {"model_type=laguna sliding_window_pattern=2 "
     "rope_parameters.full_attention.rope_type=linear rope_parameters.full_attention.factor=4 "
     "rope_parameters.sliding_attention.rope_theta=77 rope_parameters.factor=9 " SHAPE,
     1, "layers=0, parameters.base=77 parameters.scaling=null", NULL},
    {"model_type=laguna sliding_window_pattern=2 "
     "rope_parameters.full_attention=null rope_parameters.sliding_attention.rope_theta=77 " SHAPE,
     1, "layers=1, encoding=none", NULL},
    {"model_type=laguna sliding_window_pattern=2 "
     "rope_parameters.full_attention.rope_theta=77 " SHAPE,
     1, "layers=0, encoding=rope", "rope_parameters.sliding_attention"},
};

Test(resolve_scaling, reads_a_dictionary_per_layer_type)
{
    expect_uses(by_type, COUNT_OF(by_type));
}

static const struct refused_row refusals[] = {
    {"model_type=llama rope_scaling=3 " SHAPE, POSENC_WRONG_TYPE, "rope_scaling"},
    {"model_type=llama rope_parameters=word " SHAPE, POSENC_WRONG_TYPE, "rope_parameters"},
    {"model_type=llama rope_scaling=true " SHAPE, POSENC_WRONG_TYPE, "rope_scaling"},
    {"model_type=llama rope_scaling.factor=8 " SHAPE, POSENC_MISSING_PARAMETER, "rope_scaling"},
    {"model_type=llama rope_scaling.rope_type=yarm rope_scaling.factor=8 " SHAPE,
     POSENC_OUT_OF_RANGE, "rope_scaling.rope_type"},
    {"model_type=llama rope_scaling.type=linear rope_scaling.factor=word " SHAPE, POSENC_WRONG_TYPE,
     "rope_scaling.factor"},
    {"model_type=llama original_max_position_embeddings=0 " LLAMA3 SHAPE, POSENC_OUT_OF_RANGE,
     "original_max_position_embeddings"},
    {"model_type=qwen use_dynamic_ntk=true " SHAPE, POSENC_MISSING_PARAMETER, "seq_length"},
    {"model_type=llama mrope_section=4 " SHAPE, POSENC_WRONG_TYPE, "mrope_section"},
    {"model_type=llama head_dim=16 rope_scaling.type=mrope rope_scaling.mrope_section=4,2,3 " SHAPE,
     POSENC_CONFLICT, "rope_scaling.mrope_section"},
    {"model_type=laguna sliding_window_pattern=2 rope_parameters.full_attention.rope_type=linear "
     "rope_parameters.sliding_attention.rope_theta=77 " SHAPE,
     POSENC_MISSING_PARAMETER, "rope_parameters.full_attention.factor"},
};

Test(resolve_scaling, refuses_a_dictionary_by_its_place_in_the_file)
{
    expect_refused(refusals, COUNT_OF(refusals));
}
