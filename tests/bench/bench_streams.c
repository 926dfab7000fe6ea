/* Goals 10, 11 and 12: long answers and long bodies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frame.h"
#include "load.h"
#include "served.h"

#define GET(target) "GET " target " HTTP/1.1\r\nHost: localhost\r\n\r\n"

/* A server, and what it is asked for over and over on one connection. */
struct streamed {
    struct served *served;
    const char *request;
    int fd;
};

static uint64_t server_ns(void *state)
{
    return bench_cpu_ns_of(((const struct streamed *)state)->served->pid);
}

static void run_download(void *state)
{
    const struct streamed *const streamed = state;
    uint64_t left;

    (void)load_begin_download(streamed->fd, streamed->request, &left);
    load_read_away(streamed->fd, left);
}

/* Goal 10: as many bytes of a table as the peer's ready buffer has. */
static void measure_stream(struct served *served, struct served *peer)
{
    struct streamed ours = {served, GET("/v1/sinusoidal?length=131072&dim=128&format=npy"),
                            load_connect(served->port)};
    struct streamed theirs = {peer, GET("/buffer"), load_connect(peer->port)};
    const struct bench_side our_side = {run_download, &ours, SERVED_BUFFER_BYTES, server_ns};
    const struct bench_side their_side = {run_download, &theirs, SERVED_BUFFER_BYTES, server_ns};

    bench_at_least(10, 0.8, 1 / bench_pair(&our_side, &their_side).ratio, "x",
                   "bytes of a table as npy for a CPU second, to a ready buffer");
    (void)close(ours.fd);
    (void)close(theirs.fd);
}

/* Goal 11. */

#define PROBES_MAX      100000
#define PROBE_EVERY_US  1000
#define STREAM_GROWTH   2048 /* KiB */
#define STREAM_PROBE_US 1000

/* Reads the long answer in a process of its own. */
static pid_t start_reader(unsigned port, const char *request)
{
    const pid_t pid = fork();
    uint64_t left;
    int fd;

    bench_require(pid >= 0, "no process");
    if (pid > 0)
        return pid;
    fd = load_connect(port);
    (void)load_begin_download(fd, request, &left);
    load_read_away(fd, left);
    _exit(0);
}

/* Asks /livez until the reader is done; the median of the times, in microseconds. */
static double probe_beside(unsigned port, pid_t reader)
{
    double *const us = bench_allocate(PROBES_MAX * sizeof(*us));
    struct load load;
    size_t count = 0;
    double median;
    int status = 0;

    load_open(&load, port, GET("/livez"), 1);
    do {
        const uint64_t begin_ns = bench_wall_ns();

        load_run(&load, 1);
        us[count] = (double)(bench_wall_ns() - begin_ns) / 1e3;
        count += count + 1 < PROBES_MAX;
        (void)usleep(PROBE_EVERY_US);
    } while (waitpid(reader, &status, WNOHANG) == 0);
    bench_require(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the long answer ends early");
    median = bench_median(us, count);
    load_close(&load);
    free(us);
    return median;
}

static void measure_long_stream(struct served *served)
{
    const size_t gib = bench_size(16, 1);
    char request[128];
    double before, us;

    (void)snprintf(request, sizeof request, GET("/v1/sinusoidal?length=%zu&dim=128&format=npy"),
                   gib << 21);
    before = served_kib(served, "VmRSS");
    served_forget_peak(served);
    us = probe_beside(served->port, start_reader(served->port, request));
    bench_at_most(11, STREAM_GROWTH, served_kib(served, "VmHWM") - before, " KiB",
                  "growth of resident memory while a table of %zu GiB is sent", gib);
    bench_at_most(11, STREAM_PROBE_US, us, " us", "/livez beside it, median");
}

/* Goal 12. */

#define UPLOAD_TARGET "/v1/rope/apply?layout=half&format=npy"
#define UPLOAD_HEADER 128 /* of the .npy file */
#define UPLOAD_ROUNDS 9
#define RECEIVE_BYTES (64 << 10)   /* so that little of an answer leaves before it is looked at */
#define UPLOAD_ROOM   (256 + 1024) /* KiB beside the body: a block of the result, and 1 MiB */

struct upload {
    char *bytes; /* head and body */
    size_t size, body_size;
};

/* A float32 tensor [1, 32, length, 128] as an .npy file, behind the head of its request. */
static struct upload make_upload(void)
{
    const size_t length = bench_size(4000, 100), count = 32 * length * 128;
    const size_t body_size = UPLOAD_HEADER + count * sizeof(float);
    char *const bytes = bench_allocate(body_size + 512);
    const int head = snprintf(bytes, 512,
                              "POST " UPLOAD_TARGET " HTTP/1.1\r\nHost: localhost\r\n"
                              "Content-Type: application/x-npy\r\nContent-Length: %zu\r\n\r\n",
                              body_size);
    char *const body = bytes + head;
    const int dictionary =
        snprintf(body + 10, UPLOAD_HEADER - 10,
                 "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 32, %zu, 128), }", length);

    memcpy(body, "\x93NUMPY\x01\x00\x76\x00", 10);
    memset(body + 10 + dictionary, ' ', UPLOAD_HEADER - 11 - (size_t)dictionary);
    body[UPLOAD_HEADER - 1] = '\n';
    for (size_t i = 0; i < count; i++) {
        const float value = 0.001f * (float)(i % 1999) - 1;

        memcpy(body + UPLOAD_HEADER + i * sizeof value, &value, sizeof value);
    }
    return (struct upload){bytes, (size_t)head + body_size, body_size};
}

/* CPU time of the server from the upload's first byte to the answer's first. */
static double upload_once(const struct served *served, const struct upload *upload)
{
    const int fd = load_connect(served->port), room = RECEIVE_BYTES;
    const uint64_t begin_ns = bench_cpu_ns_of(served->pid);
    uint64_t left, end_ns;
    char first;

    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room); /* a hint */
    load_send(fd, upload->bytes, upload->size);
    bench_require(recv(fd, &first, 1, MSG_PEEK) == 1, "no answer to an upload");
    end_ns = bench_cpu_ns_of(served->pid);
    (void)load_begin_download(fd, "", &left);
    load_read_away(fd, left);
    (void)close(fd);
    return (double)(end_ns - begin_ns);
}

static void measure_uploads(const struct served *peer)
{
    const struct upload upload = make_upload();
    const size_t rounds = bench_size(UPLOAD_ROUNDS, 3);
    struct served served = served_start(NULL);
    double ratios[UPLOAD_ROUNDS], before, growth;

    before = served_kib(&served, "VmRSS");
    for (size_t i = 0; i < rounds; i++) {
        const double ns = upload_once(&served, &upload);

        ratios[i] = upload_once(peer, &upload) / ns;
    }
    growth = served_kib(&served, "VmHWM") - before;
    bench_at_least(12, 0.7, bench_median(ratios, rounds), "x",
                   "rate of %zu MiB for RoPE, to dropping them, up to the answer's first byte",
                   upload.body_size >> 20);
    bench_at_most(12, UPLOAD_ROOM, growth - (double)upload.body_size / 1024, " KiB",
                  "resident memory beside the body, at most");
    served_stop(&served);
    free(upload.bytes);
}

int main(void)
{
    struct served served = served_start(NULL), peer = served_start_peer();

    measure_stream(&served, &peer);
    measure_long_stream(&served);
    measure_uploads(&peer);
    served_stop(&served);
    served_stop(&peer);
    return 0;
}
