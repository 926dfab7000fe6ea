#include "openapi_paths.h"

#include "openapi_documents.h"
#include "openapi_operation.h"
#include "openapi_walk.h"

void openapi_write_paths(const struct openapi *openapi)
{
    json_text_key(openapi->text, "paths");
    json_text_begin_object(openapi->text);
    for (const struct route *route = openapi->routes; route->path; route++)
        if (route_is_served(openapi->service, openapi->request, route) &&
            !openapi_walk(openapi, route, openapi_write_operation))
            openapi_write_document(openapi, route);
    json_text_end_object(openapi->text);
}
