#include "inference_context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "refusal.h"
#include "respond.h"

void inference_answer_refusal(const struct inference_context *context, enum posenc_status status,
                              const char *parameter, const char *detail, ...)
{
    struct posenc_problem problem = {.status = status};
    va_list arguments;

    (void)snprintf(problem.parameter, sizeof problem.parameter, "%s", parameter);
    va_start(arguments, detail);
    (void)vsnprintf(problem.detail, sizeof problem.detail, detail, arguments); /* cut if long */
    va_end(arguments);
    respond_library_problem(context->request, &problem, context->service->result_bytes_max,
                            context->response);
}

void inference_answer_malformed(const struct inference_context *context,
                                const struct body_problem *problem)
{
    respond_body_problem(context->request, problem, "malformed-body", context->response);
}

void inference_answer_no_memory(const struct inference_context *context)
{
    respond_no_memory(context->response);
}

/* What is unknown is no parameter of an encoding, in whose catalogue it could be looked up. */
static void reword_unknown(struct posenc_problem *problem)
{
    if (problem->status == POSENC_UNKNOWN_PARAMETER && problem->suggestion[0] == '\0')
        (void)snprintf(problem->detail, sizeof problem->detail,
                       "'%.80s' is nothing that is read here.", problem->parameter);
}

/* "inputs.0" in front of "shape.1"; and in front of the words, which are all that clients of the
 * protocol show. */
static void prefix_problem(struct posenc_problem *problem, const char *path)
{
    char parameter[2 * POSENC_PATH_MAX], detail[POSENC_DETAIL_MAX + POSENC_PATH_MAX];

    if (*path == '\0' || problem->status == POSENC_NO_MEMORY)
        return;
    (void)snprintf(parameter, sizeof parameter, "%s%s%s", path, problem->parameter[0] ? "." : "",
                   problem->parameter);
    (void)snprintf(problem->parameter, sizeof problem->parameter, "%.*s", POSENC_PATH_MAX - 1,
                   parameter);
    (void)snprintf(detail, sizeof detail, "In '%s': %s", path, problem->detail);
    (void)snprintf(problem->detail, sizeof problem->detail, "%.*s", POSENC_DETAIL_MAX - 1, detail);
}

bool inference_bind(const struct inference_context *context, const struct posenc_parameter *rows,
                    const char *path, const struct posenc_value *object,
                    struct posenc_arguments *arguments)
{
    const struct posenc_parameter *const groups[] = {rows, NULL};
    const struct posenc_schema schema = {.groups = groups};
    struct posenc_problem problem = {.status = POSENC_OK};

    if (posenc_bind(&schema, object, context->memory, arguments, &problem) == POSENC_OK)
        return true;
    reword_unknown(&problem);
    prefix_problem(&problem, path);
    respond_library_problem(context->request, &problem, context->service->result_bytes_max,
                            context->response);
    return false;
}
