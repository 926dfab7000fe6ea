/*
 * Lists as curves: a line from element to element, with dots where they are few. Elements that are
 * all positive and span decades get a logarithmic axis.
 */
#include "picture_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "picture_draw.h"
#include "picture_ticks.h"

#define PLOT_WIDTH       1120
#define PLOT_HEIGHT      560
#define PLOT_PAD         24 /* from the frame to the outermost point */
#define PLOT_LINE        4
#define PLOT_DOT         7
#define PLOT_DOTS_MAX    ((size_t)48) /* points that get dots */
#define DECADES_LEAST    3.0          /* that make an axis logarithmic */
#define ROW_TICKS_WANTED 9

struct plot {
    const struct picture_samples *samples;
    bool is_logarithmic;
    double low, high; /* of the axis; logarithms where it is logarithmic */
    int left, top;    /* of the frame's inside */
    struct picture_tick ticks[PICTURE_TICKS_MAX];
    size_t tick_count;
};

/* Zero belongs to the axis where it is not far from it. */
static void include_zero(struct plot *plot)
{
    if (plot->low > 0 && plot->low < plot->high / 2)
        plot->low = 0;
    if (plot->high < 0 && plot->high > plot->low / 2)
        plot->high = 0;
}

static void choose_range(struct plot *plot)
{
    const struct picture_samples *const samples = plot->samples;
    const enum posenc_dtype dtype = samples->tensor->dtype;

    if (!samples->has_range)
        return;
    plot->is_logarithmic =
        samples->low > 0 && log10(samples->high) - log10(samples->low) >= DECADES_LEAST;
    plot->low = plot->is_logarithmic ? log10(samples->low) : samples->low;
    plot->high = plot->is_logarithmic ? log10(samples->high) : samples->high;
    if (!plot->is_logarithmic) {
        include_zero(plot);
        picture_widen_range(&plot->low, &plot->high);
    }
    plot->tick_count =
        plot->is_logarithmic
            ? picture_ticks_of_powers(plot->low, plot->high, ROW_TICKS_WANTED, plot->ticks)
            : picture_ticks(plot->low, plot->high, ROW_TICKS_WANTED,
                            dtype == POSENC_INT64 || dtype == POSENC_INT32, plot->ticks);
}

/* Where a value on the axis stands. */
static double y_of(const struct plot *plot, double value)
{
    const double part = (value / 2 - plot->low / 2) / (plot->high / 2 - plot->low / 2);

    return plot->top + PLOT_HEIGHT - PLOT_PAD - part * (PLOT_HEIGHT - 2 * PLOT_PAD);
}

/* Where an element stands; a lone one in the middle. */
static double x_of(const struct plot *plot, double index)
{
    const struct picture_axis *const axis = &plot->samples->columns;
    const double last = (double)((axis->count - 1) * axis->stride);

    return plot->left +
           (last > 0 ? PLOT_PAD + index / last * (PLOT_WIDTH - 2 * PLOT_PAD) : PLOT_WIDTH / 2.0);
}

static void draw_row_ticks(struct picture *picture, const struct plot *plot)
{
    for (size_t i = 0; i < plot->tick_count; i++) {
        const int y = (int)lround(y_of(plot, plot->ticks[i].value));

        picture_rectangle(picture, plot->left, y - PICTURE_THIN / 2, PLOT_WIDTH, PICTURE_THIN,
                          COLOUR_GRID);
        picture_tick_left(picture, plot->left - PICTURE_THIN, y, plot->ticks[i].label);
    }
}

static void draw_column_ticks(struct picture *picture, const struct plot *plot)
{
    const struct picture_axis *const axis = &plot->samples->columns;
    struct picture_tick ticks[PICTURE_TICKS_MAX];
    const size_t count =
        axis->count > 0
            ? picture_ticks(0, (double)((axis->count - 1) * axis->stride), 9, true, ticks)
            : 0;

    for (size_t i = 0; i < count; i++) {
        const int x = (int)lround(x_of(plot, ticks[i].value));

        picture_rectangle(picture, x - PICTURE_THIN / 2, plot->top, PICTURE_THIN, PLOT_HEIGHT,
                          COLOUR_GRID);
        picture_tick_below(picture, x, plot->top + PLOT_HEIGHT + PICTURE_THIN, ticks[i].label);
    }
}

/* Draws each run of finite elements as a curve of its own. */
static void draw_curves(struct picture *picture, const struct plot *plot)
{
    const struct picture_samples *const samples = plot->samples;
    const size_t count = samples->tensor->count > 0 ? samples->columns.count : 0;
    struct picture_point *const points = posenc_allocate(picture->memory, count, sizeof *points);
    size_t start = 0;

    picture->failed = picture->failed || !points;
    for (size_t i = 0; points && i < count; i++) {
        const double value = samples->values[i];
        const bool is_shown = isfinite(value);

        points[i].x = x_of(plot, (double)(i * samples->columns.stride));
        points[i].y = is_shown ? y_of(plot, plot->is_logarithmic ? log10(value) : value) : 0;
        if (is_shown && count <= PLOT_DOTS_MAX)
            picture_dot(picture, points[i], PLOT_DOT);
        if (is_shown && i + 1 < count && isfinite(samples->values[i + 1]))
            continue;
        if (is_shown)
            picture_curve(picture, points + start, i + 1 - start, PLOT_LINE);
        start = i + 1;
    }
}

static int widest(const struct plot *plot)
{
    double most = 0;

    for (size_t i = 0; i < plot->tick_count; i++)
        most = fmax(most, picture_font_width(plot->ticks[i].label, strlen(plot->ticks[i].label),
                                             PICTURE_SMALL));
    return (int)most + 1;
}

static void draw_names(struct picture *picture, const struct plot *plot, int numbers)
{
    char name[PICTURE_CAPTION_MAX];
    const struct posenc_tensor *const tensor = plot->samples->tensor;

    (void)picture_text(picture, plot->left + PLOT_WIDTH / 2,
                       plot->top + PLOT_HEIGHT + PICTURE_TICK + 2 * PICTURE_GAP + 6 +
                           PICTURE_CAP(PICTURE_SMALL) + PICTURE_CAP(PICTURE_MEDIUM),
                       PICTURE_MEDIUM, PICTURE_MIDDLE, plot->samples->columns.name);
    (void)snprintf(name, sizeof name, plot->is_logarithmic ? "%.40s (logarithmic)" : "%.40s",
                   tensor->name);
    picture_text(picture, plot->left - PICTURE_TICK - 3 * PICTURE_GAP - numbers,
                 plot->top + PLOT_HEIGHT / 2, PICTURE_MEDIUM, PICTURE_MIDDLE, name)
        ->is_upright = true;
}

static void draw_remark(struct picture *picture, const struct plot *plot)
{
    const struct picture_samples *const samples = plot->samples;

    if (!samples->has_range)
        (void)picture_text(picture, plot->left + PLOT_WIDTH / 2, plot->top + PLOT_HEIGHT / 2,
                           PICTURE_MEDIUM, PICTURE_MIDDLE,
                           samples->tensor->count > 0 ? "no finite element" : "no elements");
}

void picture_plot(struct picture *picture, const struct picture_samples *samples,
                  struct picture_caption *caption)
{
    struct plot plot = {.samples = samples, .top = PICTURE_MARGIN};

    colour_palette(COLOUR_ONE_SIGNED, picture->palette);
    choose_range(&plot);
    const int numbers = widest(&plot);

    plot.left = PICTURE_MARGIN + PICTURE_MEDIUM + 3 * PICTURE_GAP + PICTURE_TICK + numbers;
    picture->width = plot.left + PLOT_WIDTH + PICTURE_MARGIN;
    draw_row_ticks(picture, &plot);
    draw_column_ticks(picture, &plot);
    draw_curves(picture, &plot);
    picture_frame(picture, plot.left, plot.top, PLOT_WIDTH, PLOT_HEIGHT);
    draw_names(picture, &plot, numbers);
    draw_remark(picture, &plot);
    picture_finish(picture,
                   plot.top + PLOT_HEIGHT + PICTURE_TICK + 6 * PICTURE_GAP + PICTURE_SMALL +
                       2 * PICTURE_MEDIUM,
                   caption);
}
