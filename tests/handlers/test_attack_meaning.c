/*
 * Well-formed requests that mean nothing, or more than can be done: each is refused by name, or
 * answered as stated, with finite values.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "rows.h"

struct attack {
    const char *row;
    const char *target;
    const char *body; /* NULL: GET */
    unsigned status;
    const char *parameter; /* of the problem, or NULL */
    const char *word;      /* in the answer, or NULL */
};

#define ROPE            "/v1/rope"
#define HALF(members)   "{\"layout\":\"half\",\"dim\":8,\"length\":2," members "}"
#define SCALED(members) HALF("\"scaling\":{" members "}")
#define YARN(members)                                                                              \
    SCALED("\"rope_type\":\"yarn\",\"factor\":2,\"original_max_position_embeddings\":100" members)
#define LLAMA3(low, high, more)                                                                    \
    SCALED("\"rope_type\":\"llama3\",\"factor\":8,\"low_freq_factor\":" low                        \
           ",\"high_freq_factor\":" high ",\"original_max_position_embeddings\":8192" more)
#define LONGROPE(s, l)                                                                             \
    SCALED("\"rope_type\":\"longrope\",\"factor\":4,\"original_max_position_embeddings\":4,"       \
           "\"short_factor\":" s ",\"long_factor\":" l)
#define SECTIONS(list)                                                                             \
    "{\"layout\":\"half\",\"dim\":8,\"mrope_order\":\"chunked\",\"positions\":[[1],[2],[3]],"      \
    "\"mrope_section\":" list "}"
#define AXES "/v1/sinusoidal_grid?axis_order=xy&dim="

static const struct attack sizes[] = {
    {"S1", ROPE "?layout=half&length=2&dim=0", NULL, 422, "dim", NULL},
    {"S1", ROPE "?layout=half&length=2&dim=-2", NULL, 422, "dim", NULL},
    {"S1", ROPE "?layout=half&length=2&dim=1", NULL, 422, "dim", "even number"},
    {"S1", ROPE "?layout=half&length=2&dim=5", NULL, 422, "dim", "even number"},
    {"S2", ROPE "?layout=half&length=2&dim=2147483648", NULL, 422, "dim", "1048576"},
    {"S2", ROPE "?layout=half&length=2&dim=9007199254740992", NULL, 422, "dim", "1048576"},
    {"S2", ROPE "?layout=half&length=2&dim=9223372036854775807", NULL, 422, "dim", "1048576"},
    {"S2", ROPE "?layout=half&length=2&dim=18446744073709551616", NULL, 422, "dim", "1048576"},
    {"S3", "/v1/sinusoidal?length=4294967296&dim=4294967296", NULL, 422, "dim", "1048576"},
    {"S3", "/v1/sinusoidal?length=9007199254740991&dim=1048576&format=npy", NULL, 413, NULL,
     "result-too-large"},
    {"S3", "/v1/alibi?heads=65536&query_length=9007199254740991&format=npy", NULL, 413, NULL,
     "result-too-large"},
    {"S25", "/v1/alibi?heads=8&query_length=1000000&key_length=1000000&format=npy", NULL, 413, NULL,
     "result-too-large"},
    {"S25", "/v1/alibi?heads=8&query_length=1000000&tensor=slopes&format=text", NULL, 200, NULL,
     "0.00390625"},
    {"S30", AXES "4&grid=0,3", NULL, 422, "grid.0", NULL},
    {"S30", AXES "4&grid=1,1", NULL, 200, NULL, "\"shape\":[1,4]"},
    {"S30", AXES "8&grid=65536,65536&format=npy", NULL, 413, NULL, "result-too-large"},
    {"S30", AXES "8&grid=9007199254740991,9007199254740991", NULL, 413, NULL, "result-too-large"},
};
ROWS_OF(sizes);

static const struct attack angles[] = {
    {"S5", ROPE "?layout=half&length=2&dim=4&base=0", NULL, 422, "base", "above 0"},
    {"S5", ROPE "?layout=half&length=2&dim=4&base=-1", NULL, 422, "base", "above 0"},
    {"S5", ROPE "?layout=half&length=1&dim=4&base=1", NULL, 200, NULL, "\"data\":[1,1]"},
    {"S5", ROPE,
     HALF("\"base\":1,\"scaling\":{\"rope_type\":\"yarn\",\"factor\":2,"
          "\"original_max_position_embeddings\":100}"),
     422, "base", "logarithm"},
    {"S5", ROPE "?layout=half&length=1&dim=4&base=1.0000000000000002", NULL, 200, NULL,
     "\"data\":[1,0.9999999999999999]"},
    {"S5", ROPE "?layout=half&length=1&dim=4&base=1e308", NULL, 200, NULL, "\"data\":[1,1e-154]"},
    {"S6", ROPE, HALF("\"base\":\"500000\""), 422, "base", NULL},
    {"S6", ROPE, HALF("\"base\":\"5e5\""), 422, "base", NULL},
    {"S6", ROPE "?layout=half&length=2&dim=4&base=10,000,000", NULL, 422, "base", NULL},
    {"S7", ROPE "?layout=half&dim=4&positions=-1&format=csv", NULL, 200, NULL, "0.5403023"},
    {"S7", ROPE "?layout=half&dim=4&positions=9007199254740992", NULL, 200, NULL, "-0.52851176"},
    {"S7", ROPE "?layout=half&dim=4&positions=9007199254740994", NULL, 422, "positions.0", NULL},
    /* As they are written, though their nearest doubles are 2^53 and -2^53. */
    {"S7", ROPE "?layout=half&dim=4&positions=9007199254740993", NULL, 422, "positions.0",
     "it is '9007199254740993'"},
    {"S7", ROPE "?layout=half&dim=4&positions=1,9007199254740992.5", NULL, 422, "positions.1",
     "from -9007199254740992 to 9007199254740992; it is '9007199254740992.5'"},
    {"S7", ROPE "?layout=half&dim=4&positions=9.007199254740993e15", NULL, 422, "positions.0",
     "\"value\":\"9.007199254740993e15\""},
    {"S7", ROPE "?layout=half&dim=4&positions=-9007199254740993", NULL, 422, "positions.0",
     "\"value\":\"-9007199254740993\""},
    {"S7", ROPE "?layout=half&dim=4&length=1&offset=9007199254740993", NULL, 422, "offset",
     "\"value\":\"9007199254740993\""},
    {"S7", ROPE "?layout=half&dim=4&length=9007199254740991.25", NULL, 422, "length", "an integer"},
    {"S7", ROPE "?layout=half&dim=4.00000000000000000001&length=1", NULL, 422, "dim", "an integer"},
    {"S7", ROPE, HALF("\"offset\":-9007199254740992.5"), 422, "offset",
     "\"value\":\"-9007199254740992.5\""},
    {"S7", ROPE, "{\"layout\":\"half\",\"dim\":4,\"positions\":[3,9007199254740993]}", 422,
     "positions.1", "\"value\":\"9007199254740993\""},
    {"S7", ROPE, "{\"layout\":\"half\",\"dim\":4,\"positions\":[9.007199254740993E+15]}", 422,
     "positions.0", "\"value\":\"9.007199254740993E+15\""},
    {"S7", ROPE,
     SCALED("\"rope_type\":\"yarn\",\"factor\":2,"
            "\"original_max_position_embeddings\":9007199254740993"),
     422, "scaling.original_max_position_embeddings", "\"value\":\"9007199254740993\""},
    /* Within the range a decimal is its nearest double: halves are all there are here. */
    {"S7", ROPE "?layout=half&dim=4&positions=4503599627370497.25&format=csv", NULL, 200, NULL,
     "-0.9979641"},
    {"S7", ROPE "?layout=half&dim=4&positions=9007199254740991.9", NULL, 200, NULL, "-0.52851176"},
    /* Data of tensors are the nearest doubles, always. */
    {"S7", ROPE "/apply",
     "{\"layout\":\"half\",\"positions\":[0],\"dtype\":\"float64\","
     "\"x\":[[9007199254740993,-9007199254740993]]}",
     200, NULL, "[[9007199254740992,-9007199254740992]]"},
    /* So are the numbers of a config, which nobody wrote for us. */
    {"S7", "/v1/resolve",
     "{\"model_type\":\"llama\",\"hidden_size\":64,\"num_attention_heads\":4,"
     "\"num_hidden_layers\":2,\"rope_theta\":9007199254740993,"
     "\"max_position_embeddings\":9007199254740993}",
     200, NULL, "9007199254740992"},
    {"S7", ROPE "?layout=half&dim=4&positions=1e308", NULL, 422, "positions.0", NULL},
    {"S7", ROPE "?layout=half&dim=4&positions=0.5", NULL, 200, NULL, "0.87758255"},
    {"S8", ROPE, "{\"layout\":\"half\",\"dim\":4,\"positions\":[]}", 200, NULL, "\"shape\":[0,2]"},
    {"S8", ROPE "?layout=half&dim=4&positions=", NULL, 422, "positions", NULL},
    {"S8", ROPE "?layout=half&dim=2&positions=3,1,3&format=csv", NULL, 200, NULL,
     "-0.9899925\r\n0.5403023\r\n-0.9899925"},
    /* cos and sin of 1e15 and 1e13, reduced by all of pi. */
    {"S9", ROPE "?layout=half&dim=4&base=1e4&positions=1e15&dtype=float64", NULL, 200, NULL,
     "[[-0.5131937377869703,0.95736371690084"},
    {"S9", ROPE "?layout=half&dim=4&base=1e4&positions=1e15&dtype=float64", NULL, 200, NULL,
     "[[0.858272793170235"},
    {"S10", ROPE "/apply", "{\"x\":[[1,2,3,4]]}", 422, "layout", "no default"},
    {"S10", "/v1/sinusoidal_grid?dim=4&grid=2,2", NULL, 422, "axis_order", "no default"},
    {"S11", ROPE "?layout=half&dim=4&length=1&rotary_dim=8", NULL, 422, "rotary_dim", NULL},
    {"S11", ROPE "?layout=half&dim=4&length=1&rotary_dim=3", NULL, 422, "rotary_dim", "even"},
    {"S11", ROPE "?layout=half&dim=4&length=1&rotary_dim=0", NULL, 422, "rotary_dim", NULL},
    {"S11", ROPE "?layout=half&dim=10&length=1&partial_rotary_factor=0.3", NULL, 422,
     "partial_rotary_factor", "3 of 10"},
};
ROWS_OF(angles);

static const struct attack scalings[] = {
    {"S12", ROPE, SCALED("\"rope_type\":\"unknown\""), 422, "scaling.rope_type", "allowed"},
    {"S12", ROPE, SCALED("\"rope_type\":\"su\",\"short_factor\":[1,1,1,1]"), 422, NULL, "longrope"},
    {"S12", ROPE, HALF("\"scaling\":null"), 200, NULL, "\"scaling\":null"},
    {"S12", ROPE, SCALED("\"rope_type\":\"default\",\"factor\":2"), 200, NULL,
     "\"warnings\":[{\"parameter\":\"scaling.factor\""},
    {"S13", ROPE, YARN(",\"type\":\"linear\""), 200, NULL,
     "\"warnings\":[{\"parameter\":\"scaling.type\""},
    {"S14", ROPE, SCALED("\"rope_type\":\"linear\",\"factor\":0"), 422, "scaling.factor", NULL},
    {"S14", ROPE, SCALED("\"rope_type\":\"linear\",\"factor\":-2"), 422, "scaling.factor", NULL},
    {"S14", ROPE, SCALED("\"rope_type\":\"linear\",\"factor\":0.25"), 422, "scaling.factor", NULL},
    {"S14", ROPE, SCALED("\"rope_type\":\"linear\",\"factor\":1"), 200, NULL,
     "[0.5403023,0.9950042,0.99995,0.9999995]"},
    {"S14", ROPE, SCALED("\"rope_type\":\"linear\",\"factor\":1e9"), 200, NULL, "1e-09"},
    {"S15", ROPE, SCALED("\"rope_type\":\"dynamic\",\"factor\":2"), 422, "max_position_embeddings",
     "required"},
    {"S15", ROPE,
     HALF("\"max_position_embeddings\":100,\"sequence_length\":50,"
          "\"scaling\":{\"rope_type\":\"dynamic\",\"factor\":2}"),
     200, NULL, "[0.5403023,0.9950042,0.99995,0.9999995]"},
    {"S17", ROPE,
     "{\"layout\":\"half\",\"dim\":2,\"length\":20,\"max_position_embeddings\":10,"
     "\"scaling\":{\"rope_type\":\"dynamic\",\"factor\":2}}",
     422, "dim", "d / (d - 2)"},
    {"S18", ROPE, SCALED("\"rope_type\":\"yarn\",\"factor\":2"), 422,
     "scaling.original_max_position_embeddings", "required"},
    {"S18", ROPE, YARN("},\"max_position_embeddings\":400,\"rope_scaling_note\":{"), 422,
     "rope_scaling_note", NULL},
    {"S19", ROPE, YARN(",\"beta_fast\":1,\"beta_slow\":32"), 422, "scaling.beta_fast",
     "must not be below"},
    {"S19", ROPE, YARN(",\"beta_fast\":0"), 200, NULL,
     "\"warnings\":[{\"parameter\":\"scaling.beta_fast\""},
    {"S19", ROPE, YARN(",\"beta_slow\":0"), 200, NULL,
     "\"warnings\":[{\"parameter\":\"scaling.beta_slow\""},
    {"S19", ROPE, YARN(",\"beta_fast\":4,\"beta_slow\":4"), 200, NULL, "\"interpolation_weight\""},
    {"S19", ROPE, YARN(",\"beta_fast\":1e9,\"beta_slow\":1e-9"), 200, NULL,
     "\"interpolation_weight\""},
    {"S20", ROPE, YARN(",\"attention_factor\":0"), 422, "scaling.attention_factor", "above 0"},
    {"S20", ROPE, YARN(",\"attention_factor\":-1"), 422, "scaling.attention_factor", "above 0"},
    {"S20", ROPE, YARN(",\"attention_factor\":\"NaN\""), 422, "scaling.attention_factor", NULL},
    {"S20", ROPE, YARN(",\"attn_factor\":2"), 200, NULL,
     "\"warnings\":[{\"parameter\":\"scaling.attn_factor\""},
    /* Equal factors are a step, which is what their formula has as its limit. */
    {"S21", ROPE, LLAMA3("4", "4", ""), 200, NULL, "\"interpolation_weight\""},
    {"S21", ROPE, LLAMA3("4", "1", ""), 422, "scaling.high_freq_factor", "must not be below"},
    {"S21", ROPE, LLAMA3("1", "4", "},\"max_position_embeddings\":8192,\"xpos\":null"), 400, NULL,
     "malformed-body"},
    {"S22", ROPE, LONGROPE("[1,1]", "[1,1,1,1]"), 422, "scaling.short_factor", "4 pairs"},
    {"S22", ROPE, LONGROPE("[1,1,1,1,1]", "[1,1,1,1]"), 422, "scaling.short_factor", "4 pairs"},
    {"S22", ROPE, LONGROPE("[1,0,1,1]", "[1,1,1,1]"), 422, "scaling.short_factor.1", NULL},
    {"S22", ROPE, LONGROPE("[1,1,1,1]", "[1,1,-1,1]"), 422, "scaling.long_factor.2", NULL},
    {"S23", ROPE, SECTIONS("[1,1,1]"), 422, "mrope_section", "sums to 3"},
    {"S23", ROPE, SECTIONS("[2,3,-1]"), 422, "mrope_section.2", NULL},
    {"S23", ROPE, SECTIONS("[1,1,1,1]"), 422, "mrope_section", "4 entries"},
    {"S23", ROPE, SECTIONS("[2,1,1]"), 200, NULL, "\"axis_per_pair\":\"TTHW\""},
};
ROWS_OF(scalings);

static const struct attack others[] = {
    {"S24", "/v1/alibi?heads=0&query_length=2", NULL, 422, "heads", NULL},
    {"S24", "/v1/alibi?heads=-1&query_length=2", NULL, 422, "heads", NULL},
    {"S24", "/v1/alibi?heads=1&query_length=1", NULL, 200, NULL, "0.00390625"},
    {"S24", "/v1/alibi?heads=3&query_length=1&dtype=float64", NULL, 200, NULL,
     "[0.0625,0.00390625,0.25]"},
    {"S24", "/v1/alibi?heads=1048576&query_length=1", NULL, 422, "heads", "65536"},
    {"S24", "/v1/alibi?heads=12&query_length=1&tensor=slopes&format=text", NULL, 200, NULL,
     "0.70710677"},
    {"S26", "/v1/t5?bidirectional=true&query_length=2&num_buckets=0", NULL, 422, "num_buckets",
     NULL},
    {"S26", "/v1/t5?bidirectional=true&query_length=2&num_buckets=1", NULL, 422, "num_buckets",
     NULL},
    {"S26", "/v1/t5?bidirectional=true&query_length=2&num_buckets=33", NULL, 422, "num_buckets",
     "odd"},
    {"S26", "/v1/t5?bidirectional=true&query_length=2&max_distance=8", NULL, 422, "max_distance",
     "above 8"},
    {"S26", "/v1/t5?bidirectional=false&query_length=2&max_distance=16", NULL, 422, "max_distance",
     "above 16"},
    {"S27", "/v1/t5?bidirectional=true&relative_positions=-9223372036854775808", NULL, 422,
     "relative_positions.0", "from -9007199254740991 to"},
    {"S27", "/v1/t5?bidirectional=true&relative_positions=-9007199254740991,9007199254740991", NULL,
     200, NULL, "[15,31]"},
    {"S28", "/v1/sinusoidal?length=1&dim=2&spacing=half_minus_1", NULL, 422, "dim", "h - 1"},
    {"S28", "/v1/sinusoidal?length=1&dim=1", NULL, 422, "dim", "odd"},
    {"S28", "/v1/sinusoidal?length=1&dim=7", NULL, 422, "dim", "zero_pad"},
    {"S29", "/v1/learned", "{\"table\":[[1,2],[3,4]],\"positions\":[2]}", 422, "positions.0",
     "last row"},
    {"S29", "/v1/learned", "{\"table\":[[1,2],[3,4]],\"positions\":[-1]}", 422, "positions.0",
     "none is wrapped"},
    {"S29", "/v1/learned", "{\"table\":[[1,2],[3,4]],\"positions\":[0],\"padding_idx\":2}", 422,
     "padding_idx", "last row"},
    {"S31", "/v1/sinusoidal?length=1&dim=2&dtype=float8", NULL, 422, "dtype", "float16"},
    {"S31", "/v1/sinusoidal?length=1&dim=2&dtype=int", NULL, 422, "dtype", "bfloat16"},
    {"S31", "/v1/sinusoidal?length=1&dim=2&dtype=%00", NULL, 400, NULL, NULL},
    {"S31", "/v1/alibi?slopes=32752&query_length=3&mask=none&form=symmetric&dtype=float16", NULL,
     200, NULL, "[-65500,-32750,0]"},
};
ROWS_OF(others);

static void run_all(const struct attack *attacks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct attack *const one = &attacks[i];
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

#define RUN_ALL(attacks) run_all((attacks), sizeof(attacks) / sizeof(*(attacks)))

Test(attack_meaning, sizes_are_checked_before_anything_is_multiplied)
{
    RUN_ALL(sizes);
}

Test(attack_meaning, angles_stay_finite_or_are_refused)
{
    RUN_ALL(angles);
}

Test(attack_meaning, scalings_that_contradict_themselves_are_refused)
{
    RUN_ALL(scalings);
}

Test(attack_meaning, other_encodings_name_what_is_wrong)
{
    RUN_ALL(others);
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
