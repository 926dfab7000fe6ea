/* Goals 1 and 2: tables of sines and cosines, at every level that the processor has. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forced_level.h"
#include "frame.h"
#include "subject.h"

#define DIM    128
#define LENGTH 131072

typedef float lanes __attribute__((vector_size(64)));

/* The table is filled block by block into the same room, as the server does it. */
struct table {
    const struct posenc_tensor *tensor;
    char *block;
    size_t first, count;
};

static void run_table(void *state)
{
    struct table *const table = state;

    posenc_fill(table->tensor, table->first, table->count, table->block);
    table->first = (table->first + table->count) % table->tensor->count;
    bench_use(table->block);
}

/* Plain stores of 64 bytes: the floor. A value that is not one byte repeated is no memset. */
POSENC__KERNEL void store_lanes(char *block)
{
    const lanes value = {0.5f,  0.25f, 0.5f,  0.25f, 0.5f,  0.25f, 0.5f,  0.25f,
                         0.75f, 0.25f, 0.75f, 0.25f, 0.75f, 0.25f, 0.75f, 0.25f};
    lanes *const out = (lanes *)(void *)block;

    for (size_t i = 0; i < SUBJECT_BLOCK / sizeof(lanes); i++)
        out[i] = value;
    bench_use(block);
}

static void store_plain(void *block)
{
    store_lanes(block);
}

#ifdef __x86_64__
POSENC__FOR_AVX2 static void store_avx2(void *block)
{
    store_lanes(block);
}

POSENC__FOR_AVX512 static void store_avx512(void *block)
{
    store_lanes(block);
}
#endif

static struct bench_side best_store(char *block)
{
    struct bench_side side = {store_plain, block, SUBJECT_BLOCK / sizeof(float), NULL};

#ifdef __x86_64__
    if (posenc__level_runs(POSENC__AVX2))
        side.run = store_avx2;
    if (posenc__level_runs(POSENC__AVX512))
        side.run = store_avx512;
#endif
    return side;
}

/* What everybody writes first: a row's sines, then its cosines. */
struct loop {
    float *out;
    double frequencies[DIM / 2];
    size_t position;
};

#define LOOP_ROWS 8

static void run_loop(void *state)
{
    struct loop *const loop = state;
    float *out = loop->out;

    for (size_t row = 0; row < LOOP_ROWS; row++, out += DIM) {
        const double position = (double)loop->position;

        for (size_t i = 0; i < DIM / 2; i++)
            out[i] = (float)sin(position * loop->frequencies[i]);
        for (size_t i = 0; i < DIM / 2; i++)
            out[DIM / 2 + i] = (float)cos(position * loop->frequencies[i]);
        loop->position = (loop->position + 1) % LENGTH;
    }
    bench_use(loop->out);
}

static void measure(enum posenc__level level, char *block, struct loop *loop)
{
    static const double floors[POSENC__LEVEL_COUNT] = {5.5, 3.6, 3.0};
    const struct posenc_member members[] = {
        {"length", posenc_number(LENGTH)},
        {"dim", posenc_number(DIM)},
        {"layout", posenc_text("sin_cos")},
    };
    struct subject subject;

    force_level(level);
    subject_make(&subject, "sinusoidal", "table", members, 3);

    struct table table = {.tensor = subject_tensor(&subject, "encoding"),
                          .block = block,
                          .count = SUBJECT_BLOCK / sizeof(float)};
    const struct bench_side ours = {run_table, &table, (double)table.count, NULL};
    const struct bench_side store = best_store(bench_allocate(SUBJECT_BLOCK));
    const struct bench_side naive = {run_loop, loop, LOOP_ROWS * DIM, NULL};

    bench_at_most(1, floors[level], bench_pair(&ours, &store).ratio, "x",
                  "table of float32, dim 128, to plain 64-byte stores; %s", level_name(level));
    const double times = 1 / bench_pair(&ours, &naive).ratio;

    if (level == POSENC__AVX512)
        bench_at_least(2, 40, times, "x", "the same, to libm's sin and cos; %s", level_name(level));
    else
        bench_tell(2, times, "x", "the same, to libm's sin and cos; %s", level_name(level));
    free(store.state);
    subject_release(&subject);
}

/* With --level: only says which level the service uses here. */
int main(int argc, char *argv[])
{
    if (argc > 1 && strcmp(argv[1], "--level") == 0) {
        puts(level_name(posenc__level_best()));
        return 0;
    }
    char *const block = bench_allocate(SUBJECT_BLOCK);
    struct loop loop = {.out = bench_allocate(LOOP_ROWS * DIM * sizeof(float))};

    for (size_t i = 0; i < DIM / 2; i++)
        loop.frequencies[i] = pow(10000, -2.0 * (double)i / DIM);
    for (int level = 0; level < POSENC__LEVEL_COUNT; level++)
        if (posenc__level_runs((enum posenc__level)level))
            measure((enum posenc__level)level, block, &loop);
    free(loop.out);
    free(block);
    return 0;
}
