/* The paths: one for each operation, and one for each route that answers with a document. */
#include <stdio.h>
#include <string.h>

#include "openapi.h"

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

void openapi_write_paths(const struct openapi *openapi)
{
    const struct route *route;

    json_text_key(openapi->text, "paths");
    json_text_begin_object(openapi->text);
    for (size_t i = 0; (route = route_at(i)) != NULL; i++)
        if (route_is_served(openapi->service, openapi->request, route) &&
            !openapi_walk(openapi, route, openapi_write_operation))
            openapi_write_document(openapi, route);
    json_text_end_object(openapi->text);
}
