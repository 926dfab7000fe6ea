/* Rows of a table of waves, from middles and distances. */
#include "wave_rows.h"

#include <math.h>

#define NEAR_BYTES ((size_t)1 << 20) /* of a block's rows in float64: half of a usual L2 cache */
#define BLOCK_MAX  128               /* rows of a block */
#define EXACT_MAX  0x1p40 /* steps, positions and turns of a middle: all as exact as any */

/* Rows of a block: a power of two, or 1 where rows are so wide that no distance could be kept. */
static size_t block_of(size_t waves)
{
    size_t block = BLOCK_MAX;

    while (block > 1 && block > NEAR_BYTES / sizeof(double) / 2 / waves)
        block /= 2;
    return block;
}

/* The largest middle, in steps, whose position and whose turns still have all their bits. */
static double limit_of(const struct posenc__waves *waves, double step)
{
    double fastest = 1;

    for (size_t i = 0; i < waves->count; i++)
        fastest = fmax(fastest, fabs(waves->hi[i]));
    return fmin(EXACT_MAX, EXACT_MAX / step / fastest) - 1;
}

/* The grid that positions stand on: integers for a list. */
static void settle_grid(struct posenc__wave_rows *rows)
{
    const struct posenc__positions *positions = &rows->positions;

    rows->step = 1;
    if (positions->list)
        return;
    rows->direction = (positions->step > 0) - (positions->step < 0);
    if (rows->direction != 0)
        rows->step = fabs(positions->step);
}

static void settle_first(struct posenc__wave_rows *rows)
{
    const double offset = rows->positions.list ? 0 : rows->positions.offset;

    rows->rest = fmod(offset, rows->step);
    rows->first = (int64_t)rint((offset - rows->rest) / rows->step);
}

static struct posenc__dd distance_at(const struct posenc__wave_rows *rows, ptrdiff_t distance)
{
    return posenc__dd_product((double)distance, rows->step);
}

/* sin and cos without a sine of -0. */
static void direct(const struct posenc__wave_rows *rows, struct posenc__dd position, size_t first,
                   size_t count, double *sines, double *cosines)
{
    posenc__sincos(&rows->waves, position, first, count, sines, cosines);
    for (size_t i = 0; sines && i < count; i++)
        sines[i] += 0.0;
}

static bool keep_distances(struct posenc__wave_rows *rows, struct posenc_memory *memory)
{
    const size_t waves = rows->waves.count, kept = 2 * (size_t)rows->reach + 1;
    double *near = posenc_allocate(memory, kept, 2 * waves * sizeof(*near));

    if (!near)
        return false;
    for (size_t d = 0; d < kept; d++)
        direct(rows, distance_at(rows, (ptrdiff_t)d), 0, waves, near + 2 * d * waves,
               near + (2 * d + 1) * waves);
    rows->near = near;
    return true;
}

/* Everything but what is kept. */
static void settle(struct posenc__wave_rows *rows, const struct posenc__waves *waves,
                   const struct posenc__positions *positions)
{
    const size_t block = waves->count == 0 ? 1 : block_of(waves->count);

    *rows = (struct posenc__wave_rows){.waves = *waves, .positions = *positions};
    settle_grid(rows);
    const double limit = limit_of(waves, rows->step);

    if (block < 2 || limit < 1 || fabs(positions->offset) / rows->step > EXACT_MAX)
        return;
    settle_first(rows);
    rows->limit = (int64_t)limit;
    rows->reach = (ptrdiff_t)(block / 2);
}

bool posenc__wave_rows_init(struct posenc__wave_rows *rows, const struct posenc__waves *waves,
                            const struct posenc__positions *positions, struct posenc_memory *memory)
{
    settle(rows, waves, positions);
    if (rows->reach == 0 || positions->count <= 2 * (size_t)rows->reach)
        return true;
    return keep_distances(rows, memory);
}

/* Where a row stands: n = middle + distance, or a position that is computed directly. */
struct place {
    bool is_split;
    int64_t middle;
    ptrdiff_t distance;
};

static struct place place_of(const struct posenc__wave_rows *rows, size_t row)
{
    static const struct place alone = {false, 0, 0};
    int64_t n = rows->first + rows->direction * (int64_t)row;

    if (rows->reach == 0)
        return alone;
    if (rows->positions.list) {
        const double position = rows->positions.list[row];

        if (!(fabs(position) <= POSENC_POSITION_MAX && position == rint(position)))
            return alone;
        n = (int64_t)position;
    }
    const int64_t block = 2 * (int64_t)rows->reach, begin = n & -block; /* also below 0 */
    const bool is_next_to_0 = begin == 0 || begin == -block;
    const int64_t middle = is_next_to_0 ? 0 : begin + rows->reach;

    if (middle > rows->limit || middle < -rows->limit)
        return alone;
    return (struct place){true, middle, (ptrdiff_t)(n - middle)};
}

static struct posenc__dd middle_at(const struct posenc__wave_rows *rows, int64_t middle)
{
    const struct posenc__dd walked = posenc__dd_product((double)middle, rows->step);

    return rows->rest == 0 ? walked : posenc__dd_add(walked, (struct posenc__dd){rows->rest, 0});
}

/* Sines and cosines of a middle and of a distance, for some waves. */
struct halves {
    double sines[POSENC__BLEND_WAVES], cosines[POSENC__BLEND_WAVES];
    double near_sines[POSENC__BLEND_WAVES], near_cosines[POSENC__BLEND_WAVES];
};

static void find_middle(const struct posenc__wave_rows *rows, size_t row, struct place place,
                        size_t first, size_t count, struct halves *halves)
{
    const struct posenc__dd middle =
        place.is_split ? middle_at(rows, place.middle) : posenc__position_at(&rows->positions, row);

    direct(rows, middle, first, count, halves->sines, halves->cosines);
}

/* The distance of a place where none are kept: a row that is direct stands at its middle. */
static void find_near(const struct posenc__wave_rows *rows, struct place place, size_t first,
                      size_t count, struct halves *halves)
{
    const ptrdiff_t size = place.distance < 0 ? -place.distance : place.distance;

    if (size > 0) {
        direct(rows, distance_at(rows, size), first, count, halves->near_sines,
               halves->near_cosines);
        return;
    }
    for (size_t i = 0; i < count; i++)
        halves->near_sines[i] = 0, halves->near_cosines[i] = 1;
}

/* Rows [row, row + count) of one run, whose first stands at `place`; some waves of theirs. */
static void blend_run(const struct posenc__wave_rows *rows, struct posenc__blend *blend,
                      struct place place, size_t first, struct halves *halves, size_t count)
{
    const bool is_kept = place.is_split && rows->near;
    const ptrdiff_t toward = blend->row_stride < 0 ? -1 : 1, size = (ptrdiff_t)count;

    blend->origin = place.distance;
    if (is_kept) {
        const ptrdiff_t last = place.distance + toward * (size - 1);

        blend->near = rows->near + first;
        blend->near_stride = 2 * rows->waves.count;
        blend->near_cosines = rows->waves.count;
        posenc__blend(blend, toward > 0 ? place.distance : last,
                      (toward > 0 ? last : place.distance) + 1);
        return;
    }
    blend->near = halves->near_sines;
    blend->near_stride = 0;
    blend->near_cosines = (size_t)(halves->near_cosines - halves->near_sines);
    for (size_t i = 0; i < count; i++, place.distance += toward) {
        find_near(rows, place, first, blend->waves, halves);
        posenc__blend(blend, place.distance, place.distance + 1);
    }
}

static void sincos_part(const struct posenc__wave_rows *rows, size_t row, size_t first,
                        size_t count, double *sines, double *cosines)
{
    const struct place place = place_of(rows, row);
    double out[2][POSENC__BLEND_WAVES];
    struct halves halves;

    /* Blended with a middle at 0, a distance would stay as it is. */
    const bool is_near = place.middle == 0 && rows->rest == 0 && place.distance >= 0;

    if (!place.is_split || (is_near && !rows->near)) {
        direct(rows, posenc__position_at(&rows->positions, row), first, count, sines, cosines);
        return;
    }
    struct posenc__blend blend = {.form = POSENC__BLEND_BOTH,
                                  .dtype = POSENC_FLOAT64,
                                  .waves = count,
                                  .sines = halves.sines,
                                  .cosines = halves.cosines,
                                  .sine_factor = 1,
                                  .cosine_factor = 1,
                                  .out = out,
                                  .cosine = POSENC__BLEND_WAVES};

    find_middle(rows, row, place, first, count, &halves);
    blend_run(rows, &blend, place, first, &halves, 1);
    for (size_t i = 0; sines && i < count; i++)
        sines[i] = out[0][i];
    for (size_t i = 0; cosines && i < count; i++)
        cosines[i] = out[1][i];
}

void posenc__wave_rows_sincos(const struct posenc__wave_rows *rows, size_t row, size_t first,
                              size_t count, double *sines, double *cosines)
{
    for (size_t done = 0; done < count;) {
        const size_t left = count - done;
        const size_t part = left < POSENC__BLEND_WAVES ? left : POSENC__BLEND_WAVES;

        sincos_part(rows, row, first + done, part, sines ? sines + done : NULL,
                    cosines ? cosines + done : NULL);
        done += part;
    }
}

void posenc__wave_at(const struct posenc__waves *waves, struct posenc__dd position, size_t first,
                     size_t count, double *sines, double *cosines)
{
    const struct posenc__positions positions = {.count = 1, .list = &position.hi, .step = 1};
    struct posenc__wave_rows rows;

    if (position.lo == 0) {
        settle(&rows, waves, &positions);
        posenc__wave_rows_sincos(&rows, 0, first, count, sines, cosines);
    } else {
        posenc__sincos(waves, position, first, count, sines, cosines);
    }
}

/* How many rows from `row` on share a middle, at distances that follow one another. */
static size_t run_length(const struct posenc__wave_rows *rows, struct place place, size_t row,
                         size_t limit)
{
    const double *const list = rows->positions.list;
    size_t length = 1;

    if (!place.is_split || (!list && rows->direction == 0))
        return 1;
    const ptrdiff_t reach = place.middle == 0 ? 2 * rows->reach : rows->reach;
    const size_t room =
        (size_t)(rows->direction < 0 ? place.distance + reach + 1 : reach - place.distance);
    const size_t most = room < limit ? room : limit;

    if (!list)
        return most;
    while (length < most && list[row + length] == list[row] + (double)length)
        length++;
    return length;
}

/* A blend for a layout's forms, of waves from `first` on. */
static struct posenc__blend blend_for(const struct posenc__wave_layout *layout,
                                      enum posenc_dtype dtype, size_t first,
                                      const struct halves *halves)
{
    const bool is_wide =
        layout->form == POSENC__BLEND_MIXED || layout->form == POSENC__BLEND_DOUBLED;
    const size_t skipped = is_wide ? 2 * first : first;

    return (struct posenc__blend){
        .form = layout->form,
        .dtype = dtype,
        .sines = layout->starts_with_cosine ? halves->cosines : halves->sines,
        .cosines = layout->starts_with_cosine ? halves->sines : halves->cosines,
        .sine_factor = layout->starts_with_cosine ? layout->cosine_factor : layout->sine_factor,
        .cosine_factor = layout->starts_with_cosine ? layout->sine_factor : layout->cosine_factor,
        .sine = layout->sine + skipped,
        .cosine = layout->cosine + skipped};
}

static void fill_run(const struct posenc__wave_rows *rows, const struct posenc__wave_layout *layout,
                     enum posenc_dtype dtype, size_t row, struct place place, size_t count,
                     void *out)
{
    const size_t waves = rows->waves.count;
    const ptrdiff_t width = (ptrdiff_t)layout->width;
    struct halves halves;

    for (size_t first = 0; first < waves; first += POSENC__BLEND_WAVES) {
        const size_t left = waves - first;
        struct posenc__blend blend = blend_for(layout, dtype, first, &halves);

        blend.waves = left < POSENC__BLEND_WAVES ? left : POSENC__BLEND_WAVES;
        blend.out = out;
        blend.row_stride = rows->direction < 0 ? -width : width;
        find_middle(rows, row, place, first, blend.waves, &halves);
        for (size_t i = 0; layout->starts_with_cosine && i < blend.waves; i++)
            halves.sines[i] = 0.0 - halves.sines[i];
        blend_run(rows, &blend, place, first, &halves, count);
    }
}

void posenc__wave_rows_fill(const struct posenc__wave_rows *rows,
                            const struct posenc__wave_layout *layout, enum posenc_dtype dtype,
                            size_t first, size_t count, void *out)
{
    const size_t row_bytes = layout->width * posenc_dtype_size(dtype);

    for (size_t done = 0; done < count;) {
        const struct place place = place_of(rows, first + done);
        const size_t part = run_length(rows, place, first + done, count - done);

        fill_run(rows, layout, dtype, first + done, place, part, (char *)out + done * row_bytes);
        done += part;
    }
}

struct posenc__wave_layout posenc__wave_halves(const struct posenc__wave_rows *rows,
                                               bool cosine_first, size_t width)
{
    const size_t half = rows->waves.count;

    return (struct posenc__wave_layout){.form = POSENC__BLEND_BOTH,
                                        .width = width,
                                        .sine = cosine_first ? half : 0,
                                        .cosine = cosine_first ? 0 : half,
                                        .sine_factor = 1,
                                        .cosine_factor = 1};
}

void posenc__wave_halves_span(const struct posenc__wave_rows *rows, bool cosine_first, size_t row,
                              size_t begin, size_t end, double *out)
{
    const size_t half = rows->waves.count;

    for (size_t column = begin; column < end;) {
        const bool is_second = column >= half, is_cosine = is_second != cosine_first;
        const size_t limit = is_second || end < half ? end : half;
        double *const part = out + (column - begin);

        posenc__wave_rows_sincos(rows, row, is_second ? column - half : column, limit - column,
                                 is_cosine ? NULL : part, is_cosine ? part : NULL);
        column = limit;
    }
}
