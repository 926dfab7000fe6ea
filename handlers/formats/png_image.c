/* libpng's simple calls, which come without its longjmp(). */
#include "png_image.h"

#include <png.h>

bool png_image_encode(const uint8_t *pixels, int width, int height,
                      const struct colour palette[COLOUR_COUNT], struct posenc_memory *memory,
                      struct png_bytes *png)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB_COLORMAP,
                       .colormap_entries = COLOUR_COUNT};
    /* Deflate adds a few bytes to what it cannot shorten; libpng's own bound says how many. */
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    char *const bytes = posenc_allocate(memory, size, 1);
    const bool is_written =
        bytes && png_image_write_to_memory(&image, bytes, &size, 0, pixels, width, palette);

    png_image_free(&image);
    *png = (struct png_bytes){bytes, size};
    return is_written;
}
