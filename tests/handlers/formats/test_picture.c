#include "picture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "pictured.h"
#include "writing.h"

WRITING_SUITE(picture);

/* What a shape covers. */
struct box {
    double left, top, right, bottom;
};

static struct box box_of(const struct picture_shape *shape)
{
    const double length = shape->kind == PICTURE_TEXT
                              ? picture_font_width(shape->text, strlen(shape->text), shape->size)
                              : 0;
    const double before = shape->anchor == PICTURE_START ? 0
                          : shape->anchor == PICTURE_END ? length
                                                         : length / 2;
    const double above = 0.7 * shape->size;

    if (shape->kind != PICTURE_TEXT)
        return (struct box){shape->x, shape->y, shape->x + shape->width, shape->y + shape->height};
    if (shape->is_upright)
        return (struct box){shape->x - above, shape->y + before - length, shape->x,
                            shape->y + before};
    return (struct box){shape->x - before, shape->y - above, shape->x - before + length, shape->y};
}

static bool do_touch(struct box a, struct box b)
{
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/* Texts stand inside the picture, apart from one another and from cells; cells stand inside. */
static void expect_order(const struct picture *picture, const char *name)
{
    cr_expect(picture->width > 0 && picture->width <= 2600, "%s: %d", name, picture->width);
    cr_expect(picture->height > 0 && picture->height <= 1600, "%s: %d", name, picture->height);
    for (size_t i = 0; i < picture->shape_count; i++) {
        const struct box box = box_of(&picture->shapes[i]);

        cr_expect(box.left >= 0 && box.top >= 0 && box.right <= picture->width &&
                      box.bottom <= picture->height,
                  "%s: shape %zu is inside", name, i);
        for (size_t j = 0; j < i && picture->shapes[i].kind == PICTURE_TEXT; j++) {
            const struct picture_shape *const other = &picture->shapes[j];

            if (other->kind == PICTURE_TEXT || other->kind == PICTURE_CELLS)
                cr_expect_not(do_touch(box, box_of(other)), "%s: '%s' touches '%s'", name,
                              picture->shapes[i].text, other->text ? other->text : "cells");
        }
    }
}

Test(picture, keeps_its_texts_apart_whatever_the_shape)
{
    static const struct {
        const char *name;
        size_t rank, shape[4];
    } cases[] = {
        {"scalar", 0, {0}},
        {"empty list", 1, {0}},
        {"lone element", 1, {1}},
        {"short list", 1, {12}},
        {"long list", 1, {2000000}},
        {"one cell", 2, {1, 1}},
        {"empty", 2, {0, 8}},
        {"empty the other way", 2, {8, 0}},
        {"square", 2, {128, 128}},
        {"wide", 2, {1, 4096}},
        {"tall", 2, {4096, 1}},
        {"large", 2, {1000000, 4096}},
        {"just not sampled", 2, {512, 512}},
        {"two panels", 3, {2, 9, 70}},
        {"three panels", 3, {3, 513, 3}},
        {"five panels", 3, {5, 100, 100}},
        {"eight panels", 3, {8, 256, 256}},
        {"many panels of one cell", 3, {4096, 1, 1}},
        {"empty panels", 3, {4, 0, 7}},
        {"no panels", 3, {0, 7, 7}},
        {"slices", 4, {3, 32, 20, 20}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct picture picture =
            pictured_make(pictured_tensor(cases[i].rank, cases[i].shape, NULL), &memory);

        expect_order(&picture, cases[i].name);
        cr_expect_eq(strncmp(picture.title, "alibi table: bias, float64 [", 28), 0);
    }
}

Test(picture, of_a_tensor_without_a_finite_element_keeps_its_order_too)
{
    static const double numbers[] = {-INFINITY, -INFINITY};
    const struct picture map =
        pictured_make(pictured_tensor(2, (size_t[]){2, 1}, numbers), &memory);
    const struct picture plot = pictured_make(pictured_tensor(1, (size_t[]){2}, numbers), &memory);

    expect_order(&map, "masked map");
    expect_order(&plot, "masked list");
}
