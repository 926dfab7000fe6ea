/* ggml's arithmetic: the product carried over the pairs, and what each scheme puts into its form.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "rope_question.h"

#define TRAINED "&original_max_position_embeddings=4096"

/* Rounding w into a float and multiplying d / 2 times: both stay below this, relatively. */
#define DRIFT(pairs) ((float)(pairs)*0x1p-23f)

static void ask(struct rope_asked *asked, size_t dim, const char *scaling)
{
    const struct rope_asking asking = {
        .dim = dim, .scaling = scaling, .sequence_length = 9, .arithmetic = POSENC__ROPE_GGML};

    *asked = (struct rope_asked){.answer = {.pairs = 0}};
    cr_assert_eq(ask_rope(asked, &asking), POSENC_OK, "%s", asked->problem.detail);
}

Test(rope_ggml, the_angle_is_an_iterated_product)
{
    struct rope_asked asked;
    float theta = 1.0f;

    ask(&asked, 128, NULL);
    cr_expect_eq(asked.answer.ggml.theta_scale, (float)0.8659643233600653); /* 10000^(-1/64) */
    for (size_t i = 0; i < 64; i++) {
        cr_expect_eq(asked.answer.radians[i].hi, (double)theta, "pair %zu", i);
        cr_expect_eq(posenc__ggml_angle(&asked.answer.ggml, i, theta), theta, "pair %zu", i);
        theta *= asked.answer.ggml.theta_scale;
    }
    posenc_memory_release(&asked.memory);
}

static const char *const schemes[] = {
    "rope_type=linear&factor=3",
    "rope_type=ntk&alpha=6",
    "rope_type=ntk_fixed&factor=6",
    "rope_type=ntk_fixed&factor=6&mixed_b=0.7",
    "rope_type=ntk_by_parts&factor=6" TRAINED,
    "rope_type=yarn&factor=6" TRAINED,
    "rope_type=llama3&factor=6&low_freq_factor=1&high_freq_factor=4" TRAINED,
    "rope_type=longrope&factor=6&short_factor=1,2,3,4,5,6&long_factor=1,2,3,4,5,6" TRAINED,
};

Test(rope_ggml, every_scheme_stays_near_its_exact_frequencies)
{
    for (size_t k = 0; k < sizeof(schemes) / sizeof(*schemes); k++) {
        const struct rope_asking exact = {.dim = 12, .scaling = schemes[k], .sequence_length = 9};
        struct rope_asked asked, right = {.answer = {.pairs = 0}};

        ask(&asked, 12, schemes[k]);
        cr_assert_eq(ask_rope(&right, &exact), POSENC_OK);
        for (size_t i = 0; i < 6; i++)
            cr_expect_float_eq(asked.answer.radians[i].hi / right.answer.radians[i].hi, 1.0,
                               DRIFT(6), "%s, pair %zu", schemes[k], i);
        posenc_memory_release(&asked.memory);
        posenc_memory_release(&right.memory);
    }
}

Test(rope_ggml, linear_scales_all_angles_once)
{
    struct rope_asked asked;

    ask(&asked, 8, "rope_type=linear&factor=3");
    cr_expect_eq(asked.answer.ggml.freq_scale, 1.0f / 3.0f);
    cr_expect_eq(asked.answer.ggml.divisors[3], 1.0f);
    cr_expect_eq(posenc__ggml_angle(&asked.answer.ggml, 2, 7.0f), (1.0f / 3.0f) * 7.0f);
    posenc_memory_release(&asked.memory);
}

Test(rope_ggml, yarn_blends_both_angles)
{
    struct rope_asked asked;

    ask(&asked, 64, "rope_type=yarn&factor=40" TRAINED);
    const struct posenc__ggml_form *form = &asked.answer.ggml;

    /* The range 10 to 23 of DeepSeek-V3. */
    cr_assert_not_null(form->kept);
    cr_expect_eq(form->kept[10], 1.0f);
    cr_expect_eq(form->kept[11], 1.0f - 1.0f / 13.0f);
    cr_expect_eq(form->kept[23], 0.0f);
    cr_expect_eq(posenc__ggml_angle(form, 10, 7.0f), 7.0f);
    cr_expect_eq(posenc__ggml_angle(form, 23, 7.0f), form->freq_scale * 7.0f);
    posenc_memory_release(&asked.memory);
}

Test(rope_ggml, divisors_are_those_of_a_gguf_file)
{
    struct rope_asked asked;

    ask(&asked, 8,
        "rope_type=longrope&factor=6&short_factor=1,1.1,1.2,3&long_factor=1,1,1,1" TRAINED);
    cr_expect_eq(asked.answer.ggml.divisors[1], 1.1f);
    cr_expect_eq(asked.answer.ggml.divisors[3], 3.0f);
    posenc_memory_release(&asked.memory);
    ask(&asked, 8, "rope_type=proportional&partial_rotary_factor=0.5");
    cr_expect_eq(asked.answer.ggml.divisors[1], 1.0f);
    cr_expect_eq(asked.answer.ggml.divisors[2], 1e30f);
    posenc_memory_release(&asked.memory);
    ask(&asked, 8,
        "rope_type=llama3&factor=6&low_freq_factor=1&high_freq_factor=4"
        "&original_max_position_embeddings=128");
    cr_expect_eq(asked.answer.ggml.divisors[0], 1.0f);
    cr_expect_eq(asked.answer.ggml.divisors[3], 6.0f);
    posenc_memory_release(&asked.memory);
}

Test(rope_ggml, a_larger_base_runs_the_product)
{
    struct rope_asked asked;

    ask(&asked, 8, "rope_type=ntk&alpha=4");
    cr_expect_eq(asked.answer.ggml.theta_scale, (float)0.062996052494743658); /* as pair 1 */
    cr_expect_eq(asked.answer.ggml.divisors[2], 1.0f);
    posenc_memory_release(&asked.memory);
}
