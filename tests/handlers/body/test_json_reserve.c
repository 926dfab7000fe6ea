#include "json_reserve.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"

static struct account account;
static struct posenc_watch watch;

/* Whether a block of memory came out of the reserve. */
static bool is_inside(const struct json_reserve *reserve, const void *block)
{
    return (const char *)block >= reserve->bytes &&
           (const char *)block < reserve->bytes + reserve->size;
}

static void set_up(void)
{
    json_object_seed(1);
    json_reserve_install();
    account = ACCOUNT_OPEN;
    watch = account_watch(&account);
}

TestSuite(json_reserve, .init = set_up);

/* Every value, text and name; true, false and null are jansson's own. */
static void expect_inside(const struct json_reserve *reserve, json_t *json)
{
    const char *name;
    json_t *item;
    size_t i;

    if (!json_is_boolean(json) && !json_is_null(json))
        cr_assert(is_inside(reserve, json));
    if (json_is_string(json))
        cr_assert(is_inside(reserve, json_string_value(json)));
    json_array_foreach(json, i, item) expect_inside(reserve, item);
    json_object_foreach(json, name, item)
    {
        cr_assert(is_inside(reserve, name));
        expect_inside(reserve, item);
    }
}

/* Reads a text of so many values within its reserve, and expects all of it there, with room left at
 * the end. */
static void expect_enough(const char *text, size_t values)
{
    struct json_reserve reserve;
    json_malloc_t allocate;
    json_free_t release;

    json_get_alloc_funcs(&allocate, &release);
    cr_assert(json_reserve_begin(&reserve, NULL, strlen(text), values));
    json_t *const json = json_loads(text, JSON_DECODE_ANY, NULL);

    cr_assert_not_null(json);
    expect_inside(&reserve, json);
    void *const last = allocate(1);

    cr_expect(is_inside(&reserve, last), "%.40s needs more than %zu bytes", text, reserve.size);
    release(last);
    json_decref(json);
    json_reserve_end(&reserve);
}

/* `count` times `item` between the brackets. */
static char *repeated(char open, const char *item, size_t count, char close)
{
    char *const text = malloc(count * strlen(item) + 3);
    char *at = text;

    cr_assert(text);
    *at++ = open;
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, item);
    at[-1] = close; /* in place of the last comma */
    *at = '\0';
    return text;
}

Test(json_reserve, is_enough_for_what_takes_jansson_the_most_memory)
{
    static const char *const items[] = {"[],",
                                        "{},",
                                        "0,",
                                        "null,",
                                        "\"\",",
                                        "\"a text\",",
                                        "\"\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\","};

    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        for (size_t count = 1; count <= 4097; count = 4 * count + 1) {
            char *const text = repeated('[', items[i], count, ']');

            expect_enough(text, count + 1);
            free(text);
        }
}

Test(json_reserve, is_enough_for_objects_whose_buckets_have_just_doubled)
{
    for (size_t count = 1; count <= 4097; count = 2 * count + (count > 7)) {
        char *const text = malloc(count * 16 + 3);
        size_t length = 0;

        cr_assert(text);
        for (size_t i = 0; i < count; i++)
            length += (size_t)sprintf(text + length, "%c\"%zu\":{}", i ? ',' : '{', i);
        (void)sprintf(text + length, "}");
        expect_enough(text, count + 1);
        free(text);
    }
}

Test(json_reserve, is_enough_for_one_long_text_and_for_one_long_name)
{
    static char text[100000];

    memset(text, 'a', sizeof text - 1);
    text[0] = text[sizeof text - 2] = '"';
    expect_enough(text, 1);
    text[0] = '{';
    text[1] = '"';
    memcpy(text + sizeof text - 6, "\":{}}", 6);
    expect_enough(text, 2);
}

Test(json_reserve, leaves_what_is_allocated_outside_of_it_to_malloc)
{
    struct json_reserve reserve;
    json_t *const before = json_string("before");

    cr_assert(json_reserve_begin(&reserve, NULL, 10, 1));
    json_t *const during = json_string("during");
    json_malloc_t allocate;
    json_free_t release;

    json_get_alloc_funcs(&allocate, &release);
    char *const large = allocate(reserve.size + 1); /* more than there is */

    cr_expect_not(is_inside(&reserve, before));
    cr_expect(is_inside(&reserve, during));
    cr_assert_not_null(large);
    cr_expect_not(is_inside(&reserve, large));
    memset(large, 1, reserve.size + 1);
    release(large);
    json_decref(during);
    json_decref(before); /* outside, so that it is really freed: a sanitizer would tell */
    json_reserve_end(&reserve);

    json_t *const after = json_string("after");

    cr_expect_str_eq(json_string_value(after), "after");
    json_decref(after);
}

Test(json_reserve, gives_blocks_that_any_type_can_stand_in)
{
    struct json_reserve reserve;
    json_malloc_t allocate;
    json_free_t release;

    json_get_alloc_funcs(&allocate, &release);
    cr_assert(json_reserve_begin(&reserve, NULL, 0, 1));
    for (size_t size = 1; size < 40; size++) {
        char *const block = allocate(size), *const next = allocate(1);

        cr_expect_eq((uintptr_t)block % _Alignof(max_align_t), 0);
        cr_expect_geq((size_t)(next - block), size, "blocks do not overlap");
    }
    json_reserve_end(&reserve);
}

Test(json_reserve, is_asked_of_the_watch_and_given_back_to_it)
{
    struct json_reserve reserve;

    cr_assert(json_reserve_begin(&reserve, &watch, 1000, 10));
    cr_expect_geq(account.held, 1000);
    const size_t needed = account.held;

    json_reserve_end(&reserve);
    cr_expect_eq(account.held, 0);

    account.bytes_max = needed - 1;
    cr_expect_not(json_reserve_begin(&reserve, &watch, 1000, 10));
    cr_expect_eq(account.held, 0);
    account.bytes_max = needed;
    cr_expect(json_reserve_begin(&reserve, &watch, 1000, 10));
    json_reserve_end(&reserve);
}

Test(json_reserve, is_refused_when_it_cannot_be_counted_or_had)
{
    static const struct {
        size_t size, values;
    } rows[] = {
        {SIZE_MAX, 1},           {1, SIZE_MAX}, {SIZE_MAX / 8, 2}, {SIZE_MAX / 8 - 4096, 1 << 20},
        {0, SIZE_MAX / 512 + 1},
#ifndef SANITIZED /* whose malloc() ends the program instead */
        {SIZE_MAX / 16, 1},
#endif
    };
    struct json_reserve reserve;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_not(json_reserve_begin(&reserve, &watch, rows[i].size, rows[i].values), "row %zu",
                      i);
        cr_expect_eq(account.held, 0, "row %zu", i);
    }
}
