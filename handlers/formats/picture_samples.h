/* Which elements of a tensor a picture shows, and their range. */
#ifndef POSENC_PICTURE_SAMPLES_H
#define POSENC_PICTURE_SAMPLES_H

#include "format.h"
#include "picture_axes.h"

#define PICTURE_PANELS_MAX ((size_t)8)
#define PICTURE_CELLS_MAX  ((size_t)512) /* samples of each axis of one panel */
#define PICTURE_SHARED_MAX ((size_t)256) /* the same where panels share the picture */
#define PICTURE_ELEMENTS_MAX                                                                       \
    (PICTURE_SHARED_MAX * PICTURE_SHARED_MAX * PICTURE_PANELS_MAX * PICTURE_STRIDE_FILL)
#define PICTURE_STRIDE_FILL ((size_t)9) /* up to it, what lies between samples is computed too */

struct picture_samples {
    const struct posenc_tensor *tensor;
    /* The last three axes; those that the tensor lacks have the size 1. Of all axes before only
     * the first place is shown. */
    struct picture_axis panels, rows, columns;
    bool is_slice;        /* there are other places before */
    const double *values; /* [panels][rows][columns], in the memory */
    size_t minus_infinities, plus_infinities, nans;
    bool has_range;
    double low, high; /* of the finite ones; low <= high */
};

/* Chooses, computes and measures; at most about 4 million elements are computed. */
enum posenc_status picture_sample(const struct format_input *input, struct posenc_memory *memory,
                                  struct picture_samples *samples, struct posenc_problem *problem);

/* Values that a scale can run between, low < high: the range, or more where it is too narrow. */
void picture_widen_range(double *low, double *high);

#endif
