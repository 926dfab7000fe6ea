#include "body_problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool body_fail(struct body_problem *problem, size_t offset, const char *detail, ...)
{
    va_list arguments;

    memset(problem, 0, sizeof *problem);
    problem->offset = offset;
    va_start(arguments, detail);
    (void)vsnprintf(problem->detail, sizeof problem->detail, detail, arguments); /* cut if long */
    va_end(arguments);
    return false;
}

bool body_fail_memory(struct body_problem *problem)
{
    (void)body_fail(problem, 0, "out of memory; send a smaller body or try again later");
    problem->no_memory = true;
    return false;
}
