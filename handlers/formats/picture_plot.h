/* The layout of lists: a curve. */
#ifndef POSENC_PICTURE_PLOT_H
#define POSENC_PICTURE_PLOT_H

#include "picture_caption.h"
#include "picture_samples.h"
#include "picture_shapes.h"

/* Draws all of the picture, caption included, and sets its size. The picture comes with room for
 * its shapes, and with nothing in it. */
void picture_plot(struct picture *picture, const struct picture_samples *samples,
                  struct picture_caption *caption);

#endif
