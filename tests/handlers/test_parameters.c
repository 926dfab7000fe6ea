/* Parameters: the same request as a query, as a body, and as both. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"

Test(parameters, mean_the_same_in_a_query_and_in_a_body)
{
    struct answer query =
        ask("GET", "/v1/rope?positions=0,1.5,-3&dim=8&scaling.type=linear&scaling.factor=4", NULL);
    struct answer body =
        ask("POST", "/v1/rope",
            "{\"scaling\":{\"factor\":4,\"type\":\"linear\"},\"dim\":8,\"positions\":[0,1.5,-3]}");
    struct answer both = ask("POST", "/v1/rope?dim=8",
                             "{\"scaling\":{\"factor\":4,\"type\":\"linear\"},"
                             "\"positions\":[0,1.5,-3]}");

    cr_assert_eq(query.status, 200, "%s", query.body);
    cr_expect_str_eq(query.body, body.body);
    cr_expect_str_eq(query.body, both.body);
    answer_release(&query);
    answer_release(&body);
    answer_release(&both);
}

Test(parameters, stand_in_one_place_only)
{
    struct answer answer = ask("POST", "/v1/rope?dim=8", "{\"dim\":8,\"length\":1}");

    cr_expect_eq(answer.status, 400);
    cr_expect_str_eq(answer_text(&answer, "parameter"), "dim");
    answer_release(&answer);
}

Test(parameters, are_an_object)
{
    static const char *const bodies[] = {"[1, 2]", "4", "\"dim\"", "null", "true"};

    for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++) {
        struct answer answer = ask("POST", "/v1/rope", bodies[i]);

        cr_expect_eq(answer.status, 422, "%s: %u", bodies[i], answer.status);
        answer_release(&answer);
    }
}

Test(parameters, are_refused_with_a_place_when_they_are_malformed)
{
    static const char *const targets[] = {"/v1/rope?dim=%zz", "/v1/rope?dim=8&dim=8", "/v1/rope?=8",
                                          "/v1/rope?scaling=1&scaling.factor=2",
                                          "/v1/rope?dim=%00"};

    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
        struct answer answer = ask("GET", targets[i], NULL);

        cr_expect_eq(answer.status, 400, "%s: %u", targets[i], answer.status);
        answer_release(&answer);
    }
}

Test(parameters, do_not_depend_on_their_order_or_on_white_space)
{
    struct answer one = ask("POST", "/v1/alibi", "{\"heads\":2,\"query_length\":3}");
    struct answer other = ask("POST", "/v1/alibi", "\n{ \"query_length\" :\t3 , \"heads\" : 2 }\n");

    cr_expect_str_eq(one.body, other.body);
    answer_release(&one);
    answer_release(&other);
}

/* Binary bodies. */

#define FILE_MAX 1024

static struct answer send(const char *target, const char *type, const char *bytes, size_t size)
{
    const struct service service = ask_service();
    const struct header header = {"Content-Type", type};

    return ask_bytes(&service, "POST", target, bytes, size, &header, 1);
}

/* An npy body of two rows of four elements. */
static struct answer send_npy(const char *target, const char *descr, const void *elements,
                              size_t size)
{
    char file[FILE_MAX];
    const int length =
        snprintf(file + 10, FILE_MAX - 10,
                 "{'descr': '%s', 'fortran_order': False, 'shape': (2, 4)}\n", descr);

    memcpy(file, "\x93NUMPY\x01\x00", 8);
    file[8] = (char)length;
    file[9] = 0;
    memcpy(file + 10 + length, elements, size);
    return send(target, "application/x-npy", file, 10 + (size_t)length + size);
}

static struct answer send_safetensors(const char *target, const char *header, const void *elements,
                                      size_t size)
{
    char file[FILE_MAX] = {(char)strlen(header)};

    memcpy(file + 8, header, strlen(header));
    memcpy(file + 8 + strlen(header), elements, size);
    return send(target, "application/vnd.safetensors", file, 8 + strlen(header) + size);
}

static const float floats[] = {1, 2, 3, 4, 5, 6, 7, -8.5F};
static const double doubles[] = {1, 2, 3, 4, 5, 6, 7, -8.5};
static const uint16_t halves[] = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0xc840};
#define AS_JSON "[[1,2,3,4],[5,6,7,-8.5]]"

static json_t *tensor(const struct answer *answer, const char *name)
{
    return json_object_get(json_object_get(answer->document, "tensors"), name);
}

static const char *dtype(const struct answer *answer, const char *name)
{
    const char *const text = json_string_value(json_object_get(tensor(answer, name), "dtype"));

    return text ? text : "";
}

Test(parameters, may_bring_one_tensor_as_npy)
{
    struct answer json = ask("POST", "/v1/rope/apply?layout=half", "{\"x\":" AS_JSON "}");
    struct answer npy = send_npy("/v1/rope/apply?layout=half", "<f4", floats, sizeof floats);

    cr_assert_eq(npy.status, 200, "%s", npy.body);
    cr_assert(tensor(&json, "x"));
    cr_expect(json_equal(tensor(&npy, "x"), tensor(&json, "x")), "%s", npy.body);
    answer_release(&json);
    answer_release(&npy);
}

#define Q "\"q\":{\"dtype\":\"F32\",\"shape\":[2,4],\"data_offsets\":[0,32]}"
#define K "\"k\":{\"dtype\":\"F16\",\"shape\":[2,4],\"data_offsets\":[32,48]}"

Test(parameters, may_bring_named_tensors_as_safetensors)
{
    char elements[48];

    memcpy(elements, floats, 32);
    memcpy(elements + 32, halves, 16);
    struct answer json =
        ask("POST", "/v1/rope/apply?layout=half", "{\"q\":" AS_JSON ",\"k\":" AS_JSON "}");
    struct answer both =
        send_safetensors("/v1/rope/apply?layout=half", "{" Q "," K "}", elements, 48);

    cr_assert_eq(both.status, 200, "%s", both.body);
    cr_assert(tensor(&json, "q") && tensor(&json, "k"));
    cr_expect(json_equal(json_object_get(both.document, "tensors"),
                         json_object_get(json.document, "tensors")),
              "%s", both.body);
    answer_release(&json);
    answer_release(&both);
}

Test(parameters, keep_a_half_type_unless_another_is_asked_for)
{
    static const char bfloat16[] =
        "{\"x\":{\"dtype\":\"BF16\",\"shape\":[2,4],\"data_offsets\":[0,16]}}";
    static const char target[] = "/v1/rope/apply?layout=half";
    struct answer half = send_npy(target, "<f2", halves, sizeof halves);
    struct answer single = send_npy(target, "<f4", floats, sizeof floats);
    struct answer wide = send_npy(target, "<f8", doubles, sizeof doubles);
    struct answer asked =
        send_npy("/v1/rope/apply?layout=half&dtype=float64", "<f2", halves, sizeof halves);
    struct answer brain = send_safetensors(target, bfloat16, halves, sizeof halves);

    cr_expect_str_eq(dtype(&half, "x"), "float16", "%s", half.body);
    cr_expect_str_eq(dtype(&single, "x"), "float32");
    cr_expect_str_eq(dtype(&wide, "x"), "float32");
    cr_expect_str_eq(dtype(&asked, "x"), "float64");
    cr_expect_str_eq(dtype(&brain, "x"), "bfloat16", "%s", brain.body);
    answer_release(&half);
    answer_release(&single);
    answer_release(&wide);
    answer_release(&asked);
    answer_release(&brain);
}

Test(parameters, of_a_binary_body_are_checked_as_those_of_any_other)
{
    static const char unknown[] =
        "{\"__metadata__\":{},\"z\":{\"dtype\":\"F16\",\"shape\":[2,4],\"data_offsets\":[0,16]}}";
    struct answer twice = send_npy("/v1/rope/apply?layout=half&x=1", "<f2", halves, sizeof halves);
    struct answer other = send_safetensors("/v1/rope/apply?layout=half", unknown, halves, 16);
    struct answer none = send_npy("/v1/sinusoidal?length=2&dim=4", "<f2", halves, sizeof halves);

    cr_expect_eq(twice.status, 400);
    cr_expect_str_eq(answer_text(&twice, "parameter"), "x");
    cr_expect_eq(other.status, 422);
    cr_expect_str_eq(answer_text(&other, "parameter"), "z");
    cr_expect_eq(none.status, 415, "%s", none.body);
    answer_release(&twice);
    answer_release(&other);
    answer_release(&none);
}

Test(parameters, say_where_a_binary_body_is_wrong)
{
    static const char *const types[] = {"application/x-npy", "application/vnd.safetensors"};

    for (size_t i = 0; i < 2; i++) {
        struct answer answer = send("/v1/rope/apply?layout=half", types[i], "not an npy file", 15);

        cr_expect_eq(answer.status, 400);
        cr_expect_str_eq(answer_text(&answer, "type"), "urn:posenc:problem:malformed-body");
        cr_expect(json_is_integer(json_object_get(answer.document, "offset")));
        answer_release(&answer);
    }
}

Test(parameters, need_a_body_whose_type_says_what_it_is)
{
    struct answer answer =
        send("/v1/rope/apply?layout=half", "application/octet-stream", "\0\0\0\0", 4);

    cr_expect_eq(answer.status, 415);
    cr_expect(strstr(answer_text(&answer, "detail"), "application/x-npy"), "%s", answer.body);
    answer_release(&answer);
}

Test(parameters, over_the_limit_of_memory_are_a_503)
{
    static char file[200000] = "\x93NUMPY\x01\x00";
    const struct header header = {"Content-Type", "application/x-npy"};
    struct service service = ask_service();

    (void)snprintf(file + 10, 100,
                   "{'descr': '>f4', 'fortran_order': False, 'shape': (1, 40000)}\n");
    file[8] = (char)strlen(file + 10);
    service.memory_bytes_max = 100000;
    struct answer answer = ask_bytes(&service, "POST", "/v1/rope/apply?layout=half", file,
                                     10 + (size_t)(unsigned char)file[8] + 160000, &header, 1);

    cr_expect_eq(answer.status, 503, "%s", answer.body);
    answer_release(&answer);
}
