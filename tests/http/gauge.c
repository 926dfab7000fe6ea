#include "gauge.h"

#include <criterion/criterion.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"

#define PATIENCE_MS 20000
#define STEP_MS     5

/* False when the page cannot be had, as beyond a limit on connections, or does not tell. */
static bool read_gauge(const struct posencd *server, const char *name, double *value)
{
    struct client *client = client_new();
    struct client_reply reply;
    char url[128], line[128];
    const char *at;

    cr_assert(client);
    (void)snprintf(url, sizeof(url), "%s/metrics", server->url);
    (void)snprintf(line, sizeof(line), "\n%s ", name);
    reply = client_ask(client, &(struct client_request){.method = "GET", .url = url});
    at = reply.status == 200 ? strstr(reply.body, line) : NULL;
    if (at)
        *value = strtod(at + strlen(line), NULL);
    client_release(&reply);
    client_free(client);
    return at != NULL;
}

bool gauge_comes_to(const struct posencd *server, const char *name, double least, double most)
{
    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        double value;

        if (read_gauge(server, name, &value) && value >= least && value <= most)
            return true;
        (void)poll(NULL, 0, STEP_MS);
    }
    return false;
}

bool gauge_reaches(const struct posencd *server, const char *name, double least)
{
    return gauge_comes_to(server, name, least, INFINITY);
}
