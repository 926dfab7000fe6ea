/* The servers that are measured: posencd, and beside it what libmicrohttpd alone can do. */
#ifndef BENCH_SERVED_H
#define BENCH_SERVED_H

#include <stdint.h>
#include <sys/types.h>

#define SERVED_BUFFER_BYTES ((size_t)64 << 20) /* of the peer's ready answer */

struct served {
    pid_t pid;
    unsigned port;
};

/* Starts $POSENCD, or build/posencd, at a free port and waits until it listens; `flag` is one more
 * argument, or NULL. Its log goes nowhere. */
struct served served_start(const char *flag);

/*
 * Starts a process with as many threads of libmicrohttpd as posencd has loops. GET /hello: a few
 * bytes, GET /buffer: SERVED_BUFFER_BYTES that are ready, POST: the body dropped, and a few bytes.
 */
struct served served_start_peer(void);

void served_stop(struct served *served);

/* A line of /proc/PID/status, as "VmRSS", in KiB. */
double served_kib(const struct served *served, const char *line);

/* From now on VmHWM is the highest VmRSS from now on. */
void served_forget_peak(const struct served *served);

#endif
