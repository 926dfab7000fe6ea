/* From a request to a reply, for any operation: here for one that is made for it. */
#include "operation.h"

#include <criterion/criterion.h>
#include <string.h>

#include "account.h"
#include "answering.h"
#include "ask.h"
#include "pictured.h"

static struct service service;

static void set_up(void)
{
    answering_begin();
    service = ask_service();
}

TestSuite(operation, .init = set_up, .fini = answering_end);

/* The tensors that the operation below plans, and what it refuses instead where that is set. */
static struct posenc_tensor planned[2];
static enum posenc_status refused;

static enum posenc_status plan(struct posenc_arguments *arguments, struct posenc_memory *of,
                               struct posenc_result *result, struct posenc_problem *problem)
{
    (void)arguments;
    (void)of;
    problem->status = refused;
    memcpy(result->tensors, planned, sizeof planned);
    result->tensor_count = 2;
    return refused;
}

static const struct posenc_parameter own[] = {
    {.name = "flag",
     .type = POSENC_TYPE_BOOLEAN,
     .has_fallback = true,
     .fallback = {.kind = POSENC_BOOLEAN, .as.boolean = false}},
    {.name = NULL}};
static const struct posenc_parameter *const groups[] = {own, NULL};
static const struct posenc_tensor_row tensor_rows[] = {{.name = NULL}};
static const struct posenc_operation twins = {
    .name = "twins", .groups = groups, .tensors = tensor_rows, .plan = plan};

/* Answers a query with two float64 tensors of so many elements. */
static void run(size_t first, size_t second, const char *query)
{
    (void)answering_again();
    answering_request.query = query;
    planned[0] = pictured_tensor(1, &first, NULL);
    planned[0].name = "a";
    planned[1] = pictured_tensor(1, &second, NULL);
    planned[1].name = "b";
    run_operation(&service, &answering_request, NULL, &twins, &answering_response);
}

Test(operation, answers_with_what_was_planned)
{
    run(2, 1, "flag=true");
    const json_t *const document = answered_json();

    cr_expect_eq(answering_response.status, 200);
    cr_expect_str_eq(look_at_text(document, "operation", NULL), "twins");
    cr_expect(json_is_true(look_at(document, "parameters", "flag", NULL)));
    cr_expect_str_eq(names_of(look_at(document, "tensors", NULL)), "a b");
    cr_expect_eq(json_array_size(look_at(document, "tensors", "a", "data", NULL)), 2);
}

/* Three and ten doubles are 24 and 80 bytes; a format of one tensor sends only that. */
Test(operation, refuses_more_bytes_than_are_sent_at_once)
{
    static const struct {
        const char *query;
        uint64_t bytes;
    } rows[] = {
        {"", 104}, {"format=safetensors", 104}, {"format=npy", 24}, {"format=npy&tensor=b", 80}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        service.result_bytes_max = rows[i].bytes;
        run(3, 10, rows[i].query);
        cr_expect_eq(answering_response.status, 200, "%s", rows[i].query);
        service.result_bytes_max = rows[i].bytes - 1;
        run(3, 10, rows[i].query);
        const json_t *const document = answered_json();

        cr_expect_eq(answering_response.status, 413, "%s", rows[i].query);
        cr_expect_eq(json_integer_value(look_at(document, "limit", NULL)),
                     (json_int_t)rows[i].bytes - 1);
    }
    /* 2^63 bytes twice. */
    service.result_bytes_max = UINT64_MAX - 1;
    run((size_t)1 << 60, (size_t)1 << 60, "");
    cr_expect_eq(answering_response.status, 413);
}

Test(operation, makes_no_text_for_whoever_has_it)
{
    char tag[64];

    run(3, 10, "");
    (void)stpcpy(tag, answer_of("ETag"));
    cr_assert_eq(tag[0], '"');
    const struct header header = {"If-None-Match", tag};
    const size_t filled = pictured_filled();

    answering_request.headers = &header;
    answering_request.header_count = 1;
    run(3, 10, "");
    cr_expect_eq(answering_response.status, 304);
    cr_expect_eq(pictured_filled(), filled);
    cr_expect_eq(answering_response.length, RESPONSE_LENGTH_UNKNOWN);
}

/* A header of 128 bytes and three doubles, of which none is computed. */
Test(operation, tells_the_length_of_bytes_to_whoever_has_them)
{
    char tag[64];

    run(3, 10, "format=npy");
    (void)stpcpy(tag, answer_of("ETag"));
    const struct header header = {"If-None-Match", tag};

    answering_request.headers = &header;
    answering_request.header_count = 1;
    run(3, 10, "format=npy");
    cr_expect_eq(answering_response.status, 304);
    cr_expect_eq(answering_response.length, 128 + 24);
    cr_expect_eq(pictured_filled(), 0);
}

static uint64_t longest_ns; /* work that was asked for */

/* Like run(), with ten elements in the second tensor of a millisecond each, under a watch. */
static unsigned run_slowly(const char *query, uint64_t allowed_ns)
{
    struct account account = {.allowed_ns = allowed_ns, .take_limit = SIZE_MAX};
    const struct posenc_watch watch = account_watch(&account);

    answering_request.watch = &watch;
    (void)answering_again();
    answering_request.query = query;
    planned[0] = pictured_tensor(1, (size_t[]){3}, NULL);
    planned[0].name = "a";
    planned[1] = pictured_tensor(1, (size_t[]){10}, NULL);
    planned[1].name = "b";
    planned[1].element_ns = 1000000;
    run_operation(&service, &answering_request, NULL, &twins, &answering_response);
    const unsigned status = answering_response.status;

    longest_ns = account.longest_ns;
    response_release(&answering_response);
    answering_request.watch = NULL;
    return status;
}

Test(operation, asks_before_it_computes_what_it_must_at_once)
{
    cr_expect_eq(run_slowly("", UINT64_MAX), 200);
    cr_expect_geq(longest_ns, 10 * 1000000, "a short document is made when it is opened");
    cr_expect_eq(run_slowly("", 10 * 1000000 - 1), 503);
    cr_expect_eq(run_slowly("format=npy&tensor=b", 1000000), 200, "which computes as it is read");
    cr_expect_eq(run_slowly("format=csv&tensor=a", 1000000), 200, "the other tensor is not sent");
    cr_expect_eq(run_slowly("format=csv&tensor=b", 1000000), 503);
}

/* A double takes eight bytes; of digits, as many are taken to stand for an element. */
Test(operation, tells_what_a_byte_takes_of_the_slowest_tensor_that_is_sent)
{
    const size_t count = 3;

    (void)answering_again();
    answering_request.query = "format=raw&tensor=b";
    planned[0] = planned[1] = pictured_tensor(1, &count, NULL);
    planned[0].name = "a";
    planned[0].element_ns = 4000;
    planned[1].name = "b";
    planned[1].element_ns = 16000;
    run_operation(&service, &answering_request, NULL, &twins, &answering_response);
    cr_expect_eq(answering_response.byte_ps, 16000 * 1000 / 8);
    (void)answering_again();
    answering_request.query = "format=raw";
    run_operation(&service, &answering_request, NULL, &twins, &answering_response);
    cr_expect_eq(answering_response.byte_ps, 4000 * 1000 / 8);
    (void)answering_again();
    answering_request.query = "format=safetensors";
    run_operation(&service, &answering_request, NULL, &twins, &answering_response);
    cr_expect_eq(answering_response.byte_ps, 16000 * 1000 / 8);
}

Test(operation, passes_on_what_the_library_refuses)
{
    service.result_bytes_max = 77;
    refused = POSENC_TOO_LARGE;
    run(3, 10, "");
    cr_expect_eq(answering_response.status, 413);
    cr_expect_eq(json_integer_value(look_at(answered_json(), "limit", NULL)), 77);
    refused = POSENC_WRONG_SHAPE;
    run(3, 10, "");
    cr_expect_eq(answering_response.status, 422);
    run(3, 10, "flag=maybe");
    cr_expect_str_eq(look_at_text(answered_json(), "parameter", NULL), "flag");
}

/* A tool belongs to no encoding, so that no model could set its parameters. */
Test(operation, takes_a_model_for_encodings_only)
{
    run(3, 10, "model=llama-3.1-8b");
    cr_expect_eq(answering_response.status, 422);
    cr_expect_str_eq(look_at_text(answered_json(), "type", NULL),
                     "urn:posenc:problem:unknown-parameter");

    (void)answering_again();
    answering_request.query = "model=llama-3.1-8b&length=1";
    run_operation(&service, &answering_request, posenc_find("rope"),
                  posenc_find_operation(posenc_find("rope"), "table"), &answering_response);
    cr_expect_eq(answering_response.status, 200);
    cr_expect_eq(json_number_value(look_at(answered_json(), "parameters", "base", NULL)), 500000);
}

Test(operation, warns_of_the_model_before_it_warns_of_the_parameters)
{
    struct answer answer =
        ask("POST", "/v1/rope",
            "{\"config\":{\"model_type\":\"llama\",\"hidden_size\":64,\"num_attention_heads\":4,"
            "\"num_hidden_layers\":2,\"rope_theta\":10000,\"rope_scalling\":1},\"length\":1,"
            "\"scaling\":{\"type\":\"linear\",\"factor\":2,\"odd\":1}}");
    const json_t *const warnings = look_at(answer.document, "warnings", NULL);

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    cr_assert_eq(json_array_size(warnings), 2);
    cr_expect_str_eq(look_at_text(json_array_get(warnings, 0), "parameter", NULL),
                     "config.rope_scalling");
    cr_expect_str_eq(look_at_text(json_array_get(warnings, 1), "parameter", NULL), "scaling.odd");
    answer_release(&answer);
}

/* A hundred members that nothing reads, in each of the two places. */
Test(operation, counts_all_warnings_and_lists_a_hundred)
{
    char body[8192] = "{\"config\":{\"model_type\":\"llama\",\"hidden_size\":64,"
                      "\"num_attention_heads\":4,\"num_hidden_layers\":2,\"rope_theta\":10000";
    size_t length = strlen(body);

    for (int i = 0; i < 60; i++)
        length += (size_t)sprintf(body + length, ",\"rope_%d\":1", i);
    length += (size_t)sprintf(body + length, "},\"length\":1,\"scaling\":{\"type\":\"linear\","
                                             "\"factor\":2");
    for (int i = 0; i < 70; i++)
        length += (size_t)sprintf(body + length, ",\"odd_%d\":1", i);
    (void)sprintf(body + length, "}}");
    struct answer answer = ask("POST", "/v1/rope", body);
    const json_t *const warnings = look_at(answer.document, "warnings", NULL);
    const size_t of_model = 60;

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    cr_assert_eq(json_array_size(warnings), 100);
    cr_expect_eq(json_integer_value(look_at(answer.document, "warning_count", NULL)), 130);
    cr_expect_str_eq(look_at_text(json_array_get(warnings, 0), "parameter", NULL), "config.rope_0");
    cr_expect_str_eq(look_at_text(json_array_get(warnings, of_model), "parameter", NULL),
                     "scaling.odd_0");
    cr_expect_str_eq(look_at_text(json_array_get(warnings, 99), "parameter", NULL),
                     "scaling.odd_39");
    answer_release(&answer);
}
