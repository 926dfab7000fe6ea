#include "json_data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pictured.h"

/* All of the data; each cell takes no more room than is promised. */
static const char *print(const struct posenc_tensor *tensor, bool pretty)
{
    static char text[1 << 16];
    static struct json_data data;
    char *at = text;

    json_data_begin(&data, tensor);
    while (data.cell < data.cells) {
        char *const end = json_data_print(&data, pretty, at);

        cr_assert(end > at && end <= at + JSON_ELEMENT_MAX);
        at = end;
        cr_assert_lt((size_t)(at - text) + JSON_ELEMENT_MAX, sizeof text);
    }
    *at = '\0';
    return text;
}

Test(json_data, is_nested_by_axis)
{
    static const struct {
        size_t rank, shape[POSENC_RANK_MAX];
        const char *text;
    } rows[] = {
        {0, {0}, "0"},
        {1, {1}, "[0]"},
        {1, {3}, "[0,1,2]"},
        {2, {3, 1}, "[[0],[1],[2]]"},
        {2, {2, 2}, "[[0,1],[2,3]]"},
        {3, {2, 1, 2}, "[[[0,1]],[[2,3]]]"},
        {4, {1, 1, 1, 1}, "[[[[0]]]]"},
        /* What is empty has brackets down to its first axis without items. */
        {1, {0}, "[]"},
        {2, {2, 0}, "[[],[]]"},
        {2, {0, 3}, "[]"},
        {3, {2, 1, 0}, "[[[]],[[]]]"},
        {3, {2, 0, 5}, "[[],[]]"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct posenc_tensor tensor = pictured_tensor(rows[i].rank, rows[i].shape, NULL);

        cr_expect_str_eq(print(&tensor, false), rows[i].text);
    }
}

Test(json_data, has_a_row_a_line_when_it_shall_be_pretty)
{
    const struct posenc_tensor three = pictured_tensor(3, (size_t[]){2, 2, 2}, NULL);
    const struct posenc_tensor one = pictured_tensor(1, (size_t[]){3}, NULL);
    const struct posenc_tensor none = pictured_tensor(2, (size_t[]){2, 0}, NULL);

    cr_expect_str_eq(print(&three, true), "[\n"
                                          "        [\n"
                                          "          [0, 1],\n"
                                          "          [2, 3]\n"
                                          "        ],\n"
                                          "        [\n"
                                          "          [4, 5],\n"
                                          "          [6, 7]\n"
                                          "        ]\n"
                                          "      ]");
    cr_expect_str_eq(print(&one, true), "[0, 1, 2]");
    cr_expect_str_eq(print(&none, true), "[[], []]", "brackets in place of elements");
}

Test(json_data, fits_a_full_rank)
{
    static const double longest[] = {-2.2250738585072014e-308, -2.2250738585072014e-308};
    const struct posenc_tensor tensor =
        pictured_tensor(8, (size_t[]){1, 1, 1, 1, 1, 1, 2, 1}, longest);
    const char *const text = print(&tensor, true);
    size_t opened = 0, closed = 0;

    for (const char *at = text; *at; at++) {
        opened += *at == '[';
        closed += *at == ']';
    }
    cr_expect_eq(opened, 9, "seven, and a row for each of two");
    cr_expect_eq(closed, 9);
    cr_expect(strstr(text, "\n                    [-2.2250738585072014e-308],\n"), "%s", text);
}

static void fill_integers(const void *plan, size_t first, size_t count, void *out)
{
    (void)plan;
    for (size_t i = 0; i < count; i++)
        ((int64_t *)out)[i] = INT64_MAX - (int64_t)(first + i);
}

Test(json_data, has_integers_to_their_last_digit_and_words_for_what_is_no_number)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, -0.0};
    const struct posenc_tensor longs = {"t", POSENC_INT64, 1, {2}, 2, fill_integers, NULL, 0};
    const struct posenc_tensor doubles = pictured_tensor(1, (size_t[]){4}, odd);

    cr_expect_str_eq(print(&longs, false), "[9223372036854775807,9223372036854775806]");
    cr_expect_str_eq(print(&doubles, false), "[\"NaN\",\"Infinity\",\"-Infinity\",-0.0]");
}

Test(json_data, is_computed_in_blocks_of_what_is_left)
{
    const struct posenc_tensor tensor = pictured_tensor(2, (size_t[]){7, 101}, NULL);
    const char *at = print(&tensor, false);

    cr_expect_eq(pictured_filled(), 707);
    for (unsigned i = 0; i < 707; i++) {
        char expected[16];

        at += strspn(at, "[],");
        (void)snprintf(expected, sizeof expected, "%u", i);
        cr_assert_eq(strncmp(at, expected, strlen(expected)), 0, "%u: %.8s", i, at);
        at += strlen(expected);
    }
    cr_expect_str_eq(at, "]]");
}

Test(json_data, counts_the_brackets_of_what_is_empty)
{
    const size_t large = (size_t)1 << 40;
    const struct posenc_tensor rows = pictured_tensor(3, (size_t[]){3, 5, 0}, NULL);
    const struct posenc_tensor none = pictured_tensor(3, (size_t[]){0, large, large}, NULL);
    const struct posenc_tensor many = pictured_tensor(3, (size_t[]){large, large, 0}, NULL);
    size_t cells;

    cr_assert(json_data_count(&rows, &cells));
    cr_expect_eq(cells, 15);
    cr_assert(json_data_count(&none, &cells));
    cr_expect_eq(cells, 1);
    cr_expect_not(json_data_count(&many, &cells), "2^80 pairs of brackets");
}
