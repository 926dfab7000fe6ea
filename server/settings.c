#include "settings.h"

#include <string.h>
#include <unistd.h>

#include "log.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)
#define GIB (KIB * MIB)

#define SETTINGS_ENVIRONMENT_MAX    64 /* bytes of a variable's name, with its end */
#define SETTINGS_ENVIRONMENT_PREFIX "POSENC_"
#define SETTINGS_VALUE_SHOWN_MAX    80 /* bytes of a bad value that its problem repeats */

enum settings_kind {
    SETTINGS_ADDRESS,
    SETTINGS_COUNT,
    SETTINGS_BYTES,
    SETTINGS_SECONDS,
    SETTINGS_CHOICE,
    SETTINGS_PATH,
    SETTINGS_ORIGINS /* a list */
};

struct settings_row {
    const char *name; /* of the flag, without its dashes */
    enum settings_kind kind;
    size_t offset; /* into struct settings */
    const char *initial;
    uint64_t min, max;          /* of a number */
    const char *const *choices; /* of a choice: ends in NULL, index is the value */
    const char *meaning;
};

#define AT(member) offsetof(struct settings, member)

static const struct settings_row settings_rows[] = {
    {"listen", SETTINGS_ADDRESS, AT(listen), "127.0.0.1:8080", 0, 0, NULL,
     "host:port or [v6]:port to serve at; port 0 lets the system choose"},
    {"threads", SETTINGS_COUNT, AT(threads), NULL, SETTINGS_THREADS_MIN, SETTINGS_THREADS_MAX, NULL,
     "event loops; default: one per core"},
    {"max-body-bytes", SETTINGS_BYTES, AT(body_bytes_max), "64MiB", 1, 64 * GIB, NULL,
     "largest request body"},
    {"max-upload-bytes", SETTINGS_BYTES, AT(upload_bytes_max), "1GiB", 1, 1024 * GIB, NULL,
     "memory for all request bodies together"},
    {"max-header-bytes", SETTINGS_BYTES, AT(header_bytes_max), "32KiB", 4 * KIB, MIB, NULL,
     "memory for a request's head and its answer's head, per connection"},
    {"max-connections", SETTINGS_COUNT, AT(connections_max), "1024", 1, 1000000, NULL,
     "connections served at one time; lowered when ulimit -n is too small"},
    {"max-result-bytes", SETTINGS_BYTES, AT(result_bytes_max), "64GiB", 1, 1024 * KIB *GIB, NULL,
     "largest result, all tensors together"},
    {"max-memory-bytes", SETTINGS_BYTES, AT(memory_bytes_max), "1GiB", 64 * KIB, 1024 * GIB, NULL,
     "memory that one request may use for its parameters and tensors"},
    {"idle-timeout", SETTINGS_SECONDS, AT(idle_seconds), "30", 1, 86400, NULL,
     "between requests of one connection"},
    {"head-timeout", SETTINGS_SECONDS, AT(head_seconds), "10", 1, 86400, NULL,
     "for a request's head"},
    {"body-timeout", SETTINGS_SECONDS, AT(body_seconds), "60", 1, 86400, NULL,
     "for a request's body, beside one second for each 64 KiB received"},
    {"send-timeout", SETTINGS_SECONDS, AT(send_seconds), "60", 1, 86400, NULL,
     "that an answer may stand still"},
    {"drain-delay", SETTINGS_SECONDS, AT(drain_delay_seconds), "0", 0, 3600, NULL,
     "served on after SIGTERM or SIGINT while /readyz says 503, so that balancers turn away first"},
    {"drain-timeout", SETTINGS_SECONDS, AT(drain_seconds), "25", 1, 86400, NULL,
     "for running requests after SIGTERM or SIGINT and the delay"},
    {"tables", SETTINGS_PATH, AT(tables), NULL, 0, 0, NULL,
     "directory of .npy and .safetensors files that requests may name; read again on SIGHUP"},
    {"max-tables-bytes", SETTINGS_BYTES, AT(tables_bytes_max), "1GiB", 1, 1024 * GIB, NULL,
     "all files of that directory together, which are held in memory"},
    {"auth-tokens", SETTINGS_PATH, AT(auth_tokens), NULL, 0, 0, NULL,
     "file of the bearer tokens that callers must send; read again on SIGHUP"},
    {"cors-origin", SETTINGS_ORIGINS, AT(cors), NULL, 0, 0, NULL,
     "origins of web pages that may read answers, or * for all"},
    {"log-format", SETTINGS_CHOICE, AT(log_format), "logfmt", 0, 0, log_format_names,
     "of the lines on standard error"},
    {"log-level", SETTINGS_CHOICE, AT(log_level), "info", 0, 0, log_level_names,
     "least level logged; requests log at info, answers of 500 and more at error"},
};

#define SETTINGS_ROWS (sizeof(settings_rows) / sizeof(settings_rows[0]))

static const struct settings_row *settings_find(const char *name, size_t name_size)
{
    for (size_t i = 0; i < SETTINGS_ROWS; i++) {
        const char *row_name = settings_rows[i].name;

        if (strlen(row_name) == name_size && memcmp(row_name, name, name_size) == 0)
            return &settings_rows[i];
    }
    return NULL;
}

/* "max-body-bytes" is POSENC_MAX_BODY_BYTES in the environment. */
static void settings_environment_name(const char *name, char out[SETTINGS_ENVIRONMENT_MAX])
{
    size_t at = sizeof(SETTINGS_ENVIRONMENT_PREFIX) - 1;

    memcpy(out, SETTINGS_ENVIRONMENT_PREFIX, sizeof(SETTINGS_ENVIRONMENT_PREFIX));
    for (; *name && at < SETTINGS_ENVIRONMENT_MAX - 1; name++, at++) {
        const char c = *name;

        if (c == '-')
            out[at] = '_';
        else
            out[at] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    out[at] = '\0';
}

static uint64_t settings_byte_unit(const char *suffix)
{
    if (*suffix == '\0')
        return 1;
    if (strcmp(suffix, "KiB") == 0)
        return KIB;
    if (strcmp(suffix, "MiB") == 0)
        return MIB;
    return strcmp(suffix, "GiB") == 0 ? GIB : 0;
}

/* Decimal digits, and for bytes one of the units above; false when it is neither or too large. */
static bool settings_parse_number(const char *text, enum settings_kind kind, uint64_t *number)
{
    uint64_t value = 0, unit;
    const char *at = text;

    for (; *at >= '0' && *at <= '9'; at++) {
        if (value > (UINT64_MAX - 9) / 10)
            return false;
        value = value * 10 + (uint64_t)(*at - '0');
    }
    unit = kind == SETTINGS_BYTES ? settings_byte_unit(at) : (*at == '\0');
    if (at == text || unit == 0 || value > UINT64_MAX / unit)
        return false;
    *number = value * unit;
    return true;
}

static bool settings_parse_choice(const char *text, const char *const *choices, uint64_t *number)
{
    for (uint64_t i = 0; choices[i]; i++) {
        if (strcmp(text, choices[i]) == 0) {
            *number = i;
            return true;
        }
    }
    return false;
}

/* Adds what stands between commas. */
static bool settings_add_items(const struct settings_row *row, const char *text, void *member)
{
    const char *item = text;

    for (;; item++) {
        const size_t size = strcspn(item, ",");

        if (row->kind != SETTINGS_ORIGINS || !cors_add(member, item, size))
            return false;
        item += size;
        if (*item == '\0')
            return true;
    }
}

/* What a list holds by a weaker source, a stronger one does not add to but replaces. */
static void settings_clear(const struct settings_row *row, struct settings *settings)
{
    if (row->kind == SETTINGS_ORIGINS)
        memset((char *)settings + row->offset, 0, sizeof(struct cors));
}

static bool settings_store(const struct settings_row *row, const char *text,
                           struct settings *settings)
{
    char *const member = (char *)settings + row->offset;
    uint64_t number;

    if (row->kind == SETTINGS_ADDRESS)
        return address_parse(text, (struct address *)(void *)member);
    if (row->kind == SETTINGS_ORIGINS)
        return settings_add_items(row, text, member);
    if (row->kind == SETTINGS_PATH) {
        memcpy(member, &text, sizeof(text));
        return *text != '\0';
    }
    if (row->kind == SETTINGS_CHOICE) {
        if (!settings_parse_choice(text, row->choices, &number))
            return false;
    } else if (!settings_parse_number(text, row->kind, &number) || number < row->min ||
               number > row->max) {
        return false;
    }
    memcpy(member, &number, sizeof(number));
    return true;
}

/* "a number from 1 to 86400", "logfmt or json": what the row takes, in words. */
static void settings_describe(const struct settings_row *row, char *out, size_t size)
{
    size_t used = 0;

    switch (row->kind) {
    case SETTINGS_ADDRESS:
        (void)snprintf(out, size, "host:port or [v6]:port");
        return;
    case SETTINGS_PATH:
        (void)snprintf(out, size, "a path");
        return;
    case SETTINGS_ORIGINS:
        (void)snprintf(out, size, "up to %d of scheme://host[:port], or *", CORS_ORIGINS_MAX);
        return;
    case SETTINGS_COUNT:
        (void)snprintf(out, size, "%ju to %ju", (uintmax_t)row->min, (uintmax_t)row->max);
        return;
    case SETTINGS_BYTES:
        (void)snprintf(out, size, "%ju to %ju bytes, or with KiB, MiB, GiB", (uintmax_t)row->min,
                       (uintmax_t)row->max);
        return;
    case SETTINGS_SECONDS:
        (void)snprintf(out, size, "%ju to %ju seconds", (uintmax_t)row->min, (uintmax_t)row->max);
        return;
    case SETTINGS_CHOICE:
        for (size_t i = 0; row->choices[i] && used < size; i++)
            used += (size_t)snprintf(out + used, size - used, i ? " or %s" : "%s", row->choices[i]);
        return;
    }
}

static bool settings_accept(const struct settings_row *row, const char *source, const char *text,
                            struct settings *settings, char problem[SETTINGS_PROBLEM_MAX])
{
    char wanted[128];

    if (settings_store(row, text, settings))
        return true;
    settings_describe(row, wanted, sizeof(wanted));
    (void)snprintf(problem, SETTINGS_PROBLEM_MAX, "%s: \"%.*s\" is not %s", source,
                   SETTINGS_VALUE_SHOWN_MAX, text, wanted);
    return false;
}

static uint64_t settings_cores(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);

    if (cores < SETTINGS_THREADS_MIN)
        return SETTINGS_THREADS_MIN;
    return cores > SETTINGS_THREADS_MAX ? SETTINGS_THREADS_MAX : (uint64_t)cores;
}

static bool settings_read_environment(const char *(*lookup)(const char *name),
                                      struct settings *settings, char problem[SETTINGS_PROBLEM_MAX])
{
    char name[SETTINGS_ENVIRONMENT_MAX];

    for (size_t i = 0; i < SETTINGS_ROWS; i++) {
        const struct settings_row *row = &settings_rows[i];
        const char *text;

        if (row->initial && !settings_accept(row, row->name, row->initial, settings, problem))
            return false;
        settings_environment_name(row->name, name);
        text = lookup(name);
        if (text)
            settings_clear(row, settings);
        if (text && !settings_accept(row, name, text, settings, problem))
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
    else
        return false;
    return true;
}

/* One flag at argv[*at]; *at moves past a value that stands in the next argument. */
static bool settings_read_flag(int argc, char *const argv[], int *at, bool seen[SETTINGS_ROWS],
                               struct settings *settings, char problem[SETTINGS_PROBLEM_MAX])
{
    const char *flag = argv[*at];
    const struct settings_row *row = NULL;
    const size_t name_size = strcspn(flag, "=");
    const char *text;

    if (strncmp(flag, "--", 2) == 0)
        row = settings_find(flag + 2, name_size - 2);
    if (!row) {
        (void)snprintf(problem, SETTINGS_PROBLEM_MAX, "unknown argument \"%.*s\"; try --help",
                       SETTINGS_VALUE_SHOWN_MAX, flag);
        return false;
    }
    text = flag[name_size] == '=' ? flag + name_size + 1 : argv[*at + 1]; /* argv ends in NULL */
    if (!text) {
        (void)snprintf(problem, SETTINGS_PROBLEM_MAX, "--%s: a value must follow", row->name);
        return false;
    }
    if (flag[name_size] != '=' && *at + 1 < argc)
        (*at)++;
    if (!seen[row - settings_rows])
        settings_clear(row, settings);
    seen[row - settings_rows] = true;
    return settings_accept(row, flag, text, settings, problem);
}

enum settings_outcome settings_read(int argc, char *const argv[],
                                    const char *(*lookup)(const char *name),
                                    struct settings *settings, char problem[SETTINGS_PROBLEM_MAX])
{
    enum settings_outcome outcome = SETTINGS_SERVE;
    bool seen[SETTINGS_ROWS] = {false};

    memset(settings, 0, sizeof(*settings));
    settings->threads = settings_cores();
    if (!settings_read_environment(lookup, settings, problem))
        return SETTINGS_BAD;
    for (int i = 1; i < argc; i++) {
        if (settings_find_mode(argv[i], settings, &outcome))
            continue;
        if (!settings_read_flag(argc, argv, &i, seen, settings, problem))
            return SETTINGS_BAD;
    }
    return outcome;
}

void settings_print_help(FILE *out)
{
    char name[SETTINGS_ENVIRONMENT_MAX], range[128];

    (void)fputs(
        "usage: posencd [--name value | --name=value]...\n\n"
        "Serves positional encodings over HTTP. Each setting is a flag or, where no flag is\n"
        "given, a variable of the environment.\n\n",
        out);
    for (size_t i = 0; i < SETTINGS_ROWS; i++) {
        const struct settings_row *row = &settings_rows[i];

        settings_environment_name(row->name, name);
        settings_describe(row, range, sizeof(range));
        (void)fprintf(out, "  --%-17s %s\n  %19s %s", row->name, row->meaning, "", range);
        if (row->initial)
            (void)fprintf(out, "; default %s", row->initial);
        (void)fprintf(out, "\n  %19s %s\n", "", name);
    }
    (void)fputs(
        "  --healthcheck       ask the server at the listen address whether it is ready\n"
        "  --hash-token[=NAME] read a token from standard input, print a line for the file\n"
        "                      that --auth-tokens names\n"
        "  --version           print the version\n"
        "  --help              print this\n",
        out);
}
