/* Mistakes of sinusoidal tables and timesteps that public reports tell of. */
#include "identify_case.h"

/* The three tables of tensorflow/tensor2tensor #391 and others, at position 1, as they print. */
Test(identify_waves, the_order_of_sines_and_cosines)
{
    expect_mistake("'layout' is sin_cos instead of interleaved",
                   .actual = ROWS(1, 4, 0.8414709848, 0.0099998333, 0.5403023059, 0.9999500004),
                   .encoding = "sinusoidal",
                   .parameters = EXPECTED(NUMBER("dim", 4), NUMBER("offset", 1),
                                          TEXT("layout", "interleaved")));
    expect_mistake("'layout' is interleaved instead of sin_cos",
                   .actual = ROWS(1, 4, 0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004),
                   .encoding = "sinusoidal",
                   .parameters =
                       EXPECTED(NUMBER("dim", 4), NUMBER("offset", 1), TEXT("layout", "sin_cos")));
}

Test(identify_waves, the_spacing_and_the_order_of_tensor2tensor)
{
    expect_mistake("tensor2tensor",
                   .actual = ROWS(1, 4, 0.8414709848, 0.0000999999998, 0.5403023059, 0.999999995),
                   .encoding = "sinusoidal",
                   .parameters = EXPECTED(NUMBER("dim", 4), NUMBER("offset", 1)));
}

/* sin and cos side by side of `half` frequencies base^(-i / denominator) */
static struct posenc_value halves(double position, size_t half, double denominator, double *out)
{
    for (size_t i = 0; i < half; i++) {
        const double angle = position * pow(10000, -(double)i / denominator);

        out[i] = sin(angle);
        out[half + i] = cos(angle);
    }
    return asking_rows(1, 2 * half, out);
}

/* wenet-e2e/wenet PR 2141 and others */
Test(identify_waves, the_papers_table_in_place_of_whispers)
{
    double out[384];

    (void)halves(1499, 192, 191, out); /* writes `out` */
    cr_expect_float_eq(out[1], 0.838102999, 1e-9);
    (void)halves(1499, 192, 192, out);
    cr_expect_float_eq(out[1], 0.593173018, 1e-9);
    expect_mistake("'spacing'", .actual = asking_rows(1, 384, out), .encoding = "sinusoidal",
                   .parameters = EXPECTED(TEXT("preset", "whisper"), NUMBER("offset", 1499),
                                          NUMBER("dim", 384)));
}

/* kohya-ss/sd-scripts PR 1187 and others: cosines first */
Test(identify_waves, a_frequency_shift_of_one)
{
    double sines_first[256], wrong[256];

    (void)halves(999, 128, 127, sines_first); /* writes it */
    cr_expect_float_eq(sines_first[128 + 64], -0.978142936, 1e-9);
    memcpy(wrong, sines_first + 128, 128 * sizeof(double));
    memcpy(wrong + 128, sines_first, 128 * sizeof(double));
    expect_mistake("'downscale_freq_shift' is 1 instead of 0", .actual = asking_rows(1, 256, wrong),
                   .encoding = "timestep",
                   .parameters = EXPECTED(LIST_OF("timesteps", 999), NUMBER("dim", 256),
                                          {"flip_sin_to_cos", posenc_boolean(true)},
                                          NUMBER("downscale_freq_shift", 0)));
}

/* ArchiMickey/Just-a-DiT PR 9: a time in [0, 1] where 0 to 1000 was meant */
Test(identify_waves, a_time_that_was_not_multiplied)
{
    double sines_first[256], wrong[256];

    (void)halves(0.75, 128, 128, sines_first); /* writes it */
    memcpy(wrong, sines_first + 128, 128 * sizeof(double));
    memcpy(wrong + 128, sines_first, 128 * sizeof(double));
    expect_mistake("'scale' is 1 instead of 1000", .actual = asking_rows(1, 256, wrong),
                   .encoding = "timestep",
                   .parameters = EXPECTED(LIST_OF("timesteps", 0.75), NUMBER("dim", 256),
                                          TEXT("preset", "dit"), NUMBER("scale", 1000)));
}

/* gc-os-ai/pyaptamer #607 and others: sines in even columns, cosines in odd ones, one sine more */
Test(identify_waves, a_width_that_is_odd)
{
    expect_mistake(
        "'odd' is extra_sine", .actual = ROWS(1, 3, 0.8414709848, 0.5403023059, 0.0021544330),
        .encoding = "sinusoidal",
        .parameters = EXPECTED(NUMBER("dim", 3), NUMBER("offset", 1), TEXT("odd", "zero_pad")));
}
