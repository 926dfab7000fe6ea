/* Somebody else's short requests beside an attack: how long they take. */
#ifndef PROBER_H
#define PROBER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "posencd.h"

#define PROBER_PROBES_MAX 20000

/* What others may have to wait beside any attack, in 95 of 100 cases. Sanitizers multiply what the
 * server takes. */
#ifdef SANITIZED
#define PROBER_PROMPT_MS 1000
#else
#define PROBER_PROMPT_MS 100
#endif

/* A machine that does other things too may hiccup: a measurement is made so often before it counts.
 * The bound stays what it is. */
#define PROBER_ATTEMPTS 3

struct prober_times {
    size_t count, failed; /* a probe fails when its answer is no 200 */
    double median_ms, p95_ms, slowest_ms;
    double machine_ms; /* that the machine took altogether, which is left out of the others */
};

/*
 * Asks for /livez on a fresh connection each time, as often as told, without an end; starts as {0}.
 * A probe's time counts from when it was due: one that holds up those behind it counts for them.
 * Time in which the machine had no processor for the server or the prober does not count
 * (waiting.h).
 */
struct prober {
    const struct posencd *server;
    unsigned interval_ms; /* between two probes */
    pthread_t thread;
    atomic_bool is_stopping;
    size_t count, failed;
    uint32_t times_us[PROBER_PROBES_MAX];
    uint64_t machine_us;
};

void prober_start(struct prober *prober, const struct posencd *server, unsigned interval_ms);

/* Ends the thread; what it has measured so far. */
struct prober_times prober_stop(struct prober *prober);

/* One probe, in the caller's thread: how long it took, or -1 when it was not served. */
double prober_ask(const struct posencd *server);

/*
 * Runs an attack, which returns what others saw beside it, and asserts that all of them were served
 * and 95 of 100 within PROBER_PROMPT_MS; prints it. An attack that was slower is run again, up to
 * PROBER_ATTEMPTS times.
 */
void prober_expect_prompt(const char *row, struct prober_times (*attack)(void *context),
                          void *context);

#endif
