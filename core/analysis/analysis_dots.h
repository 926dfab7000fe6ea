/* Sums of cosines: the dot product of two rows that stand an offset apart. */
#ifndef POSENC_ANALYSIS_DOTS_H
#define POSENC_ANALYSIS_DOTS_H

#include "analysis.h"

struct posenc__dots {
    struct posenc__wave_view view;
    struct posenc__positions offsets;
    double scale; /* multiplies the sums */
};

/* Reads the waves and the offsets: refuses several axes, and angles that are too large. */
enum posenc_status posenc__dots_read(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc__dots *dots, struct posenc_problem *problem);

/* scale * sum of cos(offset * w_i): the plan is struct posenc__dots. */
void posenc__dot_values(const void *dots, size_t first, size_t count, double *out);

/*
 * Plans a quantity that is a profile over offsets: values(dots) in a tensor that is called as the
 * operation is. A mean divides the scale by the number of waves.
 */
enum posenc_status posenc__plan_dots(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     posenc__values *values, bool is_mean,
                                     struct posenc_problem *problem);

#endif
