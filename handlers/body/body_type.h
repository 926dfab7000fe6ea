/* The types of body that requests may have. */
#ifndef POSENC_BODY_TYPE_H
#define POSENC_BODY_TYPE_H

/* As a 415 lists them in Accept-Post. */
#define BODY_TYPES_TEXT "application/json, application/x-npy, application/vnd.safetensors"

enum body_type {
    BODY_OTHER,
    BODY_JSON, /* application/json or application/ANYTHING+json, in UTF-8 */
    BODY_NPY,
    BODY_SAFETENSORS,
    BODY_BYTES, /* application/octet-stream, which does not say what is in it */
};

/* What a Content-Type, or NULL for none, announces. */
enum body_type body_type_of(const char *content_type);

#endif
