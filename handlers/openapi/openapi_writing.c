#include "openapi_writing.h"

#include <stdio.h>
#include <string.h>

void openapi_write_parts(struct json_text *text, const struct openapi_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        json_text_key(text, parts[i].name);
        json_text_raw(text, parts[i].json, strlen(parts[i].json));
    }
}

void openapi_write_reference(struct json_text *text, const char *kind, const char *name)
{
    char pointer[2 * OPENAPI_PATH_MAX];

    (void)snprintf(pointer, sizeof(pointer), "#/components/%s/%s", kind, name);
    json_text_begin_object(text);
    json_text_member_string(text, "$ref", pointer);
    json_text_end_object(text);
}

void openapi_fill_id(const char *path, char id[OPENAPI_PATH_MAX])
{
    const char *from = strncmp(path, "/v1/", 4) == 0 ? path + 4 : path + 1;
    char *to = id;

    for (; *from && to < id + OPENAPI_PATH_MAX - 1; from++)
        if (*from != '{' && *from != '}')
            *to++ = *from == '/' ? '.' : *from;
    *to = '\0';
}

void openapi_begin_method(struct json_text *text, const char *method, const char *id,
                          const char *tag, const char *summary)
{
    char name[OPENAPI_PATH_MAX + 8];

    (void)snprintf(name, sizeof(name), "%s_%s", method, *id ? id : "index");
    for (char *dot = strchr(name, '.'); dot; dot = strchr(dot, '.'))
        *dot = '_';
    json_text_key(text, method);
    json_text_begin_object(text);
    json_text_member_string(text, "operationId", name);
    json_text_key(text, "tags");
    json_text_begin_array(text);
    json_text_string(text, tag);
    json_text_end_array(text);
    json_text_member_string(text, "summary", summary);
}
