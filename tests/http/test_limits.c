/* What one client can hold, and for how long. */
#include <criterion/criterion.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "gauge.h"
#include "posencd.h"

#define REPLY_MAX 4096
#define QUIET_MS  20000 /* in which a server that closes has done so */

/* A long answer that is cheap to make. */
#define LONG_TARGET "/v1/sinusoidal?length=1000000&dim=64&format=npy"
#define LONG_BYTES  250000000

#define CUT_MS_MAX 20000 /* for a limit of a second */

static long long now_ms(void)
{
    struct timespec now;

    cr_assert_eq(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void send_text(int fd, const char *text)
{
    cr_assert_eq(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
}

/* The status of an answer to a short request on an open connection, 0 when there is none. */
static int ask(int fd)
{
    static const char text[] = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
    char reply[REPLY_MAX];

    (void)send(fd, text, sizeof(text) - 1, MSG_NOSIGNAL);
    return posencd_read_answer(fd, reply, sizeof(reply));
}

Test(limits, answers_429_to_an_address_with_too_many_connections)
{
    static const char *const flags[] = {"--max-connections-per-address", "2", NULL};
    struct posencd server = posencd_start(flags, -1);
    int fds[2];

    for (size_t i = 0; i < 2; i++) {
        fds[i] = posencd_connect(&server);
        cr_expect_eq(ask(fds[i]), 200);
    }
    for (size_t i = 0; i < 5; i++) {
        const int surplus = posencd_connect(&server);
        char reply[REPLY_MAX];

        cr_expect(posencd_read(surplus, QUIET_MS, reply, sizeof(reply)), "it stays open");
        cr_expect_eq(strncmp(reply, "HTTP/1.1 429 ", 13), 0, "%s", reply);
        cr_expect(strstr(reply, "urn:posenc:problem:too-many-connections"));
        (void)close(surplus);
    }
    cr_expect_eq(ask(fds[0]), 200, "those that were there go on");
    (void)close(fds[1]);
    /* Whoever asks for the gauge needs that place. */
    cr_expect(gauge_reaches(&server, "posenc_connections", 2), "a place was not given back");
    (void)close(fds[0]);
    cr_expect_eq(posencd_stop(&server), 0);
}

#define SMALL_WINDOW 4096
#define LARGE_WINDOW (1 << 20)

/* A connection that has asked for a long answer, of which its kernel takes so much ahead. A window
 * of few KiB is slow by itself: the server's kernel asks for it five times a second. */
static int ask_for_much(const struct posencd *server, int window)
{
    const int fd = posencd_connect(server);

    cr_assert_eq(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &window, sizeof(window)), 0);
    send_text(fd, "GET " LONG_TARGET " HTTP/1.1\r\nHost: x\r\n\r\n");
    return fd;
}

/* How a slow reader fared. */
struct slow_reader {
    bool is_cut;
    long long longest_pause_ms; /* a machine with other work makes them long */
};

/* Reads so many bytes every 50 ms, until the server cuts the connection with a reset, or for so
 * long. */
static struct slow_reader read_slowly(int fd, size_t bytes, long long limit_ms)
{
    const long long end = now_ms() + limit_ms;
    struct pollfd one = {.fd = fd, .events = POLLRDHUP};
    struct slow_reader reader = {false, 0};
    char scrap[65536];

    cr_assert_leq(bytes, sizeof(scrap));
    for (long long last = now_ms(), now = last; now < end && !reader.is_cut; last = now) {
        reader.is_cut = poll(&one, 1, 50) == 1 || recv(fd, scrap, bytes, 0) <= 0;
        now = now_ms();
        if (now - last > reader.longest_pause_ms)
            reader.longest_pause_ms = now - last;
    }
    return reader;
}

/* Reads on as fast as it can; true when the answer ends before it is whole. */
static bool is_cut(int fd)
{
    static char scrap[1 << 18];
    size_t bytes = 0;
    ssize_t got;

    while ((got = recv(fd, scrap, sizeof(scrap), 0)) > 0)
        bytes += (size_t)got;
    return bytes < LONG_BYTES;
}

/* A MiB a second, four times what must be: whether it is still served after three seconds, in none
 * of which the machine kept it from reading. */
static bool may_read_steadily(const struct posencd *server)
{
    const struct linger reset = {.l_onoff = 1};

    for (int attempt = 0; attempt < 5; attempt++) {
        const int fd = ask_for_much(server, LARGE_WINDOW);
        const struct slow_reader reader = read_slowly(fd, 65536, 3000);

        cr_assert_eq(setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset)), 0);
        (void)close(fd);
        if (!reader.is_cut)
            return true;
        if (reader.longest_pause_ms < 200)
            return false;
    }
    return false;
}

Test(limits, cuts_a_client_that_takes_less_than_the_least_rate)
{
    static const char *const flags[] = {"--send-timeout", "1", "--min-send-rate", "256KiB", NULL};
    struct posencd server = posencd_start(flags, -1);
    const int fd = ask_for_much(&server, SMALL_WINDOW);

    cr_expect(read_slowly(fd, 1, CUT_MS_MAX).is_cut, "it is still served");
    cr_expect(is_cut(fd), "it has had all");
    (void)close(fd);
    cr_expect(may_read_steadily(&server), "1 MiB a second was cut");
    cr_expect_eq(posencd_stop(&server), 0);
}

Test(limits, ends_a_request_that_lasts_too_long_whatever_it_does)
{
    static const char *const flags[] = {"--request-timeout", "1", NULL};
    struct posencd server = posencd_start(flags, -1);
    int fd = posencd_connect(&server);
    char reply[REPLY_MAX];
    long long reached;

    send_text(fd, "POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                  "Content-Length: 1000\r\n\r\n");
    for (size_t i = 0; i < CUT_MS_MAX / 100; i++) {
        struct pollfd one = {.fd = fd, .events = POLLIN};

        if (poll(&one, 1, 100) == 1 || send(fd, " ", 1, MSG_NOSIGNAL) != 1)
            break;
    }
    cr_expect(posencd_read(fd, QUIET_MS, reply, sizeof(reply)));
    cr_expect_eq(strncmp(reply, "HTTP/1.1 408 ", 13), 0, "%s", reply);
    (void)close(fd);
    fd = ask_for_much(&server, LARGE_WINDOW);
    cr_expect(read_slowly(fd, 16384, CUT_MS_MAX).is_cut, "a steady reader outlives the limit");
    reached = now_ms();
    cr_expect(is_cut(fd), "it has had all");
    cr_expect_lt(now_ms() - reached, 5000, "what it has not taken is kept for it");
    (void)close(fd);
    fd = posencd_connect(&server);
    (void)poll(NULL, 0, 1200);
    cr_expect_eq(ask(fd), 200, "time before a request does not count");
    (void)close(fd);
    cr_expect_eq(posencd_stop(&server), 0);
}
