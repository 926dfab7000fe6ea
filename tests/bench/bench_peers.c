/* Goal 3: the same tables by NumPy and PyTorch, where these are installed ($BENCH_PYTHON, or
 * python3). */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frame.h"
#include "subject.h"

#define ROUNDS 9

/* A Python that makes a table for each line sent to it, and answers with the time it took. */
struct peer {
    pid_t pid;
    FILE *in, *out;
    char version[64]; /* "" when it is not installed */
};

static void peer_exec(const char *name, size_t length, size_t dim, int in, int out)
{
    const char *const asked = getenv("BENCH_PYTHON");
    const char *const python = asked && *asked ? asked : "python3";
    const char *const folder = getenv("BENCH_DIR");
    char script[512], rows[32], columns[32];

    (void)snprintf(script, sizeof script, "%s/peer_tables.py", folder ? folder : "tests/bench");
    (void)snprintf(rows, sizeof rows, "%zu", length);
    (void)snprintf(columns, sizeof columns, "%zu", dim);
    if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
        (void)execlp(python, python, script, name, rows, columns, (char *)NULL);
    _exit(127);
}

static void peer_start(struct peer *peer, const char *name, size_t length, size_t dim)
{
    int to[2], from[2];

    bench_require(pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0, "no pipes");
    peer->pid = fork();
    bench_require(peer->pid >= 0, "no process");
    if (peer->pid == 0)
        peer_exec(name, length, dim, to[0], from[1]);
    (void)close(to[0]);
    (void)close(from[1]);
    peer->in = fdopen(to[1], "w");
    peer->out = fdopen(from[0], "r");
    bench_require(peer->in && peer->out, "no streams");
    if (fscanf(peer->out, "%63s", peer->version) != 1)
        peer->version[0] = '\0';
}

static void peer_stop(struct peer *peer)
{
    (void)fclose(peer->in);
    (void)fclose(peer->out);
    (void)waitpid(peer->pid, NULL, 0);
}

static double peer_table_ns(struct peer *peer)
{
    double ns = 0;

    bench_require(fputs("\n", peer->in) >= 0 && fflush(peer->in) == 0 &&
                      fscanf(peer->out, "%lf", &ns) == 1,
                  "the peer does not answer");
    return ns;
}

/* As the server makes it: planned, then filled into one block's room. */
static double own_table_ns(size_t length, size_t dim, char *block)
{
    const struct posenc_member members[] = {
        {"length", posenc_number((double)length)},
        {"dim", posenc_number((double)dim)},
        {"layout", posenc_text("sin_cos")},
    };
    const uint64_t begin = bench_cpu_ns();
    struct subject subject;

    subject_make(&subject, "sinusoidal", "table", members, 3);
    subject_fill(subject_tensor(&subject, "encoding"), block, true);
    subject_release(&subject);
    return (double)(bench_cpu_ns() - begin);
}

static void measure(const char *name, double limit, size_t length, size_t dim, char *block)
{
    const size_t rounds = bench_size(ROUNDS, 1);
    struct peer peer = {0};
    double ratios[ROUNDS];

    peer_start(&peer, name, length, dim);
    if (!*peer.version) {
        bench_skip(3, "not installed", "times faster than %s, float32 [%zu, %zu]", name, length,
                   dim);
        peer_stop(&peer);
        return;
    }
    for (size_t i = 0; i < rounds; i++) {
        const double ns = own_table_ns(length, dim, block);

        ratios[i] = peer_table_ns(&peer) / ns;
    }
    bench_at_least(3, limit, bench_median(ratios, rounds), "x",
                   "times faster than %s %s, float32 [%zu, %zu]", name, peer.version, length, dim);
    peer_stop(&peer);
}

int main(void)
{
    const size_t lengths[] = {bench_size(131072, 1024), bench_size(8192, 64)};
    char *const block = bench_allocate(SUBJECT_BLOCK);

    for (size_t i = 0; i < 2; i++) {
        const size_t dim = i == 0 ? 128 : 4096;

        measure("numpy", 15, lengths[i], dim, block);
        measure("torch", 50, lengths[i], dim, block);
    }
    free(block);
    return 0;
}
