/* What an encoding does to queries, keys and scores: its operation apply, run on them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attention.h"

static const struct posenc_parameter *find_row(const struct posenc_operation *operation,
                                               const char *name)
{
    for (const struct posenc_parameter *const *group = operation->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return row;
    return NULL;
}

static bool gives(const struct posenc_operation *operation, const char *tensor)
{
    for (const struct posenc_tensor_row *row = operation->tensors; row->name; row++)
        if (strcmp(row->name, tensor) == 0)
            return true;
    return false;
}

enum posenc__attention_part posenc__attention_part_of(const struct posenc_encoding *encoding)
{
    const struct posenc_operation *apply = posenc_find_operation(encoding, "apply");

    if (!apply)
        return POSENC__PART_NONE;
    if (find_row(apply, "scores"))
        return gives(apply, "scores") ? POSENC__PART_BIASES : POSENC__PART_NONE;
    if (find_row(apply, "q") && find_row(apply, "k"))
        return gives(apply, "scores") ? POSENC__PART_SCORES : POSENC__PART_ROTATES;
    return find_row(apply, "x") && gives(apply, "x") ? POSENC__PART_ADDS : POSENC__PART_NONE;
}

/* What attention itself tells apply, so that nobody else may. */
static const char *const reserved[] = {"x",         "q",      "k",      "scores", "dtype",
                                       "positions", "length", "offset", "step",   "sequence_axis"};

static bool is_reserved(const char *name)
{
    for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++)
        if (strcmp(reserved[i], name) == 0)
            return true;
    return false;
}

#define TOLD_MAX 8 /* members that attention adds */

/* Members for one run of apply: the caller's, then attention's own. */
struct told {
    const struct posenc_operation *apply;
    struct posenc_member *items;
    size_t count;
};

static enum posenc_status start_told(const struct posenc__attention *attention,
                                     struct posenc_memory *memory, struct told *told,
                                     struct posenc_problem *problem)
{
    const struct posenc_value *given = attention->parameters;
    const size_t count = given->kind == POSENC_OBJECT ? given->as.object.count : 0;

    told->apply = posenc_find_operation(attention->encoding, "apply");
    told->count = count;
    told->items = posenc_allocate(memory, count + TOLD_MAX, sizeof(*told->items));
    if (!told->items)
        return posenc__no_memory(problem);
    for (size_t i = 0; i < count; i++) {
        const char *name = given->as.object.items[i].name;

        told->items[i] = given->as.object.items[i];
        if (is_reserved(name) && find_row(told->apply, name))
            return posenc__refuse(problem, POSENC_CONFLICT, name,
                                  "'parameters.%s' is told by attention itself, from q, k, "
                                  "q_positions, k_positions and dtype.",
                                  name);
    }
    return POSENC_OK;
}

/* Tells a parameter that apply has a row for. */
static void tell(struct told *told, const char *name, struct posenc_value value)
{
    if (find_row(told->apply, name))
        told->items[told->count++] = (struct posenc_member){name, value};
}

static bool is_told(const struct told *told, const char *name)
{
    const struct posenc_value members = posenc_object(told->items, told->count);

    return posenc_find_member(&members, name) != NULL;
}

/* Schemes that depend on the length of the sequence get that of the keys, where they count from 0.
 */
static void tell_sequence_length(const struct posenc__attention *attention, struct told *told)
{
    if (!attention->k.positions && attention->keys > 0 && !is_told(told, "sequence_length"))
        tell(told, "sequence_length", posenc_number((double)attention->keys));
}

/* A head's width, where apply could use it and nothing else says it. */
static void tell_width(const struct posenc__attention *attention, struct told *told)
{
    const struct posenc_parameter *row = find_row(told->apply, "dim");

    if (row && !row->has_fallback && !is_told(told, "dim"))
        tell(told, "dim", posenc_number((double)attention->width));
}

static void tell_positions(const struct posenc__side *side, struct told *told)
{
    if (side->positions)
        tell(told, "positions", posenc_nested(side->positions));
    else if (side->offset != 0)
        tell(told, "offset", posenc_number(side->offset));
}

/* The name under which the caller knows a parameter of apply. */
static void translate(const struct posenc__side *side, struct posenc_problem *problem)
{
    static const char positions[] = "positions";
    const size_t length = sizeof(positions) - 1;
    char inner[POSENC_PATH_MAX];

    (void)snprintf(inner, sizeof(inner), "%s", problem->parameter);
    if (side && strncmp(inner, positions, length) == 0 && strchr(".", inner[length]))
        (void)snprintf(problem->parameter, POSENC_PATH_MAX, "%s%.100s", side->positions_name,
                       inner + length);
    else if (side && (strcmp(inner, "offset") == 0 || strcmp(inner, "length") == 0))
        (void)snprintf(problem->parameter, POSENC_PATH_MAX, "%s", side->positions_name);
    else if (side && strcmp(inner, "x") == 0)
        (void)snprintf(problem->parameter, POSENC_PATH_MAX, "%s", side->name);
    else if (strcmp(inner, "scores") == 0)
        (void)snprintf(problem->parameter, POSENC_PATH_MAX, "q");
    else if (inner[0] != '\0' && strcmp(inner, "q") != 0 && strcmp(inner, "k") != 0)
        (void)snprintf(problem->parameter, POSENC_PATH_MAX, "parameters.%.140s", inner);
}

static void pass_warnings(const struct posenc_arguments *inner, struct posenc_arguments *outer,
                          struct posenc_memory *memory)
{
    char path[POSENC_PATH_MAX];

    for (size_t i = 0; i < inner->warning_count && i < POSENC_WARNINGS_MAX && inner->warnings;
         i++) {
        (void)snprintf(path, sizeof(path), "parameters.%.140s", inner->warnings[i].parameter);
        posenc__warn(outer, memory, path, "%s", inner->warnings[i].detail);
    }
}

/* Keeps the echo and what was derived: what the first run understood, without attention's own. */
static enum posenc_status keep_echo(struct posenc__attention *attention,
                                    const struct posenc_result *result,
                                    struct posenc_memory *memory, struct posenc_problem *problem)
{
    struct posenc_member *kept = posenc_allocate(memory, result->parameters.count, sizeof(*kept));

    if (!kept)
        return posenc__no_memory(problem);
    attention->echo = (struct posenc_members){kept, 0};
    for (size_t i = 0; i < result->parameters.count; i++)
        if (!is_reserved(result->parameters.items[i].name))
            kept[attention->echo.count++] = result->parameters.items[i];
    attention->derived = result->derived;
    attention->has_echo = true;
    return POSENC_OK;
}

/* Binds and plans apply; the result's tensors live in the memory. */
static enum posenc_status run_apply(struct posenc__attention *attention,
                                    const struct posenc__side *side, const struct told *told,
                                    struct posenc_arguments *outer, struct posenc_memory *memory,
                                    struct posenc_result *result, struct posenc_problem *problem)
{
    const struct posenc_schema schema = {.groups = told->apply->groups,
                                         .presets = attention->encoding->presets,
                                         .takes_tensors = true};
    const struct posenc_value input = posenc_object(told->items, told->count);
    struct posenc_arguments *arguments = posenc_allocate(memory, 1, sizeof(*arguments));

    if (!arguments)
        return posenc__no_memory(problem);
    enum posenc_status status = posenc_bind(&schema, &input, memory, arguments, problem);

    if (status == POSENC_OK)
        status = posenc_plan(attention->encoding, told->apply, arguments, memory, result, problem);
    if (status != POSENC_OK) {
        translate(side, problem);
        return status;
    }
    if (attention->has_echo)
        return POSENC_OK;
    pass_warnings(arguments, outer, memory);
    return keep_echo(attention, result, memory, problem);
}

static enum posenc_status fill_all(const struct posenc_result *result, const char *name,
                                   struct posenc_memory *memory, double **out,
                                   struct posenc_problem *problem)
{
    const struct posenc_tensor *tensor = posenc_find_tensor(result, name);

    *out = posenc_allocate(memory, tensor->count, sizeof(**out));
    if (!*out)
        return posenc__no_memory(problem);
    return posenc__fill_whole(tensor, memory, *out, problem);
}

enum posenc_status posenc__attention_encode(struct posenc__attention *attention,
                                            const struct posenc__side *side, const double *content,
                                            struct posenc_arguments *arguments,
                                            struct posenc_memory *memory, const double **out,
                                            struct posenc_problem *problem)
{
    const char *name = attention->part == POSENC__PART_ADDS ? "x" : side->name;
    struct posenc_array array = side->content;
    struct posenc_result result;
    struct told told;
    double *elements;
    enum posenc_status status = start_told(attention, memory, &told, problem);

    if (status != POSENC_OK) {
        translate(NULL, problem);
        return status;
    }
    array.data = content;
    tell(&told, name, posenc_nested(&array));
    tell(&told, "dtype", posenc_text("float64"));
    tell_positions(side, &told);
    tell_sequence_length(attention, &told);
    status = run_apply(attention, side, &told, arguments, memory, &result, problem);
    if (status == POSENC_OK)
        status = fill_all(&result, name, memory, &elements, problem);
    if (status == POSENC_OK)
        *out = elements;
    return status;
}

/* Scores of queries of rank 2 count as those of one head. */
static struct posenc_array score_array(const struct posenc__attention *attention,
                                       const double *scores)
{
    struct posenc_array array = attention->q.content;

    array.data = scores;
    array.shape[array.rank - 1] = attention->keys;
    if (array.rank == 2) {
        array.rank = 3;
        array.shape[0] = 1;
        array.shape[1] = attention->queries;
        array.shape[2] = attention->keys;
    }
    return array;
}

/* Whether the encoding hides a key that the request leaves open. */
static bool hides(const double *scores, const double *biased, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (isinf(biased[i]) && !isinf(scores[i]))
            return true;
    return false;
}

static void warn_of_mask(const struct posenc__attention *attention, const double *scores,
                         const double *biased, struct posenc_arguments *arguments,
                         struct posenc_memory *memory)
{
    if (!attention->causal && hides(scores, biased, posenc__attention_count(attention)))
        posenc__warn(arguments, memory, "causal",
                     "'causal' is false, but '%s' hides keys by itself, as its own parameters say; "
                     "for attention both ways set them, too.",
                     attention->encoding->name);
}

enum posenc_status posenc__attention_bias(struct posenc__attention *attention, const double *scores,
                                          struct posenc_arguments *arguments,
                                          struct posenc_memory *memory, double **out,
                                          struct posenc_problem *problem)
{
    const struct posenc_array array = score_array(attention, scores);
    struct posenc_result result;
    struct told told;
    enum posenc_status status = start_told(attention, memory, &told, problem);

    if (status != POSENC_OK) {
        translate(NULL, problem);
        return status;
    }
    tell(&told, "scores", posenc_nested(&array));
    tell(&told, "dtype", posenc_text("float64"));
    tell_width(attention, &told);
    status = run_apply(attention, NULL, &told, arguments, memory, &result, problem);
    if (status == POSENC_OK)
        status = fill_all(&result, "scores", memory, out, problem);
    if (status == POSENC_OK)
        warn_of_mask(attention, scores, *out, arguments, memory);
    return status;
}

enum posenc_status posenc__attention_own_scores(struct posenc__attention *attention,
                                                struct posenc_arguments *arguments,
                                                struct posenc_memory *memory, double **out,
                                                struct posenc_problem *problem)
{
    struct posenc_result result;
    struct told told;
    enum posenc_status status = start_told(attention, memory, &told, problem);

    if (status != POSENC_OK) {
        translate(NULL, problem);
        return status;
    }
    tell(&told, "q", posenc_nested(&attention->q.content));
    tell(&told, "k", posenc_nested(&attention->k.content));
    tell(&told, "dtype", posenc_text("float64"));
    status = run_apply(attention, NULL, &told, arguments, memory, &result, problem);
    if (status != POSENC_OK)
        return status;
    if (posenc_find_tensor(&result, "scores")->count != posenc__attention_count(attention))
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "q",
                              "The encoding '%s' makes scores of another shape of these q and k.",
                              attention->encoding->name);
    return fill_all(&result, "scores", memory, out, problem);
}
