#include "writing.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct posenc_memory memory;
struct json_text written;
static json_t *kept; /* an array of all that was read */

void writing_begin(void)
{
    if (kept) /* a test that begins anew, after its suite */
        writing_end();
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    written = (struct json_text){0};
    kept = json_array();
}

void writing_end(void)
{
    posenc_memory_release(&memory);
    json_text_release(&written);
    json_decref(kept);
    kept = NULL;
}

void expect_written(const char *expected)
{
    cr_assert_not(written.failed);
    cr_expect(written.length == strlen(expected) &&
                  memcmp(written.bytes, expected, written.length) == 0,
              "%.*s\n  instead of\n%s", (int)written.length, written.bytes, expected);
    written.length = 0;
}

const json_t *written_json(void)
{
    json_error_t error;
    json_t *const json =
        json_loadb(written.bytes, written.length, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error);

    cr_assert_not(written.failed);
    cr_assert_not_null(json, "%s: %.*s", error.text, (int)written.length, written.bytes);
    (void)json_array_append_new(kept, json);
    written.length = 0;
    return json;
}

static const json_t *look(const json_t *json, va_list names)
{
    for (const char *name; (name = va_arg(names, const char *)) != NULL;)
        json = json_object_get(json, name);
    return json;
}

const json_t *look_at(const json_t *json, ...)
{
    va_list names;

    va_start(names, json);
    json = look(json, names);
    va_end(names);
    return json;
}

const char *look_at_text(const json_t *json, ...)
{
    va_list names;

    va_start(names, json);
    json = look(json, names);
    va_end(names);
    return json_is_string(json) ? json_string_value(json) : "";
}

bool holds_text(const json_t *array, const char *text)
{
    size_t i;
    json_t *item;

    json_array_foreach(array, i, item)
    {
        if (json_is_string(item) && strcmp(json_string_value(item), text) == 0)
            return true;
    }
    return false;
}

const char *names_of(const json_t *object)
{
    static char names[4096];
    size_t length = 0;
    const char *name;
    json_t *item;

    names[0] = '\0';
    json_object_foreach((json_t *)object, name, item)
    {
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length ? " " : "",
                                   name);
        cr_assert_lt(length, sizeof names);
    }
    return names;
}
