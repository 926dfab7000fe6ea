#include "exchange.h"

#include <string.h>
#include <strings.h>

const char *request_header(const struct request *request, const char *name)
{
    for (size_t i = 0; i < request->header_count; i++)
        if (strcasecmp(request->headers[i].name, name) == 0)
            return request->headers[i].value;
    return NULL;
}

bool response_add_header(struct response *response, const char *name, const char *value)
{
    if (response->header_count == RESPONSE_HEADERS_MAX || !value)
        return false;
    response->headers[response->header_count++] = (struct header){name, value};
    return true;
}

bool response_has_header(const struct response *response, const char *name)
{
    for (size_t i = 0; i < response->header_count; i++)
        if (strcasecmp(response->headers[i].name, name) == 0)
            return true;
    return false;
}
