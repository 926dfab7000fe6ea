#include "openapi_values.h"

#include <math.h>

#include "openapi_writing.h"

static void write_type(struct json_text *text, const char *type, bool or_null)
{
    json_text_key(text, "type");
    if (or_null)
        json_text_begin_array(text);
    json_text_string(text, type);
    if (!or_null)
        return;
    json_text_string(text, "null");
    json_text_end_array(text);
}

static void write_bound(struct json_text *text, const char *name, double bound)
{
    if (!isfinite(bound))
        return;
    json_text_key(text, name);
    json_text_number(text, bound);
}

/* The range of a number, or of an element of a list. */
static void write_range(struct json_text *text, const struct posenc_parameter *row)
{
    double minimum = -INFINITY, maximum = INFINITY;

    if (row->minimum != 0 || row->maximum != 0) {
        minimum = row->minimum;
        maximum = row->maximum;
    }
    if (row->type == POSENC_TYPE_INTEGER || row->type == POSENC_TYPE_INTEGERS) {
        minimum = fmax(minimum, -POSENC_INTEGER_MAX);
        maximum = fmin(maximum, POSENC_INTEGER_MAX);
    } else if (row->type == POSENC_TYPE_POSITIONS) {
        minimum = -POSENC_POSITION_MAX;
        maximum = POSENC_POSITION_MAX;
    }
    write_bound(text, row->flags & POSENC_ABOVE ? "exclusiveMinimum" : "minimum", minimum);
    write_bound(text, "maximum", maximum);
}

static void write_choices(struct json_text *text, const char *const *choices, bool or_null)
{
    if (!choices)
        return;
    json_text_key(text, "enum");
    json_text_begin_array(text);
    for (; *choices; choices++)
        json_text_string(text, *choices);
    if (or_null)
        json_text_null(text);
    json_text_end_array(text);
}

/* A text; in a body sometimes an integer, too. */
static void write_text(struct json_text *text, const struct openapi_row *item,
                       enum openapi_place place, bool or_null)
{
    if (!item->takes_index || place == OPENAPI_QUERY) {
        write_type(text, "string", or_null);
        write_choices(text, item->row->choices ? item->row->choices : item->names, or_null);
        return;
    }
    json_text_key(text, "type");
    json_text_begin_array(text);
    json_text_string(text, "string");
    json_text_string(text, "integer");
    json_text_string(text, "null");
    json_text_end_array(text);
}

/* The schema of a list's elements, in an object of its own. */
static void write_element(struct json_text *text, const struct posenc_parameter *row)
{
    json_text_begin_object(text);
    if (row->type == POSENC_TYPE_CHOICES) {
        write_type(text, "string", false);
        write_choices(text, row->choices, false);
    } else {
        write_type(text, row->type == POSENC_TYPE_INTEGERS ? "integer" : "number",
                   row->flags & POSENC_NULLS);
        write_range(text, row);
    }
    json_text_end_object(text);
}

/* Positions are one list, or in a body a list for each axis. */
static void write_items(struct json_text *text, const struct posenc_parameter *row,
                        enum openapi_place place)
{
    const bool is_nested = row->type == POSENC_TYPE_POSITIONS && place == OPENAPI_BODY;

    json_text_key(text, "items");
    if (!is_nested) {
        write_element(text, row);
        return;
    }
    json_text_begin_object(text);
    json_text_key(text, "anyOf");
    json_text_begin_array(text);
    write_element(text, row);
    json_text_begin_object(text);
    write_type(text, "array", false);
    json_text_key(text, "items");
    write_element(text, row);
    json_text_end_object(text);
    json_text_end_array(text);
    json_text_end_object(text);
}

static void write_list(struct json_text *text, const struct posenc_parameter *row,
                       enum openapi_place place, bool or_null)
{
    write_type(text, "array", or_null);
    if (row->type == POSENC_TYPE_CHOICES)
        json_text_member_boolean(text, "uniqueItems", true);
    write_items(text, row, place);
}

/* Either of a tensor's forms, or null. */
static void write_tensor(struct json_text *text, bool or_null)
{
    if (!or_null) {
        json_text_member_string(text, "$ref", "#/components/schemas/TensorInput");
        return;
    }
    json_text_key(text, "anyOf");
    json_text_begin_array(text);
    openapi_write_reference(text, "schemas", "TensorInput");
    json_text_begin_object(text);
    write_type(text, "null", false);
    json_text_end_object(text);
    json_text_end_array(text);
}

void openapi_write_values(struct json_text *text, const struct openapi_row *item,
                          enum openapi_place place, bool or_null)
{
    const struct posenc_parameter *const row = item->row;

    switch (row->type) {
    case POSENC_TYPE_INTEGER:
    case POSENC_TYPE_REAL:
        write_type(text, row->type == POSENC_TYPE_INTEGER ? "integer" : "number", or_null);
        write_range(text, row);
        break;
    case POSENC_TYPE_BOOLEAN:
        write_type(text, "boolean", or_null);
        break;
    case POSENC_TYPE_CHOICE:
    case POSENC_TYPE_TEXT:
        write_text(text, item, place, or_null);
        break;
    case POSENC_TYPE_CHOICES:
    case POSENC_TYPE_INTEGERS:
    case POSENC_TYPE_REALS:
    case POSENC_TYPE_POSITIONS:
        write_list(text, row, place, or_null);
        break;
    case POSENC_TYPE_TENSOR:
        write_tensor(text, or_null);
        break;
    case POSENC_TYPE_OBJECT:
        write_type(text, "object", or_null);
        break;
    }
}
