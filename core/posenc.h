/*
 * libposenc: positional encodings for transformers, right to the last promised bit.
 *
 * Everything is *encoding + parameters -> lazy tensors*. Look an encoding up, bind its parameters,
 * plan one of its operations, then fill any run of any tensor's elements:
 *
 *     struct posenc_memory memory;
 *     struct posenc_result result;
 *     struct posenc_problem problem;
 *     const struct posenc_member members[] = {
 *         {"length", posenc_number(16)},
 *         {"dim", posenc_number(8)},
 *         {"layout", posenc_text("sin_cos")},
 *     };
 *     float table[16 * 8];
 *
 *     posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
 *     if (posenc_make("sinusoidal", "table", posenc_object(members, 3), &memory, &result,
 *                     &problem) == POSENC_OK)
 *         posenc_fill(&result.tensors[0], 0, 16 * 8, table);
 *     else
 *         puts(problem.detail);
 *     posenc_memory_release(&memory);
 *
 * This is the one header to include. What numbers, memory and values are is said in its part
 * posenc_values.h. What an encoding takes and returns is data, described in posenc_encodings.h:
 * walk posenc_encoding_at(), its operations, their parameter rows, tensor rows and presets.
 * Bindings, catalogues, forms and documentation are all made from these rows. What a model's
 * config.json asks for is in a header of its own, posenc_models.h.
 *
 * Threads: no function keeps state between calls; different threads may use different memories at
 * once, and any number of threads may fill tensors of one result at once. Nothing is printed, and
 * nothing aborts on a caller's mistake.
 */
#ifndef POSENC_H
#define POSENC_H

#include "posenc_encodings.h"
#include "posenc_values.h"

#ifdef __cplusplus
extern "C" {
#endif

#define POSENC_VERSION "0.1.0"

/* Changes whenever any bit of any result changes, so that a result can be cached under it. */
#define POSENC_NUMERIC_VERSION 2

/*
 * Which kernels run on this processor: "plain", "avx2" or "avx512". All give the same bits; only
 * speed differs. Static storage.
 */
const char *posenc_kernel_level(void);

/* Limits. */

#define POSENC_TENSORS_MAX   8   /* tensors of one result */
#define POSENC_ARGUMENTS_MAX 64  /* parameters of one operation */
#define POSENC_WARNINGS_MAX  100 /* kept; more are only counted */
#define POSENC_ELEMENT_NS    8 /* what filling an element takes at most, unless its tensor tells */

/* Results. */

/* Something that was understood, but that the caller should know. */
struct posenc_warning {
    char parameter[POSENC_PATH_MAX];
    char detail[POSENC_DETAIL_MAX];
};

/* What a plan fills in. A result lives as long as the memory it was planned in. */
struct posenc_tensor {
    const char *name;
    enum posenc_dtype dtype;
    size_t rank;
    size_t shape[POSENC_RANK_MAX];
    size_t count; /* elements */
    /* Writes elements [first, first + count) in C order, rounded to dtype. Cannot fail; any number
     * of threads. */
    void (*fill)(const void *plan, size_t first, size_t count, void *out);
    const void *plan;    /* owned by the result's memory */
    uint64_t element_ns; /* about what filling an element takes, where that is long; 0: not */
};

struct posenc_result {
    const struct posenc_encoding *encoding; /* NULL for operations that belong to no encoding */
    const struct posenc_operation *operation;
    size_t tensor_count;
    struct posenc_tensor tensors[POSENC_TENSORS_MAX];
    struct posenc_members
        parameters; /* every parameter that shaped it, canonical names, defaults included */
    struct posenc_members inputs;  /* the tensors that came in: name -> {"dtype", "shape"} */
    struct posenc_members derived; /* what followed from them */
    size_t warning_count;
    const struct posenc_warning *warnings; /* the first POSENC_WARNINGS_MAX */
};

/* Finds, binds and plans in one call; parameters is an object. */
enum posenc_status posenc_make(const char *encoding, const char *operation,
                               struct posenc_value parameters, struct posenc_memory *memory,
                               struct posenc_result *result, struct posenc_problem *problem);

/*
 * Writes elements [first, first + count), which must lie inside the tensor, in its dtype. `out`
 * must not overlap a tensor that came in, with one exception: what rope's apply gives may be
 * written over its own input, element for element, where the dtype stays and the layout is half or
 * interleaved, in runs of whole vectors. Each vector is then turned by each fill.
 */
static inline void posenc_fill(const struct posenc_tensor *tensor, size_t first, size_t count,
                               void *out)
{
    tensor->fill(tensor->plan, first, count, out);
}

/* Bytes of the whole tensor. */
static inline uint64_t posenc_tensor_bytes(const struct posenc_tensor *tensor)
{
    return (uint64_t)tensor->count * posenc_dtype_size(tensor->dtype);
}

/* Nanoseconds that filling count elements takes: an estimate, that a slow machine may pass. */
static inline uint64_t posenc_fill_ns(const struct posenc_tensor *tensor, size_t count)
{
    const uint64_t element_ns =
        tensor->element_ns > POSENC_ELEMENT_NS ? tensor->element_ns : POSENC_ELEMENT_NS;

    return count > UINT64_MAX / element_ns ? UINT64_MAX : element_ns * count;
}

/* The tensor of that name, or NULL. */
const struct posenc_tensor *posenc_find_tensor(const struct posenc_result *result,
                                               const char *name);

/* Step by step: binding, planning. */

/* A parameter after binding. */
enum posenc_origin {
    POSENC_ABSENT,
    POSENC_FROM_FALLBACK,
    POSENC_FROM_PRESET,
    POSENC_GIVEN,
    POSENC_DERIVED, /* worked out from other parameters or from a tensor */
};

struct posenc_argument {
    const struct posenc_parameter *row;
    enum posenc_origin origin;
    struct posenc_value value; /* of the row's type; POSENC_NULL where absent or null */
    size_t choice; /* index into row->choices, for POSENC_TYPE_CHOICE; for POSENC_TYPE_CHOICES a
                      bit for each index */
};

struct posenc_arguments {
    size_t count;
    struct posenc_argument items[POSENC_ARGUMENTS_MAX];
    size_t warning_count;            /* all of them */
    struct posenc_warning *warnings; /* the first POSENC_WARNINGS_MAX; NULL while there are none */
};

/* The argument of that canonical name, or NULL when no bound row has it. */
const struct posenc_argument *posenc_find_argument(const struct posenc_arguments *arguments,
                                                   const char *name);

/* The rows that a request may use. */
struct posenc_schema {
    const struct posenc_parameter *const *groups; /* NULL-terminated; an operation's */
    const struct posenc_parameter *extra;         /* one more table, of the caller's own; or NULL */
    const struct posenc_preset *presets;          /* or NULL */
    bool takes_tensors;
};

/*
 * Binds the members of an object to the schema's rows: names and aliases, types, ranges, choices,
 * presets, defaults. An unknown name is refused before a missing one. A null asks for the default,
 * also beside a value under another name of the same parameter, which then counts. What it
 * allocates, and what `input` points to, must live as long as the arguments are used.
 *
 * Returns any status but POSENC_UNKNOWN_ENCODING and POSENC_UNKNOWN_OPERATION.
 */
enum posenc_status posenc_bind(const struct posenc_schema *schema, const struct posenc_value *input,
                               struct posenc_memory *memory, struct posenc_arguments *arguments,
                               struct posenc_problem *problem);

/*
 * Plans an operation: checks how the arguments fit together and describes the tensors, without
 * computing them. Resolves defaults that follow from other parameters into `arguments`, which the
 * result's echo then shows.
 */
enum posenc_status posenc_plan(const struct posenc_encoding *encoding,
                               const struct posenc_operation *operation,
                               struct posenc_arguments *arguments, struct posenc_memory *memory,
                               struct posenc_result *result, struct posenc_problem *problem);

/*
 * What a quantity's request is bound to: fills in groups, presets and takes_tensors of the schema,
 * in the memory, and leaves `extra` alone. `encoding` is the one that the object `input` names;
 * NULL for a quantity that asks for none. posenc_bind() and posenc_plan(encoding, quantity, ...)
 * follow.
 *
 * An encoding that is missing, unknown or cannot have the quantity is a problem with the parameter
 * `encoding`, and `allowed` lists those that can.
 */
enum posenc_status posenc_quantity_schema(const struct posenc_operation *quantity,
                                          const struct posenc_value *input,
                                          struct posenc_memory *memory,
                                          const struct posenc_encoding **encoding,
                                          struct posenc_schema *schema,
                                          struct posenc_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
