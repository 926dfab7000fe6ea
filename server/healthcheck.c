#include "healthcheck.h"

#include <curl/curl.h>
#include <stdio.h>

#define HEALTHCHECK_SECONDS 3L

static size_t healthcheck_drop(char *bytes, size_t size, size_t count, void *context)
{
    (void)bytes;
    (void)context;
    return size * count;
}

/* What libcurl is to connect to: a path, or what stands in the address. */
static bool healthcheck_choose_socket(CURL *curl, const struct address *dial)
{
    return !dial->is_unix ||
           curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, dial->host) == CURLE_OK;
}

/* It asks itself, by an address that no certificate names. */
static bool healthcheck_trust(CURL *curl)
{
    return curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L) == CURLE_OK;
}

static bool healthcheck_ask(CURL *curl, const struct address *dial, const char *url)
{
    long status = 0;

    return healthcheck_choose_socket(curl, dial) && healthcheck_trust(curl) &&
           curl_easy_setopt(curl, CURLOPT_URL, url) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOPROXY, "*") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_TIMEOUT, HEALTHCHECK_SECONDS) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, healthcheck_drop) == CURLE_OK &&
           curl_easy_perform(curl) == CURLE_OK &&
           curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK && status == 200;
}

bool healthcheck_passes(const struct settings *settings)
{
    const bool is_admin = settings->admin_listen.count > 0;
    const struct address *listening =
        is_admin ? &settings->admin_listen.items[0] : &settings->listen.items[0];
    const char *scheme = settings->tls_cert && !is_admin && !listening->is_unix ? "https" : "http";
    char host[ADDRESS_TEXT_MAX], url[ADDRESS_TEXT_MAX + 16];
    struct address dial;
    bool is_ready = false;
    CURL *curl;

    address_to_dial(listening, &dial);
    address_format(&dial, host);
    (void)snprintf(url, sizeof(url), "%s://%s/readyz", scheme, dial.is_unix ? "localhost" : host);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return false;
    curl = curl_easy_init();
    if (curl)
        is_ready = healthcheck_ask(curl, &dial, url);
    curl_easy_cleanup(curl); /* NULL is fine */
    curl_global_cleanup();
    return is_ready;
}
