/* Goals 8, 9 and 14: many small requests, what one costs, and what an idle connection holds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "frame.h"
#include "load.h"
#include "served.h"

#define GET(target) "GET " target " HTTP/1.1\r\nHost: localhost\r\n\r\n"

#define BURST 2000 /* requests of one call */

/* A server under load. */
struct loaded {
    struct served *served;
    struct load load;
};

static void run_burst(void *state)
{
    load_run(&((struct loaded *)state)->load, BURST);
}

static uint64_t server_ns(void *state)
{
    return bench_cpu_ns_of(((const struct loaded *)state)->served->pid);
}

static double compare_to_hello(struct served *served, struct served *peer, const char *request)
{
    struct loaded ours = {.served = served}, theirs = {.served = peer};

    load_open(&ours.load, served->port, request, 64);
    load_open(&theirs.load, peer->port, GET("/hello"), 64);

    const struct bench_side our_side = {run_burst, &ours, BURST, server_ns};
    const struct bench_side their_side = {run_burst, &theirs, BURST, server_ns};
    const double ratio = bench_pair(&our_side, &their_side).ratio;

    load_close(&ours.load);
    load_close(&theirs.load);
    return ratio;
}

static void measure_small(struct served *served, struct served *peer)
{
    static const char *const what[] = {"/livez", "a 4 x 8 table", "the same as npy"};
    static const char *const requests[] = {
        GET("/livez"),
        GET("/v1/sinusoidal?length=4&dim=8"),
        GET("/v1/sinusoidal?length=4&dim=8&format=npy"),
    };

    for (size_t i = 0; i < sizeof what / sizeof *what; i++)
        bench_at_most(8, 1.3, compare_to_hello(served, peer, requests[i]), "x",
                      "CPU of %s, to a bare hello", what[i]);
}

/* Goal 9. A machine that is busy with other things is silent for some milliseconds, a loop that
 * waits with requests in hand for as long as its time-out. */
#define SILENCE_LIMIT_MS 100

static void measure_loops(struct served *served)
{
    static const size_t connections[] = {64, 128, 256, 384, 512, 1000};

    for (size_t i = 0; i < sizeof connections / sizeof *connections; i++) {
        const size_t requests = bench_size(40000, 4000);
        struct load load;

        load_open(&load, served->port, GET("/livez"), connections[i]);
        load_run(&load, connections[i]);

        const uint64_t begin_ns = bench_wall_ns();

        load_run(&load, requests);
        bench_at_most(9, SILENCE_LIMIT_MS, (double)load.longest_silence_ns / 1e6, " ms",
                      "longest silence, %zu connections in a closed loop, %.0f answers a second",
                      connections[i],
                      (double)requests * 1e9 / (double)(bench_wall_ns() - begin_ns));
        load_close(&load);
    }
}

/* Goal 14. */

#define IDLE   800
#define STARTS 11

static void measure_idle(void)
{
    struct served served = served_start(NULL);
    struct load first, idle;
    double before;

    load_open(&first, served.port, GET("/livez"), 16); /* what a server needs once */
    load_run(&first, 2000);
    before = served_kib(&served, "RssAnon");
    load_open(&idle, served.port, GET("/livez"), IDLE);
    load_run(&idle, IDLE);
    bench_at_most(14, 40, (served_kib(&served, "RssAnon") - before) / IDLE, " KiB",
                  "memory of a connection that has asked and is idle");
    load_close(&idle);
    load_close(&first);
    served_stop(&served);
}

static void measure_start(void)
{
    const size_t starts = bench_size(STARTS, 1);
    double ms[STARTS];

    for (size_t i = 0; i < starts; i++) {
        const uint64_t begin_ns = bench_wall_ns();
        struct served served = served_start(NULL);
        struct load load;

        load_open(&load, served.port, GET("/livez"), 1);
        load_run(&load, 1);
        ms[i] = (double)(bench_wall_ns() - begin_ns) / 1e6;
        load_close(&load);
        served_stop(&served);
    }
    bench_at_most(14, 20, bench_median(ms, starts), " ms", "from the start to the first answer");
}

static void allow_descriptors(void)
{
    struct rlimit limit;

    bench_require(getrlimit(RLIMIT_NOFILE, &limit) == 0, "no limit of descriptors");
    limit.rlim_cur = limit.rlim_max;
    bench_require(setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > 1100,
                  "ulimit -n is too small for 1 000 connections");
}

int main(void)
{
    struct served served, peer;

    allow_descriptors();
    measure_start();
    measure_idle();
    served = served_start(NULL);
    peer = served_start_peer();
    measure_small(&served, &peer);
    measure_loops(&served);
    served_stop(&served);
    served_stop(&peer);
    return 0;
}
