/* Problems: what went wrong, with which parameter, and what to do. */
#include <stdio.h>
#include <string.h>

#include "internal.h"

const char *posenc_status_text(enum posenc_status status)
{
    switch (status) {
    case POSENC_OK:
        return "ok";
    case POSENC_UNKNOWN_ENCODING:
        return "unknown encoding";
    case POSENC_UNKNOWN_OPERATION:
        return "unknown operation";
    case POSENC_UNKNOWN_PARAMETER:
        return "unknown parameter";
    case POSENC_MISSING_PARAMETER:
        return "missing parameter";
    case POSENC_WRONG_TYPE:
        return "wrong type";
    case POSENC_OUT_OF_RANGE:
        return "out of range";
    case POSENC_CONFLICT:
        return "contradicting parameters";
    case POSENC_WRONG_SHAPE:
        return "wrong shape";
    case POSENC_TOO_LARGE:
        return "result too large";
    case POSENC_NO_MEMORY:
        return "out of memory";
    case POSENC_CANCELLED:
        return "cancelled";
    }
    return "unknown status";
}

void posenc__fill_problem(struct posenc_problem *problem, enum posenc_status status,
                          const char *parameter, const char *detail, ...)
{
    va_list arguments;

    memset(problem, 0, sizeof(*problem));
    problem->status = status;
    (void)snprintf(problem->parameter, sizeof(problem->parameter), "%s",
                   parameter); /* cut if long */
    va_start(arguments, detail);
    (void)vsnprintf(problem->detail, sizeof(problem->detail), detail, arguments); /* cut if long */
    va_end(arguments);
}

void posenc__fill_no_memory(struct posenc_problem *problem)
{
    posenc__fill_problem(
        problem, POSENC_NO_MEMORY, "",
        "The memory for this request is used up; ask for less, or try again later.");
}

void posenc__fill_cancelled(struct posenc_problem *problem)
{
    posenc__fill_problem(problem, POSENC_CANCELLED, "",
                         "The computation was stopped before its end; ask for less.");
}

void posenc__warn(struct posenc_arguments *arguments, struct posenc_memory *memory,
                  const char *parameter, const char *detail, ...)
{
    va_list words;

    if (!arguments->warnings)
        arguments->warnings =
            posenc_allocate(memory, POSENC_WARNINGS_MAX, sizeof(*arguments->warnings));
    if (!arguments->warnings)
        return; /* not counted either: whoever sees a count may read the list */
    if (arguments->warning_count >= POSENC_WARNINGS_MAX) {
        arguments->warning_count++;
        return;
    }
    struct posenc_warning *warning = &arguments->warnings[arguments->warning_count++];

    (void)snprintf(warning->parameter, sizeof(warning->parameter), "%s", parameter);
    va_start(words, detail);
    (void)vsnprintf(warning->detail, sizeof(warning->detail), detail, words);
    va_end(words);
}
