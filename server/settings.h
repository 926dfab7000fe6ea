/*
 * What an operator may set. One table of rows stands behind the flags, the POSENC_* environment,
 * the keys of a file, --help and --check-config. A flag beats the environment, that beats the file,
 * and that the default.
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdint.h>
#include <stdio.h>

#include "address.h"
#include "cors.h"

#define SETTINGS_PROBLEM_MAX 512 /* bytes of a sentence, with its end */
#define SETTINGS_THREADS_MIN 2   /* one long answer must not keep a probe waiting */
#define SETTINGS_THREADS_MAX 64
#define SETTINGS_ROWS_MAX    64

struct json_t;

/* Where a value came from; each beats those before it. */
enum settings_source {
    SETTINGS_FROM_DEFAULT,
    SETTINGS_FROM_FILE,
    SETTINGS_FROM_ENVIRONMENT,
    SETTINGS_FROM_FLAG
};

struct settings {
    struct address_list listen;       /* for callers */
    struct address_list admin_listen; /* for operators; empty: at the same place */
    uint64_t unix_mode;               /* permission bits of Unix sockets */
    uint64_t threads;                 /* event loops, one thread each */
    uint64_t body_bytes_max;          /* of one request's body */
    uint64_t workers;                 /* computations at one time, one thread each */
    uint64_t queue_max;               /* computations that wait for a worker */
    uint64_t compute_seconds;         /* of one computation */
    uint64_t total_bytes_max;  /* of memory that all requests together make the server hold */
    uint64_t header_bytes_max; /* of one request's head, with room for the answer's head */
    uint64_t connections_max;
    uint64_t address_connections_max; /* of one address; 0: no limit */
    uint64_t result_bytes_max;        /* of all tensors of one result */
    uint64_t memory_bytes_max;        /* that one request may use in handlers */
    uint64_t idle_seconds;
    uint64_t head_seconds;
    uint64_t body_seconds;
    uint64_t send_seconds;
    uint64_t send_rate_min; /* bytes a second that a client must take of an answer */
    uint64_t
        request_seconds; /* of a request, from its head to its answer's last byte; 0: no limit */
    uint64_t drain_delay_seconds; /* from the signal to the start of draining */
    uint64_t drain_seconds;
    const char *tables;        /* a directory's path, of argv or the environment; NULL: none */
    uint64_t tables_bytes_max; /* of all its files */
    const char *auth_tokens;   /* a file's path, as tables is; NULL: anybody may call */
    const char *token_name;    /* of SETTINGS_HASH_TOKEN; NULL: none was given */
    const char *tls_cert;      /* paths, as tables is; both or none */
    const char *tls_key;
    uint64_t hsts_seconds;  /* told to browsers over TLS; 0: nothing is */
    struct cors cors;       /* origins of pages that may read answers */
    uint64_t sandbox;       /* enum sandbox_mode */
    uint64_t log_format;    /* enum log_format */
    uint64_t log_level;     /* enum log_level */
    uint64_t log_lines_max; /* of requests, a second, of each kind; 0: as many as come */
    const char *config;     /* the file's path; NULL: there is none */

    unsigned char sources[SETTINGS_ROWS_MAX]; /* enum settings_source, by row */
    struct json_t *document;                  /* the file, whose texts live in it; owned */
};

enum settings_outcome {
    SETTINGS_SERVE,
    SETTINGS_HELP,
    SETTINGS_VERSION,
    SETTINGS_HEALTHCHECK,
    SETTINGS_HASH_TOKEN,
    SETTINGS_CHECK, /* print what would be in force */
    SETTINGS_BAD,   /* problem says why */
};

/*
 * Reads flags ("--name value" or "--name=value"; argv[0] is skipped) over the environment (lines
 * "NAME=value" that end in NULL) over the file that one of them names over defaults. settings holds
 * every value unless SETTINGS_BAD; of SETTINGS_HELP and SETTINGS_VERSION nothing else is looked at.
 * Lists are separated by commas, and a flag that stands twice adds to its list. Texts of argv and
 * the environment are kept as pointers. settings_release() is due in any case.
 */
enum settings_outcome settings_read(int argc, char *const argv[], char *const environment[],
                                    struct settings *settings, char problem[SETTINGS_PROBLEM_MAX]);

/* Frees what the file's texts stand in. */
void settings_release(struct settings *settings);

/* Writes --help: one entry a row. */
void settings_print_help(FILE *out);

/* Writes --check-config: name, value and source of each setting, one a line. */
void settings_print_effective(const struct settings *settings, FILE *out);

#endif
