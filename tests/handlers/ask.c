/* Calling handlers without a socket. */
#include "ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READ_SIZE 97 /* odd on purpose: readers must work with any size */

static void write_no_metrics(void *context, bool is_openmetrics, struct json_text *text)
{
    (void)context;
    (void)is_openmetrics;
    (void)text;
}

struct service ask_service(void)
{
    return (struct service){.body_bytes_max = 1 << 20,
                            .result_bytes_max = (uint64_t)1 << 36,
                            .memory_bytes_max = (size_t)1 << 28,
                            .write_metrics = write_no_metrics};
}

static void read_body(struct response *response, struct answer *answer)
{
    uint64_t offset = 0;
    ssize_t got = 0;

    answer->body = calloc(1, 1);
    while (response->read && response->length != 0) {
        answer->body = realloc(answer->body, answer->size + READ_SIZE + 1);
        got = response->read(response->state, offset, answer->body + answer->size, READ_SIZE);
        if (got <= 0)
            break;
        offset += (uint64_t)got;
        answer->size += (size_t)got;
        if (response->length != RESPONSE_LENGTH_UNKNOWN && answer->size >= response->length)
            break;
    }
    answer->body[answer->size] = '\0';
}

static void copy_header(const struct response *response, const char *name, char *value, size_t size)
{
    for (size_t i = 0; i < response->header_count; i++)
        if (strcmp(response->headers[i].name, name) == 0)
            (void)snprintf(value, size, "%s", response->headers[i].value);
}

static void copy_headers(const struct response *response, struct answer *answer)
{
    size_t length = 0;

    for (size_t i = 0; i < response->header_count && length < sizeof(answer->headers); i++)
        length +=
            (size_t)snprintf(answer->headers + length, sizeof(answer->headers) - length, "%s: %s\n",
                             response->headers[i].name, response->headers[i].value);
}

const char *answer_header(const struct answer *answer, const char *name)
{
    static char value[256];
    const size_t length = strlen(name);

    for (const char *line = answer->headers; *line; line = strchr(line, '\n') + 1)
        if (strncmp(line, name, length) == 0 && line[length] == ':') {
            (void)snprintf(value, sizeof(value), "%.*s", (int)strcspn(line + length + 2, "\n"),
                           line + length + 2);
            return value;
        }
    return "";
}

struct answer ask_bytes(const struct service *service, const char *method, const char *target,
                        const char *body, size_t body_size, const struct header *headers,
                        size_t header_count)
{
    char path[4096];
    struct answer answer = {0};
    const char *mark = strchr(target, '?');

    (void)snprintf(path, sizeof(path), "%.*s", mark ? (int)(mark - target) : (int)strlen(target),
                   target);
    const struct request request = {.method = method,
                                    .path = path,
                                    .query = mark ? mark + 1 : "",
                                    .headers = headers,
                                    .header_count = header_count,
                                    .body = body,
                                    .body_size = body_size,
                                    .id = "test-1"};

    handle_request(service, &request, &answer.response);
    answer.status = answer.response.status;
    copy_headers(&answer.response, &answer);
    copy_header(&answer.response, "Allow", answer.allow, sizeof(answer.allow));
    copy_header(&answer.response, "Content-Type", answer.content_type, sizeof(answer.content_type));
    copy_header(&answer.response, "Content-Disposition", answer.content_disposition,
                sizeof(answer.content_disposition));
    copy_header(&answer.response, "X-Tensor-Shape", answer.shape, sizeof(answer.shape));
    read_body(&answer.response, &answer);
    answer.document = json_loadb(answer.body, answer.size, JSON_REJECT_DUPLICATES, NULL);
    response_release(&answer.response);
    return answer;
}

struct answer ask_service_with(const struct service *service, const char *method,
                               const char *target, const char *body, const struct header *headers,
                               size_t header_count)
{
    static const struct header json = {"content-type", "application/json"};

    if (body && header_count == 0)
        return ask_bytes(service, method, target, body, strlen(body), &json, 1);
    return ask_bytes(service, method, target, body ? body : "", body ? strlen(body) : 0, headers,
                     header_count);
}

struct answer ask(const char *method, const char *target, const char *body)
{
    const struct service service = ask_service();

    return ask_service_with(&service, method, target, body, NULL, 0);
}

void answer_release(struct answer *answer)
{
    json_decref(answer->document);
    free(answer->body);
    memset(answer, 0, sizeof(*answer));
}

const char *answer_text(const struct answer *answer, const char *member)
{
    const char *text = json_string_value(json_object_get(answer->document, member));

    return text ? text : "";
}
