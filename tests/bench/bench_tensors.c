/* Goals 5 and 6: RoPE on tensors against copying them, biases against setting memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forced_level.h"
#include "frame.h"
#include "subject.h"

/* A copy, block by block as the filling is. */
struct copy {
    const char *from;
    char *to;
    size_t bytes;
    bool reuses_block; /* `to` has room for one block, as the server has */
};

static void run_copy(void *state)
{
    const struct copy *const copy = state;

    for (size_t at = 0; at < copy->bytes; at += SUBJECT_BLOCK) {
        const size_t left = copy->bytes - at;

        memcpy(copy->to + at, copy->from + at, left < SUBJECT_BLOCK ? left : SUBJECT_BLOCK);
        bench_use(copy->to);
    }
}

static void run_set(void *state)
{
    const struct copy *const copy = state;

    for (size_t at = 0; at < copy->bytes; at += SUBJECT_BLOCK) {
        const size_t left = copy->bytes - at;

        memset(copy->reuses_block ? copy->to : copy->to + at, 1,
               left < SUBJECT_BLOCK ? left : SUBJECT_BLOCK);
        bench_use(copy->to);
    }
}

struct filling {
    const struct posenc_tensor *tensor;
    char *out;
    bool reuses_block;
};

static void run_fill(void *state)
{
    const struct filling *const filling = state;

    subject_fill(filling->tensor, filling->out, filling->reuses_block);
}

/* Goal 5. */

struct rotation {
    enum posenc_dtype dtype;
    const char *layout;
    bool is_in_place; /* the answer is written over what came, vector by vector */
    char *in, *out;   /* of tensors of any dtype */
};

#define HEADS 32
#define WIDTH 128

static struct posenc_array rotation_input(const struct rotation *rotation)
{
    const size_t length = bench_size(2048, 64);

    return (struct posenc_array){.dtype = rotation->dtype,
                                 .rank = 4,
                                 .shape = {1, HEADS, length, WIDTH},
                                 .data = rotation->in};
}

static double measure_rotation(const struct rotation *rotation)
{
    const struct posenc_array x = rotation_input(rotation);
    const struct posenc_member members[] = {
        {"x", posenc_nested(&x)},
        {"layout", posenc_text(rotation->layout)},
        {"dtype", posenc_text(posenc_dtype_name(rotation->dtype))},
    };
    struct subject subject;

    subject_make(&subject, "rope", "apply", members, 3);

    struct filling filling = {subject_tensor(&subject, "x"),
                              rotation->is_in_place ? rotation->in : rotation->out, false};
    struct copy copy = {rotation->in, rotation->out, posenc_tensor_bytes(filling.tensor), false};
    const struct bench_side ours = {run_fill, &filling, (double)copy.bytes, NULL};
    const struct bench_side peer = {run_copy, &copy, (double)copy.bytes, NULL};
    const double ratio = bench_pair(&ours, &peer).ratio;

    subject_release(&subject);
    return ratio;
}

/* A limit of 0: there is no goal. */
static double rotation_limit(enum posenc__level level, const struct rotation *rotation)
{
    if (rotation->dtype == POSENC_FLOAT32)
        return rotation->is_in_place ? 1.0 : 1.6;
    return rotation->is_in_place || level == POSENC__PLAIN ? 0 : 2.5;
}

static void report_rotation(enum posenc__level level, const struct rotation *rotation)
{
    const double ratio = measure_rotation(rotation), limit = rotation_limit(level, rotation);
    char what[96];

    (void)snprintf(what, sizeof what, "RoPE of %s, layout %s%s, to memcpy; %s",
                   posenc_dtype_name(rotation->dtype), rotation->layout,
                   rotation->is_in_place ? ", in place" : "", level_name(level));
    if (limit > 0)
        bench_at_most(5, limit, ratio, "x", "%s", what);
    else
        bench_tell(5, ratio, "x", "%s", what);
}

static void report_rotations(enum posenc__level level, char *in, char *out)
{
    static const enum posenc_dtype dtypes[] = {POSENC_FLOAT32, POSENC_FLOAT16, POSENC_BFLOAT16};
    static const char *const layouts[] = {"half", "interleaved"};

    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 4; j++) {
            const struct rotation rotation = {dtypes[i], layouts[j % 2], j >= 2, in, out};

            report_rotation(level, &rotation);
        }
}

/* Goal 6. */

#define BIAS_HEADS 16
#define BUCKETS    32

/* What is asked for. */
struct bias {
    const char *encoding;
    const struct posenc_member *members;
    size_t count;
};

static double measure_bias(const struct bias *bias, char *out, bool reuses_block)
{
    struct subject subject;

    subject_make(&subject, bias->encoding, "table", bias->members, bias->count);

    struct filling filling = {subject_tensor(&subject, "bias"), out, reuses_block};
    struct copy copy = {NULL, out, posenc_tensor_bytes(filling.tensor), reuses_block};
    const struct bench_side ours = {run_fill, &filling, (double)copy.bytes, NULL};
    const struct bench_side peer = {run_set, &copy, (double)copy.bytes, NULL};
    const double ratio = bench_pair(&ours, &peer).ratio;

    subject_release(&subject);
    return ratio;
}

static void report_biases(enum posenc__level level, char *out)
{
    const double side = (double)bench_size(2048, 128);
    float weights[BUCKETS * BIAS_HEADS];
    const struct posenc_array table = {
        .dtype = POSENC_FLOAT32, .rank = 2, .shape = {BUCKETS, BIAS_HEADS}, .data = weights};
    const struct posenc_member alibi[] = {
        {"heads", posenc_number(BIAS_HEADS)},
        {"query_length", posenc_number(side)},
        {"key_length", posenc_number(side)},
    };
    const struct posenc_member t5[] = {
        {"bidirectional", posenc_boolean(true)},
        {"query_length", posenc_number(side)},
        {"key_length", posenc_number(side)},
        {"table", posenc_nested(&table)},
    };

    for (size_t i = 0; i < BUCKETS * BIAS_HEADS; i++)
        weights[i] = 0.01f * (float)i;
    const struct bias biases[] = {{"alibi", alibi, 3}, {"t5", t5, 4}};

    for (size_t i = 0; i < 4; i++)
        bench_at_most(6, 1.15, measure_bias(&biases[i % 2], out, i >= 2), "x",
                      "bias of %s, %s, to memset; %s", biases[i % 2].encoding,
                      i >= 2 ? "block by block to the same room" : "as a whole", level_name(level));
}

int main(void)
{
    const size_t side = bench_size(2048, 128);
    const size_t out_bytes = BIAS_HEADS * side * side * sizeof(float);
    const size_t in_bytes = (size_t)HEADS * bench_size(2048, 64) * WIDTH * sizeof(float);
    char *const in = bench_allocate(in_bytes);
    char *const out = bench_allocate(out_bytes < in_bytes ? in_bytes : out_bytes);

    /* Of any dtype this is a small number. */
    for (size_t i = 0; i < in_bytes; i++)
        in[i] = i % 2 ? 0x38 + (char)(i % 8) : (char)(i % 127);
    for (int i = 0; i < POSENC__LEVEL_COUNT; i++) {
        const enum posenc__level level = (enum posenc__level)i;

        if (!posenc__level_runs(level))
            continue;
        force_level(level);
        report_rotations(level, in, out);
        report_biases(level, out);
    }
    free(in);
    free(out);
    return 0;
}
