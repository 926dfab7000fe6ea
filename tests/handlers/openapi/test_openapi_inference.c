#include "openapi_inference.h"

#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"
#include "router.h"
#include "writing.h"

WRITING_SUITE(openapi_inference);

Test(openapi_inference, has_a_document_for_each_route_of_the_protocol)
{
    const struct route *route;

    for (size_t i = 0; (route = route_at(i)) != NULL; i++) {
        if (strncmp(route->path, "/v2", 3) != 0)
            continue;
        const struct openapi_document *const document = openapi_inference_document(route->path);

        cr_assert(document->path, "%s", route->path);
        cr_expect_str_eq(document->path, route->path);
        cr_expect_eq(document->request != NULL, (route->methods & ROUTE_POST) != 0, "%s",
                     route->path);
    }
}

Test(openapi_inference, describes_the_rest_as_some_object)
{
    cr_expect_null(openapi_inference_document("/v2/other")->path);
    cr_expect_str_eq(openapi_inference_document("/v2/other")->schema, "{\"type\":\"object\"}");
}

Test(openapi_inference, has_schemas_that_are_json)
{
    json_text_begin_object(&written);
    openapi_write_inference_schemas(&written);
    json_text_end_object(&written);
    const json_t *const schemas = written_json();

    cr_expect(look_at(schemas, "InferenceRequest", "properties", "inputs", NULL));
    cr_expect(look_at(schemas, "InferenceResponse", "properties", "outputs", NULL));
    cr_expect(look_at(schemas, "InferenceInput", "properties", "datatype", NULL));
}

Test(openapi_inference, tells_both_types_of_a_body)
{
    struct answer answer = ask("GET", "/openapi.json", NULL);
    const json_t *const post = look_at(
        json_object_get(json_object_get(answer.document, "paths"), "/v2/models/{model}/infer"),
        "post", NULL);

    cr_expect_eq(json_object_size(look_at(post, "requestBody", "content", NULL)), 2);
    cr_expect_eq(json_object_size(look_at(post, "responses", "200", "content", NULL)), 2);
    cr_expect(look_at(post, "responses", "422", NULL));
    cr_expect(look_at(post, "responses", "404", NULL));
    answer_release(&answer);
}
