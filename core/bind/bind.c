/*
 * Binding: the members of a request become arguments, one for each row. Explicit values override a
 * preset's, which override the defaults. An unknown name is reported before anything else, since
 * what is missing may be missing because of it.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bind.h"

static bool has_alias(const struct posenc_parameter *row, const char *name)
{
    for (const char *const *alias = row->aliases; alias && *alias; alias++)
        if (strcmp(*alias, name) == 0)
            return true;
    return false;
}

/* The argument whose row is called so, by name or alias. */
static struct posenc_argument *find_row(struct posenc_argument *items, size_t count,
                                        const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(items[i].row->name, name) == 0 || has_alias(items[i].row, name))
            return &items[i];
    return NULL;
}

/* The known name that was probably meant, or NULL. Canonical names win over aliases that are as
 * near. */
static const char *suggest_row(const struct posenc_argument *items, size_t count, const char *name)
{
    size_t best = SIZE_MAX;
    const char *nearest = NULL;

    for (size_t i = 0; i < count; i++)
        posenc__consider(name, items[i].row->name, &best, &nearest);
    for (size_t i = 0; i < count; i++)
        for (const char *const *alias = items[i].row->aliases; alias && *alias; alias++)
            posenc__consider(name, *alias, &best, &nearest);
    return nearest;
}

/* Appends to a path of `length` bytes, cut where it has no more room; returns its new length. */
static size_t append_path(char path[POSENC_PATH_MAX], size_t length, const char *text)
{
    const size_t room = POSENC_PATH_MAX - 1 - length, size = strlen(text);
    const size_t kept = size < room ? size : room;

    memcpy(path + length, text, kept);
    path[length + kept] = '\0';
    return length + kept;
}

/* Every row of every request has its path made, so this must be cheap. */
static void join_path(char path[POSENC_PATH_MAX], const char *prefix, const char *name)
{
    size_t length = append_path(path, 0, prefix);

    length = append_path(path, length, *prefix ? "." : "");
    (void)append_path(path, length, name);
}

static enum posenc_status refuse_unknown(const struct posenc__binding *binding, const char *path,
                                         const char *name, const struct posenc_argument *items,
                                         size_t count)
{
    const char *nearest = suggest_row(items, count, name);
    const enum posenc_status status =
        nearest ? posenc__refuse(binding->problem, POSENC_UNKNOWN_PARAMETER, path,
                                 "There is no parameter '%.80s' here; did you mean '%s'?", path,
                                 nearest)
                : posenc__refuse(binding->problem, POSENC_UNKNOWN_PARAMETER, path,
                                 "There is no parameter '%.80s' here; the catalogue /v1/encodings "
                                 "lists those that there are.",
                                 path);

    if (nearest)
        (void)snprintf(binding->problem->suggestion, sizeof(binding->problem->suggestion), "%s",
                       nearest);
    return status;
}

static bool is_null(const struct posenc_value *raw)
{
    if (raw->kind == POSENC_UNTYPED)
        return strcmp(raw->as.untyped.text, "null") == 0;
    return raw->kind == POSENC_NULL;
}

/*
 * Finds each member's row, and refuses what has none and what is given twice. A null asks for the
 * default, which is what the same row has without it, so a value under another name wins.
 */
static enum posenc_status match_names(const struct posenc__binding *binding, const char *prefix,
                                      bool open, const struct posenc_value *input,
                                      struct posenc_argument *items, size_t count,
                                      const struct posenc_value **raws)
{
    for (size_t i = 0; i < input->as.object.count; i++) {
        const struct posenc_member *member = &input->as.object.items[i];
        char path[POSENC_PATH_MAX];
        struct posenc_argument *item = find_row(items, count, member->name);

        join_path(path, prefix, member->name);
        if (!item && !open)
            return refuse_unknown(binding, path, member->name, items, count);
        if (!item) {
            posenc__warn(binding->arguments, binding->memory, path,
                         "'%.80s' is not a member that shapes the result; it was left out.", path);
            continue;
        }
        const struct posenc_value **const raw = &raws[item - items];

        if (*raw && !is_null(*raw) && !is_null(&member->value))
            return posenc__refuse(binding->problem, POSENC_CONFLICT, path,
                                  "'%.80s' is given under two names; '%s' is the canonical one.",
                                  path, item->row->name);
        if (!*raw || is_null(*raw))
            *raw = &member->value;
    }
    return POSENC_OK;
}

static const struct posenc_value *find_setting(const struct posenc_preset *preset, const char *path)
{
    for (size_t i = 0; preset && i < POSENC_SETTINGS_MAX && preset->settings[i].name; i++)
        if (strcmp(preset->settings[i].name, path) == 0)
            return &preset->settings[i].value;
    return NULL;
}

/*
 * The value that a row gets when the request has none. A null in the request asks for the default,
 * except where null itself is one of the row's values: it then overrides the preset's.
 */
static enum posenc_status bind_default(const struct posenc__binding *binding, const char *path,
                                       bool is_null, struct posenc_argument *item)
{
    const bool means_null =
        is_null && item->row->has_fallback && item->row->fallback.kind == POSENC_NULL;
    const struct posenc_value *setting = means_null ? NULL : find_setting(binding->preset, path);
    const enum posenc_origin origin = setting ? POSENC_FROM_PRESET : POSENC_FROM_FALLBACK;
    const struct posenc_value *value = setting ? setting : &item->row->fallback;

    if (!setting && !item->row->has_fallback)
        return POSENC_OK;
    item->origin = origin;
    if (value->kind == POSENC_NULL)
        return POSENC_OK;
    const enum posenc_status status = posenc__convert(binding, item->row, path, value, item);

    assert(status == POSENC_OK || status == POSENC_NO_MEMORY);
    return status;
}

static bool is_required(const struct posenc__binding *binding, const struct posenc_parameter *row)
{
    const bool told = (row->flags & POSENC_FROM_TENSOR) && binding->schema->takes_tensors;

    return !row->has_fallback && !(row->flags & POSENC_OPTIONAL) && !told;
}

static enum posenc_status refuse_missing(const struct posenc__binding *binding, const char *path,
                                         const struct posenc_parameter *row)
{
    const enum posenc_status status =
        row->fallback_note
            ? posenc__refuse(
                  binding->problem, POSENC_MISSING_PARAMETER, path,
                  "'%s' is required and has no default, because people get it wrong: %s.", path,
                  row->fallback_note)
            : posenc__refuse(binding->problem, POSENC_MISSING_PARAMETER, path,
                             "'%s' is required: %s.", path, row->meaning);

    for (size_t i = 0; row->choices && row->choices[i] && i < POSENC_ALLOWED_MAX; i++)
        binding->problem->allowed[binding->problem->allowed_count++] = row->choices[i];
    return status;
}

/* Values and defaults first, then what is missing: a wrong value is better news than a missing one.
 */
static enum posenc_status bind_values(const struct posenc__binding *binding, const char *prefix,
                                      const struct posenc_value *const *raws,
                                      struct posenc_argument *items, size_t count)
{
    char path[POSENC_PATH_MAX];
    enum posenc_status status = POSENC_OK;

    for (size_t i = 0; i < count && status == POSENC_OK; i++) {
        join_path(path, prefix, items[i].row->name);
        if (raws[i] && !is_null(raws[i])) {
            items[i].origin = POSENC_GIVEN;
            status = posenc__convert(binding, items[i].row, path, raws[i], &items[i]);
        } else {
            status = bind_default(binding, path, raws[i] != NULL, &items[i]);
        }
    }
    for (size_t i = 0; i < count && status == POSENC_OK; i++) {
        join_path(path, prefix, items[i].row->name);
        if (items[i].origin == POSENC_ABSENT && is_required(binding, items[i].row))
            status = refuse_missing(binding, path, items[i].row);
    }
    return status;
}

static size_t append_rows(struct posenc_argument *items, size_t count,
                          const struct posenc_parameter *rows)
{
    for (; rows && rows->name; rows++) {
        assert(count < POSENC_ARGUMENTS_MAX);
        items[count++] = (struct posenc_argument){.row = rows};
    }
    return count;
}

enum posenc_status posenc__bind_object(const struct posenc__binding *binding,
                                       const struct posenc_parameter *row, const char *path,
                                       const struct posenc_value *raw, struct posenc_value *value)
{
    const struct posenc_value *raws[POSENC_ARGUMENTS_MAX] = {NULL};
    struct posenc_argument *items =
        posenc_allocate(binding->memory, POSENC_ARGUMENTS_MAX, sizeof(*items));

    if (!items)
        return posenc__no_memory(binding->problem);
    const size_t count = append_rows(items, 0, row->members);
    struct posenc_member *members = posenc_allocate(binding->memory, count, sizeof(*members));
    size_t present = 0;

    if (!members)
        return posenc__no_memory(binding->problem);
    enum posenc_status status =
        match_names(binding, path, row->flags & POSENC_OPEN, raw, items, count, raws);

    if (status == POSENC_OK)
        status = bind_values(binding, path, raws, items, count);
    for (size_t i = 0; i < count; i++)
        if (items[i].origin != POSENC_ABSENT)
            members[present++] = (struct posenc_member){items[i].row->name, items[i].value};
    *value = posenc_object(members, present);
    return status;
}

static const struct posenc_value *raw_preset(const struct posenc_value *input)
{
    const struct posenc_value *raw = posenc_find_member(input, "preset");

    return raw && !is_null(raw) ? raw : NULL;
}

/* Finds the preset that the request names. */
static enum posenc_status find_preset(struct posenc__binding *binding,
                                      const struct posenc_value *input)
{
    const struct posenc_value *raw = raw_preset(input);
    const char *name = NULL;
    size_t best = SIZE_MAX;
    const char *nearest = NULL;

    if (raw && raw->kind == POSENC_TEXT)
        name = raw->as.text;
    else if (raw && raw->kind == POSENC_UNTYPED)
        name = raw->as.untyped.text;
    if (!name || !binding->schema->presets)
        return POSENC_OK;
    for (const struct posenc_preset *preset = binding->schema->presets; preset->name; preset++) {
        if (strcmp(preset->name, name) == 0)
            binding->preset = preset;
        posenc__consider(name, preset->name, &best, &nearest);
    }
    if (binding->preset)
        return POSENC_OK;
    (void)posenc__refuse(binding->problem, POSENC_OUT_OF_RANGE, "preset",
                         "There is no preset '%.80s' here; 'allowed' lists those that there are.",
                         name);
    posenc__describe(raw, binding->problem->value, sizeof(binding->problem->value));
    if (nearest)
        (void)snprintf(binding->problem->suggestion, sizeof(binding->problem->suggestion), "%s",
                       nearest);
    for (const struct posenc_preset *preset = binding->schema->presets; preset->name; preset++)
        if (binding->problem->allowed_count < POSENC_ALLOWED_MAX)
            binding->problem->allowed[binding->problem->allowed_count++] = preset->name;
    return POSENC_OUT_OF_RANGE;
}

enum posenc_status posenc_bind(const struct posenc_schema *schema, const struct posenc_value *input,
                               struct posenc_memory *memory, struct posenc_arguments *arguments,
                               struct posenc_problem *problem)
{
    struct posenc__binding binding = {schema, NULL, memory, arguments, problem};
    const struct posenc_value *raws[POSENC_ARGUMENTS_MAX] = {NULL};

    memset(arguments, 0, sizeof(*arguments));
    if (input->kind != POSENC_OBJECT)
        return posenc__refuse(problem, POSENC_WRONG_TYPE, "",
                              "The parameters must be one object of names and values.");
    for (const struct posenc_parameter *const *group = schema->groups; group && *group; group++)
        arguments->count = append_rows(arguments->items, arguments->count, *group);
    arguments->count = append_rows(arguments->items, arguments->count, schema->extra);
    enum posenc_status status =
        match_names(&binding, "", false, input, arguments->items, arguments->count, raws);

    if (status == POSENC_OK && posenc_find_argument(arguments, "preset"))
        status = find_preset(&binding, input);
    if (status == POSENC_OK)
        status = bind_values(&binding, "", raws, arguments->items, arguments->count);
    if (status == POSENC_OK && binding.preset && binding.preset->complete)
        binding.preset->complete(arguments);
    return status;
}
