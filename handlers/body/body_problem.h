/* Why a body, or a query, cannot be read: limits of what readers take, and what they say. */
#ifndef POSENC_BODY_PROBLEM_H
#define POSENC_BODY_PROBLEM_H

#include "posenc.h"

#define BODY_DEPTH_MAX  32    /* nested brackets outside arrays of numbers */
#define BODY_VALUES_MAX 20000 /* values outside arrays of numbers; such an array is one */
#define BODY_NAME_MAX   1000  /* bytes of a member's or a tensor's name, as it is written */

/* All of these are a 400 but the first. */
struct body_problem {
    bool no_memory;                  /* a 503 instead */
    size_t offset;                   /* bytes before the fault */
    char parameter[POSENC_PATH_MAX]; /* dotted path where the fault is that of one value or name, as
                                        for a duplicate key; else "" */
    char detail[POSENC_DETAIL_MAX];
};

/* Fills a problem that is not that of one parameter; `detail` is a format for one sentence. Returns
 * false. */
bool body_fail(struct body_problem *problem, size_t offset, const char *detail, ...)
    __attribute__((format(printf, 3, 4)));

/* The same when memory is out. */
bool body_fail_memory(struct body_problem *problem);

#endif
