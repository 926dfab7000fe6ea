#include "openapi_rows.h"

#include <stdio.h>
#include <string.h>

#include "openapi_names.h"
#include "posenc_models.h"
#include "representation.h"

static bool has_alias(const struct posenc_parameter *row, const char *name)
{
    for (const char *const *alias = row->aliases; alias && *alias; alias++)
        if (strcmp(*alias, name) == 0)
            return true;
    return false;
}

const struct openapi_row *openapi_find_row(const struct openapi_row *rows, const char *name)
{
    for (const struct openapi_row *item = rows; item; item = item->next)
        if (strcmp(item->row->name, name) == 0)
            return item;
    for (const struct openapi_row *item = rows; item; item = item->next)
        for (const struct openapi_row *variant = item; variant; variant = variant->variant)
            if (has_alias(variant->row, name))
                return item;
    return NULL;
}

/* Whether two rows of one name take the same values. */
static bool are_alike(const struct posenc_parameter *a, const struct posenc_parameter *b)
{
    return a->type == b->type && a->minimum == b->minimum && a->maximum == b->maximum &&
           a->choices == b->choices && a->members == b->members &&
           (a->flags & (POSENC_ABOVE | POSENC_NULLS)) == (b->flags & (POSENC_ABOVE | POSENC_NULLS));
}

static bool is_required(const struct posenc_parameter *row, bool takes_tensors)
{
    return !row->has_fallback && !(row->flags & POSENC_OPTIONAL) &&
           !(row->flags & POSENC_FROM_TENSOR && takes_tensors);
}

/* What shapes a whole request, so that no other parameter is required beside it. */
static const char *const bundles[] = {"model", "config", NULL};
static const char *const bundles_and_presets[] = {"model", "config", "preset", NULL};

/* A list that grows at its end. */
struct row_list {
    const struct openapi *openapi;
    struct openapi_row *first, *last;
    const struct posenc_encoding *encoding; /* whose presets and models may set them; or NULL */
    bool takes_tensors;
    bool is_borrowed, is_shared;
};

static const char *const *names_of(const struct row_list *list, const struct posenc_parameter *row)
{
    if (strcmp(row->name, "preset") == 0)
        return openapi_preset_names(list->openapi, list->encoding);
    if (row == &representation_rows[0]) /* the format */
        return openapi_format_names(list->openapi);
    return NULL;
}

static const char *const *instead_of(const struct row_list *list,
                                     const struct posenc_parameter *row)
{
    if (!list->encoding || row->type == POSENC_TYPE_TENSOR)
        return NULL;
    return list->encoding->presets ? bundles_and_presets : bundles;
}

static struct openapi_row *new_item(const struct row_list *list, const struct posenc_parameter *row)
{
    struct openapi_row *item = posenc_allocate(list->openapi->memory, 1, sizeof(*item));

    if (!item) {
        list->openapi->text->failed = true;
        return NULL;
    }
    *item = (struct openapi_row){
        .row = row,
        .names = names_of(list, row),
        .instead = instead_of(list, row),
        .presets = list->encoding ? list->encoding->presets : NULL,
        .takes_index = list->is_shared && strcmp(row->name, "layer") == 0,
        .is_required = !list->is_borrowed && is_required(row, list->takes_tensors),
        .is_shared = list->is_shared,
        .is_borrowed = list->is_borrowed,
    };
    return item;
}

static struct openapi_row *find_name(const struct row_list *list, const char *name)
{
    struct openapi_row *item = list->first;

    while (item && strcmp(item->row->name, name) != 0)
        item = item->next;
    return item;
}

static void add_variant(const struct row_list *list, struct openapi_row *first,
                        const struct posenc_parameter *row)
{
    struct openapi_row *variant;

    if (!first->is_borrowed) /* the quantity's own: it hides the encoding's */
        return;
    for (const struct openapi_row *known = first; known; known = known->variant)
        if (are_alike(known->row, row))
            return;
    variant = new_item(list, row);
    if (!variant)
        return;
    variant->variant = first->variant;
    first->variant = variant;
}

static void add_row(struct row_list *list, const struct posenc_parameter *row)
{
    struct openapi_row *known = find_name(list, row->name), *item;

    if (known) {
        add_variant(list, known, row);
        return;
    }
    item = new_item(list, row);
    if (!item)
        return;
    if (list->last)
        list->last->next = item;
    else
        list->first = item;
    list->last = item;
}

static void add_groups(struct row_list *list, const struct posenc_parameter *const *groups)
{
    for (; *groups; groups++)
        for (const struct posenc_parameter *row = *groups; row->name; row++)
            add_row(list, row);
}

/* The rows that a quantity's request has when it names this encoding; the list knows its own. */
static void borrow_rows(struct row_list *list, const struct posenc_operation *quantity,
                        const struct posenc_encoding *encoding)
{
    const struct posenc_member member = {"encoding", posenc_text(encoding->name)};
    const struct posenc_value input = posenc_object(&member, 1);
    struct posenc_schema schema = {0};
    struct posenc_problem problem;
    const struct posenc_encoding *found;

    if (posenc_quantity_schema(quantity, &input, list->openapi->memory, &found, &schema,
                               &problem) == POSENC_OK)
        add_groups(list, schema.groups);
    else
        list->openapi->text->failed = true; /* it serves the encoding, so memory is out */
}

/* What is borrowed stands behind the quantity's own. */
static void borrow_all(struct row_list *list, const struct posenc_operation *quantity)
{
    struct openapi_row *const name = find_name(list, "encoding");
    const struct posenc_encoding *encoding;

    if (name)
        name->names = openapi_served_names(list->openapi, quantity);
    list->is_borrowed = true;
    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        if (posenc_quantity_serves(quantity, encoding))
            borrow_rows(list, quantity, encoding);
    list->is_borrowed = false;
}

static void add_table(struct row_list *list, const struct posenc_parameter *rows)
{
    const struct posenc_parameter *const groups[] = {rows, NULL};

    add_groups(list, groups);
}

void openapi_collect_rows(const struct openapi *openapi, const struct posenc_encoding *encoding,
                          const struct posenc_operation *operation, struct openapi_rows *rows)
{
    struct row_list list = {
        .openapi = openapi, .encoding = encoding, .takes_tensors = operation->takes_tensors};

    *rows = (struct openapi_rows){0};
    add_groups(&list, operation->groups);
    for (const struct openapi_row *item = list.first; item; item = item->next) {
        rows->has_tensors |= item->row->type == POSENC_TYPE_TENSOR;
        rows->needs_tensors |= item->row->type == POSENC_TYPE_TENSOR && item->is_required;
    }
    if (operation->asks_encoding)
        borrow_all(&list, operation);
    list.is_shared = true;
    if (encoding)
        add_table(&list, posenc_model_parameters);
    add_table(&list, representation_rows);
    rows->first = list.first;
}

static bool sets_member(const struct posenc_preset *preset, const char *object, const char *member)
{
    char path[POSENC_PATH_MAX];

    (void)snprintf(path, sizeof(path), "%s.%s", object, member);
    for (size_t i = 0; i < POSENC_SETTINGS_MAX && preset->settings[i].name; i++)
        if (strcmp(preset->settings[i].name, path) == 0)
            return true;
    return false;
}

const struct openapi_row *openapi_list_members(const struct openapi *openapi,
                                               const struct openapi_row *object)
{
    struct row_list list = {.openapi = openapi};

    add_table(&list, object->row->members);
    for (struct openapi_row *item = list.first; item; item = item->next)
        for (const struct posenc_preset *preset = object->presets; preset && preset->name; preset++)
            item->is_set_by_preset |= sets_member(preset, object->row->name, item->row->name);
    return list.first;
}

const struct openapi_row *openapi_list_shared(const struct openapi *openapi)
{
    struct row_list list = {.openapi = openapi, .is_shared = true};

    add_table(&list, posenc_model_parameters);
    add_table(&list, representation_rows);
    return list.first;
}
