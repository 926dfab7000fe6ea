/* Resolving in tests: files are written as facts.h reads them, with typed members beside them. */
#ifndef TESTS_RESOLVING_H
#define TESTS_RESOLVING_H

#include <criterion/criterion.h>
#include <string.h>

#include "facts.h"
#include "posenc_models.h"

/* One resolution; release with resolved_release(). */
struct resolved {
    struct posenc_memory memory;
    struct posenc_value answer;
    struct posenc_problem problem;
    enum posenc_status status;
};

static inline void resolved_release(struct resolved *resolved)
{
    posenc_memory_release(&resolved->memory);
}

/* The facts and, unless NULL, one more member behind them. */
static inline struct resolved resolve_with(const char *facts, const struct posenc_member *extra)
{
    struct resolved resolved = {.status = POSENC_OK};
    struct posenc_member members[64];
    struct posenc_value config;

    posenc_memory_init(&resolved.memory, POSENC_MEMORY_DEFAULT);
    cr_assert(posenc__read_facts(facts, &resolved.memory, &config));
    if (extra) {
        cr_assert_lt(config.as.object.count, 63);
        if (config.as.object.count > 0)
            memcpy(members, config.as.object.items, config.as.object.count * sizeof(*members));
        members[config.as.object.count] = *extra;
        config = posenc_object(members, config.as.object.count + 1);
    }
    resolved.status =
        posenc_resolve(&config, &resolved.memory, &resolved.answer, &resolved.problem);
    return resolved;
}

static inline struct resolved resolve(const char *facts)
{
    return resolve_with(facts, NULL);
}

/* A list of words as a member. */
static inline struct posenc_member word_list(const char *name, const char *const *words,
                                             size_t count, struct posenc_value *items)
{
    struct posenc_member member = {name, {.kind = POSENC_LIST}};

    for (size_t i = 0; i < count; i++)
        items[i] = posenc_text(words[i]);
    member.value.as.list = (struct posenc_list){items, count};
    return member;
}

static inline size_t use_count(const struct resolved *resolved)
{
    cr_assert_eq(resolved->status, POSENC_OK, "%s: %s", resolved->problem.parameter,
                 resolved->problem.detail);
    return posenc_find_member(&resolved->answer, "uses")->as.list.count;
}

/* What the path leads to in a use; fails the test when nothing is there. */
static inline const struct posenc_value *in_use(const struct resolved *resolved, size_t use,
                                                const char *path)
{
    cr_assert_lt(use, use_count(resolved));
    const struct posenc_value *value =
        posenc__find_path(&posenc_find_member(&resolved->answer, "uses")->as.list.items[use], path);

    cr_assert(value, "use %zu has no %s", use, path);
    return value;
}

static inline const char *text_in(const struct resolved *resolved, size_t use, const char *path)
{
    const struct posenc_value *value = in_use(resolved, use, path);

    cr_assert_eq(value->kind, POSENC_TEXT, "%s", path);
    return value->as.text;
}

static inline double number_in(const struct resolved *resolved, size_t use, const char *path)
{
    const struct posenc_value *value = in_use(resolved, use, path);

    cr_assert_eq(value->kind, POSENC_NUMBER, "%s", path);
    return value->as.number;
}

static inline bool is_in(const struct resolved *resolved, size_t use, const char *path)
{
    cr_assert_lt(use, use_count(resolved));
    return posenc__find_path(&posenc_find_member(&resolved->answer, "uses")->as.list.items[use],
                             path);
}

/* True when the use's layers are exactly these. */
static inline bool has_layers(const struct resolved *resolved, size_t use, const double *layers,
                              size_t count)
{
    const struct posenc_value *value = in_use(resolved, use, "layers");

    return value->kind == POSENC_ARRAY && value->as.array.shape[0] == count &&
           memcmp(value->as.array.data, layers, count * sizeof(*layers)) == 0;
}

/* The detail of the first warning about a member, or NULL. */
static inline const char *warning_of(const struct resolved *resolved, const char *parameter)
{
    const struct posenc_value *list = posenc_find_member(&resolved->answer, "warnings");

    for (size_t i = 0; i < list->as.list.count; i++)
        if (strcmp(posenc_find_member(&list->as.list.items[i], "parameter")->as.text, parameter) ==
            0)
            return posenc_find_member(&list->as.list.items[i], "detail")->as.text;
    return NULL;
}

#endif
