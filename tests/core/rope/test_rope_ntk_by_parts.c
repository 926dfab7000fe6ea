/* NTK-by-parts: three tables, blended over two ranges of pairs. */
#include "rope_expect.h"

#define PARTS "rope_type=ntk_by_parts&original_max_position_embeddings=2048&factor="

/* At d 16 and L 2048 the inner range is 4..6 and the outer one 2..5, both cut to whole pairs. */
static const struct rope_frequency_row rows[] = {
    {{.dim = 16, .scaling = PARTS "4"},
     8,
     {1, 0.31622776601683794, 0.1, 0.026900913740983974, 0.006352412214213022,
      0.0009826755254804928, 0.00025, 7.905694150420948e-05}},
    {{.dim = 16, .scaling = PARTS "4&ntk_factor=0.5&extrapolation_factor=0.25"},
     8,
     {0.71875, 0.20598310094888408, 0.059610628611856675, 0.015838330337782834,
      0.004054783397271453, 0.0008866224702612939, 0.00025, 7.905694150420948e-05}},
    {{.dim = 16,
      .scaling = PARTS "3.7&ntk_factor=0.5&extrapolation_factor=0.75",
      .arithmetic = POSENC__ROPE_FLOAT32},
     8,
     {0.9087837934494019, 0.28064393997192383, 0.08697973191738129, 0.02246064320206642,
      0.005289111286401749, 0.0009515165584161878, 0.0002702702768146992, 8.546697063138708e-05}},
};

Test(rope_ntk_by_parts, blends_three_tables_over_two_ranges)
{
    expect_rope_frequencies(rows, COUNT_OF(rows));
}

Test(rope_ntk_by_parts, keeps_90_bits)
{
    expect_rope_formula("ntk_by_parts");
}

Test(rope_ntk_by_parts, without_the_other_tables_it_is_linear)
{
    const struct rope_asking parts = {.dim = 42,
                                      .scaling = PARTS "5.3&ntk_factor=0&extrapolation_factor=0"};
    const struct rope_asking linear = {.dim = 42, .scaling = "rope_type=linear&factor=5.3"};

    expect_rope_same(&parts, &linear, 1.0);
}

/* The magnitude and the range are YaRN's. */
Test(rope_ntk_by_parts, scales_no_cosines)
{
    const struct rope_asking asking = {.dim = 16, .scaling = PARTS "4"};
    struct rope_asked asked = rope_answer(&asking);

    cr_expect_eq(asked.answer.attention_factor.hi, 1);
    cr_expect_not(asked.answer.has_correction_range);
    cr_expect_not(asked.answer.has_effective_base);
    posenc_memory_release(&asked.memory);
}

/* The outer range ends at 2 turns, the inner one at 0.75: 4 pi = 12.57 positions are the least. */
static const struct rope_refusal refusals[] = {
    {{.dim = 8, .scaling = "rope_type=ntk_by_parts" TRAINED},
     POSENC_MISSING_PARAMETER,
     "scaling.factor"},
    {{.dim = 8, .scaling = "rope_type=ntk_by_parts&factor=2"},
     POSENC_MISSING_PARAMETER,
     "scaling.original_max_position_embeddings"},
    {{.dim = 2, .scaling = "rope_type=ntk_by_parts&factor=2" TRAINED}, POSENC_OUT_OF_RANGE, "dim"},
    {{.dim = 8, .scaling = "rope_type=ntk_by_parts&factor=2&original_max_position_embeddings=12"},
     POSENC_OUT_OF_RANGE,
     "scaling.original_max_position_embeddings"},
    {{.dim = 8, .scaling = "rope_type=ntk_by_parts&factor=2&ntk_factor=1.5" TRAINED},
     POSENC_OUT_OF_RANGE,
     "scaling.ntk_factor"},
    {{.dim = 8, .scaling = "rope_type=ntk_by_parts&factor=2&extrapolation_factor=-0.5" TRAINED},
     POSENC_OUT_OF_RANGE,
     "scaling.extrapolation_factor"},
};

static const struct rope_warning warnings[] = {
    {{.dim = 8, .scaling = "rope_type=ntk_by_parts&factor=2&original_max_position_embeddings=13"},
     NULL},
    {{.dim = 8, .scaling = "rope_type=ntk_by_parts&factor=2", .max_position_embeddings = 4096},
     "scaling.original_max_position_embeddings"},
};

Test(rope_ntk_by_parts, needs_two_pairs_and_more_than_two_turns)
{
    expect_rope_refusals(refusals, COUNT_OF(refusals));
    expect_rope_warnings(warnings, COUNT_OF(warnings));
}
