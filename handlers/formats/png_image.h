/* Pixels as a PNG file (ISO/IEC 15948), by libpng. */
#ifndef POSENC_PNG_IMAGE_H
#define POSENC_PNG_IMAGE_H

#include <stddef.h>

#include "colour.h"
#include "posenc.h"

struct png_bytes {
    const char *bytes; /* in the memory */
    size_t size;
};

/* width x height indices into the palette, row by row; false when memory is out. */
bool png_image_encode(const uint8_t *pixels, int width, int height,
                      const struct colour palette[COLOUR_COUNT], struct posenc_memory *memory,
                      struct png_bytes *png);

#endif
