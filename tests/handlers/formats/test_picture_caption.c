#include <criterion/criterion.h>
#include <string.h>

#include "picture_caption.h"
#include "picture_font.h"
#include "pictured.h"

static const struct posenc_tensor_row rows[] = {{"bias", "[heads, query, key]", "what is added"},
                                                {.name = NULL}};
static const struct posenc_operation operation = {.name = "table", .tensors = rows};
static const struct posenc_encoding encoding = {.name = "alibi"};

/* The caption of a tensor of that shape with these parameters. */
static struct picture_caption caption_of(size_t rank, const size_t *shape,
                                         const struct posenc_member *members, size_t count)
{
    const struct posenc_tensor tensor = pictured_tensor(rank, shape, NULL);
    const struct posenc_result result = {
        .encoding = &encoding, .operation = &operation, .parameters = {members, count}};
    const struct format_input input = {&result, &tensor, false, NULL};
    struct posenc_memory memory;
    struct picture_samples samples;
    struct posenc_problem problem;
    struct picture_caption caption;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    cr_assert_eq(picture_sample(&input, &memory, &samples, &problem), POSENC_OK);
    picture_caption_write(&result, &samples, &caption);
    posenc_memory_release(&memory);
    return caption;
}

Test(picture_caption, names_encoding_operation_tensor_and_parameters)
{
    static const double slopes[] = {0.5, 0.25};
    const struct posenc_member scaling[] = {{"factor", posenc_number(1e-7)}};
    const struct posenc_member members[] = {
        {"heads", posenc_number(100000)}, {"base", posenc_number(523.7)},
        {"mask", posenc_text("causal")},  {"inside", posenc_boolean(false)},
        {"nothing", posenc_null()},       {"slopes", posenc_numbers(slopes, 2)},
        {"dtype", posenc_text("x")},      {"scaling", posenc_object(scaling, 1)},
    };
    const struct picture_caption caption = caption_of(2, (size_t[]){3, 4}, members, 8);

    cr_expect_str_eq(caption.title, "alibi table: bias, float64 [3, 4]");
    cr_expect_str_eq(caption.meaning, "what is added");
    cr_expect_str_eq(caption.text,
                     "heads=100000, base=523.7, mask=causal, inside=false, "
                     "slopes=[0.5, 0.25], scaling={factor=1e-07}",
                     "%s", caption.text);
}

Test(picture_caption, says_first_what_is_left_out)
{
    const struct posenc_member members[] = {{"heads", posenc_number(12)}};
    const struct picture_caption caption = caption_of(4, (size_t[]){2, 12, 5000, 600}, members, 1);

    cr_expect_str_eq(caption.text,
                     "Shown: the first slice of the axes before the last three, every 2nd axis 1, "
                     "every 21st axis 2, every 3rd axis 3. heads=12",
                     "%s", caption.text);
}

Test(picture_caption, says_when_all_is_one_value)
{
    cr_expect_str_eq(caption_of(2, (size_t[]){1, 1}, NULL, 0).text, "All finite elements are 0. ");
}

Test(picture_caption, keeps_printable_characters_only)
{
    const struct posenc_member members[] = {{"name", posenc_text("\xc3\xa9<&>\x01\x7f\n\"")}};

    cr_expect_str_eq(caption_of(1, (size_t[]){2}, members, 1).text, "name=?<&>???\"");
}

Test(picture_caption, survives_texts_of_any_length)
{
    static char long_text[100000];
    const struct posenc_member members[] = {{"a", posenc_text(long_text)},
                                            {"b", posenc_text(long_text)}};

    memset(long_text, 'x', sizeof long_text - 1);
    cr_expect_eq(strlen(caption_of(1, (size_t[]){2}, members, 2).text), PICTURE_CAPTION_MAX - 1);
}

Test(picture_caption, breaks_lines_between_words)
{
    char line[PICTURE_CAPTION_MAX];
    const char *const text = "heads=12, form=signed, mask=causal";
    const double width = picture_font_width(text, strlen("heads=12, form=sig"), 20);
    const char *rest = picture_caption_line(text, 20, width, false, line);

    cr_expect_str_eq(line, "heads=12,");
    cr_expect_str_eq(rest, "form=signed, mask=causal");
    rest = picture_caption_line(rest, 20, width, true, line);
    cr_expect_str_eq(line, "form=signed, ...", "%s", line);
    cr_expect_leq(picture_font_width(line, strlen(line), 20), width);
    (void)picture_caption_line(rest, 20, width, true, line);
    cr_expect_str_eq(line, "mask=causal", "no ellipsis where all fits");
}
