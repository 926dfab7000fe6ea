/* Hostile bytes for a running server, and what came back as one short text. */
#ifndef ATTACK_H
#define ATTACK_H

#include "posencd.h"

#define ATTACK_OUTCOME_MAX 512

/* Stands for a NUL byte in the texts of a case. */
#define NUL "\xfe"

/* One stream of bytes: before, `times` times fill, after. */
struct attack_case {
    const char *row;
    const char *before, *fill;
    size_t times;
    const char *after;
    const char *outcome;       /* as attack_outcome() writes it */
    const char *newer_outcome; /* of libmicrohttpd 1 and later where that differs, else NULL */
};

/* A server whose deadlines for heads, bodies and idle connections are a second. */
struct attacked {
    struct posencd server;
    bool is_newer; /* its libmicrohttpd is 1.0 or later */
    size_t fds;    /* descriptors that it had before anybody connected */
    bool is_warm;  /* it has had requests of some kinds, from which threads keep memory for good */
    int log_fd;    /* where its log can be read */
    size_t lines, lines_max; /* of the log so far, and how many there may be */
};

struct attacked attack_start(const char *const flags[]);

/* Asserts that it still serves, gives all descriptors back, and ends on SIGTERM with status 0. */
void attack_stop(struct attacked *attacked);

/* How many descriptors a process has. */
size_t attack_count_fds(pid_t pid);

/* Resident bytes of a process, without what the kernel may take back at once; and the processor
 * time that it has used. */
long long attack_resident_bytes(pid_t pid);
long long attack_cpu_ms(pid_t pid);

/* Waits until a process has no more descriptors than that, or holds no more memory, for up to 20 s;
 * what it has in the end. A server learns of a client's end a moment later. */
size_t attack_await_fds(pid_t pid, size_t most);
long long attack_await_resident(pid_t pid, long long most);

long long attack_now_ms(void);

/* Status of GET `target` on a fresh connection, or 0; and how long it took when ms is not NULL. */
int attack_get(const struct posencd *server, const char *target, long long *ms);

/* The bytes of a case; free() them. */
char *attack_bytes(const struct attack_case *one, size_t *size);

/*
 * What a server answered, as "200 keep", "400 malformed-host", or several of these with ", "
 * between: the status; the slug of its problem document, or "html" for the library's own words; and
 * "keep" where the answer does not announce that the connection ends. "none" for no answer at all.
 * "open" at the end when the server has not closed after it had announced so, or has not answered
 * in time; ", closed" when it has closed without a word after an answer that keeps the connection.
 */
void attack_outcome(const char *reply, size_t size, bool is_closed, char *outcome);

/*
 * Sends bytes on a fresh connection, writes what comes back as attack_outcome() does, and asserts
 * what is common to every row: others are served promptly, memory and descriptors are given back,
 * and the log has a line for each answer at most. `row` names it in messages. An outcome that is
 * expected is waited for, since a loaded machine lets answers come late; NULL for none.
 */
void attack_send(struct attacked *attacked, const char *row, const char *bytes, size_t size,
                 const char *expected, char *outcome);

/* Sends a case and compares what came back. */
void attack_run(struct attacked *attacked, const struct attack_case *one);

#endif
