/* Classes without rotation: which encoding, on which component, from which row. */
#include "resolving_rows.h"

#include <stdio.h>

/* Types of one rule; the file tells widths, heads and lengths under their usual names. */
#define FILE_FACTS                                                                                 \
    " hidden_size=64 d_model=64 n_embd=64 num_attention_heads=4 n_head=4 num_heads=4 "             \
    "num_hidden_layers=2 n_layers=2 max_position_embeddings=514 n_positions=514 "

static const struct use_row classes[] = {
    {"bloom mpt jina_bert jais refact btlm", 0, "component=text encoding=alibi layers=all", NULL},
    {"gpt2 gpt_neo gpt_bigcode imagegpt openai-gpt bert albert electra distilbert mobilebert "
     "convbert layoutlm lilt big_bird tapas canine rembert ernie git",
     0,
     "component=text encoding=learned layers=embedding parameters.rows=514 "
     "parameters.position_offset=null",
     NULL},
    /* rows for the offset are in the table, beside those of positions */
    {"opt biogpt", 0, "component=text encoding=learned parameters.position_offset=2", NULL},
    {"bart mbart mvp plbart", 0, "component=encoder encoding=learned parameters.position_offset=2",
     NULL},
    {"bart mbart mvp plbart", 1, "component=decoder encoding=learned parameters.position_offset=2",
     NULL},
    {"blenderbot bigbird_pegasus", 0,
     "component=encoder encoding=learned parameters.position_offset=null", NULL},
    {"trocr", 0, "component=decoder encoding=learned parameters.position_offset=2", NULL},
    {"roberta xlm-roberta camembert roberta-prelayernorm xmod longformer luke ibert data2vec-text "
     "layoutlmv3 markuplm",
     0, "component=text encoding=learned parameters.position_offset=2", NULL},
    {"m2m_100 nllb_moe", 0, "component=encoder encoding=sinusoidal parameters.preset=m2m100", NULL},
    {"m2m_100 nllb_moe", 1, "component=decoder encoding=sinusoidal parameters.preset=m2m100", NULL},
    {"xglm", 0, "component=text encoding=sinusoidal parameters.preset=m2m100", NULL},
    {"marian pegasus pegasus_x", 0,
     "component=encoder encoding=sinusoidal parameters.preset=marian", NULL},
    {"fsmt speech_to_text speecht5", 0, "encoding=sinusoidal parameters.preset=fairseq", NULL},
    {"musicgen", 0, "encoding=sinusoidal parameters.preset=musicgen", NULL},
    {"ctrl", 0, "encoding=sinusoidal parameters.layout=sin_cos", NULL},
    {"whisper", 0, "component=encoder encoding=sinusoidal parameters.preset=whisper", NULL},
    {"t5 mt5 umt5 longt5 switch_transformers pop2piano udop", 0,
     "component=encoder encoding=t5 parameters.bidirectional=true parameters.num_buckets=32 "
     "parameters.max_distance=128",
     NULL},
    {"t5 mt5 umt5 longt5 switch_transformers pop2piano udop", 1,
     "component=decoder encoding=t5 parameters.bidirectional=false", NULL},
    {"pix2struct_text_model", 0, "component=decoder encoding=t5 parameters.bidirectional=false",
     NULL},
    {"wavlm", 0,
     "component=audio encoding=t5 parameters.num_buckets=320 parameters.max_distance=800", NULL},
    {"mpnet", 0, "component=text encoding=t5 parameters.num_buckets=32", NULL},
    {"mpnet", 1, "component=text encoding=learned parameters.position_offset=2", NULL},
    {"deberta-v2", 1, "encoding=learned", NULL}, /* position_biased_input is its default */
    {"xlnet", 0, "encoding=transformer_xl parameters.variant=xlnet parameters.attention=bi", NULL},
    {"transfo-xl funnel", 0, "encoding=transformer_xl parameters.variant=transformer_xl", NULL},
    {"fastspeech2_conformer", 0, "encoding=transformer_xl parameters.variant=conformer", NULL},
    {"wav2vec2-conformer", 0, "component=audio encoding=transformer_xl", NULL},
    {"wav2vec2-bert", 0, "component=audio encoding=shaw", NULL},
    {"swin", 0, "component=vision encoding=swin parameters.version=1", NULL},
    {"swinv2 swin2sr", 0, "component=vision encoding=swin parameters.version=2", NULL},
    {"mamba mamba2 falcon_mamba rwkv xlstm jamba nemotron_h zamba kimi_linear", 0,
     "component=text encoding=none parameters.dim=null", NULL},
};

Test(model_types_other, lead_to_the_encoding_of_their_class)
{
    for (size_t i = 0; i < COUNT_OF(classes); i++) {
        const char *types = classes[i].facts;

        for (size_t length; (length = posenc__next_word(&types)) > 0; types += length) {
            char facts[512];
            const struct use_row row = {facts, classes[i].use, classes[i].expected, NULL};

            (void)snprintf(facts, sizeof(facts), "model_type=%.*s" FILE_FACTS, (int)length, types);
            expect_uses(&row, 1);
        }
    }
}

/* A member of the file makes another row apply. */
static const struct use_row variants[] = {
    {"model_type=bert position_embedding_type=relative_key" FILE_FACTS, 0,
     "encoding=shaw parameters.max_relative_position=513", NULL},
    {"model_type=roberta position_embedding_type=relative_key_query" FILE_FACTS, 0, "encoding=shaw",
     NULL},
    {"model_type=bert position_embedding_type=alibi" FILE_FACTS, 0, "encoding=alibi", NULL},
    {"model_type=bert position_embedding_type=absolute" FILE_FACTS, 0, "encoding=learned", NULL},
    {"model_type=jais position_embedding_type=learned" FILE_FACTS, 0, "encoding=learned", NULL},
    {"model_type=mpt attn_config.alibi=false" FILE_FACTS, 0, "encoding=learned", NULL},
    {"model_type=mpt attn_config.alibi=false attn_config.rope=true" FILE_FACTS, 0, "encoding=rope",
     NULL},
    {"model_type=xlm" FILE_FACTS, 0, "encoding=learned", NULL},
    {"model_type=xlm sinusoidal_embeddings=true" FILE_FACTS, 0, "encoding=sinusoidal", NULL},
    {"model_type=deberta-v2 relative_attention=false" FILE_FACTS, 0, "encoding=learned", NULL},
    {"model_type=deberta-v2 position_biased_input=false" FILE_FACTS, 0, "encoding=deberta", NULL},
    {"model_type=deberta" FILE_FACTS, 0, "encoding=learned", NULL}, /* its default is absolute */
    {"model_type=wav2vec2-bert position_embeddings_type=relative" FILE_FACTS, 0,
     "encoding=transformer_xl", NULL},
    {"model_type=xlnet attn_type=uni" FILE_FACTS, 0,
     "encoding=transformer_xl parameters.attention=uni", NULL},
    {"model_type=wav2vec2-bert position_embeddings_type=rotary" FILE_FACTS, 0, "encoding=rope",
     NULL},
};

Test(model_types_other, follow_the_member_that_decides)
{
    expect_uses(variants, COUNT_OF(variants));
}

/* XLM-R's tables start behind the padding's row, wherever that is. */
Test(model_types_other, count_from_the_row_behind_the_paddings)
{
    static const struct use_row rows[] = {
        {"model_type=roberta pad_token_id=7" FILE_FACTS, 0, "parameters.position_offset=8", NULL},
        {"model_type=roberta pad_token_id=0" FILE_FACTS, 0, "parameters.position_offset=1", NULL},
    };

    expect_uses(rows, COUNT_OF(rows));
}
