/* Somebody else's short requests beside an attack: how long they take. */
#ifndef PROBER_H
#define PROBER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "posencd.h"
#include "sanitized.h"

#define PROBER_PROBES_MAX 20000

/* Sanitizers multiply what the server takes for anything. */
#define PROBER_SLOWNESS (IS_SANITIZED ? 10U : 1U)

/* What others may have to wait beside any attack, in 95 of 100 cases. */
#define PROBER_PROMPT_MS (100 * PROBER_SLOWNESS)

/* Between two probes: a crowd of a second meets some hundred. Probes that come faster than a server
 * can answer even one at a time would wait for each other, not for the attack. */
#define PROBER_PACE_MS (5 * PROBER_SLOWNESS)

/* A machine that does other things too may hiccup: a measurement is made so often before it counts.
 * The bound stays what it is. */
#define PROBER_ATTEMPTS 3

struct prober_times {
    size_t count, failed; /* a probe fails when its answer is no 200 */
    double median_ms, p95_ms, slowest_ms;
    double machine_ms; /* that the machine took altogether, which is left out of the others */
};

/*
 * Asks for /livez on a fresh connection each time, every PROBER_PACE_MS, without an end; starts as
 * {0}.
 * A probe's time counts from when it was due: one that holds up those behind it counts for them.
 * Time in which the machine had no processor for the server or the prober does not count
 * (waiting.h).
 */
struct prober {
    const struct posencd *server;
    pthread_t thread;
    atomic_bool is_stopping;
    size_t count, failed;
    uint32_t times_us[PROBER_PROBES_MAX];
    uint64_t machine_us;
};

void prober_start(struct prober *prober, const struct posencd *server);

/* Ends the thread; what it has measured so far. */
struct prober_times prober_stop(struct prober *prober);

/* One probe, in the caller's thread: how long it took, or -1 when it was not served. */
double prober_ask(const struct posencd *server);

/* The same, as on a machine that does nothing else. */
double prober_ask_alone(const struct posencd *server);

/*
 * Runs an attack, which returns what others saw beside it, and asserts that all of them were served
 * and 95 of 100 within PROBER_PROMPT_MS; prints it. An attack that was slower is run again, up to
 * PROBER_ATTEMPTS times.
 */
void prober_expect_prompt(const char *row, struct prober_times (*attack)(void *context),
                          void *context);

#endif
