#include "refusal.h"

#include "exchange_memory.h"
#include "problem.h"

static unsigned http_status(enum posenc_status status)
{
    switch (status) {
    case POSENC_OK:
        return 200;
    case POSENC_UNKNOWN_ENCODING:
    case POSENC_UNKNOWN_OPERATION:
        return 404;
    case POSENC_UNKNOWN_PARAMETER:
    case POSENC_MISSING_PARAMETER:
    case POSENC_WRONG_TYPE:
    case POSENC_OUT_OF_RANGE:
    case POSENC_CONFLICT:
    case POSENC_WRONG_SHAPE:
        return 422;
    case POSENC_TOO_LARGE:
        return 413;
    case POSENC_NO_MEMORY:
    case POSENC_CANCELLED:
        return 503;
    }
    return 500;
}

static const char *slug_of(enum posenc_status status)
{
    switch (status) {
    case POSENC_OK:
        return "ok";
    case POSENC_UNKNOWN_ENCODING:
        return "unknown-encoding";
    case POSENC_UNKNOWN_OPERATION:
        return "unknown-operation";
    case POSENC_UNKNOWN_PARAMETER:
        return "unknown-parameter";
    case POSENC_MISSING_PARAMETER:
        return "missing-parameter";
    case POSENC_WRONG_TYPE:
        return "wrong-type";
    case POSENC_OUT_OF_RANGE:
        return "out-of-range";
    case POSENC_CONFLICT:
        return "contradicting-parameters";
    case POSENC_WRONG_SHAPE:
        return "wrong-shape";
    case POSENC_TOO_LARGE:
        return "result-too-large";
    case POSENC_NO_MEMORY:
        return "out-of-memory";
    case POSENC_CANCELLED:
        return "computation-stopped";
    }
    return "internal";
}

void respond_library_problem(const struct request *request, const struct posenc_problem *problem,
                             uint64_t limit, struct response *response)
{
    const struct report report = {.status = http_status(problem->status),
                                  .slug = slug_of(problem->status),
                                  .detail = problem->detail,
                                  .parameter = problem->parameter,
                                  .value = problem->value,
                                  .suggestion = problem->suggestion,
                                  .allowed = problem->allowed,
                                  .allowed_count = problem->allowed_count,
                                  .has_limit = problem->status == POSENC_TOO_LARGE,
                                  .limit = limit};

    respond_report(request, &report, response);
}

void respond_body_problem(const struct request *request, const struct body_problem *problem,
                          const char *slug, struct response *response)
{
    const struct report report = {.status = problem->no_memory ? 503 : 400,
                                  .slug = problem->no_memory ? "out-of-memory" : slug,
                                  .detail = problem->detail,
                                  .parameter = problem->parameter,
                                  .has_offset = !problem->no_memory,
                                  .offset = problem->offset};

    respond_report(request, &report, response);
}

bool respond_if_stopped(const struct request *request, uint64_t nanoseconds,
                        struct response *response)
{
    const struct exchange *exchange = response->exchange;

    if (posenc_may_work(&exchange->memory, nanoseconds))
        return false;
    respond_problem(request, 503, slug_of(POSENC_CANCELLED),
                    "The computation was stopped before its end; ask for less.", 0, response);
    return true;
}
