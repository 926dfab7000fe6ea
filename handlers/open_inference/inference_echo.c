#include "inference_echo.h"

#include "warnings.h"

static void write_value(struct json_text *text, const char *name, const struct posenc_value *value)
{
    struct json_text nested = {.watch = text->watch};

    switch (value->kind) {
    case POSENC_BOOLEAN:
    case POSENC_NUMBER:
    case POSENC_TEXT:
        json_text_member_value(text, name, value);
        return;
    case POSENC_UNTYPED:
        json_text_member_string(text, name, value->as.untyped.text);
        return;
    case POSENC_NULL:
    case POSENC_ARRAY:
    case POSENC_RAGGED:
    case POSENC_LIST:
    case POSENC_OBJECT:
        break;
    }
    json_text_value(&nested, value);
    json_text_member_nested(text, name, &nested);
}

static void write_warnings(struct json_text *text, const struct posenc_result *result)
{
    struct json_text nested = {.watch = text->watch};

    json_text_warnings(&nested, result);
    json_text_member_nested(text, "warnings", &nested);
    if (result->warning_count > POSENC_WARNINGS_MAX)
        json_text_member_integer(text, "warning_count", (int64_t)result->warning_count);
}

void write_inference_echo(struct json_text *text, const struct posenc_result *result)
{
    const struct posenc_value derived = posenc_object(result->derived.items, result->derived.count);

    json_text_key(text, "parameters");
    json_text_begin_object(text);
    for (size_t i = 0; i < result->parameters.count; i++)
        write_value(text, result->parameters.items[i].name, &result->parameters.items[i].value);
    if (result->derived.count > 0)
        write_value(text, "derived", &derived);
    if (result->warning_count > 0)
        write_warnings(text, result);
    json_text_end_object(text);
}
