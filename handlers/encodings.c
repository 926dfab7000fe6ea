/* Routes of encodings and of tools: which operation a path names. */
#include <string.h>

#include "handlers.h"
#include "inference_model.h"
#include "operation.h"

static const struct posenc_operation *operation_of(const struct route_match *match)
{
    const struct posenc_encoding *encoding = posenc_find(match->variables[0]);

    return encoding ? posenc_find_operation(encoding, match->variables[1]) : NULL;
}

/* The path names an encoding, or an operation that belongs to none; one that brings tensors needs a
 * body. */
bool find_encoding(const struct route_match *match, unsigned *methods)
{
    const struct posenc_operation *tool = posenc_find_tool(match->variables[0]);

    if (tool && tool->takes_tensors)
        *methods = ROUTE_POST;
    return tool || posenc_find(match->variables[0]);
}

/* "table" is what the encoding's own path gives, so it has no second path. */
bool find_encoding_operation(const struct route_match *match, unsigned *methods)
{
    (void)methods;
    return strcmp(match->variables[1], "table") != 0 && operation_of(match);
}

const char *suggest_path_variable(const struct route_match *match)
{
    if (match->route->find == find_quantity)
        return posenc_suggest_quantity(match->variables[0]);
    if (match->route->find == find_inference_model)
        return inference_model_suggest(match->variables[0]);
    return posenc_find(match->variables[0]) ? NULL : posenc_suggest_encoding(match->variables[0]);
}

HANDLER(handle_encoding)
{
    const struct posenc_encoding *encoding = posenc_find(match->variables[0]);
    const struct posenc_operation *operation =
        encoding ? posenc_find_operation(encoding, "table") : posenc_find_tool(match->variables[0]);

    run_operation(service, request, encoding, operation, response);
}

HANDLER(handle_encoding_operation)
{
    run_operation(service, request, posenc_find(match->variables[0]), operation_of(match),
                  response);
}
