/* One HTTP request by libcurl. */
#include "client.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ANSWER_SECONDS 60L

struct client {
    CURL *curl;
};

struct client *client_new(void)
{
    struct client *client = calloc(1, sizeof(*client));

    if (client)
        client->curl = curl_easy_init();
    if (client && client->curl)
        return client;
    free(client);
    return NULL;
}

void client_free(struct client *client)
{
    if (!client)
        return;
    curl_easy_cleanup(client->curl);
    free(client);
}

static size_t take_body(char *data, size_t size, size_t count, void *context)
{
    struct client_reply *reply = context;
    char *grown = realloc(reply->body, reply->size + size * count + 1);

    if (!grown)
        return 0;
    memcpy(grown + reply->size, data, size * count);
    reply->body = grown;
    reply->size += size * count;
    reply->body[reply->size] = '\0';
    return size * count;
}

static size_t take_header(char *data, size_t size, size_t count, void *context)
{
    struct client_reply *reply = context;
    const size_t length = strlen(reply->headers), room = CLIENT_HEADERS_MAX - length - 1;

    strncat(reply->headers, data, size * count < room ? size * count : room);
    return size * count;
}

struct client_reply client_ask(struct client *client, const struct client_request *request)
{
    struct client_reply reply = {.body = calloc(1, 1)};
    struct curl_slist *headers = curl_slist_append(NULL, "Expect:");
    CURL *curl = client->curl;

    for (const char *const *header = request->headers; header && *header; header++)
        headers = curl_slist_append(headers, *header);
    curl_easy_reset(curl);
    curl_easy_setopt(curl, CURLOPT_URL, request->url);
    if (request->ca_path)
        curl_easy_setopt(curl, CURLOPT_CAINFO, request->ca_path);
    curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, request->unix_path);
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request->method);
    curl_easy_setopt(curl, CURLOPT_NOBODY, strcmp(request->method, "HEAD") == 0 ? 1L : 0L);
    if (request->body) {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)strlen(request->body));
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
    }
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &reply);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &reply);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, ANSWER_SECONDS);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    if (curl_easy_perform(curl) == CURLE_OK)
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply.status);
    curl_slist_free_all(headers);
    return reply;
}

void client_release(struct client_reply *reply)
{
    free(reply->body);
    memset(reply, 0, sizeof(*reply));
}

const char *client_header(const struct client_reply *reply, const char *name, char *value,
                          size_t size)
{
    const size_t length = strlen(name);

    value[0] = '\0';
    for (const char *line = reply->headers; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncasecmp(line, name, length) != 0 || line[length] != ':')
            continue;
        line += length + 1;
        line += strspn(line, " ");
        strncat(value, line, strcspn(line, "\r\n") < size ? strcspn(line, "\r\n") : size - 1);
        return value;
    }
    return value;
}
