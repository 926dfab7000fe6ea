/*
 * One tensor as a picture made of pixels. Its size follows from the layout, which keeps it within
 * a few million; each takes one byte, and the file far less.
 */
#include <string.h>

#include "format.h"
#include "picture.h"
#include "picture_body.h"
#include "picture_samples.h"
#include "png_canvas.h"
#include "png_image.h"

static enum posenc_status png_open(const struct format_input *input, struct posenc_memory *memory,
                                   struct format_body *body, struct posenc_problem *problem)
{
    struct picture *const picture = posenc_allocate(memory, 1, sizeof *picture);
    struct png_bytes png;

    if (!picture)
        return format_no_memory(problem);
    if (picture_make(input, memory, picture, problem) != POSENC_OK)
        return problem->status;
    const size_t pixels = (size_t)picture->width * (size_t)picture->height;
    struct png_canvas canvas = {picture->width, picture->height,
                                posenc_allocate(memory, pixels, 1)};

    if (!canvas.pixels)
        return format_no_memory(problem);
    memset(canvas.pixels, COLOUR_PAPER, pixels);
    png_canvas_draw(&canvas, picture);
    if (!png_image_encode(canvas.pixels, canvas.width, canvas.height, picture->palette, memory,
                          &png))
        return format_no_memory(problem);
    return picture_open(png.bytes, png.size, memory, body, problem);
}

const struct format format_png = {
    .name = "png",
    .media_type = "image/png",
    .extension = "png",
    .summary = "one tensor as a picture: a heatmap with axes, scale and caption; a curve of a list",
    .carries_one_tensor = true,
    .is_drawn = true,
    .is_dense = true,
    .open_ns = 30000000,
    .open_elements_max = PICTURE_ELEMENTS_MAX,
    .open = png_open,
};
