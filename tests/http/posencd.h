/* Runs the real server for end-to-end tests. The binary is $POSENCD, or build/posencd. */
#ifndef POSENCD_H
#define POSENCD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define POSENCD_FLAGS_MAX 16
#define POSENCD_URL_MAX   64

struct posencd {
    pid_t pid;
    unsigned port;
    char url[POSENCD_URL_MAX]; /* "http://127.0.0.1:40001", or https */
};

/*
 * Starts it on a free port of 127.0.0.1 and waits until it listens. flags ends in NULL and may be
 * NULL. Its log goes to log_fd, or nowhere when that is negative. Fails the test when it does not
 * start; it is killed when the test's process ends.
 */
struct posencd posencd_start(const char *const flags[], int log_fd);

/* Runs it with flags alone until it ends; its exit status, and what it wrote on both streams. */
int posencd_run(const char *const flags[], char *output, size_t size);

/* Sends a signal. */
void posencd_signal(const struct posencd *server, int number);

/* Waits for the end; the exit status, or -1 when it was killed or does not end in time. */
int posencd_wait(struct posencd *server, int timeout_ms);

/* SIGTERM and posencd_wait(). */
int posencd_stop(struct posencd *server);

/* A blocking socket connected to it, whose reads fail after some seconds. */
int posencd_connect(const struct posencd *server);

/*
 * Sends bytes on a fresh connection and reads until the server closes, or nothing comes for
 * quiet_ms. The reply, cut to size, ends in a NUL byte. True when the server closed.
 */
bool posencd_exchange(const struct posencd *server, const char *bytes, size_t count, int quiet_ms,
                      char *reply, size_t size);

/*
 * Reads one answer that tells its length, and keeps its beginning, which ends in a NUL byte; leaves
 * what comes behind it in the socket only if that comes later. The status; 0 when the answer is
 * cut, or when nothing comes for as long as posencd_connect() says.
 */
int posencd_read_answer(int fd, char *reply, size_t size);

/* Reads on until the server closes or nothing comes for quiet_ms; as posencd_exchange(). */
bool posencd_read(int fd, int quiet_ms, char *reply, size_t size);

#endif
