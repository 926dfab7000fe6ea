/* Asking an encoding on a quantity's behalf: its table or its waves, by the quantity's arguments.
 */
#include "analysis.h"

#include <string.h>

bool posenc__is_own(const struct posenc_operation *quantity, const char *name)
{
    for (const struct posenc_parameter *const *group = quantity->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return true;
    return false;
}

static const struct posenc_value *find_told(const struct posenc_member *told, size_t count,
                                            const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(told[i].name, name) == 0)
            return &told[i].value;
    return NULL;
}

/* One question to the encoding's table. */
struct question {
    const struct posenc_operation *quantity, *table;
    const struct posenc_member *told;
    size_t told_count;
    struct posenc_arguments *outer, *inner;
};

/* A row's argument: as the quantity tells it, as the request has it, or the default. */
static void take_argument(const struct question *question, const struct posenc_parameter *row)
{
    struct posenc_argument *item = &question->inner->items[question->inner->count++];
    const struct posenc_value *told = find_told(question->told, question->told_count, row->name);
    const struct posenc_argument *outer = posenc__is_own(question->quantity, row->name)
                                              ? NULL
                                              : posenc_find_argument(question->outer, row->name);

    *item = (struct posenc_argument){.row = row};
    if (told) {
        posenc__resolve(question->inner, row->name, *told);
    } else if (outer) {
        item->origin = outer->origin;
        item->value = outer->value;
        item->choice = outer->choice;
    } else if (row->has_fallback) {
        if (row->fallback.kind != POSENC_NULL)
            posenc__resolve(question->inner, row->name, row->fallback);
        item->origin = POSENC_FROM_FALLBACK;
    }
}

static enum posenc_status start_question(struct posenc_arguments *arguments,
                                         const struct posenc_member *told, size_t told_count,
                                         struct posenc_memory *memory,
                                         const struct posenc_result *result,
                                         struct question *question, struct posenc_problem *problem)
{
    *question = (struct question){.quantity = result->operation,
                                  .table = posenc_find_operation(result->encoding, "table"),
                                  .told = told,
                                  .told_count = told_count,
                                  .outer = arguments,
                                  .inner = posenc_allocate(memory, 1, sizeof(*question->inner))};
    if (!question->inner)
        return posenc__no_memory(problem);
    *question->inner = (struct posenc_arguments){.warning_count = arguments->warning_count,
                                                 .warnings = arguments->warnings};
    for (const struct posenc_parameter *const *group = question->table->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++)
            take_argument(question, row);
    return POSENC_OK;
}

/* The echo shows what the table understood, but not what the quantity told it. */
static void pass_back(const struct question *question, const struct posenc_result *result)
{
    for (size_t i = 0; i < question->inner->count; i++) {
        const struct posenc_argument *inner = &question->inner->items[i];
        const char *name = inner->row->name;

        if (posenc__is_own(question->quantity, name) ||
            !posenc_find_argument(question->outer, name) ||
            find_told(question->told, question->told_count, name))
            continue;
        struct posenc_argument *outer = posenc__argument(question->outer, name);

        outer->origin = inner->origin;
        outer->value = inner->value;
        outer->choice = inner->choice;
    }
    question->outer->warning_count = question->inner->warning_count;
    question->outer->warnings = question->inner->warnings;
    posenc__resolve(question->outer, "encoding", posenc_text(result->encoding->name));
}

/* Where nobody named positions, those that the waves were read without are not echoed. */
static void drop_positions(struct posenc_arguments *arguments)
{
    static const char *const names[] = {"length", "offset", "step"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (posenc_find_argument(arguments, names[i]) && !posenc__given(arguments, names[i]))
            posenc__drop(arguments, names[i]);
}

enum posenc_status posenc__analysis_waves(struct posenc_arguments *arguments,
                                          struct posenc_memory *memory,
                                          struct posenc_result *result,
                                          struct posenc__wave_view *view,
                                          struct posenc_problem *problem)
{
    struct question question;
    enum posenc_status status =
        start_question(arguments, NULL, 0, memory, result, &question, problem);

    if (status != POSENC_OK)
        return status;
    status = result->encoding->waves->read(question.inner, memory, result, view, problem);
    if (status != POSENC_OK)
        return status;
    if (!view->has_positions)
        drop_positions(question.inner);
    pass_back(&question, result);
    return POSENC_OK;
}

/* As an echo names it, which says no more than a request that leaves it out. */
static bool is_default(const struct posenc_argument *argument)
{
    return argument->row->has_fallback && argument->row->fallback.kind == POSENC_NUMBER &&
           argument->value.as.number == argument->row->fallback.as.number;
}

void posenc__warn_of_positions(struct posenc_arguments *arguments, struct posenc_memory *memory)
{
    static const char *const names[] = {"offset", "step", "positions", "timesteps"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (posenc__given(arguments, names[i]) &&
            !is_default(posenc_find_argument(arguments, names[i])))
            posenc__warn(arguments, memory, names[i],
                         "'%s' has no part in this quantity, which is the same at every position.",
                         names[i]);
}

enum posenc_status posenc__analysis_one_axis(struct posenc_arguments *arguments,
                                             struct posenc_memory *memory,
                                             struct posenc_result *result,
                                             struct posenc__wave_view *view,
                                             struct posenc_problem *problem)
{
    const enum posenc_status status =
        posenc__analysis_waves(arguments, memory, result, view, problem);

    if (status != POSENC_OK || view->has_one_axis)
        return status;
    return posenc__refuse(problem, POSENC_CONFLICT, "encoding",
                          "The pairs of this '%s' follow several axes, and '%s' looks along one; "
                          "leave out what deals the pairs to axes.",
                          result->encoding->name, result->operation->name);
}

enum posenc_status posenc__analysis_table(struct posenc_arguments *arguments,
                                          const struct posenc_member *told, size_t told_count,
                                          struct posenc_memory *memory,
                                          struct posenc_result *result, struct posenc_result *table,
                                          struct posenc_problem *problem)
{
    struct question question;
    enum posenc_status status =
        start_question(arguments, told, told_count, memory, result, &question, problem);

    if (status != POSENC_OK)
        return status;
    posenc__resolve(question.inner, "dtype", posenc_text("float64"));
    *table = (struct posenc_result){.encoding = result->encoding, .operation = question.table};
    status = question.table->plan(question.inner, memory, table, problem);
    for (size_t i = 0; i < table->derived.count && status == POSENC_OK; i++)
        status = posenc__derive(result, memory, problem, table->derived.items[i].name,
                                table->derived.items[i].value);
    if (status == POSENC_OK)
        pass_back(&question, result);
    return status;
}

/* Tells that a parameter of the request gives way to what the quantity sets. */
static void warn_of_told(struct posenc_arguments *arguments, const struct posenc_member *told,
                         size_t told_count, struct posenc_memory *memory)
{
    for (size_t i = 0; i < told_count; i++) {
        const struct posenc_value *value = &told[i].value;
        const struct posenc_argument *given = posenc_find_argument(arguments, told[i].name);

        if (!given || given->origin != POSENC_GIVEN)
            continue;
        if (value->kind == POSENC_NUMBER ? given->value.as.number != value->as.number
                                         : strcmp(given->value.as.text, value->as.text) != 0)
            posenc__warn(arguments, memory, told[i].name,
                         "'%s' has no part in this quantity, which looks at the last query.",
                         told[i].name);
    }
}

enum posenc_status posenc__analysis_bias(struct posenc_arguments *arguments, size_t keys,
                                         struct posenc_memory *memory, struct posenc_result *result,
                                         struct posenc_tensor *bias, struct posenc_problem *problem)
{
    const struct posenc_member told[] = {
        {"query_length", posenc_number(1)},
        {"key_length", posenc_number((double)keys)},
        {"query_offset", posenc_number((double)keys - 1)},
        {"alignment", posenc_text("bottom_right")},
    };
    const size_t told_count = sizeof(told) / sizeof(*told);
    struct posenc_result table;

    warn_of_told(arguments, told, told_count, memory);
    const enum posenc_status status =
        posenc__analysis_table(arguments, told, told_count, memory, result, &table, problem);

    if (status != POSENC_OK)
        return status;
    const struct posenc_tensor *found = posenc_find_tensor(&table, "bias");

    if (!found || found->rank != 3 || found->shape[1] != 1 || found->shape[2] != keys)
        return posenc__refuse(problem, POSENC_CONFLICT, "encoding",
                              "With these parameters '%s' gives no bias by query and key; send "
                              "what is learned, too, and nothing that stands instead of lengths.",
                              result->encoding->name);
    *bias = *found;
    return POSENC_OK;
}

void posenc__kept_values(const void *kept, size_t first, size_t count, double *out)
{
    memcpy(out, (const double *)kept + first, count * sizeof(*out));
}

enum posenc_status posenc__analysis_limit(size_t rows, size_t width, const char *parameter,
                                          struct posenc_problem *problem)
{
    size_t count;

    if (!__builtin_mul_overflow(rows, width, &count) && count <= POSENC__ANALYSIS_NUMBERS_MAX)
        return POSENC_OK;
    return posenc__refuse(problem, POSENC_TOO_LARGE, parameter,
                          "This would look at more than %zu numbers at once; ask for fewer "
                          "positions at a time.",
                          POSENC__ANALYSIS_NUMBERS_MAX);
}
