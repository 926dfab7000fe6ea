/* The parameters of a request. */
#include "parameters.h"

#include <stdio.h>
#include <string.h>

#include "query.h"
#include "respond.h"

static bool refuse_duplicate(const struct request *request, const char *name,
                             struct response *response)
{
    const struct report report = {
        .status = 400,
        .slug = "duplicate-parameter",
        .parameter = name,
        .detail = "This parameter stands in the query and in the body; send it once."};

    respond_report(request, &report, response);
    return false;
}

static bool refuse_kind(const struct request *request, struct response *response)
{
    respond_problem(request, 422, "wrong-type",
                    "The body must be a JSON object of parameter names and values.", 0, response);
    return false;
}

/* Both sets of members in one object; a name may stand in one of them only. */
static bool merge(const struct request *request, const struct posenc_value *query,
                  struct posenc_value *parameters, struct response *response)
{
    const size_t count = query->as.object.count + parameters->as.object.count;
    struct exchange *exchange = response->exchange;
    struct posenc_member *members = posenc_allocate(&exchange->memory, count, sizeof(*members));

    for (size_t i = 0; i < query->as.object.count; i++)
        if (posenc_find_member(parameters, query->as.object.items[i].name))
            return refuse_duplicate(request, query->as.object.items[i].name, response);
    if (!members) {
        respond_no_memory(response);
        return false;
    }
    if (query->as.object.count > 0)
        memcpy(members, query->as.object.items, query->as.object.count * sizeof(*members));
    if (parameters->as.object.count > 0)
        memcpy(members + query->as.object.count, parameters->as.object.items,
               parameters->as.object.count * sizeof(*members));
    *parameters = posenc_object(members, count);
    return true;
}

bool read_parameters(const struct request *request, struct posenc_value *parameters,
                     struct response *response)
{
    struct exchange *exchange = response->exchange;
    struct posenc_value query;
    struct body_problem problem;

    if (!read_query(request->query, &exchange->memory, &query, &problem)) {
        respond_body_problem(request, &problem, "malformed-query", response);
        return false;
    }
    *parameters = query;
    if (strcmp(request->method, "POST") != 0)
        return true;
    if (!read_json_body(request->body, request->body_size, &exchange->memory, parameters,
                        &problem)) {
        respond_body_problem(request, &problem, "malformed-body", response);
        return false;
    }
    if (parameters->kind != POSENC_OBJECT)
        return refuse_kind(request, response);
    return query.as.object.count == 0 || merge(request, &query, parameters, response);
}
