/* The operator's tables end to end: start, SIGHUP, and requests that run meanwhile. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>

#include "client.h"
#include "posencd.h"
#include "table_files.h"

#define PATIENCE_MS 20000 /* for what a reload must have done; generous for sanitizers */
#define STEP_MS     5
#define ASKERS      3
#define RELOADS     40
#define RELOADS_MAX 4000 /* where requests are slow */
#define ROWS        100  /* of a table that is asked for: 3200 bytes */
#define DIM         8

static const char *const names[] = {"a.npy", "bad.npy", NULL};

static void pause_ms(long ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    (void)nanosleep(&time, NULL);
}

static struct client_reply get(struct client *client, const struct posencd *server,
                               const char *path)
{
    char url[256];

    (void)snprintf(url, sizeof(url), "%s%s", server->url, path);
    return client_ask(client, &(struct client_request){.method = "GET", .url = url});
}

/* Asks until the reply contains the text. */
static bool comes_to_say(struct client *client, const struct posencd *server, const char *path,
                         const char *text)
{
    bool is_said = false;

    for (int waited = 0; !is_said && waited < PATIENCE_MS; waited += STEP_MS) {
        struct client_reply reply = get(client, server, path);

        is_said = reply.body && strstr(reply.body, text);
        client_release(&reply);
        if (!is_said)
            pause_ms(STEP_MS);
    }
    return is_said;
}

/* Waits until the log, a file, contains the text. */
static bool is_logged(int log_fd, const char *text)
{
    char log[32768];

    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        const ssize_t size = pread(log_fd, log, sizeof(log) - 1, 0);

        log[size > 0 ? size : 0] = '\0';
        if (strstr(log, text))
            return true;
        pause_ms(STEP_MS);
    }
    return false;
}

Test(tables, that_are_bad_at_start_end_it_with_one_line_and_status_2)
{
    static const struct {
        const char *bytes, *limit, *words;
    } rows[] = {{"no table", "1GiB", "bad.npy is no npy file: at byte 0"},
                {"", "1GiB", "bad.npy is no npy file: at byte 0"},
                {"123456789", "8", "bad.npy has 9 bytes"}};
    struct table_files files = table_files_new();

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *const flags[] = {"--tables", files.path, "--max-tables-bytes", rows[i].limit,
                                     NULL};
        char output[2048];

        table_files_write(&files, "bad.npy", rows[i].bytes, strlen(rows[i].bytes));
        cr_expect_eq(posencd_run(flags, output, sizeof(output)), 2, "%s", output);
        cr_expect_not_null(strstr(output, rows[i].words), "%s", output);
        cr_expect_eq(strchr(output, '\n'), output + strlen(output) - 1, "%s", output);
    }
    table_files_remove(&files, names);
}

Test(tables, are_read_again_on_a_hangup)
{
    struct table_files files = table_files_new();
    const char *const flags[] = {"--tables", files.path, NULL};

    table_files_write_npy(&files, "a.npy", 3, 2, 0.25f);
    struct posencd server = posencd_start(flags, -1);
    struct client *client = client_new();

    cr_expect(comes_to_say(client, &server, "/v1/learned?table_file=a.npy&positions=2",
                           "\"data\":[[0.25,0.25]]"));
    cr_expect(comes_to_say(client, &server, "/v1/tables", "\"shape\":[3,2]"));
    table_files_write_npy(&files, "a.npy", 5, 2, 0.5f);
    cr_expect(comes_to_say(client, &server, "/v1/tables", "\"shape\":[3,2]"));
    posencd_signal(&server, SIGHUP);
    cr_expect(comes_to_say(client, &server, "/v1/tables", "\"shape\":[5,2]"));
    cr_expect(comes_to_say(client, &server, "/v1/learned?table_file=a.npy&positions=4",
                           "\"data\":[[0.5,0.5]]"));
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&files, names);
}

Test(tables, that_are_bad_on_a_hangup_leave_the_old_ones)
{
    struct table_files files = table_files_new();
    const char *const flags[] = {"--tables", files.path, NULL};
    const int log_fd = memfd_create("log", MFD_CLOEXEC);

    table_files_write_npy(&files, "a.npy", 3, 2, 0.25f);
    struct posencd server = posencd_start(flags, log_fd);
    struct client *client = client_new();

    table_files_write_npy(&files, "a.npy", 3, 2, 0.5f);
    table_files_write(&files, "bad.npy", "\x93NUMPY\x01", 7);
    posencd_signal(&server, SIGHUP);
    cr_expect(
        is_logged(log_fd, "level=error msg=\"tables kept as they were\" reason=\"bad.npy is"));
    cr_expect(comes_to_say(client, &server, "/v1/learned?table_file=a.npy&positions=2",
                           "\"data\":[[0.25,0.25]]"));
    cr_assert_eq(unlinkat(files.fd, "bad.npy", 0), 0);
    posencd_signal(&server, SIGHUP);
    cr_expect(comes_to_say(client, &server, "/v1/learned?table_file=a.npy&positions=2",
                           "\"data\":[[0.5,0.5]]"));
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
    (void)close(log_fd);
    table_files_remove(&files, names);
}

/* Clients that ask for a table whose numbers are all the same, whichever reload they are of. */
struct askers {
    const struct posencd *server;
    atomic_bool is_over;
    atomic_size_t whole, broken;
};

static bool is_whole(const struct client_reply *reply)
{
    float cells[ROWS * DIM];

    if (reply->status != 200 || reply->size != sizeof(cells))
        return false;
    memcpy(cells, reply->body, sizeof(cells));
    for (size_t i = 1; i < ROWS * DIM; i++)
        if (cells[i] != cells[0])
            return false;
    return cells[0] >= 1;
}

static void *ask_on(void *context)
{
    struct askers *askers = context;
    struct client *client = client_new();

    while (!atomic_load(&askers->is_over)) {
        struct client_reply reply =
            get(client, askers->server, "/v1/learned?table_file=a.npy&format=raw");

        atomic_fetch_add(is_whole(&reply) ? &askers->whole : &askers->broken, 1);
        client_release(&reply);
    }
    client_free(client);
    return NULL;
}

/* Every other time the file is written in place, so that a reload may find half of it. */
static void rewrite(const struct table_files *files, unsigned round)
{
    char *const bytes = malloc(TABLE_FILES_BYTES_MAX);
    const size_t size = table_files_npy(bytes, ROWS, DIM, (float)(round + 2));

    if (round % 2 == 0) {
        table_files_write(files, "a.npy", bytes, size);
    } else {
        const int fd = openat(files->fd, "a.npy", O_WRONLY | O_TRUNC | O_CLOEXEC);

        cr_assert_eq(write(fd, bytes, size / 2), (ssize_t)(size / 2));
        pause_ms(1);
        cr_assert_eq(write(fd, bytes + size / 2, size - size / 2), (ssize_t)(size - size / 2));
        (void)close(fd);
    }
    free(bytes);
}

Test(tables, are_whole_in_every_answer_while_hangups_come)
{
    struct table_files files = table_files_new();
    const char *const flags[] = {"--tables", files.path, NULL};
    pthread_t threads[ASKERS];
    unsigned rounds = 0;
    char last[32];

    table_files_write_npy(&files, "a.npy", ROWS, DIM, 1);
    struct posencd server = posencd_start(flags, -1);
    struct askers askers = {.server = &server};

    for (size_t i = 0; i < ASKERS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, ask_on, &askers), 0);
    for (; rounds < RELOADS || (atomic_load(&askers.whole) <= RELOADS && rounds < RELOADS_MAX);
         rounds++) {
        posencd_signal(&server, SIGHUP);
        rewrite(&files, rounds);
        posencd_signal(&server, SIGHUP);
        pause_ms(STEP_MS);
    }
    atomic_store(&askers.is_over, true);
    for (size_t i = 0; i < ASKERS; i++)
        (void)pthread_join(threads[i], NULL);
    cr_expect_eq(atomic_load(&askers.broken), 0);
    cr_expect_gt(atomic_load(&askers.whole), RELOADS, "requests and reloads hardly met");
    struct client *client = client_new();

    (void)snprintf(last, sizeof(last), "\"data\":[[%u,", rounds + 1);
    cr_expect(comes_to_say(client, &server, "/v1/learned?table_file=a.npy&positions=0", last));
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&files, names);
}

Test(tables, are_none_without_the_setting_and_a_hangup_is_nothing)
{
    struct posencd server = posencd_start(NULL, -1);
    struct client *client = client_new();

    posencd_signal(&server, SIGHUP);
    cr_expect(comes_to_say(client, &server, "/v1/tables", "{\"tables\":[]}"));
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
}
