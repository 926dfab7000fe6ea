/*
 * Tensors of two axes and more: one panel for each place on the axis before the last two, a scale
 * of colours on the right. Cells measure whole pixels, so that all of an axis are equally large.
 */
#include "picture_heatmap.h"

#include <stdio.h>
#include <string.h>

#include "picture_draw.h"
#include "picture_ticks.h"

#define CELL_MAX_PIXELS    96  /* of a cell, unless a panel then were too narrow */
#define PANEL_LEAST        448 /* pixels of a panel's shorter side, where it stands alone */
#define PANEL_LEAST_SHARED 224
#define PANEL_GAP          40 /* between panels */
#define PANEL_TITLE        36 /* height of a panel's title, where there are several */
#define BAR_GAP            40 /* from the panels to the scale */
#define BAR_WIDTH          28
#define SWATCH             28 /* side of the square that stands for what is not finite */
#define TICK_ROOM_DOWN     56 /* pixels for a tick on an axis that goes down */
#define TICK_ROOM_ACROSS   40 /* the same across, besides the widest number */
#define TICKS_WANTED_MAX   10

struct heatmap {
    const struct picture_samples *samples;
    size_t across, down;           /* panels */
    int cell_width, cell_height;   /* pixels */
    int panel_width, panel_height; /* the same of all cells */
    int left, top;                 /* of the first panel */
    double low, high;              /* of the scale */
    struct picture_tick row_ticks[PICTURE_TICKS_MAX], column_ticks[PICTURE_TICKS_MAX],
        bar_ticks[PICTURE_TICKS_MAX];
    size_t row_tick_count, column_tick_count, bar_tick_count;
};

/* Panels beside one another, and how long their longer side may be. */
static int arrange(struct heatmap *map)
{
    static const struct {
        size_t across;
        int side;
    } arrangements[PICTURE_PANELS_MAX] = {{1, 1024}, {2, 640}, {3, 512}, {2, 512},
                                          {3, 512},  {3, 512}, {4, 512}, {4, 512}};
    const size_t panels = map->samples->panels.count;

    map->across = arrangements[panels > 0 ? panels - 1 : 0].across;
    map->down = panels > 0 ? (panels + map->across - 1) / map->across : 1;
    return arrangements[panels > 0 ? panels - 1 : 0].side;
}

/* Square cells, but where a panel would be too narrow. */
static void measure_cells(struct heatmap *map, int side)
{
    const int rows = (int)map->samples->rows.count, columns = (int)map->samples->columns.count;
    const int longer = rows > columns ? rows : columns;
    const int least = map->samples->panels.count > 1 ? PANEL_LEAST_SHARED : PANEL_LEAST;
    int cell = longer > 0 ? side / longer : 1;

    cell = cell < CELL_MAX_PIXELS ? cell : CELL_MAX_PIXELS;
    map->cell_width =
        columns > 0 && columns * cell < least ? (least + columns - 1) / columns : cell;
    map->cell_height = rows > 0 && rows * cell < least ? (least + rows - 1) / rows : cell;
    map->panel_width = columns > 0 ? columns * map->cell_width : least;
    map->panel_height = rows > 0 ? rows * map->cell_height : least;
}

static int text_width(const char *text, int size)
{
    return (int)picture_font_width(text, strlen(text), size) + 1;
}

static int widest(const struct picture_tick *ticks, size_t count)
{
    int most = 0;

    for (size_t i = 0; i < count; i++) {
        const int width = text_width(ticks[i].label, PICTURE_SMALL);

        most = width > most ? width : most;
    }
    return most;
}

static size_t ticks_for(int pixels, int room)
{
    const int count = pixels / room;

    return count > TICKS_WANTED_MAX ? TICKS_WANTED_MAX : count > 1 ? (size_t)count : 1;
}

/* The ticks of an axis count its elements from 0. */
static size_t axis_ticks(const struct picture_axis *axis, int pixels, int room,
                         struct picture_tick *ticks)
{
    const size_t last = axis->count > 0 ? (axis->count - 1) * axis->stride : 0;

    return axis->count > 0 ? picture_ticks(0, (double)last, ticks_for(pixels, room), true, ticks)
                           : 0;
}

static void choose_ticks(struct heatmap *map)
{
    const struct picture_samples *const samples = map->samples;
    const enum posenc_dtype dtype = samples->tensor->dtype;
    char last[PICTURE_TICK_LABEL_MAX];

    (void)snprintf(last, sizeof last, "%zu", samples->columns.size);
    map->row_tick_count =
        axis_ticks(&samples->rows, map->panel_height, TICK_ROOM_DOWN, map->row_ticks);
    map->column_tick_count =
        axis_ticks(&samples->columns, map->panel_width,
                   TICK_ROOM_ACROSS + text_width(last, PICTURE_SMALL), map->column_ticks);
    if (samples->has_range)
        map->bar_tick_count = picture_ticks(
            map->low, map->high, 8, dtype == POSENC_INT64 || dtype == POSENC_INT32, map->bar_ticks);
}

/* Zero is in the middle when there are values on both sides of it. */
static enum colour_scale choose_scale(struct heatmap *map)
{
    const struct picture_samples *const samples = map->samples;
    const bool is_signed = samples->low < 0 && samples->high > 0;
    const double most = samples->high > -samples->low ? samples->high : -samples->low;

    map->low = is_signed ? -most : samples->low;
    map->high = is_signed ? most : samples->high;
    if (samples->has_range)
        picture_widen_range(&map->low, &map->high);
    return is_signed ? COLOUR_AROUND_ZERO : COLOUR_ONE_SIGNED;
}

/* The middle of an element's cell, in pixels from the panel's edge. */
static int middle_of(const struct picture_tick *tick, const struct picture_axis *axis, int cell)
{
    return (int)((tick->value / (double)axis->stride + 0.5) * cell);
}

static const uint8_t *colour_cells(struct picture *picture, const struct heatmap *map)
{
    const struct picture_samples *const samples = map->samples;
    const size_t count = samples->panels.count * samples->rows.count * samples->columns.count;
    uint8_t *const cells = posenc_allocate(picture->memory, count, 1);

    picture->failed = picture->failed || !cells;
    for (size_t i = 0; cells && i < count; i++)
        cells[i] = colour_of(samples->values[i], map->low, map->high);
    return cells;
}

static void draw_panel_title(struct picture *picture, const struct heatmap *map, size_t panel,
                             int x, int y)
{
    const struct picture_axis *const panels = &map->samples->panels;
    char title[PICTURE_NAME_MAX + 24];

    if (panels->count < 2)
        return;
    const bool has_number = strcspn(panels->name, "0123456789") < strlen(panels->name);

    (void)snprintf(title, sizeof title, has_number ? "%s: %zu" : "%s %zu", panels->name,
                   panel * panels->stride);
    (void)picture_text(picture, x + map->panel_width / 2, y - 14, PICTURE_MEDIUM, PICTURE_MIDDLE,
                       title);
}

/* Numbers stand left of the first panels of all lines, and below the last panel of each column. */
static void draw_panel_ticks(struct picture *picture, const struct heatmap *map, size_t panel,
                             int x, int y)
{
    const struct picture_samples *const samples = map->samples;
    const int below = y + map->panel_height + PICTURE_THIN, left = x - PICTURE_THIN;

    for (size_t i = 0; i < map->row_tick_count && panel % map->across == 0; i++) {
        const int at = middle_of(&map->row_ticks[i], &samples->rows, map->cell_height);

        picture_tick_left(picture, left, y + at, map->row_ticks[i].label);
    }
    for (size_t i = 0; i < map->column_tick_count; i++) {
        const int at = middle_of(&map->column_ticks[i], &samples->columns, map->cell_width);

        if (panel + map->across >= samples->panels.count)
            picture_tick_below(picture, x + at, below, map->column_ticks[i].label);
    }
}

static void draw_panels(struct picture *picture, const struct heatmap *map)
{
    const struct picture_samples *const samples = map->samples;
    const size_t panel_cells = samples->rows.count * samples->columns.count;
    const uint8_t *const cells = colour_cells(picture, map);

    for (size_t panel = 0; panel < samples->panels.count && cells; panel++) {
        const int line = (int)(panel / map->across), column = (int)(panel % map->across);
        const int x = map->left + column * (map->panel_width + PANEL_GAP);
        const int y = map->top + line * (map->panel_height + PANEL_GAP + PANEL_TITLE);

        picture_frame(picture, x, y, map->panel_width, map->panel_height);
        if (panel_cells > 0)
            picture_cells(picture, (struct picture_shape){.x = x,
                                                          .y = y,
                                                          .width = map->panel_width,
                                                          .height = map->panel_height,
                                                          .cells = cells + panel * panel_cells,
                                                          .columns = samples->columns.count,
                                                          .rows = samples->rows.count});
        draw_panel_title(picture, map, panel, x, y);
        draw_panel_ticks(picture, map, panel, x, y);
    }
}

/* A square and its meaning, at the bottom of the scale; the next one stands above. */
static void draw_swatch(struct picture *picture, int x, int *bottom, uint8_t colour,
                        const char *label)
{
    const int y = *bottom - SWATCH;

    picture_frame(picture, x, y, BAR_WIDTH, SWATCH);
    picture_rectangle(picture, x, y, BAR_WIDTH, SWATCH, colour);
    (void)picture_text(picture, x + BAR_WIDTH + PICTURE_TICK + PICTURE_GAP,
                       y + (SWATCH + PICTURE_CAP(PICTURE_SMALL)) / 2, PICTURE_SMALL, PICTURE_START,
                       label);
    *bottom = y - PICTURE_GAP - PICTURE_THIN;
}

static void draw_swatches(struct picture *picture, const struct picture_samples *samples, int x,
                          int *bottom)
{
    const int start = *bottom;

    if (samples->nans > 0)
        draw_swatch(picture, x, bottom, COLOUR_NAN, "NaN");
    if (samples->minus_infinities > 0)
        draw_swatch(picture, x, bottom, COLOUR_MINUS_INFINITY, "-inf");
    if (samples->plus_infinities > 0)
        draw_swatch(picture, x, bottom, COLOUR_PLUS_INFINITY, "inf");
    *bottom -= *bottom < start ? 2 * PICTURE_GAP : 0;
}

/* The levels from the highest down. */
static void draw_bar_levels(struct picture *picture, int x, int y, int height)
{
    uint8_t *const levels = posenc_allocate(picture->memory, COLOUR_SCALE_LEVELS, 1);

    picture->failed = picture->failed || !levels;
    for (int i = 0; levels && i < COLOUR_SCALE_LEVELS; i++)
        levels[i] = (uint8_t)(COLOUR_SCALE + COLOUR_SCALE_LEVELS - 1 - i);
    if (levels)
        picture_cells(picture, (struct picture_shape){.x = x,
                                                      .y = y,
                                                      .width = BAR_WIDTH,
                                                      .height = height,
                                                      .cells = levels,
                                                      .columns = 1,
                                                      .rows = COLOUR_SCALE_LEVELS});
}

static void draw_bar(struct picture *picture, const struct heatmap *map, int bottom)
{
    const int x =
        map->left + (int)map->across * (map->panel_width + PANEL_GAP) - PANEL_GAP + BAR_GAP;

    draw_swatches(picture, map->samples, x, &bottom);
    if (!map->samples->has_range)
        return;
    const int height = bottom - map->top;

    picture_frame(picture, x, map->top, BAR_WIDTH, height);
    draw_bar_levels(picture, x, map->top, height);
    for (size_t i = 0; i < map->bar_tick_count; i++) {
        const double part =
            (map->bar_ticks[i].value / 2 - map->low / 2) / (map->high / 2 - map->low / 2);

        picture_tick_right(picture, x + BAR_WIDTH + PICTURE_THIN,
                           bottom - (int)(part * height + 0.5), map->bar_ticks[i].label);
    }
}

static void draw_names(struct picture *picture, const struct heatmap *map, int bottom)
{
    const struct picture_samples *const samples = map->samples;
    const int right = map->left + (int)map->across * (map->panel_width + PANEL_GAP) - PANEL_GAP;

    (void)picture_text(picture, (map->left + right) / 2,
                       bottom + PICTURE_TICK + 2 * PICTURE_GAP + PICTURE_CAP(PICTURE_SMALL) +
                           PICTURE_CAP(PICTURE_MEDIUM) + 6,
                       PICTURE_MEDIUM, PICTURE_MIDDLE, samples->columns.name);
    picture_text(picture,
                 map->left - PICTURE_TICK - 3 * PICTURE_GAP -
                     widest(map->row_ticks, map->row_tick_count),
                 (map->top + bottom) / 2, PICTURE_MEDIUM, PICTURE_MIDDLE, samples->rows.name)
        ->is_upright = true;
}

/* Sets the picture's width and the place of the first panel; returns where the last panel ends. */
static int place_panels(struct picture *picture, struct heatmap *map)
{
    const int before = PICTURE_MEDIUM + 3 * PICTURE_GAP + PICTURE_TICK +
                       widest(map->row_ticks, map->row_tick_count);
    const int panels = (int)map->across * (map->panel_width + PANEL_GAP) - PANEL_GAP;
    const int bar = widest(map->bar_ticks, map->bar_tick_count);
    const int after =
        BAR_GAP + BAR_WIDTH + PICTURE_TICK + PICTURE_GAP +
        (bar > text_width("-inf", PICTURE_SMALL) ? bar : text_width("-inf", PICTURE_SMALL));
    const int wanted = before + panels + after + 2 * PICTURE_MARGIN;
    const int title = map->samples->panels.count > 1 ? PANEL_TITLE : 0;

    picture->width = wanted > PICTURE_WIDTH_LEAST ? wanted : PICTURE_WIDTH_LEAST;
    map->left = (picture->width - wanted) / 2 + PICTURE_MARGIN + before;
    map->top = PICTURE_MARGIN + title;
    return map->top + (int)map->down * (map->panel_height + PANEL_GAP + PANEL_TITLE) - PANEL_GAP -
           PANEL_TITLE;
}

void picture_heatmap(struct picture *picture, const struct picture_samples *samples,
                     struct picture_caption *caption)
{
    struct heatmap map = {.samples = samples};

    measure_cells(&map, arrange(&map));
    colour_palette(choose_scale(&map), picture->palette);
    choose_ticks(&map);
    const int bottom = place_panels(picture, &map);

    draw_panels(picture, &map);
    draw_bar(picture, &map, bottom);
    draw_names(picture, &map, bottom);
    if (samples->tensor->count == 0)
        (void)picture_text(picture, map.left + map.panel_width / 2, (map.top + bottom) / 2,
                           PICTURE_MEDIUM, PICTURE_MIDDLE, "no elements");
    picture_finish(picture,
                   bottom + PICTURE_TICK + 6 * PICTURE_GAP + PICTURE_SMALL + 2 * PICTURE_MEDIUM,
                   caption);
}
