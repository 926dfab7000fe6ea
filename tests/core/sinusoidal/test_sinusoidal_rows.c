/* Presets of sinusoidal tables: bundles of parameters, and what follows from dim. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "scaled_table.h"
#include "sinusoidal.h"
#include "support.h"

struct preset_case {
    const char *preset, *settings;
};

Test(sinusoidal_rows, presets_are_bundles_of_parameters)
{
    static const struct preset_case cases[] = {
        {"vaswani", "layout=interleaved&spacing=dim"},
        {"fairseq", "layout=sin_cos&spacing=half_minus_1&odd=zero_pad&padding_idx=1"},
        {"m2m100", "layout=sin_cos&spacing=half_minus_1&odd=zero_pad&padding_idx=1"},
        {"tensor2tensor", "layout=sin_cos&spacing=half_minus_1&odd=zero_pad"},
        {"marian", "layout=sin_cos&spacing=dim&odd=extra_sine"},
        {"transformer_xl", "layout=sin_cos&spacing=dim"},
        {"whisper", "layout=sin_cos&spacing=half_minus_1"},
        {"musicgen", "layout=cos_sin&spacing=half_minus_1"},
        {"keras", "layout=interleaved&spacing=dim&odd=extra_sine"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char preset[128], settings[160];

        (void)snprintf(preset, sizeof(preset), "length=5&dim=8&preset=%s", cases[i].preset);
        (void)snprintf(settings, sizeof(settings), "length=5&dim=8&%s", cases[i].settings);
        assert_scaled(preset, settings, 1);
    }
    assert_scaled("length=3&dim=8&preset=fairseq&padding_idx=null", "length=3&dim=8&preset=whisper",
                  1);
    assert_scaled("length=5&dim=7&preset=marian",
                  "length=5&dim=7&layout=sin_cos&spacing=dim&odd=extra_sine", 1);
    assert_scaled("length=5&dim=7&preset=fairseq",
                  "length=5&dim=7&layout=sin_cos&spacing=half_minus_1&odd=zero_pad&padding_idx=1",
                  1);
}

Test(sinusoidal_rows, tensor2tensor_guards_its_denominator_where_others_refuse)
{
    static const char *const refused[] = {
        "length=3&dim=2&preset=fairseq",
        "length=3&dim=3&preset=fairseq",
        "length=3&dim=2&preset=whisper",
        "length=3&dim=1&odd=extra_sine&spacing=half_minus_1",
        "length=3&dim=2&preset=tensor2tensor&spacing=half_minus_1",
    };

    for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "sinusoidal/table", refused[i]), POSENC_OUT_OF_RANGE, "%s",
                     refused[i]);
        cr_expect_str_eq(asked.problem.parameter, "dim");
        asked_release(&asked);
    }
    assert_scaled("length=3&dim=2&preset=tensor2tensor&dtype=float64",
                  "length=3&dim=2&layout=sin_cos&dtype=float64", 1);
}

Test(sinusoidal_rows, mlx_is_tensor2tensor_times_sqrt_of_2_over_dim)
{
    static const size_t dims[] = {4, 6, 64};

    for (size_t i = 0; i < 3; i++) {
        char mlx[128], t2t[128];

        (void)snprintf(mlx, sizeof(mlx), "length=5&dim=%zu&dtype=float64&preset=mlx", dims[i]);
        (void)snprintf(t2t, sizeof(t2t), "length=5&dim=%zu&dtype=float64&preset=tensor2tensor",
                       dims[i]);
        assert_scaled(mlx, t2t, sqrt(2.0 / (double)dims[i]));
    }
}

/* apply with a tensor of zeros gives the table, whichever way the dim became known. */
static void assert_applies(const char *query, size_t dim)
{
    static const double zeros[64];
    const size_t shape[] = {3, dim};
    const struct posenc_member x = {"x", support_array(zeros, 2, shape)};
    struct asked applied, table;
    char with_dim[160];

    (void)snprintf(with_dim, sizeof(with_dim), "%s&length=3&dim=%zu", query, dim);
    cr_assert_eq(ask_with(&applied, "sinusoidal/apply", query, &x, 1), POSENC_OK, "%s: %s", query,
                 applied.problem.detail);
    cr_assert_eq(ask(&table, "sinusoidal/table", with_dim), POSENC_OK, "%s", with_dim);
    const double *sums = asked_values(&applied, "x"), *rows = asked_values(&table, "encoding");

    for (size_t i = 0; i < 3 * dim; i++)
        cr_assert_eq(sums[i], rows[i], "%s", query);
    asked_release(&applied);
    asked_release(&table);
}

Test(sinusoidal_rows, apply_adds_the_table_of_the_tensors_dim_with_every_preset)
{
    const struct posenc_encoding *encoding = posenc_find("sinusoidal");

    for (const struct posenc_preset *preset = encoding->presets; preset->name; preset++) {
        char query[80];

        (void)snprintf(query, sizeof(query), "dtype=float64&preset=%s", preset->name);
        assert_applies(query, 8);
    }
    assert_applies("dtype=float64&preset=tensor2tensor", 2);
    assert_applies("dtype=float64&preset=mlx&output_scale=3", 8);
    assert_applies("dtype=float32&arithmetic=float32&offset=7", 8);
}

Test(sinusoidal_rows, what_follows_from_dim_gives_way_to_what_is_said)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "sinusoidal/table", "length=2&dim=2&preset=tensor2tensor"), POSENC_OK);
    cr_expect_str_eq(echoed_text(&asked.result, "spacing"), "half_minus_1_guarded");
    posenc__sinusoidal_complete(&asked.arguments); /* twice is once */
    cr_expect_str_eq(posenc_find_argument(&asked.arguments, "spacing")->value.as.text,
                     "half_minus_1_guarded");
    asked_release(&asked);
    cr_assert_eq(ask(&asked, "sinusoidal/table", "length=2&dim=8&preset=mlx"), POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "output_scale"), 0.5);
    asked_release(&asked);
    cr_assert_eq(ask(&asked, "sinusoidal/table", "length=2&dim=8&preset=mlx&output_scale=2"),
                 POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "output_scale"), 2);
    asked_release(&asked);
    cr_assert_eq(ask(&asked, "sinusoidal/table", "length=2&dim=8&preset=tensor2tensor"), POSENC_OK);
    cr_expect_str_eq(echoed_text(&asked.result, "spacing"), "half_minus_1");
    asked_release(&asked);
}

struct alias {
    const char *given, *canonical;
    double number;
};

Test(sinusoidal_rows, names_of_other_codes_are_understood)
{
    static const struct alias aliases[] = {
        {"embed_dim=8&length=2", "dim", 8},
        {"d_model=8&length=2", "dim", 8},
        {"head_dim=8&length=2", "dim", 8},
        {"dim=8&length=2&theta=523.7", "base", 523.7},
        {"dim=8&length=2&max_timescale=523.7", "base", 523.7},
        {"dim=8&length=2&rope_theta=523.7", "base", 523.7},
        {"dim=8&max_len=3", "length", 3},
        {"dim=8&seq_len=3", "length", 3},
    };

    for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++) {
        struct asked asked;

        cr_assert_eq(ask(&asked, "sinusoidal/table", aliases[i].given), POSENC_OK, "%s",
                     aliases[i].given);
        cr_expect_eq(echoed_number(&asked.result, aliases[i].canonical), aliases[i].number, "%s",
                     aliases[i].given);
        asked_release(&asked);
    }
}
