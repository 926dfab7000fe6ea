#include "openapi_problems.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "format.h"
#include "piece.h"

PIECE_SUITE(openapi_problems);

Test(openapi_problems, are_those_of_the_request_s_cases)
{
    static const struct {
        unsigned cases;
        const char *statuses;
    } rows[] = {
        {OPENAPI_ALWAYS, "400 405 406 408 417 429 431 501 503 505"},
        {OPENAPI_ALWAYS | OPENAPI_WITH_OWN_503, "400 405 406 408 417 429 431 501 505"},
        {OPENAPI_CACHED, "304"},
        {OPENAPI_RANGED, "206 416"},
        {OPENAPI_WITH_BODY, "413 415"},
        {OPENAPI_WITH_TENSORS, "413"},
        {OPENAPI_WITH_VARIABLE, "404"},
        {OPENAPI_WITH_PARAMETERS, "422"},
        {OPENAPI_GUARDED, "401"},
        {0, ""},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_str_eq(names_of(OBJECT_OF(openapi_write_refusals(&written, rows[i].cases))),
                         rows[i].statuses);
    openapi_write_refusals(&written, OPENAPI_GUARDED);
    expect_written("\"401\":{\"$ref\":\"#/components/responses/401\"}");
}

static const json_t *components(void)
{
    return OBJECT_OF(openapi_write_refusal_components(&piece));
}

Test(openapi_problems, have_a_component_for_each_status_that_is_referred_to)
{
    const json_t *const references =
        OBJECT_OF(openapi_write_refusals(&written, ~(unsigned)OPENAPI_WITH_OWN_503));
    const json_t *all;

    cr_expect_null(look_at(components(), "401", NULL), "no token is asked for");
    piece_service.needs_token = true;
    all = components();
    cr_expect_eq(json_object_size(all), json_object_size(references));
    const char *status;
    json_t *item;

    json_object_foreach((json_t *)references, status, item)
    {
        const json_t *const component = look_at(all, status, NULL);

        cr_expect_str_neq(look_at_text(component, "description", NULL), "", "%s", status);
        cr_expect(look_at(component, "headers", "X-Request-Id", NULL), "%s", status);
    }
}

Test(openapi_problems, are_documents_but_for_parts_and_for_nothing_new)
{
    const json_t *const all = components();
    const json_t *const part = look_at(all, "206", "content", NULL);

    cr_expect_str_eq(
        look_at_text(all, "422", "content", "application/problem+json", "schema", "$ref", NULL),
        "#/components/schemas/Problem");
    cr_expect_null(look_at(all, "304", "content", NULL));
    for (size_t i = 0; format_at(i); i++)
        cr_expect_eq(look_at(part, format_at(i)->media_type, NULL) != NULL, format_at(i)->is_binary,
                     "%s", format_at(i)->name);
}

/* Requests that handlers refuse, or answer in part, and the header that the answer explains itself
 * by. Each is described as it comes. */
static const struct {
    const char *method, *target, *body;
    struct header header;
    unsigned status;
    const char *explained_by;
} refusals[] = {
    {"GET",
     "/v1/sinusoidal?length=2&dim=4&format=npy",
     NULL,
     {"Range", "bytes=0-3"},
     206,
     "Content-Range"},
    {"GET",
     "/v1/sinusoidal?length=2&dim=4&format=npy",
     NULL,
     {"Range", "bytes=999-"},
     416,
     "Content-Range"},
    {"GET", "/v1/sinusoidal?length=2&dim=4", NULL, {"If-None-Match", "*"}, 304, "ETag"},
    {"GET", "/v1/sinusoidal?length=2&length=2", NULL, {"X", "y"}, 400, NULL},
    {"DELETE", "/v1/sinusoidal", NULL, {"X", "y"}, 405, "Allow"},
    {"GET", "/v1/sinusoidal?length=2&dim=4", NULL, {"Accept", "text/html"}, 406, NULL},
    {"GET", "/v1/sinusoidal?length=1e9&dim=1024", NULL, {"X", "y"}, 413, NULL},
    {"POST", "/v1/sinusoidal", "{}", {"Content-Type", "text/xml"}, 415, "Accept-Post"},
    {"GET", "/v1/sinusoidal?length=two&dim=4", NULL, {"X", "y"}, 422, NULL},
    {"GET", "/v1/encodings/ropes", NULL, {"X", "y"}, 404, NULL},
};

Test(openapi_problems, are_told_of_every_answer_that_comes)
{
    const json_t *const all = components();

    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct answer answer =
            ask_service_with(&piece_service, refusals[i].method, refusals[i].target,
                             refusals[i].body, &refusals[i].header, 1);
        const char *const header = refusals[i].explained_by;
        char status[8];

        (void)snprintf(status, sizeof status, "%u", answer.status);
        cr_expect_eq(answer.status, refusals[i].status, "%s: %s", refusals[i].target, answer.body);
        cr_expect(look_at(all, status, NULL), "%s", status);
        cr_expect_eq(look_at(all, status, "content", "application/problem+json", NULL) != NULL,
                     strcmp(answer.content_type, "application/problem+json") == 0, "%s", status);
        if (header) {
            cr_expect_str_neq(answer_header(&answer, header), "", "%s has %s", status, header);
            cr_expect(look_at(all, status, "headers", header, "description", NULL), "%s", status);
        }
        answer_release(&answer);
    }
}
