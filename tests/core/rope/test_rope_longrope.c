/* LongRoPE: two lists of divisors, and their magnitude. */
#include "rope_expect.h"

#define LISTS "&short_factor=1,1.1,1.2,1.3&long_factor=2,4,8,16"

/* Values of sqrt(1 + ln(s) / ln(L)) rounded once more as decimals. */
#define MAGNITUDE_ERROR 0x1p-52

static const struct rope_frequency_row rows[] = {
    {{.dim = 8, .scaling = "rope_type=longrope&factor=32" LISTS TRAINED, .sequence_length = 4096},
     4,
     {1, 0.090909090909090909, 0.0083333333333333333, 0.00076923076923076923}},
    {{.dim = 8, .scaling = "rope_type=longrope&factor=32" LISTS TRAINED, .sequence_length = 4097},
     4,
     {0.5, 0.025, 0.00125, 6.25e-5}},
    {{.dim = 16, /* one divisor for each pair that turns */
      .rotary_dim = 8,
      .scaling = "type=su&factor=32" LISTS TRAINED,
      .sequence_length = 4097},
     4,
     {0.5, 0.025, 0.00125, 6.25e-5}},
    {{.dim = 10,
      .base = 523.7,
      .scaling = "rope_type=longrope&factor=2&short_factor=1,1,1,1,1"
                 "&long_factor=1,1.1,1.25,2.3,64.8" TRAINED,
      .sequence_length = 5000,
      .arithmetic = POSENC__ROPE_FLOAT32},
     5,
     {1.0, 0.25989070534706116, 0.06538181006908417, 0.010158335790038109, 0.00010307631600880995}},
};

Test(rope_longrope, divides_by_the_list_that_the_length_chooses)
{
    expect_rope_frequencies(rows, COUNT_OF(rows));
}

Test(rope_longrope, keeps_90_bits)
{
    expect_rope_formula("longrope");
}

/* Magnitudes by each of the rules, on both sides of the trained length. */
struct magnitude {
    const char *scaling;
    double max_position_embeddings, at_4096, at_4097;
};

static const struct magnitude magnitudes[] = {
    {"rope_type=longrope" LISTS TRAINED, 131072, 1.1902380714238083, 1.1902380714238083},
    {"rope_type=longrope&factor=2" LISTS TRAINED, 131072, 1.0408329997330663, 1.0408329997330663},
    {"rope_type=longrope&factor=1" LISTS TRAINED, 131072, 1, 1},
    {"rope_type=longrope" LISTS TRAINED, 4096, 1, 1},
    {"rope_type=longrope" LISTS TRAINED, 1024, 1, 1}, /* a shorter context is not scaled up */
    {"rope_type=longrope&attention_factor=1.25" LISTS TRAINED, 0, 1.25, 1.25},
    {"rope_type=longrope&short_mscale=1.25&long_mscale=1.5" LISTS TRAINED, 0, 1.25, 1.5},
    {"rope_type=longrope&short_mscale=1.25&long_mscale=1.5&factor=32" LISTS TRAINED, 0, 1.25, 1.5},
};

Test(rope_longrope, has_the_magnitude_of_the_first_rule_that_applies)
{
    for (size_t k = 0; k < 2 * COUNT_OF(magnitudes); k++) {
        const struct magnitude *row = &magnitudes[k / 2];
        const struct rope_asking asking = {.dim = 8,
                                           .scaling = row->scaling,
                                           .max_position_embeddings = row->max_position_embeddings,
                                           .sequence_length = k % 2 ? 4097 : 4096};
        struct rope_asked asked = rope_answer(&asking);

        cr_expect_float_eq(asked.answer.attention_factor.hi, k % 2 ? row->at_4097 : row->at_4096,
                           MAGNITUDE_ERROR, "%s, %g: %.17g", row->scaling, asking.sequence_length,
                           asked.answer.attention_factor.hi);
        cr_expect_eq(asked.answer.softmax_scale_multiplier, 1);
        posenc_memory_release(&asked.memory);
    }
}

/* A factor below 1 could not be sent back: the least that the row takes is 1. */
Test(rope_longrope, tells_no_factor_below_one)
{
    const struct rope_asking asking = {.dim = 8,
                                       .scaling = "rope_type=longrope" LISTS TRAINED,
                                       .max_position_embeddings = 1024,
                                       .sequence_length = 9};
    struct rope_asked asked = rope_answer(&asking);

    cr_expect_eq(posenc_find_member(&asked.answer.canonical, "factor")->as.number, 1);
    posenc_memory_release(&asked.memory);
}

/* ln(32) / ln(2) = 5. */
Test(rope_longrope, divides_by_the_logarithm_of_the_shortest_length_that_has_one)
{
    const struct rope_asking asking = {
        .dim = 8,
        .scaling = "rope_type=longrope&factor=32&original_max_position_embeddings=2" LISTS,
        .sequence_length = 1};
    struct rope_asked asked = rope_answer(&asking);

    cr_expect_float_eq(asked.answer.attention_factor.hi, 2.449489742783178, 2 * MAGNITUDE_ERROR);
    posenc_memory_release(&asked.memory);
}

/* Without a factor above 1 there is no whole scaling: what changes a pair then counts as one. */
Test(rope_longrope, weighs_a_pair_by_its_divisor)
{
    static const char *const schemes[] = {
        "rope_type=longrope&factor=16" LISTS TRAINED,
        "rope_type=longrope&attention_factor=1" LISTS TRAINED,
    };
    const double weights[2][4] = {{(1 - 1 / 2.0) / (1 - 1 / 16.0), (1 - 1 / 4.0) / (1 - 1 / 16.0),
                                   (1 - 1 / 8.0) / (1 - 1 / 16.0), 1},
                                  {1, 1, 1, 1}};

    for (size_t k = 0; k < 2; k++) {
        struct rope_asking asking = {.dim = 8, .scaling = schemes[k], .sequence_length = 5000};
        struct rope_asked asked = rope_answer(&asking);

        for (size_t i = 0; i < 4; i++)
            cr_expect_float_eq(asked.answer.interpolation_weight[i], weights[k][i],
                               MAGNITUDE_ERROR);
        posenc_memory_release(&asked.memory);
        asking.sequence_length = 100;
        asked = rope_answer(&asking);
        cr_expect_str_eq(asked.answer.region[0], "kept"); /* its short divisor is 1 */
        cr_expect_str_neq(asked.answer.region[1], "kept");
        posenc_memory_release(&asked.memory);
    }
}

#define LONGROPE "rope_type=longrope" LISTS

static const struct rope_refusal refusals[] = {
    {{.dim = 8, .scaling = "rope_type=longrope&long_factor=2,4,8,16" TRAINED},
     POSENC_MISSING_PARAMETER,
     "scaling.short_factor"},
    {{.dim = 8, .scaling = "rope_type=longrope&short_factor=2,4,8,16" TRAINED},
     POSENC_MISSING_PARAMETER,
     "scaling.long_factor"},
    {{.dim = 6, .scaling = LONGROPE TRAINED, .sequence_length = 9},
     POSENC_WRONG_SHAPE,
     "scaling.short_factor"},
    {{.dim = 8, .rotary_dim = 6, .scaling = LONGROPE TRAINED, .sequence_length = 9},
     POSENC_WRONG_SHAPE,
     "scaling.short_factor"},
    {{.dim = 8,
      .scaling = "rope_type=longrope&short_factor=1,1,1,1&long_factor=1,1,1,1,1" TRAINED,
      .sequence_length = 9},
     POSENC_WRONG_SHAPE,
     "scaling.long_factor"},
    {{.dim = 8, .scaling = "rope_type=longrope&short_factor=1,1.5,1,0&long_factor=1,1,1,1" TRAINED},
     POSENC_OUT_OF_RANGE,
     "scaling.short_factor.3"},
    {{.dim = 8, .scaling = "rope_type=longrope&short_factor=1,1,1,1&long_factor=1,-2,1,1" TRAINED},
     POSENC_OUT_OF_RANGE,
     "scaling.long_factor.1"},
    {{.dim = 8, .scaling = LONGROPE TRAINED, .max_position_embeddings = 131072},
     POSENC_MISSING_PARAMETER,
     "sequence_length"},
    {{.dim = 8, .scaling = LONGROPE TRAINED, .sequence_length = 9},
     POSENC_MISSING_PARAMETER,
     "scaling.factor"},
    {{.dim = 8, .scaling = LONGROPE, .sequence_length = 9},
     POSENC_MISSING_PARAMETER,
     "scaling.original_max_position_embeddings"},
    {{.dim = 8, .scaling = LONGROPE TRAINED "&short_mscale=1.2", .sequence_length = 9},
     POSENC_MISSING_PARAMETER,
     "scaling.long_mscale"},
    {{.dim = 8, .scaling = LONGROPE TRAINED "&long_mscale=1.2", .sequence_length = 9},
     POSENC_MISSING_PARAMETER,
     "scaling.short_mscale"},
    {{.dim = 8,
      .scaling = LONGROPE TRAINED "&short_mscale=1.2&long_mscale=1.3&attention_factor=1",
      .sequence_length = 9},
     POSENC_CONFLICT,
     "scaling.attention_factor"},
    {{.dim = 8,
      .scaling = LONGROPE "&factor=2&original_max_position_embeddings=1",
      .sequence_length = 9},
     POSENC_OUT_OF_RANGE,
     "scaling.original_max_position_embeddings"},
};

Test(rope_longrope, needs_lists_a_length_and_one_way_to_the_magnitude)
{
    expect_rope_refusals(refusals, COUNT_OF(refusals));
}
