/* TLS end to end: what is agreed on, certificates that change under load, and what nobody may do to
 * the port. */
#include <criterion/criterion.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "certificates.h"
#include "client.h"
#include "posencd.h"
#include "sanitized.h"
#include "started.h"
#include "table_files.h"
#include "tls_client.h"

#define DAY           86400L
#define FILE_PATH_MAX (TABLE_FILES_PATH_MAX + 16)
#define REPLY_MAX     65536
#define QUIET_MS      20000
#define PATIENCE_MS   20000
#define LATE_MS       (IS_SANITIZED ? 27000 : 9000)
#define STEP_MS       5
#define ASKERS        3
#define ROTATIONS     10
#define TABLE         "/v1/sinusoidal?length=2&dim=4&format=csv"
#define PROBE         "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"

static const char *const names[] = {"cert.pem", "key.pem", "kept.pem", "socket", NULL};

/* A folder with a pair, and where its files are. */
struct secured {
    struct table_files files;
    char chain[FILE_PATH_MAX], key[FILE_PATH_MAX], kept[FILE_PATH_MAX];
};

static void write_pair(const struct secured *secured)
{
    struct certificate pair;

    certificate_make(&pair, DAY);
    table_files_write(&secured->files, "key.pem", pair.key, strlen(pair.key));
    table_files_write(&secured->files, "cert.pem", pair.chain, strlen(pair.chain));
}

/* A second name for the certificate of the moment, which stays when that is replaced. */
static void keep_chain(const struct secured *secured)
{
    cr_assert_eq(linkat(secured->files.fd, "cert.pem", secured->files.fd, "kept.pem", 0), 0);
}

static struct secured secure(void)
{
    struct secured secured = {.files = table_files_new()};

    (void)snprintf(secured.chain, sizeof(secured.chain), "%s/cert.pem", secured.files.path);
    (void)snprintf(secured.key, sizeof(secured.key), "%s/key.pem", secured.files.path);
    (void)snprintf(secured.kept, sizeof(secured.kept), "%s/kept.pem", secured.files.path);
    write_pair(&secured);
    return secured;
}

/* With up to three more flags. */
static struct posencd start(const struct secured *secured, int log_fd, const char *a, const char *b,
                            const char *c)
{
    const char *const flags[] = {
        "--tls-cert",          secured->chain,        "--tls-key",           secured->key,
        a ? a : "--threads=2", b ? b : "--threads=2", c ? c : "--threads=2", NULL};

    return posencd_start(flags, log_fd);
}

/* GET with the certificates that are trusted; 0 when the server's is none of them. */
static struct client_reply get(struct client *client, const struct posencd *server,
                               const char *path, const char *trusted)
{
    char url[256];

    (void)snprintf(url, sizeof(url), "%s%s", server->url, path);
    return client_ask(client,
                      &(struct client_request){.method = "GET", .url = url, .ca_path = trusted});
}

static long status_of(struct client *client, const struct posencd *server, const char *path,
                      const char *trusted)
{
    struct client_reply reply = get(client, server, path, trusted);
    const long status = reply.status;

    client_release(&reply);
    return status;
}

/* On a connection of its own. */
static long fresh_status(const struct posencd *server, const char *trusted)
{
    struct client *client = client_new();
    const long status = status_of(client, server, TABLE, trusted);

    client_free(client);
    return status;
}

static long long now_ms(void)
{
    struct timespec now;

    cr_assert_eq(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

Test(tls_service, shows_its_certificate_and_answers)
{
    struct secured secured = secure(), stranger = secure();
    struct posencd server = start(&secured, -1, NULL, NULL, NULL);
    struct client *client = client_new();
    struct client_reply reply = get(client, &server, TABLE, secured.chain);

    cr_expect_eq(strncmp(server.url, "https://", 8), 0, "%s", server.url);
    cr_expect_eq(reply.status, 200);
    cr_expect(strstr(reply.body, "0.84147096"), "%s", reply.body);
    cr_expect_not(strstr(reply.headers, "Strict-Transport"), "%s", reply.headers);
    client_release(&reply);
    reply = get(client, &server, "/", secured.chain);
    cr_expect(strstr(reply.body, "curl 'https://127.0.0.1:"), "%s", reply.body);
    client_release(&reply);
    cr_expect_eq(fresh_status(&server, stranger.chain), 0, "anybody's certificate would do");
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&secured.files, names);
    table_files_remove(&stranger.files, names);
}

Test(tls_service, agrees_on_good_versions_and_ciphers_and_on_nothing_else)
{
    static const struct {
        const char *priorities;
        bool is_agreed;
    } rows[] = {
        {"NORMAL:-VERS-ALL:+VERS-TLS1.3", true},
        {"NORMAL:-VERS-ALL:+VERS-TLS1.2", true},
        {"NORMAL:-VERS-ALL:+VERS-TLS1.1", false},
        {"NORMAL:-VERS-ALL:+VERS-TLS1.0", false},
        {"NORMAL:-VERS-ALL:+VERS-TLS1.2:-CIPHER-ALL:+AES-128-CBC:+AES-256-CBC", false},
        {"NORMAL:-VERS-ALL:+VERS-TLS1.2:-KX-ALL:+RSA", false},
        {"NORMAL:-VERS-ALL:+VERS-TLS1.2:-KX-ALL:+DHE-RSA", false},
        {"NORMAL:-VERS-ALL:+VERS-TLS1.3:-GROUP-ALL:+GROUP-FFDHE2048", false},
        {"NORMAL:-VERS-ALL:+VERS-TLS1.3:-CIPHER-ALL:+CHACHA20-POLY1305", true},
    };
    struct secured secured = secure();
    struct posencd server = start(&secured, -1, NULL, NULL, NULL);
    char reply[REPLY_MAX];

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tls_client client;
        gnutls_datum_t protocol = {0};
        const bool is_agreed = tls_client_open(&client, &server, rows[i].priorities);

        cr_expect_eq(is_agreed, rows[i].is_agreed, "row %zu", i);
        if (is_agreed) {
            cr_expect_eq(gnutls_alpn_get_selected_protocol(client.session, &protocol), 0);
            cr_expect(protocol.size == 8 && memcmp(protocol.data, "http/1.1", 8) == 0);
            cr_expect(tls_client_send(&client, PROBE, strlen(PROBE)));
            cr_expect(tls_client_read(&client, "alive", 1, reply, sizeof(reply)), "row %zu", i);
        }
        tls_client_close(&client);
    }
    cr_expect_eq(fresh_status(&server, secured.chain), 200);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&secured.files, names);
}

/*
 * One record holds more than the server reads at one time: the rest waits inside GnuTLS, where no
 * event of the socket tells of it. 300 requests in records of 16 KiB, for a server with 4 KiB.
 */
Test(tls_service, answers_all_that_came_in_one_record)
{
    static char requests[300 * sizeof(PROBE)], replies[300 * 512];
    struct secured secured = secure();
    struct posencd server = start(&secured, -1, "--max-header-bytes=4KiB", NULL, NULL);
    struct tls_client client;
    long long start_ms;

    for (size_t i = 0; i < 300; i++)
        (void)strcat(requests, PROBE);
    cr_assert(tls_client_open(&client, &server, NULL));
    start_ms = now_ms();
    cr_assert(tls_client_send(&client, requests, strlen(requests)));
    cr_expect(tls_client_read(&client, "alive", 300, replies, sizeof(replies)), "%zu bytes",
              strlen(replies));
    cr_expect_lt(now_ms() - start_ms, LATE_MS, "each waits for a sweep, or a new event");
    tls_client_close(&client);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&secured.files, names);
}

/* The same for a body: one record ends it, and nothing comes after that would wake anybody. */
Test(tls_service, reads_a_body_that_ends_inside_a_record)
{
    static char request[200000], body[150000], reply[REPLY_MAX];
    struct secured secured = secure();
    struct posencd server = start(&secured, -1, "--max-header-bytes=4KiB", NULL, NULL);
    struct tls_client client;

    memset(body, ' ', sizeof(body) - 1);
    memcpy(body, "{\"length\":2,\"dim\":4", 19);
    body[sizeof(body) - 2] = '}';
    (void)snprintf(request, sizeof(request),
                   "POST /v1/sinusoidal HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                   "Content-Length: %zu\r\n\r\n%s",
                   sizeof(body) - 1, body);
    cr_assert(tls_client_open(&client, &server, NULL));
    cr_assert(tls_client_send(&client, request, strlen(request)));
    cr_expect(tls_client_read(&client, "0.84147096", 1, reply, sizeof(reply)), "%s", reply);
    tls_client_close(&client);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&secured.files, names);
}

/* Pictures are drawn by workers while the connection sleeps: what came behind in the same record
 * must be seen when it wakes. */
Test(tls_service, goes_on_with_a_record_after_a_worker_had_the_connection)
{
    static const char picture[] = "GET /v1/sinusoidal?length=400&dim=128&format=svg HTTP/1.1\r\n"
                                  "Host: a\r\n\r\n";
    static char requests[20 * (sizeof(picture) + sizeof(PROBE))], replies[16 << 20];
    struct secured secured = secure();
    struct posencd server = start(&secured, -1, "--max-header-bytes=4KiB", NULL, NULL);
    struct tls_client client;
    size_t used = 0;

    for (size_t i = 0; i < 20; i++)
        used += (size_t)snprintf(requests + used, sizeof(requests) - used, "%s%s", picture, PROBE);
    cr_assert(tls_client_open(&client, &server, NULL));
    cr_assert(tls_client_send(&client, requests, used));
    cr_expect(tls_client_read(&client, "alive", 20, replies, sizeof(replies)), "%zu bytes",
              strlen(replies));
    tls_client_close(&client);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&secured.files, names);
}

Test(tls_service, ends_handshakes_that_stand_still_at_the_deadline)
{
    /* The first bytes of a ClientHello: a record of 512, of which 5 and a few come. */
    static const char half[] = "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";
    struct secured secured = secure();
    struct posencd server = start(&secured, -1, "--head-timeout=1", NULL, NULL);
    const long long start_ms = now_ms();
    char reply[64];
    int fds[20];

    for (size_t i = 0; i < 20; i++) {
        fds[i] = posencd_connect(&server);
        if (i % 2)
            cr_assert_gt(send(fds[i], half, sizeof(half) - 1, MSG_NOSIGNAL), 0);
    }
    cr_expect_eq(fresh_status(&server, secured.chain), 200, "they are in the way");
    for (size_t i = 0; i < 20; i++) {
        cr_expect(posencd_read(fds[i], QUIET_MS, reply, sizeof(reply)), "%zu lives on", i);
        (void)close(fds[i]);
    }
    cr_expect_geq(now_ms() - start_ms, 900);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&secured.files, names);
}

Test(tls_service, tells_late_and_large_requests_so_in_tls)
{
    static char large[48 * 1024], reply[REPLY_MAX];
    static const char slow[] = "POST /v1/rope HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{";
    struct secured secured = secure();
    struct posencd server = start(&secured, -1, "--body-timeout=1", NULL, NULL);
    struct tls_client client;

    cr_assert(tls_client_open(&client, &server, NULL));
    cr_assert(tls_client_send(&client, slow, strlen(slow)));
    cr_expect(tls_client_read(&client, "urn:posenc:problem:request-timeout", 1, reply, REPLY_MAX),
              "%s", reply);
    cr_expect_eq(strncmp(reply, "HTTP/1.1 408 ", 13), 0, "%s", reply);
    tls_client_close(&client);
    (void)snprintf(large, sizeof(large),
                   "GET /livez HTTP/1.1\r\nHost: a\r\nX-Big: %031000d\r\n\r\n", 1);
    cr_assert(tls_client_open(&client, &server, NULL));
    cr_assert(tls_client_send(&client, large, strlen(large)));
    cr_expect(tls_client_read(&client, "HTTP/1.1 431 ", 1, reply, REPLY_MAX), "%s", reply);
    tls_client_close(&client);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&secured.files, names);
}

Test(tls_service, and_plain_http_do_not_mix)
{
    static const char plain[] = "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    struct secured secured = secure();
    struct posencd server = start(&secured, -1, NULL, NULL, NULL);
    struct tls_client client;
    char reply[REPLY_MAX];

    cr_expect(posencd_exchange(&server, plain, strlen(plain), QUIET_MS, reply, sizeof(reply)));
    cr_expect_not(strstr(reply, "alive"), "%s", reply);
    cr_expect_eq(fresh_status(&server, secured.chain), 200);
    cr_expect_eq(posencd_stop(&server), 0);
    server = posencd_start(NULL, -1);
    cr_expect_not(tls_client_open(&client, &server, NULL));
    tls_client_close(&client);
    cr_expect(posencd_exchange(&server, plain, strlen(plain), QUIET_MS, reply, sizeof(reply)));
    cr_expect(strstr(reply, "alive"), "%s", reply);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&secured.files, names);
}

struct asker {
    const struct posencd *server;
    const char *trusted;
    atomic_bool *is_over;
    atomic_size_t asked;
    size_t refused;
};

/* Keeps one connection, made under the first certificate, and asks on and on. */
static void *ask_on(void *context)
{
    struct asker *asker = context;
    struct client *client = client_new();

    for (; !atomic_load(asker->is_over); atomic_fetch_add(&asker->asked, 1)) {
        asker->refused += status_of(client, asker->server, TABLE, asker->trusted) != 200;
        (void)poll(NULL, 0, 1);
    }
    client_free(client);
    return NULL;
}

/* Whether each has its connection, as an answer shows. */
static bool have_begun(struct asker *askers)
{
    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        size_t begun = 0;

        for (size_t i = 0; i < ASKERS; i++)
            begun += atomic_load(&askers[i].asked) > 0;
        if (begun == ASKERS)
            return true;
        (void)poll(NULL, 0, STEP_MS);
    }
    return false;
}

static bool comes_to_show(const struct posencd *server, const char *trusted)
{
    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        if (fresh_status(server, trusted) == 200)
            return true;
        (void)poll(NULL, 0, STEP_MS);
    }
    return false;
}

/* 16 MiB, which a client that waits in between cannot have whole before the rotations are over. */
static const char download[] = "GET /v1/sinusoidal?length=65536&dim=64&format=npy HTTP/1.1\r\n"
                               "Host: a\r\nConnection: close\r\n\r\n";
#define DOWNLOAD_BYTES (128 + 65536LL * 64 * 4)

Test(tls_service, changes_its_certificate_under_load_without_dropping_a_connection)
{
    static char part[REPLY_MAX];
    const int log_fd = started_log();
    struct secured secured = secure();
    struct posencd server = start(&secured, log_fd, "--log-level=error", NULL, NULL);
    struct asker askers[ASKERS];
    pthread_t threads[ASKERS];
    atomic_bool is_over = false;
    struct tls_client client;
    long long total = 0;
    ssize_t got;

    keep_chain(&secured);
    for (size_t i = 0; i < ASKERS; i++) {
        askers[i] = (struct asker){.server = &server, .trusted = secured.kept, .is_over = &is_over};
        cr_assert_eq(pthread_create(&threads[i], NULL, ask_on, &askers[i]), 0);
    }
    cr_assert(tls_client_open(&client, &server, NULL));
    cr_assert(tls_client_send(&client, download, strlen(download)));
    cr_assert(have_begun(askers));
    for (size_t i = 0; i < ROTATIONS; i++) {
        write_pair(&secured);
        posencd_signal(&server, SIGHUP);
        cr_expect(comes_to_show(&server, secured.chain), "rotation %zu", i);
        got = gnutls_record_recv(client.session, part, sizeof(part));
        total += got > 0 ? got : 0;
    }
    cr_expect_eq(fresh_status(&server, secured.kept), 0, "the old one is shown");
    table_files_write(&secured.files, "key.pem", "nonsense", 8);
    posencd_signal(&server, SIGHUP);
    cr_expect(started_says(log_fd, "level=error msg=\"tls-cert kept as they were\""));
    cr_expect_eq(fresh_status(&server, secured.chain), 200);
    atomic_store(&is_over, true);
    for (size_t i = 0; i < ASKERS; i++) {
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
        cr_expect_eq(askers[i].refused, 0, "%zu of %zu", askers[i].refused,
                     atomic_load(&askers[i].asked));
    }
    while ((got = gnutls_record_recv(client.session, part, sizeof(part))) > 0)
        total += got;
    cr_expect_gt(total, DOWNLOAD_BYTES);
    tls_client_close(&client);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&secured.files, names);
    (void)close(log_fd);
}

Test(tls_service, that_is_set_up_badly_does_not_start)
{
    struct secured secured = secure(), other = secure();
    char output[REPLY_MAX];
    const struct {
        const char *flags[5];
        const char *words;
    } rows[] = {
        {{"--listen=127.0.0.1:0", "--tls-cert", secured.chain, NULL}, "need each other"},
        {{"--listen=127.0.0.1:0", "--tls-key", secured.key, NULL}, "need each other"},
        {{"--tls-cert", secured.chain, "--tls-key", other.key, NULL}, "cannot be used"},
        {{"--tls-cert", secured.chain, "--tls-key", "/no/such/file", NULL}, "cannot be opened"},
        {{"--tls-cert", secured.key, "--tls-key", secured.key, NULL}, "cannot be used"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_expect_eq(posencd_run(rows[i].flags, output, sizeof(output)), 2, "row %zu", i);
        cr_expect(strstr(output, rows[i].words), "row %zu: %s", i, output);
        cr_expect_eq(strcspn(output, "\n"), strlen(output) - 1, "row %zu: %s", i, output);
    }
    table_files_remove(&secured.files, names);
    table_files_remove(&other.files, names);
}

Test(tls_service, asks_browsers_to_insist_on_it_only_when_told_to)
{
    struct secured secured = secure();
    struct posencd server = start(&secured, -1, "--hsts=31536000", NULL, NULL);
    struct client *client = client_new();
    struct client_reply reply = get(client, &server, "/livez", secured.chain);
    char value[64];

    cr_expect_str_eq(client_header(&reply, "Strict-Transport-Security", value, sizeof(value)),
                     "max-age=31536000");
    client_release(&reply);
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
    table_files_remove(&secured.files, names);
}

Test(tls_service, leaves_unix_sockets_and_operators_alone_and_its_health_can_be_checked)
{
    struct secured secured = secure();
    const int log_fd = started_log();
    char unix_flag[FILE_PATH_MAX + 32], address[128], path[FILE_PATH_MAX], output[REPLY_MAX];
    const char *const check[] = {"--healthcheck", "--tls-cert", secured.chain, "--tls-key",
                                 secured.key,     "--listen",   address,       NULL};
    struct client *client = client_new();
    struct client_reply reply;
    struct posencd server;

    (void)snprintf(path, sizeof(path), "%s/socket", secured.files.path);
    (void)snprintf(unix_flag, sizeof(unix_flag), "--listen=unix:%s", path);
    server = start(&secured, log_fd, unix_flag, "--admin-listen=127.0.0.1:0", "--hsts=9");
    reply = client_ask(client, &(struct client_request){.method = "GET",
                                                        .url = "http://localhost" TABLE,
                                                        .unix_path = path});
    cr_expect_eq(reply.status, 200);
    cr_expect_not(strstr(reply.headers, "Strict-Transport"), "%s", reply.headers);
    client_release(&reply);
    started_address(log_fd, true, 0, address, sizeof(address));
    (void)snprintf(output, sizeof(output), "http://%s/readyz", address);
    reply = client_ask(client, &(struct client_request){.method = "GET", .url = output});
    cr_expect_eq(reply.status, 200);
    client_release(&reply);
    started_address(log_fd, false, 0, address, sizeof(address));
    cr_expect_eq(posencd_run(check, output, sizeof(output)), 0, "%s", output);
    client_free(client);
    cr_expect_eq(posencd_stop(&server), 0);
    cr_expect_eq(posencd_run(check, output, sizeof(output)), 1);
    table_files_remove(&secured.files, names);
    (void)close(log_fd);
}
