/* Media types compare without case, and up to their parameters (RFC 9110, section 8.3.1). */
#include "body_type.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static bool is_type(const char *type, size_t length, const char *known)
{
    return length == strlen(known) && strncasecmp(type, known, length) == 0;
}

static bool is_json(const char *type, size_t length)
{
    const char *const charset = strcasestr(type, "charset=");

    if (charset && strncasecmp(charset + 8, "utf-8", 5) != 0 &&
        strncasecmp(charset + 8, "\"utf-8\"", 7) != 0)
        return false;
    return is_type(type, length, "application/json") ||
           (length > strlen("application/+json") && strncasecmp(type, "application/", 12) == 0 &&
            strncasecmp(type + length - 5, "+json", 5) == 0);
}

enum body_type body_type_of(const char *content_type)
{
    const char *const type = content_type ? content_type : "";
    const size_t length = strcspn(type, "; \t");

    if (is_json(type, length))
        return BODY_JSON;
    if (is_type(type, length, "application/x-npy"))
        return BODY_NPY;
    if (is_type(type, length, "application/vnd.safetensors"))
        return BODY_SAFETENSORS;
    return is_type(type, length, "application/octet-stream") ? BODY_BYTES : BODY_OTHER;
}
