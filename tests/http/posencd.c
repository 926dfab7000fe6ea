#include "posencd.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define POSENCD_START_MS 20000 /* sanitizers make a start slow */
#define POSENCD_STOP_MS  30000
#define POSENCD_STEP_MS  10
#define POSENCD_READ_S   30 /* sanitizers compute slowly, and so do machines with other work */

static const char *posencd_path(void)
{
    const char *path = getenv("POSENCD");

    return path ? path : "build/posencd";
}

/* In the child: never returns. */
static void posencd_exec(const char *const first[], const char *const flags[], int out, int log)
{
    const char *argv[POSENCD_FLAGS_MAX + 4] = {posencd_path()};
    size_t count = 1;

    for (size_t i = 0; first && first[i]; i++)
        argv[count++] = first[i];
    for (size_t i = 0; flags && flags[i] && i < POSENCD_FLAGS_MAX; i++)
        argv[count++] = flags[i];
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* a failed test must leave no server behind */
    if (log < 0)
        log = open("/dev/null", O_WRONLY);
    if (dup2(out, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
        _exit(126);
    (void)execv(argv[0], (char *const *)(void *)argv);
    _exit(127);
}

static int posencd_wait_readable(int fd, int timeout_ms)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};

    return poll(&one, 1, timeout_ms);
}

/* Reads one line, without its end; false when none comes. */
static bool posencd_read_line(int fd, char *line, size_t size)
{
    size_t used = 0;

    while (used + 1 < size && posencd_wait_readable(fd, POSENCD_START_MS) == 1 &&
           read(fd, line + used, 1) == 1) {
        if (line[used] == '\n') {
            line[used] = '\0';
            return true;
        }
        used++;
    }
    return false;
}

struct posencd posencd_start(const char *const flags[], int log_fd)
{
    static const char *const first[] = {"--listen", "127.0.0.1:0", NULL};
    struct posencd server = {0};
    char line[256];
    int out[2];

    cr_assert_eq(pipe2(out, O_CLOEXEC), 0);
    server.pid = fork();
    cr_assert_geq(server.pid, 0);
    if (server.pid == 0)
        posencd_exec(first, flags, out[1], log_fd);
    (void)close(out[1]);
    cr_assert(posencd_read_line(out[0], line, sizeof(line)), "%s does not start", posencd_path());
    (void)close(out[0]);
    cr_assert_eq(sscanf(line, "posencd listening on %63s", server.url), 1, "said \"%s\"", line);
    cr_assert_eq(sscanf(server.url, "http%*[s:/]127.0.0.1:%u", &server.port), 1);
    return server;
}

int posencd_run(const char *const flags[], char *output, size_t size)
{
    int out[2], status = 0;
    size_t used = 0;
    ssize_t got;
    pid_t pid;

    cr_assert_eq(pipe2(out, O_CLOEXEC), 0);
    pid = fork();
    cr_assert_geq(pid, 0);
    if (pid == 0)
        posencd_exec(NULL, flags, out[1], out[1]);
    (void)close(out[1]);
    while (used + 1 < size && (got = read(out[0], output + used, size - 1 - used)) > 0)
        used += (size_t)got;
    output[used] = '\0';
    (void)close(out[0]);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void posencd_signal(const struct posencd *server, int number)
{
    cr_assert_eq(kill(server->pid, number), 0);
}

int posencd_wait(struct posencd *server, int timeout_ms)
{
    const struct timespec step = {.tv_nsec = POSENCD_STEP_MS * 1000000L};
    int status;

    for (int waited = 0; waited <= timeout_ms; waited += POSENCD_STEP_MS) {
        if (waitpid(server->pid, &status, WNOHANG) == server->pid)
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        (void)nanosleep(&step, NULL);
    }
    (void)kill(server->pid, SIGKILL);
    (void)waitpid(server->pid, &status, 0);
    return -1;
}

int posencd_stop(struct posencd *server)
{
    posencd_signal(server, SIGTERM);
    return posencd_wait(server, POSENCD_STOP_MS);
}

int posencd_connect(const struct posencd *server)
{
    const struct timeval limit = {.tv_sec = POSENCD_READ_S};
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((in_port_t)server->port)};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    cr_assert_geq(fd, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    cr_assert_eq(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)), 0);
    cr_assert_eq(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    return fd;
}

int posencd_read_answer(int fd, char *reply, size_t size)
{
    char scrap[16384];
    size_t used = 0, got_bytes = 0, wanted = SIZE_MAX;
    int status = 0;

    reply[0] = '\0';
    while (got_bytes < wanted) {
        const ssize_t got = recv(fd, scrap, sizeof(scrap), 0);
        const size_t room = size - 1 - used;
        const char *end, *length;

        if (got <= 0)
            return 0;
        memcpy(reply + used, scrap, (size_t)got < room ? (size_t)got : room);
        used += (size_t)got < room ? (size_t)got : room;
        reply[used] = '\0';
        got_bytes += (size_t)got;
        end = strstr(reply, "\r\n\r\n");
        length = strstr(reply, "Content-Length: ");
        if (wanted == SIZE_MAX && end && length)
            wanted = (size_t)(end - reply) + 4 + strtoul(length + 16, NULL, 10);
    }
    (void)sscanf(reply, "HTTP/1.1 %d", &status);
    return status;
}

bool posencd_read(int fd, int quiet_ms, char *reply, size_t size)
{
    char scrap[4096];
    size_t used = 0;
    bool is_closed = false;

    while (!is_closed && posencd_wait_readable(fd, quiet_ms) == 1) {
        const ssize_t got = recv(fd, scrap, sizeof(scrap), 0);
        const size_t room = size - 1 - used;

        is_closed = got <= 0;
        if (is_closed)
            break;
        memcpy(reply + used, scrap, (size_t)got < room ? (size_t)got : room);
        used += (size_t)got < room ? (size_t)got : room;
    }
    reply[used] = '\0';
    return is_closed;
}

bool posencd_exchange(const struct posencd *server, const char *bytes, size_t count, int quiet_ms,
                      char *reply, size_t size)
{
    const int fd = posencd_connect(server);
    bool is_closed;

    /* The server may refuse before it has read all. */
    (void)send(fd, bytes, count, MSG_NOSIGNAL);
    is_closed = posencd_read(fd, quiet_ms, reply, size);
    (void)close(fd);
    return is_closed;
}
