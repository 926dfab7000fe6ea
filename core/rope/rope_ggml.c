/*
 * ggml's arithmetic: one power for the whole row, then a product carried from pair to pair in
 * float32. What a scheme does to the frequencies stands in divisors (the tensor rope_freqs of a
 * GGUF file), in a scale of all angles, or, for yarn, in a blend of both angles.
 */
#include "rope_float32.h"
#include "rope_scheme.h"

/* What the converter writes for a pair that does not turn. */
#define STILL_DIVISOR 1e30f

float posenc__ggml_angle(const struct posenc__ggml_form *form, size_t pair, float theta)
{
    const float plain = theta / form->divisors[pair];
    const float scaled = form->freq_scale * plain;

    if (!form->kept)
        return scaled;
    return scaled * (1.0f - form->kept[pair]) + plain * form->kept[pair];
}

/* The base that the product runs on: the scheme's, where it changes the base. */
static double ggml_base(const struct posenc__rope_work *work)
{
    return work->frequencies->has_effective_base ? work->frequencies->effective_base
                                                 : work->question->base;
}

static float ggml_divisor(const struct posenc__rope_work *work, size_t pair)
{
    const struct posenc__rope_frequencies *frequencies = work->frequencies;
    const struct posenc__dd radians = frequencies->radians[pair];

    if (work->scheme->shape_ggml)
        return 1.0f;
    if (radians.hi == 0.0)
        return STILL_DIVISOR;
    const struct posenc__dd plain = posenc__dd_power(
        posenc__dd_of(ggml_base(work)), -2.0 * (double)pair, (double)frequencies->table_dim);

    return posenc__float_round(posenc__dd_divide(plain, radians));
}

/* inv_freq, as far as there is one: the angle at position 1. */
static void fill_radians(struct posenc__rope_frequencies *frequencies)
{
    float theta = 1.0f;

    for (size_t pair = 0; pair < frequencies->pairs; pair++) {
        frequencies->radians[pair] =
            posenc__dd_of(posenc__ggml_angle(&frequencies->ggml, pair, theta));
        theta *= frequencies->ggml.theta_scale;
    }
}

bool posenc__rope_fill_ggml(const struct posenc__rope_work *work)
{
    struct posenc__rope_frequencies *frequencies = work->frequencies;
    struct posenc__ggml_form *form = &frequencies->ggml;
    float *divisors = posenc_allocate(work->memory, frequencies->pairs, sizeof(*divisors));
    float *kept = work->scheme->ggml_blends
                      ? posenc_allocate(work->memory, frequencies->pairs, sizeof(*kept))
                      : NULL;

    if (!divisors || (work->scheme->ggml_blends && !kept))
        return false;
    for (size_t pair = 0; pair < frequencies->pairs; pair++)
        divisors[pair] = ggml_divisor(work, pair);
    *form = (struct posenc__ggml_form){
        .theta_scale =
            posenc__float_power((float)ggml_base(work), -2.0f / (float)frequencies->table_dim),
        .freq_scale = 1.0f,
        .divisors = divisors,
        .kept = kept,
    };
    if (work->scheme->shape_ggml)
        work->scheme->shape_ggml(work, &form->freq_scale, kept);
    fill_radians(frequencies);
    return true;
}
