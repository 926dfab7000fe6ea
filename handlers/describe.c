/* Describing encodings, tools and quantities from their rows. */
#include "describe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posenc_models.h"
#include "representation.h"

static void write_names(struct json_text *text, const char *key, const char *const *names)
{
    if (!names)
        return;
    json_text_key(text, key);
    json_text_begin_array(text);
    for (; *names; names++)
        json_text_string(text, *names);
    json_text_end_array(text);
}

static void write_range(struct json_text *text, const struct posenc_parameter *row)
{
    const struct posenc_value minimum = posenc_number(row->minimum),
                              maximum = posenc_number(row->maximum);

    if (row->minimum == 0 && row->maximum == 0)
        return;
    if (isfinite(row->minimum))
        json_text_member_value(text, row->flags & POSENC_ABOVE ? "exclusive_minimum" : "minimum",
                               &minimum);
    if (isfinite(row->maximum))
        json_text_member_value(text, "maximum", &maximum);
}

static void describe_parameter(struct json_text *text, const struct posenc_parameter *row,
                               bool takes_tensors)
{
    const bool told = row->flags & POSENC_FROM_TENSOR && takes_tensors;
    const bool required = !row->has_fallback && !(row->flags & POSENC_OPTIONAL) && !told;

    json_text_begin_object(text);
    json_text_member_string(text, "name", row->name);
    write_names(text, "aliases", row->aliases);
    json_text_member_string(text, "type", posenc_type_name(row->type));
    json_text_member_boolean(text, "required", required);
    if (row->has_fallback)
        json_text_member_value(text, "default", &row->fallback);
    if (told)
        json_text_member_string(text, "default_note", "told by the tensor");
    else if (row->fallback_note)
        json_text_member_string(text, required ? "no_default_because" : "default_note",
                                row->fallback_note);
    write_range(text, row);
    write_names(text, "choices", row->choices);
    if (row->members) {
        json_text_member_boolean(text, "other_members_allowed", row->flags & POSENC_OPEN);
        json_text_key(text, "members");
        describe_parameters(text, row->members);
    }
    json_text_member_string(text, "meaning", row->meaning);
    json_text_end_object(text);
}

/* The rows of a table, into an array that is open. */
static void write_rows(struct json_text *text, const struct posenc_parameter *rows,
                       bool takes_tensors)
{
    for (; rows->name; rows++)
        describe_parameter(text, rows, takes_tensors);
}

void describe_parameters(struct json_text *text, const struct posenc_parameter *rows)
{
    json_text_begin_array(text);
    write_rows(text, rows, false);
    json_text_end_array(text);
}

static void write_methods(struct json_text *text, bool has_get)
{
    json_text_key(text, "methods");
    json_text_begin_array(text);
    if (has_get)
        json_text_string(text, "GET");
    json_text_string(text, "POST");
    json_text_end_array(text);
}

static void write_parameters(struct json_text *text, const struct posenc_operation *operation,
                             bool knows_models)
{
    json_text_key(text, "parameters");
    json_text_begin_array(text);
    for (const struct posenc_parameter *const *group = operation->groups; *group; group++)
        write_rows(text, *group, operation->takes_tensors);
    if (knows_models)
        write_rows(text, posenc_model_parameters, operation->takes_tensors);
    write_rows(text, representation_rows, operation->takes_tensors);
    json_text_end_array(text);
}

static void write_tensors(struct json_text *text, const struct posenc_operation *operation)
{
    json_text_key(text, "tensors");
    json_text_begin_array(text);
    for (const struct posenc_tensor_row *tensor = operation->tensors; tensor->name; tensor++) {
        json_text_begin_object(text);
        json_text_member_string(text, "name", tensor->name);
        json_text_member_string(text, "dims", tensor->dims);
        json_text_member_string(text, "meaning", tensor->meaning);
        json_text_end_object(text);
    }
    json_text_end_array(text);
}

/* Opens the object that describes an operation: what all operations have. */
static void begin_operation(struct json_text *text, const struct posenc_operation *operation,
                            const char *path, bool has_get, bool knows_models)
{
    json_text_begin_object(text);
    json_text_member_string(text, "name", operation->name);
    json_text_member_string(text, "path", path);
    write_methods(text, has_get);
    json_text_member_string(text, "summary", operation->summary);
    write_parameters(text, operation, knows_models);
    write_tensors(text, operation);
}

static void describe_operation(struct json_text *text, const struct posenc_encoding *encoding,
                               const struct posenc_operation *operation)
{
    const bool is_table = strcmp(operation->name, "table") == 0;
    char path[160];

    (void)snprintf(path, sizeof(path), "/v1/%s%s%s", encoding->name, is_table ? "" : "/",
                   is_table ? "" : operation->name);
    begin_operation(text, operation, path, is_table, true);
    json_text_end_object(text);
}

void describe_tool(struct json_text *text, const struct posenc_operation *tool)
{
    char path[160];

    (void)snprintf(path, sizeof(path), "/v1/%s", tool->name);
    begin_operation(text, tool, path, !tool->takes_tensors, false);
    json_text_end_object(text);
}

/* The encodings that have the quantity, and whose parameters its requests may set. */
static void write_served(struct json_text *text, const struct posenc_operation *quantity)
{
    const struct posenc_encoding *encoding;

    if (!quantity->asks_encoding)
        return;
    json_text_member_string(text, "and_parameters_of", quantity->asks_encoding);
    json_text_key(text, "encodings");
    json_text_begin_array(text);
    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        if (posenc_quantity_serves(quantity, encoding))
            json_text_string(text, encoding->name);
    json_text_end_array(text);
}

void describe_quantity(struct json_text *text, const struct posenc_operation *quantity)
{
    char path[160];

    (void)snprintf(path, sizeof(path), "/v1/analysis/%s", quantity->name);
    begin_operation(text, quantity, path, !quantity->takes_tensors, false);
    write_served(text, quantity);
    json_text_end_object(text);
}

static void describe_preset(struct json_text *text, const struct posenc_preset *preset)
{
    json_text_begin_object(text);
    json_text_member_string(text, "name", preset->name);
    json_text_member_string(text, "meaning", preset->meaning);
    json_text_key(text, "settings");
    json_text_begin_object(text);
    for (size_t i = 0; i < POSENC_SETTINGS_MAX && preset->settings[i].name; i++)
        json_text_member_value(text, preset->settings[i].name, &preset->settings[i].value);
    json_text_end_object(text);
    json_text_end_object(text);
}

void describe_encoding(struct json_text *text, const struct posenc_encoding *encoding)
{
    json_text_begin_object(text);
    json_text_member_string(text, "name", encoding->name);
    write_names(text, "aliases", encoding->aliases);
    json_text_member_string(text, "summary", encoding->summary);
    json_text_member_string(text, "source", encoding->source);
    json_text_member_string(text, "convention", encoding->convention);
    json_text_key(text, "operations");
    json_text_begin_array(text);
    for (const struct posenc_operation *operation = encoding->operations; operation->name;
         operation++)
        describe_operation(text, encoding, operation);
    json_text_end_array(text);
    json_text_key(text, "presets");
    json_text_begin_array(text);
    for (const struct posenc_preset *preset = encoding->presets; preset && preset->name; preset++)
        describe_preset(text, preset);
    json_text_end_array(text);
    json_text_end_object(text);
}
