#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

TestSuite(svg, .init = set_up, .fini = tear_down);

static char *read_svg(const struct posenc_tensor *tensor, const char *parameter)
{
    static const struct posenc_operation operation = {.name = "table"};
    const struct posenc_member members[] = {{"name", posenc_text(parameter)}};
    const struct posenc_result result = {.operation = &operation, .parameters = {members, 1}};
    const struct format_input input = {&result, tensor, false, NULL};
    const struct format_body body = opened_body(&format_svg, &input, &memory);
    size_t size;

    cr_assert_neq(body.length, UINT64_MAX, "the length is known");
    return whole_body(&body, 4096, &size);
}

/* Steps over text and entities up to the next tag or the end. */
static const char *skip_text(const char *at)
{
    while (*at && *at != '<') {
        cr_assert_neq(*at, '>');
        if (*at == '&')
            cr_assert(strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0 ||
                      strncmp(at, "&amp;", 5) == 0);
        at++;
    }
    return at;
}

/* Steps over name="value" pairs up to the tag's end. */
static const char *skip_attributes(const char *at)
{
    while (*at == ' ') {
        at += strspn(at, " ");
        const size_t name = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0-:1");

        cr_assert_gt(name, 0, "%.40s", at);
        cr_assert_eq(strncmp(at + name, "=\"", 2), 0, "%.40s", at);
        at += name + 2;
        const size_t value = strcspn(at, "\"<&");

        cr_assert_eq(at[value], '"');
        at += value + 1;
    }
    return at;
}

/* Fails unless the text is one element with well-formed ones inside; returns how many. */
static size_t count_elements(const char *at)
{
    static const char declaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    const char *open[16];
    size_t depth = 0, count = 0;

    cr_assert_eq(strncmp(at, declaration, strlen(declaration)), 0);
    for (at += strlen(declaration); *at; at = skip_text(at)) {
        cr_assert(depth > 0 || count == 0, "one root");
        const bool is_end = at[1] == '/';
        const char *const name = at + 1 + is_end;
        const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz");

        cr_assert_gt(length, 0);
        at = skip_attributes(name + length);
        if (is_end) {
            cr_assert_gt(depth, 0);
            cr_assert_eq(strncmp(open[--depth], name, length + 1 - (*at == '>')), 0, "%.20s", name);
            cr_assert_eq(*at, '>');
        } else if (count++, *at == '/') {
            at++;
        } else {
            cr_assert_lt(depth, 16);
            open[depth++] = name;
        }
        cr_assert_eq(*at++, '>');
    }
    cr_assert_eq(depth, 0);
    return count;
}

Test(svg, is_well_formed_whatever_the_tensor)
{
    static const double numbers[] = {1, -INFINITY, NAN, -1, INFINITY, 0.25};
    static const struct {
        size_t rank, shape[4];
    } cases[] = {{0, {0}}, {1, {6}}, {2, {2, 3}}, {3, {3, 1, 2}}, {4, {1, 1, 3, 2}}, {2, {0, 4}}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct posenc_tensor tensor = pictured_tensor(cases[i].rank, cases[i].shape, numbers);
        char *const text = read_svg(&tensor, "x");

        cr_expect_gt(count_elements(text), 15);
        free(text);
    }
}

Test(svg, escapes_what_comes_from_clients)
{
    const struct posenc_tensor tensor = pictured_tensor(1, (size_t[]){3}, NULL);
    char *const text = read_svg(&tensor, "]]>&amp;<script>\"'\x1b\xff");

    cr_expect_gt(count_elements(text), 15);
    cr_expect_null(strstr(text, "<script"));
    cr_expect(strstr(text, ">name=]]&gt;&amp;amp;&lt;script&gt;\"'?"
                           "?</text>"),
              "%s", text);
    cr_expect(strstr(text, "<title>table: bias, float64 [3]</title>"));
    free(text);
}

/* Returns the number of bytes. */
static size_t decode_base64(const char *text, size_t length, unsigned char *bytes)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    size_t size = 0;

    cr_assert_eq(length % 4, 0);
    for (size_t i = 0; i < length; i++) {
        const char *const digit = strchr(alphabet, text[i]);

        cr_assert(digit || (text[i] == '=' && i + 2 >= length), "%c", text[i]);
        bits = bits << 6 | (digit ? (uint32_t)(digit - alphabet) : 0);
        for (size_t j = 0; i % 4 == 3 && j < 3; j++)
            bytes[size++] = (unsigned char)(bits >> (16 - 8 * j));
    }
    return size - (text[length - 1] == '=') - (text[length - 2] == '=');
}

Test(svg, has_text_as_text_and_cells_as_a_png_picture)
{
    const struct posenc_tensor tensor = pictured_tensor(2, (size_t[]){30, 40}, NULL);
    char *const text = read_svg(&tensor, "x");
    const char *const image = strstr(text, "base64,");

    cr_assert(image);
    const size_t length = strcspn(image + 7, "\"");
    unsigned char *const bytes = malloc(length);
    const size_t size = decode_base64(image + 7, length, bytes);

    cr_expect_eq(memcmp(bytes, "\x89PNG\r\n\x1a\n", 8), 0);
    cr_expect_eq(memcmp(bytes + size - 8, "IEND\xae\x42\x60\x82", 8), 0, "to the last byte");
    free(bytes);
    cr_expect(strstr(text, ">1000</text>"), "a number at the scale");
    cr_expect(strstr(text, ">axis 0</text>"));
    cr_expect_lt(strlen(text), (size_t)200000);
    free(text);
}

/* Another program's font may be wider than the one that the lines were broken by. */
Test(svg, says_how_wide_the_lines_of_its_caption_are_and_leaves_numbers_alone)
{
    const struct posenc_tensor tensor = pictured_tensor(1, (size_t[]){3}, NULL);
    char *const text = read_svg(&tensor, "x");
    size_t lines = 0;

    for (const char *at = text; (at = strstr(at, " textLength=\"")) != NULL; lines++) {
        char *end;

        at += strlen(" textLength=\"");
        cr_expect_gt(strtol(at, &end, 10), 20);
        cr_expect_eq(strncmp(end, "\" lengthAdjust=\"spacingAndGlyphs\" ", 34), 0, "%.60s", end);
    }
    cr_expect_eq(lines, 2, "the title and the parameters");
    free(text);
}

Test(svg, has_curves_as_lines)
{
    static const double numbers[] = {0, 1, 0.5};
    const struct posenc_tensor tensor = pictured_tensor(1, (size_t[]){3}, numbers);
    char *const text = read_svg(&tensor, "x");
    const char *points = strstr(text, " points=\"");
    double x[3], y[3];
    int read = 0;

    cr_assert(points);
    cr_assert_eq(sscanf(points, " points=\"%lf,%lf %lf,%lf %lf,%lf\"%n", &x[0], &y[0], &x[1], &y[1],
                        &x[2], &y[2], &read),
                 6);
    cr_expect_gt(read, 0);
    cr_expect_float_eq(x[1] - x[0], x[2] - x[1], 0.11, "tenths of a pixel");
    cr_expect_float_eq((y[0] - y[1]) / 2, y[2] - y[1], 0.11);
    cr_expect_gt(y[0], y[1], "larger is higher");
    free(text);
}

Test(svg, says_when_memory_is_out)
{
    const struct posenc_tensor tensor = pictured_tensor(3, (size_t[]){2, 9, 9}, NULL);
    const struct format_input input = {NULL, &tensor, false, NULL};

    expect_no_memory_first(&format_svg, &input);
}
