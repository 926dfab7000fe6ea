#include "python_tokens.h"

#include <criterion/criterion.h>
#include <string.h>

static struct python_tokens tokens;
static char out[256];

static const char *replace(const char *text)
{
    const size_t size = strlen(text);

    cr_assert_lt(size, sizeof(out));
    replace_python_tokens(text, size, out, &tokens);
    out[size] = '\0';
    return out;
}

Test(python_tokens, become_empty_texts_of_the_same_length)
{
    cr_expect_str_eq(replace("{\"a\": [0.0, Infinity], \"b\": -Infinity, \"c\": NaN}"),
                     "{\"a\": [0.0, \"\"      ], \"b\": \"\"       , \"c\": \"\" }");
    cr_expect_eq(tokens.count, 3);
    cr_expect_str_eq(tokens.items[0].text, "Infinity");
    cr_expect_str_eq(tokens.items[0].parameter, "a");
    cr_expect_eq(tokens.items[0].offset, 12);
    cr_expect_str_eq(tokens.items[1].parameter, "b");
}

Test(python_tokens, are_told_by_their_dotted_path)
{
    (void)replace("{\"x\": {\"y\": {\"z\": 1}, \"w\": NaN}, \"v\": NaN}");
    cr_assert_eq(tokens.count, 2);
    cr_expect_str_eq(tokens.items[0].parameter, "x.w");
    cr_expect_str_eq(tokens.items[1].parameter, "v");
}

Test(python_tokens, stay_in_strings_and_in_longer_words)
{
    static const char *const texts[] = {"{\"NaN\": \"Infinity\"}",   "[\"\\\"NaN\"]", "[NaNs]",
                                        "[-1, Infinit, -Infinitys]", "\"open NaN",    "\"\\"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        cr_expect_str_eq(replace(texts[i]), texts[i]);
        cr_expect_eq(tokens.count, 0, "%s", texts[i]);
    }
}

Test(python_tokens, are_counted_beyond_those_that_are_kept)
{
    char text[201] = "";

    for (size_t i = 0; i < 40; i++)
        strcat(text, "NaN, ");
    (void)replace(text);
    cr_expect_eq(tokens.count, 40);
}

Test(python_tokens, survive_deep_nesting_and_stray_brackets)
{
    char text[201];

    memset(text, '{', 100);
    memset(text + 100, '}', 100);
    text[200] = '\0';
    cr_expect_str_eq(replace(text), text);
    cr_expect_str_eq(replace("}}}: NaN"), "}}}: \"\" ");
    cr_expect_str_eq(tokens.items[0].parameter, "");
    replace_python_tokens("", 0, out, &tokens);
    cr_expect_eq(tokens.count, 0);
}
