#include "json_verdict.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "body.h"

static void expect_from_reader(const struct json_case *one)
{
    struct posenc_memory memory;
    struct posenc_value value;
    struct body_problem problem;
    char *const copy = malloc(one->size ? one->size : 1);

    cr_assert(copy);
    memcpy(copy, one->bytes, one->size);
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    cr_expect_eq(read_json_body(copy, one->size, &memory, &value, &problem), one->is_read, "%s: %s",
                 one->name, one->is_read ? problem.detail : "it is read");
    posenc_memory_release(&memory);
    free(copy);
}

/* A parameter is missing, or the body is no object: but what is JSON is not called malformed. */
static void expect_from_service(const struct json_case *one)
{
    static const struct header type = {"content-type", "application/json"};
    const struct service service = ask_service();
    struct answer answer =
        ask_bytes(&service, "POST", "/v1/sinusoidal", one->bytes, one->size, &type, 1);
    const json_t *const offset = json_object_get(answer.document, "offset");

    if (one->is_read) {
        cr_expect_eq(answer.status, 422, "%s: %s", one->name, answer.body);
    } else {
        cr_expect_eq(answer.status, 400, "%s: %s", one->name, answer.body);
        cr_expect_str_eq(answer_text(&answer, "type"), "urn:posenc:problem:malformed-body",
                         "%s: %s", one->name, answer.body);
        cr_expect(json_is_integer(offset) && json_integer_value(offset) >= 0 &&
                      (size_t)json_integer_value(offset) <= one->size,
                  "%s: %s", one->name, answer.body);
    }
    answer_release(&answer);
}

void expect_json_verdicts(const struct json_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        expect_from_reader(&cases[i]);
        expect_from_service(&cases[i]);
    }
}
