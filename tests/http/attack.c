#include "attack.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "prober.h"

#define ATTACK_REPLY_MAX     (256 * 1024)
#define ATTACK_DEADLINE_MS   1000  /* of heads, bodies and idle connections */
#define ATTACK_ANSWER_MS     20000 /* much, for sanitizers and machines with other work */
#define ATTACK_MORE_MS       60    /* for what must not come behind the last answer */
#define ATTACK_ATTEMPTS      3     /* where a deadline may have passed for the machine's sake */
#define ATTACK_RELEASED_MS   20000 /* for descriptors to be given back */
#define ATTACK_AGAIN         5     /* times a row is sent again before memory counts as lost */
#define ATTACK_GIVEN_BACK_MS 2000
#ifdef SANITIZED /* which keep what is freed for a while */
#define ATTACK_KEPT_BYTES (256LL << 20)
#else
#define ATTACK_KEPT_BYTES (1LL << 20)
#endif
#define ATTACK_SHOWN_MAX 160 /* bytes of a case in a message */

long long attack_now_ms(void)
{
    struct timespec now;

    cr_assert_eq(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

size_t attack_count_fds(pid_t pid)
{
    char path[64];
    size_t count = 0;
    DIR *folder;

    (void)snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
    folder = opendir(path);
    cr_assert(folder, "%s: %s", path, strerror(errno));
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        count += entry->d_name[0] != '.';
    (void)closedir(folder);
    return count;
}

long long attack_resident_bytes(pid_t pid)
{
    char path[64], line[256];
    long long kilobytes = 0, resident = 0, lazy = 0;
    FILE *file;

    (void)snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
    file = fopen(path, "r");
    cr_assert(file);
    while (fgets(line, sizeof(line), file)) {
        if (sscanf(line, "Rss: %lld kB", &kilobytes) == 1)
            resident = kilobytes;
        else if (sscanf(line, "LazyFree: %lld kB", &kilobytes) == 1)
            lazy = kilobytes;
    }
    (void)fclose(file);
    cr_assert_gt(resident, 0);
    return (resident - lazy) * 1024;
}

long long attack_cpu_ms(pid_t pid)
{
    char path[64], line[1024];
    unsigned long long user = 0, system = 0;
    const char *behind_name;
    FILE *file;

    (void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    file = fopen(path, "r");
    cr_assert(file);
    cr_assert(fgets(line, sizeof(line), file));
    (void)fclose(file);
    behind_name = strrchr(line, ')');
    cr_assert(behind_name);
    cr_assert_eq(sscanf(behind_name, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu",
                        &user, &system),
                 2);
    return (long long)(user + system) * 1000 / sysconf(_SC_CLK_TCK);
}

/* Waits until a number is no larger than it may be; what it was last. */
static long long await_most(long long (*look)(pid_t pid), pid_t pid, long long most, int limit_ms)
{
    const long long end = attack_now_ms() + limit_ms;
    long long now = look(pid);

    for (; now > most && attack_now_ms() < end; now = look(pid))
        (void)poll(NULL, 0, 5);
    return now;
}

static long long look_at_fds(pid_t pid)
{
    return (long long)attack_count_fds(pid);
}

size_t attack_await_fds(pid_t pid, size_t most)
{
    return (size_t)await_most(look_at_fds, pid, (long long)most, ATTACK_RELEASED_MS);
}

long long attack_await_resident(pid_t pid, long long most)
{
    return await_most(attack_resident_bytes, pid, most, ATTACK_RELEASED_MS);
}

/* The server tells its libmicrohttpd in the first line of its log, and where it listens in the last
 * one before any request: all of them are read here, so that the others are those of requests. */
static bool is_newer_library(int log_fd)
{
    char log[8192] = "";
    size_t used = 0;
    const char *version;

    while (!strstr(log, " for=callers\n")) {
        const ssize_t got = read(log_fd, log + used, sizeof(log) - 1 - used);

        cr_assert(got > 0 || (got < 0 && errno == EAGAIN), "the log ends: %s", log);
        used += got > 0 ? (size_t)got : 0;
        log[used] = '\0';
        (void)poll(NULL, 0, 1);
    }
    version = strstr(log, "libmicrohttpd=");
    cr_assert(version, "%s", log);
    return version[strlen("libmicrohttpd=")] != '0';
}

struct attacked attack_start(const char *const flags[])
{
    const char *all[POSENCD_FLAGS_MAX + 1] = {"--head-timeout=1", "--body-timeout=1",
                                              "--idle-timeout=1"};
    struct attacked attacked;
    size_t count = 3;
    int ends[2];

    for (; flags && *flags && count < POSENCD_FLAGS_MAX; flags++)
        all[count++] = *flags;
    cr_assert_eq(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    attacked.server = posencd_start(all, ends[1]);
    attacked.is_newer = is_newer_library(ends[0]);
    (void)close(ends[1]);
    /* Who does not read it leaves a full pipe behind: the log must not matter. */
    attacked.log_fd = ends[0];
    attacked.lines = attacked.lines_max = 0;
    attacked.is_warm = false;
    attacked.fds = attack_count_fds(attacked.server.pid);
    return attacked;
}

void attack_stop(struct attacked *attacked)
{
    size_t fds;

    cr_expect_eq(attack_get(&attacked->server, "/livez", NULL), 200);
    fds = attack_await_fds(attacked->server.pid, attacked->fds);
    cr_expect_leq(fds, attacked->fds, "descriptors are lost: %zu, once %zu", fds, attacked->fds);
    cr_expect_eq(posencd_stop(&attacked->server), 0);
}

int attack_get(const struct posencd *server, const char *target, long long *ms)
{
    const long long start = attack_now_ms();
    char request[512], reply[4096];
    int status = 0;

    (void)snprintf(request, sizeof(request),
                   "GET %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", target);
    (void)posencd_exchange(server, request, strlen(request), ATTACK_ANSWER_MS, reply,
                           sizeof(reply));
    (void)sscanf(reply, "HTTP/1.1 %d", &status);
    if (ms)
        *ms = attack_now_ms() - start;
    return status;
}

char *attack_bytes(const struct attack_case *one, size_t *size)
{
    const size_t before = strlen(one->before), after = one->after ? strlen(one->after) : 0;
    const size_t fill = one->fill ? strlen(one->fill) : 0;
    char *const bytes = malloc(before + fill * one->times + after + 1);
    char *at = bytes;

    cr_assert(bytes);
    at = stpcpy(at, one->before);
    for (size_t i = 0; i < one->times; i++)
        at = stpcpy(at, one->fill);
    if (one->after)
        at = stpcpy(at, one->after);
    *size = (size_t)(at - bytes);
    for (size_t i = 0; i < *size; i++) {
        if (bytes[i] == NUL[0])
            bytes[i] = '\0';
    }
    return bytes;
}

/* The value of a header in [head, end), or NULL. */
static const char *find_header(const char *head, const char *end, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = memchr(head, '\n', (size_t)(end - head)); at && at < end;
         at = memchr(at, '\n', (size_t)(end - at))) {
        at++;
        if ((size_t)(end - at) > length && strncasecmp(at, name, length) == 0 && at[length] == ':')
            return at + length + 1 + strspn(at + length + 1, " ");
    }
    return NULL;
}

/* Appends what one answer says; returns where it ends. */
static const char *add_answer(const char *answer, const char *end, bool *keeps, char *outcome)
{
    static const char type[] = "\"type\":\"urn:posenc:problem:";
    const char *body = memmem(answer, (size_t)(end - answer), "\r\n\r\n", 4), *value, *slug;
    size_t used = strlen(outcome), length = 0;

    body = body ? body + 4 : end;
    if ((size_t)(end - body) > 9 && memcmp(body, "HTTP/1.1 ", 9) == 0)
        return body; /* libmicrohttpd 0.9.75 writes the head of some refusals twice */
    value = find_header(answer, body, "Content-Length");
    if (value)
        length = strtoul(value, NULL, 10);
    slug = memmem(body, (size_t)(end - body), type, strlen(type));
    value = find_header(answer, body, "Connection");
    *keeps = !value || strncasecmp(value, "close", 5) != 0;
    used += (size_t)snprintf(outcome + used, ATTACK_OUTCOME_MAX - used, "%s%.3s", used ? ", " : "",
                             answer + 9);
    value = find_header(answer, body, "Content-Type");
    if (value && strncmp(value, "application/problem+json", 24) == 0 && slug)
        used += (size_t)snprintf(outcome + used, ATTACK_OUTCOME_MAX - used, " %.*s",
                                 (int)strcspn(slug + strlen(type), "\""), slug + strlen(type));
    else if ((size_t)(end - body) > 6 && memcmp(body, "<html>", 6) == 0)
        used += (size_t)snprintf(outcome + used, ATTACK_OUTCOME_MAX - used, " html");
    if (*keeps)
        (void)snprintf(outcome + used, ATTACK_OUTCOME_MAX - used, " keep");
    return (size_t)(end - body) > length ? body + length : end;
}

void attack_outcome(const char *reply, size_t size, bool is_closed, char *outcome)
{
    const char *const end = reply + size;
    bool keeps = false;

    outcome[0] = '\0';
    for (const char *at = reply; at < end;) {
        if ((size_t)(end - at) < 13 || memcmp(at, "HTTP/1.1 ", 9) != 0) {
            (void)strncat(outcome, ", garbage", ATTACK_OUTCOME_MAX - strlen(outcome) - 1);
            break;
        }
        at = add_answer(at, end, &keeps, outcome);
        if (strlen(outcome) > ATTACK_OUTCOME_MAX - 64)
            break;
    }
    if (outcome[0] == '\0')
        (void)strcpy(outcome, "none");
    if (is_closed == keeps)
        (void)strncat(outcome, is_closed ? ", closed" : " open",
                      ATTACK_OUTCOME_MAX - strlen(outcome) - 1);
}

/* Whether what has come is one or more whole answers of which the last keeps the connection: those
 * that are expected, if any are. */
static bool is_answered(const char *reply, size_t size, const char *expected)
{
    char outcome[ATTACK_OUTCOME_MAX];

    attack_outcome(reply, size, false, outcome);
    if (expected)
        return strcmp(outcome, expected) == 0;
    return strlen(outcome) > 5 && strcmp(outcome + strlen(outcome) - 5, " keep") == 0;
}

/* Sends all and reads all at the same time, until the server closes or has said all it will. */
static bool converse(int fd, const char *bytes, size_t size, const char *expected, char *reply,
                     size_t *used)
{
    const long long end = attack_now_ms() + ATTACK_ANSWER_MS + (long long)(size >> 12);
    size_t sent = 0;

    while (attack_now_ms() < end) {
        struct pollfd one = {.fd = fd, .events = (short)(POLLIN | (sent < size ? POLLOUT : 0))};
        const bool is_done = sent == size && is_answered(reply, *used, expected);
        ssize_t got = 1;

        if (poll(&one, 1, is_done ? ATTACK_MORE_MS : ATTACK_ANSWER_MS) == 0)
            return false;
        if (one.revents & POLLIN) {
            got = recv(fd, reply + *used, ATTACK_REPLY_MAX - *used, 0);
            *used += got > 0 ? (size_t)got : 0;
        } else if (one.revents & POLLOUT) {
            got = send(fd, bytes + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
            sent = got > 0 ? sent + (size_t)got : size; /* it does not listen any more */
            got = 1;
        } else {
            got = 0;
        }
        if (got <= 0 || *used == ATTACK_REPLY_MAX)
            return true;
    }
    return false;
}

/* The beginning of a case on one line, for messages. */
static const char *printable(const char *bytes, size_t size)
{
    static char text[ATTACK_SHOWN_MAX * 4 + 1];
    size_t used = 0;

    for (size_t i = 0; i < size && i < ATTACK_SHOWN_MAX; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used,
                                 bytes[i] >= ' ' && bytes[i] < 0x7f ? "%c" : "\\x%02x",
                                 (unsigned char)bytes[i]);
    return text;
}

/* One of some probes, since the machine may have had something else to do. */
static void expect_prompt(struct attacked *attacked, const char *row)
{
    double ms = PROBER_PROMPT_MS + 1;

    for (int i = 0; i < PROBER_ATTEMPTS && ms > PROBER_PROMPT_MS; i++) {
        ms = prober_ask_alone(&attacked->server);
        attacked->lines_max++;
        cr_expect_geq(ms, 0.0, "others are not served after %s", row);
    }
    cr_expect_leq(ms, (double)PROBER_PROMPT_MS, "%s makes others wait %.0f ms", row, ms);
}

/* A line that comes late counts for a later row, and has been allowed by then. */
static void expect_few_lines(struct attacked *attacked, const char *row)
{
    char log[16384];
    ssize_t got;

    while ((got = read(attacked->log_fd, log, sizeof(log))) > 0)
        for (ssize_t i = 0; i < got; i++)
            attacked->lines += log[i] == '\n';
    cr_expect_leq(attacked->lines, attacked->lines_max, "%s: %zu lines of log, not %zu", row,
                  attacked->lines, attacked->lines_max);
}

static size_t count_answers(const char *outcome)
{
    size_t count = 1;

    for (const char *at = strchr(outcome, ','); at; at = strchr(at + 1, ','))
        count += at[2] >= '1' && at[2] <= '5';
    return count;
}

/* What a thread makes once and keeps, or has given back to its allocator, is not what a row leaves
 * behind: the largest of these takes some MiB for a moment. */
static void warm_up(struct attacked *attacked)
{
    static const char *const targets[] = {
        "/v1/sinusoidal?length=99&dim=64",
        "/v1/sinusoidal?length=99&dim=64&format=svg",
        "/v1/alibi?heads=65536&query_length=2&key_length=2&format=csv",
        "/v1/encodings",
        "/nowhere",
    };
    enum { EACH = 8, COUNT = sizeof(targets) / sizeof(*targets) };

    for (size_t i = 0; i < (size_t)EACH * COUNT; i++)
        (void)attack_get(&attacked->server, targets[i / EACH], NULL);
    attacked->lines_max += (size_t)EACH * COUNT;
    attacked->is_warm = true;
}

/* On a fresh connection. */
static void exchange(struct attacked *attacked, const char *bytes, size_t size,
                     const char *expected, char *outcome)
{
    static char reply[ATTACK_REPLY_MAX];
    const int fd = posencd_connect(&attacked->server);
    size_t used = 0;
    const bool is_closed = converse(fd, bytes, size, expected, reply, &used);

    attack_outcome(reply, used, is_closed, outcome);
    (void)close(fd);
    attacked->lines_max += count_answers(outcome);
}

/* A machine that stands still for a second lets a deadline pass that is not meant: another outcome
 * than the expected one counts when it has come sooner, or each time. */
static void exchange_in_time(struct attacked *attacked, const char *bytes, size_t size,
                             const char *expected, char *outcome)
{
    for (int i = 0; i < ATTACK_ATTEMPTS; i++) {
        const long long start = attack_now_ms();

        exchange(attacked, bytes, size, expected, outcome);
        if (!expected || strcmp(outcome, expected) == 0 ||
            attack_now_ms() - start < ATTACK_DEADLINE_MS)
            return;
    }
}

/* Allocators keep some of what was freed, once for each thread; what is lost, is lost each time. */
static void expect_memory_back(struct attacked *attacked, const char *row, const char *bytes,
                               size_t size, long long before)
{
    const pid_t pid = attacked->server.pid;
    char ignored[ATTACK_OUTCOME_MAX];
    long long after =
        await_most(attack_resident_bytes, pid, before + ATTACK_KEPT_BYTES, ATTACK_GIVEN_BACK_MS);

    for (int i = 0; i < ATTACK_AGAIN && after > before + ATTACK_KEPT_BYTES; i++) {
        before = after;
        exchange(attacked, bytes, size, NULL, ignored);
        after = await_most(attack_resident_bytes, pid, before + ATTACK_KEPT_BYTES,
                           ATTACK_GIVEN_BACK_MS);
    }
    cr_expect_leq(after, before + ATTACK_KEPT_BYTES, "%s: %lld bytes more each time", row,
                  after - before);
}

void attack_send(struct attacked *attacked, const char *row, const char *bytes, size_t size,
                 const char *expected, char *outcome)
{
    long long before;
    size_t fds;

    if (!attacked->is_warm)
        warm_up(attacked);
    before = attack_resident_bytes(attacked->server.pid);
    exchange_in_time(attacked, bytes, size, expected, outcome);
    expect_prompt(attacked, row);
    fds = attack_await_fds(attacked->server.pid, attacked->fds);
    cr_expect_leq(fds, attacked->fds, "%s: %zu descriptors are left, not %zu", row, fds,
                  attacked->fds);
    expect_memory_back(attacked, row, bytes, size, before);
    expect_few_lines(attacked, row);
}

void attack_run(struct attacked *attacked, const struct attack_case *one)
{
    const char *const expected =
        attacked->is_newer && one->newer_outcome ? one->newer_outcome : one->outcome;
    char outcome[ATTACK_OUTCOME_MAX];
    size_t size;
    char *const bytes = attack_bytes(one, &size);

    attack_send(attacked, one->row, bytes, size, expected, outcome);
    cr_expect_str_eq(outcome, expected, "%s: \"%s\", not \"%s\": %s", one->row, outcome, expected,
                     printable(bytes, size));
    free(bytes);
}
