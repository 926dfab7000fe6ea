#include "route.h"

#include <string.h>

/* Matches one segment of path and template; both point behind a '/'. */
static bool match_segment(const char *path, size_t length, const char *template,
                          struct route_match *match, size_t *variable)
{
    const size_t template_length = strcspn(template, "/");

    if (template[0] != '{')
        return length == template_length && memcmp(path, template, length) == 0;
    if (length == 0 || length >= ROUTE_VARIABLE_SIZE)
        return false;
    memcpy(match->variables[*variable], path, length);
    match->variables[*variable][length] = '\0';
    ++*variable;
    return true;
}

bool route_fits(const struct route *route, const char *path, struct route_match *match)
{
    const char *template = route->path;
    size_t variable = 0;

    match->route = route;
    while (*path == '/' && *template == '/') {
        const size_t length = strcspn(++path, "/");

        if (!match_segment(path, length, ++template, match, &variable))
            return false;
        path += length;
        template += strcspn(template, "/");
    }
    return *path == '\0' && *template == '\0';
}

bool route_is_served(const struct service *service, const struct request *request,
                     const struct route *route)
{
    switch (route->audience) {
    case ROUTE_FOR_CALLERS:
    case ROUTE_FOR_ANYBODY:
        return !request->is_operators;
    case ROUTE_FOR_PROBES:
        return true;
    case ROUTE_FOR_OPERATORS:
        return request->is_operators || !service->has_operators_listener;
    }
    return false;
}
