/* What a client gets of a body: all, a part, nothing new, or all of it compressed. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "delivery.h"
#include "packing.h"

#define TABLE  "/v1/rope?length=3&dim=8"
#define LONG   "/v1/rope?length=300&dim=64" /* too long to be printed at once */
#define BINARY "/v1/rope?length=30&dim=8&format=npy"

static struct answer ask_with(const char *method, const char *target, const char *name,
                              const char *value)
{
    const struct service service = ask_service();
    const struct header header = {name, value};

    return ask_service_with(&service, method, target, NULL, &header, name ? 1 : 0);
}

static void tag_of(const char *target, const char *accepted, char tag[ETAG_SIZE])
{
    struct answer answer = ask_with("GET", target, "Accept-Encoding", accepted);

    (void)snprintf(tag, ETAG_SIZE, "%s", answer_header(&answer, "ETag"));
    cr_assert_neq(tag[0], '\0', "%s", target);
    answer_release(&answer);
}

Test(delivery, tells_caches_how_long_they_may_keep_it)
{
    static const struct {
        const char *method, *target, *body, *expected;
    } rows[] = {
        {"GET", TABLE, NULL, CACHE_RESULT},
        {"HEAD", TABLE, NULL, CACHE_RESULT},
        {"GET", TABLE "&numeric_version=2", NULL, CACHE_VERSIONED},
        {"GET", "/v1/encodings", NULL, CACHE_DOCUMENT},
        {"GET", "/v1/models/llama-3.1-8b", NULL, CACHE_DOCUMENT},
        {"GET", "/", NULL, CACHE_DOCUMENT},
        {"POST", "/v1/rope", "{\"length\": 3, \"dim\": 8}", "no-store"},
        {"POST", "/v1/resolve", "{\"model_type\": \"bert\"}", "no-store"},
        {"GET", "/livez", NULL, "no-store"},
        {"GET", "/v1/rope?length=-1", NULL, "no-store"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct answer answer = ask(rows[i].method, rows[i].target, rows[i].body);

        cr_expect_str_eq(answer_header(&answer, "Cache-Control"), rows[i].expected, "%s",
                         rows[i].target);
        if (answer.status == 200 && strcmp(rows[i].target, "/livez") != 0)
            cr_expect_str_eq(answer_header(&answer, "Vary"), "Accept, Accept-Encoding");
        answer_release(&answer);
    }
}

Test(delivery, keeps_answers_to_a_token_out_of_shared_caches)
{
    struct answer answer = ask_with("GET", TABLE, "Authorization", "Bearer x");

    cr_expect_str_eq(answer_header(&answer, "Cache-Control"), "private, max-age=86400");
    answer_release(&answer);
}

Test(delivery, answers_304_to_whoever_has_it)
{
    static const char *const targets[] = {TABLE, LONG, BINARY, "/v1/encodings",
                                          TABLE "&numeric_version=2"};
    char tag[ETAG_SIZE], list[256];

    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
        tag_of(targets[i], "identity", tag);
        (void)snprintf(list, sizeof(list), "\"x\", W/%s", tag);
        struct answer full = ask("GET", targets[i], NULL);
        struct answer get = ask_with("GET", targets[i], "If-None-Match", list);
        struct answer head = ask_with("HEAD", targets[i], "If-None-Match", tag);
        struct answer any = ask_with("GET", targets[i], "If-None-Match", "*");
        struct answer old = ask_with("GET", targets[i], "If-None-Match", "\"x\"");

        cr_expect_eq(get.status, 304, "%s", targets[i]);
        cr_expect_eq(get.size, 0);
        cr_expect_eq(head.status, 304);
        cr_expect_eq(any.status, 304);
        cr_expect_eq(old.status, 200);
        cr_expect_str_eq(answer_header(&get, "ETag"), tag);
        cr_expect_str_eq(answer_header(&get, "Vary"), "Accept, Accept-Encoding");
        cr_expect_str_eq(answer_header(&get, "Content-Type"), "");
        (void)snprintf(list, sizeof(list), "%s", answer_header(&full, "Cache-Control"));
        cr_expect_str_eq(answer_header(&get, "Cache-Control"), list);
        answer_release(&full);
        answer_release(&get);
        answer_release(&head);
        answer_release(&any);
        answer_release(&old);
    }
}

Test(delivery, answers_304_for_the_coding_that_the_client_has)
{
    const struct service service = ask_service();
    char plain[ETAG_SIZE], gzip[ETAG_SIZE], zstd[ETAG_SIZE];

    tag_of(LONG, "identity", plain);
    tag_of(LONG, "gzip", gzip);
    tag_of(LONG, "zstd", zstd);
    const struct {
        const char *accepted, *tag;
        unsigned status;
    } rows[] = {
        {"gzip, zstd", gzip, 304},          {"gzip, zstd", zstd, 304}, {"gzip", plain, 304},
        {"gzip, identity;q=0", plain, 200}, {"gzip", zstd, 200},       {"identity", gzip, 200},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct header headers[] = {{"Accept-Encoding", rows[i].accepted},
                                         {"If-None-Match", rows[i].tag}};
        struct answer answer = ask_service_with(&service, "GET", LONG, NULL, headers, 2);

        cr_expect_eq(answer.status, rows[i].status, "%s %s", rows[i].accepted, rows[i].tag);
        if (answer.status == 304)
            cr_expect_str_eq(answer_header(&answer, "ETag"), rows[i].tag);
        answer_release(&answer);
    }
}

Test(delivery, spares_no_post_and_no_problem)
{
    const struct service service = ask_service();
    const struct header headers[] = {{"Content-Type", "application/json"}, {"If-None-Match", "*"}};
    struct answer post =
        ask_service_with(&service, "POST", "/v1/rope", "{\"length\": 3, \"dim\": 8}", headers, 2);
    struct answer bad = ask_with("GET", BINARY "&dtype=bfloat16", "If-None-Match", "*");

    cr_expect_eq(post.status, 200);
    cr_expect_eq(bad.status, 422);
    answer_release(&post);
    answer_release(&bad);
}

static void check_part(const char *target, const struct answer *whole, size_t first, size_t last)
{
    char range[64], expected[96];
    struct answer part;

    (void)snprintf(range, sizeof(range), "bytes=%zu-%zu", first, last);
    (void)snprintf(expected, sizeof(expected), "bytes %zu-%zu/%zu", first, last, whole->size);
    part = ask_with("GET", target, "Range", range);
    cr_assert_eq(part.status, 206, "%s", range);
    cr_expect_str_eq(answer_header(&part, "Content-Range"), expected);
    cr_assert_eq(part.size, last - first + 1);
    cr_expect_eq(memcmp(part.body, whole->body + first, part.size), 0, "%s %s", target, range);
    cr_expect_str_neq(answer_header(&part, "ETag"), "");
    cr_expect_str_neq(part.content_type, "");
    answer_release(&part);
}

Test(delivery, sends_any_part_of_what_is_binary)
{
    static const char *const targets[] = {BINARY, "/v1/rope?length=30&dim=8&format=safetensors",
                                          "/v1/rope?length=30&dim=8&format=raw&dtype=float16"};

    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
        struct answer whole = ask("GET", targets[i], NULL);

        cr_expect_str_eq(answer_header(&whole, "Accept-Ranges"), "bytes");
        for (size_t first = 0; first < whole.size; first += 13)
            for (size_t last = first; last < whole.size; last += 101)
                check_part(targets[i], &whole, first, last);
        answer_release(&whole);
    }
}

Test(delivery, computes_only_the_part)
{
    /* All of it has 2^41 bytes and would take hours. */
    struct service service = ask_service();
    const struct header header = {"Range", "bytes=1099511627776-1099511627783"};
    struct answer part;

    service.result_bytes_max = (uint64_t)1 << 50;
    part = ask_service_with(&service, "GET",
                            "/v1/sinusoidal?length=4294967296&dim=64&dtype=float64&format=raw",
                            NULL, &header, 1);
    cr_expect_eq(part.status, 206, "%s", part.body);
    cr_expect_eq(part.size, 8);
    answer_release(&part);
}

Test(delivery, answers_whole_or_416_where_no_part_is_due)
{
    char tag[ETAG_SIZE], weak[ETAG_SIZE + 2];
    const struct service service = ask_service();

    tag_of(BINARY, "identity", tag);
    (void)snprintf(weak, sizeof(weak), "W/%s", tag);
    const struct {
        const char *method, *target, *range, *if_range;
        unsigned status;
    } rows[] = {
        {"GET", BINARY, "bytes=0-9", tag, 206},
        {"GET", BINARY, "bytes=0-9", "\"x\"", 200},
        {"GET", BINARY, "bytes=0-9", weak, 200},
        {"GET", BINARY, "bytes=999999-", tag, 416},
        {"GET", BINARY, "bytes=999999-", "\"x\"", 200},
        {"GET", BINARY, "bytes=0-9,20-29", tag, 200},
        {"GET", BINARY, "rows=0-9", tag, 200},
        {"HEAD", BINARY, "bytes=0-9", tag, 200},
        {"GET", TABLE, "bytes=0-9", tag, 200},
        {"GET", "/v1/encodings", "bytes=0-9", tag, 200},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct header headers[] = {{"Range", rows[i].range}, {"If-Range", rows[i].if_range}};
        struct answer answer =
            ask_service_with(&service, rows[i].method, rows[i].target, NULL, headers, 2);

        cr_expect_eq(answer.status, rows[i].status, "%s %s %s", rows[i].target, rows[i].range,
                     rows[i].if_range);
        if (answer.status == 416)
            cr_expect_str_eq(answer_header(&answer, "Content-Range"), "bytes */608");
        answer_release(&answer);
    }
}

Test(delivery, narrows_no_post)
{
    const struct service service = ask_service();
    const struct header headers[] = {{"Content-Type", "application/json"}, {"Range", "bytes=0-9"}};
    struct answer answer =
        ask_service_with(&service, "POST", "/v1/rope",
                         "{\"length\": 30, \"dim\": 8, \"format\": \"npy\"}", headers, 2);

    cr_expect_eq(answer.status, 200);
    cr_expect_str_eq(answer_header(&answer, "Accept-Ranges"), "");
    answer_release(&answer);
}

static void check_compressed(const char *method, const char *target, const char *body,
                             enum coding coding)
{
    const struct service service = ask_service();
    const struct header headers[] = {{"Accept-Encoding", coding_name(coding)},
                                     {"Content-Type", "application/json"}};
    struct answer plain = ask(method, target, body);
    struct answer packed = ask_service_with(&service, method, target, body, headers, 2);
    size_t size = 0;
    char *bytes = unpack(coding, packed.body, packed.size, &size);

    cr_assert_eq(packed.status, 200, "%s", target);
    cr_expect_str_eq(answer_header(&packed, "Content-Encoding"), coding_name(coding));
    cr_expect_str_eq(packed.content_type, plain.content_type);
    cr_expect_lt(packed.size, plain.size);
    cr_assert(bytes, "%s", target);
    cr_assert_eq(size, plain.size, "%s", target);
    cr_expect_eq(memcmp(bytes, plain.body, size), 0, "%s", target);
    free(bytes);
    answer_release(&plain);
    answer_release(&packed);
}

Test(delivery, compresses_long_texts_and_documents)
{
    static const char *const targets[] = {LONG,
                                          LONG "&pretty=true",
                                          LONG "&format=csv",
                                          "/v1/rope?length=30&dim=16&format=text",
                                          "/v1/encodings",
                                          "/v1/models",
                                          "/v1/encodings/rope",
                                          "/"};

    for (enum coding coding = 0; coding < CODING_IDENTITY; coding++) {
        for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
            check_compressed("GET", targets[i], NULL, coding);
        check_compressed("POST", "/v1/rope", "{\"length\": 300, \"dim\": 64}", coding);
    }
}

Test(delivery, sends_as_it_is_what_is_short_binary_or_a_problem)
{
    static const char *const targets[] = {"/v1/sinusoidal?length=2&dim=4", BINARY, "/livez",
                                          "/v1/rope?length=-1"};

    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
        struct answer plain = ask("GET", targets[i], NULL);
        struct answer asked = ask_with("GET", targets[i], "Accept-Encoding", "gzip, zstd");

        cr_expect_str_eq(answer_header(&asked, "Content-Encoding"), "", "%s", targets[i]);
        cr_expect_eq(asked.size, plain.size);
        cr_expect_eq(memcmp(asked.body, plain.body, plain.size), 0);
        answer_release(&plain);
        answer_release(&asked);
    }
}

Test(delivery, obeys_a_client_that_refuses_identity)
{
    struct answer none = ask_with("GET", TABLE, "Accept-Encoding", "identity;q=0");
    struct answer document = ask_with("GET", "/v1/encodings", "Accept-Encoding", "*;q=0");
    struct answer packed = ask_with("GET", BINARY, "Accept-Encoding", "identity;q=0, gzip");
    size_t size = 0;
    char *bytes = unpack(CODING_GZIP, packed.body, packed.size, &size);

    cr_expect_eq(none.status, 406);
    cr_expect_str_eq(none.content_type, "application/problem+json");
    cr_expect_eq(document.status, 406);
    cr_expect_str_eq(answer_text(&document, "type"), "urn:posenc:problem:not-acceptable");
    cr_assert(bytes);
    cr_expect_eq(memcmp(bytes, "\x93NUMPY", 6), 0);
    cr_expect_str_eq(answer_header(&packed, "Accept-Ranges"), "");
    free(bytes);
    answer_release(&none);
    answer_release(&document);
    answer_release(&packed);
}

Test(delivery, says_the_same_to_head_as_to_get)
{
    static const char *const targets[] = {TABLE, LONG, BINARY, "/v1/encodings", "/livez"};
    static const char *const accepted[] = {"identity", "gzip", "zstd"};

    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
        for (size_t k = 0; k < sizeof(accepted) / sizeof(*accepted); k++) {
            struct answer get = ask_with("GET", targets[i], "Accept-Encoding", accepted[k]);
            struct answer head = ask_with("HEAD", targets[i], "Accept-Encoding", accepted[k]);

            cr_expect_str_eq(get.headers, head.headers, "%s", targets[i]);
            answer_release(&get);
            answer_release(&head);
        }
}

Test(delivery, answers_503_when_memory_ends_on_the_way)
{
    struct service service = ask_service();
    const struct header headers[] = {{"Range", "bytes=0-9"}};
    unsigned last = 0;

    for (service.memory_bytes_max = 0; service.memory_bytes_max < 200000 && last != 206;
         service.memory_bytes_max += 64) {
        struct answer answer = ask_service_with(&service, "GET", BINARY, NULL, headers, 1);

        cr_assert(answer.status == 503 || answer.status == 206, "%u", answer.status);
        last = answer.status;
        answer_release(&answer);
    }
    cr_expect_eq(last, 206);
}

Test(delivery, gives_pictures_weak_tags_and_compresses_no_png_again)
{
    const struct service service = ask_service();
    const struct header header = {"Accept-Encoding", "gzip"};
    static const char *const formats[] = {"png", "svg"};

    for (size_t i = 0; i < 2; i++) {
        char target[128];

        (void)snprintf(target, sizeof(target), "/v1/sinusoidal?length=64&dim=8&format=%s",
                       formats[i]);
        struct answer plain = ask_service_with(&service, "GET", target, NULL, NULL, 0);
        struct answer packed = ask_service_with(&service, "GET", target, NULL, &header, 1);

        cr_expect_eq(strncmp(answer_header(&plain, "ETag"), "W/\"", 3), 0, "%s",
                     answer_header(&plain, "ETag"));
        cr_expect_str_eq(answer_header(&packed, "Content-Encoding"), i == 0 ? "" : "gzip");
        answer_release(&plain);
        answer_release(&packed);
    }
}
