#include <criterion/criterion.h>
#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "pictured.h"
#include "short_memory.h"
#include "whole_body.h"

static struct posenc_memory memory;

static void set_up(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
}

static void tear_down(void)
{
    posenc_memory_release(&memory);
}

TestSuite(png, .init = set_up, .fini = tear_down);

static char *read_png(const struct posenc_tensor *tensor, size_t step, size_t *size)
{
    const struct format_input input = {NULL, tensor, false, NULL};
    const struct format_body body = opened_body(&format_png, &input, &memory);

    cr_assert_neq(body.length, UINT64_MAX, "the length is known");
    return whole_body(&body, step, size);
}

/* Decoded by libpng. */
struct decoded {
    png_image image;
    struct colour *pixels;
};

static struct decoded decode(const struct posenc_tensor *tensor)
{
    struct decoded decoded = {.image = {.version = PNG_IMAGE_VERSION}};
    size_t size;
    char *const bytes = read_png(tensor, 4096, &size);

    cr_assert(png_image_begin_read_from_memory(&decoded.image, bytes, size));
    decoded.image.format = PNG_FORMAT_RGB;
    decoded.pixels = malloc(PNG_IMAGE_SIZE(decoded.image));
    cr_assert(png_image_finish_read(&decoded.image, NULL, decoded.pixels, 0, NULL));
    free(bytes);
    return decoded;
}

static size_t count_pixels(const struct decoded *decoded, struct colour colour)
{
    size_t count = 0;

    for (size_t i = 0; i < (size_t)decoded->image.width * decoded->image.height; i++)
        count += memcmp(&decoded->pixels[i], &colour, sizeof colour) == 0;
    return count;
}

Test(png, shows_each_cell_in_its_colour)
{
    static const double numbers[] = {-2, 0, 1, -INFINITY, 2, NAN};
    const struct posenc_tensor tensor = pictured_tensor(2, (size_t[]){2, 3}, numbers);
    const struct decoded decoded = decode(&tensor);
    struct colour palette[COLOUR_COUNT];

    colour_palette(COLOUR_AROUND_ZERO, palette);
    /* A cell of this small tensor covers 150 by 224 pixels; the scale and its swatches add a few.
     */
    static const uint8_t colours[] = {COLOUR_SCALE,          COLOUR_SCALE + 100, COLOUR_SCALE + 150,
                                      COLOUR_MINUS_INFINITY, COLOUR_SCALE + 200, COLOUR_NAN};

    for (size_t i = 0; i < 6; i++) {
        const size_t count = count_pixels(&decoded, palette[colours[i]]);

        cr_expect(count >= 150 * 224 && count < 150 * 224 + 1200, "cell %zu: %zu", i, count);
    }
    size_t first = 0;

    while (memcmp(&decoded.pixels[first], &palette[COLOUR_SCALE], sizeof *palette) != 0)
        first++;
    const size_t x = first % decoded.image.width, y = first / decoded.image.width;

    for (size_t i = 0; i < 6; i++) {
        const size_t pixel = (y + 100 + i / 3 * 224) * decoded.image.width + x + 75 + i % 3 * 150;

        cr_expect_eq(memcmp(&decoded.pixels[pixel], &palette[colours[i]], sizeof *palette), 0,
                     "cell %zu", i);
    }
    free(decoded.pixels);
}

Test(png, draws_text_dark_on_white)
{
    const struct posenc_tensor tensor = pictured_tensor(1, (size_t[]){20}, NULL);
    const struct decoded decoded = decode(&tensor);
    const size_t pixels = (size_t)decoded.image.width * decoded.image.height;
    struct colour palette[COLOUR_COUNT];

    colour_palette(COLOUR_ONE_SIGNED, palette);
    cr_expect_gt(count_pixels(&decoded, palette[COLOUR_PAPER]), pixels * 3 / 4);
    cr_expect_gt(count_pixels(&decoded, palette[COLOUR_INK]), 4000, "frame and letters");
    cr_expect_gt(count_pixels(&decoded, palette[COLOUR_INK / 2]), 50, "soft edges of letters");
    cr_expect_gt(count_pixels(&decoded, palette[COLOUR_CURVE]), 2000, "the curve and its dots");
    free(decoded.pixels);
}

Test(png, is_the_same_in_steps_of_any_size)
{
    const struct posenc_tensor tensor = pictured_tensor(2, (size_t[]){3, 3}, NULL);
    size_t size, other_size;
    char *const whole = read_png(&tensor, 1 << 20, &size);
    char *const other = read_png(&tensor, 7, &other_size);

    cr_expect_eq(size, other_size);
    cr_expect_eq(memcmp(whole, other, size), 0);
    cr_expect_lt(size, (size_t)1 << 20, "a picture is small");
    free(whole);
    free(other);
}

Test(png, says_when_memory_is_out)
{
    const struct posenc_tensor tensor = pictured_tensor(3, (size_t[]){2, 9, 9}, NULL);
    const struct format_input input = {NULL, &tensor, false, NULL};

    expect_no_memory_first(&format_png, &input);
}
