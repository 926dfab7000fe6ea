/* Golden requests over HTTP. */
#include "golden.h"

#include <curl/curl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden_compare.h"

#define URL_MAX          16384
#define GOLDEN_HEADERS   8
#define GOLDEN_LINE_SHOW 200

/* Appends "?name=value&..." in the line's order, escaped. */
static void append_query(char *url, const json_t *query)
{
    const char *name;
    json_t *value;
    char separator = '?';

    json_object_foreach((json_t *)query, name, value)
    {
        char *escaped = curl_easy_escape(NULL, json_string_value(value), 0);
        const size_t length = strlen(url);

        (void)snprintf(url + length, URL_MAX - length, "%c%s=%s", separator, name, escaped);
        curl_free(escaped);
        separator = '&';
    }
}

static struct client_reply ask(struct client *client, const struct posencd *server,
                               const json_t *request)
{
    static char url[URL_MAX];
    char lines[GOLDEN_HEADERS][256];
    const char *headers[GOLDEN_HEADERS + 1] = {NULL}, *name;
    const json_t *body = json_object_get(request, "body");
    const char *text = json_string_value(json_object_get(request, "query_text"));
    size_t count = 0;
    json_t *value;

    (void)snprintf(url, sizeof(url), "%s%s%s%s", server->url,
                   json_string_value(json_object_get(request, "path")), text ? "?" : "",
                   text ? text : "");
    append_query(url, json_object_get(request, "query"));
    if (body)
        headers[count++] = "Content-Type: application/json";
    json_object_foreach(json_object_get(request, "headers"), name, value)
    {
        (void)snprintf(lines[count], sizeof(lines[count]), "%s: %s", name,
                       json_string_value(value));
        headers[count] = lines[count];
        count++;
    }
    char *dumped = body ? json_dumps(body, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    const struct client_request asked = {
        .method = json_string_value(json_object_get(request, "method")),
        .url = url,
        .body = body ? dumped : json_string_value(json_object_get(request, "body_text")),
        .headers = headers};
    const struct client_reply reply = client_ask(client, &asked);

    free(dumped);
    return reply;
}

static void differ(struct difference *difference, const char *what, const char *detail)
{
    if (difference->found)
        return;
    difference->found = true;
    (void)snprintf(difference->place, sizeof(difference->place), "%s %.200s", what, detail);
}

static void compare_headers(const json_t *expected, const struct client_reply *reply,
                            struct difference *difference)
{
    const char *name;
    json_t *words;

    json_object_foreach((json_t *)expected, name, words)
    {
        char value[512];

        (void)client_header(reply, name, value, sizeof(value));
        for (size_t i = 0; i < json_array_size(words); i++)
            if (!strstr(value, json_string_value(json_array_get(words, i))))
                differ(difference, "header", name);
    }
}

static void compare_problem(const json_t *expected, const json_t *document,
                            const struct client_reply *reply, struct difference *difference)
{
    const json_t *problem = json_object_get(expected, "problem"),
                 *members = json_object_get(expected, "members");
    const char *name;
    json_t *value;
    char type[128];

    if (problem && strcmp(client_header(reply, "Content-Type", type, sizeof(type)),
                          "application/problem+json") != 0)
        differ(difference, "Content-Type is", type);
    json_object_foreach((json_t *)problem, name, value)
    {
        if (!is_one_of(value, json_object_get(document, name)))
            differ(difference, name, reply->body);
    }
    for (size_t i = 0; i < json_array_size(members); i++)
        if (!json_object_get(document, json_string_value(json_array_get(members, i))))
            differ(difference, "no member", json_string_value(json_array_get(members, i)));
}

/* What /v1/resolve says, where a line expects it. */
static void compare_resolution(const json_t *expected, const json_t *document,
                               const json_t *tolerance, struct difference *difference)
{
    static const char *const members[] = {"model_type", "num_hidden_layers", "uses"};

    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
        if (json_object_get(expected, members[i]))
            compare_subset(json_object_get(expected, members[i]),
                           json_object_get(document, members[i]), tolerance, members[i],
                           difference);
}

static void compare_reply(const json_t *line, const struct client_reply *reply,
                          struct difference *difference)
{
    const json_t *expected = json_object_get(line, "expect"),
                 *tolerance = json_object_get(line, "tolerance");
    const json_t *derived_tolerance = json_object_get(line, "derived_tolerance");
    json_t *exact = json_pack("{s:b}", "exact", 1), *status = json_integer(reply->status);
    json_t *document = json_loadb(reply->body, reply->size, JSON_REJECT_DUPLICATES, NULL);

    if (!is_one_of(json_object_get(expected, "status"), status))
        differ(difference, "status", reply->body);
    else if (!document)
        differ(difference, "not JSON:", reply->body);
    compare_tensors(json_object_get(expected, "tensors"), document, tolerance, difference);
    if (json_object_get(expected, "derived"))
        compare_subset(json_object_get(expected, "derived"), json_object_get(document, "derived"),
                       derived_tolerance ? derived_tolerance : tolerance, "derived", difference);
    if (json_object_get(expected, "parameters"))
        compare_subset(json_object_get(expected, "parameters"),
                       json_object_get(document, "parameters"), exact, "parameters", difference);
    compare_resolution(expected, document, tolerance, difference);
    compare_problem(expected, document, reply, difference);
    compare_headers(json_object_get(expected, "headers"), reply, difference);
    json_decref(document);
    json_decref(exact);
    json_decref(status);
}

static bool check_line(struct client *client, const struct posencd *server, const char *text,
                       size_t length)
{
    json_t *line = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    struct difference difference = {0};

    if (!line) {
        fprintf(stderr, "  not a JSON line: %.*s\n", GOLDEN_LINE_SHOW, text);
        return false;
    }
    struct client_reply reply = ask(client, server, json_object_get(line, "request"));

    compare_reply(line, &reply, &difference);
    if (difference.found)
        fprintf(stderr, "  %s: %s\n", json_string_value(json_object_get(line, "id")),
                difference.place);
    client_release(&reply);
    json_decref(line);
    return !difference.found;
}

int golden_check_file(const struct posencd *server, const char *name, int *asked)
{
    const char *folder = getenv("GOLDEN");
    char path[1024], *line = NULL;
    size_t room = 0;
    ssize_t length;
    int failed = 0;

    *asked = 0;
    (void)snprintf(path, sizeof(path), "%s/%s.jsonl", folder ? folder : "tests/golden", name);
    FILE *file = fopen(path, "r");
    struct client *client = client_new();

    while (file && client && (length = getline(&line, &room, file)) > 0) {
        failed += !check_line(client, server, line, (size_t)length);
        ++*asked;
    }
    free(line);
    client_free(client);
    if (!file)
        return -1;
    fclose(file);
    return failed;
}
