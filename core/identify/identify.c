/*
 * The tool `identify`: names the convention, or the mistake, behind a tensor that somebody has. The
 * idea is told in identify.h.
 */
#include "identify.h"

#include <math.h>
#include <string.h>

static const struct posenc_parameter identify_rows[] = {
    {.name = "actual",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "the tensor in question: a table, a bias, or what came of x"},
    {.name = "x",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "actual is a table or a bias",
     .meaning = "what the encoding was applied to, where actual is what came of it"},
    {.name = "encoding",
     .type = POSENC_TYPE_TEXT,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "every encoding that gives such a tensor",
     .meaning = "the encoding that it should be of"},
    {.name = "parameters",
     .type = POSENC_TYPE_OBJECT,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "nothing is expected, and what the tensor is gets named",
     .meaning = "what it should have been made with: the encoding's own parameters, as its table "
                "or apply takes them; model, config and layer, too. Types have no part in it: "
                "a tensor is compared as it came in"},
    {.name = "part",
     .type = POSENC_TYPE_TEXT,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "each that has such a shape",
     .meaning = "which of the encoding's tensors it should be: cos, sin, inv_freq, bias, ..."},
    {.name = "explanations",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NUMBER(3),
     .minimum = 1,
     .maximum = POSENC__EXPLANATIONS_MAX,
     .meaning = "how many explanations to tell at most, the best first"},
    {.name = NULL},
};

static void stored_values(const void *stored, size_t first, size_t count, double *out)
{
    memcpy(out, (const double *)stored + first, count * sizeof(*out));
}

/* The largest difference of a row, whose infinities are the same or not. */
static double row_difference(const double *actual, const double *expected, size_t count)
{
    double most = 0;

    for (size_t i = 0; i < count; i++)
        if (actual[i] != expected[i])
            most = fmax(most, fabs(actual[i] - expected[i]));
    return most;
}

/* Fills in those of all rows to the best explanation. */
static enum posenc_status measure_rows(struct posenc__question *question, double *rows)
{
    const struct posenc__sent *sent = &question->sent;
    struct posenc_memory trial = posenc__trial_memory(question);
    double *expected = posenc_allocate(&trial, sent->count, sizeof(*expected));
    struct posenc__planned planned = {0};
    enum posenc_status status = POSENC_OK;

    if (!expected)
        status = posenc__no_memory(question->problem);
    if (status == POSENC_OK)
        status = posenc__plan_guess(question, &question->best[0], &trial, &planned);
    if (status == POSENC_OK && planned.tensor)
        status = posenc__view_all(question, &question->best[0], &planned, expected);
    for (size_t row = 0; row < sent->rows && status == POSENC_OK && planned.tensor; row++)
        rows[row] = row_difference(sent->values + row * sent->width, expected + row * sent->width,
                                   sent->width);
    posenc_memory_release(&trial);
    return status;
}

/* None where there is no explanation. */
static enum posenc_status add_row_differences(const struct posenc_arguments *arguments,
                                              struct posenc__question *question,
                                              struct posenc_result *result)
{
    const size_t count = question->sent.rows;
    double *rows = posenc_allocate(question->memory, count, sizeof(*rows));
    enum posenc_status status;

    if (!rows)
        return posenc__no_memory(question->problem);
    status = measure_rows(question, rows);
    if (status != POSENC_OK)
        return status;
    return posenc__add_tensor(result, question->memory, question->problem, "row_difference",
                              posenc__dtype(arguments), 1, &count, stored_values, rows);
}

static enum posenc_status read_question(const struct posenc_arguments *arguments,
                                        struct posenc__question *question)
{
    const struct posenc_argument *parameters = posenc_find_argument(arguments, "parameters");
    const enum posenc_status status = posenc__read_sent(
        posenc__array(arguments, "actual"), question->memory, &question->sent, question->problem);

    question->x = posenc__array(arguments, "x");
    question->is_named = posenc__present(arguments, "encoding");
    question->has_expectation = question->is_named && parameters->value.kind == POSENC_OBJECT;
    return status == POSENC_OK ? posenc__find_contexts(arguments, question) : status;
}

static enum posenc_status plan_identify(struct posenc_arguments *arguments,
                                        struct posenc_memory *memory, struct posenc_result *result,
                                        struct posenc_problem *problem)
{
    struct posenc__question *question = posenc_allocate(memory, 1, sizeof(*question));

    if (!question)
        return posenc__no_memory(problem);
    *question = (struct posenc__question){.memory = memory, .problem = problem};
    enum posenc_status status = read_question(arguments, question);

    if (status == POSENC_OK && !posenc__not_comparable(&question->sent, memory))
        status = posenc__search(question);
    if (status == POSENC_OK)
        status = posenc__answer(question, posenc__size(arguments, "explanations"), result);
    if (status == POSENC_OK && question->best_count > 0)
        status = add_row_differences(arguments, question, result);
    return status;
}

const struct posenc_operation posenc__tool_identify = {
    .name = "identify",
    .summary = "names the convention, or the mistake, behind a tensor that somebody has",
    .takes_tensors = true,
    .groups = (const struct posenc_parameter *const[]){identify_rows, posenc__dtype_rows, NULL},
    .tensors = (const struct posenc_tensor_row[]){{"row_difference", "[rows]",
                                                   "the largest difference of each row to the "
                                                   "first explanation, where there is one"},
                                                  {.name = NULL}},
    .plan = plan_identify,
};
