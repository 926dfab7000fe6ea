/* Schemes that enlarge the base: ntk, dynamic and Qwen's steps. */
#include <math.h>
#include <stdio.h>

#include "rope_expect.h"

static const struct rope_frequency_row rows[] = {
    {{.dim = 8, .scaling = "rope_type=ntk&alpha=4"},
     4,
     {1, 0.062996052494743658, 0.0039685026299204987, 0.00025}},
    {{.dim = 6, .base = 523.7, .scaling = "rope_type=ntk&alpha=3.7"},
     3,
     {1, 0.06449681667633843, 0.004159839361381206}},
    {{.dim = 10,
      .base = 523.7,
      .scaling = "rope_type=ntk&alpha=3.7",
      .arithmetic = POSENC__ROPE_FLOAT32},
     5,
     {1.0, 0.2061261385679245, 0.0424879789352417, 0.008757881820201874, 0.0018052284140139818}},
    {{.dim = 8,
      .scaling = "rope_type=dynamic&factor=2",
      .max_position_embeddings = 2048,
      .sequence_length = 4096},
     4,
     {1, 0.06933612743506347, 0.0048074985676913613, 0.00033333333333333333}},
    {{.dim = 8,
      .scaling = "rope_type=dynamic&factor=2",
      .max_position_embeddings = 2048,
      .sequence_length = 8192},
     4,
     {1, 0.052275795857471022, 0.0027327588325319844, 0.00014285714285714286}},
    {{.dim = 6,
      .base = 523.7,
      .scaling = "rope_type=dynamic&factor=2.5",
      .max_position_embeddings = 48,
      .sequence_length = 131},
     3,
     {1, 0.05377300520131668, 0.0028915360883808305}},
};

Test(rope_ntk, keeps_the_fastest_pair_and_divides_the_slowest_by_the_growth)
{
    expect_rope_frequencies(rows, COUNT_OF(rows));
}

Test(rope_ntk, keeps_90_bits)
{
    expect_rope_formula("ntk");
    expect_rope_formula("dynamic");
}

/* What users compare: the enlarged base itself. */
struct base_row {
    struct rope_asking asking;
    double base;
};

static const struct base_row base_rows[] = {
    {{.dim = 128, .scaling = "rope_type=ntk&alpha=4"}, 40889.94243248622},
    {{.dim = 128, .scaling = "rope_type=ntk&alpha=8"}, 82684.62264056221},
    {{.dim = 6, .base = 523.7, .scaling = "rope_type=dynamic&alpha=3.7"}, 3727.2211342459955},
    {{.dim = 8,
      .scaling = "rope_type=dynamic&factor=2",
      .max_position_embeddings = 2048,
      .sequence_length = 4096},
     43267.487109222251},
    {{.dim = 128,
      .scaling = "rope_type=dynamic&factor=4",
      .max_position_embeddings = 2048,
      .sequence_length = 4096},
     51293.78726815244},
    {{.dim = 128,
      .scaling = "rope_type=dynamic&factor=2",
      .max_position_embeddings = 2048,
      .sequence_length = 2049},
     10009.920711785857},
    /* A length below the trained one does not reach a negative number. */
    {{.dim = 64,
      .base = 1000,
      .scaling = "rope_type=dynamic&factor=2",
      .max_position_embeddings = 2048,
      .sequence_length = 512},
     1000},
};

Test(rope_ntk, tells_the_base_it_enlarged)
{
    for (size_t k = 0; k < COUNT_OF(base_rows); k++) {
        struct rope_asked asked = rope_answer(&base_rows[k].asking);

        cr_expect(asked.answer.has_effective_base);
        cr_expect_float_eq(asked.answer.effective_base / base_rows[k].base, 1, 0x1p-52, "%s: %.17g",
                           base_rows[k].asking.scaling, asked.answer.effective_base);
        posenc_memory_release(&asked.memory);
    }
}

Test(rope_ntk, dynamic_up_to_the_trained_length_is_default)
{
    const double lengths[] = {1, 100, 2047, 2048};

    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        const struct rope_asking dynamic = {.dim = 42,
                                            .scaling = "rope_type=dynamic&factor=3.7",
                                            .max_position_embeddings = 2048,
                                            .sequence_length = lengths[i]};
        const struct rope_asking plain = {.dim = 42};

        expect_rope_same(&dynamic, &plain, 1.0);
    }
}

static double dynamic_base(double length)
{
    const struct rope_asking asking = {.dim = 42,
                                       .scaling = "rope_type=dynamic&factor=3.7",
                                       .max_position_embeddings = 2048,
                                       .sequence_length = length};
    struct rope_asked asked = rope_answer(&asking);

    posenc_memory_release(&asked.memory);
    return asked.answer.effective_base;
}

Test(rope_ntk, dynamic_enlarges_the_base_with_every_position_beyond)
{
    double before = dynamic_base(2048);

    cr_expect_eq(before, 10000.0);
    for (double length = 2049; length < 9007199254740992.0; length = length * 1.5 + 1.0) {
        const double base = dynamic_base(floor(length));

        cr_expect_gt(base, before, "at %.0f", length);
        before = base;
    }
}

/* 2^(ceil(log2(n / 2048)) + 1) - 1, on both sides of each power of two. */
Test(rope_ntk, qwen_grows_in_steps)
{
    const double cases[][2] = {{1, 1},    {1024, 1}, {2048, 1}, {2049, 3},
                               {4096, 3}, {4097, 7}, {8192, 7}, {8193, 15}};

    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const struct rope_asking qwen = {.dim = 128,
                                         .scaling = "rope_type=dynamic_qwen&seq_length=2048",
                                         .sequence_length = cases[k][0]};
        char text[64];

        (void)snprintf(text, sizeof(text), "rope_type=ntk&alpha=%a", cases[k][1]);
        const struct rope_asking ntk = {.dim = 128, .scaling = text};

        expect_rope_same(&qwen, &ntk, 1.0);
    }
}

static const struct rope_refusal refusals[] = {
    {{.dim = 8, .scaling = "rope_type=ntk"}, POSENC_MISSING_PARAMETER, "scaling.alpha"},
    {{.dim = 8, .scaling = "rope_type=ntk&alpha=0"}, POSENC_OUT_OF_RANGE, "scaling.alpha"},
    {{.dim = 8, .scaling = "rope_type=ntk&alpha=0.5"}, POSENC_OUT_OF_RANGE, "scaling.alpha"},
    {{.dim = 8, .scaling = "rope_type=ntk&alpha=-1"}, POSENC_OUT_OF_RANGE, "scaling.alpha"},
    {{.dim = 2, .scaling = "rope_type=ntk&alpha=2"}, POSENC_OUT_OF_RANGE, "dim"},
    {{.dim = 4, .base = 1e300, .scaling = "rope_type=ntk&alpha=1e10"},
     POSENC_OUT_OF_RANGE,
     "scaling.alpha"},

    {{.dim = 8, .scaling = "rope_type=dynamic", .max_position_embeddings = 64},
     POSENC_MISSING_PARAMETER,
     "scaling.factor"},
    {{.dim = 8, .scaling = "rope_type=dynamic&factor=2", .sequence_length = 1},
     POSENC_MISSING_PARAMETER,
     "max_position_embeddings"},
    {{.dim = 8, .scaling = "rope_type=dynamic&factor=2", .max_position_embeddings = 64},
     POSENC_MISSING_PARAMETER,
     "sequence_length"},
    {{.dim = 2,
      .scaling = "rope_type=dynamic&factor=2",
      .max_position_embeddings = 64,
      .sequence_length = 9},
     POSENC_OUT_OF_RANGE,
     "dim"},
    {{.dim = 4,
      .base = 1e300,
      .scaling = "rope_type=dynamic&factor=1e15",
      .max_position_embeddings = 64,
      .sequence_length = 65},
     POSENC_OUT_OF_RANGE,
     "scaling.factor"},

    {{.dim = 8, .scaling = "rope_type=dynamic_qwen", .sequence_length = 9},
     POSENC_MISSING_PARAMETER,
     "scaling.seq_length"},
    {{.dim = 8, .scaling = "rope_type=dynamic_qwen&seq_length=2048"},
     POSENC_MISSING_PARAMETER,
     "sequence_length"},
};

Test(rope_ntk, needs_two_pairs_a_growth_and_a_base_that_is_finite)
{
    expect_rope_refusals(refusals, COUNT_OF(refusals));
}
