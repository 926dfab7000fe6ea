/* Asking for attention in tests. */
#ifndef TESTS_ATTENDING_H
#define TESTS_ATTENDING_H

#include <math.h>

#include "asking.h"
#include "attention.h"
#include "exact.h"

/* Sums of a few products of numbers below 10. */
#define SUM_ERROR 1e-14

#define F64                                                                                        \
    {                                                                                              \
        "dtype", posenc_text("float64")                                                            \
    }
#define UNDER(e)                                                                                   \
    {                                                                                              \
        "encoding", posenc_text(e)                                                                 \
    }
#define CAUSAL                                                                                     \
    {                                                                                              \
        "causal", posenc_boolean(true)                                                             \
    }
#define OPEN                                                                                       \
    {                                                                                              \
        "causal", posenc_boolean(false)                                                            \
    }
#define SCALE(x)                                                                                   \
    {                                                                                              \
        "scale", posenc_number(x)                                                                  \
    }
#define HIDDEN -(double)INFINITY

/* The members of an attention's own question, bound and read but not computed. */
struct question {
    struct posenc_memory memory;
    struct posenc_arguments arguments;
    struct posenc__attention attention;
    struct posenc_array v;
    struct posenc_problem problem;
    enum posenc_status status;
};

static inline void read_members(struct question *question, const struct posenc_member *members,
                                size_t count)
{
    const struct posenc_operation *tool = posenc_find_tool("attention");
    const struct posenc_schema schema = {.groups = tool->groups, .takes_tensors = true};
    const struct posenc_value input = posenc_object(members, count);

    memset(question, 0, sizeof(*question));
    posenc_memory_init(&question->memory, POSENC_MEMORY_DEFAULT);
    question->status =
        posenc_bind(&schema, &input, &question->memory, &question->arguments, &question->problem);
    if (question->status == POSENC_OK)
        question->status =
            posenc__attention_read(&question->arguments, &question->memory, &question->attention,
                                   &question->v, &question->problem);
}

/* read_question(&question, UNDER("rope"), OPEN, ...) */
#define read_question(question, ...)                                                               \
    read_members((question), (const struct posenc_member[]){__VA_ARGS__},                          \
                 sizeof((const struct posenc_member[]){__VA_ARGS__}) /                             \
                     sizeof(struct posenc_member))

static inline void expect_unread(const struct question *question, enum posenc_status status,
                                 const char *parameter)
{
    cr_expect_eq(question->status, status, "status '%s', %s: %s",
                 posenc_status_text(question->status), question->problem.parameter,
                 question->problem.detail);
    cr_expect_str_eq(question->problem.parameter, parameter);
}

/* A tensor of up to four axes. */
static inline struct posenc_array shaped(const double *data, size_t rank, size_t a, size_t b,
                                         size_t c, size_t d)
{
    return (struct posenc_array){
        .dtype = POSENC_FLOAT64, .rank = rank, .shape = {a, b, c, d}, .data = data};
}

#endif
