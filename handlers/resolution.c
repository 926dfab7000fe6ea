#include "resolution.h"

#include <stdio.h>
#include <string.h>

static void write_tokens(struct json_text *text, const struct python_tokens *tokens)
{
    for (size_t i = 0; tokens && i < tokens->count && i < PYTHON_TOKENS_TOLD_MAX; i++) {
        const struct python_token *token = &tokens->items[i];
        char detail[200];

        (void)snprintf(detail, sizeof(detail),
                       "%s at byte %zu is not JSON, though Python writes it; it was read as an "
                       "empty text.",
                       token->text, token->offset);
        json_text_begin_object(text);
        json_text_member_string(text, "parameter", token->parameter);
        json_text_member_string(text, "detail", detail);
        json_text_end_object(text);
    }
}

static void write_warnings(struct json_text *text, const struct posenc_value *warnings,
                           const struct python_tokens *tokens)
{
    json_text_key(text, "warnings");
    json_text_begin_array(text);
    write_tokens(text, tokens);
    for (size_t i = 0; i < warnings->as.list.count; i++)
        json_text_value(text, &warnings->as.list.items[i]);
    json_text_end_array(text);
}

void write_resolution(struct json_text *text, const struct posenc_value *answer,
                      const struct python_tokens *tokens)
{
    for (size_t i = 0; i < answer->as.object.count; i++) {
        const struct posenc_member *member = &answer->as.object.items[i];

        if (strcmp(member->name, "warnings") == 0)
            write_warnings(text, &member->value, tokens);
        else
            json_text_member_value(text, member->name, &member->value);
    }
}
