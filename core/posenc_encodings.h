/*
 * Encodings as data: what each takes and gives, in rows from which requests are bound and
 * catalogues, forms and documentation are made. Part of posenc.h, which is the manual.
 */
#ifndef POSENC_ENCODINGS_H
#define POSENC_ENCODINGS_H

#include "posenc_values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Limits. */

#define POSENC_DIM_MAX      1048576 /* width of a table or of a head */
#define POSENC_HEADS_MAX    65536   /* attention heads */
#define POSENC_SETTINGS_MAX 12      /* of a preset */

/* Bound parameters, and what is planned from them: see posenc.h. */
struct posenc_arguments;
struct posenc_result;

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
    POSENC_SILENT = 16,   /* shapes the representation, not the values: not echoed */
    POSENC_SEARCHED = 64, /* a positive real over many magnitudes, which a tensor tells */
    POSENC_NULLS = 32, /* a list of positions that may hold null, for a token without a position */
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
    /* Names of rows that have no place beside this one, since it stands instead of them;
     * NULL-terminated, or NULL. */
    const char *const *instead_of;
    const char *meaning; /* one line */
};

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
struct posenc_preset {
    const char *name;
    const char *meaning;                                 /* who does this */
    struct posenc_setting settings[POSENC_SETTINGS_MAX]; /* up to the first NULL name */
    void (*complete)(
        struct posenc_arguments *arguments); /* sets what follows from other parameters; or NULL */
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
    /* Names of those among them that hold integers, whatever dtype is asked for; NULL-terminated,
     * or NULL. */
    const char *const *int32_tensors, *const *int64_tensors;
    /* Names of those that are float64 unless the request itself names their type; the same way. */
    const char *const *float64_tensors;
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
    /* Private to the library: what quantities look at, what shared operations are made of, and
     * what people make of them. */
    const struct posenc__wave_source *waves;
    const struct posenc__bias_source *bias;
    const struct posenc__additive_source *additive;
    const struct posenc__fault *faults;
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

#ifdef __cplusplus
}
#endif

#endif
