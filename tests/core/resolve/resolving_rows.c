#include "resolving_rows.h"

#include <math.h>
#include <stdio.h>

/* Decimals of 17 digits and the answer are each rounded once. */
static bool is_near(double value, double right)
{
    return fabs(value - right) <= fabs(right) * 0x1p-52;
}

static void expect_array(const char *words, const char *path, const struct posenc_array *array,
                         const struct posenc_array *right)
{
    const double *numbers = array->data, *decimals = right->data;

    cr_assert_eq(array->shape[0], right->shape[0], "%s: entries of %s", words, path);
    for (size_t i = 0; i < right->shape[0]; i++)
        cr_expect(is_near(numbers[i], decimals[i]), "%s: %s.%zu is %.17g", words, path, i,
                  numbers[i]);
}

static void expect_leaf(const char *words, const char *path, const struct posenc_value *value,
                        const struct posenc_value *right)
{
    if (right->kind == POSENC_NULL) {
        cr_expect_null(value, "%s: there is a %s", words, path);
        return;
    }
    cr_assert_not_null(value, "%s: there is no %s", words, path);
    cr_assert_eq(value->kind, right->kind, "%s: the kind of %s", words, path);
    if (right->kind == POSENC_NUMBER && strncmp(path, "parameters.", 11) == 0)
        cr_expect_eq(value->as.number, right->as.number, "%s: %s is %.17g", words, path,
                     value->as.number);
    else if (right->kind == POSENC_NUMBER)
        cr_expect(is_near(value->as.number, right->as.number), "%s: %s is %.17g", words, path,
                  value->as.number);
    else if (right->kind == POSENC_TEXT)
        cr_expect_str_eq(value->as.text, right->as.text, "%s: %s is %s", words, path,
                         value->as.text);
    else if (right->kind == POSENC_BOOLEAN)
        cr_expect_eq(value->as.boolean, right->as.boolean, "%s: %s", words, path);
    else
        expect_array(words, path, &value->as.array, &right->as.array);
}

/* Each leaf of the expected object, by its path. */
static void expect_members(const char *words, const struct posenc_value *use, const char *before,
                           const struct posenc_value *expected)
{
    for (size_t i = 0; i < expected->as.object.count; i++) {
        const struct posenc_member *member = &expected->as.object.items[i];
        char path[128];

        const bool is_inner = member->value.kind == POSENC_OBJECT;
        const int length =
            snprintf(path, sizeof(path), "%s%s%s", before, member->name, is_inner ? "." : "");

        cr_assert_lt(length, (int)sizeof(path));
        if (is_inner) {
            expect_members(words, use, path, &member->value);
        } else {
            expect_leaf(words, path, posenc__find_path(use, path), &member->value);
        }
    }
}

static void expect_use(struct resolved *resolved, const struct use_row *row)
{
    struct posenc_value expected;

    cr_assert_lt(row->use, use_count(resolved), "%s: no use %zu", row->facts, row->use);
    cr_assert(posenc__read_facts(row->expected, &resolved->memory, &expected));
    expect_members(row->facts,
                   &posenc_find_member(&resolved->answer, "uses")->as.list.items[row->use], "",
                   &expected);
    if (row->warned)
        cr_expect_not_null(warning_of(resolved, row->warned), "%s: no warning of %s", row->facts,
                           row->warned);
}

void expect_uses(const struct use_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct resolved resolved = resolve(rows[i].facts);

        cr_assert_eq(resolved.status, POSENC_OK, "%s: %s", rows[i].facts, resolved.problem.detail);
        expect_use(&resolved, &rows[i]);
        resolved_release(&resolved);
    }
}

void expect_refused(const struct refused_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct resolved resolved = resolve(rows[i].facts);

        cr_expect_eq(resolved.status, rows[i].status, "%s: %d, %s", rows[i].facts,
                     (int)resolved.status, resolved.problem.detail);
        cr_expect_str_eq(resolved.problem.parameter, rows[i].parameter, "%s: %s", rows[i].facts,
                         resolved.problem.detail);
        resolved_release(&resolved);
    }
}

struct resolved resolve_model(const char *name)
{
    const struct posenc_model *model = posenc_find_model(name);
    struct resolved resolved = {.status = POSENC_OK};
    struct posenc_value config;

    cr_assert_not_null(model, "there is no %s", name);
    posenc_memory_init(&resolved.memory, POSENC_MEMORY_DEFAULT);
    cr_assert(posenc_model_config(model, &resolved.memory, &config));
    resolved.status =
        posenc_resolve(&config, &resolved.memory, &resolved.answer, &resolved.problem);
    return resolved;
}

void expect_model_uses(const struct use_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct resolved resolved = resolve_model(rows[i].facts);

        expect_use(&resolved, &rows[i]);
        resolved_release(&resolved);
    }
}
