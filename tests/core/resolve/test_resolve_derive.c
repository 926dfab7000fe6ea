/* What is told of a rotary use: parameters that can be asked for, numbers that follow from them,
 * and problems under the names of the file. */
#include "resolving_rows.h"

#include <math.h>

#include "resolve_rope.h"

/* Frequencies of a double-precision reference: some ulp. */
static void expect_near(double value, double wanted)
{
    cr_expect_float_eq(value / wanted, 1, 2e-15, "%.17g is not %.17g", value, wanted);
}

#define LLAMA_31                                                                                   \
    "model_type=llama hidden_size=4096 num_attention_heads=32 num_hidden_layers=32 "               \
    "max_position_embeddings=131072 rope_theta=500000 rope_scaling.rope_type=llama3 "              \
    "rope_scaling.factor=8 rope_scaling.low_freq_factor=1 rope_scaling.high_freq_factor=4 "        \
    "rope_scaling.original_max_position_embeddings=8192"

Test(resolve_derive, gives_parameters_that_the_encoding_takes_as_they_are)
{
    struct resolved resolved = resolve(LLAMA_31);
    const struct posenc_value *told = in_use(&resolved, 0, "parameters");
    struct posenc_member members[16];
    struct posenc_result result;
    size_t count = 0;

    for (size_t i = 0; i < told->as.object.count; i++)
        if (strcmp(told->as.object.items[i].name, "layout") != 0)
            members[count++] = told->as.object.items[i];
    members[count++] = (struct posenc_member){"length", posenc_number(1)};
    cr_expect_eq(posenc_make("rope", "table", posenc_object(members, count), &resolved.memory,
                             &result, &resolved.problem),
                 POSENC_OK, "%s", resolved.problem.detail);
    resolved_release(&resolved);
}

Test(resolve_derive, gives_both_tables_of_a_longrope_model)
{
    struct resolved resolved = resolve(
        "model_type=phi3 hidden_size=8 num_attention_heads=1 num_hidden_layers=1 rope_theta=1e4 "
        "max_position_embeddings=131072 original_max_position_embeddings=4096 "
        "rope_scaling.type=yarn rope_scaling.short_factor=1,1.1,1.2,1.3 "
        "rope_scaling.long_factor=2,4,8,16");
    const struct posenc_value *list = in_use(&resolved, 0, "derived.inv_freq_long");

    cr_expect_str_eq(text_in(&resolved, 0, "parameters.scaling.rope_type"), "longrope");
    expect_near(((const double *)in_use(&resolved, 0, "derived.inv_freq")->as.array.data)[0], 1);
    expect_near(((const double *)list->as.array.data)[3], 6.25e-5);
    expect_near(number_in(&resolved, 0, "derived.attention_factor"), 1.1902380714238083);
    resolved_release(&resolved);
}

Test(resolve_derive, leaves_the_softmax_alone_outside_latent_attention)
{
    struct resolved resolved =
        resolve("model_type=ministral3 hidden_size=4096 num_attention_heads=32 "
                "num_hidden_layers=2");

    cr_expect_eq(number_in(&resolved, 0, "derived.softmax_scale_multiplier"), 1);
    cr_expect_str_eq(text_in(&resolved, 0, "query_scale.rule"), "ministral3");
    cr_expect_eq(number_in(&resolved, 0, "query_scale.original_max_position_embeddings"), 16384);
    resolved_release(&resolved);
}

/* A class's word for a member, and what follows where a dictionary fills it in. */
static const struct use_row rows[] = {
    /* the canonical dictionary has the defaults that were used */
    {"model_type=llama rope_scaling.type=yarn rope_scaling.factor=4 "
     "rope_scaling.original_max_position_embeddings=2048 " SHAPE,
     0,
     "parameters.scaling.rope_type=yarn parameters.scaling.beta_fast=32 "
     "parameters.scaling.beta_slow=1 parameters.scaling.truncate=true "
     "derived.attention_factor=1.1386294361119891 parameters.max_position_embeddings=null",
     NULL},
    /* dynamic depends on a length that the request must have, too */
    {"model_type=llama max_position_embeddings=2048 rope_scaling.type=dynamic "
     "rope_scaling.factor=2 " SHAPE,
     0,
     "parameters.scaling.rope_type=dynamic parameters.max_position_embeddings=2048 "
     "derived.effective_base=10000",
     NULL},
    {"model_type=llama head_dim=128 rope_scaling.type=ntk rope_scaling.alpha=8 " SHAPE, 0,
     "derived.effective_base=82684.62264056221", NULL},
    {"model_type=llama " SHAPE, 0,
     "derived.effective_base=null derived.correction_range=null derived.inv_freq_long=null "
     "derived.attention_factor=1 derived.softmax_scale_multiplier=1 parameters.rotary_offset=null",
     NULL},
    {"model_type=nanochat " SHAPE, 0, "parameters.direction=-1", NULL},
    {"model_type=deepseek_v2 rope_scaling.type=yarn rope_scaling.factor=40 "
     "rope_scaling.original_max_position_embeddings=4096 rope_scaling.mscale=0.707 "
     "rope_scaling.mscale_all_dim=0.707 " SHAPE,
     0, "derived.softmax_scale_multiplier=1.5896261651208736 derived.attention_factor=1", NULL},
};

Test(resolve_derive, tells_what_follows_from_the_parameters)
{
    expect_uses(rows, COUNT_OF(rows));
}

#define LLAMA_3_TURNS                                                                              \
    "model_type=llama rope_scaling.rope_type=llama3 rope_scaling.factor=8 "                        \
    "rope_scaling.low_freq_factor=1 rope_scaling.high_freq_factor=4 " SHAPE

/* transformers fills in what a file leaves out, and only warns of what that contradicts. */
Test(resolve_derive, two_lengths_contradict_each_other_where_the_file_names_both)
{
    static const struct use_row taken[] = {
        {LLAMA_3_TURNS " rope_scaling.original_max_position_embeddings=8192", 0,
         "parameters.scaling.original_max_position_embeddings=8192", "max_position_embeddings"},
        {LLAMA_3_TURNS " max_position_embeddings=8192", 0,
         "parameters.scaling.original_max_position_embeddings=8192", "max_position_embeddings"},
        {LLAMA_3_TURNS, 0, "parameters.scaling.original_max_position_embeddings=2048",
         "max_position_embeddings"},
        {LLAMA_3_TURNS " rope_scaling.original_max_position_embeddings=1024", 0,
         "parameters.scaling.original_max_position_embeddings=1024", NULL},
    };
    static const struct refused_row refused[] = {
        {LLAMA_3_TURNS
         " rope_scaling.original_max_position_embeddings=8192 max_position_embeddings=8192",
         POSENC_CONFLICT, "rope_scaling.original_max_position_embeddings"},
    };

    expect_uses(taken, COUNT_OF(taken));
    expect_refused(refused, COUNT_OF(refused));
}

/* The encoding calls it scaling.beta_fast; the file does not. */
Test(resolve_derive, calls_problems_and_warnings_by_the_files_names)
{
    static const struct refused_row refused[] = {
        {"model_type=llama rope_parameters.rope_type=yarn rope_parameters.factor=4 "
         "rope_parameters.original_max_position_embeddings=6 " SHAPE,
         POSENC_OUT_OF_RANGE, "rope_parameters.original_max_position_embeddings"},
        {"model_type=llava text_config.model_type=llama text_config.rope_scaling.type=linear "
         "text_config.rope_scaling.factor=0.5",
         POSENC_OUT_OF_RANGE, "text_config.rope_scaling.factor"},
    };
    static const struct use_row warned[] = {
        {"model_type=llama rope_scaling.type=linear rope_scaling.factor=4 "
         "rope_scaling.colour=2 " SHAPE,
         0, "encoding=rope", "rope_scaling.colour"},
        {"model_type=llama rope_parameters.rope_type=yarn rope_parameters.factor=4 "
         "rope_parameters.original_max_position_embeddings=2048 rope_parameters.mscale=0.7 " SHAPE,
         0, "encoding=rope", "rope_parameters.mscale"},
    };

    expect_refused(refused, COUNT_OF(refused));
    expect_uses(warned, COUNT_OF(warned));
    for (size_t i = 0; i < COUNT_OF(warned); i++) {
        struct resolved resolved = resolve(warned[i].facts);
        const char *detail = warning_of(&resolved, warned[i].warned);

        cr_expect(!strstr(detail, "'scaling."), "%s", detail);
        resolved_release(&resolved);
    }
}

/* Kinds, members in their order, and lists, element by element. */
Test(resolve_derive, values_are_the_same_when_all_of_them_is)
{
    static const char *const texts[] = {
        "x=1",   "x=2",     "x=true", "x=false", "x=null",  "x=word", "x=words", "x=1,2",
        "x=1,3", "x=1,2,3", "y=1",    "x=1 y=2", "y=2 x=1", "x.z=1",  "x.z=2",
    };
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    for (size_t a = 0; a < COUNT_OF(texts); a++)
        for (size_t b = 0; b < COUNT_OF(texts); b++) {
            struct posenc_value left, right;

            cr_assert(posenc__read_facts(texts[a], &memory, &left));
            cr_assert(posenc__read_facts(texts[b], &memory, &right));
            cr_expect_eq(posenc__is_same(&left, &right), a == b, "%s, %s", texts[a], texts[b]);
        }
    posenc_memory_release(&memory);
}
