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
 * What an encoding takes and returns is data: walk posenc_encoding_at(), its operations, their
 * parameter rows, tensor rows and presets. Bindings, catalogues, forms and documentation are all
 * made from these rows. What a model's config.json asks for is in posenc_models.h.
 *
 * Threads: no function keeps state between calls; different threads may use different memories at
 * once, and any number of threads may fill tensors of one result at once. Nothing is printed, and
 * nothing aborts on a caller's mistake.
 */
#ifndef POSENC_H
#define POSENC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#define POSENC_RANK_MAX      8       /* axes of a tensor */
#define POSENC_TENSORS_MAX   8       /* tensors of one result */
#define POSENC_ARGUMENTS_MAX 64      /* parameters of one operation */
#define POSENC_WARNINGS_MAX  100     /* kept; more are only counted */
#define POSENC_ALLOWED_MAX   64      /* choices named in a problem */
#define POSENC_PATH_MAX      160     /* bytes of a dotted parameter path, with its end */
#define POSENC_DETAIL_MAX    640     /* bytes of a sentence, with its end */
#define POSENC_DIM_MAX       1048576 /* width of a table or of a head */
#define POSENC_HEADS_MAX     65536   /* attention heads */
#define POSENC_INTEGER_MAX                                                                         \
    9007199254740991.0 /* 2^53 - 1: larger integers have neighbours that round to them */
#define POSENC_POSITION_MAX 9007199254740992.0 /* 2^53: positions stand in [-2^53, 2^53] */
#define POSENC_ELEMENT_NS   8 /* what filling an element takes at most, unless its tensor tells */

/* Status and problems. */

enum posenc_status {
    POSENC_OK = 0,
    POSENC_UNKNOWN_ENCODING,  /* no encoding of that name */
    POSENC_UNKNOWN_OPERATION, /* the encoding has no operation of that name */
    POSENC_UNKNOWN_PARAMETER, /* a name that no row has */
    POSENC_MISSING_PARAMETER, /* required, and neither given nor set by a preset */
    POSENC_WRONG_TYPE,   /* a text where a number is due, a fraction where an integer is due, ... */
    POSENC_OUT_OF_RANGE, /* outside the row's range or choices */
    POSENC_CONFLICT,     /* two parameters that contradict each other */
    POSENC_WRONG_SHAPE,  /* a list or tensor whose shape does not fit */
    POSENC_TOO_LARGE,    /* the result's size does not fit the machine's arithmetic */
    POSENC_NO_MEMORY,    /* the memory handed in could not grow */
    POSENC_CANCELLED,    /* who watches over the memory wanted no more work */
};

/* A short name in words, such as "missing parameter". Never NULL. */
const char *posenc_status_text(enum posenc_status status);

/* Why a call failed. Held by the caller; written on failure only. */
struct posenc_problem {
    enum posenc_status status;
    char parameter[POSENC_PATH_MAX]; /* dotted path, as "scaling.factor" or "positions.1"; "" where
                                        none applies */
    char detail[POSENC_DETAIL_MAX];  /* one sentence that says what to do */
    char value[96]; /* the refused value as text, perhaps cut; "" where none applies */
    char suggestion[POSENC_PATH_MAX]; /* the nearest known name; "" where none is near */
    size_t allowed_count;
    const char *allowed[POSENC_ALLOWED_MAX]; /* the choices, static storage */
};

/* Dtypes. */

enum posenc_dtype {
    POSENC_FLOAT64,
    POSENC_FLOAT32,
    POSENC_FLOAT16,
    POSENC_BFLOAT16,
    POSENC_INT64,
    POSENC_INT32,
    POSENC_DTYPE_COUNT,
};

/* "float32" and so on. */
const char *posenc_dtype_name(enum posenc_dtype dtype);

/* Bytes of one element. */
size_t posenc_dtype_size(enum posenc_dtype dtype);

/* Writes the dtype of that name; false when no dtype is called so. */
bool posenc_dtype_find(const char *name, enum posenc_dtype *dtype);

/*
 * Rounds count doubles once, to nearest even, into elements of dtype. Overflow gives infinities,
 * NaN stays NaN (quiet), subnormals are kept. Integer dtypes take integral values in their range
 * only. `out` needs no alignment beyond the dtype's own and must not overlap `values`, except for
 * POSENC_FLOAT64 where both may be the same.
 */
void posenc_round(enum posenc_dtype dtype, const double *values, size_t count, void *out);

/* Widens count elements of dtype to doubles; exact, except for POSENC_INT64 beyond 2^53. */
void posenc_widen(enum posenc_dtype dtype, const void *elements, size_t count, double *out);

/* Memory. */

#define POSENC_MEMORY_DEFAULT ((size_t)1 << 30)

/*
 * Who watches over an exchange. It is asked before memory grows and, with an estimate, before work
 * that may take long and between parts of it. All functions are called by whoever works with the
 * memory.
 */
struct posenc_watch {
    /* False: begin no work of about so many nanoseconds, give up as POSENC_CANCELLED. */
    bool (*may_work)(void *context, uint64_t nanoseconds);
    /* False: POSENC_NO_MEMORY. What is taken is given back, in other portions perhaps. */
    bool (*may_take)(void *context, size_t bytes);
    void (*give_back)(void *context, size_t bytes);
    void *context;
};

/*
 * All memory of one exchange: what binding and planning allocate lives here until
 * posenc_memory_release(). A memory belongs to one thread at a time while it grows. `used` never
 * passes `limit` bytes; growth beyond it fails as POSENC_NO_MEMORY does when the machine has no
 * more. Warnings are lost rather than a result refused when they find no room: is_short then says
 * that one may be missing.
 */
struct posenc_memory {
    void *blocks; /* private */
    size_t limit;
    size_t used;
    const struct posenc_watch *watch; /* NULL, unless set after posenc_memory_init(); lives longer
                                         than what is allocated */
    bool is_short;                    /* something has found no room since posenc_memory_init() */
};

void posenc_memory_init(struct posenc_memory *memory, size_t limit);
void posenc_memory_release(struct posenc_memory *memory);

/* count * size bytes, uninitialised, aligned to 64; NULL when there is no more. Zero bytes give a
 * valid pointer. */
void *posenc_allocate(struct posenc_memory *memory, size_t count, size_t size);

/* Asks whether work of about so many nanoseconds may begin; always, when nobody watches. */
static inline bool posenc_may_work(const struct posenc_memory *memory, uint64_t nanoseconds)
{
    return !memory->watch || memory->watch->may_work(memory->watch->context, nanoseconds);
}

/* The same for memory that is allocated elsewhere on behalf of the exchange; watch may be NULL. */
static inline bool posenc_may_take(const struct posenc_watch *watch, size_t bytes)
{
    return !watch || watch->may_take(watch->context, bytes);
}

static inline void posenc_give_back(const struct posenc_watch *watch, size_t bytes)
{
    if (watch)
        watch->give_back(watch->context, bytes);
}

/* Values. */

/* A block of numbers in C order. Data belongs to whoever made it and must outlive every result made
 * from it. */
struct posenc_array {
    enum posenc_dtype dtype;
    size_t rank;
    size_t shape[POSENC_RANK_MAX];
    const void *data;
};

/* Elements of a shape; false when the product does not fit size_t. */
bool posenc_shape_count(size_t rank, const size_t *shape, size_t *count);

enum posenc_kind {
    POSENC_NULL,
    POSENC_BOOLEAN,
    POSENC_NUMBER,
    POSENC_TEXT,
    POSENC_ARRAY,  /* numbers only */
    POSENC_RAGGED, /* nested numbers whose rows differ in length; text is the path of the first one
                      that does */
    POSENC_LIST,   /* anything else between brackets */
    POSENC_OBJECT,
    POSENC_UNTYPED, /* text whose type the parameter's row decides, as in a query string */
};

struct posenc_value;
struct posenc_member;

struct posenc_list {
    const struct posenc_value *items;
    size_t count;
};

struct posenc_members {
    const struct posenc_member *items;
    size_t count;
};

/* `numbers` is a list of `count` doubles when all comma-separated pieces of `text` are numbers,
 * else NULL. */
struct posenc_untyped {
    const char *text;
    const double *numbers;
    size_t count;
};

/*
 * A number of a request that became an integer by rounding: its decimal lies beside the double that
 * stands for it, which is an integer of at most 2^53 in magnitude. Binding judges such a parameter
 * as it was written: 9007199254740993 lies beyond 2^53, though its nearest double does not.
 */
struct posenc_rounded {
    size_t index;                      /* of the number among those of its value, in C order */
    bool is_above;                     /* the decimal lies above the double; below it otherwise */
    const char *text;                  /* the decimal, cut when it is long */
    const struct posenc_rounded *next; /* of a higher index; NULL behind the last */
};

/* One value: of a parameter, of an echo, of a derived quantity. Texts end in a NUL byte and are
 * UTF-8. */
struct posenc_value {
    enum posenc_kind kind;
    union {
        bool boolean;
        double number;
        const char *text;
        struct posenc_array array;
        struct posenc_list list;
        struct posenc_members object;
        struct posenc_untyped untyped;
    } as;
    const struct posenc_rounded *rounded; /* of a request's numbers, or NULL */
};

struct posenc_member {
    const char *name;
    struct posenc_value value;
};

static inline struct posenc_value posenc_null(void)
{
    struct posenc_value value = {POSENC_NULL, {0}, NULL};
    return value;
}

static inline struct posenc_value posenc_boolean(bool boolean)
{
    struct posenc_value value = {POSENC_BOOLEAN, {0}, NULL};
    value.as.boolean = boolean;
    return value;
}

static inline struct posenc_value posenc_number(double number)
{
    struct posenc_value value = {POSENC_NUMBER, {0}, NULL};
    value.as.number = number;
    return value;
}

static inline struct posenc_value posenc_text(const char *text)
{
    struct posenc_value value = {POSENC_TEXT, {0}, NULL};
    value.as.text = text;
    return value;
}

/* A block of numbers. */
static inline struct posenc_value posenc_nested(const struct posenc_array *array)
{
    struct posenc_value value = {POSENC_ARRAY, {0}, NULL};
    value.as.array = *array;
    return value;
}

/* A list of doubles. */
static inline struct posenc_value posenc_numbers(const double *numbers, size_t count)
{
    struct posenc_value value = {POSENC_ARRAY, {0}, NULL};
    value.as.array.dtype = POSENC_FLOAT64;
    value.as.array.rank = 1;
    value.as.array.shape[0] = count;
    value.as.array.data = numbers;
    return value;
}

static inline struct posenc_value posenc_object(const struct posenc_member *members, size_t count)
{
    struct posenc_value value = {POSENC_OBJECT, {0}, NULL};
    value.as.object.items = members;
    value.as.object.count = count;
    return value;
}

/* The member of that name, or NULL; an object of any other kind has no members. */
const struct posenc_value *posenc_find_member(const struct posenc_value *object, const char *name);

/* Parameters as data. */

enum posenc_type {
    POSENC_TYPE_INTEGER, /* an integral number within +-(2^53 - 1) */
    POSENC_TYPE_REAL,    /* a finite number */
    POSENC_TYPE_BOOLEAN,
    POSENC_TYPE_CHOICE,  /* one of `choices` */
    POSENC_TYPE_CHOICES, /* a list of them, each at most once; its value is a POSENC_LIST of texts
                          */
    POSENC_TYPE_TEXT,
    POSENC_TYPE_INTEGERS,  /* a list of integral numbers */
    POSENC_TYPE_REALS,     /* a list of finite numbers */
    POSENC_TYPE_POSITIONS, /* a list of positions, or one list per axis */
    POSENC_TYPE_TENSOR,    /* nested numbers of any shape, or {"dtype", "shape", "data"} */
    POSENC_TYPE_OBJECT,    /* a dictionary with rows of its own */
};

/* "integer", "list of reals" and so on. */
const char *posenc_type_name(enum posenc_type type);

enum posenc_flag {
    POSENC_OPTIONAL = 1, /* may be missing though it has no fixed default; `fallback_note` says what
                            happens then */
    POSENC_FROM_TENSOR =
        2, /* like POSENC_OPTIONAL, but only where the operation takes tensors that tell it */
    POSENC_ABOVE = 4, /* the minimum itself is outside the range */
    POSENC_OPEN =
        8, /* an object that may have members without a row: each is a warning, not a problem */
    POSENC_SILENT = 16, /* shapes the representation, not the values: not echoed */
    POSENC_NULLS = 32,  /* a list of positions that may hold null, for a token without a position */
};

/*
 * One parameter: the row from which requests are bound, checked and echoed, and from which
 * catalogues are written. A table of rows ends with a row whose name is NULL. A row without a
 * fallback and without POSENC_OPTIONAL is required.
 */
struct posenc_parameter {
    const char *name;
    enum posenc_type type;
    unsigned flags;
    struct posenc_value fallback; /* the default; used when has_fallback */
    bool has_fallback;
    const char *fallback_note; /* the default in words, when it follows from other parameters */
    double minimum,
        maximum; /* of numbers and of list elements, inclusive; both 0: any finite number */
    const char *const *choices;             /* NULL-terminated, or NULL */
    const char *const *aliases;             /* NULL-terminated, or NULL */
    const struct posenc_parameter *members; /* of an object */
    /* Of an optional tensor that may be stored somewhere: the names of two text rows, which name a
     * file and a tensor in it; or NULL. The library reads no files. Who has some puts the array
     * into the bound argument of this row, as given, where the first of the two is present. */
    const char *const *stored_by;
    const char *meaning; /* one line */
};

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

struct posenc_warning {
    char parameter[POSENC_PATH_MAX];
    char detail[POSENC_DETAIL_MAX];
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

/* Encodings. */

/* One line of an operation's description of its tensors. A table ends with a NULL name. */
struct posenc_tensor_row {
    const char *name;
    const char *dims; /* in words: "[length, dim]" */
    const char *meaning;
};

struct posenc_setting {
    const char *name; /* dotted for a member of an object */
    struct posenc_value value;
};

/* A named bundle of parameters; explicit ones override it. A table ends with a NULL name. */
#define POSENC_SETTINGS_MAX 12
struct posenc_preset {
    const char *name;
    const char *meaning;                                 /* who does this */
    struct posenc_setting settings[POSENC_SETTINGS_MAX]; /* up to the first NULL name */
    void (*complete)(
        struct posenc_arguments *arguments); /* sets what follows from other parameters; or NULL */
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

struct posenc_operation {
    const char *name; /* "table", "apply", ... */
    const char *summary;
    bool takes_tensors; /* brings tensors, which tell POSENC_FROM_TENSOR parameters */
    /* Of a quantity: the operation, "table" or "apply", of the encoding that its requests name, and
     * whose parameters they may set; NULL: they name none. */
    const char *asks_encoding;
    const struct posenc_parameter *const *groups; /* NULL-terminated list of row tables */
    const struct posenc_tensor_row *tensors;
    enum posenc_status (*plan)(struct posenc_arguments *arguments, struct posenc_memory *memory,
                               struct posenc_result *result, struct posenc_problem *problem);
};

struct posenc_encoding {
    const char *name;
    const char *summary;
    const char *source;         /* the paper or program it comes from */
    const char *convention;     /* signs, alignment, order: what a porter must know; one line */
    const char *const *aliases; /* NULL-terminated, or NULL */
    const struct posenc_operation *operations; /* ends with a NULL name */
    const struct posenc_preset *presets;       /* ends with a NULL name, or NULL */
    /* Private to the library: what quantities look at, and what shared operations are made of. */
    const struct posenc__wave_source *waves;
    const struct posenc__bias_source *bias;
    const struct posenc__additive_source *additive;
};

/* Encodings in alphabetical order; NULL past the last. */
const struct posenc_encoding *posenc_encoding_at(size_t index);

/* By name or alias; NULL when there is none. */
const struct posenc_encoding *posenc_find(const char *name);

/* By name; NULL when the encoding has no such operation. */
const struct posenc_operation *posenc_find_operation(const struct posenc_encoding *encoding,
                                                     const char *name);

/* The known encoding name nearest to a misspelt one, or NULL when none is near. */
const char *posenc_suggest_encoding(const char *name);

/*
 * Operations that belong to no encoding: /v1/permutation, /v1/attention and the like. In
 * alphabetical order; NULL past the last.
 */
const struct posenc_operation *posenc_tool_at(size_t index);

/* By name; NULL when there is none. */
const struct posenc_operation *posenc_find_tool(const char *name);

/*
 * Quantities of analysis: wavelengths, similarity, decay and the like. In alphabetical order; NULL
 * past the last. A quantity is an operation; most also ask for an encoding (asks_encoding). Its
 * requests then have the parameter `encoding` and, beside the quantity's own parameters, those of
 * the encoding's operation. Where both have one of the same name, the quantity's is meant.
 */
const struct posenc_operation *posenc_quantity_at(size_t index);

/* By name; NULL when there is none. */
const struct posenc_operation *posenc_find_quantity(const char *name);

/* The known quantity nearest to a misspelt one, or NULL when none is near. */
const char *posenc_suggest_quantity(const char *name);

/* True when the encoding has what the quantity tells of; also where it asks for no encoding. */
bool posenc_quantity_serves(const struct posenc_operation *quantity,
                            const struct posenc_encoding *encoding);

/* Binding, planning, filling. */

/* The rows that a request may use. */
struct posenc_schema {
    const struct posenc_parameter *const *groups; /* NULL-terminated; an operation's */
    const struct posenc_parameter *extra;         /* one more table, of the caller's own; or NULL */
    const struct posenc_preset *presets;          /* or NULL */
    bool takes_tensors;
};

/*
 * Binds the members of an object to the schema's rows: names and aliases, types, ranges, choices,
 * presets, defaults. An unknown name is refused before a missing one. What it allocates, and what
 * `input` points to, must live as long as the arguments are used.
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

#ifdef __cplusplus
}
#endif

#endif
