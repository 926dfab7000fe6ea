/* The catalogue: every encoding, described from its rows. */
#include "describe.h"
#include "handlers.h"
#include "respond.h"

bool find_catalogue_entry(const struct route_match *match, unsigned *methods)
{
    (void)methods;
    return posenc_find(match->variables[0]) != NULL;
}

HANDLER(handle_catalogue)
{
    struct json_text *text = &((struct exchange *)response->exchange)->text;
    const struct posenc_encoding *encoding;

    (void)service;
    (void)match;
    json_text_begin_object(text);
    json_text_key(text, "encodings");
    json_text_begin_array(text);
    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++) {
        json_text_raw(text, "\n", 1);
        describe_encoding(text, encoding);
    }
    json_text_raw(text, "\n", 1);
    json_text_end_array(text);
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
