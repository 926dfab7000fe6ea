/* ALiBi's presets: what each model's code computes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "support.h"

#define HEADS  4
#define LENGTH 5

struct preset_case {
    const char *preset;
    bool causal;
    /* What the slope multiplies, for query i and key j of equally many. */
    double (*distance)(double i, double j);
};

static double key_index(double i, double j)
{
    (void)i;
    return j;
}

static double from_last(double i, double j)
{
    (void)i;
    return j - (LENGTH - 1);
}

static double symmetric(double i, double j)
{
    return -fabs(i - j);
}

Test(alibi_rows, presets_are_what_the_models_compute)
{
    static const struct preset_case cases[] = {
        {"press", true, key_index},
        {"bloom", false, key_index},
        {"mpt", false, from_last},
        {"falcon", false, key_index},
        {"baichuan", true, key_index},
        {"jina", false, symmetric},
        {"flash_attention", false, symmetric},
    };
    static const double slopes[HEADS] = {0.25, 0.0625, 0.015625, 0.00390625};

    for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
        struct asked asked;
        char query[120];

        (void)snprintf(query, sizeof(query), "heads=4&query_length=5&dtype=float64&preset=%s",
                       cases[k].preset);
        cr_assert_eq(ask(&asked, "alibi/table", query), POSENC_OK, "%s", query);
        const double *bias = asked_values(&asked, "bias");

        for (size_t at = 0; at < HEADS * LENGTH * LENGTH; at++) {
            const double i = (double)(at / LENGTH % LENGTH), j = (double)(at % LENGTH);
            const double expected = cases[k].causal && j > i
                                        ? -INFINITY
                                        : slopes[at / LENGTH / LENGTH] * cases[k].distance(i, j);

            cr_assert_eq(bias[at], expected, "%s %zu", cases[k].preset, at);
        }
        asked_release(&asked);
    }
}

Test(alibi_rows, explicit_parameters_override_a_preset)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "alibi/table",
                     "heads=4&query_length=5&preset=press&mask=none&alibi_bias_max=16"),
                 POSENC_OK);
    cr_expect_str_eq(echoed_text(&asked.result, "mask"), "none");
    cr_expect_str_eq(echoed_text(&asked.result, "form"), "key_index");
    cr_expect_eq(asked_values(&asked, "slopes")[0], 0.0625);
    asked_release(&asked);
}

Test(alibi_rows, bloom_counts_unmasked_keys_from_zero)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "alibi/table",
                     "slopes=1&query_length=1&key_length=5&preset=bloom&attention_mask=0,0,1,1,1"),
                 POSENC_OK);
    const double *bias = asked_values(&asked, "bias");
    const double expected[] = {0, 0, 0, 1, 2};

    for (size_t j = 0; j < 5; j++)
        cr_expect_eq(bias[j], expected[j], "%zu", j);
    asked_release(&asked);
}
