/*
 * One tensor as a picture made of shapes (SVG 1.1): text is text. The cells of a heatmap are a PNG
 * picture inside, far smaller than a rectangle each: of many pixels a cell, since not all programs
 * enlarge without smoothing.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "json_text.h"
#include "picture.h"
#include "picture_body.h"
#include "picture_samples.h"
#include "png_canvas.h"
#include "png_image.h"

#define SVG_PIECE_MAX 512 /* bytes of one element without its text */

static const char fonts[] = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/* The document as it grows. */
struct svg {
    const struct picture *picture;
    struct posenc_memory *memory;
    struct json_text text; /* bytes that grow */
};

/* Appends a piece; %s takes short texts that need no escaping. */
__attribute__((format(printf, 2, 3))) static void append(struct svg *svg, const char *format, ...)
{
    char piece[SVG_PIECE_MAX];
    va_list arguments;

    va_start(arguments, format);
    const int length = vsnprintf(piece, sizeof piece, format, arguments);

    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof piece)
        svg->text.failed = true;
    else
        json_text_raw(&svg->text, piece, (size_t)length);
}

static void append_escaped(struct svg *svg, const char *text)
{
    for (const char *at = text; *at; at++) {
        switch (*at) {
        case '<':
            append(svg, "&lt;");
            break;
        case '>':
            append(svg, "&gt;");
            break;
        case '&':
            append(svg, "&amp;");
            break;
        default:
            json_text_raw(&svg->text, at, 1);
        }
    }
}

static void append_colour(struct svg *svg, const char *attribute, uint8_t index)
{
    const struct colour colour = svg->picture->palette[index];

    append(svg, " %s=\"#%02x%02x%02x\"", attribute, colour.red, colour.green, colour.blue);
}

/* A coordinate with one place behind the point, in any locale; not negative. */
static void append_tenths(struct svg *svg, double coordinate)
{
    const long tenths = lround(coordinate * 10);

    append(svg, "%ld.%ld", tenths / 10, tenths % 10);
}

/* RFC 4648, section 4. */
static void append_base64(struct svg *svg, const char *bytes, size_t size)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < size; i += 3) {
        const size_t count = size - i < 3 ? size - i : 3;
        char four[4] = "====";
        uint32_t bits = 0;

        for (size_t j = 0; j < 3; j++)
            bits = bits << 8 | (j < count ? (unsigned char)bytes[i + j] : 0);
        for (size_t j = 0; j <= count; j++)
            four[j] = alphabet[bits >> (18 - 6 * j) & 63];
        json_text_raw(&svg->text, four, sizeof four);
    }
}

/* The cells as they are in the PNG picture; false when memory is out. */
static bool encode_cells(struct svg *svg, struct picture_shape cells, struct png_bytes *png)
{
    struct png_canvas canvas = {
        cells.width, cells.height,
        posenc_allocate(svg->memory, (size_t)cells.width, (size_t)cells.height)};

    if (!canvas.pixels)
        return false;
    cells.x = cells.y = 0;
    png_canvas_draw_cells(&canvas, &cells);
    return png_image_encode(canvas.pixels, canvas.width, canvas.height, svg->picture->palette,
                            svg->memory, png);
}

static void append_cells(struct svg *svg, const struct picture_shape *shape)
{
    struct png_bytes png;

    if (!encode_cells(svg, *shape, &png)) {
        svg->text.failed = true;
        return;
    }
    append(svg,
           "<image x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" preserveAspectRatio=\"none\" "
           "style=\"image-rendering:optimizeSpeed;image-rendering:pixelated\" "
           "xlink:href=\"data:image/png;base64,",
           shape->x, shape->y, shape->width, shape->height);
    append_base64(svg, png.bytes, png.size);
    append(svg, "\"/>\n");
}

static void append_text(struct svg *svg, const struct picture_shape *shape)
{
    static const char *const anchors[] = {"start", "middle", "end"};

    append(svg, "<text x=\"%d\" y=\"%d\" font-size=\"%d\" text-anchor=\"%s\"", shape->x, shape->y,
           shape->size, anchors[shape->anchor]);
    if (shape->width > 0)
        append(svg, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"", shape->width);
    if (shape->is_bold)
        append(svg, " font-weight=\"bold\"");
    if (shape->is_upright)
        append(svg, " transform=\"rotate(-90 %d %d)\"", shape->x, shape->y);
    append_colour(svg, "fill", shape->colour);
    append(svg, ">");
    append_escaped(svg, shape->text);
    append(svg, "</text>\n");
}

static void append_curve(struct svg *svg, const struct picture_shape *shape)
{
    append(svg,
           "<polyline fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" "
           "stroke-width=\"%d\"",
           shape->size);
    append_colour(svg, "stroke", shape->colour);
    append(svg, " points=\"");
    for (size_t i = 0; i < shape->point_count; i++) {
        append(svg, i ? " " : "");
        append_tenths(svg, shape->points[i].x);
        append(svg, ",");
        append_tenths(svg, shape->points[i].y);
    }
    append(svg, "\"/>\n");
}

static void append_shape(struct svg *svg, const struct picture_shape *shape)
{
    switch (shape->kind) {
    case PICTURE_RECTANGLE:
        append(svg, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"", shape->x, shape->y,
               shape->width, shape->height);
        append_colour(svg, "fill", shape->colour);
        append(svg, "/>\n");
        break;
    case PICTURE_TEXT:
        append_text(svg, shape);
        break;
    case PICTURE_CELLS:
        append_cells(svg, shape);
        break;
    case PICTURE_CURVE:
        append_curve(svg, shape);
        break;
    case PICTURE_DOT:
        append(svg, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\"", shape->x, shape->y, shape->size);
        append_colour(svg, "fill", shape->colour);
        append(svg, "/>\n");
        break;
    }
}

static void append_document(struct svg *svg)
{
    const struct picture *const picture = svg->picture;

    append(svg, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" ");
    append(svg, "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>",
           picture->width / PICTURE_PER_CSS, picture->height / PICTURE_PER_CSS, picture->width,
           picture->height);
    append_escaped(svg, picture->title);
    append(svg, "</title>\n<desc>");
    append_escaped(svg, picture->description);
    append(svg, "</desc>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", picture->width,
           picture->height);
    append(svg, "<g font-family=\"%s\">\n", fonts);
    for (size_t i = 0; i < picture->shape_count; i++)
        append_shape(svg, &picture->shapes[i]);
    append(svg, "</g>\n</svg>\n");
}

/* Moves the document into the memory; NULL when that, or the writer, is out of it. */
static const char *keep(struct svg *svg)
{
    char *const bytes = svg->text.failed ? NULL : posenc_allocate(svg->memory, svg->text.length, 1);

    if (bytes)
        memcpy(bytes, svg->text.bytes, svg->text.length);
    return bytes;
}

static enum posenc_status svg_open(const struct format_input *input, struct posenc_memory *memory,
                                   struct format_body *body, struct posenc_problem *problem)
{
    struct picture *const picture = posenc_allocate(memory, 1, sizeof *picture);
    struct svg svg = {.text.watch = memory->watch, .picture = picture, .memory = memory};

    if (!picture)
        return format_no_memory(problem);
    if (picture_make(input, memory, picture, problem) != POSENC_OK)
        return problem->status;
    append_document(&svg);
    const size_t size = svg.text.length;
    const char *const bytes = keep(&svg);

    json_text_release(&svg.text);
    return bytes ? picture_open(bytes, size, memory, body, problem) : format_no_memory(problem);
}

const struct format format_svg = {
    .name = "svg",
    .media_type = "image/svg+xml",
    .extension = "svg",
    .summary = "the picture of png as shapes and text, for print",
    .carries_one_tensor = true,
    .is_drawn = true,
    .open_ns = 20000000,
    .open_elements_max = PICTURE_ELEMENTS_MAX,
    .open = svg_open,
};
