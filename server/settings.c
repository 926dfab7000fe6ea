#include "settings.h"

#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "budget.h"
#include "log.h"
#include "pool.h"
#include "sandbox.h"
#include "settings_environment.h"
#include "settings_file.h"
#include "settings_row.h"

#define AT(member) offsetof(struct settings, member)

static const struct settings_row settings_rows[] = {
    {"config", SETTINGS_PATH, AT(config), NULL, 0, 0, NULL,
     "JSON file of settings, whose keys are these names without their dashes"},
    {"listen", SETTINGS_ADDRESSES, AT(listen), "127.0.0.1:8080", 0, 0, NULL,
     "where to serve; port 0 lets the system choose"},
    {"admin-listen", SETTINGS_ADDRESSES, AT(admin_listen), NULL, 0, 0, NULL,
     "where to serve operators: probes and metrics alone, with no token asked for"},
    {"unix-mode", SETTINGS_MODE, AT(unix_mode), "0660", 0, 0777, NULL,
     "permissions of Unix sockets"},
    {"threads", SETTINGS_COUNT, AT(threads), NULL, SETTINGS_THREADS_MIN, SETTINGS_THREADS_MAX, NULL,
     "event loops; default: one per core"},
    {"workers", SETTINGS_COUNT, AT(workers), NULL, 1, POOL_WORKERS_MAX, NULL,
     "computations that run at one time, beside the event loops; default: one per core"},
    {"max-queue", SETTINGS_COUNT, AT(queue_max), "64", 0, 1000000, NULL,
     "computations that may wait for a worker; more are answered with 503"},
    {"max-body-bytes", SETTINGS_BYTES, AT(body_bytes_max), "64MiB", 1, 64 * SETTINGS_GIB, NULL,
     "largest request body"},
    {"max-total-bytes", SETTINGS_BYTES, AT(total_bytes_max), NULL, 1, 1024 * SETTINGS_GIB, NULL,
     "memory for all requests together, bodies and answers included; bodies that arrive may fill "
     "half "
     "of it; default: half of what the machine, the container or ulimit -v allows"},
    {"max-header-bytes", SETTINGS_BYTES, AT(header_bytes_max), "32KiB", 4 * SETTINGS_KIB,
     SETTINGS_MIB, NULL, "memory for a request's head and its answer's head, per connection"},
    {"max-connections", SETTINGS_COUNT, AT(connections_max), "1024", 1, 1000000, NULL,
     "connections served at one time; lowered when ulimit -n is too small"},
    {"max-connections-per-address", SETTINGS_COUNT, AT(address_connections_max), "0", 0, 1000000,
     NULL, "of one IPv4 address or IPv6 network of 64 bits, the others get 429; 0: no limit"},
    {"max-result-bytes", SETTINGS_BYTES, AT(result_bytes_max), "64GiB", 1,
     1024 * SETTINGS_KIB *SETTINGS_GIB, NULL, "largest result, all tensors together"},
    {"max-memory-bytes", SETTINGS_BYTES, AT(memory_bytes_max), "1GiB", 64 * SETTINGS_KIB,
     1024 * SETTINGS_GIB, NULL, "memory that one request may use for its parameters and tensors"},
    {"idle-timeout", SETTINGS_SECONDS, AT(idle_seconds), "30", 1, 86400, NULL,
     "between requests of one connection"},
    {"head-timeout", SETTINGS_SECONDS, AT(head_seconds), "10", 1, 86400, NULL,
     "for a request's head"},
    {"body-timeout", SETTINGS_SECONDS, AT(body_seconds), "60", 1, 86400, NULL,
     "for a request's body, beside one second for each 64 KiB received"},
    {"send-timeout", SETTINGS_SECONDS, AT(send_seconds), "60", 1, 86400, NULL,
     "in which a client must take of its answer what min-send-rate asks for"},
    {"min-send-rate", SETTINGS_BYTES, AT(send_rate_min), "1KiB", 1, SETTINGS_GIB, NULL,
     "a second, over each send-timeout; clients that take less are cut"},
    {"request-timeout", SETTINGS_SECONDS, AT(request_seconds), "86400", 0, 31536000, NULL,
     "for all of a request, to the last byte of its answer; 0: no limit"},
    {"compute-timeout", SETTINGS_SECONDS, AT(compute_seconds), "30", 1, 86400, NULL,
     "for one computation, and again for its wait in the queue"},
    {"drain-delay", SETTINGS_SECONDS, AT(drain_delay_seconds), "0", 0, 3600, NULL,
     "served on after SIGTERM or SIGINT while /readyz says 503, so that balancers turn away first"},
    {"drain-timeout", SETTINGS_SECONDS, AT(drain_seconds), "25", 1, 86400, NULL,
     "for running requests after SIGTERM or SIGINT and the delay"},
    {"tables", SETTINGS_PATH, AT(tables), NULL, 0, 0, NULL,
     "directory of .npy and .safetensors files that requests may name; read again on SIGHUP"},
    {"max-tables-bytes", SETTINGS_BYTES, AT(tables_bytes_max), "1GiB", 1, 1024 * SETTINGS_GIB, NULL,
     "all files of that directory together, which are held in memory"},
    {"tls-cert", SETTINGS_PATH, AT(tls_cert), NULL, 0, 0, NULL,
     "PEM file of the server's certificate and those that vouch for it: TLS at all TCP addresses "
     "for callers; read again on SIGHUP"},
    {"tls-key", SETTINGS_PATH, AT(tls_key), NULL, 0, 0, NULL, "PEM file of the certificate's key"},
    {"hsts", SETTINGS_SECONDS, AT(hsts_seconds), "0", 0, 63072000, NULL,
     "for which browsers shall insist on TLS (Strict-Transport-Security); 0 asks nothing"},
    {"auth-tokens", SETTINGS_PATH, AT(auth_tokens), NULL, 0, 0, NULL,
     "file of the bearer tokens that callers must send; read again on SIGHUP"},
    {"cors-origin", SETTINGS_ORIGINS, AT(cors), NULL, 0, 0, NULL,
     "origins of web pages that may read answers, or * for all"},
    {"sandbox", SETTINGS_CHOICE, AT(sandbox), "auto", 0, 0, sandbox_mode_names,
     "keep the process from calls to the kernel that serving does not need; auto: where the kernel "
     "can"},
    {"log-format", SETTINGS_CHOICE, AT(log_format), "logfmt", 0, 0, log_format_names,
     "of the lines on standard error"},
    {"log-level", SETTINGS_CHOICE, AT(log_level), "info", 0, 0, log_level_names,
     "least level logged; requests log at info, answers of 500 and more at error"},
    {"max-log-lines", SETTINGS_COUNT, AT(log_lines_max), "1000", 0, 1000000, NULL,
     "lines a second of requests served, and as many of those refused and of those failed; others "
     "are counted; 0: no limit"},
};

#define SETTINGS_ROWS (sizeof(settings_rows) / sizeof(settings_rows[0]))

_Static_assert(SETTINGS_ROWS <= SETTINGS_ROWS_MAX, "sources have room for every row");

const struct settings_row *settings_row_at(size_t index)
{
    return index < SETTINGS_ROWS ? &settings_rows[index] : NULL;
}

const struct settings_row *settings_find(const char *name, size_t name_size)
{
    for (size_t i = 0; i < SETTINGS_ROWS; i++) {
        const char *row_name = settings_rows[i].name;

        if (strlen(row_name) == name_size && memcmp(row_name, name, name_size) == 0)
            return &settings_rows[i];
    }
    return NULL;
}

static uint64_t settings_cores(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);

    if (cores < SETTINGS_THREADS_MIN)
        return SETTINGS_THREADS_MIN;
    return cores > SETTINGS_THREADS_MAX ? SETTINGS_THREADS_MAX : (uint64_t)cores;
}

static bool settings_take_defaults(struct settings *settings, char problem[SETTINGS_PROBLEM_MAX])
{
    settings->threads = settings->workers = settings_cores();
    settings->total_bytes_max = budget_default_limit();
    for (size_t i = 0; i < SETTINGS_ROWS; i++) {
        const struct settings_row *row = &settings_rows[i];

        if (row->initial &&
            !settings_take(row, SETTINGS_FROM_DEFAULT, row->name, row->initial, settings, problem))
            return false;
    }
    return true;
}

static bool settings_find_mode(const char *flag, struct settings *settings,
                               enum settings_outcome *outcome)
{
    static const char hash_token[] = "--hash-token";
    const size_t size = sizeof(hash_token) - 1;

    if (strncmp(flag, hash_token, size) == 0 && (flag[size] == '\0' || flag[size] == '=')) {
        settings->token_name = flag[size] == '=' ? flag + size + 1 : NULL;
        *outcome = SETTINGS_HASH_TOKEN;
    } else if (strcmp(flag, "--help") == 0)
        *outcome = SETTINGS_HELP;
    else if (strcmp(flag, "--version") == 0)
        *outcome = SETTINGS_VERSION;
    else if (strcmp(flag, "--healthcheck") == 0)
        *outcome = SETTINGS_HEALTHCHECK;
    else if (strcmp(flag, "--check-config") == 0)
        *outcome = SETTINGS_CHECK;
    else
        return false;
    return true;
}

/* A flag of a row, and its value. */
struct settings_flag {
    const char *flag;
    const struct settings_row *row;
    const char *text;
};

/* Reads argv[*at]; *at moves past a value that stands in the next argument. */
static bool settings_read_flag(int argc, char *const argv[], int *at, struct settings_flag *read,
                               char problem[SETTINGS_PROBLEM_MAX])
{
    const char *flag = argv[*at];
    const size_t name_size = strcspn(flag, "=");

    *read = (struct settings_flag){.flag = flag};
    if (strncmp(flag, "--", 2) == 0)
        read->row = settings_find(flag + 2, name_size - 2);
    if (!read->row) {
        (void)snprintf(problem, SETTINGS_PROBLEM_MAX, "unknown argument \"%.*s\"; try --help",
                       SETTINGS_SHOWN_MAX, flag);
        return false;
    }
    read->text = flag[name_size] == '=' ? flag + name_size + 1 : argv[*at + 1]; /* ends in NULL */
    if (!read->text) {
        (void)snprintf(problem, SETTINGS_PROBLEM_MAX, "--%s: a value must follow", read->row->name);
        return false;
    }
    if (flag[name_size] != '=' && *at + 1 < argc)
        (*at)++;
    return true;
}

/* Looks through all flags for modes, for the file, and for what is no flag at all. */
static bool settings_survey(int argc, char *const argv[], struct settings *settings,
                            enum settings_outcome *outcome, char problem[SETTINGS_PROBLEM_MAX])
{
    const struct settings_row *config = settings_find("config", strlen("config"));
    struct settings_flag read;

    *outcome = SETTINGS_SERVE;
    for (int i = 1; i < argc; i++) {
        if (settings_find_mode(argv[i], settings, outcome)) {
            if (*outcome == SETTINGS_HELP || *outcome == SETTINGS_VERSION)
                return true;
            continue;
        }
        if (!settings_read_flag(argc, argv, &i, &read, problem))
            return false;
        if (read.row == config)
            settings->config = read.text;
    }
    return true;
}

static bool settings_take_flags(int argc, char *const argv[], struct settings *settings,
                                char problem[SETTINGS_PROBLEM_MAX])
{
    enum settings_outcome outcome;
    struct settings_flag read;

    for (int i = 1; i < argc; i++) {
        if (settings_find_mode(argv[i], settings, &outcome))
            continue;
        if (!settings_read_flag(argc, argv, &i, &read, problem) ||
            !settings_take(read.row, SETTINGS_FROM_FLAG, read.flag, read.text, settings, problem))
            return false;
    }
    return true;
}

/* An empty path is refused where the flag or the variable is taken. */
static bool settings_take_named_file(char *const environment[], struct settings *settings,
                                     char problem[SETTINGS_PROBLEM_MAX])
{
    const struct settings_row *config = settings_find("config", strlen("config"));
    const char *path =
        settings->config ? settings->config : settings_environment_value(config, environment);

    return !path || !*path || settings_take_file(path, settings, problem);
}

/* What no value alone tells. */
static bool settings_agree(const struct settings *settings, char problem[SETTINGS_PROBLEM_MAX])
{
    if (!settings->tls_cert == !settings->tls_key)
        return true;
    (void)snprintf(problem, SETTINGS_PROBLEM_MAX, "--tls-cert and --tls-key need each other");
    return false;
}

enum settings_outcome settings_read(int argc, char *const argv[], char *const environment[],
                                    struct settings *settings, char problem[SETTINGS_PROBLEM_MAX])
{
    enum settings_outcome outcome;

    memset(settings, 0, sizeof(*settings));
    if (!settings_survey(argc, argv, settings, &outcome, problem))
        return SETTINGS_BAD;
    if (outcome == SETTINGS_HELP || outcome == SETTINGS_VERSION)
        return outcome;
    if (!settings_take_defaults(settings, problem) ||
        !settings_take_named_file(environment, settings, problem) ||
        !settings_take_environment(environment, settings, problem) ||
        !settings_take_flags(argc, argv, settings, problem))
        return SETTINGS_BAD;
    return settings_agree(settings, problem) ? outcome : SETTINGS_BAD;
}

void settings_release(struct settings *settings)
{
    json_decref(settings->document);
    settings->document = NULL;
}
