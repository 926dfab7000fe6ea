/* Built-in models without rotation. */
#include "resolving_rows.h"

static const struct use_row models[] = {
    {"gpt2", 0, "encoding=learned parameters.rows=1024 parameters.dim=768", NULL},
    {"opt-125m", 0, "encoding=learned parameters.position_offset=2", NULL},
    {"bert-base-uncased", 0, "encoding=learned parameters.rows=512", NULL},
    {"roberta-base", 0, "encoding=learned parameters.rows=514 parameters.position_offset=2", NULL},
    {"bart-large", 1, "component=decoder encoding=learned parameters.position_offset=2", NULL},
    {"whisper-tiny", 0, "component=encoder encoding=sinusoidal parameters.dim=384", NULL},
    {"whisper-tiny", 1, "component=decoder encoding=learned parameters.rows=448", NULL},
    {"m2m100-418m", 0, "encoding=sinusoidal parameters.preset=m2m100 parameters.dim=1024", NULL},
    {"bloom", 0, "encoding=alibi parameters.heads=112", NULL},
    {"falcon-rw-1b", 0, "encoding=alibi parameters.heads=32", NULL},
    {"mpt-30b", 0, "encoding=alibi parameters.heads=64", NULL},
    {"t5-v1_1-xxl", 0, "encoding=t5 parameters.heads=64 parameters.bidirectional=true", NULL},
    {"t5-v1_1-xxl", 1, "encoding=t5 parameters.bidirectional=false", NULL},
    {"deberta-v3-base", 0,
     "encoding=deberta parameters.position_buckets=256 parameters.max_relative_positions=512",
     NULL},
    {"xlnet-base-cased", 0, "encoding=transformer_xl parameters.dim=768", NULL},
    {"clip-vit-large-patch14", 0, "component=text encoding=learned parameters.rows=77", NULL},
    {"clip-vit-large-patch14", 1, "component=vision encoding=learned parameters.rows=257", NULL},
    {"vit-base-patch16-224", 0, "encoding=learned parameters.rows=197", NULL},
    {"dinov2-base", 0, "encoding=learned parameters.rows=1370", NULL}, /* 37 * 37 + 1 */
    {"swin-tiny", 0, "encoding=swin parameters.version=1", NULL},
    {"mamba", 0, "encoding=none", NULL},
    {"jamba", 0, "encoding=none", NULL},
};

Test(models_other, have_the_tables_biases_and_rows_of_their_files)
{
    expect_model_uses(models, COUNT_OF(models));
}

/* No model of this table turns anything. */
Test(models_other, do_not_turn)
{
    for (size_t i = 0; i < COUNT_OF(models); i++) {
        struct resolved resolved = resolve_model(models[i].facts);

        for (size_t use = 0; use < use_count(&resolved); use++)
            cr_expect_str_neq(text_in(&resolved, use, "encoding"), "rope", "%s", models[i].facts);
        resolved_release(&resolved);
    }
}
