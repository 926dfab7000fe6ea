/* The route of the quantities of analysis. */
#include "handlers.h"
#include "operation.h"

/* The path names a quantity; one that brings tensors needs a body. */
bool find_quantity(const struct route_match *match, unsigned *methods)
{
    const struct posenc_operation *quantity = posenc_find_quantity(match->variables[0]);

    if (quantity && quantity->takes_tensors)
        *methods = ROUTE_POST;
    return quantity != NULL;
}

HANDLER(handle_quantity)
{
    run_operation(service, request, NULL, posenc_find_quantity(match->variables[0]), response);
}
