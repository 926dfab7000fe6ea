/* The process under pressure: limits, signals, its end, its logs, its surroundings. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attack.h"
#include "client.h"
#include "prober.h"
#include "rows.h"
#include "sanitized.h"

static struct prober prober;

/* Of a running server, as far as its hard limit allows. */
static void limit(const struct posencd *server, int resource, rlim_t value)
{
    struct rlimit old;

    cr_assert_eq(prlimit(server->pid, (enum __rlimit_resource)resource, NULL, &old), 0);
    old.rlim_cur = value < old.rlim_max ? value : old.rlim_max;
    cr_assert_eq(prlimit(server->pid, (enum __rlimit_resource)resource, &old, NULL), 0);
}

ROW(R6);

/* 200 clients knock where 64 descriptors are all there are. */
Test(attack_life, no_descriptors_left_is_no_reason_to_spin)
{
    struct attacked attacked = attack_start(NULL);
    long long cpu;
    int fds[200];

    limit(&attacked.server, RLIMIT_NOFILE, 64);
    for (size_t i = 0; i < 200; i++)
        fds[i] = posencd_connect(&attacked.server);
    (void)poll(NULL, 0, 300);
    cpu = attack_cpu_ms(attacked.server.pid);
    (void)poll(NULL, 0, 2000);
    cpu = attack_cpu_ms(attacked.server.pid) - cpu;
    cr_expect_lt(cpu, 200, "%lld ms of processor in two seconds", cpu);
    for (size_t i = 0; i < 200; i++)
        (void)close(fds[i]);
    limit(&attacked.server, RLIMIT_NOFILE, 1024);
    attack_stop(&attacked);
}

enum { LARGE_CLIENTS = 50, LARGE_NUMBERS = 1 << 20, LARGE_REPLY_MAX = LARGE_NUMBERS * 8 + 4096 };

/* Somebody with a large request, who reads while sending. */
struct large_client {
    int fd;
    size_t sent, got;
    char head[512]; /* the first bytes of the answer */
    float last[2];  /* its last ones */
    bool is_over;
};

/* A request of 8 MiB whose answer is sine and cosine of a million positions; free() it. */
static char *make_large(size_t *size)
{
    static const char head[] = "POST /v1/sinusoidal?format=raw HTTP/1.1\r\nHost: a\r\n"
                               "Content-Type: application/json\r\nConnection: close\r\n"
                               "Content-Length: %d\r\n\r\n{\"dim\":2,\"positions\":[0";
    char *const request = malloc(LARGE_NUMBERS * 8 + 512);
    char *at = request;

    cr_assert(request);
    at += sprintf(at, head, 8 * (LARGE_NUMBERS - 1) + 23 + 2);
    for (int i = 1; i < LARGE_NUMBERS; i++)
        at = stpcpy(at, ",1234567");
    at = stpcpy(at, "]}");
    *size = (size_t)(at - request);
    return request;
}

static void large_send(struct large_client *client, const char *request, size_t size)
{
    const size_t part = size - client->sent < 65536 ? size - client->sent : 65536;
    const ssize_t went = send(client->fd, request + client->sent, part, MSG_NOSIGNAL);

    if (went > 0)
        client->sent += (size_t)went;
    else if (errno != EAGAIN)
        client->sent = size; /* the server does not listen any more, but may have answered */
}

static void large_receive(struct large_client *client)
{
    char scrap[65536];
    const ssize_t got = recv(client->fd, scrap, sizeof(scrap), 0);

    if (got < 0 && errno == EAGAIN)
        return;
    client->is_over = got <= 0;
    for (ssize_t i = 0; i < got; i++, client->got++) {
        if (client->got < sizeof(client->head) - 1)
            client->head[client->got] = scrap[i];
    }
    if (got >= (ssize_t)sizeof(client->last))
        memcpy(client->last, scrap + got - sizeof(client->last), sizeof(client->last));
}

/* All at once, until each has its answer or has been closed. */
static void ask_large(const struct posencd *server, struct large_client *clients, size_t count)
{
    const long long end = attack_now_ms() + 60000;
    size_t size, over = 0;
    char *const request = make_large(&size);

    for (size_t i = 0; i < count; i++) {
        clients[i] = (struct large_client){.fd = posencd_connect(server)};
        cr_assert_eq(fcntl(clients[i].fd, F_SETFL, O_NONBLOCK), 0);
    }
    while (over < count && attack_now_ms() < end) {
        struct pollfd fds[LARGE_CLIENTS];

        over = 0;
        for (size_t i = 0; i < count; i++) {
            over += clients[i].is_over;
            fds[i].fd = clients[i].is_over ? -1 : clients[i].fd;
            fds[i].events = (short)(POLLIN | (clients[i].sent < size ? POLLOUT : 0));
            fds[i].revents = 0;
        }
        (void)poll(fds, count, 1000);
        for (size_t i = 0; i < count; i++) {
            if (fds[i].revents & POLLOUT)
                large_send(&clients[i], request, size);
            if (fds[i].revents & (POLLIN | POLLHUP | POLLERR))
                large_receive(&clients[i]);
        }
    }
    cr_expect_eq(over, count, "%zu of %zu hear nothing", count - over, count);
    for (size_t i = 0; i < count; i++)
        (void)close(clients[i].fd);
    free(request);
}

/* All bytes have come, and end in sin and cos of 1234567 (worked out with 40 digits). */
static bool is_right(const struct large_client *client)
{
    const float right[2] = {0.36445217478755628f, -0.93122210685347270f};

    return strncmp(client->head, "HTTP/1.1 200", 12) == 0 &&
           client->got > LARGE_NUMBERS * 8 + 100 && client->got < LARGE_REPLY_MAX &&
           memcmp(client->last, right, sizeof(right)) == 0;
}

/* Starts it as behind `ulimit -v`. */
static struct attacked start_within(rlim_t bytes, const char *const flags[])
{
    struct rlimit old, little;
    struct attacked attacked;

    cr_assert_eq(getrlimit(RLIMIT_AS, &old), 0);
    little = (struct rlimit){bytes, old.rlim_max};
    cr_assert_eq(setrlimit(RLIMIT_AS, &little), 0);
    attacked = attack_start(flags);
    cr_assert_eq(setrlimit(RLIMIT_AS, &old), 0);
    return attacked;
}

ROW(R7);

/* How a crowd with large bodies fared: each is answered whole, refused whole or not answered. */
struct crowd {
    size_t done, refused, closed;
};

static struct crowd ask_crowd(struct attacked *attacked, struct large_client *clients)
{
    struct crowd crowd = {0};

    ask_large(&attacked->server, clients, LARGE_CLIENTS);
    for (size_t i = 0; i < LARGE_CLIENTS; i++) {
        const bool is_200 = strncmp(clients[i].head, "HTTP/1.1 200", 12) == 0;

        cr_expect(!is_200 || is_right(&clients[i]), "%zu bytes: %.200s", clients[i].got,
                  clients[i].head);
        crowd.done += is_200;
        crowd.refused += strncmp(clients[i].head, "HTTP/1.1 503", 12) == 0 &&
                         strstr(clients[i].head, "Retry-After: ");
        crowd.closed += clients[i].got == 0;
    }
    (void)printf("50 large requests in 256 MiB: %zu done, %zu refused, %zu closed\n", crowd.done,
                 crowd.refused, crowd.closed);
    cr_expect_eq(crowd.done + crowd.refused + crowd.closed, LARGE_CLIENTS);
    cr_expect_gt(crowd.refused, 0);
    return crowd;
}

/* 50 bodies of 8 MiB at once, in 256 MiB of addresses: some are refused, some are served, and
 * nobody is given half. Bodies must leave memory to work with them, or all would be in each other's
 * way. */
Test(attack_life, too_little_memory_is_a_503_for_some_and_ends_nobody, .timeout = 180)
{
    enum { CROWDS = 2 };
    static struct large_client clients[LARGE_CLIENTS];
    struct attacked attacked;

    if (IS_SANITIZED) { /* they reserve terabytes of addresses */
        (void)printf("SKIPPED: a sanitizer cannot start in 256 MiB of addresses\n");
        return;
    }
    attacked = start_within((rlim_t)256 << 20, NULL);
    for (int i = 0; i < CROWDS; i++)
        cr_expect_gt(ask_crowd(&attacked, clients).done, 0);
    ask_large(&attacked.server, clients, 1);
    cr_expect(is_right(&clients[0]), "%zu bytes: %.400s", clients[0].got, clients[0].head);
    attack_stop(&attacked);
}

ROW(R10);

/* Stopped and continued, which ends system calls early, while answers are on their way. */
Test(attack_life, answers_are_whole_in_a_storm_of_signals)
{
    static const int signals[] = {SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD, SIGURG, SIGWINCH};
    static const char request[] =
        "GET /v1/sinusoidal?length=65536&dim=64&format=npy HTTP/1.1\r\nHost: a\r\n"
        "Connection: close\r\n\r\n";
    struct attacked attacked = attack_start(NULL);
    const int fd = posencd_connect(&attacked.server);
    char scrap[16384];
    size_t total = 0, storms = 0;
    ssize_t got;

    cr_assert_gt(send(fd, request, strlen(request), 0), 0);
    while ((got = recv(fd, scrap, sizeof(scrap), 0)) > 0) {
        total += (size_t)got;
        posencd_signal(&attacked.server, SIGSTOP);
        posencd_signal(&attacked.server, SIGCONT);
        posencd_signal(&attacked.server, signals[storms++ % 6]);
    }
    cr_expect_gt(total, 128 + 65536 * 64 * 4, "%zu bytes came", total);
    cr_expect_gt(storms, 100);
    (void)close(fd);
    attack_stop(&attacked);
}

ROW(R17);

/* With a small stack, and bodies that nest as deep as their bytes allow. */
Test(attack_life, deep_bodies_need_no_stack)
{
    static const char *const opens[] = {"[", "{\"\":", "[\"\",", "[[1],"};
    const struct rlimit small = {.rlim_cur = 256 * 1024, .rlim_max = 256 * 1024};
    char head[256];
    struct attacked attacked;

    if (!IS_SANITIZED)
        cr_assert_eq(setrlimit(RLIMIT_STACK, &small), 0);
    attacked = attack_start(NULL);
    for (size_t i = 0; i < sizeof(opens) / sizeof(*opens); i++) {
        const struct attack_case one = {
            "R17", head, opens[i], 100000, NULL, "400 malformed-body keep", NULL};

        (void)snprintf(head, sizeof(head),
                       "POST /v1/sinusoidal HTTP/1.1\r\nHost: a\r\n"
                       "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                       strlen(opens[i]) * 100000);
        attack_run(&attacked, &one);
    }
    attack_stop(&attacked);
}

ROW(R18);

/* 50 answers under way, a body half sent, and idle connections, when SIGTERM comes. */
Test(attack_life, sigterm_loses_no_request_that_was_accepted, .timeout = 300)
{
    enum { CLIENTS = 50, BYTES = 65536 * 64 * 4 };
    static const char request[] =
        "GET /v1/sinusoidal?length=65536&dim=64&format=npy HTTP/1.1\r\nHost: a\r\n\r\n";
    static const char upload[] =
        "POST /v1/sinusoidal HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        "Content-Length: 20\r\n\r\n{\"length\"";
    static const char *const flags[] = {"--body-timeout=120", "--send-timeout=120",
                                        "--drain-timeout=120", NULL};
    struct attacked attacked = attack_start(flags);
    const int late = posencd_connect(&attacked.server), idle = posencd_connect(&attacked.server);
    char scrap[65536], reply[8192];
    int fds[CLIENTS];

    cr_assert_gt(send(idle, "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", 32, 0), 0);
    cr_assert_gt(recv(idle, scrap, sizeof(scrap), 0), 0);
    cr_assert_gt(send(late, upload, strlen(upload), 0), 0);
    for (size_t i = 0; i < CLIENTS; i++) {
        fds[i] = posencd_connect(&attacked.server);
        cr_assert_gt(send(fds[i], request, strlen(request), 0), 0);
        cr_assert_eq(recv(fds[i], scrap, 1, 0), 1); /* it is under way */
    }
    posencd_signal(&attacked.server, SIGTERM);
    (void)poll(NULL, 0, 300);
    cr_assert_gt(send(late, ":1,\"dim\":2}", 11, MSG_NOSIGNAL), 0);
    cr_expect(posencd_read(late, 20000, reply, sizeof(reply)));
    cr_expect(strncmp(reply, "HTTP/1.1 200", 12) == 0 && strstr(reply, "[[0,1]]"), "%s", reply);
    for (size_t i = 0; i < CLIENTS; i++) {
        size_t total = 1;
        ssize_t got;

        while ((got = recv(fds[i], scrap, sizeof(scrap), 0)) > 0)
            total += (size_t)got;
        cr_expect_gt(total, BYTES + 128, "client %zu got %zu bytes", i, total);
        (void)close(fds[i]);
    }
    cr_expect_eq(recv(idle, scrap, sizeof(scrap), 0), 0);
    (void)close(idle);
    (void)close(late);
    cr_expect_eq(posencd_wait(&attacked.server, 20000), 0);
}

ROW(R19);

Test(attack_life, a_killed_server_starts_again_at_its_port)
{
    struct attacked attacked = attack_start(NULL);
    char listen[64];
    const char *flags[] = {"--listen", listen, NULL};
    struct posencd second;
    int fds[20];

    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 20; i++) {
            fds[i] = posencd_connect(&attacked.server);
            (void)send(fds[i], "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", 32, MSG_NOSIGNAL);
        }
        posencd_signal(&attacked.server, SIGKILL);
        cr_expect_eq(posencd_wait(&attacked.server, 5000), -1);
        (void)snprintf(listen, sizeof(listen), "127.0.0.1:%u", attacked.server.port);
        second = posencd_start(flags, -1);
        attacked.server.pid = second.pid; /* it listens at another port, too */
        cr_expect_eq(attack_get(&attacked.server, "/livez", NULL), 200);
        for (size_t i = 0; i < 20; i++)
            (void)close(fds[i]);
    }
    cr_expect_eq(posencd_stop(&attacked.server), 0);
}

ROW(R20);

Test(attack_life, signals_that_mean_nothing_change_nothing)
{
    static const int signals[] = {SIGHUP,  SIGPIPE, SIGUSR1,  SIGUSR2, SIGALRM,
                                  SIGCHLD, SIGURG,  SIGWINCH, SIGCONT};
    struct attacked attacked = attack_start(NULL);

    for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
        posencd_signal(&attacked.server, signals[i]);
        cr_expect_eq(attack_get(&attacked.server, "/livez", NULL), 200, "after signal %d",
                     signals[i]);
    }
    attack_stop(&attacked);
}

ROW(R22);

/* A log that is full, and one whose reader is gone. */
Test(attack_life, nobody_who_reads_the_log_is_no_reason_to_stop)
{
    const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    struct posencd server;
    int ends[2];

    cr_assert_geq(full, 0);
    server = posencd_start(NULL, full);
    for (int i = 0; i < 100; i++)
        cr_assert_eq(attack_get(&server, "/nowhere", NULL), 404);
    cr_expect_eq(posencd_stop(&server), 0);

    cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
    server = posencd_start(NULL, ends[1]);
    (void)close(ends[1]);
    (void)close(ends[0]);
    for (int i = 0; i < 100; i++)
        cr_assert_eq(attack_get(&server, "/nowhere", NULL), 404);
    cr_expect_eq(posencd_stop(&server), 0);
}

ROW(R23);

Test(attack_life, a_bad_setting_is_one_clear_line)
{
    static const char *const rows[][3] = {
        {"--max-connections=0", NULL},
        {"--max-body-bytes=-1", NULL},
        {"--threads=x", NULL},
        {"--idle-timeout=0", NULL},
        {"--no-such-flag", NULL},
        {"--listen=1.2.3.4:99999", NULL},
        {"--log-level=loud", NULL},
        {"--max-body-bytes=1e9", NULL},
        {"stray", NULL},
    };
    struct attacked attacked = attack_start(NULL);
    char output[4096], taken[64];
    const char *const again[] = {"--listen", taken, NULL};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        cr_expect_eq(posencd_run(rows[i], output, sizeof(output)), 2, "%s: %s", rows[i][0], output);
        cr_expect(strchr(output, '\n') && !strchr(output, '\n')[1], "%s: %s", rows[i][0], output);
    }
    (void)snprintf(taken, sizeof(taken), "127.0.0.1:%u", attacked.server.port);
    cr_expect_eq(posencd_run(again, output, sizeof(output)), 1, "%s", output);
    cr_expect(strstr(output, "in use"), "%s", output);
    attack_stop(&attacked);
}

/* The answers to some requests, one behind the other; free() them. */
static char *take_answers(size_t *size)
{
    static const char *const targets[] = {
        "/v1/sinusoidal?length=7&dim=6&base=523.7",
        "/v1/sinusoidal?length=7&dim=6&base=523.7&format=csv",
        "/v1/sinusoidal?length=7&dim=6&base=523.7&format=text",
        "/v1/sinusoidal?length=7&dim=6&base=523.7&format=svg",
        "/v1/rope?length=3&dim=8&layout=half&offset=0.5&scaling.type=linear&scaling.factor=2.5",
        "/v1/rope?length=3&dim=8&layout=half&base=1.5.2",
        "/v1/alibi?heads=3&query_length=2&format=text",
        "/v1/models/llama-3.1-8b",
    };
    struct posencd server = posencd_start(NULL, -1);
    struct client *client = client_new();
    char *all = calloc(1, 1);

    *size = 0;
    cr_assert(client && all);
    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
        static const char *const id[] = {"X-Request-Id: same", NULL};
        char url[256];
        struct client_request request = {.method = "GET", .url = url, .headers = id};
        struct client_reply reply;

        (void)snprintf(url, sizeof(url), "%s%s", server.url, targets[i]);
        reply = client_ask(client, &request);
        cr_assert_neq(reply.status, 0);
        all = realloc(all, *size + reply.size + 1);
        cr_assert(all);
        memcpy(all + *size, reply.body, reply.size + 1);
        *size += reply.size;
        client_release(&reply);
    }
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
    return all;
}

ROW(R24);

/* Where the machine has no such locale the test has no teeth, and says so. */
Test(attack_life, locale_and_time_zone_do_not_show_in_answers)
{
    static const char *const locales[] = {"de_DE.UTF-8", "tr_TR.UTF-8"};
    size_t size, other_size, known = 0;
    char *const right = take_answers(&size);

    cr_expect_gt(size, 4000);
    cr_assert_eq(setenv("TZ", "Pacific/Chatham", 1), 0);
    for (size_t i = 0; i < 2; i++) {
        char *other;

        known += setlocale(LC_ALL, locales[i]) != NULL;
        (void)setlocale(LC_ALL, "C");
        cr_assert_eq(setenv("LC_ALL", locales[i], 1), 0);
        cr_assert_eq(setenv("LANG", locales[i], 1), 0);
        other = take_answers(&other_size);
        cr_expect_eq(other_size, size);
        cr_expect_arr_eq(other, right, size < other_size ? size : other_size);
        free(other);
    }
    if (known < 2)
        (void)printf("SKIPPED: only %zu of the locales de_DE.UTF-8 and tr_TR.UTF-8 are there\n",
                     known);
    free(right);
}

ROW(R28);

/* 20 000 bad requests with a secret in each place that a client can put one. */
Test(attack_life, a_flood_of_bad_requests_is_a_line_each_without_their_words, .timeout = 300)
{
    enum { COUNT = IS_SANITIZED ? 2000 : 20000, LINE_MAX_BYTES = 400 };
    static const char one[] = "POST /nowhere?key=hidden-query HTTP/1.1\r\nHost: "
                              "a\r\nAuthorization: Bearer hidden-token\r\n"
                              "Cookie: hidden-cookie\r\nContent-Length: 11\r\n\r\nhidden-body";
    char path[] = "attack-log-XXXXXX", *log;
    const int file = mkostemp(path, O_CLOEXEC);
    struct posencd server;
    struct stat about;
    char scrap[65536];
    int fd;

    cr_assert_geq(file, 0);
    server = posencd_start(NULL, file);
    fd = posencd_connect(&server);
    for (int i = 0; i < COUNT; i++) {
        cr_assert_gt(send(fd, one, strlen(one), MSG_NOSIGNAL), 0);
        cr_assert_gt(recv(fd, scrap, sizeof(scrap), 0), 0);
    }
    (void)close(fd);
    cr_expect_eq(posencd_stop(&server), 0);
    cr_assert_eq(fstat(file, &about), 0);
    log = calloc(1, (size_t)about.st_size + 1);
    cr_assert(log);
    cr_assert_eq(pread(file, log, (size_t)about.st_size, 0), about.st_size);
    (void)unlink(path);
    cr_expect_lt(about.st_size / COUNT, LINE_MAX_BYTES);
    cr_expect_not(strstr(log, "hidden"));
    (void)printf("%d bad requests: %lld bytes of log each\n", COUNT,
                 (long long)about.st_size / COUNT);
    free(log);
}

#define MATRIX_ROWS  (IS_SANITIZED ? 250 : 700)
#define MATRIX_WIDTH 64

/* q and k of one head, on which attention works for a while. */
static char *make_attention(size_t *size)
{
    char *const request = malloc(2 * MATRIX_ROWS * MATRIX_WIDTH * 3 + 4 * MATRIX_ROWS + 1024);
    char *const body = request + 512;
    char *at = body;
    int head;

    cr_assert(request);
    at = stpcpy(at, "{\"encoding\":\"none\",\"causal\":false");
    for (int tensor = 0; tensor < 2; tensor++) {
        at += sprintf(at, ",\"%c\":[[", tensor ? 'k' : 'q');
        for (int row = 0; row < MATRIX_ROWS; row++) {
            *at++ = row ? ',' : ' ';
            *at++ = '[';
            for (int column = 0; column < MATRIX_WIDTH; column++)
                at += sprintf(at, "%s%d", column ? "," : "", (row + column) % 9);
            *at++ = ']';
        }
        at = stpcpy(at, "]]");
    }
    at = stpcpy(at, "}");
    head = snprintf(request, 512,
                    "POST /v1/attention?format=npy&tensor=weights HTTP/1.1\r\nHost: a\r\n"
                    "Content-Type: application/json\r\nConnection: close\r\n"
                    "Content-Length: %zu\r\n\r\n",
                    (size_t)(at - body));
    memmove(request + head, body, (size_t)(at - body));
    *size = (size_t)(at - body) + (size_t)head;
    return request;
}

enum { COMPUTING = 64 };

struct computing {
    struct posencd server;
    size_t done, refused;
};

static void send_all(int fd, const char *bytes, size_t size)
{
    for (size_t sent = 0; sent < size;) {
        const ssize_t got = send(fd, bytes + sent, size - sent, MSG_NOSIGNAL);

        cr_assert_gt(got, 0);
        sent += (size_t)got;
    }
}

/* Asks for it from 64 clients at once, and waits until each has heard. */
static struct prober_times compute_at_once(void *context)
{
    struct computing *const computing = context;
    struct prober_times times;
    size_t size;
    char *const bytes = make_attention(&size);
    int fds[COMPUTING];

    computing->done = computing->refused = 0;
    prober_start(&prober, &computing->server);
    for (size_t i = 0; i < COMPUTING; i++) {
        fds[i] = posencd_connect(&computing->server);
        send_all(fds[i], bytes, size);
    }
    for (size_t i = 0; i < COMPUTING; i++) {
        char reply[4096] = "";
        struct pollfd one = {.fd = fds[i], .events = POLLIN};

        cr_expect_eq(poll(&one, 1, 60000), 1, "client %zu hears nothing", i);
        if (i == COMPUTING - 1)
            times = prober_stop(&prober);
        (void)posencd_read(fds[i], 10000, reply, sizeof(reply));
        computing->done += strncmp(reply, "HTTP/1.1 200", 12) == 0;
        computing->refused +=
            strncmp(reply, "HTTP/1.1 503", 12) == 0 && strstr(reply, "Retry-After: ");
        (void)close(fds[i]);
    }
    free(bytes);
    return times;
}

ROW(R14);

Test(attack_life, sixty_four_long_computations_leave_room_for_a_probe, .timeout = 600)
{
    struct attacked attacked = attack_start(NULL);
    struct computing computing = {.server = attacked.server};

    prober_expect_prompt("R14", compute_at_once, &computing);
    (void)printf("64 computations at once: %zu done, %zu refused\n", computing.done,
                 computing.refused);
    cr_expect_eq(computing.done + computing.refused, COMPUTING);
    cr_expect_gt(computing.done, 0);
    attack_stop(&attacked);
}

enum { LONG_BODIES = 8, LONG_BYTES = IS_SANITIZED ? 4 << 20 : 16 << 20 };

/* Sends bodies whose reading alone takes a while, and which are refused only then. */
static struct prober_times send_long_bodies(void *context)
{
    const struct posencd *const server = context;
    char *const body = malloc(LONG_BYTES);
    char head[256], reply[1024];
    struct prober_times times;
    int fds[LONG_BODIES];

    cr_assert(body);
    memset(body, '1', LONG_BYTES);
    for (size_t i = 8; i < LONG_BYTES; i += 2)
        body[i] = ',';
    memcpy(body, "{\"none\":[", 9);
    memcpy(body + LONG_BYTES - 3, "1]}", 3);
    (void)snprintf(head, sizeof(head),
                   "POST /v1/sinusoidal HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                   "Connection: close\r\nContent-Length: %d\r\n\r\n",
                   LONG_BYTES);
    prober_start(&prober, server);
    for (size_t i = 0; i < LONG_BODIES; i++) {
        fds[i] = posencd_connect(server);
        send_all(fds[i], head, strlen(head));
        send_all(fds[i], body, LONG_BYTES);
    }
    for (size_t i = 0; i < LONG_BODIES; i++) {
        (void)posencd_read(fds[i], 120000, reply, sizeof(reply));
        cr_expect(strncmp(reply, "HTTP/1.1 422", 12) == 0, "%.300s", reply);
        (void)close(fds[i]);
    }
    times = prober_stop(&prober);
    free(body);
    return times;
}

/* A loop that reads such a body itself answers nobody for a tenth of a second. */
Test(attack_life, long_bodies_are_read_beside_short_requests, .timeout = 600)
{
    static const char *const flags[] = {"--body-timeout=120", "--compute-timeout=120", NULL};
    struct attacked attacked = attack_start(flags);

    prober_expect_prompt("R14", send_long_bodies, &attacked.server);
    attack_stop(&attacked);
}

ROW(R5);

/* How many of these clients, who keep their connections, are answered on them. */
static size_t count_served(const struct posencd *server, int *fds, size_t count)
{
    char reply[4096];
    size_t served = 0;

    for (size_t i = 0; i < count; i++) {
        fds[i] = posencd_connect(server);
        (void)send(fds[i], "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", 32, MSG_NOSIGNAL);
    }
    for (size_t i = 0; i < count; i++)
        served += posencd_read_answer(fds[i], reply, sizeof(reply)) == 200;
    return served;
}

/* 8 of 32 are served, and 8 others when these have gone. */
Test(attack_life, one_address_cannot_have_all_connections)
{
    static const char *const flags[] = {"--max-connections-per-address=8", "--idle-timeout=60",
                                        NULL};
    struct attacked attacked = attack_start(flags);
    int fds[32];

    for (int round = 0; round < 2; round++) {
        cr_expect_eq(count_served(&attacked.server, fds, 32), 8);
        for (size_t i = 0; i < 32; i++)
            (void)close(fds[i]);
        (void)attack_await_fds(attacked.server.pid, attacked.fds);
    }
    attack_stop(&attacked);
}

/* Rows whose tests stand elsewhere. */
static const struct {
    const char *row;
    const char *where;
} elsewhere[] = {
    {"R8", "tests/torture: the n-th allocation fails"},
    {"R9", "tests/clients/faults.py: send, recv, accept and poll fail"},
    {"R15", "test_computation.c: a computation stops at its limit"},
    {"R21", "tests/clients/faults.py: the clock jumps"},
    {"R25", "tests/clients/faults.py: a library changes the arithmetic"},
    {"R26", "tests/torture/builds: the same tables from other builds"},
    {"R27", "make soak"},
};
ROWS_OF(elsewhere);

Test(attack_life, every_row_of_resources_has_a_test)
{
    cr_expect_eq(rows_without_test('R', 28), 0);
}
