#include "json_text.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static struct json_text text;

static void tear_down(void)
{
    json_text_release(&text);
}

TestSuite(json_text, .fini = tear_down);

static void expect_text(const char *expected)
{
    cr_assert(!text.failed);
    cr_expect(text.length == strlen(expected) && !memcmp(text.bytes, expected, text.length),
              "got %.*s", (int)text.length, text.bytes);
}

Test(json_text, places_commas_between_members_and_items)
{
    json_text_begin_object(&text);
    json_text_member_string(&text, "a", "x");
    json_text_member_integer(&text, "b", -3);
    json_text_key(&text, "c");
    json_text_begin_array(&text);
    json_text_number(&text, 0.5);
    json_text_null(&text);
    json_text_begin_object(&text);
    json_text_end_object(&text);
    json_text_begin_array(&text);
    json_text_end_array(&text);
    json_text_end_array(&text);
    json_text_member_boolean(&text, "d", true);
    json_text_end_object(&text);
    expect_text("{\"a\":\"x\",\"b\":-3,\"c\":[0.5,null,{},[]],\"d\":true}");
}

Test(json_text, puts_a_comma_before_the_line_end_that_follows_a_member)
{
    json_text_begin_object(&text);
    json_text_raw(&text, "\n  ", 3);
    json_text_member_integer(&text, "a", 1);
    json_text_raw(&text, "\n  ", 3);
    json_text_member_string(&text, "b", "{");
    json_text_raw(&text, "\n  ", 3);
    json_text_member_string(&text, "c", NULL);
    json_text_end_object(&text);
    expect_text("{\n  \"a\":1,\n  \"b\":\"{\",\n  \"c\":null}");
}

Test(json_text, escapes_what_must_be_and_replaces_what_is_not_utf8)
{
    json_text_string(&text,
                     "q\" b\\ n\n r\r t\t \x01 \x7f / \xC3\xA9 \xF0\x9F\x98\x80 \xFF \xED\xA0\x80");
    expect_text(
        "\"q\\\" b\\\\ n\\n r\\r t\\t \\u0001 \\u007f / \xC3\xA9 \xF0\x9F\x98\x80 \xEF\xBF\xBD "
        "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

Test(json_text, writes_numbers_as_short_as_they_read_back)
{
    json_text_begin_array(&text);
    json_text_number(&text, 0.1);
    json_text_number(&text, 10000);
    json_text_number(&text, -0.0);
    json_text_number(&text, INFINITY);
    json_text_number(&text, NAN);
    json_text_integer(&text, INT64_MAX);
    json_text_end_array(&text);
    expect_text("[0.1,10000,-0.0,\"Infinity\",\"NaN\",9223372036854775807]");
}

Test(json_text, writes_values_of_every_kind)
{
    static const float floats[6] = {0.1f, 2, 3, 4, 5, 6};
    static const int64_t integers[1] = {9007199254740993};
    const struct posenc_array array = {POSENC_FLOAT32, 2, {2, 3}, floats};
    const struct posenc_array scalar = {POSENC_INT64, 0, {0}, integers};
    const struct posenc_array empty = {POSENC_FLOAT64, 2, {2, 0}, floats};
    const struct posenc_value items[] = {posenc_null(), posenc_text("t"), posenc_boolean(false)};
    const struct posenc_value list = {.kind = POSENC_LIST, .as.list = {items, 3}};
    const struct posenc_value ragged = {.kind = POSENC_RAGGED, .as.text = "1"};
    const struct posenc_value untyped = {.kind = POSENC_UNTYPED, .as.untyped = {"4,5", NULL, 0}};
    const struct posenc_member members[] = {
        {"array", posenc_nested(&array)},
        {"scalar", posenc_nested(&scalar)},
        {"empty", posenc_nested(&empty)},
        {"list", list},
        {"ragged", ragged},
        {"untyped", untyped},
        {"number", posenc_number(1.5)},
    };
    const struct posenc_value object = posenc_object(members, 7);

    json_text_value(&text, &object);
    expect_text("{\"array\":[[0.1,2,3],[4,5,6]],\"scalar\":9007199254740993,\"empty\":[[],[]],"
                "\"list\":[null,\"t\",false],\"ragged\":null,\"untyped\":\"4,5\",\"number\":1.5}");
}

Test(json_text, indents_members_and_keeps_short_arrays_on_their_line)
{
    static const char compact[] =
        "{\"a\":1,\"b\":{},\"c\":{\"d\":[1,2],\"e\":\"x,\\\"{\"},\"f\":[{\"g\":[]},[1]],\"h\":[]}";

    json_text_raw_indented(&text, compact, sizeof compact - 1, 1);
    expect_text("{\n    \"a\": 1,\n    \"b\": {},\n    \"c\": {\n      \"d\": [1, 2],\n"
                "      \"e\": \"x,\\\"{\"\n    },\n    \"f\": [\n      {\n        \"g\": []\n"
                "      },\n      [1]\n    ],\n    \"h\": []\n  }");
}

Test(json_text, grows_as_needed)
{
    json_text_begin_array(&text);
    for (int i = 0; i < 100000; i++)
        json_text_integer(&text, i % 10);
    json_text_end_array(&text);
    cr_assert(!text.failed);
    cr_expect_eq(text.length, 200001);
    cr_expect_eq(text.bytes[200000], ']');
}

Test(json_text, writes_nothing_more_once_it_has_failed)
{
    json_text_string(&text, "a");
    text.failed = true;
    json_text_string(&text, "b");
    json_text_end_array(&text);
    cr_expect_eq(text.length, 3);
}

Test(json_text, holds_json_as_a_members_text_and_fails_with_it)
{
    struct json_text nested = {0};

    json_text_begin_object(&nested);
    json_text_member_string(&nested, "a", "b");
    json_text_end_object(&nested);
    json_text_begin_object(&text);
    json_text_member_nested(&text, "n", &nested);
    json_text_end_object(&text);
    expect_text("{\"n\":\"{\\\"a\\\":\\\"b\\\"}\"}");
    cr_expect_null(nested.bytes, "it is released");
    nested.failed = true;
    json_text_member_nested(&text, "m", &nested);
    cr_expect(text.failed);
}

Test(json_text, writes_whole_numbers_as_people_do)
{
    static const struct {
        double number;
        const char *digits;
    } rows[] = {
        {500000, "500000"}, {1e6, "1000000"},  {-10000000, "-10000000"}, {1e15, "1000000000000000"},
        {1e16, "1e+16"},    {0, "0"},          {-0.0, "-0.0"},           {0.5, "0.5"},
        {1e-6, "1e-06"},    {131072, "131072"}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json_text out = {0};

        json_text_number(&out, rows[i].number);
        cr_expect_eq(out.length, strlen(rows[i].digits));
        cr_expect_eq(memcmp(out.bytes, rows[i].digits, out.length), 0, "%s: %.*s", rows[i].digits,
                     (int)out.length, out.bytes);
        json_text_release(&out);
    }
}
