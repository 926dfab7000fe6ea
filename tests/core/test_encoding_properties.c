/*
 * What must hold of tables of waves whatever their parameters: norms, products that depend on
 * distances, shifts that are rotations. A failure names the draw.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact.h"
#include "quantity.h"

#define DRAWS 200

/* A sine or cosine at any position here, its rounding to float64 included. */
#define WAVE_ERROR 5e-16

static double below(uint64_t *seed, double limit)
{
    return floor(exact_between(seed, 0, limit));
}

/* A whole number between -2^bits and 2^bits, as likely small as large. */
static double draw_position(uint64_t *seed, double bits)
{
    const double size = floor(exp2(exact_between(seed, 0, bits)));

    return exact_bits(seed) % 2 ? size : -size;
}

static const char *draw_layout(uint64_t *seed)
{
    static const char *const layouts[] = {"interleaved", "sin_cos", "cos_sin"};

    return layouts[exact_bits(seed) % 3];
}

/* Asserts that the answer is there; the query names its draw. */
static void assert_asked(enum posenc_status status, const struct asked *asked, const char *query)
{
    cr_assert_eq(status, POSENC_OK, "%s: %s", query, asked->problem.detail);
}

static double dot(const double *a, const double *b, size_t dim)
{
    double sum = 0;

    for (size_t i = 0; i < dim; i++)
        sum += a[i] * b[i];
    return sum;
}

/* An even dim and every parameter that leaves pairs of a sine and a cosine. */
static size_t draw_sinusoidal(uint64_t *seed, char *query, size_t size)
{
    static const char *const spacings[] = {"dim", "half_minus_1_guarded"};
    const double dim = 2 + 2 * below(seed, 80);
    const double base = pow(10, exact_between(seed, 0.01, 10));
    const char *layout = draw_layout(seed), *spacing = spacings[exact_bits(seed) % 2];

    (void)snprintf(query, size, "dim=%.0f&base=%a&layout=%s&spacing=%s", dim, base, layout,
                   spacing);
    return (size_t)dim;
}

#define ROWS_SEEN 6

/* Two runs of rows, one near, one as far as 2^51, with the same distances. */
Test(encoding_properties, sinusoids_have_norm_sqrt_half_dim_and_products_that_depend_on_distance)
{
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        uint64_t seed = draw;
        char start[200], query[400];
        const size_t dim = draw_sinusoidal(&seed, start, sizeof(start));
        const double offset = draw_position(&seed, 51), step = draw_position(&seed, 40);
        const double tolerance = (double)dim * (4 * WAVE_ERROR + 0x1p-52);
        struct asked near, far;

        (void)snprintf(query, sizeof(query), "%s&length=%d&step=%.0f&dtype=float64", start,
                       ROWS_SEEN, step);
        assert_asked(ask(&near, "sinusoidal/table", query), &near, query);
        (void)snprintf(query, sizeof(query), "%s&length=%d&step=%.0f&offset=%.0f&dtype=float64",
                       start, ROWS_SEEN, step, offset);
        assert_asked(ask(&far, "sinusoidal/table", query), &far, query);
        const double *a = asked_values(&near, "encoding"), *b = asked_values(&far, "encoding");

        for (size_t i = 0; i < ROWS_SEEN; i++) {
            cr_assert_float_eq(dot(b + i * dim, b + i * dim, dim), (double)dim / 2, tolerance,
                               "%s: row %zu", query, i);
            for (size_t j = i; j < ROWS_SEEN; j++)
                cr_assert_float_eq(dot(b + i * dim, b + j * dim, dim),
                                   dot(a, a + (j - i) * dim, dim), tolerance,
                                   "%s: rows %zu and %zu", query, i, j);
        }
        asked_release(&near);
        asked_release(&far);
    }
}

/* The blocks of a shift, of any encoding of waves; in the answer's memory. */
static const double *ask_blocks(struct asked *asked, const char *start, double shift, size_t *pairs)
{
    char query[400];

    (void)snprintf(query, sizeof(query), "%s&shift=%.0f&dtype=float64", start, shift);
    assert_asked(ask_quantity(asked, "shift", query), asked, query);
    *pairs = posenc_find_tensor(&asked->result, "blocks")->shape[0];
    return asked_values(asked, "blocks");
}

static void draw_waves(uint64_t *seed, char *start, size_t size)
{
    const double dim = 2 + 2 * below(seed, 60), base = pow(10, exact_between(seed, 1, 9));
    char sinusoidal[200];

    switch (exact_bits(seed) % 3) {
    case 0:
        (void)draw_sinusoidal(seed, sinusoidal, sizeof(sinusoidal));
        (void)snprintf(start, size, "encoding=sinusoidal&%s", sinusoidal);
        return;
    case 1:
        (void)snprintf(start, size, "encoding=rope&dim=%.0f&base=%a", dim, base);
        return;
    default:
        (void)snprintf(start, size, "encoding=timestep&preset=dit&dim=%.0f&max_period=%a", dim,
                       base);
    }
}

/* A product of two blocks: two products of entries within WAVE_ERROR, each rounded. */
#define BLOCK_ERROR (4 * WAVE_ERROR + 0x1p-52)

static void assert_product(const double *a, const double *b, const double *expected,
                           const char *what, const char *start)
{
    for (size_t i = 0; i < 4; i++) {
        const double entry = a[i / 2 * 2] * b[i % 2] + a[i / 2 * 2 + 1] * b[2 + i % 2];

        cr_assert_float_eq(entry, expected[i], BLOCK_ERROR, "%s: %s: entry %zu is %.17g, not %.17g",
                           start, what, i, entry, expected[i]);
    }
}

Test(encoding_properties, shifts_are_orthogonal_and_add_up)
{
    static const double identity[] = {1, 0, 0, 1};

    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        uint64_t seed = draw;
        char start[300];
        struct asked first, second, both, back;
        size_t pairs;

        draw_waves(&seed, start, sizeof(start));
        const double a = draw_position(&seed, 50), b = draw_position(&seed, 50);
        const double *m_a = ask_blocks(&first, start, a, &pairs);
        const double *m_b = ask_blocks(&second, start, b, &pairs);
        const double *m_ab = ask_blocks(&both, start, a + b, &pairs);
        const double *m_back = ask_blocks(&back, start, -a, &pairs);

        for (size_t i = 0; i < 4 * pairs; i += 4) {
            assert_product(m_a + i, m_b + i, m_ab + i, "M_a M_b = M_(a + b)", start);
            assert_product(m_a + i, m_back + i, identity, "M_a M_-a = 1", start);
            cr_assert_eq(m_back[i + 1], m_a[i + 2], "%s: M_-a is M_a's transpose", start);
            cr_assert_eq(m_back[i], m_a[i], "%s: M_-a is M_a's transpose", start);
        }
        asked_release(&first);
        asked_release(&second);
        asked_release(&both);
        asked_release(&back);
    }
}

Test(encoding_properties, a_table_of_a_transposed_grid_is_the_transposed_table_to_the_bit)
{
    static const char *const layouts[] = {"sin_cos", "interleaved"};

    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        uint64_t seed = draw;
        const size_t h = 1 + (size_t)below(&seed, 9), w = 1 + (size_t)below(&seed, 9);
        const size_t dim = 4 + 4 * (size_t)below(&seed, 20);
        const char *layout = layouts[exact_bits(&seed) % 2];
        char query[200];
        struct asked upright, turned;

        (void)snprintf(query, sizeof(query),
                       "grid=%zu,%zu&axis_order=yx&dim=%zu&pair_layout=%s&dtype=float64", w, h, dim,
                       layout);
        assert_asked(ask(&turned, "sinusoidal_grid/table", query), &turned, query);
        (void)snprintf(query, sizeof(query),
                       "grid=%zu,%zu&axis_order=xy&dim=%zu&pair_layout=%s&dtype=float64", h, w, dim,
                       layout);
        assert_asked(ask(&upright, "sinusoidal_grid/table", query), &upright, query);
        const double *a = asked_values(&upright, "encoding");
        const double *b = asked_values(&turned, "encoding");

        for (size_t row = 0; row < h; row++)
            for (size_t column = 0; column < w; column++) {
                const double *cell = a + (row * w + column) * dim;

                cr_assert_float_eq(dot(cell, cell, dim), (double)dim / 2,
                                   (double)dim * (2 * WAVE_ERROR + 0x1p-52), "%s", query);
                cr_assert_eq(memcmp(cell, b + (column * h + row) * dim, dim * sizeof(*cell)), 0,
                             "%s: row %zu, column %zu", query, row, column);
            }
        asked_release(&upright);
        asked_release(&turned);
    }
}

Test(encoding_properties, flipping_a_timestep_swaps_its_halves_to_the_bit)
{
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        uint64_t seed = draw;
        const size_t half = 2 + (size_t)below(&seed, 100), dim = 2 * half + draw % 2;
        const double t = exact_between(&seed, -1000, 1000), shift = exact_between(&seed, 0, 1.5);
        struct asked asked[2];
        const double *rows[2];

        for (size_t flip = 0; flip < 2; flip++) {
            char query[300];

            (void)snprintf(query, sizeof(query),
                           "timesteps=%a&dim=%zu&downscale_freq_shift=%a&flip_sin_to_cos=%s"
                           "&dtype=float64",
                           t, dim, shift, flip ? "true" : "false");
            assert_asked(ask(&asked[flip], "timestep/table", query), &asked[flip], query);
            rows[flip] = asked_values(&asked[flip], "encoding");
        }
        for (size_t i = 0; i < half; i++) {
            cr_assert_eq(rows[0][i], rows[1][half + i], "draw %d", (int)draw);
            cr_assert_eq(rows[0][half + i], rows[1][i], "draw %d", (int)draw);
            cr_assert_float_eq(hypot(rows[0][i], rows[1][i]), 1, 2 * WAVE_ERROR + 0x1p-52,
                               "draw %d: sine and cosine of column %zu differ in frequency",
                               (int)draw, i);
        }
        if (draw % 2)
            cr_assert_eq(rows[0][dim - 1], 0, "draw %d", (int)draw);
        asked_release(&asked[0]);
        asked_release(&asked[1]);
    }
}

/* sin(-x) = -sin(x), cos(-x) = cos(x): row r of 2 T - 1 has the distance T - 1 - r. */
Test(encoding_properties, conformer_rows_of_opposite_distances_differ_in_the_sign_of_sines)
{
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        uint64_t seed = draw;
        const size_t length = 1 + (size_t)below(&seed, 30), dim = 2 + 2 * (size_t)below(&seed, 40);
        const size_t rows = 2 * length - 1;
        char query[200];
        struct asked asked;

        (void)snprintf(query, sizeof(query), "variant=conformer&length=%zu&dim=%zu&dtype=float64",
                       length, dim);
        assert_asked(ask(&asked, "transformer_xl/table", query), &asked, query);
        const double *values = asked_values(&asked, "encoding");

        cr_assert_eq(asked.result.tensors[0].shape[0], rows);
        for (size_t i = 0; i < rows * dim; i += 2) {
            const double *here = values + i, *there = values + (rows - 1 - i / dim) * dim + i % dim;

            cr_assert_eq(here[0], -there[0], "%s", query);
            cr_assert_eq(here[1], there[1], "%s", query);
        }
        asked_release(&asked);
    }
}

/* A table of 0s and 1s shows the weights themselves. */
Test(encoding_properties, resizing_is_linear_and_keeps_constants)
{
    static const char *const modes[] = {"linear", "bicubic"};

    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        uint64_t seed = draw;
        const size_t rows = 4 + (size_t)below(&seed, 30), length = 1 + (size_t)below(&seed, 60);
        const size_t shape[] = {rows, 3};
        double table[3 * 40];
        const struct posenc_member resize[] = {
            {"length", posenc_number((double)length)},
            {"mode", posenc_text(modes[exact_bits(&seed) % 2])},
            {"antialias", posenc_boolean(draw % 2 == 1)},
        };
        struct asked asked;

        for (size_t i = 0; i < rows; i++) {
            table[3 * i] = exact_between(&seed, -1, 1);
            table[3 * i + 1] = 1;
            table[3 * i + 2] = 2 * table[3 * i] - 3; /* what the first two columns make */
        }
        const struct posenc_member members[] = {{"table", support_array(table, 2, shape)},
                                                {"resize", posenc_object(resize, 3)}};

        assert_asked(ask_with(&asked, "learned/table", "dtype=float64", members, 2), &asked,
                     "resize");
        const double *rowed = asked_values(&asked, "encoding");

        for (size_t i = 0; i < length; i++) {
            cr_assert_float_eq(rowed[3 * i + 1], 1, 0x1p-50, "draw %d", (int)draw);
            cr_assert_float_eq(rowed[3 * i + 2], 2 * rowed[3 * i] - 3, 0x1p-48, "draw %d",
                               (int)draw);
            cr_assert(length != rows || rowed[3 * i] == table[3 * i], "draw %d", (int)draw);
        }
        asked_release(&asked);
    }
}
