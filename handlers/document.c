#include "document.h"

#include <string.h>

#include "delivery.h"
#include "exchange_memory.h"
#include "problem.h"
#include "query.h"
#include "refusal.h"
#include "respond.h"

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

static void deliver_document(const struct request *request, struct response *response)
{
    const struct json_text *text = &((struct exchange *)response->exchange)->text;
    struct offer offer = {.cache_control = CACHE_DOCUMENT};

    fingerprint_bytes(text->bytes, text->length, &offer.fingerprint);
    deliver(request, &offer, response);
}

void respond_document(const struct request *request, unsigned status, const char *media_type,
                      struct response *response)
{
    const bool is_told = respond_text(status, media_type, response);

    if (is_told && status == 200 && !response_has_header(response, "Cache-Control"))
        deliver_document(request, response);
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
