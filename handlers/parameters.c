/* The parameters of a request. */
#include "parameters.h"

#include <stdio.h>
#include <string.h>

#include "body.h"
#include "body_type.h"
#include "exchange_memory.h"
#include "npy_reader.h"
#include "problem.h"
#include "query.h"
#include "refusal.h"
#include "respond.h"
#include "safetensors_reader.h"

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

/* Binary bodies. */

/* The row that an npy body is the value of; NULL when the operation takes no tensor. */
static const struct posenc_parameter *tensor_row(const struct posenc_parameter *const *groups)
{
    const struct posenc_parameter *first = NULL;

    for (; *groups; groups++)
        for (const struct posenc_parameter *row = *groups; row->name; row++) {
            if (row->type != POSENC_TYPE_TENSOR)
                continue;
            if (!(row->flags & POSENC_OPTIONAL) && !row->has_fallback)
                return row;
            first = first ? first : row;
        }
    return first;
}

static const struct posenc_parameter *find_row(const struct posenc_parameter *const *groups,
                                               const char *name)
{
    for (; *groups; groups++)
        for (const struct posenc_parameter *row = *groups; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return row;
    return NULL;
}

static bool has_choice(const struct posenc_parameter *row, const char *name)
{
    for (const char *const *choice = row->choices; choice && *choice; choice++)
        if (strcmp(*choice, name) == 0)
            return true;
    return false;
}

static bool is_tensor(const struct posenc_parameter *const *groups,
                      const struct posenc_member *member)
{
    const struct posenc_parameter *const row = find_row(groups, member->name);

    return member->value.kind == POSENC_ARRAY && row && row->type == POSENC_TYPE_TENSOR;
}

/* The half type that all tensors of floats have; NULL when there is none. Lists are no tensors. */
static const char *common_half(const struct posenc_parameter *const *groups,
                               const struct posenc_value *parameters)
{
    enum posenc_dtype common = POSENC_DTYPE_COUNT;

    for (size_t i = 0; i < parameters->as.object.count; i++) {
        const struct posenc_member *const member = &parameters->as.object.items[i];
        const enum posenc_dtype dtype = member->value.as.array.dtype;

        if (!is_tensor(groups, member) || dtype == POSENC_INT32 || dtype == POSENC_INT64)
            continue;
        if (common != POSENC_DTYPE_COUNT && common != dtype)
            return NULL;
        common = dtype;
    }
    return common == POSENC_FLOAT16 || common == POSENC_BFLOAT16 ? posenc_dtype_name(common) : NULL;
}

/* What was small stays small. */
bool keep_half(const struct posenc_parameter *const *groups, const struct posenc_value *given,
               struct posenc_memory *memory, struct posenc_value *parameters)
{
    const struct posenc_parameter *const row = find_row(groups, "dtype");
    const char *const half = common_half(groups, parameters);
    const size_t count = parameters->as.object.count;
    struct posenc_member *members;

    if (!row || !half || !has_choice(row, half) || posenc_find_member(given, row->name))
        return true;
    members = posenc_allocate(memory, count + 1, sizeof(*members));
    if (!members)
        return false;
    memcpy(members, parameters->as.object.items, count * sizeof(*members));
    members[count] = (struct posenc_member){row->name, posenc_text(half)};
    *parameters = posenc_object(members, count + 1);
    return true;
}

static bool read_npy(const struct request *request, const char *name, struct posenc_memory *memory,
                     struct posenc_value *parameters, struct body_problem *problem)
{
    struct posenc_member *const member = posenc_allocate(memory, 1, sizeof(*member));
    struct posenc_array array;

    if (!member)
        return body_fail_memory(problem);
    if (!read_npy_body(request->body, request->body_size, memory, &array, problem))
        return false;
    *member = (struct posenc_member){name, posenc_nested(&array)};
    *parameters = posenc_object(member, 1);
    return true;
}

static bool refuse_tensors(const struct request *request, struct response *response)
{
    respond_problem(request, 415, "unsupported-media-type",
                    "This operation takes no tensor; send its parameters as a JSON object with the "
                    "header 'Content-Type: application/json'.",
                    0, response);
    return false;
}

/* Reads the tensors of a binary body, and what follows from their dtype. */
static bool read_tensors(const struct request *request, enum body_type type,
                         const struct posenc_parameter *const *groups,
                         const struct posenc_value *query, struct posenc_value *parameters,
                         struct response *response)
{
    const struct posenc_parameter *const row = tensor_row(groups);
    struct posenc_memory *const memory = &((struct exchange *)response->exchange)->memory;
    struct body_problem problem;
    bool is_read;

    if (!row)
        return refuse_tensors(request, response);
    if (type == BODY_NPY)
        is_read = read_npy(request, row->name, memory, parameters, &problem);
    else
        is_read =
            read_safetensors_body(request->body, request->body_size, memory, parameters, &problem);
    if (is_read && !keep_half(groups, query, memory, parameters))
        is_read = body_fail_memory(&problem);
    if (!is_read)
        respond_body_problem(request, &problem, "malformed-body", response);
    return is_read;
}

static bool read_json(const struct request *request, struct posenc_value *parameters,
                      struct response *response)
{
    struct posenc_memory *const memory = &((struct exchange *)response->exchange)->memory;
    struct body_problem problem;

    if (read_json_body(request->body, request->body_size, memory, parameters, &problem))
        return true;
    respond_body_problem(request, &problem, "malformed-body", response);
    return false;
}

bool read_parameters(const struct request *request, const struct posenc_parameter *const *groups,
                     struct posenc_value *parameters, struct response *response)
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
    const enum body_type type = body_type_of(request_header(request, "Content-Type"));

    if (!(type == BODY_NPY || type == BODY_SAFETENSORS
              ? read_tensors(request, type, groups, &query, parameters, response)
              : read_json(request, parameters, response)))
        return false;
    if (parameters->kind != POSENC_OBJECT)
        return refuse_kind(request, response);
    return query.as.object.count == 0 || merge(request, &query, parameters, response);
}
