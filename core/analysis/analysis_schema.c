/*
 * What a quantity's request is bound to: the quantity's rows, and beside them those of the encoding
 * that the request names.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "analysis.h"

#define POSENC__ENTRY(id) &posenc__quantity_##id,
static const struct posenc__quantity *const quantities[] = {POSENC_QUANTITIES(POSENC__ENTRY)};
#undef POSENC__ENTRY

#define QUANTITIES (sizeof(quantities) / sizeof(*quantities))

const struct posenc_parameter posenc__encoding_rows[] = {
    {.name = "encoding",
     .type = POSENC_TYPE_TEXT,
     .meaning = "the encoding that is looked at; its own parameters stand beside this one"},
    {.name = NULL},
};

const struct posenc_operation *posenc_quantity_at(size_t index)
{
    return index < QUANTITIES ? &quantities[index]->operation : NULL;
}

const struct posenc_operation *posenc_find_quantity(const char *name)
{
    for (size_t i = 0; i < QUANTITIES; i++)
        if (strcmp(quantities[i]->operation.name, name) == 0)
            return &quantities[i]->operation;
    return NULL;
}

const char *posenc_suggest_quantity(const char *name)
{
    size_t best = SIZE_MAX;
    const char *nearest = NULL;

    for (size_t i = 0; i < QUANTITIES; i++)
        posenc__consider(name, quantities[i]->operation.name, &best, &nearest);
    return nearest;
}

/* The record that an operation is part of; NULL when it is no quantity. */
static const struct posenc__quantity *quantity_of(const struct posenc_operation *operation)
{
    for (size_t i = 0; i < QUANTITIES; i++)
        if (&quantities[i]->operation == operation)
            return quantities[i];
    return NULL;
}

/* Whether it can be had. */

static bool is_called(const struct posenc_parameter *row, const char *name)
{
    for (const char *const *alias = row->aliases; alias && *alias; alias++)
        if (strcmp(*alias, name) == 0)
            return true;
    return strcmp(row->name, name) == 0;
}

static bool has_row(const struct posenc_operation *operation, const char *name)
{
    for (const struct posenc_parameter *const *group = operation->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++)
            if (is_called(row, name))
                return true;
    return false;
}

/* What the quantity calls by the same name cannot be set, so it must not be required. */
static bool hides_required(const struct posenc__quantity *quantity,
                           const struct posenc_encoding *encoding)
{
    const struct posenc_operation *inner =
        posenc_find_operation(encoding, quantity->operation.asks_encoding);

    for (const struct posenc_parameter *const *group = inner->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++)
            if (!row->has_fallback && !(row->flags & POSENC_OPTIONAL) &&
                has_row(&quantity->operation, row->name) && quantity->needs(encoding, row->name))
                return true;
    return false;
}

bool posenc_quantity_serves(const struct posenc_operation *operation,
                            const struct posenc_encoding *encoding)
{
    const struct posenc__quantity *quantity = quantity_of(operation);

    if (!quantity || !quantity->serves)
        return quantity != NULL;
    return quantity->serves(encoding) && !hides_required(quantity, encoding);
}

/* Which encoding. */

static void allow_served(const struct posenc_operation *operation, struct posenc_problem *problem)
{
    const struct posenc_encoding *encoding;

    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        if (posenc_quantity_serves(operation, encoding) &&
            problem->allowed_count < POSENC_ALLOWED_MAX)
            problem->allowed[problem->allowed_count++] = encoding->name;
}

static void suggest(struct posenc_problem *problem, const char *nearest)
{
    if (nearest)
        (void)snprintf(problem->suggestion, sizeof(problem->suggestion), "%s", nearest);
}

/* A misspelt `encoding` is the better news than a missing one. */
static enum posenc_status refuse_missing(const struct posenc_operation *operation,
                                         const struct posenc_value *input,
                                         struct posenc_problem *problem)
{
    static const char name[] = "encoding";

    for (size_t i = 0; i < input->as.object.count; i++) {
        const char *given = input->as.object.items[i].name, *nearest = NULL;
        size_t best = SIZE_MAX;

        posenc__consider(given, name, &best, &nearest);
        if (!nearest || strcmp(given, name) == 0)
            continue;
        (void)posenc__refuse(problem, POSENC_UNKNOWN_PARAMETER, given,
                             "There is no parameter '%.80s' here; did you mean '%s'?", given, name);
        suggest(problem, name);
        return POSENC_UNKNOWN_PARAMETER;
    }
    (void)posenc__refuse(problem, POSENC_MISSING_PARAMETER, name,
                         "'%s' is required: the encoding whose %s is asked for; 'allowed' lists "
                         "those that have it.",
                         name, operation->name);
    allow_served(operation, problem);
    return POSENC_MISSING_PARAMETER;
}

static enum posenc_status refuse_encoding(const struct posenc_operation *operation,
                                          const char *name, bool is_known,
                                          struct posenc_problem *problem)
{
    (void)posenc__refuse(problem, POSENC_OUT_OF_RANGE, "encoding",
                         is_known ? "The encoding '%.80s' has no %s; 'allowed' lists those that do."
                                  : "There is no encoding '%.80s'; 'allowed' lists those that have "
                                    "a %s.",
                         name, operation->name);
    (void)snprintf(problem->value, sizeof(problem->value), "%.80s", name);
    allow_served(operation, problem);
    if (!is_known)
        suggest(problem, posenc_suggest_encoding(name));
    return POSENC_OUT_OF_RANGE;
}

static enum posenc_status find_encoding(const struct posenc_operation *operation,
                                        const struct posenc_value *input,
                                        const struct posenc_encoding **encoding,
                                        struct posenc_problem *problem)
{
    const struct posenc_value *raw = posenc_find_member(input, "encoding");
    const char *name = NULL;

    if (!raw || raw->kind == POSENC_NULL)
        return refuse_missing(operation, input, problem);
    if (raw->kind == POSENC_TEXT)
        name = raw->as.text;
    else if (raw->kind == POSENC_UNTYPED)
        name = raw->as.untyped.text;
    if (!name)
        return posenc__refuse(problem, POSENC_WRONG_TYPE, "encoding",
                              "'encoding' must be a text: the name of an encoding.");
    *encoding = posenc_find(name);
    return *encoding && posenc_quantity_serves(operation, *encoding)
               ? POSENC_OK
               : refuse_encoding(operation, name, *encoding != NULL, problem);
}

/* Its rows. */

static size_t count_rows(const struct posenc_parameter *const *groups)
{
    size_t count = 0;

    for (; *groups; groups++)
        for (const struct posenc_parameter *row = *groups; row->name; row++)
            count++;
    return count;
}

static size_t count_groups(const struct posenc_parameter *const *groups)
{
    size_t count = 0;

    while (groups[count])
        count++;
    return count;
}

/* Copies of the rows that the quantity has not itself; what it does not need becomes optional. */
static void copy_rows(const struct posenc__quantity *quantity,
                      const struct posenc_encoding *encoding, const struct posenc_operation *inner,
                      struct posenc_parameter *copies)
{
    for (const struct posenc_parameter *const *group = inner->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++) {
            if (has_row(&quantity->operation, row->name))
                continue;
            *copies = *row;
            if (!row->has_fallback && !quantity->needs(encoding, row->name))
                copies->flags |= POSENC_OPTIONAL;
            copies++;
        }
    *copies = (struct posenc_parameter){.name = NULL};
}

static enum posenc_status merge_groups(const struct posenc__quantity *quantity,
                                       const struct posenc_encoding *encoding,
                                       struct posenc_memory *memory, struct posenc_schema *schema,
                                       struct posenc_problem *problem)
{
    const struct posenc_operation *operation = &quantity->operation;
    const struct posenc_operation *inner =
        posenc_find_operation(encoding, operation->asks_encoding);
    const size_t own = count_groups(operation->groups);
    const struct posenc_parameter **groups = posenc_allocate(memory, own + 2, sizeof(*groups));
    struct posenc_parameter *copies =
        posenc_allocate(memory, count_rows(inner->groups) + 1, sizeof(*copies));

    if (!groups || !copies)
        return posenc__no_memory(problem);
    memcpy(groups, operation->groups, own * sizeof(*groups));
    copy_rows(quantity, encoding, inner, copies);
    groups[own] = copies;
    groups[own + 1] = NULL;
    schema->groups = groups;
    schema->presets = encoding->presets;
    return POSENC_OK;
}

enum posenc_status posenc_quantity_schema(const struct posenc_operation *operation,
                                          const struct posenc_value *input,
                                          struct posenc_memory *memory,
                                          const struct posenc_encoding **encoding,
                                          struct posenc_schema *schema,
                                          struct posenc_problem *problem)
{
    const struct posenc_encoding *found = NULL;

    schema->groups = operation->groups;
    schema->presets = NULL;
    schema->takes_tensors = operation->takes_tensors;
    *encoding = NULL;
    if (!operation->asks_encoding)
        return POSENC_OK;
    const enum posenc_status status = find_encoding(operation, input, &found, problem);

    if (status != POSENC_OK)
        return status;
    assert(found);
    *encoding = found;
    return merge_groups(quantity_of(operation), found, memory, schema, problem);
}
