/* The one handler of all encodings: replies that can be repeated, and limits. */
#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"

/* Frequencies come as float64 unless a dtype is given by name, and an echo gives it: the one thing
 * that differs. */
static json_t *tensors_of(const struct answer *answer)
{
    json_t *tensors = json_object_get(answer->document, "tensors");

    json_object_del(tensors, "inv_freq");
    json_object_del(tensors, "interpolation_weight");
    return tensors;
}

/* Sends a reply's own parameters back and expects the same reply. */
static void expect_repeatable(const char *target)
{
    char path[256];
    struct answer first = ask("GET", target, NULL);
    char *parameters = json_dumps(json_object_get(first.document, "parameters"), JSON_COMPACT);

    cr_assert_eq(first.status, 200, "%s: %s", target, first.body);
    (void)snprintf(path, sizeof(path), "%.*s", (int)strcspn(target, "?"), target);
    struct answer second = ask("POST", path, parameters);

    cr_expect_eq(second.status, 200, "%s: %s", target, second.body);
    cr_expect(json_equal(tensors_of(&first), tensors_of(&second)), "%s", target);
    cr_expect(json_equal(json_object_get(first.document, "parameters"),
                         json_object_get(second.document, "parameters")),
              "%s: %s", target, second.body);
    free(parameters);
    answer_release(&first);
    answer_release(&second);
}

Test(encodings, can_be_repeated_from_their_reply_alone)
{
    expect_repeatable("/v1/sinusoidal?length=3&dim=6&offset=0.25&step=0.1");
    expect_repeatable("/v1/sinusoidal?positions=1,2&dim=7&preset=tensor2tensor&dtype=float64");
    expect_repeatable("/v1/sinusoidal?length=2&dim=10&preset=mlx&dtype=float64");
    expect_repeatable("/v1/alibi?heads=6&query_length=2&key_length=3&preset=falcon");
    expect_repeatable("/v1/rope?length=3&dim=8&partial_rotary_factor=0.5&base=500.5");
    expect_repeatable(
        "/v1/rope?positions=7,5&dim=8&scaling.rope_type=ntk&scaling.alpha=3&table_layout=cos_sin");
    expect_repeatable("/v1/none");
}

Test(encodings, refuse_a_result_over_the_limit_and_name_it)
{
    struct service service = ask_service();

    service.result_bytes_max = 4096;
    struct answer fits = ask_service_with(
        &service, "GET", "/v1/sinusoidal?length=64&dim=16&format=npy", NULL, NULL, 0);
    struct answer over = ask_service_with(
        &service, "GET", "/v1/sinusoidal?length=65&dim=16&format=npy", NULL, NULL, 0);

    cr_expect_eq(fits.status, 200);
    cr_expect_eq(over.status, 413);
    cr_expect_eq(json_integer_value(json_object_get(over.document, "limit")), 4096);
    answer_release(&fits);
    answer_release(&over);
}

Test(encodings, refuse_sizes_that_cannot_be_counted)
{
    struct answer answer = ask(
        "GET", "/v1/alibi?heads=65536&query_length=9007199254740991&key_length=9007199254740991",
        NULL);

    cr_expect_eq(answer.status, 413, "%s", answer.body);
    answer_release(&answer);
}

Test(encodings, answer_to_their_aliases_under_their_own_name)
{
    struct answer rotary = ask("GET", "/v1/rotary?length=1&dim=2", NULL),
                  nope = ask("GET", "/v1/nope", NULL);

    cr_expect_str_eq(answer_text(&rotary, "encoding"), "rope");
    cr_expect_str_eq(answer_text(&nope, "encoding"), "none");
    answer_release(&rotary);
    answer_release(&nope);
}

Test(encodings, tell_the_shape_of_what_was_sent_but_not_its_numbers)
{
    struct answer answer =
        ask("POST", "/v1/rope/apply", "{\"layout\":\"half\",\"x\":[[1,2],[3,4]]}");
    json_t *x = json_object_get(json_object_get(answer.document, "inputs"), "x");

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    cr_expect_eq(json_integer_value(json_array_get(json_object_get(x, "shape"), 0)), 2);
    cr_expect_null(json_object_get(json_object_get(answer.document, "parameters"), "x"));
    answer_release(&answer);
}

Test(encodings, name_and_describe_the_file_of_a_binary_answer)
{
    struct answer npy = ask("GET", "/v1/rope?length=2&dim=4&format=npy&tensor=sin", NULL);
    struct answer raw = ask("GET", "/v1/rope?length=2&dim=4&format=raw", NULL);
    struct answer json = ask("GET", "/v1/rope?length=2&dim=4", NULL);

    cr_expect_str_eq(npy.content_disposition, "inline; filename=\"rope-sin.npy\"");
    cr_expect_str_eq(raw.content_disposition, "inline; filename=\"rope-cos.bin\"");
    cr_expect_str_eq(raw.shape, "2,2");
    cr_expect_str_eq(json.content_disposition, "");
    answer_release(&npy);
    answer_release(&raw);
    answer_release(&json);
}
