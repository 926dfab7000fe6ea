/* Putting shapes into a picture, for those who lay it out. Texts are copied. */
#ifndef POSENC_PICTURE_DRAW_H
#define POSENC_PICTURE_DRAW_H

#include "picture_caption.h"
#include "picture_shapes.h"

#define PICTURE_MARGIN      36
#define PICTURE_SMALL       23              /* text sizes: numbers at ticks ... */
#define PICTURE_MEDIUM      25              /* ... names of axes, captions */
#define PICTURE_LINE        34              /* from one line of the caption to the next */
#define PICTURE_TICK        8               /* length of a tick */
#define PICTURE_GAP         10              /* between a tick and its number, a number and a name */
#define PICTURE_THIN        2               /* width of frames and ticks */
#define PICTURE_CAP(size)   ((size)*7 / 10) /* height of a capital */
#define PICTURE_WIDTH_LEAST 1200            /* so that captions have room */
#define PICTURE_TEXT_SAFETY 0.95 /* of a line: other people's fonts may be wider than ours */

void picture_rectangle(struct picture *picture, int x, int y, int width, int height,
                       uint8_t colour);

/* A frame around a place, outside it. */
void picture_frame(struct picture *picture, int x, int y, int width, int height);

struct picture_shape *picture_text(struct picture *picture, int x, int y, int size,
                                   enum picture_anchor anchor, const char *text);

void picture_cells(struct picture *picture, struct picture_shape cells);

void picture_curve(struct picture *picture, const struct picture_point *points, size_t count,
                   int width);

void picture_dot(struct picture *picture, struct picture_point middle, int radius);

/* A tick with its number: left of x, right of x, or below y. */
void picture_tick_left(struct picture *picture, int x, int y, const char *label);
void picture_tick_right(struct picture *picture, int x, int y, const char *label);
void picture_tick_below(struct picture *picture, int x, int y, const char *label);

/* The caption, from y on over the picture's width; its lines end the picture. */
void picture_finish(struct picture *picture, int y, const struct picture_caption *caption);

#endif
