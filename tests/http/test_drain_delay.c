/* What --drain-delay gives a balancer: time to see that a server leaves, before it is gone. */
#include <criterion/criterion.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "client.h"
#include "posencd.h"

#define DELAY_MS   4000  /* in which some requests fit on any machine */
#define EARLY_MS   50    /* clocks that tick differently */
#define OVERDUE_MS 20000 /* sanitizers and neighbours on the machine */

static long status_of(const struct posencd *server, const char *path)
{
    struct client *client = client_new(); /* one connection each: those behind a balancer are new */
    char url[POSENCD_URL_MAX + 64];
    struct client_reply reply;
    long status;

    (void)snprintf(url, sizeof(url), "%s%s", server->url, path);
    reply = client_ask(client, &(struct client_request){.method = "GET", .url = url});
    status = reply.status;
    client_release(&reply);
    client_free(client);
    return status;
}

/* Asks until the signal has arrived. */
static bool comes_to_be_unready(const struct posencd *server)
{
    for (int i = 0; i < DELAY_MS / 10; i++) {
        if (status_of(server, "/readyz") == 503)
            return true;
        (void)poll(NULL, 0, 10);
    }
    return false;
}

static long long now_ms(void)
{
    struct timespec now;

    cr_assert_eq(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

Test(drain_delay, serves_on_while_readyz_says_503_and_then_ends)
{
    static const char *const flags[] = {"--drain-delay=4", NULL};
    struct posencd server = posencd_start(flags, -1);
    long long start;

    cr_expect_eq(status_of(&server, "/readyz"), 200);
    start = now_ms();
    posencd_signal(&server, SIGTERM);
    cr_expect(comes_to_be_unready(&server));
    cr_expect_eq(status_of(&server, "/livez"), 200);
    cr_expect_eq(status_of(&server, "/v1/sinusoidal?length=2&dim=4"), 200);
    cr_expect_eq(posencd_wait(&server, DELAY_MS + OVERDUE_MS), 0);
    cr_expect_geq(now_ms() - start, DELAY_MS - EARLY_MS);
    cr_expect_eq(status_of(&server, "/livez"), 0, "somebody still listens");
}

Test(drain_delay, ends_at_a_second_signal)
{
    static const char *const flags[] = {"--drain-delay=60", NULL};
    struct posencd server = posencd_start(flags, -1);

    posencd_signal(&server, SIGTERM);
    cr_expect(comes_to_be_unready(&server)); /* two signals that wait are one */
    posencd_signal(&server, SIGTERM);
    cr_expect_eq(posencd_wait(&server, OVERDUE_MS), 1);
}
