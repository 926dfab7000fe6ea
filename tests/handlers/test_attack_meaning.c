/*
 * Well-formed requests that mean nothing, or more than can be done: each is refused by name, or
 * answered as stated, with finite values.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "hostile.h"
#include "rows.h"

static void run_all(const struct hostile_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct hostile *const one = &table->rows[i];
        struct answer answer = ask(one->body ? "POST" : "GET", one->target, one->body);
        const char *const body = one->body ? one->body : "";

        cr_expect_eq(answer.status, one->status, "%s %s %s: %u %s", one->row, one->target, body,
                     answer.status, answer.body);
        if (answer.status != 200)
            cr_expect_str_eq(answer.content_type, "application/problem+json", "%s", one->target);
        else
            cr_expect(!strstr(answer.body, "NaN") && !strstr(answer.body, "nan"), "%s %s: %s",
                      one->target, body, answer.body);
        if (one->parameter)
            cr_expect_str_eq(answer_text(&answer, "parameter"), one->parameter, "%s %s %s: %s",
                             one->row, one->target, body, answer.body);
        cr_expect(!one->word || strstr(answer.body, one->word), "%s %s %s: %s", one->row,
                  one->target, body, answer.body);
        answer_release(&answer);
    }
}

Test(attack_meaning, sizes_are_checked_before_anything_is_multiplied)
{
    run_all(&hostile_sizes);
}

Test(attack_meaning, angles_stay_finite_or_are_refused)
{
    run_all(&hostile_angles);
}

Test(attack_meaning, scalings_that_contradict_themselves_are_refused)
{
    run_all(&hostile_scalings);
}

Test(attack_meaning, other_encodings_name_what_is_wrong)
{
    run_all(&hostile_others);
}

ROW(S4);

/* 128 bytes of float32, all tensors together: exactly the limit, and a row more. */
Test(attack_meaning, a_result_may_be_as_large_as_the_limit_and_no_larger)
{
    struct service service = ask_service();
    struct answer answer;

    service.result_bytes_max = 8 * 4 * 4;
    answer = ask_service_with(&service, "GET", "/v1/sinusoidal?length=8&dim=4", NULL, NULL, 0);
    cr_expect_eq(answer.status, 200, "%s", answer.body);
    answer_release(&answer);
    answer = ask_service_with(&service, "GET", "/v1/sinusoidal?length=9&dim=4", NULL, NULL, 0);
    cr_expect_eq(answer.status, 413, "%s", answer.body);
    cr_expect_eq(json_integer_value(json_object_get(answer.document, "limit")), 128);
    answer_release(&answer);
}

ROW(S6);

/* The same bits, however the number is written. */
Test(attack_meaning, a_base_has_one_value_in_all_its_spellings)
{
    static const char *const spellings[] = {"500000", "5e5", "500000.0", "0.5E%2B6", "5000000e-1"};
    char first[4096] = "";

    for (size_t i = 0; i < sizeof(spellings) / sizeof(*spellings); i++) {
        char target[256];
        struct answer answer;

        (void)snprintf(target, sizeof(target),
                       "/v1/rope?layout=half&dim=8&length=3&format=raw&dtype=float64&base=%s",
                       spellings[i]);
        answer = ask("GET", target, NULL);
        cr_assert(answer.status == 200 && answer.size == 3 * 4 * 8, "%s", answer.body);
        if (i == 0)
            memcpy(first, answer.body, answer.size);
        cr_expect_arr_eq(answer.body, first, answer.size);
        answer_release(&answer);
    }
}

ROW(S8);

Test(attack_meaning, a_million_positions_are_taken)
{
    static const struct header type = {"content-type", "application/json"};
    enum { COUNT = 1000000 };
    struct service service = ask_service();
    char *const body = malloc(COUNT * 8 + 128);
    char *at = body;
    struct answer answer;

    cr_assert(body);
    at += sprintf(at, "{\"layout\":\"half\",\"dim\":2,\"positions\":[");
    for (int i = 0; i < COUNT; i++)
        at += sprintf(at, "%s%d", i ? "," : "", i % 1000 * 7 % 1000);
    at = stpcpy(at, "]}");
    service.body_bytes_max = (size_t)64 << 20;
    answer =
        ask_bytes(&service, "POST", "/v1/rope?format=raw", body, (size_t)(at - body), &type, 1);
    cr_expect_eq(answer.status, 200, "%.500s", answer.body);
    cr_expect_eq(answer.size, COUNT * 4);
    answer_release(&answer);
    free(body);
}

ROW(S16);

/* factor * length / trained - (factor - 1) is 0 or below for short lengths: the base stays. */
Test(attack_meaning, a_dynamic_base_is_never_a_power_of_what_is_negative)
{
    for (int length = 1; length <= 10; length++) {
        char target[256];
        struct answer answer;

        (void)snprintf(target, sizeof(target),
                       "/v1/rope?layout=half&dim=8&length=%d&max_position_embeddings=10"
                       "&scaling.type=dynamic&scaling.factor=1000&tensor=inv_freq&format=text",
                       length);
        answer = ask("GET", target, NULL);
        cr_expect_eq(answer.status, 200, "%s", answer.body);
        cr_expect(strstr(answer.body, "[1     0.1   0.01  0.001]"), "%d: %s", length, answer.body);
        answer_release(&answer);
    }
}

ROW(S18);

Test(attack_meaning, a_factor_that_contradicts_the_lengths_is_told)
{
    struct answer answer =
        ask("POST", ROPE,
            HALF("\"max_position_embeddings\":400,\"scaling\":{\"rope_type\":\"yarn\","
                 "\"factor\":2,\"original_max_position_embeddings\":100}"));

    cr_expect_eq(answer.status, 200);
    cr_expect(strstr(answer.body, "\"warnings\":[{\"parameter\":\"scaling.factor\""), "%s",
              answer.body);
    answer_release(&answer);
}

ROW(S21);

Test(attack_meaning, a_trained_length_must_be_below_the_new_one)
{
    struct answer answer = ask(
        "POST", ROPE,
        HALF("\"max_position_embeddings\":8192,\"scaling\":{\"rope_type\":\"llama3\",\"factor\":8,"
             "\"low_freq_factor\":1,\"high_freq_factor\":4,"
             "\"original_max_position_embeddings\":8192}"));

    cr_expect_eq(answer.status, 422, "%s", answer.body);
    cr_expect_str_eq(answer_text(&answer, "parameter"), "scaling.original_max_position_embeddings");
    answer_release(&answer);
}

ROW(S22);

Test(attack_meaning, a_million_factors_are_refused_soon)
{
    static const struct header type = {"content-type", "application/json"};
    enum { COUNT = 1000000 };
    struct service service = ask_service();
    char *const body = malloc(COUNT * 2 + 512);
    char *at = body;
    struct answer answer;

    cr_assert(body);
    at = stpcpy(at, "{\"layout\":\"half\",\"dim\":8,\"length\":1,\"scaling\":{\"rope_type\":"
                    "\"longrope\",\"factor\":4,\"original_max_position_embeddings\":4,"
                    "\"long_factor\":[1,1,1,1],\"short_factor\":[1");
    for (int i = 1; i < COUNT; i++)
        at = stpcpy(at, ",1");
    at = stpcpy(at, "]}}");
    service.body_bytes_max = (size_t)64 << 20;
    answer = ask_bytes(&service, "POST", ROPE, body, (size_t)(at - body), &type, 1);
    cr_expect_eq(answer.status, 422, "%.500s", answer.body);
    cr_expect_str_eq(answer_text(&answer, "parameter"), "scaling.short_factor");
    cr_expect_lt(answer.size, 1024);
    answer_release(&answer);
    free(body);
}

ROW(S34);

/* Members that no encoding uses are not told one by one. */
Test(attack_meaning, five_thousand_unknown_members_of_a_config_do_not_swell_the_answer)
{
    enum { COUNT = 5000 };
    char *const body = malloc(COUNT * 220 + 512);
    char *at = body;
    struct service service = ask_service();
    static const struct header type = {"content-type", "application/json"};
    struct answer answer;

    cr_assert(body);
    at = stpcpy(at, "{\"model_type\":\"llama\",\"hidden_size\":64,\"num_attention_heads\":4,"
                    "\"num_hidden_layers\":2");
    for (int i = 0; i < COUNT; i++)
        at += sprintf(at, ",\"unknown_%d_%0150d\":%d", i, i, i);
    at = stpcpy(at, "}");
    service.body_bytes_max = (size_t)64 << 20;
    answer = ask_bytes(&service, "POST", "/v1/resolve", body, (size_t)(at - body), &type, 1);
    cr_expect_eq(answer.status, 200, "%.500s", answer.body);
    cr_expect_lt(answer.size, 32768);
    cr_expect_leq(json_array_size(json_object_get(answer.document, "warnings")), 101);
    answer_release(&answer);
    free(body);
}

ROW(S32);

Test(attack_meaning, nothing_is_named_where_nothing_can_be_compared)
{
    static const char *const tensors[] = {
        "[[0,0],[0,0]]", "[[\"NaN\",\"NaN\"]]", "[[3,3],[3,3]]", "[]", "[[1,2],[3,\"NaN\"]]",
    };
    char body[200];

    for (size_t i = 0; i < sizeof(tensors) / sizeof(*tensors); i++) {
        (void)snprintf(body, sizeof(body), "{\"actual\":%s}", tensors[i]);
        struct answer answer = ask("POST", "/v1/identify", body);

        cr_expect_eq(answer.status, 200, "%s: %s", body, answer.body);
        cr_expect(strstr(answer.body, "\"verdict\":\"not_comparable\""), "%s", answer.body);
        cr_expect(strstr(answer.body, "\"explanations\":[]"), "%s", answer.body);
        answer_release(&answer);
    }
    /* A table of another rank, and of another shape, than the encoding gives. */
    struct answer answer = ask("POST", "/v1/identify",
                               "{\"actual\":[[[1,2],[3,4]],[[5,6],[7,8]]],\"encoding\":\"rope\","
                               "\"part\":\"cos\",\"parameters\":{\"dim\":4}}");

    cr_expect(strstr(answer.body, "\"verdict\":\"not_comparable\""), "%s", answer.body);
    answer_release(&answer);
}

ROW(S33);

/* cos(1) and cos(0.01), cos(2) and cos(0.02), as bfloat16. */
Test(attack_meaning, a_right_tensor_in_bfloat16_is_right_rounded_once)
{
    struct answer answer =
        ask("POST", "/v1/identify",
            "{\"encoding\":\"rope\",\"part\":\"cos\",\"parameters\":{\"dim\":4,\"offset\":1},"
            "\"actual\":{\"dtype\":\"bfloat16\",\"shape\":[2,2],\"data\":[0.5390625,1,"
            "-0.416015625,1]}}");

    cr_expect(strstr(answer.body, "\"verdict\":\"right\""), "%s", answer.body);
    cr_expect(strstr(answer.body, "rounded once to bfloat16"), "%s", answer.body);
    answer_release(&answer);
}

Test(attack_meaning, every_row_of_meaning_has_a_test)
{
    cr_expect_eq(rows_without_test('S', 34), 0);
}
