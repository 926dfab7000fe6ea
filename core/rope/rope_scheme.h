/*
 * Between the reading of the dictionary (rope_scaling.c) and the schemes. A scheme is one record:
 * which members it needs and uses, a check that may fail, and two ways to one pair's frequency.
 */
#ifndef POSENC_ROPE_SCHEME_H
#define POSENC_ROPE_SCHEME_H

#include "rope_scaling.h"

#define POSENC__ROPE_CANONICAL_MAX 16 /* members of a canonical dictionary */

struct posenc__rope_scheme;

/* One question on its way to its answer. */
struct posenc__rope_work {
    const struct posenc__rope_question *question;
    const struct posenc__rope_scheme *scheme;
    const char *type; /* the rope_type as written, an alias perhaps; NULL without a dictionary */
    struct posenc_arguments *arguments; /* takes the warnings */
    struct posenc_memory *memory;
    struct posenc_problem *problem;
    struct posenc__rope_frequencies *frequencies;
    size_t canonical_count;
    struct posenc_member *canonical; /* [POSENC__ROPE_CANONICAL_MAX] */
    void *constants;                 /* the scheme's own, made by its prepare */
    const struct posenc__dd *plain;  /* [table_dim / 2] base^(-2 pair / table_dim) */
};

struct posenc__rope_pair {
    struct posenc__dd radians; /* per position */
    struct posenc__dd weight;  /* 0: kept, 1: scaled by the whole factor */
};

struct posenc__rope_scheme {
    const char *name;
    const char *const *aliases; /* NULL-terminated, or NULL */
    const char *const *needs;   /* members that must be there, or NULL */
    const char *const *uses;    /* members that may be there, or NULL */
    /* Checks the question, fills in constants, factors and the canonical members; or NULL. */
    enum posenc_status (*prepare)(struct posenc__rope_work *work);
    /* The pair's frequency without any rounding that a double could show. */
    struct posenc__rope_pair (*exact)(const struct posenc__rope_work *work, size_t pair);
    /* The same by transformers' (or the scheme's own program's) sequence of float32 roundings. */
    float (*rounded)(const struct posenc__rope_work *work, size_t pair);
    /* Sets freq_scale or kept [pairs]; NULL where divisors alone say it. */
    void (*shape_ggml)(const struct posenc__rope_work *work, float *freq_scale, float *kept);
    bool ggml_blends; /* shape_ggml fills kept */
};

/* Every scheme; rope_scaling.c walks this list. */
#define POSENC__ROPE_SCHEMES(ROW)                                                                  \
    ROW(default)                                                                                   \
    ROW(linear)                                                                                    \
    ROW(ntk)                                                                                       \
    ROW(ntk_fixed)                                                                                 \
    ROW(dynamic)                                                                                   \
    ROW(dynamic_qwen)                                                                              \
    ROW(ntk_by_parts)                                                                              \
    ROW(yarn)                                                                                      \
    ROW(longrope)                                                                                  \
    ROW(llama3)                                                                                    \
    ROW(proportional)

#define POSENC__DECLARE_SCHEME(id) extern const struct posenc__rope_scheme posenc__rope_##id;
POSENC__ROPE_SCHEMES(POSENC__DECLARE_SCHEME)
#undef POSENC__DECLARE_SCHEME

/* Reading the dictionary. */

/* Writes the number; false when there is no such member. */
bool posenc__rope_number(const struct posenc__rope_work *work, const char *name, double *number);
double posenc__rope_number_or(const struct posenc__rope_work *work, const char *name,
                              double fallback);

/* The context length that was trained: the dictionary's, else max_position_embeddings, said with a
 * warning. `given` tells which. */
enum posenc_status posenc__rope_original(const struct posenc__rope_work *work, double *original,
                                         bool *given);

/* Refuses the lack of a parameter; "scaling." is put before a member's name by the caller. */
enum posenc_status posenc__rope_refuse_missing(const struct posenc__rope_work *work,
                                               const char *parameter);

/* Room for a scheme's constants, zeroed, in work->constants; false when memory is out. */
bool posenc__rope_make_constants(struct posenc__rope_work *work, size_t size);

/* Writing the answer. */

void posenc__rope_say(struct posenc__rope_work *work, const char *name, struct posenc_value value);

/* base^(-2 pair / table_dim): the pair's frequency without scaling. Not before prepare has ended.
 */
struct posenc__dd posenc__rope_plain(const struct posenc__rope_work *work, size_t pair);

/* The weight of a pair whose frequency is `ratio` times the unscaled one, where wholly scaled is 1
 * / factor. */
struct posenc__dd posenc__rope_weight(struct posenc__dd ratio, struct posenc__dd factor);

/* Fills frequencies->ggml and the radians from it; false when memory is out. Needs exact radians.
 */
bool posenc__rope_fill_ggml(const struct posenc__rope_work *work);

/* Double-double, where dd.h has no word for it. */

static inline struct posenc__dd posenc__dd_of(double x)
{
    return (struct posenc__dd){x, 0.0};
}

static inline struct posenc__dd posenc__dd_less(struct posenc__dd a, struct posenc__dd b)
{
    return posenc__dd_add(a, (struct posenc__dd){-b.hi, -b.lo});
}

static inline bool posenc__dd_is_below(struct posenc__dd a, struct posenc__dd b)
{
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

/* 2 pi to 107 bits. */
static inline struct posenc__dd posenc__dd_turn(void)
{
    return (struct posenc__dd){0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52};
}

#endif
