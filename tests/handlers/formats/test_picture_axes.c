#include "picture_axes.h"

#include <criterion/criterion.h>
#include <string.h>

#include "pictured.h"

static const struct posenc_tensor_row rows[] = {
    {"other", "[x]", ""},
    {"bias", "[heads, query_length, kv_width] or [offsets], [..., rows, dim]", "what is added"},
    {.name = NULL}};
static const struct posenc_operation operation = {.name = "table", .tensors = rows};
static const struct posenc_result result = {.operation = &operation};

static struct picture_axis last, before, first;

/* Names the axes of a tensor called "bias" that has so many. */
static void name_axes(const struct posenc_result *of, size_t rank)
{
    const struct posenc_tensor tensor =
        pictured_tensor(rank, (size_t[]){1, 1, 1, 1, 1, 1, 1, 1}, NULL);

    strcpy(last.name, "-");
    strcpy(before.name, "-");
    strcpy(first.name, "-");
    picture_name_axes(of, &tensor, (struct picture_axis *[]){&last, &before, &first});
}

Test(picture_axes, are_called_as_the_description_of_their_rank_says)
{
    static const struct {
        size_t rank;
        const char *last, *before, *first;
    } cases[] = {
        {3, "kv width", "query", "head"},  {1, "offset", "-", "-"},
        {2, "dimension", "row", "-"}, /* "..." may stand for no axis */
        {4, "dimension", "row", "axis 1"}, {0, "-", "-", "-"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        name_axes(&result, cases[i].rank);
        cr_expect_str_eq(last.name, cases[i].last, "rank %zu", cases[i].rank);
        cr_expect_str_eq(before.name, cases[i].before, "rank %zu", cases[i].rank);
        cr_expect_str_eq(first.name, cases[i].first, "rank %zu", cases[i].rank);
    }
}

Test(picture_axes, have_numbers_where_nothing_describes_them)
{
    name_axes(NULL, 4);
    cr_expect_str_eq(last.name, "axis 3");
    cr_expect_str_eq(before.name, "axis 2");
    cr_expect_str_eq(first.name, "axis 1");
    name_axes(&(struct posenc_result){0}, 1);
    cr_expect_str_eq(last.name, "index");
}

/* Names that the table of words has, and prefixes of them that it has not. */
Test(picture_axes, are_called_by_one_place_on_them)
{
    static const struct {
        const char *dims, *name;
    } cases[] = {
        {"[length]", "position"},  {"[dim]", "dimension"}, {"[heads]", "head"},
        {"[head]", "head"},        {"[pairs]", "pair"},    {"[key_length]", "key"},
        {"[key_len]", "key len"},  {"[len]", "len"},       {"[lengths]", "lengths"},
        {"words [a, b] [c]", "c"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct posenc_tensor_row row[] = {{"bias", cases[i].dims, ""}, {.name = NULL}};
        const struct posenc_operation one = {.tensors = row};

        name_axes(&(struct posenc_result){.operation = &one}, 1);
        cr_expect_str_eq(last.name, cases[i].name);
    }
}

Test(picture_axes, cut_a_name_that_has_no_room)
{
    char dims[200];
    const struct posenc_tensor_row row[] = {{"bias", dims, ""}, {.name = NULL}};
    const struct posenc_operation one = {.tensors = row};

    memset(dims, 'd', sizeof dims);
    dims[0] = '[';
    strcpy(dims + sizeof dims - 2, "]");
    name_axes(&(struct posenc_result){.operation = &one}, 1);
    cr_expect_eq(strlen(last.name), PICTURE_NAME_MAX - 1);
}

Test(picture_axes, find_the_description_of_a_tensor_by_its_name)
{
    struct posenc_tensor tensor = {.name = "bias"};

    cr_expect_eq(picture_tensor_row(&result, &tensor), &rows[1]);
    tensor.name = "bia";
    cr_expect_null(picture_tensor_row(&result, &tensor));
    cr_expect_null(picture_tensor_row(NULL, &tensor));
    cr_expect_null(picture_tensor_row(&(struct posenc_result){0}, &tensor));
}
