/* Pixels that a picture is drawn on. */
#ifndef POSENC_PNG_CANVAS_H
#define POSENC_PNG_CANVAS_H

#include "picture_shapes.h"

struct png_canvas {
    int width, height;
    uint8_t *pixels; /* palette indices, row by row; caller-owned */
};

/* Draws the shapes in their order on pixels that are all COLOUR_PAPER. */
void png_canvas_draw(struct png_canvas *canvas, const struct picture *picture);

/* The same for one PICTURE_CELLS whose left and top are 0. */
void png_canvas_draw_cells(struct png_canvas *canvas, const struct picture_shape *cells);

#endif
