/* Scales that some models put on their queries. */
#include "resolving_rows.h"

#define YARN                                                                                       \
    "rope_parameters.rope_type=yarn rope_parameters.factor=4 "                                     \
    "rope_parameters.original_max_position_embeddings=2048 "

static const struct use_row rows[] = {
    /* Llama 4: layers without rotation, unless switched off */
    {"model_type=llama4_text no_rope_layers=1,0 " SHAPE, 0, "encoding=rope query_scale=null", NULL},
    {"model_type=llama4_text no_rope_layers=1,0 " SHAPE, 1,
     "encoding=none query_scale.rule=llama4_nope query_scale.attn_scale=0.1 "
     "query_scale.floor_scale=8192",
     NULL},
    {"model_type=llama4_text no_rope_layers=1,0 attn_scale=0.25 floor_scale=64 " SHAPE, 1,
     "query_scale.attn_scale=0.25 query_scale.floor_scale=64", NULL},
    {"model_type=llama4_text no_rope_layers=1,0 attn_temperature_tuning=false " SHAPE, 1,
     "encoding=none query_scale=null", NULL},
    {"model_type=llama4_text no_rope_layers=1,0 attn_temperature_tuning=4 " SHAPE, 1,
     "query_scale.rule=llama4_nope", NULL}, /* an older file's number */
    /* Ministral 3: everywhere; the beta of the dictionary, or at the top */
    {"model_type=ministral3 rope_parameters.llama_4_scaling_beta=0.2 " YARN SHAPE, 0,
     "query_scale.rule=ministral3 query_scale.beta=0.2 "
     "query_scale.original_max_position_embeddings=2048",
     NULL},
    {"model_type=ministral3 llama_4_scaling_beta=0.3 " YARN SHAPE, 0, "query_scale.beta=0.3", NULL},
    {"model_type=ministral3 rope_parameters.llama_4_scaling_beta=0 " YARN SHAPE, 0,
     "query_scale=null", NULL},
    {"model_type=ministral3 rope_parameters.rope_type=default " SHAPE, 0, "query_scale=null",
     NULL}, /* no trained length to count by */
    /* Qwen 1: with its switch alone */
    {"model_type=qwen use_logn_attn=true seq_length=2048 " SHAPE, 0,
     "query_scale.rule=qwen1_logn query_scale.seq_length=2048", NULL},
    {"model_type=qwen use_logn_attn=false seq_length=2048 " SHAPE, 0, "query_scale=null", NULL},
    {"model_type=qwen use_logn_attn=true " SHAPE, 0, "query_scale=null", NULL},
    /* nobody else, whatever the file says */
    {"model_type=llama attn_temperature_tuning=true attn_scale=0.1 floor_scale=8192 "
     "use_logn_attn=true seq_length=64 llama_4_scaling_beta=0.1 " SHAPE,
     0, "query_scale=null", NULL},
};

Test(resolve_query, scales_where_the_class_does_and_the_file_has_it_on)
{
    expect_uses(rows, COUNT_OF(rows));
}

static const struct refused_row refusals[] = {
    {"model_type=llama4_text no_rope_layers=1,0 attn_scale=-1 " SHAPE, POSENC_OUT_OF_RANGE,
     "attn_scale"},
    {"model_type=llama4_text no_rope_layers=1,0 floor_scale=word " SHAPE, POSENC_WRONG_TYPE,
     "floor_scale"},
    {"model_type=ministral3 rope_parameters.llama_4_scaling_beta=-0.1 " YARN SHAPE,
     POSENC_OUT_OF_RANGE, "rope_parameters.llama_4_scaling_beta"},
};

Test(resolve_query, refuses_scales_that_are_no_numbers)
{
    expect_refused(refusals, COUNT_OF(refusals));
}
