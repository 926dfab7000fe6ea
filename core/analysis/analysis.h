/*
 * Quantities of analysis: one file each, and one row in POSENC_QUANTITIES.
 *
 * A quantity names no encoding. What it needs of one is seen in the encoding's rows (which tensors
 * its table gives, what its apply does), read from the planned table, or from its waves; whether an
 * encoding can have it follows from the same.
 */
#ifndef POSENC_ANALYSIS_H
#define POSENC_ANALYSIS_H

#include "wave_view.h"

/* Numbers that one request may keep in memory or look through while it is planned. */
#define POSENC__ANALYSIS_NUMBERS_MAX ((size_t)1 << 23)

struct posenc__quantity {
    struct posenc_operation operation;
    /* Whether an encoding can have it; NULL: it asks for none. */
    bool (*serves)(const struct posenc_encoding *encoding);
    /* Whether it needs a parameter that the encoding's operation requires. */
    bool (*needs)(const struct posenc_encoding *encoding, const char *parameter);
};

#define POSENC__DECLARE(id) extern const struct posenc__quantity posenc__quantity_##id;
POSENC_QUANTITIES(POSENC__DECLARE)
#undef POSENC__DECLARE

/* Rows that quantities share. */
extern const struct posenc_parameter posenc__encoding_rows[]; /* encoding */
extern const struct posenc_parameter posenc__offset_rows[];   /* offsets, threshold */

/* What encodings have. */

bool posenc__has_waves(const struct posenc_encoding *encoding);
bool posenc__has_turning_waves(const struct posenc_encoding *encoding); /* q and k are rotated */
bool posenc__has_vectors(const struct posenc_encoding *encoding);       /* a row per position */
bool posenc__has_bias(const struct posenc_encoding *encoding); /* of queries and keys by length */
bool posenc__has_slopes(const struct posenc_encoding *encoding);
bool posenc__acts_in_attention(const struct posenc_encoding *encoding);

/* What quantities need: everything, what the waves do, or what a bias does beside its lengths. */

bool posenc__needs_all(const struct posenc_encoding *encoding, const char *parameter);
bool posenc__needs_waves(const struct posenc_encoding *encoding, const char *parameter);
bool posenc__needs_bias(const struct posenc_encoding *encoding, const char *parameter);

/* Asking the encoding: result->encoding, with the arguments of the quantity's request. Settings of
 * the encoding that followed from others are resolved in `arguments`, and what it derives and warns
 * of is passed on. */

/* The waves. */
enum posenc_status posenc__analysis_waves(struct posenc_arguments *arguments,
                                          struct posenc_memory *memory,
                                          struct posenc_result *result,
                                          struct posenc__wave_view *view,
                                          struct posenc_problem *problem);

/* The waves, where all follow one position. */
enum posenc_status posenc__analysis_one_axis(struct posenc_arguments *arguments,
                                             struct posenc_memory *memory,
                                             struct posenc_result *result,
                                             struct posenc__wave_view *view,
                                             struct posenc_problem *problem);

/* The planned table in float64, where the quantity tells some parameters itself. */
enum posenc_status posenc__analysis_table(struct posenc_arguments *arguments,
                                          const struct posenc_member *told, size_t told_count,
                                          struct posenc_memory *memory,
                                          struct posenc_result *result, struct posenc_result *table,
                                          struct posenc_problem *problem);

/* The bias [heads, 1, keys] of one query that stands at the last key, float64. */
enum posenc_status posenc__analysis_bias(struct posenc_arguments *arguments, size_t keys,
                                         struct posenc_memory *memory, struct posenc_result *result,
                                         struct posenc_tensor *bias,
                                         struct posenc_problem *problem);

/* Offsets (posenc__offset_rows). */

/* offsets, or else 0, 1, ... below the parameter `length` of that name. */
enum posenc_status posenc__analysis_offsets(const struct posenc_arguments *arguments,
                                            const char *length, struct posenc__positions *offsets,
                                            struct posenc_problem *problem);

/* Values against offsets: what a quantity gives, before rounding. */
struct posenc__profile {
    const char *name;
    const struct posenc__positions *offsets;
    bool has_heads; /* [heads, offsets]; else one profile, [offsets] */
    size_t heads;
    size_t cost; /* numbers behind one value */
    posenc__values *values;
    const void *plan;
};

/* Appends the tensor, and with a `threshold` derives the first offset whose value is below it:
 * `first_offset_below`, null where none is, a list where there are heads. */
enum posenc_status posenc__analysis_profile(const struct posenc_arguments *arguments,
                                            const struct posenc__profile *profile,
                                            struct posenc_memory *memory,
                                            struct posenc_result *result,
                                            struct posenc_problem *problem);

/* Others. */

/* True when the quantity has a row of that name itself, which hides the encoding's. */
bool posenc__is_own(const struct posenc_operation *quantity, const char *name);

/* Warns of given positions where the quantity does not depend on them. */
void posenc__warn_of_positions(struct posenc_arguments *arguments, struct posenc_memory *memory);

/* Values kept in memory: their plan is their first element. */
void posenc__kept_values(const void *kept, size_t first, size_t count, double *out);

/* Refuses work or memory beyond POSENC__ANALYSIS_NUMBERS_MAX. */
enum posenc_status posenc__analysis_limit(size_t rows, size_t width, const char *parameter,
                                          struct posenc_problem *problem);

#endif
