/* Presets of sinusoidal grids, by the formulas of the code that they are named after. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinusoidal_grid.h"
#include "support.h"

/* The columns of one axis: waves of base^(-i / denominator) at a coordinate. */
struct block {
    double coordinate;
    size_t pairs;
    double denominator;
};

struct imitated {
    const char *preset, *grid;
    size_t cell; /* the last one */
    bool is_interleaved;
    size_t dim;
    struct block blocks[3];
};

#define TWO_PI 6.283185307179586

/*
 * The last cell of 2 rows and 3 columns, in some with 2 frames. MAE and diffusers give the column's
 * coordinate the first columns, DETR and tensor2tensor the row's. diffusers divides by length /
 * base_size, and shares dim 16 as 4 for frames and 6 for each of the others.
 */
static const struct imitated codes[] = {
    {"mae", "2,3", 5, false, 8, {{2, 2, 2}, {1, 2, 2}}},
    {"detr", "2,3", 5, true, 8, {{2 / (2 + 1e-6) * TWO_PI, 2, 2}, {3 / (3 + 1e-6) * TWO_PI, 2, 2}}},
    {"diffusers_2d", "2,3", 5, false, 8, {{2 / (3. / 16), 2, 2}, {1 / (2. / 16), 2, 2}}},
    {"diffusers_3d", "2,2,3", 11, false, 16, {{1, 2, 2}, {2, 3, 3}, {1, 3, 3}}},
    {"tensor2tensor", "2,3", 5, false, 9, {{1, 2, 1}, {2, 2, 1}}},
    {"tensor2tensor", "2,2,3", 11, false, 13, {{1, 2, 1}, {1, 2, 1}, {2, 2, 1}}},
};

#define DOUBLE_ERROR 4e-15 /* of plain doubles at angles up to 11 */

static void expect_block(const double *columns, const struct block *block, bool is_interleaved,
                         const char *what)
{
    for (size_t i = 0; i < block->pairs; i++) {
        const double angle = block->coordinate * pow(10000, -(double)i / block->denominator);
        const size_t sine = is_interleaved ? 2 * i : i;
        const size_t cosine = is_interleaved ? 2 * i + 1 : block->pairs + i;

        cr_expect_float_eq(columns[sine], sin(angle), DOUBLE_ERROR, "%s, sine %zu", what, i);
        cr_expect_float_eq(columns[cosine], cos(angle), DOUBLE_ERROR, "%s, cosine %zu", what, i);
    }
}

Test(sinusoidal_grid_rows, presets_are_what_the_codes_compute)
{
    for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
        const struct imitated *code = &codes[i];
        struct asked asked;
        char query[120];
        size_t column = 0;

        (void)snprintf(query, sizeof(query), "preset=%s&grid=%s&dim=%zu&dtype=float64",
                       code->preset, code->grid, code->dim);
        cr_assert_eq(ask(&asked, "sinusoidal_grid/table", query), POSENC_OK, "%s: %s", query,
                     asked.problem.detail);
        const double *row = asked_values(&asked, "encoding") + code->cell * code->dim;

        for (size_t b = 0; b < 3 && code->blocks[b].pairs > 0; b++) {
            expect_block(row + column, &code->blocks[b], code->is_interleaved, query);
            column += 2 * code->blocks[b].pairs;
        }
        for (; column < code->dim; column++)
            cr_expect_eq(row[column], 0, "%s", query);
        asked_release(&asked);
    }
}

Test(sinusoidal_grid_rows, every_preset_is_tried_above)
{
    for (const struct posenc_preset *preset = posenc__sinusoidal_grid_presets; preset->name;
         preset++) {
        size_t tried = 0;

        for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
            tried += strcmp(codes[i].preset, preset->name) == 0;
        cr_expect_gt(tried, 0, "%s", preset->name);
    }
}

/* Which coordinate comes first differs from code to code, so that nobody may guess it. */
Test(sinusoidal_grid_rows, the_order_of_axes_has_no_default)
{
    struct asked asked;

    cr_expect_eq(ask(&asked, "sinusoidal_grid/table", "grid=2,3&dim=8"), POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "axis_order");
    cr_expect(is_allowed(&asked.problem, "xy") && is_allowed(&asked.problem, "yx"));
    asked_release(&asked);
}

struct alias {
    const char *given, *canonical;
    double number;
};

Test(sinusoidal_grid_rows, names_of_other_codes_are_understood)
{
    static const struct alias aliases[] = {
        {"embed_dim=8", "dim", 8},
        {"d_model=8", "dim", 8},
        {"dim=8&temperature=523.7", "base", 523.7},
        {"dim=8&theta=523.7", "base", 523.7},
        {"dim=8&extra_tokens=3", "prefix_tokens", 3},
        {"dim=8&eps=0.5", "epsilon", 0.5},
        {"dim=8&spatial_interpolation_scale=1.875", "interpolation_scale", 1.875},
    };

    for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++) {
        struct asked asked;
        char query[120];

        (void)snprintf(query, sizeof(query), "grid_size=2,3&axis_order=xy&%s", aliases[i].given);
        cr_assert_eq(ask(&asked, "sinusoidal_grid/table", query), POSENC_OK, "%s: %s", query,
                     asked.problem.detail);
        cr_expect_eq(echoed_number(&asked.result, aliases[i].canonical), aliases[i].number, "%s",
                     query);
        asked_release(&asked);
    }
}
