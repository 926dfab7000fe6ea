/* The log of a running server: what a line says, floods, and who does not read. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "gauge.h"
#include "posencd.h"

#define TEXT_MAX (1U << 20)
#define TRACE    "0af7651916cd43dd8448eb211c80319c"
#define PARENT   "b7ad6b7169203331"

/* Sends `count` times the request on one connection and counts the answers of that status. */
static unsigned flood(const struct posencd *server, const char *request, unsigned count,
                      const char *status)
{
    static char reply[65536];
    const int fd = posencd_connect(server);
    unsigned answers = 0, sent = 0;
    size_t kept = 0;

    while (answers < count) {
        ssize_t got;

        for (; sent < count && sent < answers + 20; sent++)
            cr_assert_eq(send(fd, request, strlen(request), MSG_NOSIGNAL),
                         (ssize_t)strlen(request));
        got = recv(fd, reply + kept, sizeof(reply) - 1 - kept, 0);
        cr_assert_gt(got, 0, "after %u answers", answers);
        kept += (size_t)got;
        reply[kept] = '\0';
        for (char *at = strstr(reply, status); at; at = strstr(reply, status)) {
            answers++;
            kept -= (size_t)(at + strlen(status) - reply);
            memmove(reply, at + strlen(status), kept + 1);
        }
        if (kept > sizeof(reply) / 2)
            kept = 0;
    }
    (void)close(fd);
    return answers;
}

/* A file for the log, gone once closed. */
static int open_log(void)
{
    char path[] = "build/test-log-XXXXXX";
    const int fd = mkstemp(path);

    cr_assert_geq(fd, 0);
    (void)unlink(path);
    return fd;
}

static char *read_log(int fd)
{
    char *text = calloc(1, TEXT_MAX + 1);

    cr_assert(text);
    cr_assert_geq(pread(fd, text, TEXT_MAX, 0), 0);
    return text;
}

static unsigned count_text(const char *in, const char *text)
{
    unsigned count = 0;

    for (const char *at = strstr(in, text); at; at = strstr(at + 1, text))
        count++;
    return count;
}

Test(logging, names_request_trace_and_no_secret)
{
    static const char request[] =
        "POST /v1/rope?secret=query HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer secret\r\n"
        "Cookie: secret\r\nX-Request-Id: my-id.7\r\ntraceparent: 00-" TRACE "-" PARENT "-01\r\n"
        "tracestate: a=b\r\nContent-Type: text/secret\r\nContent-Length: 6\r\n"
        "Connection: close\r\n\r\nsecret";
    const int log = open_log();
    struct posencd server = posencd_start(NULL, log);
    char reply[4096], *text, *line;

    (void)posencd_exchange(&server, request, sizeof(request) - 1, 3000, reply, sizeof(reply));
    cr_expect_eq(strncmp(reply, "HTTP/1.1 415 ", 13), 0, "%s", reply);
    cr_expect_eq(posencd_stop(&server), 0);
    text = read_log(log);
    line = strstr(text, " msg=request id=my-id.7 method=POST route=/v1/{encoding} path=/v1/rope "
                        "status=415 bytes=");
    cr_assert(line, "%s", text);
    cr_expect(strstr(line, " outcome=complete trace_id=" TRACE " span_id="), "%s", line);
    cr_expect(strstr(line, " parent_id=" PARENT " trace_flags=01 tracestate=\"a=b\"\n"), "%s",
              line);
    cr_expect_null(strstr(text, "secret"), "%s", text);
    cr_expect(strstr(text, "msg=drained outcome=complete\n"), "the last line is there");
    free(text);
    (void)close(log);
}

Test(logging, counts_what_a_flood_has_too_much_and_keeps_other_kinds)
{
    static const char *const flags[] = {"--max-log-lines", "20", NULL};
    const int log = open_log();
    struct posencd server = posencd_start(flags, log);
    unsigned dropped = 0, refused, count;
    char *text;

    (void)flood(&server, "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n", 1000, "HTTP/1.1 404 ");
    (void)flood(&server, "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", 5, "HTTP/1.1 200 ");
    cr_expect_eq(posencd_stop(&server), 0);
    text = read_log(log);
    refused = count_text(text, " path=/nowhere status=404 ");
    for (const char *at = text; (at = strstr(at, "refused requests a second")) != NULL; at++) {
        cr_assert_eq(sscanf(at, "refused requests a second than are logged\" count=%u", &count), 1);
        dropped += count;
    }
    cr_expect_geq(refused, 20);
    cr_expect_lt(refused, 500);
    cr_expect_eq(refused + dropped, 1000, "%u and %u", refused, dropped);
    cr_expect_eq(count_text(text, " path=/livez status=200 "), 5);
    free(text);
    (void)close(log);
}

Test(logging, answers_though_nobody_reads_the_log)
{
    static const char *const flags[] = {"--max-log-lines", "0", NULL};
    struct posencd server;
    int ends[2];

    cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
    server = posencd_start(flags, ends[1]);
    (void)close(ends[1]);
    cr_expect_eq(flood(&server, "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", 8000, "HTTP/1.1 200 "),
                 8000);
    cr_expect(gauge_reaches(&server, "posenc_log_lines_dropped_total{reason=\"slow\"}", 1000.0));
    cr_expect_eq(posencd_stop(&server), 0);
    (void)close(ends[0]);
}

Test(logging, answers_though_the_log_cannot_be_written)
{
    for (int i = 0; i < 2; i++) {
        struct posencd server;
        int ends[2] = {-1, open("/dev/full", O_WRONLY | O_CLOEXEC)};

        if (i == 1) { /* a pipe whose reader has gone */
            (void)close(ends[1]);
            cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
            (void)close(ends[0]);
        }
        cr_assert_geq(ends[1], 0);
        server = posencd_start(NULL, ends[1]);
        (void)close(ends[1]);
        (void)flood(&server, "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", 10, "HTTP/1.1 200 ");
        cr_expect(
            gauge_reaches(&server, "posenc_log_lines_dropped_total{reason=\"unwritable\"}", 1.0));
        cr_expect_eq(posencd_stop(&server), 0);
    }
}
