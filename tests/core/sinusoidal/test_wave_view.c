/* Waves as analysis sees them: whether positions are named, and where waves stand in a row. */
#include "wave_view.h"

#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

struct naming {
    const char *operation, *query;
    bool names;
};

Test(wave_view, any_of_the_parameters_that_name_positions_does)
{
    static const struct naming cases[] = {
        {"sinusoidal/table", "dim=4&length=3", true},
        {"sinusoidal/table", "dim=4&positions=0,5", true},
        {"sinusoidal/table", "dim=4&positions=0&step=1", true},
        {"timestep/table", "preset=ddpm&dim=8&timesteps=3", true},
        {"rope/table", "dim=8&axes_rule=blocks&grid=2,2&layout=half", true},
        {"sinusoidal/table", "dim=4&offset=3&step=2", false},
        {"rope/table", "dim=8&layout=half", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;

        asked.arguments.count = 0;
        (void)ask(&asked, cases[i].operation, cases[i].query); /* bound, though not planned */
        cr_assert_gt(asked.arguments.count, 0);
        cr_expect_eq(posenc__names_positions(&asked.arguments), cases[i].names, "%s",
                     cases[i].query);
        asked_release(&asked);
    }
}

/* Two waves in a row of seven columns, of which the last has none. */
static void place(size_t sine_start, size_t cosine_start, size_t stride, size_t cosines,
                  double out[7])
{
    double parts[4] = {0};
    double sines[] = {1, 2}, numbers[] = {-1, -2};
    const struct posenc__wave_view view = {.waves = {2, parts, parts + 2},
                                           .cosines = cosines,
                                           .amplitude = 3,
                                           .width = 7,
                                           .sine_start = sine_start,
                                           .cosine_start = cosine_start,
                                           .stride = stride};
    const struct posenc__wave_row row = {sines, numbers};

    for (size_t i = 0; i < 7; i++)
        out[i] = 99;
    posenc__wave_view_place(&view, &row, out);
}

Test(wave_view, sines_and_cosines_go_to_their_columns_and_zeros_to_the_others)
{
    static const double interleaved[] = {3, -3, 6, -6, 0, 0, 0}, halves[] = {3, 6, -3, -6, 0, 0, 0},
                        cosines_first[] = {-3, -6, 3, 6, 0, 0, 0},
                        short_of_one[] = {3, -3, 6, 0, 0, 0, 0};
    double out[7];

    place(0, 1, 2, 2, out);
    cr_expect_arr_eq(out, interleaved, sizeof(out));
    place(0, 2, 1, 2, out);
    cr_expect_arr_eq(out, halves, sizeof(out));
    place(2, 0, 1, 2, out);
    cr_expect_arr_eq(out, cosines_first, sizeof(out));
    place(0, 1, 2, 1, out);
    cr_expect_arr_eq(out, short_of_one, sizeof(out));
}

Test(wave_view, a_row_has_room_for_all_waves_or_says_that_memory_is_out)
{
    const struct posenc__wave_view view = {.waves = {.count = 100000}};
    struct posenc__wave_row row;
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    cr_assert(posenc__wave_row_init(&row, &view, &memory));
    cr_expect_geq(memory.used, 100000 * 2 * sizeof(double));
    memset(row.sines, 1, 100000 * sizeof(double));
    memset(row.cosines, 2, 100000 * sizeof(double)); /* would meet the sines if there were fewer */
    for (size_t i = 0; i < 100000 * sizeof(double); i++)
        cr_assert_eq(((const unsigned char *)row.sines)[i], 1);
    posenc_memory_release(&memory);
    posenc_memory_init(&memory, 1000000);
    cr_expect_not(posenc__wave_row_init(&row, &view, &memory));
    posenc_memory_release(&memory);
}
