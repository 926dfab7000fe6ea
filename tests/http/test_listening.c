/* Where the server can be reached: several addresses, Unix sockets, sockets that a service manager
 * hands over, a listener for operators; and what it tells the manager. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "client.h"
#include "posencd.h"
#include "started.h"
#include "table_files.h"

#define ADDRESS_MAX 128
#define URL_MAX     512
#define OUTPUT_MAX  4096
#define STEP_MS     5
#define PATIENCE_MS 20000
#define TABLE       "/v1/sinusoidal?length=2&dim=4&format=csv"

/* GET of a path at an address as the log has it, with a header or NULL; the status, 0 when there is
 * no answer. */
static long ask_status(const char *address, const char *path, const char *header)
{
    const char *const headers[] = {header, NULL};
    const bool is_unix = strncmp(address, "unix:", 5) == 0;
    struct client *client = client_new();
    struct client_reply reply;
    char url[URL_MAX];
    long status;

    (void)snprintf(url, sizeof(url), "http://%s%s", is_unix ? "localhost" : address, path);
    reply = client_ask(
        client, &(struct client_request){.method = "GET",
                                         .url = url,
                                         .headers = headers,
                                         .unix_path = is_unix ? address + strlen("unix:") : NULL});
    status = reply.status;
    client_release(&reply);
    client_free(client);
    return status;
}

/* Reads and drops so many bytes, or all to the end; how many came. */
static long long read_bytes(int fd, long long most)
{
    char scrap[65536];
    long long total = 0;

    while (total < most) {
        const long long left = most - total;
        const ssize_t got =
            recv(fd, scrap, left < (long long)sizeof(scrap) ? (size_t)left : sizeof(scrap), 0);

        if (got <= 0)
            break;
        total += got;
    }
    return total;
}

static long get(const char *address, const char *path)
{
    return ask_status(address, path, NULL);
}

static bool has_ipv6(void)
{
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = in6addr_loopback};
    const int fd = socket(AF_INET6, SOCK_STREAM, 0);
    const bool is_bound = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0;

    if (fd >= 0)
        (void)close(fd);
    return is_bound;
}

static int connect_path(const char *path)
{
    const struct timeval limit = {.tv_sec = 10};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    cr_assert_geq(fd, 0);
    (void)strcpy(address.sun_path, path);
    cr_assert_eq(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)), 0);
    cr_assert_eq(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    return fd;
}

Test(listening, happens_at_ipv4_ipv6_and_a_unix_socket_at_once)
{
    struct table_files files = table_files_new();
    const int log_fd = started_log();
    char list[2 * ADDRESS_MAX], socket_path[ADDRESS_MAX], address[ADDRESS_MAX];
    const char *const flags[] = {"--listen", list, has_ipv6() ? "--listen=[::1]:0" : NULL, NULL};
    static const char *const nothing[] = {NULL};
    struct posencd server;
    struct stat status;

    (void)snprintf(socket_path, sizeof(socket_path), "%s/socket", files.path);
    (void)snprintf(list, sizeof(list), "127.0.0.1:0,unix:%s", socket_path);
    server = posencd_start(flags, log_fd);
    for (size_t i = 0; i < (flags[2] ? 4U : 3U); i++) {
        started_address(log_fd, false, i, address, sizeof(address));
        cr_expect_eq(get(address, TABLE), 200, "%s", address);
        cr_expect_eq(get(address, "/readyz"), 200, "%s", address);
    }
    cr_expect_eq(lstat(socket_path, &status), 0);
    cr_expect_eq(status.st_mode, S_IFSOCK | 0660);
    cr_expect(started_says(log_fd, "client=unix"));
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&files, nothing); /* fails if the socket is still there */
    (void)close(log_fd);
}

/* 64 MiB by a Unix socket, read slowly: more than fits between two ends of one. */
Test(listening, at_a_unix_socket_streams_and_keeps_connections)
{
    static const char request[] = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
                                  "GET /v1/sinusoidal?length=262144&dim=64&format=npy HTTP/1.1\r\n"
                                  "Host: a\r\nConnection: close\r\n\r\n";
    const long long body = 128 + 262144LL * 64 * 4;
    struct table_files files = table_files_new();
    static const char *const nothing[] = {NULL};
    char path[ADDRESS_MAX], flag[ADDRESS_MAX + 16];
    const char *const flags[] = {flag, "--unix-mode=600", NULL};
    struct posencd server;
    long long total;
    int fd;

    (void)snprintf(path, sizeof(path), "%s/socket", files.path);
    (void)snprintf(flag, sizeof(flag), "--listen=unix:%s", path);
    server = posencd_start(flags, -1);
    fd = connect_path(path);
    cr_assert_gt(send(fd, request, strlen(request), 0), 0);
    total = read_bytes(fd, LLONG_MAX);
    cr_expect_gt(total, body);
    cr_expect_lt(total, body + 2048, "two heads and a probe's answer are less");
    (void)close(fd);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&files, nothing);
}

Test(listening, at_a_unix_socket_cuts_a_client_that_stops_reading)
{
    static const char request[] = "GET /v1/sinusoidal?length=262144&dim=64&format=npy HTTP/1.1\r\n"
                                  "Host: a\r\n\r\n";
    struct table_files files = table_files_new();
    static const char *const nothing[] = {NULL};
    char path[ADDRESS_MAX], flag[ADDRESS_MAX + 16];
    const char *const flags[] = {flag, "--send-timeout=2", NULL};
    struct posencd server;
    long long total = 0;
    struct pollfd end = {.events = POLLRDHUP};
    int fd;

    (void)snprintf(path, sizeof(path), "%s/socket", files.path);
    (void)snprintf(flag, sizeof(flag), "--listen=unix:%s", path);
    server = posencd_start(flags, -1);
    end.fd = fd = connect_path(path);
    cr_assert_gt(send(fd, request, strlen(request), 0), 0);
    for (int i = 0; i < 25; i++) { /* slowly, but a period each is renewed for */
        const long long part = read_bytes(fd, 1 << 20);

        cr_assert_eq(part, 1 << 20, "cut while it read, after %d parts", i);
        total += part;
        (void)poll(NULL, 0, 200);
    }
    cr_expect_eq(poll(&end, 1, PATIENCE_MS), 1, "it is never cut");
    total += read_bytes(fd, LLONG_MAX);
    cr_expect_lt(total, 128 + 262144LL * 64 * 4, "the whole answer came");
    (void)close(fd);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&files, nothing);
}

Test(listening, at_a_unix_socket_survives_a_kill_and_refuses_a_second_server)
{
    static const char *const nothing[] = {NULL};
    struct table_files files = table_files_new();
    char flag[2 * ADDRESS_MAX], address[ADDRESS_MAX], output[OUTPUT_MAX];
    const char *const flags[] = {flag, NULL};
    struct posencd server;

    (void)snprintf(address, sizeof(address), "unix:%s/socket", files.path);
    (void)snprintf(flag, sizeof(flag), "--listen=%s", address);
    server = posencd_start(flags, -1);
    cr_expect_eq(posencd_run(flags, output, sizeof(output)), 1, "two serve at one path");
    cr_expect(strstr(output, "in use"), "%s", output);
    cr_expect_eq(get(address, "/livez"), 200, "the first goes on");
    posencd_signal(&server, SIGKILL);
    (void)posencd_wait(&server, PATIENCE_MS);
    cr_expect_eq(get(address, "/livez"), 0);
    server = posencd_start(flags, -1);
    cr_expect_eq(get(address, "/livez"), 200);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&files, nothing);
}

Test(listening, for_operators_serves_probes_and_metrics_alone_and_asks_for_no_token)
{
    static const char line[] =
        "first:sha256:d10d0f9977f6621d30628f0196c90b206e4c8fe1c698cae08622749b4328b591\n";
    static const char *const names[] = {"tokens", NULL};
    struct table_files files = table_files_new();
    const int log_fd = started_log();
    char path[ADDRESS_MAX], callers[ADDRESS_MAX], operators[ADDRESS_MAX];
    const char *const flags[] = {"--auth-tokens", path, "--admin-listen=127.0.0.1:0", NULL};
    struct posencd server;

    (void)snprintf(path, sizeof(path), "%s/tokens", files.path);
    table_files_write(&files, "tokens", line, strlen(line));
    server = posencd_start(flags, log_fd);
    started_address(log_fd, false, 0, callers, sizeof(callers));
    started_address(log_fd, true, 0, operators, sizeof(operators));
    cr_expect_eq(get(operators, "/livez"), 200);
    cr_expect_eq(get(operators, "/readyz"), 200);
    cr_expect_eq(get(operators, "/metrics"), 200);
    cr_expect_eq(get(operators, TABLE), 404);
    cr_expect_eq(get(operators, "/"), 404);
    cr_expect_eq(get(operators, "/openapi.json"), 404);
    cr_expect_eq(get(callers, "/livez"), 200);
    cr_expect_eq(get(callers, TABLE), 401);
    cr_expect_eq(get(callers, "/metrics"), 401);
    cr_expect_eq(ask_status(callers, "/metrics", "Authorization: Bearer first-token-0123456789"),
                 404);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&files, names);
    (void)close(log_fd);
}

Test(listening, for_operators_goes_on_when_callers_are_too_many_and_while_they_drain)
{
    static const char half[] = "GET /livez HTTP/1.1\r\n";
    /* More than any socket buffers hold, so that it is under way until it is read. */
    static const char download[] = "GET /v1/sinusoidal?length=1048576&dim=64&format=npy "
                                   "HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    static const char *const flags[] = {"--admin-listen=127.0.0.1:0", "--max-connections=1", NULL};
    const int log_fd = started_log();
    struct posencd server = posencd_start(flags, log_fd);
    char operators[ADDRESS_MAX];
    int fds[80];

    started_address(log_fd, true, 0, operators, sizeof(operators));
    fds[0] = posencd_connect(&server);
    cr_assert_gt(send(fds[0], download, strlen(download), 0), 0);
    cr_assert_eq(read_bytes(fds[0], 1), 1, "it is not served");
    for (size_t i = 1; i < 80; i++) { /* 64 would be told 503, the others wait outside */
        fds[i] = posencd_connect(&server);
        cr_assert_gt(send(fds[i], half, strlen(half), 0), 0);
    }
    cr_expect_eq(get(operators, "/readyz"), 200);
    for (size_t i = 1; i < 80; i++)
        (void)close(fds[i]);
    posencd_signal(&server, SIGTERM);
    cr_assert(started_says(log_fd, "msg=draining"));
    cr_expect_eq(get(operators, "/livez"), 200, "the process still runs");
    cr_expect_eq(get(operators, "/readyz"), 503, "and says that it drains");
    cr_expect_gt(read_bytes(fds[0], LLONG_MAX), 1048576LL * 64 * 4);
    (void)close(fds[0]);
    cr_expect_eq(posencd_wait(&server, PATIENCE_MS), 0);
    cr_expect_eq(get(operators, "/livez"), 0);
    (void)close(log_fd);
}

Test(listening, is_what_the_health_check_asks_wherever_it_happens)
{
    struct table_files files = table_files_new();
    static const char *const nothing[] = {NULL};
    const int log_fd = started_log();
    char unix_flag[ADDRESS_MAX], admin_flag[ADDRESS_MAX + 16], address[ADDRESS_MAX],
        output[OUTPUT_MAX];
    const char *const flags[] = {unix_flag, "--admin-listen=127.0.0.1:0", NULL};
    const char *const check_unix[] = {"--healthcheck", unix_flag, NULL};
    const char *const check_admin[] = {"--healthcheck", "--listen=127.0.0.1:1", admin_flag, NULL};
    struct posencd server;

    (void)snprintf(unix_flag, sizeof(unix_flag), "--listen=unix:%s/socket", files.path);
    server = posencd_start(flags, log_fd);
    started_address(log_fd, true, 0, address, sizeof(address));
    (void)snprintf(admin_flag, sizeof(admin_flag), "--admin-listen=%s", address);
    cr_expect_eq(posencd_run(check_unix, output, sizeof(output)), 0);
    cr_expect_eq(posencd_run(check_admin, output, sizeof(output)), 0);
    cr_expect_eq(posencd_stop(&server), 0);
    cr_expect_eq(posencd_run(check_unix, output, sizeof(output)), 1);
    cr_expect_eq(posencd_run(check_admin, output, sizeof(output)), 1);
    table_files_remove(&files, nothing);
    (void)close(log_fd);
}

/* A socket that listens on loopback, as a manager would make it: blocking, kept over exec. */
static int open_listening(char address[ADDRESS_MAX])
{
    struct sockaddr_in local = {.sin_family = AF_INET};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t size = sizeof(local);

    local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    cr_assert_eq(bind(fd, (struct sockaddr *)&local, sizeof(local)), 0);
    cr_assert_eq(listen(fd, 8), 0);
    cr_assert_eq(getsockname(fd, (struct sockaddr *)&local, &size), 0);
    (void)snprintf(address, ADDRESS_MAX, "127.0.0.1:%u", ntohs(local.sin_port));
    return fd;
}

/* Starts the server as a manager does, with sockets at descriptors 3 and 4. */
static pid_t start_activated(int callers_fd, int operators_fd)
{
    const char *program = getenv("POSENCD");
    const pid_t pid = fork();
    char number[16];

    cr_assert_geq(pid, 0);
    if (pid > 0)
        return pid;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    callers_fd = fcntl(callers_fd, F_DUPFD, 10); /* out of the way of 3 and 4 */
    operators_fd = fcntl(operators_fd, F_DUPFD, 10);
    if (dup2(callers_fd, 3) < 0 || dup2(operators_fd, 4) < 0 ||
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO) < 0)
        _exit(126);
    (void)snprintf(number, sizeof(number), "%d", (int)getpid());
    (void)setenv("LISTEN_PID", number, 1);
    (void)setenv("LISTEN_FDS", "2", 1);
    (void)setenv("LISTEN_FDNAMES", "http:admin", 1);
    (void)setenv("POSENC_LISTEN", "256.0.0.1:1", 1); /* which must not be tried */
    (void)setenv("POSENC_LOG_LEVEL", "none", 1);
    (void)execl(program ? program : "build/posencd", "posencd", (char *)NULL);
    _exit(127);
}

Test(listening, at_sockets_that_were_handed_over_leaves_them_to_the_next_server)
{
    char callers[ADDRESS_MAX], operators[ADDRESS_MAX];
    const int callers_fd = open_listening(callers), operators_fd = open_listening(operators);

    for (int run = 0; run < 2; run++) { /* clients wait in the sockets' queues until it is up */
        struct posencd server = {.pid = start_activated(callers_fd, operators_fd)};

        cr_expect_eq(get(callers, TABLE), 200);
        cr_expect_eq(get(operators, "/readyz"), 200);
        cr_expect_eq(get(operators, TABLE), 404);
        cr_expect_eq(posencd_stop(&server), 0);
    }
    (void)close(callers_fd);
    (void)close(operators_fd);
}

/* The next datagram, or "" when none comes in time. */
static const char *next_state(int manager)
{
    static char text[256];
    struct pollfd one = {.fd = manager, .events = POLLIN};
    const ssize_t got =
        poll(&one, 1, PATIENCE_MS) == 1 ? recv(manager, text, sizeof(text) - 1, 0) : 0;

    text[got > 0 ? got : 0] = '\0';
    return text;
}

Test(listening, is_told_to_the_service_manager_and_reloads_and_the_end_too)
{
    static const char *const names[] = {"notify", NULL};
    struct table_files files = table_files_new();
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct posencd server;

    (void)snprintf(address.sun_path, sizeof(address.sun_path), "%s/notify", files.path);
    cr_assert_eq(bind(manager, (struct sockaddr *)&address, sizeof(address)), 0);
    cr_assert_eq(setenv("NOTIFY_SOCKET", address.sun_path, 1), 0);
    server = posencd_start(NULL, -1);
    cr_expect_str_eq(next_state(manager), "READY=1");
    posencd_signal(&server, SIGHUP);
    cr_expect_eq(strncmp(next_state(manager), "RELOADING=1\nMONOTONIC_USEC=", 27), 0);
    cr_expect_str_eq(next_state(manager), "READY=1");
    cr_expect_eq(posencd_stop(&server), 0);
    cr_expect_str_eq(next_state(manager), "STOPPING=1");
    (void)close(manager);
    table_files_remove(&files, names);
}
