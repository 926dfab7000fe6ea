/* Scales of queries by position. */
#include <criterion/criterion.h>
#include <math.h>

#include "query_scale.h"

/* An ulp of a number below 2. */
#define SCALE_ERROR 2.3e-16

struct scale_row {
    struct posenc__query_scale scale;
    double position, expected;
};

static const struct scale_row scale_rows[] = {
    {{POSENC__QUERY_LLAMA4, 0.1, 8192}, 8190, 1},
    {{POSENC__QUERY_LLAMA4, 0.1, 8192}, 8191, 1.0693147180559945},
    {{POSENC__QUERY_LLAMA4, 0.1, 8192}, 1000000, 1.4812184355372418},
    {{POSENC__QUERY_MINISTRAL3, 0.1, 16384}, 16383, 1},
    {{POSENC__QUERY_MINISTRAL3, 0.1, 16384}, 16384, 1.0693147180559945},
    {{POSENC__QUERY_MINISTRAL3, 0.1, 16384}, 262143, 1.2772588722239782},
    {{POSENC__QUERY_LOGN, 0, 2048}, 2047, 1},
    {{POSENC__QUERY_LOGN, 0, 2048}, 4095, 12 / 11.0},
};

Test(query_scale, each_rule_grows_in_its_own_steps)
{
    for (size_t i = 0; i < sizeof(scale_rows) / sizeof(*scale_rows); i++)
        cr_expect_float_eq(posenc__query_scale_at(&scale_rows[i].scale, scale_rows[i].position),
                           scale_rows[i].expected, SCALE_ERROR, "row %zu", i);
}

/* (2^53 - 1) / 3 is no integer, but its quotient rounds up to one. */
Test(query_scale, a_quotient_that_rounds_up_does_not_begin_a_step)
{
    const struct posenc__query_scale scale = {POSENC__QUERY_MINISTRAL3, 1, 0x1.0000000000001p0};
    const double below = 0x1.fffffffffffffp52;

    cr_assert_eq(floor(below / scale.length) * scale.length > below - 1, true);
    cr_expect_float_eq(posenc__query_scale_at(&scale, below), 1 + log(below), 1e-13);
}

static enum posenc_status read(const struct posenc_member *members, size_t count,
                               struct posenc__query_scale *scale, struct posenc_problem *problem)
{
    static const struct posenc_parameter *const groups[] = {posenc__query_scale_rows, NULL};
    const struct posenc_schema schema = {.groups = groups};
    const struct posenc_value input = posenc_object(members, count);
    struct posenc_arguments arguments;
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    enum posenc_status status = posenc_bind(&schema, &input, &memory, &arguments, problem);

    if (status == POSENC_OK)
        status = posenc__query_scale_read(&arguments, scale, problem);
    posenc_memory_release(&memory);
    return status;
}

Test(query_scale, llama4_has_defaults_and_the_others_do_not)
{
    const struct posenc_member llama4 = {"rule", posenc_text("llama4_nope")};
    const struct posenc_member ministral3 = {"rule", posenc_text("ministral3")};
    const struct posenc_member mixed[] = {llama4, {"beta", posenc_number(0.1)}};
    struct posenc__query_scale scale;
    struct posenc_problem problem;

    cr_assert_eq(read(&llama4, 1, &scale, &problem), POSENC_OK);
    cr_expect_eq(scale.factor, 0.1);
    cr_expect_eq(scale.length, 8192.0);
    cr_expect_eq(read(&ministral3, 1, &scale, &problem), POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(problem.parameter, "beta");
    cr_expect_eq(read(mixed, 2, &scale, &problem), POSENC_CONFLICT);
    cr_expect_str_eq(problem.parameter, "beta");
}
