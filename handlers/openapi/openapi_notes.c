#include "openapi_notes.h"

#include <stdio.h>
#include <string.h>

#define DESCRIPTION_MAX 1024 /* bytes; no row says so much */

static const char *const preset_alone[] = {"preset", NULL};

static void write_description(struct json_text *text, const struct openapi_row *item)
{
    char description[DESCRIPTION_MAX];
    const struct posenc_parameter *const row = item->row;
    const size_t length = strlen(row->meaning);
    const bool is_ended = length > 0 && row->meaning[length - 1] == '.'; /* "0, 1, ..." */
    const char *note = row->fallback_note ? row->fallback_note : "";
    const char *between = "";

    if (item->is_borrowed) {
        between = " As the encoding's own operation takes it.";
        note = "";
    } else if (item->is_required) {
        between = *note ? " Required: " : " Required.";
    } else if (row->flags & POSENC_FROM_TENSOR && !row->has_fallback) {
        between = " Default: told by the tensor.";
        note = "";
    } else if (*note) {
        between = " Default: ";
    }
    (void)snprintf(description, sizeof(description), "%s%s%s%s%s", row->meaning,
                   is_ended ? "" : ".", between, note, *note ? "." : "");
    json_text_member_string(text, "description", description);
}

/* The strings of a list, into an array that is open. */
static void write_strings(struct json_text *text, const char *const *strings)
{
    for (; strings && *strings; strings++)
        json_text_string(text, *strings);
}

static void write_list(struct json_text *text, const char *key, const char *const *first,
                       const char *const *second)
{
    if (!first && !second)
        return;
    json_text_key(text, key);
    json_text_begin_array(text);
    write_strings(text, first);
    write_strings(text, second);
    json_text_end_array(text);
}

void openapi_write_notes(struct json_text *text, const struct openapi_row *item)
{
    write_description(text, item);
    write_list(text, "x-aliases", item->row->aliases, NULL);
    if (item->is_required)
        write_list(text, "x-required-unless", item->row->aliases,
                   item->is_set_by_preset ? preset_alone : item->instead);
}
