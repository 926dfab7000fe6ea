/* The parameters of an operation, as one list. */
#ifndef POSENC_OPENAPI_ROWS_H
#define POSENC_OPENAPI_ROWS_H

#include "openapi_writing.h"
#include "posenc.h"

/* A row, or rows of several encodings that bear one name. */
struct openapi_row {
    const struct posenc_parameter *row;
    struct openapi_row *next;
    /* The same name in another encoding, where it takes other values; NULL: there is none. */
    struct openapi_row *variant;
    const char *const *names;   /* known values of a text, NULL-terminated; NULL: any text */
    const char *const *instead; /* what a required one may be left out for; NULL: nothing */
    bool is_required;           /* unless it stands under an alias, or there is one `instead` */
    const struct posenc_preset *presets; /* that may set it or its members; or NULL */
    bool is_set_by_preset;               /* a member that is required unless a preset is named */
    bool takes_index;                    /* a text in whose place an integer may stand */
    bool is_shared;   /* of every operation: written once, among the components */
    bool is_borrowed; /* an encoding's, in a quantity's request: there is no default to name */
};

/* All of an operation. */
struct openapi_rows {
    const struct openapi_row *first;
    bool has_tensors;   /* among its own, so that binary bodies are read */
    bool needs_tensors; /* a required one, so that GET cannot do */
};

/* The rows of an operation of the encoding, which is NULL where it belongs to none. A quantity's
 * request also has those of the encoding that it names: the list then holds what any encoding
 * takes. */
void openapi_collect_rows(const struct openapi *openapi, const struct posenc_encoding *encoding,
                          const struct posenc_operation *operation, struct openapi_rows *rows);

/* The rows of an object that has members. */
const struct openapi_row *openapi_list_members(const struct openapi *openapi,
                                               const struct openapi_row *object);

/* The row of the list that a name or alias means; or NULL. */
const struct openapi_row *openapi_find_row(const struct openapi_row *rows, const char *name);

/* The rows that are shared by all operations, or by all of encodings. */
const struct openapi_row *openapi_list_shared(const struct openapi *openapi);

#endif
