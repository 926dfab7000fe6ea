/* What the files of core/ share among themselves. Nothing here is promised to users of the library.
 */
#ifndef POSENC_INTERNAL_H
#define POSENC_INTERNAL_H

#include <stdarg.h>

#include "posenc.h"
#include "shared_rows.h"

/* The registry: one row per encoding, in alphabetical order. */

#define POSENC_ENCODINGS(ROW)                                                                      \
    ROW(alibi)                                                                                     \
    ROW(cope)                                                                                      \
    ROW(deberta)                                                                                   \
    ROW(fire)                                                                                      \
    ROW(kerple)                                                                                    \
    ROW(learned)                                                                                   \
    ROW(music_transformer)                                                                         \
    ROW(none)                                                                                      \
    ROW(rope)                                                                                      \
    ROW(sandwich)                                                                                  \
    ROW(shaw)                                                                                      \
    ROW(sinusoidal)                                                                                \
    ROW(sinusoidal_grid)                                                                           \
    ROW(swin)                                                                                      \
    ROW(t5)                                                                                        \
    ROW(timestep)                                                                                  \
    ROW(transformer_xl)

#define POSENC__DECLARE(id) extern const struct posenc_encoding posenc__##id;
POSENC_ENCODINGS(POSENC__DECLARE)
#undef POSENC__DECLARE

/* Operations without an encoding, in alphabetical order. */
#define POSENC_TOOLS(ROW)                                                                          \
    ROW(attention)                                                                                 \
    ROW(identify)                                                                                  \
    ROW(permutation)                                                                               \
    ROW(positions)

#define POSENC__DECLARE(id) extern const struct posenc_operation posenc__tool_##id;
POSENC_TOOLS(POSENC__DECLARE)
#undef POSENC__DECLARE

/* Quantities of analysis, in alphabetical order: the records are those of analysis.h. */
#define POSENC_QUANTITIES(ROW)                                                                     \
    ROW(decay)                                                                                     \
    ROW(decay_bound)                                                                               \
    ROW(dot_by_offset)                                                                             \
    ROW(permutation_equivariance)                                                                  \
    ROW(precision)                                                                                 \
    ROW(query_scale)                                                                               \
    ROW(receptive_field)                                                                           \
    ROW(shift)                                                                                     \
    ROW(similarity)                                                                                \
    ROW(wavelengths)

/* The waves behind an encoding's table, which analysis looks at: see wave_view.h. */
struct posenc__wave_view;

struct posenc__wave_source {
    /* Required parameters of the table that the waves need; the others may be absent. */
    const char *const *needs; /* NULL-terminated */
    /* Reads the waves from arguments bound to the table's rows. What the table would derive from
     * them is appended to the result. Positions are optional. */
    enum posenc_status (*read)(struct posenc_arguments *arguments, struct posenc_memory *memory,
                               struct posenc_result *result, struct posenc__wave_view *view,
                               struct posenc_problem *problem);
};

/*
 * What people make of an operation that no parameter makes: a plan that gives its tensors wrongly.
 * A table ends with a NULL name.
 */
struct posenc__fault {
    const char *name;
    const char *words;     /* "cosines and sines are exchanged" */
    const char *operation; /* "table" or "apply" */
    enum posenc_status (*plan)(struct posenc_arguments *arguments, struct posenc_memory *memory,
                               struct posenc_result *result, struct posenc_problem *problem);
};

/* Problems. */

/*
 * posenc__refuse(problem, status, parameter, detail, ...) fills the problem and gives its status;
 * `detail` is a format for one sentence. posenc__no_memory(problem) is POSENC_NO_MEMORY with the
 * usual words, posenc__cancelled(problem) the same for POSENC_CANCELLED. Macros, so that compilers
 * and analyzers see that what they give is never POSENC_OK.
 */
#define posenc__refuse(problem, status, ...)                                                       \
    (posenc__fill_problem((problem), (status), __VA_ARGS__), (status))
#define posenc__no_memory(problem) (posenc__fill_no_memory(problem), POSENC_NO_MEMORY)
#define posenc__cancelled(problem) (posenc__fill_cancelled(problem), POSENC_CANCELLED)

void posenc__fill_problem(struct posenc_problem *problem, enum posenc_status status,
                          const char *parameter, const char *detail, ...)
    __attribute__((format(printf, 4, 5)));
void posenc__fill_no_memory(struct posenc_problem *problem);
void posenc__fill_cancelled(struct posenc_problem *problem);

/* Notes something that was understood, but that the caller should know. Lost when memory is out,
 * which memory->is_short then tells. */
void posenc__warn(struct posenc_arguments *arguments, struct posenc_memory *memory,
                  const char *parameter, const char *detail, ...)
    __attribute__((format(printf, 4, 5)));

/* Planning that takes this long, about, asks whether to go on: before it begins, and, where it has
 * parts, between these. What takes less is not worth a question. */
#define POSENC__ASKING_NS 1000000

static inline bool posenc__may_plan(const struct posenc_memory *memory, uint64_t nanoseconds)
{
    return nanoseconds < POSENC__ASKING_NS || posenc_may_work(memory, nanoseconds);
}

/* Reading bound arguments: the row must exist, and must not be absent unless said. */

struct posenc_argument *posenc__argument(struct posenc_arguments *arguments, const char *name);
bool posenc__present(const struct posenc_arguments *arguments,
                     const char *name); /* not absent and not null */
bool posenc__given(const struct posenc_arguments *arguments,
                   const char *name); /* by the request itself */
double posenc__real(const struct posenc_arguments *arguments, const char *name);
size_t posenc__size(const struct posenc_arguments *arguments,
                    const char *name); /* an integer >= 0 */
bool posenc__boolean(const struct posenc_arguments *arguments, const char *name);
unsigned posenc__choice(const struct posenc_arguments *arguments, const char *name);
size_t posenc__choices(const struct posenc_arguments *arguments,
                       const char *name); /* a bit for each index; 0 where absent */
enum posenc_dtype posenc__dtype_of(const struct posenc_arguments *arguments,
                                   const char *name); /* a choice of dtypes */
enum posenc_dtype posenc__dtype(
    const struct posenc_arguments *arguments); /* the parameter `dtype` */
const struct posenc_array *posenc__array(const struct posenc_arguments *arguments,
                                         const char *name); /* or NULL */

/* Sets an argument that followed from others; choices are set by name. */
void posenc__resolve(struct posenc_arguments *arguments, const char *name,
                     struct posenc_value value);
/* Takes an argument out, so that it is not echoed. */
void posenc__drop(struct posenc_arguments *arguments, const char *name);

/* Naming. */

/* Edits between two names, a transposition of neighbours counting as one. */
size_t posenc__edit_distance(const char *a, const char *b);

/* True when a distance is small enough, for names of this length, to suggest the known one. */
bool posenc__is_near(const char *name, const char *known, size_t distance);

/* Makes `known` the nearest name so far if it is near and nearer than `best`, which starts at
 * SIZE_MAX. */
void posenc__consider(const char *name, const char *known, size_t *best, const char **nearest);

/* Results. */

/*
 * The values of a tensor before rounding: writes elements [first, first + count) in C order as
 * doubles that lie within an ulp or so of the exact values. Cannot fail; any number of threads.
 */
typedef void posenc__values(const void *plan, size_t first, size_t count, double *out);

/*
 * Appends a lazy tensor that rounds `values` once to dtype. Shape products that overflow are
 * POSENC_TOO_LARGE. The plan must live in the same memory.
 */
enum posenc_status posenc__add_tensor(struct posenc_result *result, struct posenc_memory *memory,
                                      struct posenc_problem *problem, const char *name,
                                      enum posenc_dtype dtype, size_t rank, const size_t *shape,
                                      posenc__values *values, const void *plan);

/*
 * The elements of a tensor in its dtype, for what can be written faster than by way of doubles: the
 * same bits as values rounded once. Cannot fail; any number of threads; any run of elements.
 */
typedef void posenc__elements(const void *plan, enum posenc_dtype dtype, size_t first, size_t count,
                              void *out);

/* As posenc__add_tensor, of elements in place of values. */
enum posenc_status posenc__add_elements(struct posenc_result *result, struct posenc_memory *memory,
                                        struct posenc_problem *problem, const char *name,
                                        enum posenc_dtype dtype, size_t rank, const size_t *shape,
                                        posenc__elements *elements, const void *plan);

/* A run of elements that is made of parts of rows and of whole rows. */
struct posenc__rows {
    size_t width;           /* of a row; not 0 */
    posenc__values *values; /* for parts of rows */
    posenc__elements *rows; /* for whole rows: `first` and `count` count rows */
};

void posenc__fill_rows(const struct posenc__rows *rows, const void *plan, enum posenc_dtype dtype,
                       size_t first, size_t count, void *out);

/* Tells what an element of the tensor that was added last takes to fill, in nanoseconds. */
void posenc__tell_cost(struct posenc_result *result, uint64_t element_ns);

/* Fills the whole tensor, in parts, between which it asks whether to go on: POSENC_OK or
 * POSENC_CANCELLED. */
enum posenc_status posenc__fill_whole(const struct posenc_tensor *tensor,
                                      const struct posenc_memory *memory, void *out,
                                      struct posenc_problem *problem);

/* Appends a derived quantity to result->derived; `name` and what the value points to must outlive
 * the result. */
enum posenc_status posenc__derive(struct posenc_result *result, struct posenc_memory *memory,
                                  struct posenc_problem *problem, const char *name,
                                  struct posenc_value value);

/* A text in the memory; NULL when there is no more. */
char *posenc__format(struct posenc_memory *memory, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Elements [first, first + count) of an array as doubles. */
void posenc__read_array(const struct posenc_array *array, size_t first, size_t count, double *out);

#endif
