/* Crowds of clients that are slow, silent, gone or too many: the others are served all the same. */
#include <criterion/criterion.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "attack.h"
#include "prober.h"
#include "rows.h"
#include "sanitized.h"

#define CROWD_MAX 12000

#define DRIBBLERS      500
#define DRIBBLE_MS_MAX 30000 /* for deadlines of a second */
#define READERS        200

struct crowd {
    int fds[CROWD_MAX];
    size_t count;
};

static struct crowd crowd;
static struct prober prober;

/* Connects so many clients, each of which has sent these bytes. */
static void gather(const struct posencd *server, size_t count, const char *bytes)
{
    for (crowd.count = 0; crowd.count < count; crowd.count++) {
        const int fd = posencd_connect(server);

        crowd.fds[crowd.count] = fd;
        if (*bytes)
            (void)send(fd, bytes, strlen(bytes), MSG_NOSIGNAL);
    }
}

static void disperse(void)
{
    for (size_t i = 0; i < crowd.count; i++)
        (void)close(crowd.fds[i]);
    crowd.count = 0;
}

/* Sends this to each that is still there; returns how many have been closed by the server. */
static size_t nudge(const char *bytes)
{
    size_t gone = 0;

    for (size_t i = 0; i < crowd.count; i++) {
        struct pollfd one = {.fd = crowd.fds[i], .events = POLLRDHUP};

        if (poll(&one, 1, 0) == 1 && one.revents)
            gone++;
        else if (*bytes)
            (void)send(crowd.fds[i], bytes, strlen(bytes), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    return gone;
}

static const struct {
    const char *row;
    const char *begin, *more;
    const char *what;
} dribbles[] = {
    {"R1", "GET /livez HTTP/1.1\r\nX: ", "a", "heads"},
    {"R2",
     "POST /v1/sinusoidal HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
     "Content-Length: 100000\r\n\r\n",
     "{", "bodies"},
};
ROWS_OF(dribbles);

struct dribble {
    struct posencd server;
    const char *begin, *more;
    size_t gone;
};

/* 500 clients that send a byte now and then, until all of them are cut. */
static struct prober_times dribble(void *context)
{
    struct dribble *const one = context;
    const long long start = attack_now_ms();

    one->gone = 0;
    prober_start(&prober, &one->server);
    gather(&one->server, DRIBBLERS, one->begin);
    while (one->gone < crowd.count && attack_now_ms() - start < DRIBBLE_MS_MAX) {
        one->gone = nudge(one->more);
        (void)poll(NULL, 0, 100);
    }
    disperse();
    return prober_stop(&prober);
}

Test(attack_clients, slow_heads_and_bodies_are_cut_and_hold_up_nobody)
{
    for (size_t row = 0; row < sizeof(dribbles) / sizeof(*dribbles); row++) {
        struct attacked attacked = attack_start(NULL);
        struct dribble one = {attacked.server, dribbles[row].begin, dribbles[row].more, 0};

        prober_expect_prompt(dribbles[row].row, dribble, &one);
        cr_expect_eq(one.gone, DRIBBLERS, "%zu of %d slow %s are cut", one.gone, DRIBBLERS,
                     dribbles[row].what);
        attack_stop(&attacked);
    }
}

ROW(R3);

struct readers {
    struct posencd server;
    size_t fds;         /* that the server has without them */
    long long resident; /* that the server had before them */
    long long grown;    /* by them */
    bool are_cut;
};

/* 200 readers of 256 MiB that read nothing, until all of them are cut. */
static struct prober_times read_nothing(void *context)
{
    static const char request[] =
        "GET /v1/sinusoidal?length=1048576&dim=64&format=npy HTTP/1.1\r\nHost: a\r\n\r\n";
    struct readers *const readers = context;
    struct prober_times times;

    readers->resident = attack_resident_bytes(readers->server.pid);
    /* A gigabyte is on its way into socket buffers, a block of each in turn. */
    prober_start(&prober, &readers->server);
    gather(&readers->server, READERS, request);
    (void)poll(NULL, 0, 1500);
    times = prober_stop(&prober);
    readers->grown = attack_resident_bytes(readers->server.pid) - readers->resident;
    readers->are_cut = attack_await_fds(readers->server.pid, readers->fds) <= readers->fds;
    disperse();
    return times;
}

Test(attack_clients, readers_that_do_not_read_are_cut_and_cost_a_block_each, .timeout = 300)
{
    static const char *const flags[] = {"--send-timeout=2", NULL};
    struct attacked attacked = attack_start(flags);
    struct readers readers = {attacked.server, attacked.fds,
                              attack_resident_bytes(attacked.server.pid), 0, false};

    prober_expect_prompt("R3", read_nothing, &readers);
    (void)printf("%d readers that do not read: %lld KiB each\n", READERS,
                 readers.grown / READERS / 1024);
    cr_expect(IS_SANITIZED || readers.grown < READERS * (448LL << 10), "%lld bytes more",
              readers.grown);
    cr_expect(readers.are_cut, "some are never cut");
    attack_stop(&attacked);
}

/* As many descriptors as may be; false, and a loud word, when these are too few. */
static bool may_open(size_t count)
{
    struct rlimit limit;

    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_max >= count)
        return true;
    (void)printf("SKIPPED: %zu connections need as many descriptors, and ulimit -Hn is %llu\n",
                 count, (unsigned long long)limit.rlim_max);
    return false;
}

ROW(R4);

static struct prober_times probe_for_a_second(void *context)
{
    prober_start(&prober, context);
    (void)poll(NULL, 0, 1000);
    return prober_stop(&prober);
}

/* Each has asked once, so that it has had all that a connection gets. */
Test(attack_clients, ten_thousand_idle_connections_cost_little, .timeout = 300)
{
    enum { COUNT = IS_SANITIZED ? 1000 : 10000, BYTES_EACH = 45 * 1024 };
    static const char request[] = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n";
    static const char *const flags[] = {"--max-connections=11000", "--idle-timeout=600", NULL};
    struct attacked attacked;
    long long before, grown;

    if (!may_open(COUNT + 1000))
        return;
    attacked = attack_start(flags);
    before = attack_resident_bytes(attacked.server.pid);
    gather(&attacked.server, COUNT, request);
    cr_expect_eq(nudge(""), 0, "some were closed");
    /* They are idle when all have been taken in and answered. */
    for (int i = 0; i < 100 && prober_ask(&attacked.server) >= 5; i++)
        continue;
    prober_expect_prompt("R4", probe_for_a_second, &attacked.server);
    grown = attack_resident_bytes(attacked.server.pid) - before;
    (void)printf("%d idle connections: %lld bytes each\n", COUNT, grown / COUNT);
    cr_expect(IS_SANITIZED || grown / COUNT < BYTES_EACH, "%lld bytes each", grown / COUNT);
    disperse();
    attack_stop(&attacked);
}

ROW(R11);

/* In the head, in the body, and in the answer. */
Test(attack_clients, resets_leave_nothing_behind)
{
    static const char *const requests[] = {
        "GET /livez HT",
        "POST /v1/sinusoidal HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        "Content-Length: 5000\r\n\r\n{",
        "GET /v1/sinusoidal?length=1048576&dim=64&format=npy HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n",
    };
    static const struct linger reset = {.l_onoff = 1, .l_linger = 0};
    struct attacked attacked = attack_start(NULL);
    long long before = 0;

    for (int round = 0; round < 50; round++) {
        for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++) {
            gather(&attacked.server, 4, requests[i]);
            if (round % 2)
                (void)poll(NULL, 0, 2);
            for (size_t k = 0; k < crowd.count; k++)
                (void)setsockopt(crowd.fds[k], SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
            disperse();
        }
        if (round == 10)
            before = attack_resident_bytes(attacked.server.pid);
    }
    if (!IS_SANITIZED) { /* the server may be some resets behind */
        const long long after = attack_await_resident(attacked.server.pid, before + (4LL << 20));

        cr_expect_leq(after - before, 4LL << 20, "%lld bytes more", after - before);
    }
    attack_stop(&attacked);
}

ROW(R12);

Test(attack_clients, a_client_that_has_said_all_still_hears_all)
{
    static const char request[] =
        "GET /v1/sinusoidal?length=4096&dim=64&format=npy HTTP/1.1\r\nHost: a\r\n\r\n";
    struct attacked attacked = attack_start(NULL);
    const int fd = posencd_connect(&attacked.server);
    char scrap[65536];
    size_t total = 0;
    ssize_t got;

    cr_assert_gt(send(fd, request, strlen(request), 0), 0);
    cr_assert_eq(shutdown(fd, SHUT_WR), 0);
    while ((got = recv(fd, scrap, sizeof(scrap), 0)) > 0)
        total += (size_t)got;
    cr_expect_gt(total, 128 + 4096 * 64 * 4, "%zu bytes came", total);
    cr_expect_lt(total, 128 + 4096 * 64 * 4 + 2048);
    (void)close(fd);
    attack_stop(&attacked);
}

ROW(R13);

Test(attack_clients, connections_without_a_word_leave_nothing_behind, .timeout = 300)
{
    const int count = IS_SANITIZED ? 5000 : getenv("ATTACK_ALL") ? 100000 : 20000;
    static const struct linger reset = {.l_onoff = 1, .l_linger = 0};
    struct attacked attacked = attack_start(NULL);
    const long long start = attack_now_ms(), most = IS_SANITIZED ? LLONG_MAX / 2 : 2 << 20;
    long long before = 0, grown, taken_ms;

    for (int i = 0; i < count; i++) {
        const int fd = posencd_connect(&attacked.server);

        /* Without it this side would run out of port numbers. */
        (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
        (void)close(fd);
        if (i == count / 10)
            before = attack_resident_bytes(attacked.server.pid);
    }
    taken_ms = attack_now_ms() - start;
    grown = attack_await_resident(attacked.server.pid, before + most) - before;
    (void)printf("%d connections closed at once: %lld ms, %lld bytes more\n", count, taken_ms,
                 grown);
    cr_expect_leq(grown, most, "%lld bytes more", grown);
    attack_stop(&attacked);
}

ROW(R16);

/* Milliseconds of processor in a second, once they have become few, or after some seconds. */
static long long await_rest(pid_t pid, long long most)
{
    long long cpu = most;

    for (int i = 0; i < 10 && cpu >= most; i++) {
        cpu = attack_cpu_ms(pid);
        (void)poll(NULL, 0, 1000);
        cpu = attack_cpu_ms(pid) - cpu;
    }
    return cpu;
}

/* Terabytes that nobody takes any more are not computed. */
Test(attack_clients, work_stops_when_its_client_is_gone)
{
    static const char request[] =
        "GET /v1/sinusoidal?length=16777216&dim=1024&format=csv HTTP/1.1\r\nHost: a\r\n\r\n";
    struct attacked attacked = attack_start(NULL);
    long long cpu;
    char scrap[65536];

    gather(&attacked.server, 8, request);
    for (size_t i = 0; i < crowd.count; i++)
        cr_expect_gt(recv(crowd.fds[i], scrap, sizeof(scrap), 0), 0);
    disperse();
    cpu = await_rest(attacked.server.pid, 100);
    cr_expect_lt(cpu, 100, "%lld ms of processor for nobody", cpu);
    attack_stop(&attacked);
}
