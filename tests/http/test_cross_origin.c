/* CORS end to end, as a browser would ask. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "client.h"
#include "posencd.h"
#include "table_files.h"

#define PAGE  "Origin: https://page.example"
#define OTHER "Origin: https://other.example"
#define TABLE "/v1/sinusoidal?length=2&dim=4"

static const char *const page[] = {PAGE, NULL}, *const other[] = {OTHER, NULL};
static const char *const preflight[] = {PAGE, "Access-Control-Request-Method: POST",
                                        "Access-Control-Request-Headers: content-type", NULL};

static struct client_reply ask(struct client *client, const struct posencd *server,
                               const char *method, const char *path, const char *const headers[])
{
    char url[256];

    (void)snprintf(url, sizeof(url), "%s%s", server->url, path);
    return client_ask(client,
                      &(struct client_request){.method = method, .url = url, .headers = headers});
}

static void expect_header(const struct client_reply *reply, const char *name, const char *expected)
{
    char value[512];

    cr_expect_str_eq(client_header(reply, name, value, sizeof(value)), expected, "%s: %s", name,
                     value);
}

Test(cross_origin, answers_say_nothing_of_it_when_it_is_off)
{
    struct posencd server = posencd_start(NULL, -1);
    struct client *client = client_new();
    struct client_reply reply = ask(client, &server, "GET", TABLE, page);

    cr_expect_eq(reply.status, 200);
    cr_expect_not(strstr(reply.headers, "Access-Control"), "%s", reply.headers);
    expect_header(&reply, "Vary", "Accept, Accept-Encoding");
    client_release(&reply);
    reply = ask(client, &server, "OPTIONS", TABLE, preflight);
    cr_expect_eq(reply.status, 204);
    cr_expect_not(strstr(reply.headers, "Access-Control"), "%s", reply.headers);
    client_release(&reply);
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
}

Test(cross_origin, answers_are_granted_to_named_origins_errors_too)
{
    static const char *const flags[] = {"--cors-origin=https://x.example,https://page.example",
                                        NULL};
    struct posencd server = posencd_start(flags, -1);
    struct client *client = client_new();
    struct client_reply reply = ask(client, &server, "GET", TABLE, page);

    cr_expect_eq(reply.status, 200);
    expect_header(&reply, "Access-Control-Allow-Origin", "https://page.example");
    expect_header(&reply, "Vary", "Accept, Accept-Encoding, Origin");
    cr_expect(strstr(reply.headers, "Access-Control-Expose-Headers: ETag, "), "%s", reply.headers);
    client_release(&reply);
    reply = ask(client, &server, "GET", "/v1/sinusoidal?dim=nonsense", page);
    cr_expect_eq(reply.status, 422);
    expect_header(&reply, "Access-Control-Allow-Origin", "https://page.example");
    expect_header(&reply, "Vary", "Origin");
    client_release(&reply);
    reply = ask(client, &server, "GET", TABLE, other);
    cr_expect_eq(reply.status, 200);
    cr_expect_not(strstr(reply.headers, "Access-Control"), "%s", reply.headers);
    expect_header(&reply, "Vary", "Accept, Accept-Encoding, Origin");
    client_release(&reply);
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
}

Test(cross_origin, preflights_need_no_token_and_requests_do)
{
    static const char line[] =
        "first:sha256:d10d0f9977f6621d30628f0196c90b206e4c8fe1c698cae08622749b4328b591\n";
    static const char *const names[] = {"tokens", NULL};
    struct table_files files = table_files_new();
    char path[TABLE_FILES_PATH_MAX + 16];
    const char *const flags[] = {"--auth-tokens", path, "--cors-origin=*", NULL};
    struct client *client = client_new();
    struct client_reply reply;
    struct posencd server;

    (void)snprintf(path, sizeof(path), "%s/tokens", files.path);
    table_files_write(&files, "tokens", line, strlen(line));
    server = posencd_start(flags, -1);
    reply = ask(client, &server, "OPTIONS", "/v1/rope/apply", preflight);
    cr_expect_eq(reply.status, 204);
    expect_header(&reply, "Access-Control-Allow-Origin", "*");
    expect_header(&reply, "Access-Control-Allow-Methods", "POST, OPTIONS");
    expect_header(&reply, "Vary", "");
    client_release(&reply);
    reply = ask(client, &server, "OPTIONS", "/v1/rope/apply", page);
    cr_expect_eq(reply.status, 401, "no preflight");
    client_release(&reply);
    reply = ask(client, &server, "GET", TABLE, page);
    cr_expect_eq(reply.status, 401);
    expect_header(&reply, "Access-Control-Allow-Origin", "*");
    client_release(&reply);
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&files, names);
}
