/* Public reports about sinusoids and diffusion timesteps. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "cases.h"

#define DATA "tensors/encoding/data"

/* tensorflow/tensor2tensor #391 and many more: the order of columns, and a spacing that no thread
 * names. */
Test(cases_waves, three_published_rows_of_dim_4)
{
    EXPECT_NUMBERS("/v1/sinusoidal?dim=4&positions=1&dtype=float64", NULL, DATA, 0.8414709848,
                   0.5403023059, 0.0099998333, 0.9999500004);
    EXPECT_NUMBERS("/v1/sinusoidal?dim=4&positions=1&dtype=float64&layout=sin_cos", NULL, DATA,
                   0.8414709848, 0.0099998333, 0.5403023059, 0.9999500004);
    EXPECT_NUMBERS("/v1/sinusoidal?dim=4&positions=1&dtype=float64&preset=tensor2tensor", NULL,
                   DATA, 0.8414709848, 0.0000999999998, 0.5403023059, 0.999999995);
}

/* wenet-e2e/wenet PR 2141: the paper's table in the place of Whisper's. */
Test(cases_waves, whispers_frequencies_are_not_the_papers)
{
    const char *whisper = "/v1/sinusoidal?dim=384&positions=1499&dtype=float64&preset=whisper";
    const char *paper = "/v1/sinusoidal?dim=384&positions=1499&dtype=float64&layout=sin_cos";
    const char *wide = "/v1/sinusoidal?dim=512&positions=1000&dtype=float64&preset=whisper";

    expect_near(number_of(whisper, NULL, DATA "/0/1"), 0.838102999, whisper);
    expect_near(number_of(paper, NULL, DATA "/0/1"), 0.593173018, paper);
    expect_near(number_of(wide, NULL, DATA "/0/128"), sin(9.821026044), wide);
    expect_near(number_of("/v1/analysis/wavelengths?encoding=sinusoidal&dim=384&preset=whisper"
                          "&dtype=float64",
                          NULL, "tensors/wavelengths/data/1"),
                2 * acos(-1.0) / 0.952922522332, "wavelength");
}

/* BrianPulfer/PapersReimplementations #9: sine and cosine of a pair had different frequencies. */
Test(cases_waves, sine_and_cosine_of_a_pair_lie_on_the_unit_circle)
{
    struct answer answer =
        ask_case("/v1/sinusoidal?dim=64&positions=1,17,5000&dtype=float64", NULL);

    for (size_t row = 0; row < 3; row++)
        for (size_t i = 0; i < 64; i += 2) {
            const json_t *values = json_array_get(found_at(&answer, DATA), row);

            expect_near(hypot(json_number_value(json_array_get(values, i)),
                              json_number_value(json_array_get(values, i + 1))),
                        1, "pair");
        }
    answer_release(&answer);
}

/* Column j has sin or cos of p / 10^j. */
#define COLUMNS                                                                                    \
    "\"actual\": [[0, 1, 0, 1], [0.8414709848, 0.9950041653, 0.009999833334, "                     \
    "0.9999995], [0.9092974268, 0.9800665778, 0.01999866669, 0.999998]]"

Test(cases_waves, exponents_by_column_are_named)
{
    expect_fault("{" COLUMNS ", \"encoding\": \"sinusoidal\", \"parameters\": {\"dim\": 4}}",
                 "exponent_by_column", "have different frequencies");
    expect_fault("{" COLUMNS "}", "exponent_by_column", "have different frequencies");
}

/* gc-os-ai/pyaptamer #607 and others: an odd width crashed, width 2 divided by zero. */
Test(cases_waves, an_odd_width_needs_a_rule_and_width_2_has_no_half_minus_1)
{
    EXPECT_NUMBERS("/v1/sinusoidal?dim=3&positions=1&dtype=float64&odd=extra_sine", NULL, DATA,
                   0.8414709848, 0.5403023059, 0.00215443302);
    EXPECT_NUMBERS("/v1/sinusoidal?dim=3&positions=1&dtype=float64&odd=extra_sine&layout=sin_cos",
                   NULL, DATA, 0.8414709848, 0.00215443302, 0.5403023059);
    EXPECT_NUMBERS("/v1/sinusoidal?dim=3&positions=1&dtype=float64&odd=zero_pad", NULL, DATA,
                   0.8414709848, 0.5403023059, 0);
    expect_refused("/v1/sinusoidal?dim=3&positions=1", NULL, "dim");
    expect_refused("/v1/sinusoidal?dim=2&positions=1&spacing=half_minus_1", NULL, "dim");
}

/* kohya-ss/sd-scripts PR 1187: downscale_freq_shift 1 instead of 0. */
Test(cases_waves, the_shift_of_a_timestep_moves_every_frequency_but_the_first)
{
#define STEP "/v1/timestep?dim=256&flip_sin_to_cos=true&dtype=float64&downscale_freq_shift="
    expect_near(number_of(STEP "0&timesteps=999", NULL, DATA "/0/64"), -0.844469696, "shift 0");
    expect_near(number_of(STEP "1&timesteps=999", NULL, DATA "/0/64"), -0.978142936, "shift 1");
    expect_near(number_of(STEP "0&timesteps=1", NULL, DATA "/0/255"), 1.07460783e-4, "the last");
    expect_near(number_of(STEP "1&timesteps=1", NULL, DATA "/0/255"), 1e-4, "the last");
    cr_expect_eq(number_of(STEP "0&timesteps=999", NULL, DATA "/0/0"),
                 number_of(STEP "1&timesteps=999", NULL, DATA "/0/0"));
    expect_refused("/v1/timestep?dim=256&flip_sin_to_cos=true&timesteps=999", NULL,
                   "downscale_freq_shift");
}

/* ArchiMickey/Just-a-DiT PR 9: time from 0 to 1 hardly moves half of the columns. */
Test(cases_waves, a_time_up_to_1_turns_column_64_by_a_hundredth)
{
    expect_near(number_of(STEP "0&timesteps=1", NULL, DATA "/0/192"), sin(0.01), "t");
    expect_near(number_of(STEP "0&timesteps=1&scale=1000", NULL, DATA "/0/192"), sin(10.0),
                "1000 t");
#undef STEP
}
