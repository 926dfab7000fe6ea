/* Metrics of a running server: what is on the page once a request is over. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "client.h"
#include "posencd.h"

#define TRIES 100 /* of 20 ms: a request is counted a moment after its client has the answer */

static struct client_reply get(struct client *client, const struct posencd *server,
                               const char *path)
{
    char url[256];

    (void)snprintf(url, sizeof(url), "%s%s", server->url, path);
    return client_ask(client, &(struct client_request){.method = "GET", .url = url});
}

/* True once the page holds the line. */
static bool shows(struct client *client, const struct posencd *server, const char *line)
{
    const struct timespec pause = {.tv_nsec = 20000000};

    for (int i = 0; i < TRIES; i++) {
        struct client_reply reply = get(client, server, "/metrics");
        const bool found = strstr(reply.body, line) != NULL;

        client_release(&reply);
        if (found)
            return true;
        (void)nanosleep(&pause, NULL);
    }
    return false;
}

Test(metrics_page, counts_requests_problems_and_connections)
{
    static const char *const lines[] = {
        "\nposenc_http_requests_total{route=\"/v1/{encoding}\",method=\"GET\",status=\"422\"} 2\n",
        "\nposenc_http_problems_total{reason=\"out-of-range\"} 2\n",
        "\nposenc_http_requests_in_flight 1\n",
        "\nposenc_connections 1\n",
        "\nposenc_connections_accepted_total 1\n",
        "\nposenc_draining 0\n",
    };
    struct posencd server = posencd_start(NULL, -1);
    struct client *client = client_new();

    cr_assert(client);
    for (int i = 0; i < 2; i++) {
        struct client_reply reply = get(client, &server, "/v1/sinusoidal?length=1&dim=0");

        cr_expect_eq(reply.status, 422);
        client_release(&reply);
    }
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        cr_expect(shows(client, &server, lines[i]), "%s", lines[i]);
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
}

Test(metrics_page, counts_what_was_refused_before_it_was_routed_and_what_was_cut)
{
    static const char odd[] = "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n";
    static const char unfinished[] = "GET / HTTP/1.1\r\nHost:";
    static const char *const flags[] = {"--head-timeout", "1", NULL};
    struct posencd server = posencd_start(flags, -1);
    struct client *client = client_new();
    char reply[4096];

    cr_assert(client);
    (void)posencd_exchange(&server, odd, sizeof(odd) - 1, 2000, reply, sizeof(reply));
    (void)posencd_exchange(&server, unfinished, sizeof(unfinished) - 1, 8000, reply, sizeof(reply));
    cr_expect(
        shows(client, &server,
              "\nposenc_http_requests_total{route=\"none\",method=\"GET\",status=\"400\"} 1\n"));
    cr_expect(
        shows(client, &server, "\nposenc_http_problems_total{reason=\"malformed-host\"} 1\n"));
    cr_expect(shows(client, &server, "\nposenc_connections_cut_total{phase=\"head\"} 1\n"));
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
}
