/* Samples lie evenly; a picture that shows all elements has strides of 1. */
#include "picture_samples.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SAMPLE_BLOCK ((size_t)512) /* elements computed at a time */

#define NARROW 1e-12  /* a range of less, relative to its bounds, is one value */
#define TINY   1e-290 /* the same near zero, where a step would underflow */

static void set_axis(struct picture_axis *axis, size_t size, size_t count_max)
{
    axis->size = size;
    axis->stride = size > count_max ? (size + count_max - 1) / count_max : 1;
    axis->count = (size + axis->stride - 1) / axis->stride;
}

/* Strides are odd, so that of sines and cosines that alternate both are shown. */
static void set_odd_axis(struct picture_axis *axis, size_t size, size_t count_max)
{
    set_axis(axis, size, count_max);
    if (axis->stride % 2 == 0) {
        axis->stride++;
        axis->count = (size + axis->stride - 1) / axis->stride;
    }
}

static void choose(struct picture_samples *samples)
{
    const struct posenc_tensor *const tensor = samples->tensor;
    const size_t rank = tensor->rank;
    size_t size[3] = {1, 1, 1};

    for (size_t i = 0; i < 3 && i < rank; i++)
        size[2 - i] = tensor->shape[rank - 1 - i];
    set_axis(&samples->panels, size[0], PICTURE_PANELS_MAX);

    const size_t most = samples->panels.count > 1 ? PICTURE_SHARED_MAX : PICTURE_CELLS_MAX;

    set_odd_axis(&samples->rows, size[1], most);
    set_odd_axis(&samples->columns, size[2], most);
    for (size_t i = 3; i < rank; i++)
        samples->is_slice = samples->is_slice || tensor->shape[rank - 1 - i] > 1;
}

static void fill(const struct posenc_tensor *tensor, size_t first, size_t count, double *numbers)
{
    _Alignas(64) char elements[SAMPLE_BLOCK * sizeof(double)];

    posenc_fill(tensor, first, count, elements);
    posenc_widen(tensor->dtype, elements, count, numbers);
}

/* The samples of one row, which starts at element `first`. */
static void sample_row(const struct posenc_tensor *tensor, const struct picture_axis *columns,
                       size_t first, double *values)
{
    double numbers[SAMPLE_BLOCK];
    const size_t stride = columns->stride;
    const size_t per_fill = stride <= PICTURE_STRIDE_FILL ? SAMPLE_BLOCK / stride : 1;

    for (size_t done = 0; done < columns->count; done += per_fill) {
        const size_t left = columns->count - done;
        const size_t count = left < per_fill ? left : per_fill;

        fill(tensor, first + done * stride, (count - 1) * stride + 1, numbers);
        for (size_t i = 0; i < count; i++)
            values[done + i] = numbers[i * stride];
    }
}

/* Elements that are computed for a row of samples. */
static size_t row_elements(const struct picture_axis *columns)
{
    return columns->stride <= PICTURE_STRIDE_FILL ? columns->count * columns->stride
                                                  : columns->count;
}

/* False when it is stopped. */
static bool sample_all(const struct picture_samples *samples, const struct posenc_memory *memory,
                       double *values)
{
    const uint64_t row_ns = posenc_fill_ns(samples->tensor, row_elements(&samples->columns));

    const struct picture_axis *const rows = &samples->rows, *const columns = &samples->columns;

    for (size_t panel = 0; panel < samples->panels.count; panel++) {
        for (size_t row = 0; row < rows->count; row++) {
            const size_t place = panel * samples->panels.stride * rows->size + row * rows->stride;

            if (!posenc_may_work(memory, row_ns))
                return false;
            sample_row(samples->tensor, columns, place * columns->size, values);
            values += columns->count;
        }
    }
    return true;
}

static void measure(struct picture_samples *samples, size_t count)
{
    samples->low = INFINITY;
    samples->high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double value = samples->values[i];

        if (isfinite(value)) {
            samples->low = fmin(samples->low, value);
            samples->high = fmax(samples->high, value);
        } else if (isnan(value)) {
            samples->nans++;
        } else if (value < 0) {
            samples->minus_infinities++;
        } else {
            samples->plus_infinities++;
        }
    }
    samples->has_range = samples->low <= samples->high;
}

enum posenc_status picture_sample(const struct format_input *input, struct posenc_memory *memory,
                                  struct picture_samples *samples, struct posenc_problem *problem)
{
    memset(samples, 0, sizeof *samples);
    samples->tensor = input->tensor;
    choose(samples);
    picture_name_axes(
        input->result, input->tensor,
        (struct picture_axis *[]){&samples->columns, &samples->rows, &samples->panels});

    const size_t count = input->tensor->count > 0
                             ? samples->panels.count * samples->rows.count * samples->columns.count
                             : 0;
    double *const values = posenc_allocate(memory, count, sizeof *values);

    if (!values)
        return format_no_memory(problem);
    if (count > 0 && !sample_all(samples, memory, values))
        return format_cancelled(problem);
    samples->values = values;
    measure(samples, count);
    return POSENC_OK;
}

void picture_widen_range(double *low, double *high)
{
    const double largest = fmax(fabs(*low), fabs(*high));

    if (*high / 2 - *low / 2 > fmax(largest * NARROW, TINY))
        return;
    const double middle = *low;
    const double margin = largest > TINY ? fabs(middle) / 2 : 1;

    *low = fmax(middle - margin, -DBL_MAX);
    *high = fmin(middle + margin, DBL_MAX);
}
