/* Caches, ranges and compression end to end, as libcurl sees them. */
#include <criterion/criterion.h>
#include <curl/curl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "posencd.h"

#define LONG "/v1/rope?length=2000&dim=64"

/* A GET, or what `method` says, with up to two headers; NULL ends them. */
static struct client_reply ask(const struct posencd *server, struct client *client,
                               const char *method, const char *target, const char *first,
                               const char *second)
{
    const char *const headers[] = {first, second, NULL};
    char url[512];

    (void)snprintf(url, sizeof(url), "%s%s", server->url, target);
    return client_ask(client,
                      &(struct client_request){.method = method, .url = url, .headers = headers});
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static size_t fetch_piece(const struct posencd *server, struct client *client, const char *target,
                          const char *tag, const struct client_reply *whole, size_t first,
                          size_t size)
{
    char range[64], if_range[128], expected[96], found[96];
    struct client_reply piece;
    const size_t left = whole->size - first, count = size < left ? size : left;

    (void)snprintf(range, sizeof(range), "Range: bytes=%zu-%zu", first, first + size - 1);
    (void)snprintf(if_range, sizeof(if_range), "If-Range: %s", tag);
    (void)snprintf(expected, sizeof(expected), "bytes %zu-%zu/%zu", first, first + count - 1,
                   whole->size);
    piece = ask(server, client, "GET", target, range, if_range);
    cr_assert_eq(piece.status, 206, "%s", range);
    cr_assert_eq(piece.size, count);
    cr_expect_str_eq(client_header(&piece, "Content-Range", found, sizeof(found)), expected);
    cr_expect_str_eq(client_header(&piece, "ETag", found, sizeof(found)), tag);
    cr_assert_eq(memcmp(piece.body, whole->body + first, count), 0, "%s %s", target, range);
    client_release(&piece);
    return count;
}

Test(caching, gives_in_random_pieces_what_it_gives_whole)
{
    static const char *const targets[] = {
        "/v1/sinusoidal?length=3000&dim=50&format=npy",
        "/v1/rope?length=3000&dim=64&format=safetensors&dtype=bfloat16",
        "/v1/alibi?heads=5&query_length=111&key_length=113&format=raw&dtype=float64"};
    struct posencd server = posencd_start(NULL, -1);
    struct client *client = client_new();
    uint32_t random = 7;

    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
        struct client_reply whole = ask(&server, client, "GET", targets[i], NULL, NULL);
        char tag[96], accepts[96];

        cr_assert_eq(whole.status, 200);
        client_header(&whole, "ETag", tag, sizeof(tag));
        cr_expect_str_eq(client_header(&whole, "Accept-Ranges", accepts, sizeof(accepts)), "bytes");
        for (size_t at = 0; at < whole.size;)
            at += fetch_piece(&server, client, targets[i], tag, &whole, at,
                              1 + next_random(&random) % (at % 3 ? 50 : 150000));
        client_release(&whole);
    }
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
}

Test(caching, says_that_a_range_lies_beyond_and_goes_on)
{
    static const char target[] = "/v1/sinusoidal?length=4&dim=8&format=npy";
    struct posencd server = posencd_start(NULL, -1);
    struct client *client = client_new();
    struct client_reply beyond =
        ask(&server, client, "GET", target, "Range: bytes=256-", "Accept: */*");
    struct client_reply last = ask(&server, client, "GET", target, "Range: bytes=-1", NULL);
    char value[96];

    cr_expect_eq(beyond.status, 416);
    cr_expect_str_eq(client_header(&beyond, "Content-Range", value, sizeof(value)), "bytes */256");
    cr_expect(strstr(beyond.body, "range-not-satisfiable"));
    cr_expect_eq(last.status, 206);
    cr_expect_eq(last.size, 1);
    client_release(&beyond);
    client_release(&last);
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
}

static void check_unchanged(const struct posencd *server, struct client *client, const char *target,
                            const char *accepted)
{
    struct client_reply full = ask(server, client, "GET", target, accepted, NULL);
    char tag[96], condition[128], value[96], same[96];
    struct client_reply again;

    cr_assert_eq(full.status, 200, "%s", target);
    client_header(&full, "ETag", tag, sizeof(tag));
    (void)snprintf(condition, sizeof(condition), "If-None-Match: %s", tag);
    again = ask(server, client, "GET", target, accepted, condition);
    cr_expect_eq(again.status, 304, "%s %s", target, accepted);
    cr_expect_eq(again.size, 0);
    cr_expect_str_eq(client_header(&again, "ETag", value, sizeof(value)), tag);
    cr_expect_str_eq(client_header(&again, "Cache-Control", value, sizeof(value)),
                     client_header(&full, "Cache-Control", same, sizeof(same)));
    cr_expect_str_eq(client_header(&again, "Vary", value, sizeof(value)),
                     "Accept, Accept-Encoding");
    /* RFC 9110, 8.6: the length of the 200, or none. */
    client_header(&again, "Content-Length", value, sizeof(value));
    if (value[0])
        cr_expect_str_eq(value, client_header(&full, "Content-Length", same, sizeof(same)), "%s",
                         target);
    cr_expect_str_eq(client_header(&again, "Transfer-Encoding", value, sizeof(value)), "");
    client_release(&full);
    client_release(&again);
}

Test(caching, answers_304_with_what_the_200_said)
{
    static const char *const targets[] = {
        "/v1/rope?length=2&dim=4", LONG, LONG "&format=npy",
        "/v1/encodings",           "/",  "/v1/models/llama-3.1-8b"};
    static const char *const accepted[] = {"Accept-Encoding: identity", "Accept-Encoding: gzip",
                                           "Accept-Encoding: zstd"};
    struct posencd server = posencd_start(NULL, -1);
    struct client *client = client_new();

    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
        for (size_t k = 0; k < sizeof(accepted) / sizeof(*accepted); k++)
            check_unchanged(&server, client, targets[i], accepted[k]);
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
}

static size_t keep(char *bytes, size_t size, size_t count, void *context)
{
    struct client_reply *reply = context;
    char *grown = realloc(reply->body, reply->size + size * count);

    if (!grown)
        return 0;
    memcpy(grown + reply->size, bytes, size * count);
    reply->body = grown;
    reply->size += size * count;
    return size * count;
}

/* What libcurl makes of a compressed answer. */
static struct client_reply fetch_decoded(const struct posencd *server, const char *target,
                                         const char *coding)
{
    struct client_reply reply = {0};
    CURL *curl = curl_easy_init();
    char url[512];

    (void)snprintf(url, sizeof(url), "%s%s", server->url, target);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, coding);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &reply);
    cr_assert_eq(curl_easy_perform(curl), CURLE_OK, "%s %s", target, coding);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply.status);
    curl_easy_cleanup(curl);
    return reply;
}

Test(caching, sends_compressed_what_decodes_to_the_same_bytes)
{
    static const char *const targets[] = {LONG, LONG "&pretty=true", LONG "&format=csv",
                                          "/v1/encodings",
                                          "/v1/alibi?heads=8&query_length=400&key_length=400"};
    static const char *const codings[] = {"gzip", "zstd"};
    struct posencd server = posencd_start(NULL, -1);
    struct client *client = client_new();

    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
        struct client_reply plain = ask(&server, client, "GET", targets[i], NULL, NULL);

        for (size_t k = 0; k < sizeof(codings) / sizeof(*codings); k++) {
            char header[64], value[64];
            (void)snprintf(header, sizeof(header), "Accept-Encoding: %s", codings[k]);
            struct client_reply packed = ask(&server, client, "GET", targets[i], header, NULL);
            struct client_reply decoded = fetch_decoded(&server, targets[i], codings[k]);

            cr_expect_str_eq(client_header(&packed, "Content-Encoding", value, sizeof(value)),
                             codings[k]);
            cr_expect_lt(packed.size, plain.size / 2, "%s", targets[i]);
            cr_assert_eq(decoded.size, plain.size, "%s %s", targets[i], codings[k]);
            cr_expect_eq(memcmp(decoded.body, plain.body, plain.size), 0);
            client_release(&packed);
            client_release(&decoded);
        }
        client_release(&plain);
    }
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
}

/* Headers without what differs between any two answers. */
static void compare_headers(const struct client_reply *get, const struct client_reply *head,
                            const char *target)
{
    static const char *const names[] = {"Content-Type",  "Content-Encoding",    "Content-Length",
                                        "Vary",          "Cache-Control",       "ETag",
                                        "Accept-Ranges", "Content-Disposition", "X-Tensor-Shape"};
    char of_get[256], of_head[256];

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        cr_expect_str_eq(client_header(head, names[i], of_head, sizeof(of_head)),
                         client_header(get, names[i], of_get, sizeof(of_get)), "%s of %s", names[i],
                         target);
}

Test(caching, says_to_head_what_it_says_to_get)
{
    static const char *const targets[] = {"/v1/rope?length=2&dim=4", LONG,
                                          LONG "&format=npy",        LONG "&format=raw",
                                          "/v1/encodings",           "/"};
    static const char *const accepted[] = {"Accept-Encoding: identity", "Accept-Encoding: gzip",
                                           "Accept-Encoding: zstd"};
    struct posencd server = posencd_start(NULL, -1);
    struct client *client = client_new();

    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
        for (size_t k = 0; k < sizeof(accepted) / sizeof(*accepted); k++) {
            struct client_reply get =
                ask(&server, client, "GET", targets[i], accepted[k], "Range: rows=1-2");
            struct client_reply head =
                ask(&server, client, "HEAD", targets[i], accepted[k], "Range: bytes=1-2");

            cr_expect_eq(head.status, 200);
            cr_expect_eq(head.size, 0);
            compare_headers(&get, &head, targets[i]);
            client_release(&get);
            client_release(&head);
        }
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
}

Test(caching, names_its_methods_to_options_and_nothing_to_keep)
{
    struct posencd server = posencd_start(NULL, -1);
    struct client *client = client_new();
    struct client_reply reply =
        ask(&server, client, "OPTIONS", LONG, "If-None-Match: *", "Range: bytes=0-1");
    char value[64];

    cr_expect_eq(reply.status, 204);
    cr_expect_str_eq(client_header(&reply, "Allow", value, sizeof(value)),
                     "GET, HEAD, POST, OPTIONS");
    cr_expect_str_eq(client_header(&reply, "ETag", value, sizeof(value)), "");
    client_release(&reply);
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
}
