/* The catalogue: every encoding, quantity and tool, described from its rows. */
#include "describe.h"
#include "document.h"
#include "exchange_memory.h"
#include "handlers.h"
#include "refusal.h"

bool find_catalogue_entry(const struct route_match *match, unsigned *methods)
{
    (void)methods;
    return posenc_find(match->variables[0]) != NULL;
}

static void write_encodings(struct json_text *text)
{
    const struct posenc_encoding *encoding;

    json_text_key(text, "encodings");
    json_text_begin_array(text);
    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++) {
        json_text_raw(text, "\n", 1);
        describe_encoding(text, encoding);
    }
    json_text_raw(text, "\n", 1);
    json_text_end_array(text);
}

#define CATALOGUE_NS 8000000 /* what writing the whole of it takes, about */

/* Operations that belong to no encoding. */
static void write_operations(struct json_text *text, const char *key,
                             const struct posenc_operation *at(size_t index),
                             void describe(struct json_text *text,
                                           const struct posenc_operation *operation))
{
    const struct posenc_operation *operation;

    json_text_key(text, key);
    json_text_begin_array(text);
    for (size_t i = 0; (operation = at(i)) != NULL; i++) {
        json_text_raw(text, "\n", 1);
        describe(text, operation);
    }
    json_text_raw(text, "\n", 1);
    json_text_end_array(text);
}

HANDLER(handle_catalogue)
{
    struct json_text *text = &((struct exchange *)response->exchange)->text;

    (void)service;
    (void)match;
    if (respond_if_stopped(request, CATALOGUE_NS, response))
        return;
    json_text_begin_object(text);
    write_encodings(text);
    write_operations(text, "quantities", posenc_quantity_at, describe_quantity);
    write_operations(text, "tools", posenc_tool_at, describe_tool);
    json_text_end_object(text);
    respond_document(request, 200, "application/json", response);
}

HANDLER(handle_catalogue_entry)
{
    (void)service;
    describe_encoding(&((struct exchange *)response->exchange)->text,
                      posenc_find(match->variables[0]));
    respond_document(request, 200, "application/json", response);
}
