/* Bearer tokens end to end: who gets in, what is refused before it is read, and files that change
 * while requests run. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>

#include "client.h"
#include "posencd.h"
#include "table_files.h"

#define REPLY_MAX   65536
#define QUIET_MS    20000 /* no reply within this time counts as none; much, for sanitizers */
#define PATIENCE_MS 20000 /* for what a reload must have done */
#define STEP_MS     5
#define ASKERS      3
#define ROTATIONS   30

/* Digests by sha256sum of coreutils. */
#define FIRST      "first-token-0123456789"
#define FIRST_LINE "first:sha256:d10d0f9977f6621d30628f0196c90b206e4c8fe1c698cae08622749b4328b591\n"
#define SECOND     "second-token-0123456789"
#define SECOND_LINE                                                                                \
    "second:sha256:27f11cd7cbbf36c6d1b8504ef9485ac46f813bc4472d57f1f1026e8103b45444\n"
#define TABLE "/v1/sinusoidal?length=2&dim=4"

static const char *const names[] = {"tokens", NULL};

static void pause_ms(long ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    (void)nanosleep(&time, NULL);
}

static void write_tokens(const struct table_files *files, const char *text)
{
    table_files_write(files, "tokens", text, strlen(text));
}

/* A server that reads the file "tokens" there. */
static struct posencd start(const struct table_files *files, const char *log_level, int log_fd)
{
    char path[TABLE_FILES_PATH_MAX + 16];
    const char *const flags[] = {"--auth-tokens", path, "--log-level", log_level, NULL};

    (void)snprintf(path, sizeof(path), "%s/tokens", files->path);
    return posencd_start(flags, log_fd);
}

/* GET with a token, or without one. */
static struct client_reply get(struct client *client, const struct posencd *server,
                               const char *path, const char *token)
{
    char url[256], header[128];
    const char *const headers[] = {header, NULL};

    (void)snprintf(url, sizeof(url), "%s%s", server->url, path);
    (void)snprintf(header, sizeof(header), "Authorization: Bearer %s", token ? token : "");
    return client_ask(client, &(struct client_request){
                                  .method = "GET", .url = url, .headers = token ? headers : NULL});
}

static long status_of(struct client *client, const struct posencd *server, const char *path,
                      const char *token)
{
    struct client_reply reply = get(client, server, path, token);
    const long status = reply.status;

    client_release(&reply);
    return status;
}

/* Asks until the status is that. */
static bool comes_to_answer(struct client *client, const struct posencd *server, const char *token,
                            long status)
{
    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        if (status_of(client, server, TABLE, token) == status)
            return true;
        pause_ms(STEP_MS);
    }
    return false;
}

static bool is_logged(int log_fd, const char *text)
{
    char log[REPLY_MAX];

    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        const ssize_t size = pread(log_fd, log, sizeof(log) - 1, 0);

        log[size > 0 ? size : 0] = '\0';
        if (strstr(log, text))
            return true;
        pause_ms(STEP_MS);
    }
    return false;
}

Test(tokens, let_their_holders_in_and_nobody_else)
{
    static const struct {
        const char *path, *token;
        long status;
        const char *challenge;
    } rows[] = {
        {TABLE, NULL, 401, "Bearer realm=\"posenc\""},
        {TABLE, "nobody-knows-this-token", 401, "Bearer realm=\"posenc\", error=\"invalid_token\""},
        {TABLE, FIRST, 200, ""},
        {TABLE, SECOND, 200, ""},
        {"/", NULL, 401, "Bearer realm=\"posenc\""},
        {"/openapi.json", NULL, 401, "Bearer realm=\"posenc\""},
        {"/version", NULL, 401, "Bearer realm=\"posenc\""},
        {"/nowhere", NULL, 401, "Bearer realm=\"posenc\""},
        {"/nowhere", FIRST, 404, ""},
        {"/explorer/explorer.js", NULL, 200, ""},
        {"/explorer/nothing", NULL, 404, ""},
        {"/livez", NULL, 200, ""},
        {"/readyz", NULL, 200, ""},
        {"/readyz", "nobody-knows-this-token", 200, ""},
        {"/livez/", NULL, 401, "Bearer realm=\"posenc\""},
    };
    struct table_files files = table_files_new();
    struct client *client = client_new();
    struct posencd server;
    char value[128];

    write_tokens(&files, "# two of them\n" FIRST_LINE SECOND_LINE);
    server = start(&files, "info", -1);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct client_reply reply = get(client, &server, rows[i].path, rows[i].token);

        cr_expect_eq(reply.status, rows[i].status, "row %zu: %ld", i, reply.status);
        cr_expect_str_eq(client_header(&reply, "WWW-Authenticate", value, sizeof(value)),
                         rows[i].challenge, "row %zu", i);
        if (reply.status == 401)
            cr_expect_str_eq(client_header(&reply, "Content-Type", value, sizeof(value)),
                             "application/problem+json");
        client_release(&reply);
    }
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&files, names);
}

Test(tokens, are_not_asked_for_unless_the_operator_wants_them)
{
    struct posencd server = posencd_start(NULL, -1);
    struct client *client = client_new();
    struct client_reply reply = get(client, &server, "/openapi.json", NULL);

    cr_expect_eq(reply.status, 200);
    cr_expect_not(strstr(reply.body, "securitySchemes"));
    cr_expect_not(strstr(reply.body, "\"401\""));
    client_release(&reply);
    cr_expect_eq(status_of(client, &server, TABLE, "anything"), 200);
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
}

Test(tokens, are_told_by_the_openapi_document)
{
    struct table_files files = table_files_new();
    struct client *client = client_new();
    struct client_reply reply;
    struct posencd server;

    write_tokens(&files, FIRST_LINE);
    server = start(&files, "info", -1);
    reply = get(client, &server, "/openapi.json", FIRST);
    cr_expect_eq(reply.status, 200);
    cr_expect(strstr(reply.body, "\"security\":[{\"token\":[]}]"));
    cr_expect(strstr(reply.body, "\"type\":\"http\",\"scheme\":\"bearer\""));
    client_release(&reply);
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&files, names);
}

/* Heads alone: had the server waited for a byte of the body, nothing would come back. */
Test(tokens, that_are_missing_refuse_an_upload_before_its_body_is_read)
{
    static const char *const heads[] = {
        "POST /v1/rope HTTP/1.1\r\nHost: a\r\nContent-Length: 60000000\r\n\r\n",
        "POST /v1/rope HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST /v1/rope HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n",
        "POST /v1/rope HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " FIRST "x\r\n"
        "Content-Length: 60000000\r\n\r\n",
    };
    struct table_files files = table_files_new();
    struct posencd server;
    char reply[REPLY_MAX];

    write_tokens(&files, FIRST_LINE);
    server = start(&files, "info", -1);
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
        cr_expect(posencd_exchange(&server, heads[i], strlen(heads[i]), QUIET_MS, reply, REPLY_MAX),
                  "row %zu stays open", i);
        cr_expect_eq(strncmp(reply, "HTTP/1.1 401 ", 13), 0, "row %zu: %s", i, reply);
        cr_expect(strstr(reply, "WWW-Authenticate: Bearer"), "row %zu: %s", i, reply);
    }
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&files, names);
}

Test(tokens, leave_their_names_in_the_log_and_nothing_else)
{
    const int log_fd = memfd_create("log", MFD_CLOEXEC);
    struct table_files files = table_files_new();
    struct client *client = client_new();
    char log[REPLY_MAX] = "";
    struct posencd server;

    cr_assert_geq(log_fd, 0);
    write_tokens(&files, FIRST_LINE);
    server = start(&files, "info", log_fd);
    cr_expect_eq(status_of(client, &server, TABLE, FIRST), 200);
    cr_expect_eq(status_of(client, &server, TABLE, SECOND), 401);
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
    cr_assert_gt(pread(log_fd, log, sizeof(log) - 1, 0), 0);
    cr_expect(strstr(log, "msg=\"auth-tokens read\" tokens=1"), "%s", log);
    cr_expect(strstr(log, "token=first"), "%s", log);
    cr_expect_not(strstr(log, FIRST), "%s", log);
    cr_expect_not(strstr(log, SECOND), "%s", log);
    cr_expect_not(strstr(log, "d10d0f99"), "%s", log);
    table_files_remove(&files, names);
    (void)close(log_fd);
}

Test(tokens, file_that_is_bad_at_start_ends_it_with_one_line_and_status_2)
{
    static const struct {
        const char *text, *words;
    } rows[] = {{"", "no token"}, {FIRST "\n", "line 1"}, {FIRST_LINE FIRST_LINE, "line 2"}};
    struct table_files files = table_files_new();
    char path[TABLE_FILES_PATH_MAX + 16], output[REPLY_MAX];
    const char *const flags[] = {"--listen=127.0.0.1:0", "--auth-tokens", path, NULL};

    (void)snprintf(path, sizeof(path), "%s/tokens", files.path);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        write_tokens(&files, rows[i].text);
        cr_expect_eq(posencd_run(flags, output, sizeof(output)), 2, "row %zu", i);
        cr_expect(strstr(output, rows[i].words), "row %zu: %s", i, output);
        cr_expect(strstr(output, path), "row %zu: %s", i, output);
        cr_expect_eq(strcspn(output, "\n"), strlen(output) - 1, "row %zu: %s", i, output);
        cr_expect_not(strstr(output, FIRST), "row %zu: %s", i, output);
    }
    table_files_remove(&files, names);
    cr_expect_eq(posencd_run(flags, output, sizeof(output)), 2);
    cr_expect(strstr(output, "No such file"), "%s", output);
}

struct asker {
    const struct posencd *server;
    atomic_bool *is_over;
    size_t asked, refused;
};

static void *ask_with_second(void *context)
{
    struct asker *asker = context;
    struct client *client = client_new();

    for (; !atomic_load(asker->is_over); asker->asked++) {
        asker->refused += status_of(client, asker->server, TABLE, SECOND) != 200;
        pause_ms(1);
    }
    client_free(client);
    return NULL;
}

Test(tokens, rotate_under_load_without_refusing_those_that_stay)
{
    const int log_fd = memfd_create("log", MFD_CLOEXEC);
    struct table_files files = table_files_new();
    struct client *client = client_new();
    struct asker askers[ASKERS];
    pthread_t threads[ASKERS];
    atomic_bool is_over = false;
    struct posencd server;

    write_tokens(&files, FIRST_LINE SECOND_LINE);
    server = start(&files, "error", log_fd);
    for (size_t i = 0; i < ASKERS; i++) {
        askers[i] = (struct asker){.server = &server, .is_over = &is_over};
        cr_assert_eq(pthread_create(&threads[i], NULL, ask_with_second, &askers[i]), 0);
    }
    for (size_t i = 0; i < ROTATIONS; i++) {
        write_tokens(&files, i % 2 ? FIRST_LINE SECOND_LINE : SECOND_LINE);
        posencd_signal(&server, SIGHUP);
        cr_expect(comes_to_answer(client, &server, FIRST, i % 2 ? 200 : 401), "rotation %zu", i);
    }
    write_tokens(&files, FIRST "\n");
    posencd_signal(&server, SIGHUP);
    cr_expect(is_logged(log_fd, "level=error msg=\"auth-tokens kept as they were\" "
                                "reason=\"line 1 is not"));
    cr_expect_eq(status_of(client, &server, TABLE, FIRST), 200);
    atomic_store(&is_over, true);
    for (size_t i = 0; i < ASKERS; i++) {
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
        cr_expect_gt(askers[i].asked, 0);
        cr_expect_eq(askers[i].refused, 0, "%zu of %zu", askers[i].refused, askers[i].asked);
    }
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&files, names);
    (void)close(log_fd);
}

Test(tokens, are_hashed_by_the_program_itself)
{
    const char *program = getenv("POSENCD");
    char command[512], line[256] = "";
    FILE *pipe;

    (void)snprintf(command, sizeof(command), "printf %s | '%s' --hash-token=first", FIRST,
                   program ? program : "build/posencd");
    pipe = popen(command, "r");
    cr_assert(pipe);
    cr_assert(fgets(line, sizeof(line), pipe));
    cr_expect_eq(pclose(pipe), 0);
    cr_expect_str_eq(line, FIRST_LINE);
}
