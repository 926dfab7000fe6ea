#include "openapi_walk.h"

#include <stdio.h>
#include <string.h>

#include "handlers.h"

/* The template with its variables in place: "/v1/rope/apply". */
static void fill_path(const struct route_match *match, char path[OPENAPI_PATH_MAX])
{
    const char *template = match->route->path;
    size_t length = 0, variable = 0;

    while (*template && length < OPENAPI_PATH_MAX - ROUTE_VARIABLE_SIZE) {
        if (*template != '{') {
            path[length++] = *template ++;
            continue;
        }
        length += (size_t)snprintf(path + length, OPENAPI_PATH_MAX - length, "%s",
                                   match->variables[variable++]);
        template += strcspn(template, "}") + 1;
    }
    path[length] = '\0';
}

static void visit_one(const struct openapi *openapi, const struct route *route, const char *tag,
                      const struct posenc_encoding *encoding,
                      const struct posenc_operation *operation, openapi_visit *visit)
{
    struct openapi_operation item = {
        .tag = tag, .methods = route->methods, .encoding = encoding, .operation = operation};
    struct route_match match = {.route = route};
    const char *const first = encoding ? encoding->name : operation->name;

    (void)snprintf(match.variables[0], ROUTE_VARIABLE_SIZE, "%s", first);
    (void)snprintf(match.variables[1], ROUTE_VARIABLE_SIZE, "%s", operation->name);
    if (!route->find(&match, &item.methods))
        return;
    fill_path(&match, item.path);
    openapi_fill_id(item.path, item.id);
    openapi_collect_rows(openapi, encoding, operation, &item.rows);
    if (item.rows.needs_tensors)
        item.methods &= ~(unsigned)ROUTE_GET;
    visit(openapi, &item);
}

/* Of each encoding the table, or all other operations. */
static void visit_encodings(const struct openapi *openapi, const struct route *route, bool tables,
                            openapi_visit *visit)
{
    const struct posenc_encoding *encoding;

    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        for (const struct posenc_operation *operation = encoding->operations; operation->name;
             operation++)
            if ((strcmp(operation->name, "table") == 0) == tables)
                visit_one(openapi, route, encoding->name, encoding, operation, visit);
}

static void visit_list(const struct openapi *openapi, const struct route *route, const char *tag,
                       const struct posenc_operation *at(size_t index), openapi_visit *visit)
{
    const struct posenc_operation *operation;

    for (size_t i = 0; (operation = at(i)) != NULL; i++)
        visit_one(openapi, route, tag, NULL, operation, visit);
}

bool openapi_walk(const struct openapi *openapi, const struct route *route, openapi_visit *visit)
{
    if (route->find == find_quantity) {
        visit_list(openapi, route, "analysis", posenc_quantity_at, visit);
    } else if (route->find == find_encoding) {
        visit_encodings(openapi, route, true, visit);
        visit_list(openapi, route, "tools", posenc_tool_at, visit);
    } else if (route->find == find_encoding_operation) {
        visit_encodings(openapi, route, false, visit);
    } else {
        return false;
    }
    return true;
}
