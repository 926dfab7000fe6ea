#include "frame.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS_MAX 21

bool bench_is_short(void)
{
    const char *const value = getenv("BENCH_SHORT");

    return value && *value;
}

size_t bench_size(size_t full, size_t brief)
{
    return bench_is_short() ? brief : full;
}

void bench_require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "benchmark: %s\n", what);
    exit(EXIT_FAILURE);
}

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    bench_require(clock_gettime(clock, &now) == 0, "no such clock");
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

uint64_t bench_cpu_ns(void)
{
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t bench_cpu_ns_of(pid_t pid)
{
    clockid_t clock;

    bench_require(clock_getcpuclockid(pid, &clock) == 0, "the process has no clock");
    return clock_ns(clock);
}

uint64_t bench_wall_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double bench_median(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), compare_doubles);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static uint64_t side_now(const struct bench_side *side)
{
    return side->now_ns ? side->now_ns(side->state) : bench_cpu_ns();
}

/* Nanoseconds of one unit. */
static double side_time(const struct bench_side *side, size_t calls)
{
    const uint64_t begin = side_now(side);

    for (size_t i = 0; i < calls; i++)
        side->run(side->state);
    return (double)(side_now(side) - begin) / ((double)calls * side->units);
}

/* Calls that take the time of one turn; the first ones warm caches and pages. */
static size_t side_calls(const struct bench_side *side)
{
    const double turn_ns = (double)bench_size(8000000, 500000);
    size_t calls = 1;
    double ns = side_time(side, 1) * side->units;

    while (ns * (double)calls < turn_ns / 2 && calls < SIZE_MAX / 2) {
        calls *= 2;
        ns = side_time(side, calls) * side->units;
    }
    return ns * (double)calls >= turn_ns ? calls : (size_t)(turn_ns / (ns > 1 ? ns : 1)) + 1;
}

/* Fewer where a call is long, so that a pair takes two seconds. */
static size_t count_rounds(uint64_t spent_ns)
{
    const uint64_t rounds = 2000000000U * 3 / (spent_ns + 1);

    if (bench_is_short() || rounds < 5)
        return bench_size(5, 1);
    return rounds < ROUNDS_MAX ? (size_t)rounds : ROUNDS_MAX;
}

struct bench_outcome bench_pair(const struct bench_side *ours, const struct bench_side *peer)
{
    const uint64_t begin_ns = bench_wall_ns();
    const size_t our_calls = side_calls(ours), peer_calls = side_calls(peer);
    const size_t rounds = count_rounds(bench_wall_ns() - begin_ns);
    double our_ns[ROUNDS_MAX], peer_ns[ROUNDS_MAX], ratios[ROUNDS_MAX];

    for (size_t i = 0; i < rounds; i++) {
        if (i % 2 == 0)
            our_ns[i] = side_time(ours, our_calls);
        peer_ns[i] = side_time(peer, peer_calls);
        if (i % 2 != 0)
            our_ns[i] = side_time(ours, our_calls);
        ratios[i] = our_ns[i] / peer_ns[i];
    }
    return (struct bench_outcome){.ns = bench_median(our_ns, rounds),
                                  .peer_ns = bench_median(peer_ns, rounds),
                                  .ratio = bench_median(ratios, rounds)};
}

/* Three digits, or all those of a whole number. */
static void print_value(double value, const char *unit)
{
    if (value >= 100)
        printf(" %.0f%s |", value, unit);
    else
        printf(" %.3g%s |", value, unit);
}

static void print_row(unsigned goal, const char *what, va_list words)
{
    printf("| %u | ", goal);
    vprintf(what, words);
    printf(" |");
}

void bench_at_most(unsigned goal, double limit, double value, const char *unit, const char *what,
                   ...)
{
    va_list words;

    va_start(words, what);
    print_row(goal, what, words);
    va_end(words);
    print_value(value, unit);
    printf(" <= %.4g%s | %s |\n", limit, unit, value <= limit ? "met" : "missed");
    (void)fflush(stdout);
}

void bench_at_least(unsigned goal, double limit, double value, const char *unit, const char *what,
                    ...)
{
    va_list words;

    va_start(words, what);
    print_row(goal, what, words);
    va_end(words);
    print_value(value, unit);
    printf(" >= %.4g%s | %s |\n", limit, unit, value >= limit ? "met" : "missed");
    (void)fflush(stdout);
}

void bench_tell(unsigned goal, double value, const char *unit, const char *what, ...)
{
    va_list words;

    va_start(words, what);
    print_row(goal, what, words);
    va_end(words);
    print_value(value, unit);
    printf(" | |\n");
    (void)fflush(stdout);
}

void bench_skip(unsigned goal, const char *why, const char *what, ...)
{
    va_list words;

    va_start(words, what);
    print_row(goal, what, words);
    va_end(words);
    printf(" %s | | |\n", why);
    (void)fflush(stdout);
}

void *bench_allocate(size_t bytes)
{
    void *const memory = aligned_alloc(64, (bytes + 63) / 64 * 64);

    bench_require(memory != NULL, "out of memory");
    memset(memory, 1, bytes);
    return memory;
}
