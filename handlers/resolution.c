/* Writing resolutions, and what their two routes share. */
#include "resolution.h"

#include <stdio.h>
#include <string.h>

#include "query.h"
#include "respond.h"

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

static bool refuse_query(const struct request *request, const struct posenc_member *member,
                         struct response *response)
{
    const bool is_pretty = strcmp(member->name, "pretty") == 0;
    const struct report report = {.status = 422,
                                  .slug = is_pretty ? "out-of-range" : "unknown-parameter",
                                  .parameter = member->name,
                                  .detail = is_pretty ? "'pretty' must be true or false."
                                                      : "This route's query takes 'pretty' only."};

    respond_report(request, &report, response);
    return false;
}

bool read_document_query(const struct request *request, bool *pretty, struct response *response)
{
    struct exchange *exchange = response->exchange;
    struct body_problem problem;
    struct posenc_value query;

    *pretty = false;
    if (!read_query(request->query, &exchange->memory, &query, &problem)) {
        respond_body_problem(request, &problem, "malformed-query", response);
        return false;
    }
    for (size_t i = 0; i < query.as.object.count; i++) {
        const struct posenc_member *member = &query.as.object.items[i];
        const bool is_pretty =
            strcmp(member->name, "pretty") == 0 && member->value.kind == POSENC_UNTYPED;
        const char *word = is_pretty ? member->value.as.untyped.text : "";

        *pretty = strcmp(word, "true") == 0 || strcmp(word, "1") == 0;
        if (!*pretty && strcmp(word, "false") != 0 && strcmp(word, "0") != 0)
            return refuse_query(request, member, response);
    }
    return true;
}

void respond_json(const struct request *request, bool pretty, struct response *response)
{
    struct exchange *exchange = response->exchange;
    struct json_text indented = {.watch = exchange->text.watch};

    if (pretty && !exchange->text.failed) {
        json_text_raw_indented(&indented, exchange->text.bytes, exchange->text.length, 0);
        json_text_release(&exchange->text);
        exchange->text = indented;
    }
    respond_document(request, 200, "application/json", response);
}
