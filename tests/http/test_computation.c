/* Long computations beside short requests: the pool, its queue, its limits, and how they end. */
#include <criterion/criterion.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "gauge.h"
#include "posencd.h"
#include "sanitized.h"
#include "started.h"

#define WIDTH     256
#define HEAD_MAX  512
#define REPLY_MAX 65536
#define QUIET_MS  60000 /* sanitizers compute slowly */

/* Queries and keys under deberta cost some microseconds a score. */
#define SECONDS_LONG 2048 /* tokens: half a minute */
#define ROUNDS_US    10000000
#define PROMPT_US    (IS_SANITIZED ? 100000 : 10000)
#define TENTHS_LONG  160 /* a good tenth of a second */
#define SHORT        40  /* some milliseconds, which is more than a loop does itself */
#define SLOW_TARGET                                                                                \
    "/v1/analysis/similarity?encoding=sinusoidal&layout=interleaved&length=300&dim=512&format=npy"
#define INLINE_TARGET "/v1/sinusoidal?length=8&dim=8"

static long long now_us(void)
{
    struct timespec now;

    cr_assert_eq(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static void pause_ms(long ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};

    (void)nanosleep(&time, NULL);
}

static void send_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);

        if (sent <= 0)
            return; /* the server has refused before it had all */
        bytes += sent;
        size -= (size_t)sent;
    }
}

/* Asks for attention over so many tokens of zeros, which takes as long as any others. */
static void ask_zeros(int fd, const char *encoding, size_t tokens, const char *query)
{
    const size_t bytes = tokens * WIDTH * sizeof(float);
    char shape[256], head[HEAD_MAX];
    uint64_t shape_size;
    char *zeros = calloc(1, bytes);

    cr_assert(zeros);
    shape_size = (uint64_t)snprintf(
        shape, sizeof(shape),
        "{\"q\":{\"dtype\":\"F32\",\"shape\":[%zu,%d],\"data_offsets\":[0,%zu]},"
        "\"k\":{\"dtype\":\"F32\",\"shape\":[%zu,%d],\"data_offsets\":[%zu,%zu]}}",
        tokens, WIDTH, bytes, tokens, WIDTH, bytes, 2 * bytes);
    (void)snprintf(head, sizeof(head),
                   "POST /v1/attention?encoding=%s&causal=false&%s HTTP/1.1\r\nHost: x\r\n"
                   "Content-Type: application/vnd.safetensors\r\nContent-Length: %zu\r\n\r\n",
                   encoding, query, sizeof(shape_size) + (size_t)shape_size + 2 * bytes);
    send_all(fd, head, strlen(head));
    send_all(fd, (const char *)&shape_size, sizeof(shape_size));
    send_all(fd, shape, (size_t)shape_size);
    send_all(fd, zeros, bytes);
    send_all(fd, zeros, bytes);
    free(zeros);
}

static void ask_attention(int fd, size_t tokens, const char *query)
{
    ask_zeros(fd, "deberta", tokens, query);
}

static int begin_attention(const struct posencd *server, size_t tokens)
{
    const int fd = posencd_connect(server);

    ask_attention(fd, tokens, "format=npy");
    return fd;
}

/* The same for long, once a worker has it: what has few bytes may be read before what has many. */
static int begin_longest(const struct posencd *server)
{
    const int fd = begin_attention(server, SECONDS_LONG);

    cr_assert(gauge_reaches(server, "posenc_computations_running", 1));
    return fd;
}

/* Microseconds until the answer to a request that needs no worker. */
static long long time_short(int fd)
{
    static const char text[] = "GET " INLINE_TARGET " HTTP/1.1\r\nHost: x\r\n\r\n";
    const long long began = now_us();
    char reply[REPLY_MAX];

    send_all(fd, text, sizeof(text) - 1);
    cr_assert_eq(posencd_read_answer(fd, reply, sizeof(reply)), 200);
    return now_us() - began;
}

static int compare(const void *a, const void *b)
{
    const long long x = *(const long long *)a, y = *(const long long *)b;

    return (x > y) - (x < y);
}

/* The time within which 99 of 100 short requests are answered. */
static long long time_p99(int fd)
{
    long long times[200];
    const size_t count = sizeof(times) / sizeof(*times);

    for (size_t i = 0; i < count; i++)
        times[i] = time_short(fd);
    qsort(times, count, sizeof(*times), compare);
    return times[count * 99 / 100];
}

/* Others use the machine, too: one good round of several will do. Computations in the loops would
 * spoil all of them. */
Test(computation, leaves_short_requests_short_beside_a_full_pool)
{
    static const char *const flags[] = {"--workers", "2", "--threads", "2", NULL};
    struct posencd server = posencd_start(flags, -1);
    const int quick = posencd_connect(&server);
    const long long end = now_us() + ROUNDS_US;
    long long best = INT64_MAX;
    int slow[6];

    for (size_t i = 0; i < 6; i++)
        slow[i] = begin_attention(&server, SECONDS_LONG);
    cr_expect(gauge_reaches(&server, "posenc_computations_running", 2));
    while (best >= PROMPT_US && now_us() < end) {
        const long long p99 = time_p99(quick);

        best = p99 < best ? p99 : best;
        pause_ms(20);
    }
    cr_expect(gauge_reaches(&server, "posenc_computations_running", 2), "the pool was not full");
    cr_expect_lt(best, PROMPT_US, "p99 was %lld us", best);
    for (size_t i = 0; i < 6; i++)
        (void)close(slow[i]);
    (void)close(quick);
    cr_expect_eq(posencd_stop(&server), 0);
}

#define HALF_A_MINUTE_US 30000000

static void close_all(const int *fds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        (void)close(fds[i]);
}

/* Others take all workers for half a minute, and wait for them. In a sanitized server what takes
 * milliseconds may take too many of them, and stand with the others until those leave. */
Test(computation, what_takes_milliseconds_does_not_wait_for_what_takes_long)
{
    enum { SLOW = 4 };
    static const char *const flags[] = {"--workers", "1", "--compute-timeout", "100", NULL};
    struct posencd server = posencd_start(flags, -1);
    char reply[REPLY_MAX];
    long long began;
    int slow[SLOW], fd;

    for (size_t i = 0; i < SLOW; i++)
        slow[i] = begin_attention(&server, SECONDS_LONG);
    cr_assert(gauge_reaches(&server, "posenc_computations_queued", SLOW - 1));
    began = now_us();
    fd = begin_attention(&server, SHORT);
    if (IS_SANITIZED)
        close_all(slow, SLOW);
    cr_expect_eq(posencd_read_answer(fd, reply, sizeof(reply)), 200, "%s", reply);
    cr_expect_lt(now_us() - began, HALF_A_MINUTE_US / 2);
    (void)close(fd);
    if (!IS_SANITIZED)
        close_all(slow, SLOW);
    cr_expect_eq(posencd_stop(&server), 0);
}

/* A tensor that nothing explains: each guess is cheap, and there are many; half a second of them.
 */
static int begin_identify(const struct posencd *server)
{
    enum { ROWS = 256, COLUMNS = 256 };
    const int fd = posencd_connect(server);
    char *const body = malloc(ROWS * COLUMNS * 8 + 256), head[HEAD_MAX];
    uint32_t noise = 1;
    char *at = body;

    cr_assert(body);
    at = stpcpy(at, "{\"encoding\":\"sinusoidal\",\"actual\":[");
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) {
        noise = noise * 1664525 + 1013904223;
        at += sprintf(at, "%s%s0.%04u%s", i % COLUMNS == 0 && i > 0 ? "," : "",
                      i % COLUMNS == 0 ? "[" : ",", noise >> 20,
                      i % COLUMNS == COLUMNS - 1 ? "]" : "");
    }
    at = stpcpy(at, "]}");
    (void)snprintf(head, sizeof(head),
                   "POST /v1/identify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                   "Content-Length: %zu\r\n\r\n",
                   (size_t)(at - body));
    send_all(fd, head, strlen(head));
    send_all(fd, body, (size_t)(at - body));
    free(body);
    return fd;
}

/* It stands behind one that has the worker of the long ones until its client leaves. */
Test(computation, what_turns_out_to_take_long_waits_with_the_others)
{
    static const char *const flags[] = {"--workers", "1", "--compute-timeout", "300", NULL};
    struct posencd server = posencd_start(flags, -1);
    const int longest = begin_longest(&server), fd = begin_identify(&server);
    char reply[REPLY_MAX];

    cr_expect(gauge_reaches(&server, "posenc_computations_queued", 1));
    (void)close(longest);
    cr_expect_eq(posencd_read_answer(fd, reply, sizeof(reply)), 200, "%s", reply);
    (void)close(fd);
    cr_expect_eq(posencd_stop(&server), 0);
}

/* The statuses of those that have been answered so far, 0 for the others. */
static void read_answered(const int *fds, int *statuses, size_t count, char *reply)
{
    for (size_t i = 0; i < count; i++) {
        struct pollfd one = {.fd = fds[i], .events = POLLIN};

        if (statuses[i] == 0 && poll(&one, 1, 0) == 1)
            statuses[i] = posencd_read_answer(fds[i], reply, REPLY_MAX);
        if (statuses[i] != 503 || reply[0] == '\0')
            continue;
        cr_expect(strstr(reply, "\r\nRetry-After: "));
        cr_expect(strstr(reply, "too-many-computations"));
        cr_expect(strstr(reply, "\"limit\":2"));
        reply[0] = '\0';
    }
}

static size_t count_status(const int *statuses, size_t count, int status)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        found += statuses[i] == status;
    return found;
}

/* One is computed until its client leaves; of five others two may wait. */
Test(computation, answers_503_when_as_many_wait_as_may)
{
    enum { OTHERS = 5, WAITING = 2 };
    static const char *const flags[] = {"--workers", "1", "--max-queue", "2", NULL};
    struct posencd server = posencd_start(flags, -1);
    const int longest = begin_longest(&server);
    const long long end = now_us() + QUIET_MS * 1000LL;
    char reply[REPLY_MAX] = "";
    int fds[OTHERS], statuses[OTHERS] = {0};

    for (size_t i = 0; i < OTHERS; i++)
        fds[i] = begin_attention(&server, TENTHS_LONG);
    while (count_status(statuses, OTHERS, 503) < OTHERS - WAITING && now_us() < end) {
        read_answered(fds, statuses, OTHERS, reply);
        pause_ms(5);
    }
    cr_expect_eq(count_status(statuses, OTHERS, 503), OTHERS - WAITING);
    cr_expect_eq(count_status(statuses, OTHERS, 0), WAITING, "one runs and two wait");
    for (size_t i = 0; i < OTHERS; i++)
        if (statuses[i] == 503)
            cr_expect_gt(time_short(fds[i]), 0, "the connection goes on");
    (void)close(longest);
    for (size_t i = 0; i < OTHERS; i++) {
        if (statuses[i] == 0)
            cr_expect_eq(posencd_read_answer(fds[i], reply, sizeof(reply)), 200);
        (void)close(fds[i]);
    }
    cr_expect_eq(posencd_stop(&server), 0);
}

Test(computation, stops_at_its_limit_and_gives_up_waiting_at_the_same)
{
    static const char *const flags[] = {"--workers", "1", "--compute-timeout", "1", NULL};
    struct posencd server = posencd_start(flags, -1);
    const long long began = now_us();
    unsigned stopped = 0;
    int status = 0;
    int fds[3];
    char reply[REPLY_MAX];

    for (size_t i = 0; i < 3; i++)
        fds[i] = begin_attention(&server, SECONDS_LONG);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(posencd_read_answer(fds[i], reply, sizeof(reply)), 503);
        if (strstr(reply, "computation-timeout"))
            stopped += strstr(reply, "\"limit\":1") != NULL;
        else
            cr_expect(strstr(reply, "too-many-computations"), "%s", reply);
    }
    cr_expect_geq(stopped, 1);
    cr_expect_lt(now_us() - began, 25000000, "each would take half a minute");
    for (int i = 0; i < 10 && status != 200; i++) { /* whose second may be the machine's */
        ask_attention(fds[0], SHORT, "format=npy");
        status = posencd_read_answer(fds[0], reply, sizeof(reply));
    }
    cr_expect_eq(status, 200, "the worker is not free again");
    for (size_t i = 0; i < 3; i++)
        (void)close(fds[i]);
    cr_expect_eq(posencd_stop(&server), 0);
}

/* A number of /proc/PID/status, in bytes. */
static uint64_t read_status(const struct posencd *server, const char *name)
{
    char path[64], line[256];
    unsigned long long kib = 0;
    FILE *file;

    (void)snprintf(path, sizeof(path), "/proc/%d/status", (int)server->pid);
    file = fopen(path, "re");
    cr_assert(file);
    while (fgets(line, sizeof(line), file))
        if (strncmp(line, name, strlen(name)) == 0)
            (void)sscanf(line + strlen(name), ": %llu", &kib);
    (void)fclose(file);
    return (uint64_t)kib << 10;
}

/* Each needs some 30 MB at the end, and all of them send at one time. */
Test(computation, refuses_some_of_many_large_requests_and_stays_within_its_memory)
{
    enum { REQUESTS = 50, TOKENS = IS_SANITIZED ? 512 : 1024 };
    static const char *const flags[] = {"--workers", "4", "--max-total-bytes", "64MiB", NULL};
    const uint64_t most = UINT64_C(256) << 20, sanitized = UINT64_C(1) << 40;
    struct posencd server = posencd_start(flags, -1);
    unsigned answered = 0, refused = 0;
    char reply[REPLY_MAX];
    int fds[REQUESTS];

    for (size_t i = 0; i < REQUESTS; i++)
        fds[i] = posencd_connect(&server);
    for (size_t i = 0; i < REQUESTS; i++)
        ask_zeros(fds[i], "none", TOKENS, "format=npy");
    for (size_t i = 0; i < REQUESTS; i++) {
        const int status = posencd_read_answer(fds[i], reply, sizeof(reply));

        /* A body that goes on for long after its refusal is cut, and with it the answer. */
        cr_expect(status == 200 || status == 503 || status == 0, "%d", status);
        answered += status == 200;
        refused += status == 503;
        (void)close(fds[i]);
    }
    cr_expect_geq(answered, 1);
    cr_expect_geq(refused, 1);
    if (read_status(&server, "VmPeak") < sanitized) /* sanitizers have memory of their own */
        cr_expect_lt(read_status(&server, "VmHWM"), most, "%ju bytes",
                     (uintmax_t)read_status(&server, "VmHWM"));
    cr_expect(gauge_comes_to(&server, "posenc_memory_bytes", 0, 1 << 20));
    fds[0] = posencd_connect(&server);
    ask_zeros(fds[0], "none", TOKENS, "format=npy");
    cr_expect_eq(posencd_read_answer(fds[0], reply, sizeof(reply)), 200,
                 "memory was not given back");
    (void)close(fds[0]);
    cr_expect_eq(posencd_stop(&server), 0);
}

Test(computation, stops_when_its_client_has_left)
{
    static const char *const flags[] = {"--workers", "1", NULL};
    const struct linger reset = {.l_onoff = 1, .l_linger = 0};
    const int log_fd = started_log();
    struct posencd server = posencd_start(flags, log_fd);
    const int gone = begin_longest(&server);
    const int closed = begin_attention(&server, SECONDS_LONG);
    const long long began = now_us();
    char reply[REPLY_MAX];
    int waiting;

    cr_expect(gauge_reaches(&server, "posenc_computations_queued", 1));
    waiting = begin_attention(&server, TENTHS_LONG);
    cr_expect(gauge_reaches(&server, "posenc_computations_queued", 2));
    cr_assert_eq(setsockopt(gone, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset)), 0);
    (void)close(gone);
    (void)close(closed);
    cr_expect_eq(posencd_read_answer(waiting, reply, sizeof(reply)), 200);
    cr_expect_lt(now_us() - began, 25000000, "both would take half a minute");
    (void)close(waiting);
    cr_expect_eq(posencd_stop(&server), 0);
    cr_expect(started_says(log_fd, " status=499 "));
    (void)close(log_fd);
}

Test(computation, answers_a_client_that_has_closed_its_own_side)
{
    struct posencd server = posencd_start(NULL, -1);
    const int fd = begin_attention(&server, SHORT);
    char reply[REPLY_MAX];

    cr_assert_eq(shutdown(fd, SHUT_WR), 0);
    cr_expect_eq(posencd_read_answer(fd, reply, sizeof(reply)), 200);
    (void)close(fd);
    cr_expect_eq(posencd_stop(&server), 0);
}

/* Those that wait when the signal comes have their turn when another one's client has left. */
Test(computation, finishes_after_sigterm)
{
    static const char *const flags[] = {"--workers", "1", "--drain-timeout", "300", NULL};
    const int log_fd = started_log();
    struct posencd server = posencd_start(flags, log_fd);
    const int longest = begin_longest(&server);
    char reply[REPLY_MAX];
    int fds[3];

    for (size_t i = 0; i < 3; i++)
        fds[i] = begin_attention(&server, TENTHS_LONG);
    cr_expect(gauge_reaches(&server, "posenc_computations_queued", 3));
    posencd_signal(&server, SIGTERM);
    cr_expect(started_says(log_fd, "msg=draining"));
    (void)close(longest);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(posencd_read_answer(fds[i], reply, sizeof(reply)), 200, "request %zu", i);
        (void)close(fds[i]);
    }
    cr_expect_eq(posencd_wait(&server, QUIET_MS), 0);
    (void)close(log_fd);
}

Test(computation, ends_with_the_drain_deadline_however_much_there_is_to_do)
{
    static const char *const flags[] = {"--workers", "2", "--drain-timeout", "1", NULL};
    struct posencd server = posencd_start(flags, -1);
    const long long began = now_us();
    char reply[REPLY_MAX];
    int fds[5];

    for (size_t i = 0; i < 5; i++)
        fds[i] = begin_attention(&server, SECONDS_LONG);
    cr_expect(gauge_reaches(&server, "posenc_computations_queued", 3));
    posencd_signal(&server, SIGTERM);
    cr_expect_eq(posencd_read_answer(fds[0], reply, sizeof(reply)), 503);
    cr_expect(strstr(reply, "shutting-down"), "%s", reply);
    cr_expect_eq(posencd_wait(&server, QUIET_MS), 0, "it does not end well");
    cr_expect_lt(now_us() - began, 25000000);
    for (size_t i = 0; i < 5; i++)
        (void)close(fds[i]);
}

static const char *find_body(const char *reply, size_t size)
{
    const char *end = memmem(reply, size, "\r\n\r\n", 4);

    cr_assert(end);
    return end + 4;
}

/* Elements that take microseconds are made by workers, in many blocks; any part is the same bytes.
 */
Test(computation, streams_what_takes_long_and_any_part_of_it_alike)
{
    enum { HEADER = 128, BYTES = HEADER + 300 * 300 * 4, FIRST = 100001, LAST = 250000 };
    static const char whole_text[] = "GET " SLOW_TARGET " HTTP/1.1\r\nHost: x\r\n\r\n";
    static char whole[BYTES + HEAD_MAX + 1], part[BYTES + HEAD_MAX + 1];
    struct posencd server = posencd_start(NULL, -1);
    const int fd = posencd_connect(&server);
    char text[HEAD_MAX];
    const char *data, *part_data;

    send_all(fd, whole_text, sizeof(whole_text) - 1);
    cr_assert_eq(posencd_read_answer(fd, whole, sizeof(whole)), 200, "%.300s", whole);
    data = find_body(whole, sizeof(whole));
    cr_expect_eq(memcmp(data, "\x93NUMPY", 6), 0);
    (void)snprintf(text, sizeof(text),
                   "GET " SLOW_TARGET " HTTP/1.1\r\nHost: x\r\nRange: bytes=%d-%d\r\n\r\n", FIRST,
                   LAST);
    send_all(fd, text, strlen(text));
    cr_assert_eq(posencd_read_answer(fd, part, sizeof(part)), 206);
    part_data = find_body(part, sizeof(part));
    cr_expect_eq(memcmp(part_data, data + FIRST, LAST - FIRST + 1), 0);
    (void)close(fd);
    cr_expect_eq(posencd_stop(&server), 0);
}
