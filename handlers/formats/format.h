/*
 * Representations: a format turns any result's tensors into bytes and knows no encoding. Adding one
 * is a file beside this and a row in formats.c.
 */
#ifndef POSENC_FORMAT_H
#define POSENC_FORMAT_H

#include <sys/types.h>

#include "exchange.h"
#include "posenc.h"

#define FORMAT_HEADERS_MAX 3

/* A body that is pulled; read() is as in struct response. */
struct format_body {
    uint64_t length; /* bytes, or UINT64_MAX when it is known only after writing */
    ssize_t (*read)(void *state, uint64_t offset, char *buffer, size_t size);
    void *state;         /* lives in the memory given to open() */
    size_t header_count; /* of headers that describe the body, besides Content-Type */
    struct header headers[FORMAT_HEADERS_MAX]; /* names static, values in the memory */
};

/* What is to be represented. */
struct format_input {
    const struct posenc_result *result;
    const struct posenc_tensor *tensor; /* the chosen one, for formats that carry one */
    bool pretty;
    const void *more; /* of a format that is told more than this; else NULL */
};

struct format {
    const char *name;       /* as the parameter `format` says it */
    const char *media_type; /* as Content-Type */
    const char *extension;  /* of a file name; NULL: it is not saved */
    const char *summary;
    bool carries_one_tensor;
    bool is_binary; /* any byte can be read without those before; saved rather than looked at */
    bool is_drawn;  /* a picture: its bytes depend on the versions of libraries that compress it */
    bool is_dense;  /* compressed already */
    /* Estimates of what the writing takes, beside computing the elements. */
    uint64_t open_ns;           /* of opening, nanoseconds */
    uint64_t open_elements_max; /* computed when opening, at most */
    uint64_t byte_ps;           /* of a byte that is read then, picoseconds */
    /* Describes the body, which comes zeroed; refuses what the format cannot carry (a status, with
     * the problem filled). */
    enum posenc_status (*open)(const struct format_input *input, struct posenc_memory *memory,
                               struct format_body *body, struct posenc_problem *problem);
};

/* The default first; NULL past the last. */
const struct format *format_at(size_t index);

/* By name; NULL when there is none. */
const struct format *format_find(const char *name);

extern const struct format format_json, format_npy, format_safetensors, format_csv, format_text,
    format_raw, format_png, format_svg;

/* The problem of an open() that is out of memory; returns its status. */
enum posenc_status format_no_memory(struct posenc_problem *problem);

/* The same of one that was stopped. */
enum posenc_status format_cancelled(struct posenc_problem *problem);

/*
 * Content-Disposition of a format that is saved: `inline; filename="rope-cos.npy"`, from the names
 * of the encoding, the operation unless it is the table, and the tensor. Lives in the memory; NULL
 * when that is out.
 */
const char *format_disposition(const struct format *format, const struct format_input *input,
                               struct posenc_memory *memory);

#endif
