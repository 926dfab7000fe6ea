/* A block of columns: the sines and cosines of some waves at one position, in one of three orders.
 */
#ifndef POSENC_WAVE_COLUMNS_H
#define POSENC_WAVE_COLUMNS_H

#include "angle.h"

enum posenc__column_order {
    POSENC__SIN_COS,     /* s0 s1 s2 c0 c1 c2 */
    POSENC__COS_SIN,     /* c0 c1 c2 s0 s1 s2 */
    POSENC__INTERLEAVED, /* s0 c0 s1 c1 s2 c2 */
};

/* Columns [begin, end) of the block of 2 * waves->count columns; out[0] is column `begin`. */
void posenc__wave_columns(const struct posenc__waves *waves, enum posenc__column_order order,
                          struct posenc__dd position, size_t begin, size_t end, double *out);

#endif
