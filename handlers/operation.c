/* The one way from a request to a reply for every operation: bind, plan, represent. */
#include "operation.h"

#include <string.h>

#include "answer.h"
#include "exchange_memory.h"
#include "parameters.h"
#include "posenc_models.h"
#include "refusal.h"
#include "respond.h"
#include "stored_tensors.h"

/* What one exchange needs while it is planned; too large for the stack beside a deep call. */
struct work {
    struct planned planned;
    struct posenc_problem problem;
    const struct posenc_warning *model_warnings;
    size_t model_warning_count;
};

/* An encoding's rows, and those by which a request names a model. NULL when memory is out. */
static const struct posenc_parameter *const *with_model_rows(
    const struct posenc_parameter *const *groups, struct posenc_memory *memory)
{
    const struct posenc_parameter **all;
    size_t count = 0;

    while (groups[count])
        count++;
    all = posenc_allocate(memory, count + 2, sizeof(*all));
    if (!all)
        return NULL;
    for (size_t i = 0; i < count; i++)
        all[i] = groups[i];
    all[count] = posenc_model_parameters;
    all[count + 1] = NULL;
    return all;
}

/* The rows that a request is bound to. Those of a quantity depend on the encoding that it names. */
static enum posenc_status settle_schema(const struct posenc_operation *operation,
                                        const struct posenc_value *parameters,
                                        struct posenc_memory *memory,
                                        const struct posenc_encoding **encoding,
                                        struct posenc_schema *schema,
                                        struct posenc_problem *problem)
{
    if (operation->asks_encoding)
        return posenc_quantity_schema(operation, parameters, memory, encoding, schema, problem);
    schema->groups = *encoding ? with_model_rows(operation->groups, memory) : operation->groups;
    schema->presets = *encoding ? (*encoding)->presets : NULL;
    schema->takes_tensors = operation->takes_tensors;
    if (schema->groups)
        return POSENC_OK;
    problem->status = POSENC_NO_MEMORY;
    return POSENC_NO_MEMORY;
}

/* The parameters of a model or configuration, where the request names one, in place of those names.
 */
static enum posenc_status apply_model(const struct posenc_encoding *encoding,
                                      const struct posenc_operation *operation,
                                      struct posenc_value *parameters, struct posenc_memory *memory,
                                      struct work *work)
{
    if (!encoding)
        return POSENC_OK;
    return posenc_apply_model(encoding, operation, parameters, memory, &work->model_warnings,
                              &work->model_warning_count, &work->problem);
}

/* What was noted about the model stands in front of what was noted about the parameters. */
static bool merge_warnings(struct work *work, struct posenc_memory *memory)
{
    const size_t first = work->model_warning_count < POSENC_WARNINGS_MAX ? work->model_warning_count
                                                                         : POSENC_WARNINGS_MAX;
    const size_t room = POSENC_WARNINGS_MAX - first;
    const size_t second =
        work->planned.result.warning_count < room ? work->planned.result.warning_count : room;
    struct posenc_warning *all;

    if (first == 0)
        return true;
    all = posenc_allocate(memory, first + second, sizeof(*all));
    if (!all)
        return false;
    memcpy(all, work->model_warnings, first * sizeof(*all));
    if (second > 0)
        memcpy(all + first, work->planned.result.warnings, second * sizeof(*all));
    work->planned.result.warnings = all;
    work->planned.result.warning_count += work->model_warning_count;
    return true;
}

/* Everything up to the plan, in the work. */
static enum posenc_status plan(const struct service *service, struct exchange *exchange,
                               const struct call *call, struct posenc_value *parameters,
                               struct work *work)
{
    const struct posenc_encoding *encoding = call->encoding;
    struct posenc_arguments *arguments = &work->planned.arguments;
    struct posenc_schema schema = {.extra = call->extra};
    struct posenc_problem *problem = &work->problem;
    enum posenc_status status;

    status = apply_model(encoding, call->operation, parameters, &exchange->memory, work);
    if (status == POSENC_OK)
        status = settle_schema(call->operation, parameters, &exchange->memory, &encoding, &schema,
                               problem);
    if (status == POSENC_OK)
        status = posenc_bind(&schema, parameters, &exchange->memory, arguments, problem);
    if (status == POSENC_OK)
        status = take_stored_tensors(service, exchange, arguments, problem);
    if (status == POSENC_OK)
        status = posenc_plan(encoding, call->operation, arguments, &exchange->memory,
                             &work->planned.result, problem);
    return status;
}

const struct planned *plan_operation(const struct service *service, const struct request *request,
                                     const struct call *call, struct posenc_value *parameters,
                                     struct response *response)
{
    struct exchange *exchange = response->exchange;
    struct work *work = posenc_allocate(&exchange->memory, 1, sizeof(*work));

    if (!work) {
        respond_no_memory(response);
        return NULL;
    }
    *work = (struct work){0};
    if (plan(service, exchange, call, parameters, work) != POSENC_OK) {
        respond_library_problem(request, &work->problem, service->result_bytes_max, response);
        return NULL;
    }
    if (!merge_warnings(work, &exchange->memory)) {
        respond_no_memory(response);
        return NULL;
    }
    return &work->planned;
}

/* Represents the result, in the way that the request asks for. */
static void respond_planned(const struct service *service, const struct request *request,
                            const struct planned *planned, struct response *response)
{
    struct representation representation = {0};
    struct offer offer = {0};

    if (!read_representation(request, &planned->arguments, &planned->result, &representation,
                             response))
        return;
    offer.cache_control = representation.is_versioned ? CACHE_VERSIONED : CACHE_RESULT;
    if (((const struct exchange *)response->exchange)->tables)
        offer.cache_control = "no-cache"; /* the operator may change what the address names */
    offer.is_binary = representation.format->is_binary;
    offer.is_dense = representation.format->is_dense;
    fingerprint_result(&planned->result, &planned->arguments, &representation, &offer.fingerprint);
    offer.fingerprint.is_weak = representation.format->is_drawn;
    respond_result(service, request, &planned->result, &offer, &representation, response);
}

void run_operation(const struct service *service, const struct request *request,
                   const struct posenc_encoding *encoding, const struct posenc_operation *operation,
                   struct response *response)
{
    const struct call call = {encoding, operation, representation_rows};
    const struct planned *planned;
    struct posenc_value parameters;

    if (!read_parameters(request, operation->groups, &parameters, response))
        return;
    planned = plan_operation(service, request, &call, &parameters, response);
    if (planned)
        respond_planned(service, request, planned, response);
}
