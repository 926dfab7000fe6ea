#include "png_image.h"

#include <criterion/criterion.h>
#include <png.h>
#include <string.h>

#include "writing.h"

WRITING_SUITE(png_image);

#define WIDTH  37
#define HEIGHT 23

static uint8_t pixels[WIDTH * HEIGHT];
static struct colour palette[COLOUR_COUNT];

/* Pixels that no compressor can shorten, in as many colours as there are. */
static struct png_bytes encode(void)
{
    struct png_bytes png;
    uint32_t state = 1;

    for (size_t i = 0; i < sizeof pixels; i++) {
        state = state * 1664525 + 1013904223;
        pixels[i] = (uint8_t)(state >> 24);
    }
    for (unsigned i = 0; i < COLOUR_COUNT; i++)
        palette[i] = (struct colour){(uint8_t)i, (uint8_t)(255 - i), (uint8_t)(i * 7)};
    cr_assert(png_image_encode(pixels, WIDTH, HEIGHT, palette, &memory, &png));
    return png;
}

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The checksum of a chunk's type and data (ISO/IEC 15948, annex D), bit by bit. */
static uint32_t crc_of(const unsigned char *bytes, size_t count)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320U : crc >> 1;
    }
    return ~crc;
}

Test(png_image, has_whole_chunks_in_their_order)
{
    const struct png_bytes png = encode();
    const unsigned char *const bytes = (const unsigned char *)png.bytes;
    size_t at = 8, data = 0;
    char types[400] = "";

    cr_assert_eq(memcmp(bytes, "\x89PNG\r\n\x1a\n", 8), 0);
    while (at < png.size) {
        cr_assert_leq(at + 12, png.size);
        const uint32_t length = big_endian(bytes + at);

        cr_assert_leq(length, png.size - at - 12);
        cr_expect_eq(big_endian(bytes + at + 8 + length), crc_of(bytes + at + 4, length + 4));
        (void)strncat(types, (const char *)bytes + at + 4, 4);
        data += memcmp(bytes + at + 4, "IDAT", 4) == 0;
        at += length + 12;
    }
    cr_expect_eq(at, png.size);
    cr_expect_eq(strncmp(types, "IHDR", 4), 0);
    cr_expect(strstr(types, "PLTEIDAT"), "%s", types);
    cr_expect_str_eq(types + strlen(types) - 4, "IEND");
    cr_expect_geq(data, 1);
    cr_expect_eq(big_endian(bytes + 16), WIDTH);
    cr_expect_eq(big_endian(bytes + 20), HEIGHT);
    cr_expect_eq(bytes[24], 8, "bits of a pixel");
    cr_expect_eq(bytes[25], 3, "indexed colour");
}

Test(png_image, reads_back_to_the_same_colours)
{
    const struct png_bytes png = encode();
    static struct colour decoded[WIDTH * HEIGHT];
    png_image image = {.version = PNG_IMAGE_VERSION};

    cr_assert(png_image_begin_read_from_memory(&image, png.bytes, png.size));
    image.format = PNG_FORMAT_RGB;
    cr_assert_eq(PNG_IMAGE_SIZE(image), sizeof decoded);
    cr_assert(png_image_finish_read(&image, NULL, decoded, 0, NULL));
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        cr_assert_eq(memcmp(&decoded[i], &palette[pixels[i]], sizeof *palette), 0, "pixel %zu", i);
}

Test(png_image, is_refused_when_there_is_no_memory_for_its_bytes)
{
    struct png_bytes png;

    memory.limit = 100;
    cr_expect_not(png_image_encode(pixels, WIDTH, HEIGHT, palette, &memory, &png));
}
