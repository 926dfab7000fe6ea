/* The base: whose word counts, and what is said of the others. */
#include "resolving_rows.h"

static const struct use_row rows[] = {
    {"model_type=llama rope_theta=5e5 " SHAPE, 0, "parameters.base=5e5", NULL},
    /* one name after another */
    {"model_type=gpt_neox rotary_emb_base=77 " SHAPE, 0, "parameters.base=77", NULL},
    {"model_type=openelm rope_freq_constant=77 " SHAPE, 0, "parameters.base=77", NULL},
    {"model_type=wav2vec2-conformer position_embeddings_type=rotary "
     "rotary_embedding_base=77 " SHAPE,
     0, "parameters.base=77", NULL},
    {"model_type=dbrx attn_config.rope_theta=5e5 " SHAPE, 0, "parameters.base=5e5", NULL},
    {"model_type=gpt_neox rope_theta=50 rotary_emb_base=77 " SHAPE, 0, "parameters.base=50", NULL},
    /* the dictionary's before the file's, which is told */
    {"model_type=llama rope_theta=5e5 rope_parameters.rope_type=default "
     "rope_parameters.rope_theta=1e6 " SHAPE,
     0, "parameters.base=1e6", "rope_theta"},
    {"model_type=llama rope_theta=1e6 rope_scaling.rope_type=linear rope_scaling.factor=2 "
     "rope_scaling.rope_theta=1e6 " SHAPE,
     0, "parameters.base=1e6 parameters.scaling.rope_theta=null", NULL},
    {"model_type=llama rope_theta=5e5 rope_parameters.rope_type=default "
     "rope_parameters.rope_theta=null " SHAPE,
     0, "parameters.base=5e5", NULL},
    /* the class's, and what most have */
    {"model_type=qwen2_vl " SHAPE, 0, "parameters.base=1e6", "rope_theta"},
    {"model_type=zorgon rms_norm_eps=1 " SHAPE, 0, "parameters.base=10000", "rope_theta"},
    {"model_type=gptj rope_theta=5e5 " SHAPE "rotary_dim=8", 0, "parameters.base=10000", NULL},
    {"model_type=chatglm kv_channels=128 rope_ratio=500 " SHAPE, 0, "parameters.base=5e6", NULL},
    /* local layers do not take the dictionary's base */
    {"model_type=gemma3_text rope_theta=1e6 rope_local_base_freq=77 "
     "sliding_window_pattern=2 " SHAPE,
     0, "layers=1, parameters.base=1e6", NULL},
    {"model_type=gemma3_text rope_theta=1e6 rope_local_base_freq=77 "
     "sliding_window_pattern=2 " SHAPE,
     1, "layers=0, parameters.base=77", NULL},
    {"model_type=gemma3_text rope_scaling.rope_type=default rope_scaling.rope_theta=5 "
     "sliding_window_pattern=2 " SHAPE,
     1, "layers=0, parameters.base=1e4", NULL},
    {"model_type=modernbert rope_scaling.rope_type=default rope_scaling.rope_theta=5 "
     "global_attn_every_n_layers=2 " SHAPE,
     0, "layers=0, parameters.base=5", NULL},
    {"model_type=modernbert rope_scaling.rope_type=default rope_scaling.rope_theta=5 "
     "global_attn_every_n_layers=2 " SHAPE,
     1, "layers=1, parameters.base=1e4", NULL},
    {"model_type=mimo_v2_flash swa_rope_theta=77 sliding_window_pattern=2 " SHAPE, 1,
     "parameters.base=77", NULL},
    {"model_type=modernbert local_rope_theta=77 global_attn_every_n_layers=2 " SHAPE, 1,
     "parameters.base=77", NULL},
    /* a list has one a layer */
    {"model_type=step3p5 rope_theta=100,200 " SHAPE, 0, "layers=0, parameters.base=100", NULL},
    {"model_type=step3p5 rope_theta=100,200 " SHAPE, 1, "layers=1, parameters.base=200", NULL},
};

Test(resolve_base, is_that_of_the_first_place_that_names_one)
{
    expect_uses(rows, COUNT_OF(rows));
}

Test(resolve_base, says_in_a_note_where_it_comes_from)
{
    static const struct {
        const char *facts, *note;
    } notes[] = {
        {"model_type=gpt_neox rotary_emb_base=77 " SHAPE, "base: rotary_emb_base"},
        {"model_type=gpt_neox " SHAPE, "base: rotary_emb_base of the class"},
        {"model_type=llama rope_scaling.rope_type=default rope_scaling.rope_theta=7 " SHAPE,
         "base: rope_scaling.rope_theta"},
        {"model_type=roformer " SHAPE, "base: fixed by the class"},
        {"model_type=step3p5 rope_theta=100,100 " SHAPE, "base: the layer's entry of a list"},
    };

    for (size_t i = 0; i < COUNT_OF(notes); i++) {
        struct resolved resolved = resolve(notes[i].facts);
        const struct posenc_value *list = in_use(&resolved, 0, "notes");
        bool found = false;

        for (size_t k = 0; k < list->as.list.count; k++)
            found = found || strcmp(list->as.list.items[k].as.text, notes[i].note) == 0;
        cr_expect(found, "%s: no note '%s'", notes[i].facts, notes[i].note);
        resolved_release(&resolved);
    }
}

static const struct refused_row refusals[] = {
    {"model_type=llama rope_theta=0 " SHAPE, POSENC_OUT_OF_RANGE, "rope_theta"},
    {"model_type=llama rope_theta=-1 " SHAPE, POSENC_OUT_OF_RANGE, "rope_theta"},
    {"model_type=llama rope_theta=many " SHAPE, POSENC_WRONG_TYPE, "rope_theta"},
    {"model_type=llama rope_parameters.rope_type=default rope_parameters.rope_theta=0 " SHAPE,
     POSENC_OUT_OF_RANGE, "rope_parameters.rope_theta"},
    {"model_type=llama rope_scaling.rope_type=default rope_scaling.rope_theta=word " SHAPE,
     POSENC_WRONG_TYPE, "rope_scaling.rope_theta"},
    {"model_type=gemma3_text rope_local_base_freq=0 sliding_window_pattern=2 " SHAPE,
     POSENC_OUT_OF_RANGE, "rope_local_base_freq"},
    {"model_type=chatglm kv_channels=128 rope_ratio=0 " SHAPE, POSENC_OUT_OF_RANGE, "rope_ratio"},
    {"model_type=chatglm kv_channels=128 rope_theta=1e308 rope_ratio=1e12 " SHAPE,
     POSENC_OUT_OF_RANGE, "rope_theta"},
    /* a base is named by the member that has it, however the encoding calls it */
    {"model_type=gpt_neox rotary_emb_base=1e-300 " SHAPE, POSENC_OUT_OF_RANGE, "rotary_emb_base"},
    {"model_type=llava text_config.model_type=llama text_config.rope_theta=-1", POSENC_OUT_OF_RANGE,
     "text_config.rope_theta"},
};

Test(resolve_base, refuses_what_is_no_base_by_its_own_name)
{
    expect_refused(refusals, COUNT_OF(refusals));
}
