/* /readyz?verbose of a running server, before and after the signal; and what its first line says.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client.h"
#include "posencd.h"

static struct client_reply ask_verbose(struct client *client, const struct posencd *server)
{
    char url[128];

    (void)snprintf(url, sizeof(url), "%s/readyz?verbose", server->url);
    return client_ask(client, &(struct client_request){.method = "GET", .url = url});
}

Test(readiness_page, shows_its_checks_and_which_of_them_fails)
{
    static const char *const flags[] = {"--drain-delay", "20", NULL};
    const struct timespec pause = {.tv_nsec = 20000000};
    struct posencd server = posencd_start(flags, -1);
    struct client *client = client_new();
    struct client_reply reply;

    cr_assert(client);
    reply = ask_verbose(client, &server);
    cr_expect_eq(reply.status, 200);
    cr_expect(strstr(reply.body, "\"serving\":{\"status\":\"pass\",\"detail\":\"serving\"}"), "%s",
              reply.body);
    cr_expect(strstr(reply.body, "\"detail\":\"1 of 1024 connections\""), "%s", reply.body);
    client_release(&reply);
    posencd_signal(&server, SIGTERM);
    for (int i = 0; i < 500; i++) {
        reply = ask_verbose(client, &server);
        if (reply.status == 503)
            break;
        client_release(&reply);
        (void)nanosleep(&pause, NULL);
    }
    cr_assert_eq(reply.status, 503);
    cr_expect(strstr(reply.body, "\"serving\":{\"status\":\"fail\""), "%s", reply.body);
    cr_expect(strstr(reply.body, "\"listeners\":{\"status\":\"pass\""), "%s", reply.body);
    client_release(&reply);
    client_free(client);
    posencd_signal(&server, SIGTERM); /* the second one does not wait */
    cr_expect_eq(posencd_wait(&server, 30000), 1);
}

Test(readiness_page, has_a_first_line_in_the_log_that_says_what_is_in_force)
{
    static const char *const flags[] = {"--max-body-bytes=3MiB", "--head-timeout", "4", NULL};
    static const char *const said[] = {
        " msg=listening ",        " version=",          " kernels=",  " libmicrohttpd=",
        " head_timeout=4 ",       " drain_timeout=25 ", " tables=- ", " max_body_bytes=3MiB ",
        " max_connections=1024 ",
    };
    char path[] = "build/test-log-XXXXXX", text[8192] = "";
    const int log = mkstemp(path);
    struct posencd server;

    cr_assert_geq(log, 0);
    (void)unlink(path);
    server = posencd_start(flags, log);
    cr_expect_eq(posencd_stop(&server), 0);
    cr_assert_gt(pread(log, text, sizeof(text) - 1, 0), 0);
    for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
        cr_expect(strstr(text, said[i]), "%s is not in %s", said[i], text);
    (void)close(log);
}
