#include "problem.h"

#include <stdio.h>
#include <string.h>

#include "exchange_memory.h"
#include "respond.h"

/* "body-too-large" -> "body too large". */
static void write_title(struct json_text *text, const char *slug)
{
    char title[64];
    size_t length = 0;

    for (; slug[length] && length + 1 < sizeof(title); length++)
        title[length] = slug[length];
    title[length] = '\0';
    for (char *dash = strchr(title, '-'); dash; dash = strchr(dash, '-'))
        *dash = ' ';
    json_text_member_string(text, "title", title);
}

static void write_type(struct json_text *text, const char *slug)
{
    char type[96] = "urn:posenc:problem:";

    strncat(type, slug, sizeof(type) - strlen(type) - 1);
    json_text_member_string(text, "type", type);
}

static void write_optional(struct json_text *text, const char *name, const char *value)
{
    if (value && *value)
        json_text_member_string(text, name, value);
}

/*
 * The detail as a whole sentence: readers of bodies leave its first letter and its full stop to us.
 * Clients of the Open Inference Protocol look for it under another name.
 */
static void write_detail(struct json_text *text, const char *detail, bool is_inference)
{
    char sentence[POSENC_DETAIL_MAX + 1];
    size_t length;

    (void)snprintf(sentence, POSENC_DETAIL_MAX, "%s", detail ? detail : "");
    length = strlen(sentence);
    if (length == 0)
        return;
    if (sentence[0] >= 'a' && sentence[0] <= 'z')
        sentence[0] = (char)(sentence[0] - 'a' + 'A');
    if (sentence[length - 1] != '.' && sentence[length - 1] != '?')
        strcpy(sentence + length, ".");
    json_text_member_string(text, "detail", sentence);
    if (is_inference)
        json_text_member_string(text, "error", sentence);
}

static void write_report(struct json_text *text, const struct request *request,
                         const struct report *report)
{
    json_text_begin_object(text);
    write_type(text, report->slug);
    write_title(text, report->slug);
    json_text_member_integer(text, "status", report->status);
    write_detail(text, report->detail, path_is_inference(request->path));
    write_optional(text, "instance", request->id);
    write_optional(text, "parameter", report->parameter);
    write_optional(text, "value", report->value);
    write_optional(text, "suggestion", report->suggestion);
    if (report->allowed_count > 0) {
        json_text_key(text, "allowed");
        json_text_begin_array(text);
        for (size_t i = 0; i < report->allowed_count; i++)
            json_text_string(text, report->allowed[i]);
        json_text_end_array(text);
    }
    if (report->has_offset)
        json_text_member_integer(text, "offset", (int64_t)report->offset);
    if (report->has_limit)
        json_text_member_integer(text, "limit", (int64_t)report->limit);
    json_text_end_object(text);
}

void respond_report(const struct request *request, const struct report *report,
                    struct response *response)
{
    struct exchange *exchange = exchange_of(request, response);

    if (!exchange || report->status == 503)
        (void)response_add_header(response, "Retry-After", "1");
    if (!exchange) {
        respond_no_memory(response);
        return;
    }
    response->problem = report->slug;
    exchange->text.length = 0;
    exchange->text.failed = false;
    write_report(&exchange->text, request, report);
    (void)response_add_header(response, "Cache-Control",
                              "no-store"); /* a full table only loses the hint */
    (void)respond_text(report->status, "application/problem+json",
                       response); /* when it fails, the answer says so */
}

void respond_problem(const struct request *request, unsigned status, const char *slug,
                     const char *detail, uint64_t limit, struct response *response)
{
    const struct report report = {
        .status = status, .slug = slug, .detail = detail, .has_limit = limit != 0, .limit = limit};

    respond_report(request, &report, response);
}
