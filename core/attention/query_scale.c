#include "query_scale.h"

#include <math.h>

#include "dd.h"

const struct posenc_parameter posenc__query_scale_rows[] = {
    {.name = "rule",
     .type = POSENC_TYPE_CHOICE,
     .choices = POSENC__NAMES("llama4_nope", "ministral3", "qwen1_logn"),
     .meaning = "whose scale: 1 + attn_scale ln(1 + floor((p + 1) / floor_scale)); 1 + beta ln(1 + "
                "floor(p / original_max_position_embeddings)); or ln(p + 1) / ln(seq_length)"},
    {.name = "attn_scale",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "0.1 for llama4_nope",
     .meaning = "how much llama4_nope grows"},
    {.name = "floor_scale",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_OPTIONAL | POSENC_ABOVE,
     .fallback_note = "8192 for llama4_nope",
     .minimum = 0,
     .maximum = POSENC_POSITION_MAX,
     .meaning = "positions that share one scale of llama4_nope"},
    {.name = "beta",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "required by ministral3",
     .aliases = POSENC__NAMES("llama_4_scaling_beta"),
     .meaning = "how much ministral3 grows"},
    {.name = "original_max_position_embeddings",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "required by ministral3",
     .minimum = 1,
     .maximum = POSENC_INTEGER_MAX,
     .meaning = "positions that share one scale of ministral3"},
    {.name = "seq_length",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "required by qwen1_logn",
     .minimum = 2,
     .maximum = POSENC_INTEGER_MAX,
     .meaning = "the trained length, up to which qwen1_logn is 1"},
    {.name = NULL},
};

/* The rows of each rule: its factor, then its length. */
static const char *const factor_names[] = {"attn_scale", "beta", NULL};
static const char *const length_names[] = {"floor_scale", "original_max_position_embeddings",
                                           "seq_length"};

static enum posenc_status refuse_strangers(const struct posenc_arguments *arguments,
                                           enum posenc__query_rule rule,
                                           struct posenc_problem *problem)
{
    for (size_t other = 0; other < 3; other++) {
        const char *const names[] = {factor_names[other], length_names[other]};

        for (size_t i = 0; i < 2 && other != (size_t)rule; i++)
            if (names[i] && posenc__given(arguments, names[i]))
                return posenc__refuse(problem, POSENC_CONFLICT, names[i],
                                      "'%s' belongs to another rule than '%s'.", names[i],
                                      posenc_find_argument(arguments, "rule")->value.as.text);
    }
    return POSENC_OK;
}

static enum posenc_status read_number(const struct posenc_arguments *arguments, const char *name,
                                      double *number, struct posenc_problem *problem)
{
    if (!posenc__present(arguments, name))
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, name,
                              "'%s' is required by the rule '%s'.", name,
                              posenc_find_argument(arguments, "rule")->value.as.text);
    *number = posenc__real(arguments, name);
    return POSENC_OK;
}

enum posenc_status posenc__query_scale_read(struct posenc_arguments *arguments,
                                            struct posenc__query_scale *scale,
                                            struct posenc_problem *problem)
{
    const enum posenc__query_rule rule = (enum posenc__query_rule)posenc__choice(arguments, "rule");
    enum posenc_status status = refuse_strangers(arguments, rule, problem);

    *scale = (struct posenc__query_scale){.rule = rule};
    if (rule == POSENC__QUERY_LLAMA4 && !posenc__present(arguments, "attn_scale"))
        posenc__resolve(arguments, "attn_scale", posenc_number(0.1));
    if (rule == POSENC__QUERY_LLAMA4 && !posenc__present(arguments, "floor_scale"))
        posenc__resolve(arguments, "floor_scale", posenc_number(8192));
    if (status == POSENC_OK && factor_names[rule])
        status = read_number(arguments, factor_names[rule], &scale->factor, problem);
    return status == POSENC_OK ? read_number(arguments, length_names[rule], &scale->length, problem)
                               : status;
}

/* floor(a / b) for a >= 0 and b > 0, also where the quotient rounds up to an integer. */
static double floor_quotient(double a, double b)
{
    const double quotient = floor(a / b);

    return fma(quotient, b, -a) > 0 ? quotient - 1 : quotient;
}

/* 1 + factor ln(1 + steps) */
static double grow(double factor, double steps)
{
    const struct posenc__dd log = posenc__dd_log(posenc__dd_sum(steps, 1));

    return posenc__dd_add(posenc__dd_multiply(log, (struct posenc__dd){factor, 0}),
                          (struct posenc__dd){1, 0})
        .hi;
}

double posenc__query_scale_at(const struct posenc__query_scale *scale, double position)
{
    switch (scale->rule) {
    case POSENC__QUERY_LLAMA4:
        return grow(scale->factor, floor_quotient(position + 1, scale->length));
    case POSENC__QUERY_MINISTRAL3:
        return grow(scale->factor, floor_quotient(position, scale->length));
    case POSENC__QUERY_LOGN:
        if (position + 1 <= scale->length)
            return 1;
        return posenc__dd_divide(posenc__dd_log(posenc__dd_sum(position, 1)),
                                 posenc__dd_log((struct posenc__dd){scale->length, 0}))
            .hi;
    }
    return 1;
}
