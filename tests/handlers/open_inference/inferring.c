#include "inferring.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inference_body.h"

struct inference_context inferring;
struct service inferring_service;

void inferring_begin(void)
{
    answering_begin();
    inferring_service = ask_service();
    answering_request.method = "POST";
    answering_request.path = "/v2/models/rope.apply/infer";
    inferring =
        (struct inference_context){&inferring_service,
                                   &answering_request,
                                   &answering_response,
                                   &((struct exchange *)answering_response.exchange)->memory,
                                   {0}};
    cr_assert(inference_model_find("rope.apply", &inferring.model));
}

const json_t *refused(unsigned status)
{
    const json_t *const problem = answered_json();

    cr_expect_eq(answering_response.status, status, "%u", answering_response.status);
    cr_expect_str_eq(text_of(problem, "error"), text_of(problem, "detail"));
    return problem;
}

struct answer infer_headed(const char *target, const char *header, const void *body, size_t size)
{
    const struct service service = ask_service();
    const struct header headers[] = {{"Content-Type", "application/octet-stream"},
                                     {INFERENCE_LENGTH_HEADER, header}};

    return ask_bytes(&service, "POST", target, body, size, headers, header ? 2 : 1);
}

struct answer infer_bytes(const char *model, const char *json, const void *bytes, size_t size)
{
    const size_t json_size = strlen(json);
    char *const body = malloc(json_size + size + 1);
    char target[128], length[24];
    struct answer answer;

    cr_assert(body);
    memcpy(body, json, json_size);
    if (size > 0)
        memcpy(body + json_size, bytes, size);
    (void)snprintf(target, sizeof target, "/v2/models/%s/infer", model);
    (void)snprintf(length, sizeof length, "%zu", json_size);
    answer = infer_headed(target, length, body, json_size + size);
    free(body);
    return answer;
}

struct answer infer_json(const char *model, const char *json)
{
    char target[128];

    (void)snprintf(target, sizeof target, "/v2/models/%s/infer", model);
    return ask("POST", target, json);
}

struct inferred take_apart(const struct answer *answer)
{
    const char *const length = answer_header(answer, INFERENCE_LENGTH_HEADER);
    const size_t json_size = strtoull(length, NULL, 10);
    struct inferred inferred = {0};

    cr_assert_eq(answer->status, 200, "%u: %s", answer->status, answer->body);
    cr_assert_str_eq(answer->content_type, "application/octet-stream");
    cr_assert_leq(json_size, answer->size, "'%s'", length);
    inferred.head = json_loadb(answer->body, json_size, JSON_REJECT_DUPLICATES, NULL);
    cr_assert(inferred.head, "%.*s", (int)json_size, answer->body);
    inferred.bytes = answer->body + json_size;
    inferred.size = answer->size - json_size;
    return inferred;
}

const char *text_of(const json_t *object, const char *member)
{
    const char *const text = json_string_value(json_object_get(object, member));

    return text ? text : "";
}

const json_t *output_of(const json_t *head, const char *name)
{
    size_t i;
    json_t *output;

    json_array_foreach(json_object_get(head, "outputs"), i, output)
    {
        if (strcmp(text_of(output, "name"), name) == 0)
            return output;
    }
    return NULL;
}
