/* The catalogue is enough to call everything it lists: requests are made from its text alone. */
#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"
#include "catalogue_requests.h"

/* With its documented defaults, and with each preset. */
static size_t call_table(const json_t *encoding)
{
    const json_t *table = find_by_name(json_object_get(encoding, "operations"), "table");
    const json_t *presets = json_object_get(encoding, "presets");
    const char *path = json_string_value(json_object_get(table, "path"));
    size_t calls = 0;

    for (size_t i = 0; i <= json_array_size(presets); i++) {
        json_t *body = json_object();

        if (i > 0)
            json_object_set(body, "preset",
                            json_object_get(json_array_get(presets, i - 1), "name"));
        calls +=
            grow_request(path, json_object_get(table, "parameters"),
                         json_object_get(i > 0 ? json_array_get(presets, i - 1) : NULL, "settings"),
                         body) == 200;
        json_decref(body);
    }
    return calls;
}

Test(catalogue_walk, calls_every_encoding_with_its_defaults_and_every_preset)
{
    struct answer answer = ask("GET", "/v1/encodings", NULL);
    const json_t *encodings = json_object_get(answer.document, "encodings");
    size_t calls = 0;

    for (size_t i = 0; i < json_array_size(encodings); i++)
        calls += call_table(json_array_get(encodings, i));
    cr_expect_geq(calls, json_array_size(encodings) + 30, "only %zu calls", calls);
    answer_release(&answer);
}

Test(catalogue_walk, calls_every_quantity_for_every_encoding_that_it_serves)
{
    struct answer answer = ask("GET", "/v1/encodings", NULL);
    const json_t *quantities = json_object_get(answer.document, "quantities");

    cr_expect_geq(json_array_size(quantities), 10);
    for (size_t i = 0; i < json_array_size(quantities); i++) {
        const json_t *quantity = json_array_get(quantities, i),
                     *served = json_object_get(quantity, "encodings");
        const char *path = json_string_value(json_object_get(quantity, "path"));

        cr_expect_not_null(path);
        for (size_t j = 0; j < json_array_size(served); j++) {
            char target[256];

            (void)snprintf(target, sizeof(target), "%s?encoding=%s", path,
                           json_string_value(json_array_get(served, j)));
            struct answer reply = ask("GET", target, NULL);

            cr_expect(reply.status == 200 ||
                          strcmp(answer_text(&reply, "title"), "missing parameter") == 0 ||
                          reply.status == 405,
                      "%s: %s", target, reply.body);
            answer_release(&reply);
        }
    }
    answer_release(&answer);
}
