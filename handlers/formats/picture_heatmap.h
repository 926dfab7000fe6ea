/* The layout of tensors of two axes and more: a map of colours, with a scale. */
#ifndef POSENC_PICTURE_HEATMAP_H
#define POSENC_PICTURE_HEATMAP_H

#include "picture_caption.h"
#include "picture_samples.h"
#include "picture_shapes.h"

/* Draws all of the picture, caption included, and sets its size. The picture comes with room for
 * its shapes, and with nothing in it. */
void picture_heatmap(struct picture *picture, const struct picture_samples *samples,
                     struct picture_caption *caption);

#endif
