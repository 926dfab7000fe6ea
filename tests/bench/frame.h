/*
 * What all benchmarks share: two ways of doing one thing, timed by turns, and rows of one Markdown
 * table. A figure is a ratio of CPU time to CPU time in the same run, since machines differ and are
 * shared; it is compared with its goal, and never fails anything.
 */
#ifndef BENCH_FRAME_H
#define BENCH_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* True with BENCH_SHORT in the environment: everything runs, and the figures say little. */
bool bench_is_short(void);

/* `full`, or in a short run `brief`. */
size_t bench_size(size_t full, size_t brief);

/* CPU time, of this process and of another one, and the time of the clock on the wall. */
uint64_t bench_cpu_ns(void);
uint64_t bench_cpu_ns_of(pid_t pid);
uint64_t bench_wall_ns(void);

/* Sorts values and gives the middle one; count is at least 1. */
double bench_median(double *values, size_t count);

/* One of two ways. run() is called over and over; one call does `units` of work. */
struct bench_side {
    void (*run)(void *state);
    void *state;
    double units;
    uint64_t (*now_ns)(void *state); /* what is charged; NULL: this process' CPU time */
};

/* Medians over rounds. */
struct bench_outcome {
    double ns, peer_ns; /* of one unit */
    double ratio;       /* ours / peer */
};

/* Runs both sides by turns, a few milliseconds each. */
struct bench_outcome bench_pair(const struct bench_side *ours, const struct bench_side *peer);

/* Keeps the compiler from dropping what was computed. */
static inline void bench_use(const void *bytes)
{
    __asm__ volatile("" : : "r"(bytes) : "memory");
}

/*
 * Prints a row: the goal's number in the table of goals, what was measured as a format, the value
 * with its unit ("x" or " KiB") behind it, the goal and whether it is met.
 */
void bench_at_most(unsigned goal, double limit, double value, const char *unit, const char *what,
                   ...) __attribute__((format(printf, 5, 6)));
void bench_at_least(unsigned goal, double limit, double value, const char *unit, const char *what,
                    ...) __attribute__((format(printf, 5, 6)));

/* A figure that no goal is set for. */
void bench_tell(unsigned goal, double value, const char *unit, const char *what, ...)
    __attribute__((format(printf, 4, 5)));

/* A row without a figure, and why. */
void bench_skip(unsigned goal, const char *why, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Ends the program with a message when something that must work does not. */
void bench_require(bool holds, const char *what);

/* Memory that is there: touched, aligned to 64. Never NULL. */
void *bench_allocate(size_t bytes);

#endif
