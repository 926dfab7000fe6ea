/*
 * How far back a head with a linear bias looks when contents say nothing: softmax of -m D over the
 * distances D = 0, 1, ... gives the geometric weights (1 - e^-m) e^(-m D).
 *
 *   keys for a share p of the weight    the smallest n with 1 - e^(-m n) >= p
 *   mean distance                       1 / (e^m - 1)
 *   entropy                             -ln(1 - e^-m) + m * mean distance, in nats
 *
 * With L keys the weights are divided by what L of them weigh. When contents move scores by at most
 * c, no key beyond (2 c + ln(1 / epsilon)) / m has a weight above epsilon.
 */
#include <math.h>

#include "analysis.h"

static const struct posenc_parameter receptive_rows[] = {
    {.name = "mass",
     .type = POSENC_TYPE_REALS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "no keys_for_mass",
     .minimum = 0,
     .maximum = 1,
     .meaning = "shares of a query's weight, from 0 to 1, whose keys are counted"},
    {.name = "length",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "endlessly many",
     .minimum = 1,
     .maximum = POSENC_INTEGER_MAX,
     .meaning = "keys that a query sees, its own among them"},
    {.name = "content_bound",
     .type = POSENC_TYPE_REAL,
     POSENC__DEFAULT_NUMBER(0),
     .minimum = 0,
     .maximum = INFINITY,
     .meaning = "c, what contents add to a score or take from it at most"},
    {.name = "epsilon",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_OPTIONAL | POSENC_ABOVE,
     .fallback_note = "no cutoff_distance",
     .minimum = 0,
     .maximum = 1,
     .meaning = "the weight below which a key does not count any more"},
    {.name = NULL},
};

static struct posenc__dd number(double value)
{
    return (struct posenc__dd){value, 0};
}

static struct posenc__dd negate(struct posenc__dd x)
{
    return (struct posenc__dd){-x.hi, -x.lo};
}

/* Below this e^x - 1 is taken from its series, whose fourth term is then below 2^-80. */
#define SERIES_MAX 0x1p-26

/* e^x - 1, relative error below 2^-75. */
static struct posenc__dd exp_minus_1(struct posenc__dd x)
{
    if (fabs(x.hi) > SERIES_MAX)
        return posenc__dd_add(posenc__dd_exp(x), number(-1));
    const struct posenc__dd second = posenc__dd_multiply(x, number(0.5));
    const double third = x.hi * x.hi / 6;

    return posenc__dd_multiply(x, posenc__dd_add(number(1), posenc__dd_add(second, number(third))));
}

/* e^x beyond this is larger than anything it is compared with. */
#define EXPONENT_MAX 700.0

/* One head's weights: a slope above 0, or a length. */
struct head {
    struct posenc__dd slope, span; /* m, and m L; the span is 0 where keys are endless */
    double length;                 /* INFINITY where they are */
};

/* Weights that hardly differ are those of equal keys; what is left out is below 2^-60. */
static bool is_uniform(const struct head *head)
{
    return isfinite(head->length) && head->span.hi < 0x1p-30;
}

/* 1 - e^(-m L): what the keys weigh of endlessly many. */
static struct posenc__dd weight_of_all(const struct head *head)
{
    if (!isfinite(head->length) || head->span.hi > EXPONENT_MAX)
        return number(1);
    return negate(exp_minus_1(negate(head->span)));
}

static struct posenc__dd mean_distance(const struct head *head)
{
    if (is_uniform(head))
        return number((head->length - 1) / 2 -
                      head->slope.hi * (head->length - 1) * (head->length + 1) / 12);
    if (head->slope.hi > EXPONENT_MAX)
        return posenc__dd_exp(negate(head->slope));
    const struct posenc__dd endless = posenc__dd_divide(number(1), exp_minus_1(head->slope));

    if (!isfinite(head->length) || head->span.hi > EXPONENT_MAX)
        return endless;
    return posenc__dd_add(endless,
                          negate(posenc__dd_divide(number(head->length), exp_minus_1(head->span))));
}

static struct posenc__dd entropy(const struct head *head)
{
    if (is_uniform(head))
        return posenc__dd_add(posenc__dd_log(number(head->length)),
                              number(-head->span.hi * head->span.hi / 24));
    const struct posenc__dd share = negate(exp_minus_1(negate(head->slope))); /* 1 - e^-m */
    const struct posenc__dd log =
        share.hi == 1 && share.lo == 0
            ? number(0)
            : posenc__dd_log(posenc__dd_divide(weight_of_all(head), share));

    return posenc__dd_add(log, posenc__dd_multiply(head->slope, mean_distance(head)));
}

static double round_up(struct posenc__dd x)
{
    const double up = ceil(x.hi);

    return up == x.hi && x.lo > 0 ? up + 1 : up;
}

/* The smallest number of keys with a share of the weight; INFINITY when there is none. */
static double keys_for(const struct head *head, double mass)
{
    if (mass == 1)
        return head->length;
    if (is_uniform(head)) {
        const struct posenc__dd keys = posenc__dd_product(mass, head->length);
        const double nearer = head->slope.hi * keys.hi * (head->length - keys.hi) / 2;

        return fmin(round_up(posenc__dd_add(keys, number(-nearer))), head->length);
    }
    const struct posenc__dd rest =
        posenc__dd_add(number(1), negate(posenc__dd_multiply(weight_of_all(head), number(mass))));

    return fmin(round_up(posenc__dd_divide(negate(posenc__dd_log(rest)), head->slope)),
                head->length);
}

/* Numbers of all heads, as they are returned. */
struct field {
    size_t heads, masses;
    double *slopes, *mean, *entropy, *effective, *cutoff; /* [heads] each, one allocation */
    double *keys;                                         /* [heads][masses] */
};

static enum posenc_status allocate_field(struct field *field, struct posenc_memory *memory,
                                         struct posenc_problem *problem)
{
    const enum posenc_status status =
        posenc__analysis_limit(field->heads, field->masses, "mass", problem);

    if (status != POSENC_OK)
        return status;
    field->slopes = posenc_allocate(memory, field->heads, 5 * sizeof(double));
    field->keys = posenc_allocate(memory, field->heads * field->masses, sizeof(double));
    if (!field->slopes || !field->keys)
        return posenc__no_memory(problem);
    field->mean = field->slopes + field->heads;
    field->entropy = field->mean + field->heads;
    field->effective = field->entropy + field->heads;
    field->cutoff = field->effective + field->heads;
    return POSENC_OK;
}

/*
 * A head's slope is what its bias gains from one key to the next, up to the query's own: however
 * the encoding writes its bias, softmax sees no more of it.
 */
static enum posenc_status read_slopes(struct posenc_arguments *arguments,
                                      struct posenc_memory *memory, struct posenc_result *result,
                                      struct field *field, struct posenc_problem *problem)
{
    const bool is_finite = posenc__present(arguments, "length");
    struct posenc_tensor bias;
    enum posenc_status status = posenc__analysis_bias(arguments, 2, memory, result, &bias, problem);

    if (status != POSENC_OK)
        return status;
    field->heads = bias.shape[0];
    status = allocate_field(field, memory, problem);
    for (size_t head = 0; head < field->heads && status == POSENC_OK; head++) {
        double pair[2];

        posenc_fill(&bias, 2 * head, 2, pair);
        field->slopes[head] = pair[1] - pair[0];
        if (!isfinite(field->slopes[head]) || field->slopes[head] < 0 ||
            (field->slopes[head] == 0 && !is_finite))
            status = posenc__refuse(
                problem, POSENC_OUT_OF_RANGE, "encoding",
                "Head %zu gains %.17g from one key to the next; a receptive field needs a gain "
                "above 0, or 0 with a 'length'.",
                head, field->slopes[head]);
    }
    return status;
}

static enum posenc_status measure_head(const struct posenc_arguments *arguments,
                                       const struct field *field, size_t index,
                                       struct posenc_problem *problem)
{
    const struct posenc_array *masses = posenc__array(arguments, "mass");
    struct head head = {.slope = number(field->slopes[index]), .length = (double)INFINITY};

    if (posenc__present(arguments, "length")) {
        head.length = posenc__real(arguments, "length");
        head.span = posenc__dd_product(head.slope.hi, head.length);
    }
    const struct posenc__dd nats = entropy(&head);

    field->mean[index] = mean_distance(&head).hi;
    field->entropy[index] = nats.hi;
    field->effective[index] = posenc__dd_exp(nats).hi;
    for (size_t i = 0; i < field->masses; i++) {
        double *keys = &field->keys[index * field->masses + i];

        *keys = keys_for(&head, ((const double *)masses->data)[i]);
        if (!(*keys <= POSENC_INTEGER_MAX))
            return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "mass",
                                  "No countable number of keys has all of that weight; give a "
                                  "'length', or a smaller mass.");
    }
    return POSENC_OK;
}

static void measure_cutoff(const struct posenc_arguments *arguments, const struct field *field)
{
    const struct posenc__dd log =
        negate(posenc__dd_log(number(posenc__real(arguments, "epsilon"))));
    const struct posenc__dd reach =
        posenc__dd_add(number(2 * posenc__real(arguments, "content_bound")), log);

    for (size_t head = 0; head < field->heads; head++)
        field->cutoff[head] = field->slopes[head] == 0
                                  ? (double)INFINITY
                                  : posenc__dd_divide(reach, number(field->slopes[head])).hi;
}

static enum posenc_status add_tensors(const struct posenc_arguments *arguments,
                                      const struct field *field, struct posenc_memory *memory,
                                      struct posenc_result *result, struct posenc_problem *problem)
{
    const bool has_masses = posenc__present(arguments, "mass");
    const bool has_cutoff = posenc__present(arguments, "epsilon");
    const size_t shape[] = {field->heads, field->masses};
    const struct {
        const char *name;
        const double *values;
        bool is_there, is_count;
    } tensors[] = {
        {"slopes", field->slopes, true, false},
        {"keys_for_mass", field->keys, has_masses, true},
        {"mean_distance", field->mean, true, false},
        {"entropy", field->entropy, true, false},
        {"effective_keys", field->effective, true, false},
        {"cutoff_distance", field->cutoff, has_cutoff, false},
    };
    enum posenc_status status = POSENC_OK;

    for (size_t i = 0; i < sizeof(tensors) / sizeof(*tensors) && status == POSENC_OK; i++)
        if (tensors[i].is_there)
            status = posenc__add_tensor(
                result, memory, problem, tensors[i].name,
                tensors[i].is_count ? POSENC_INT64 : posenc__dtype(arguments),
                tensors[i].is_count ? 2 : 1, shape, posenc__kept_values, tensors[i].values);
    return status;
}

static enum posenc_status plan_receptive_field(struct posenc_arguments *arguments,
                                               struct posenc_memory *memory,
                                               struct posenc_result *result,
                                               struct posenc_problem *problem)
{
    const struct posenc_array *masses = posenc__array(arguments, "mass");
    struct field field = {.masses = masses ? masses->shape[0] : 0};
    enum posenc_status status = read_slopes(arguments, memory, result, &field, problem);

    if (status == POSENC_OK && posenc__given(arguments, "content_bound") &&
        !posenc__present(arguments, "epsilon"))
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "epsilon",
                              "'epsilon' is required with 'content_bound': the weight below which "
                              "a key does not count.");
    for (size_t head = 0; head < field.heads && status == POSENC_OK; head++)
        status = measure_head(arguments, &field, head, problem);
    if (status != POSENC_OK)
        return status;
    if (posenc__present(arguments, "epsilon"))
        measure_cutoff(arguments, &field);
    else
        posenc__drop(arguments, "content_bound"); /* it had no part */
    return add_tensors(arguments, &field, memory, result, problem);
}

const struct posenc__quantity posenc__quantity_receptive_field = {
    .operation = {.name = "receptive_field",
                  .summary =
                      "how far back each head of a linear bias looks where contents say nothing",
                  .asks_encoding = "table",
                  .groups = (const struct posenc_parameter *const[]){posenc__encoding_rows,
                                                                     receptive_rows,
                                                                     posenc__dtype_rows, NULL},
                  .tensors =
                      (const struct posenc_tensor_row[]){
                          {"slopes", "[heads]", "what the bias gains from one key to the next"},
                          {"keys_for_mass", "[heads, masses]",
                           "the nearest keys that have this share of the weight, int64; with mass"},
                          {"mean_distance", "[heads]", "by weight"},
                          {"entropy", "[heads]", "of the weights, in nats"},
                          {"effective_keys", "[heads]", "e to the entropy"},
                          {"cutoff_distance", "[heads]",
                           "beyond it no key has a weight above epsilon; with epsilon"},
                          {.name = NULL}},
                  .int64_tensors = POSENC__NAMES("keys_for_mass"),
                  .plan = plan_receptive_field},
    .serves = posenc__has_slopes,
    .needs = posenc__needs_bias,
};
