/*
 * Allocations that fail, one after the other, under every route and representation: the answer is
 * right or says 503, nothing leaks, and the next request is answered with the same bytes as ever.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "ask.h"
#include "catalogue_requests.h"
#include "json_reserve.h"
#include "router.h"

#define REPLY_MAX ((size_t)4 << 20)
#define READ_SIZE 4096

/* Of the allocations of a request that are made to fail: the first, and then each so many. */
#define DENSE_CALLS 400
#define SPARSE_STEP 23

struct torture {
    const char *method;
    const char *target;
    const char *body; /* or NULL */
    size_t body_size;
    struct header headers[2];
    size_t header_count;
};

/* What came back; the bytes lie in a buffer that was there before. */
struct reply {
    unsigned status;
    size_t size;
    bool is_cut; /* the body ended in an error, which closes the connection */
    bool has_retry_after;
    char *bytes;
};

static struct service service;
static size_t runs;

static void read_reply(struct response *response, struct reply *reply)
{
    ssize_t got = 0;

    reply->size = 0;
    reply->is_cut = false;
    reply->status = response->status;
    reply->has_retry_after = false;
    for (size_t i = 0; i < response->header_count; i++)
        reply->has_retry_after |= strcmp(response->headers[i].name, "Retry-After") == 0;
    while (response->read && reply->size < response->length && reply->size < REPLY_MAX) {
        const size_t room = REPLY_MAX - reply->size;

        got = response->read(response->state, reply->size, reply->bytes + reply->size,
                             room < READ_SIZE ? room : READ_SIZE);
        if (got <= 0)
            break;
        reply->size += (size_t)got;
    }
    reply->is_cut = got < 0 || (response->length != RESPONSE_LENGTH_UNKNOWN && response->read &&
                                reply->size < response->length && reply->size < REPLY_MAX);
}

static void split_target(const struct torture *torture, char *path, size_t size,
                         struct request *request)
{
    const char *const mark = strchr(torture->target, '?');
    const size_t length = mark ? (size_t)(mark - torture->target) : strlen(torture->target);

    cr_assert_lt(length, size);
    memcpy(path, torture->target, length);
    path[length] = '\0';
    *request = (struct request){.method = torture->method,
                                .path = path,
                                .query = mark ? mark + 1 : "",
                                .headers = torture->headers,
                                .header_count = torture->header_count,
                                .body = torture->body ? torture->body : "",
                                .body_size = torture->body_size,
                                .id = "torture"};
}

static struct allocator_report run(const struct torture *torture, size_t n,
                                   enum allocator_failing failing, struct reply *reply)
{
    struct response response;
    struct request request;
    char path[1024];

    split_target(torture, path, sizeof(path), &request);
    runs++;
    allocator_arm(n, failing);
    handle_request(&service, &request, &response);
    read_reply(&response, reply);
    response_release(&response);
    return allocator_disarm();
}

static void expect_right(const struct torture *torture, const struct reply *right,
                         const struct reply *reply, size_t n)
{
    const bool is_same = reply->status == right->status && reply->size == right->size &&
                         memcmp(reply->bytes, right->bytes, right->size) == 0 && !reply->is_cut;

    cr_expect(is_same, "%s %s, after call %zu: %u, %zu bytes", torture->method, torture->target, n,
              reply->status, reply->size);
}

/* Right all the same, 503, or an answer that is cut where the client can see it. */
static void expect_survived(const struct torture *torture, const struct reply *right,
                            const struct reply *reply, size_t n)
{
    if (reply->status == 503) {
        reply->bytes[reply->size] = '\0';
        cr_expect(reply->has_retry_after, "%s, call %zu", torture->target, n);
        cr_expect(strstr(reply->bytes, "urn:posenc:problem:"), "%s, call %zu: %s", torture->target,
                  n, reply->bytes);
        cr_expect_not(reply->is_cut, "%s, call %zu", torture->target, n);
        return;
    }
    cr_expect_eq(reply->status, right->status, "%s %s, call %zu: %u %.300s", torture->method,
                 torture->target, n, reply->status, reply->bytes);
    if (!reply->is_cut)
        expect_right(torture, right, reply, n);
}

/* is_accepted: whether its status must be 200 while nothing fails. */
static void torture_one(const struct torture *torture, bool is_accepted)
{
    static struct reply right, reply;
    struct allocator_report report;
    size_t calls;

    if (!right.bytes)
        right.bytes = malloc(REPLY_MAX + 1);
    if (!reply.bytes)
        reply.bytes = malloc(REPLY_MAX + 1);
    cr_assert(right.bytes && reply.bytes);
    (void)run(torture, ALLOCATOR_NEVER, ALLOCATOR_FAILS_ONCE, &right); /* what lasts is made */
    report = run(torture, ALLOCATOR_NEVER, ALLOCATOR_FAILS_ONCE, &right);
    cr_expect_eq(report.live, 0, "%s %s leaks %ld", torture->method, torture->target, report.live);
    cr_expect(right.status == 200 || !is_accepted, "%s %s: %u %.300s", torture->method,
              torture->target, right.status, right.bytes);
    calls = report.calls;
    for (size_t n = 0; n < calls;) {
        for (int failing = ALLOCATOR_FAILS_ONCE; failing <= ALLOCATOR_FAILS_FROM; failing++) {
            report = run(torture, n, (enum allocator_failing)failing, &reply);
            cr_expect_gt(report.failed, 0);
            cr_expect_eq(report.live, 0, "%s %s, call %zu: %ld blocks leak", torture->method,
                         torture->target, n, report.live);
            expect_survived(torture, &right, &reply, n);
        }
        (void)run(torture, ALLOCATOR_NEVER, ALLOCATOR_FAILS_ONCE, &reply);
        expect_right(torture, &right, &reply, n);
        n += n < DENSE_CALLS || getenv("TORTURE_ALL") ? 1 : SPARSE_STEP;
    }
}

static void set_up(void)
{
    service = ask_service();
    json_reserve_install(); /* as main() does */
    json_object_seed(1);    /* else the first object would read /dev/urandom */
}

static void tell(void)
{
    (void)printf("torture: %zu runs\n", runs);
    (void)fflush(stdout);
}

TestSuite(torture, .init = set_up, .fini = tell, .timeout = 600);

#define JSON_TYPE                                                                                  \
    {                                                                                              \
        "Content-Type", "application/json"                                                         \
    }

static void torture_json(const char *target, const char *body, bool is_accepted)
{
    const struct torture torture = {.method = body ? "POST" : "GET",
                                    .target = target,
                                    .body = body,
                                    .body_size = body ? strlen(body) : 0,
                                    .headers = {JSON_TYPE},
                                    .header_count = 1};

    torture_one(&torture, is_accepted);
}

Test(torture, every_routes_own_example)
{
    for (size_t i = 0; route_at(i); i++)
        torture_json(route_at(i)->example, route_at(i)->example_body,
                     strcmp(route_at(i)->path, "/readyz") != 0);
}

static void torture_table(const json_t *operation)
{
    static const char *const formats[] = {"json", "npy",  "safetensors", "raw",
                                          "csv",  "text", "png",         "svg"};
    const char *const path = json_string_value(json_object_get(operation, "path"));
    json_t *const body = json_object();
    char *text;

    cr_assert_eq(grow_request(path, json_object_get(operation, "parameters"), NULL, body), 200);
    text = json_dumps(body, JSON_COMPACT);
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
        char target[256];

        (void)snprintf(target, sizeof(target), "%s?format=%s", path, formats[i]);
        torture_json(target, text, i == 0);
    }
    free(text);
    json_decref(body);
}

/* The catalogue's encodings, from `first` in steps, so that several tests share them. */
static void torture_encodings(size_t first, size_t step)
{
    struct answer answer = ask("GET", "/v1/encodings", NULL);
    const json_t *const encodings = json_object_get(answer.document, "encodings");

    cr_assert_gt(json_array_size(encodings), 10);
    for (size_t i = first; i < json_array_size(encodings); i += step) {
        const json_t *const operations =
            json_object_get(json_array_get(encodings, i), "operations");

        torture_table(find_by_name(operations, "table"));
    }
    answer_release(&answer);
}

Test(torture, every_encoding_in_every_representation)
{
    torture_encodings(0, 2);
}

Test(torture, every_other_encoding_in_every_representation)
{
    torture_encodings(1, 2);
}

#define SCORES "[[[1,2,3],[4,5,6],[7,8,9]],[[0,0,1],[0,1,0],[1,0,0]]]"
#define QUERY  "[[1,2,3,4],[0.5,-1,2,0]]"

Test(torture, every_operation_on_tensors)
{
    static const struct {
        const char *target, *body;
    } rows[] = {
        {"/v1/sinusoidal/apply", "{\"x\":" QUERY "}"},
        {"/v1/none/apply", "{\"x\":" QUERY "}"},
        {"/v1/learned/apply", "{\"x\":[[1,2],[3,4]],\"table\":[[1,2],[3,4],[5,6]]}"},
        {"/v1/learned/gradient", "{\"gradient\":[[1,2],[3,4]],\"indices\":[0,2],\"rows\":4}"},
        {"/v1/rope/apply", "{\"layout\":\"half\",\"q\":" QUERY ",\"k\":" QUERY "}"},
        {"/v1/rope/apply",
         "{\"layout\":\"interleaved\",\"x\":" QUERY ",\"arithmetic\":\"float32\"}"},
        {"/v1/alibi/apply", "{\"scores\":" SCORES "}"},
        {"/v1/t5/apply",
         "{\"scores\":" SCORES ",\"bidirectional\":true,\"num_buckets\":4,\"max_distance\":8,"
         "\"table\":[[1,2],[3,4],[5,6],[7,8]]}"},
        {"/v1/deberta/apply",
         "{\"q\":[[1,2],[3,-1]],\"k\":[[2,0],[1,1]],\"pos_key\":[[1,0],[2,1],[3,1],[4,2]],"
         "\"pos_query\":[[0,1],[0,0],[1,-1],[1,-2]],\"types\":[\"c2p\",\"p2c\"],"
         "\"position_buckets\":0,\"max_relative_positions\":2}"},
        {"/v1/swin/apply", "{\"scores\":[[[1,2],[3,4]]],\"window\":[1,2],"
                           "\"table\":[[1],[2],[3]]}"},
        {"/v1/kerple/apply",
         "{\"scores\":" SCORES ",\"kind\":\"log\",\"p\":[1,0.5],\"a\":[1,0.5]}"},
        {"/v1/sandwich/apply", "{\"scores\":" SCORES "}"},
        {"/v1/transformer_xl/shift", "{\"x\":[[1,2,3],[4,5,6],[7,8,9]]}"},
        {"/v1/attention",
         "{\"encoding\":\"rope\",\"causal\":true,\"parameters\":{\"layout\":\"half\"},"
         "\"q\":[" QUERY "],\"k\":[" QUERY "],\"v\":[" QUERY "]}"},
        {"/v1/attention",
         "{\"encoding\":\"alibi\",\"causal\":false,\"q\":[" QUERY "],\"k\":[" QUERY "]}"},
        {"/v1/identify", "{\"encoding\":\"alibi\",\"part\":\"bias\",\"parameters\":{\"heads\":2},"
                         "\"actual\":[[[0,0.0625],[0,0.0625]],[[0,0.00390625],[0,0.00390625]]]}"},
        {"/v1/identify",
         "{\"encoding\":\"rope\",\"parameters\":{\"layout\":\"interleaved\",\"offset\":1},"
         "\"x\":[[1,2,3,4]],\"actual\":[[-1.984110649,1.959900667,2.462377902,4.019799668]]}"},
        {"/v1/identify", "{\"encoding\":\"kerple\",\"part\":\"bias\",\"parameters\":{\"kind\":"
                         "\"log\",\"a\":[1],\"p\":[1]},"
                         "\"actual\":[[[0.3,1],[0.7,0.11]]]}"},
        {"/v1/permutation?heads=2&head_dim=4&from=half&to=interleaved", NULL},
        {"/v1/positions", "{\"rule\":\"opt\",\"attention_mask\":[[1,1,0,0]]}"},
        /* Numbers that rounding makes integers are kept as they were written. */
        {"/v1/rope", "{\"layout\":\"half\",\"dim\":4,\"base\":9007199254740993,"
                     "\"positions\":[1,5.00000000000000000001]}"},
        {"/v1/rope?layout=half&dim=4&positions=1,5.00000000000000000001", NULL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        torture_json(rows[i].target, rows[i].body, true);
}

/* Bodies of the Open Inference Protocol: JSON up to where `json_size` says, then bytes. */
#define X_OF_BYTES                                                                                 \
    "{\"id\":\"a\",\"parameters\":{\"layout\":\"half\",\"offset\":\"3\",\"scaling\":\"null\"},"    \
    "\"inputs\":[{\"name\":\"x\",\"shape\":[1,4],\"datatype\":\"FP16\","                           \
    "\"parameters\":{\"binary_data_size\":8}},{\"name\":\"sequence_axis\",\"shape\":[1],"          \
    "\"datatype\":\"INT8\",\"parameters\":{\"binary_data_size\":1}}],\"outputs\":[{\"name\":"      \
    "\"x\"}]}"
#define HALVES "\0\x3c\0\x40\0\x42\0\x44"

static void torture_inference(const char *target, const char *body, size_t size,
                              const char *json_size)
{
    const struct torture torture = {
        .method = "POST",
        .target = target,
        .body = body,
        .body_size = size,
        .headers = {JSON_TYPE, {"Inference-Header-Content-Length", json_size}},
        .header_count = json_size ? 2 : 1};

    torture_one(&torture, true);
}

Test(torture, every_way_of_inferring)
{
    static const char x_of_bytes[] = X_OF_BYTES HALVES "\xfe";
    static const char position[8] = {0};
    char size[24];

    (void)snprintf(size, sizeof(size), "%zu", sizeof(X_OF_BYTES) - 1);
    torture_inference("/v2/models/rope.apply/infer", x_of_bytes, sizeof(x_of_bytes) - 1, size);
    torture_inference("/v2/models/sinusoidal/infer?dim=4", position, sizeof(position), "0");
    torture_json("/v2/models/alibi.apply/infer",
                 "{\"parameters\":{\"slopes\":\"[0.5,0.25]\"},\"inputs\":[{\"name\":\"scores\","
                 "\"shape\":[2,1,2],\"datatype\":\"FP32\",\"data\":[[[NaN,1]],[[2,3]]]}],"
                 "\"outputs\":[{\"name\":\"scores\",\"parameters\":{\"binary_data\":true}}]}",
                 true);
    torture_json("/v2/models/sinusoidal_grid/infer",
                 "{\"parameters\":{\"dim\":8,\"binary_data_output\":true},\"inputs\":[{\"name\":"
                 "\"grid\",\"shape\":[2],\"datatype\":\"UINT8\",\"data\":[2,2]},{\"name\":\"mask\","
                 "\"shape\":[2,2],\"datatype\":\"BOOL\",\"data\":[[true,false],[true,true]]}]}",
                 false);
    torture_json("/v2/models/rope/infer",
                 "{\"parameters\":{\"length\":1100,\"dim\":8},\"outputs\":[{\"name\":\"cos\"},"
                 "{\"name\":\"sin\",\"parameters\":{\"binary_data\":true}}]}",
                 true);
    torture_json("/v2/models/rope/infer",
                 "{\"parameters\":{\"length\":1100,\"dim\":8,\"scaling.type\":\"linear\"},"
                 "\"inputs\":[{\"name\":\"scaling.factor\",\"shape\":[1],\"datatype\":\"FP32\","
                 "\"data\":[4]}]}",
                 true);
    torture_json("/v2/models/rope/infer", "{\"outputs\":[{\"name\":\"tan\"}]}", false);
    torture_json("/v2/repository/index", "{\"ready\":true}", true);
}

Test(torture, every_quantity_of_every_encoding)
{
    struct answer answer = ask("GET", "/v1/encodings", NULL);
    const json_t *const quantities = json_object_get(answer.document, "quantities");

    cr_assert_gt(json_array_size(quantities), 5);
    for (size_t i = 0; i < json_array_size(quantities); i++) {
        const json_t *const quantity = json_array_get(quantities, i), *const served =
                                                                          json_object_get(
                                                                              quantity,
                                                                              "encodings");

        for (size_t j = 0; j < json_array_size(served); j++) {
            char target[256];

            (void)snprintf(target, sizeof(target), "%s?encoding=%s&dim=8&length=4",
                           json_string_value(json_object_get(quantity, "path")),
                           json_string_value(json_array_get(served, j)));
            torture_json(target, NULL, false);
        }
    }
    answer_release(&answer);
}

/* A body of `count` times `item`, in which %d counts, between `first` and `last`. */
static char *make_body(const char *first, const char *item, size_t count, const char *last)
{
    char *const body = malloc(strlen(first) + count * (strlen(item) + 8) + strlen(last) + 1);
    char *at = body;

    cr_assert(body);
    at = stpcpy(at, first);
    for (size_t i = 0; i < count; i++) {
        const char *const number = strchr(item, '#');

        at += number ? sprintf(at, "%.*s%zu%s", (int)(number - item), item, i, number + 1)
                     : sprintf(at, "%s", item);
    }
    (void)stpcpy(at, last);
    return body;
}

/* Nothing that jansson allocates can fail, since it was reserved: its lexer does not survive that.
 */
Test(torture, bodies_of_many_values_take_few_allocations)
{
    static const struct {
        const char *first, *item;
        size_t count;
        const char *last;
    } rows[] = {
        {"{\"x\":[", "{},", 19000, "{}]}"},
        {"{\"x\":[", "[\"\"],", 9000, "null]}"},
        {"{", "\"k#\":{},", 19000, "\"a\":1}"},
        {"{", "\"k#\":[],", 19000, "\"a\":1}"},
        {"{\"x\":[", "{\"a\":{\"b\":true}},", 6000, "{}]}"},
        {"{\"x\":[", "\"\",", 19000, "\"\"]}"},
        {"{\"x\":[", "\"\\u00e9\\n#\",", 19000, "\"\"]}"},
        {"{\"x\":\"", "a long text ", 80000, "\"}"},
        {"", "{\"a\":", 31, "\"\""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char *const body = make_body(rows[i].first, rows[i].item, rows[i].count, rows[i].last);
        const struct torture torture = {.method = "POST",
                                        .target = "/v1/sinusoidal",
                                        .body = body,
                                        .body_size = strlen(body),
                                        .headers = {JSON_TYPE},
                                        .header_count = 1};
        struct reply reply = {.bytes = malloc(REPLY_MAX + 1)};
        struct allocator_report report;

        cr_assert(reply.bytes);
        report = run(&torture, ALLOCATOR_NEVER, ALLOCATOR_FAILS_ONCE, &reply);
        /* Values have blocks of 8 KiB; jansson alone would ask once for each value or more. */
        cr_expect_lt(report.calls, 1000, "row %zu: %zu allocations", i, report.calls);
        cr_expect_eq(report.live, 0);
        cr_expect(reply.status == 422 || i + 1 == sizeof(rows) / sizeof(*rows), "row %zu: %.200s",
                  i, reply.bytes);
        free(reply.bytes);
        free(body);
    }
}

#define TABLE "/v1/sinusoidal?length=64&dim=16"

Test(torture, validators_ranges_and_codings)
{
    static const struct torture rows[] = {
        {"GET", TABLE, NULL, 0, {{"Accept-Encoding", "gzip"}}, 1},
        {"GET", TABLE, NULL, 0, {{"Accept-Encoding", "zstd"}}, 1},
        {"GET", TABLE "&format=csv", NULL, 0, {{"Accept-Encoding", "gzip"}}, 1},
        {"GET", TABLE "&format=npy", NULL, 0, {{"Range", "bytes=100-999"}}, 1},
        {"GET", TABLE "&format=npy", NULL, 0, {{"Range", "bytes=99999-"}}, 1},
        {"GET", TABLE, NULL, 0, {{"If-None-Match", "*"}}, 1},
        {"GET", TABLE, NULL, 0, {{"Accept", "video/mp4"}}, 1},
        {"HEAD", TABLE "&format=npy", NULL, 0, {{"Accept", "*/*"}}, 1},
        {"OPTIONS", TABLE, NULL, 0, {{"Accept", "*/*"}}, 1},
        {"DELETE", TABLE, NULL, 0, {{"Accept", "*/*"}}, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        torture_one(&rows[i], false);
}

Test(torture, requests_that_are_refused)
{
    static const struct {
        const char *target, *body;
    } rows[] = {
        {"/nowhere", NULL},
        {"/v1/sinusiodal?length=2", NULL},
        {"/v1/sinusoidal?lenght=2", NULL},
        {"/v1/sinusoidal?length=2&dim=4&layout=haf", NULL},
        {"/v1/sinusoidal?a=%zz", NULL},
        {"/v1/sinusoidal", ""},
        {"/v1/sinusoidal", "{\"a\":{\"b\":[1,2,{\"c\":nul}]}}"},
        {"/v1/sinusoidal", "{\"length\":2,\"length\":3}"},
        {"/v1/sinusoidal", "[[[[[[[[[[[1,[2]]]]]]]]]]]"},
        {"/v1/rope",
         "{\"dim\":8,\"length\":2,\"scaling\":{\"rope_type\":\"yarn\",\"factor\":2,"
         "\"original_max_position_embeddings\":100,\"beta_fast\":0,\"attn_factor\":1}}"},
        {"/v1/resolve", "{\"model_type\":\"unheard of\"}"},
        {"/v1/models/none", NULL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        torture_json(rows[i].target, rows[i].body, false);
}

Test(torture, binary_and_compressed_bodies)
{
    static const char safetensors[] =
        "\x40\0\0\0\0\0\0\0{\"q\":{\"dtype\":\"BF16\",\"shape\":[1,4],\"data_offsets\":[0,8]}}"
        "       "
        "\x80\x3f\0\x40\x40\x40\x80\x40";
    /* {"length":2,"dim":4}, as one stored block */
    static const char gzip[] =
        "\x1f\x8b\x08\0\0\0\0\0\0\x03\x01\x14\0\xeb\xff{\"length\":2,\"dim\":4}"
        "\x33\x49\x45\xb1\x14\0\0\0";
    static char npy[160];
    const struct torture rows[] = {
        {"POST",
         "/v1/rope/apply?layout=half&format=npy",
         npy,
         144,
         {{"Content-Type", "application/x-npy"}},
         1},
        {"POST",
         "/v1/rope/apply?layout=half",
         safetensors,
         sizeof(safetensors) - 1,
         {{"Content-Type", "application/vnd.safetensors"}},
         1},
        {"POST",
         "/v1/sinusoidal",
         gzip,
         sizeof(gzip) - 1,
         {JSON_TYPE, {"Content-Encoding", "gzip"}},
         2},
    };

    memset(npy, ' ', 128);
    memcpy(npy, "\x93NUMPY\x01\0\x76\0", 10);
    memcpy(npy + 10, "{'descr': '>f4', 'fortran_order': True, 'shape': (1, 4), }", 58);
    npy[127] = '\n';
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        torture_one(&rows[i], true);
}
