/* Proportional RoPE: exponents over the whole head, of which the fastest pairs turn. */
#include "rope_expect.h"

static const struct rope_frequency_row rows[] = {
    {{.dim = 16, .scaling = "rope_type=proportional&partial_rotary_factor=0.25"},
     8,
     {1, 0.31622776601683794, 0, 0, 0, 0, 0, 0}},
    {{.dim = 10, .scaling = "rope_type=proportional&partial_rotary_factor=0.5&factor=2.5"},
     5, /* floor(0.5 * 10 / 2) = 2 pairs turn */
     {0.4, 0.06339572769844454, 0, 0, 0}},
    {{.dim = 10, .rotary_dim = 6, .scaling = "rope_type=proportional&factor=2.5"},
     5,
     {0.4, 0.06339572769844454, 0.010047545726038321, 0, 0}},
    {{.dim = 10,
      .base = 523.7,
      .scaling = "rope_type=proportional&partial_rotary_factor=0.9&factor=3.7",
      .arithmetic = POSENC__ROPE_FLOAT32},
     5,
     {0.2702702581882477, 0.07726480811834335, 0.02208844944834709, 0.006314640864729881, 0}},
};

Test(rope_proportional, stops_the_slow_pairs_of_the_whole_head)
{
    expect_rope_frequencies(rows, COUNT_OF(rows));
}

Test(rope_proportional, with_the_whole_head_is_linear)
{
    const struct rope_asking proportional = {.dim = 42,
                                             .scaling = "rope_type=proportional&factor=3.7"};
    const struct rope_asking linear = {.dim = 42, .scaling = "rope_type=linear&factor=3.7"};

    expect_rope_same(&proportional, &linear, 1.0);
}

/* 0.25 * 88 / 2 = 11 pairs, told by either way; of two the smaller share counts. */
Test(rope_proportional, takes_the_share_from_the_dictionary_and_from_rotary_dim)
{
    const struct rope_asking askings[] = {
        {.dim = 88, .scaling = "rope_type=proportional&partial_rotary_factor=0.25"},
        {.dim = 88, .rotary_dim = 22, .scaling = "rope_type=proportional"},
        {.dim = 88,
         .rotary_dim = 22,
         .scaling = "rope_type=proportional&partial_rotary_factor=0.75"},
    };
    const struct rope_asking whole = {.dim = 88};
    struct rope_asked plain = rope_answer(&whole);

    for (size_t k = 0; k < COUNT_OF(askings); k++) {
        struct rope_asked asked = rope_answer(&askings[k]);

        cr_expect_eq(asked.answer.table_dim, 88);
        cr_assert_eq(asked.answer.pairs, 44);
        for (size_t i = 0; i < 44; i++) {
            cr_expect_eq(asked.answer.radians[i].hi, i < 11 ? plain.answer.radians[i].hi : 0.0,
                         "pair %zu", i);
            cr_expect_str_eq(asked.answer.region[i], i < 11 ? "kept" : "scaled");
        }
        posenc_memory_release(&asked.memory);
    }
    posenc_memory_release(&plain.memory);
}

static const struct rope_refusal refusals[] = {
    {{.dim = 8, .scaling = "rope_type=proportional&partial_rotary_factor=0.2"}, /* 0.8 pairs */
     POSENC_OUT_OF_RANGE,
     "scaling.partial_rotary_factor"},
    {{.dim = 8, .scaling = "rope_type=proportional&partial_rotary_factor=1.5"},
     POSENC_OUT_OF_RANGE,
     "scaling.partial_rotary_factor"},
    {{.dim = 8, .scaling = "rope_type=proportional&partial_rotary_factor=0"},
     POSENC_OUT_OF_RANGE,
     "scaling.partial_rotary_factor"},
};

Test(rope_proportional, refuses_a_share_that_leaves_no_pair)
{
    const struct rope_warning one_pair = {
        {.dim = 8, .scaling = "rope_type=proportional&partial_rotary_factor=0.25"}, NULL};

    expect_rope_refusals(refusals, COUNT_OF(refusals));
    expect_rope_warnings(&one_pair, 1);
}
