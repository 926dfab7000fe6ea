/*
 * Numbers, memory and values: what requests and results of libposenc are made of. Part of posenc.h,
 * which is the manual.
 */
#ifndef POSENC_VALUES_H
#define POSENC_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Limits. */

#define POSENC_RANK_MAX    8   /* axes of a tensor */
#define POSENC_ALLOWED_MAX 64  /* choices named in a problem */
#define POSENC_PATH_MAX    160 /* bytes of a dotted parameter path, with its end */
#define POSENC_DETAIL_MAX  640 /* bytes of a sentence, with its end */
#define POSENC_INTEGER_MAX                                                                         \
    9007199254740991.0 /* 2^53 - 1: larger integers have neighbours that round to them */
#define POSENC_POSITION_MAX 9007199254740992.0 /* 2^53: positions stand in [-2^53, 2^53] */

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
 * NaN stays NaN (quiet), subnormals are kept. Integer dtypes cut fractions off; what is beyond
 * their range is its end, and NaN is 0. `out` needs no alignment beyond the dtype's own and must
 * not overlap `values`, except for POSENC_FLOAT64 where both may be the same.
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

#ifdef __cplusplus
}
#endif

#endif
