/*
 * GET /openapi.json: OpenAPI 3.1 of all routes, written from the routes, the registry's rows and
 * the formats. Everything is written anew for each request; no part is kept.
 */
#ifndef POSENC_OPENAPI_H
#define POSENC_OPENAPI_H

#include "handlers.h"
#include "json_text.h"

#define OPENAPI_PATH_MAX 160 /* bytes of a path, with its end */

/* Where the document goes. Memory that runs out is noted in text->failed. */
struct openapi {
    struct json_text *text;
    struct posenc_memory *memory;
    const struct service *service;
    const struct request *request; /* whose sender sees the routes that there are for it */
};

/* openapi.c */
HANDLER(handle_openapi);

/* openapi_rows.c: the parameters of an operation, as one list. */

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

/* An operation at its path. */
struct openapi_operation {
    char path[OPENAPI_PATH_MAX];
    char id[OPENAPI_PATH_MAX]; /* as openapi_fill_id() makes it */
    const char *tag;
    unsigned methods;
    const struct posenc_encoding *encoding; /* NULL: of none */
    const struct posenc_operation *operation;
    const struct openapi_row *rows;
    bool has_tensors;   /* among its rows, so that binary bodies are read */
    bool needs_tensors; /* a required one, so that GET cannot do */
};

/* Finds rows, has_tensors and needs_tensors of an operation whose other members are filled. */
void openapi_collect_rows(const struct openapi *openapi, struct openapi_operation *operation);

/* The rows of an object that has members. */
const struct openapi_row *openapi_list_members(const struct openapi *openapi,
                                               const struct openapi_row *object);

/* The row of the list that a name or alias means; or NULL. */
const struct openapi_row *openapi_find_row(const struct openapi_row *rows, const char *name);

/* openapi_walk.c: the operations behind a route. */

typedef void openapi_visit(const struct openapi *openapi,
                           const struct openapi_operation *operation);

/* A path without its version and with dots: "rope.apply". */
void openapi_fill_id(const char *path, char id[OPENAPI_PATH_MAX]);

/* Visits each operation that the route's template stands for; false when it stands for none. */
bool openapi_walk(const struct openapi *openapi, const struct route *route, openapi_visit *visit);

/* The rows that are shared by all operations, or by all of encodings. */
const struct openapi_row *openapi_list_shared(const struct openapi *openapi);

/* openapi_schema.c: JSON Schema of what a row takes. */

enum openapi_place {
    OPENAPI_QUERY, /* flat texts */
    OPENAPI_BODY,  /* any JSON; null stands for the default */
};

/* Opens the schema; the caller may add members, and ends the object. */
void openapi_begin_schema(const struct openapi *openapi, const struct openapi_row *item,
                          enum openapi_place place);

/* openapi_members.c: a list of rows as the properties of an object, and what is said of each. */

/*
 * The members of the object's schema: properties and required. A property that bears an alias
 * refers to `base`, which points to the properties; where that is NULL it is written again.
 */
void openapi_write_members(const struct openapi *openapi, const struct openapi_row *rows,
                           const char *base);

/* Members of components.schemas for shared rows; their names start with "parameter.". */
void openapi_write_shared_schemas(const struct openapi *openapi);

/* A row's meaning and default as the member `description`, and its aliases. */
void openapi_write_notes(struct json_text *text, const struct openapi_row *item);

/* openapi_query.c */

/* Elements of an array `parameters`. */
void openapi_write_query(const struct openapi *openapi, const struct openapi_row *rows);

/* Members of components.parameters for shared rows. */
void openapi_write_shared_parameters(const struct openapi *openapi);

/* openapi_operation.c: the path item of an operation. */
openapi_visit openapi_write_operation;

/* openapi_names.c: lists of names, NULL-terminated, in the memory; NULL when that is out. */

/* Of presets; also NULL where the encoding, which may be NULL, has none. */
const char *const *openapi_preset_names(const struct openapi *openapi,
                                        const struct posenc_encoding *encoding);
const char *const *openapi_format_names(const struct openapi *openapi);

/* What stands for a path's {variable}: known names, their aliases too; NULL: any text. */
const char *const *openapi_variable_names(const struct openapi *openapi, const char *variable);

/* The encodings that have a quantity, and their aliases. */
const char *const *openapi_served_names(const struct openapi *openapi,
                                        const struct posenc_operation *quantity);

/* openapi_paths.c */

/* The member `paths`. */
void openapi_write_paths(const struct openapi *openapi);

/* Opens a method's object: operationId, tag and summary. */
void openapi_begin_method(struct json_text *text, const char *method, const char *id,
                          const char *tag, const char *summary);

/* openapi_documents.c: routes that answer with a document of their own. */

/* Members of components.schemas that the documents refer to. */
void openapi_write_document_schemas(struct json_text *text);

/* The path item of such a route. */
void openapi_write_document(const struct openapi *openapi, const struct route *route);

/* openapi_problems.c: what a request may be answered with instead of its whole result. */

enum openapi_case {
    OPENAPI_ALWAYS = 1,
    OPENAPI_WITH_BODY = 2,
    OPENAPI_WITH_PARAMETERS = 4,
    OPENAPI_WITH_VARIABLE = 8,  /* in the path */
    OPENAPI_WITH_TENSORS = 16,  /* in the reply */
    OPENAPI_CACHED = 32,        /* a reply that can be asked for again */
    OPENAPI_RANGED = 64,        /* a reply that parts can be had of */
    OPENAPI_WITH_OWN_503 = 128, /* which the caller has written */
    OPENAPI_GUARDED = 256,      /* by tokens */
};

/* Members of `responses` for a request of these cases, referring to the components. */
void openapi_write_refusals(struct json_text *text, unsigned cases);

/* The same as members of `components.responses`. */
void openapi_write_refusal_components(const struct openapi *openapi);

/* openapi_replies.c */

/* Members of `components.responses`: the result of each operation, by its id. */
void openapi_write_replies(const struct openapi *openapi);

/* openapi_components.c */

/* The member `components`. */
void openapi_write_components(const struct openapi *openapi);

/* The object of headers that a result comes with. */
void openapi_write_result_headers(struct json_text *text);

/* {"$ref": "#/components/<kind>/<name>"} where a value is due. */
void openapi_write_reference(struct json_text *text, const char *kind, const char *name);

#endif
