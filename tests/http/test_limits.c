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

#include "posencd.h"

#define REPLY_MAX 4096
#define QUIET_MS  3000

/* A long answer that is cheap to make. */
#define LONG_TARGET "/v1/sinusoidal?length=1000000&dim=64&format=npy"
#define LONG_BYTES  250000000

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
    int status = 0;

    (void)send(fd, text, sizeof(text) - 1, MSG_NOSIGNAL);
    (void)posencd_read(fd, 300, reply, sizeof(reply));
    (void)sscanf(reply, "HTTP/1.1 %d", &status);
    return status;
}

Test(limits, answers_429_to_an_address_with_too_many_connections)
{
    static const char *const flags[] = {"--max-connections-per-address", "2", NULL};
    struct posencd server = posencd_start(flags, -1);
    int fds[2], status = 429;

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
    for (size_t i = 0; i < 20 && status != 200; i++) {
        fds[1] = posencd_connect(&server);
        status = ask(fds[1]);
        (void)close(fds[1]);
    }
    cr_expect_eq(status, 200, "a place was not given back");
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

/* Reads some bytes every 50 ms; the milliseconds until the server has cut the connection, or so
 * many that it has not. */
static long long read_slowly(int fd, size_t bytes, long long limit_ms)
{
    const long long began = now_ms();
    char scrap[65536];
    ssize_t got = 1;

    cr_assert_leq(bytes, sizeof(scrap));
    while (got > 0 && now_ms() - began < limit_ms) {
        (void)poll(NULL, 0, 50);
        got = recv(fd, scrap, bytes, 0);
    }
    return now_ms() - began;
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

Test(limits, cuts_a_client_that_takes_less_than_the_least_rate)
{
    static const char *const flags[] = {"--send-timeout", "1", "--min-send-rate", "256KiB", NULL};
    struct posencd server = posencd_start(flags, -1);
    int fd = ask_for_much(&server, SMALL_WINDOW);
    struct linger reset = {.l_onoff = 1};

    (void)read_slowly(fd, 1, 2500);
    cr_expect(is_cut(fd), "it is still served");
    (void)close(fd);
    fd = ask_for_much(&server, LARGE_WINDOW);
    cr_expect_geq(read_slowly(fd, 65536, 3000), 3000, "1 MiB a second was cut");
    cr_assert_eq(setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset)), 0);
    (void)close(fd);
    cr_expect_eq(posencd_stop(&server), 0);
}

Test(limits, ends_a_request_that_lasts_too_long_whatever_it_does)
{
    static const char *const flags[] = {"--request-timeout", "1", NULL};
    struct posencd server = posencd_start(flags, -1);
    const long long began = now_ms();
    int fd = posencd_connect(&server);
    char reply[REPLY_MAX];
    long long reached;

    send_text(fd, "POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                  "Content-Length: 1000\r\n\r\n");
    for (size_t i = 0; i < 30; i++) {
        if (send(fd, " ", 1, MSG_NOSIGNAL) != 1)
            break;
        (void)poll(NULL, 0, 100);
    }
    cr_expect(posencd_read(fd, QUIET_MS, reply, sizeof(reply)));
    cr_expect_eq(strncmp(reply, "HTTP/1.1 408 ", 13), 0, "%s", reply);
    cr_expect_lt(now_ms() - began, 10000);
    (void)close(fd);
    fd = ask_for_much(&server, LARGE_WINDOW);
    (void)read_slowly(fd, 16384, 1500);
    reached = now_ms();
    cr_expect(is_cut(fd), "a steady reader outlives the limit");
    cr_expect_lt(now_ms() - reached, 5000, "what it has not taken is kept for it");
    (void)close(fd);
    fd = posencd_connect(&server);
    (void)poll(NULL, 0, 1200);
    cr_expect_eq(ask(fd), 200, "time before a request does not count");
    (void)close(fd);
    cr_expect_eq(posencd_stop(&server), 0);
}
