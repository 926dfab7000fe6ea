#include "picture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "pictured.h"

static struct posenc_memory memory;

static void set_up(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
}

static void tear_down(void)
{
    posenc_memory_release(&memory);
}

TestSuite(picture, .init = set_up, .fini = tear_down);

static struct picture make(struct posenc_tensor tensor)
{
    static const struct posenc_tensor_row rows[] = {
        {"bias", "[heads, query_length, key_length]", "what is added"}, {.name = NULL}};
    static const struct posenc_operation operation = {.name = "table", .tensors = rows};
    static const struct posenc_encoding encoding = {.name = "alibi"};
    static const struct posenc_result result = {.encoding = &encoding, .operation = &operation};
    const struct format_input input = {&result, &tensor, false};
    struct picture picture;
    struct posenc_problem problem;

    cr_assert_eq(picture_make(&input, &memory, &picture, &problem), POSENC_OK);
    return picture;
}

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

static const struct picture_shape *find_text(const struct picture *picture, const char *text)
{
    for (size_t i = 0; i < picture->shape_count; i++) {
        if (picture->shapes[i].kind == PICTURE_TEXT && strcmp(picture->shapes[i].text, text) == 0)
            return &picture->shapes[i];
    }
    return NULL;
}

static size_t count_kind(const struct picture *picture, enum picture_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < picture->shape_count; i++)
        count += picture->shapes[i].kind == kind;
    return count;
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
        const struct picture picture = make(pictured_tensor(cases[i].rank, cases[i].shape, NULL));

        expect_order(&picture, cases[i].name);
        cr_expect_eq(strncmp(picture.title, "alibi table: bias, float64 [", 28), 0);
    }
}

Test(picture, has_a_panel_for_each_head_and_one_scale)
{
    const struct picture picture = make(pictured_tensor(3, (size_t[]){4, 10, 12}, NULL));

    cr_expect_eq(count_kind(&picture, PICTURE_CELLS), 5);
    cr_expect(find_text(&picture, "head 0"));
    cr_expect(find_text(&picture, "head 3"));
    cr_expect(find_text(&picture, "key"));
    cr_assert(find_text(&picture, "query"));
    cr_expect(find_text(&picture, "query")->is_upright);
}

static const struct picture_shape *first_cells(const struct picture *picture)
{
    size_t i = 0;

    while (i < picture->shape_count && picture->shapes[i].kind != PICTURE_CELLS)
        i++;
    cr_assert_lt(i, picture->shape_count);
    return &picture->shapes[i];
}

Test(picture, puts_zero_in_the_middle_of_signed_values_only)
{
    static const double numbers[] = {-1, 0, 4, -INFINITY, 2, NAN};
    const struct picture around = make(pictured_tensor(2, (size_t[]){2, 3}, numbers));
    const struct picture positive = make(pictured_tensor(2, (size_t[]){1, 2}, numbers + 1));
    const uint8_t *const cells = first_cells(&around)->cells;

    cr_expect_eq(cells[0], COLOUR_SCALE + 75, "a quarter of the way down to -4");
    cr_expect_eq(cells[1], COLOUR_SCALE + 100);
    cr_expect_eq(cells[2], COLOUR_SCALE + 200);
    cr_expect_eq(cells[3], COLOUR_MINUS_INFINITY);
    cr_expect_eq(cells[5], COLOUR_NAN);
    cr_expect_eq(first_cells(&positive)->cells[0], COLOUR_SCALE);
    cr_expect_eq(first_cells(&positive)->cells[1], COLOUR_SCALE + 200);
    cr_expect(find_text(&around, "NaN"));
    cr_expect(find_text(&around, "-inf"));
    cr_expect_null(find_text(&around, "inf"));
}

Test(picture, has_no_scale_where_nothing_is_finite)
{
    static const double numbers[] = {-INFINITY, -INFINITY};
    const struct picture picture = make(pictured_tensor(2, (size_t[]){2, 1}, numbers));

    cr_expect_eq(count_kind(&picture, PICTURE_CELLS), 1);
    cr_expect_eq(first_cells(&picture)->cells[0], COLOUR_MINUS_INFINITY);
    cr_expect(find_text(&picture, "-inf"));
    expect_order(&picture, "masked");
}

Test(picture, says_that_a_tensor_is_empty)
{
    const struct picture map = make(pictured_tensor(2, (size_t[]){0, 5}, NULL));
    const struct picture plot = make(pictured_tensor(1, (size_t[]){0}, NULL));

    cr_expect(find_text(&map, "no elements"));
    cr_expect(find_text(&plot, "no elements"));
    cr_expect_eq(count_kind(&map, PICTURE_CELLS), 0);
}

Test(picture, breaks_a_curve_at_what_is_not_finite)
{
    static const double numbers[] = {1, 2, NAN, 3, INFINITY, INFINITY, 2, 1, -1};
    const struct picture picture = make(pictured_tensor(1, (size_t[]){9}, numbers));

    cr_expect_eq(count_kind(&picture, PICTURE_CURVE), 3);
    cr_expect_eq(count_kind(&picture, PICTURE_DOT), 6);
    cr_expect_eq(strncmp(picture.description, "Not finite, and left out: 3. ", 29), 0);
}

Test(picture, has_a_logarithmic_axis_for_positive_values_over_decades)
{
    static const double numbers[] = {1, 0.1, 0.01, 0.001};
    const struct picture picture = make(pictured_tensor(1, (size_t[]){4}, numbers));
    const struct picture linear = make(pictured_tensor(1, (size_t[]){3}, numbers));

    cr_expect(find_text(&picture, "bias (logarithmic)"));
    cr_expect(find_text(&picture, "0.001"));
    cr_expect(find_text(&linear, "bias"));
    for (size_t i = 0; i < picture.shape_count; i++) {
        const struct picture_shape *const shape = &picture.shapes[i];

        if (shape->kind == PICTURE_CURVE)
            cr_expect_float_eq(shape->points[1].y - shape->points[0].y,
                               shape->points[3].y - shape->points[2].y, 1e-6,
                               "decades are equally long");
    }
}
