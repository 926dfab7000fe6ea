#include "prober.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "waiting.h"

#define PROBER_ANSWER_S 10

static uint64_t now_us(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail with this clock */
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Asks on a connected socket and reads to the end. */
static bool is_served(int fd)
{
    static const char request[] = "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    const struct timeval limit = {.tv_sec = PROBER_ANSWER_S};
    char reply[4096];
    size_t used = 0;
    ssize_t got = 1;

    if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) != 0 ||
        send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL) != (ssize_t)sizeof(request) - 1)
        return false;
    while (used < sizeof(reply) && (got = recv(fd, reply + used, sizeof(reply) - used, 0)) > 0)
        used += (size_t)got;
    return got == 0 && used > 12 && memcmp(reply, "HTTP/1.1 200", 12) == 0;
}

double prober_ask(const struct posencd *server)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                        .sin_port = htons((in_port_t)server->port)};
    const uint64_t start = now_us();
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool served;

    if (fd < 0)
        return -1;
    served = connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0 && is_served(fd);
    (void)close(fd);
    return served ? (double)(now_us() - start) / 1000 : -1;
}

double prober_ask_alone(const struct posencd *server)
{
    struct waiting waiting;
    double ms, machine_ms;

    waiting_open(&waiting, server->pid);
    ms = prober_ask(server);
    machine_ms = (double)waiting_us(&waiting) / 1000;
    waiting_close(&waiting);
    if (ms < 0)
        return ms;
    return ms > machine_ms ? ms - machine_ms : 0;
}

/* The clock of a machine that always has a processor. */
static uint64_t own_us(struct waiting *waiting)
{
    const uint64_t now = now_us();

    return now - waiting_us(waiting);
}

/* No assertions here: criterion's end a test from its own thread only. */
static void *prober_work(void *cls)
{
    struct prober *const prober = cls;
    struct waiting waiting;
    uint64_t due, now;

    waiting_open(&waiting, prober->server->pid);
    now = due = own_us(&waiting);
    while (!atomic_load(&prober->is_stopping) && prober->count < PROBER_PROBES_MAX) {
        if (now < due)
            (void)usleep((useconds_t)(due - now));
        prober->failed += prober_ask(prober->server) < 0;
        now = own_us(&waiting);
        prober->times_us[prober->count++] = now > due ? (uint32_t)(now - due) : 0;
        due += PROBER_PACE_MS * 1000;
    }
    prober->machine_us = waiting.total_us;
    waiting_close(&waiting);
    return NULL;
}

void prober_start(struct prober *prober, const struct posencd *server)
{
    prober->server = server;
    prober->count = prober->failed = 0;
    atomic_store(&prober->is_stopping, false);
    cr_assert_eq(pthread_create(&prober->thread, NULL, prober_work, prober), 0);
}

static int compare_times(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

    return (left > right) - (left < right);
}

struct prober_times prober_stop(struct prober *prober)
{
    atomic_store(&prober->is_stopping, true);
    cr_assert_eq(pthread_join(prober->thread, NULL), 0);
    cr_assert_gt(prober->count, 0);
    qsort(prober->times_us, prober->count, sizeof(*prober->times_us), compare_times);
    return (struct prober_times){
        .count = prober->count,
        .failed = prober->failed,
        .median_ms = prober->times_us[prober->count / 2] / 1000.0,
        .p95_ms = prober->times_us[prober->count * 95 / 100] / 1000.0,
        .slowest_ms = prober->times_us[prober->count - 1] / 1000.0,
        .machine_ms = (double)prober->machine_us / 1000,
    };
}

void prober_expect_prompt(const char *row, struct prober_times (*attack)(void *context),
                          void *context)
{
    struct prober_times times = {0};

    for (int attempt = 0; attempt < PROBER_ATTEMPTS; attempt++) {
        times = attack(context);
        (void)printf("%s: others wait %.1f ms (median), %.1f ms (95 of 100), %.1f ms at most; %zu "
                     "probes; the machine let the server wait %.0f ms\n",
                     row, times.median_ms, times.p95_ms, times.slowest_ms, times.count,
                     times.machine_ms);
        (void)fflush(stdout);
        cr_assert_eq(times.failed, 0, "%s: %zu of %zu probes were not served", row, times.failed,
                     times.count);
        if (times.p95_ms <= PROBER_PROMPT_MS)
            return;
    }
    cr_expect_leq(times.p95_ms, (double)PROBER_PROMPT_MS, "%s: others wait %.1f ms", row,
                  times.p95_ms);
}
