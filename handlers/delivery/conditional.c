#include "conditional.h"

#include <string.h>
#include <strings.h>

/* What stands between the quotes, and those: all that weak comparison looks at. */
static const char *skip_weak(const char *tag)
{
    return strncmp(tag, "W/", 2) == 0 ? tag + 2 : tag;
}

/* Tags may hold commas, so that elements end at quotes. */
static bool list_has(const char *list, const char *tag)
{
    tag = skip_weak(tag);
    const size_t length = strlen(tag);

    for (;;) {
        const char *end;

        list = skip_weak(list + strspn(list, " \t,"));
        end = *list == '"' ? strchr(list + 1, '"') : NULL;
        if (!end)
            return false;
        end++;
        if ((size_t)(end - list) == length && memcmp(list, tag, length) == 0)
            return true;
        list = end;
    }
}

bool has_tag(const struct request *request, const char *tag)
{
    for (size_t i = 0; i < request->header_count; i++)
        if (strcasecmp(request->headers[i].name, "If-None-Match") == 0 &&
            list_has(request->headers[i].value, tag))
            return true;
    return false;
}

bool has_any(const struct request *request)
{
    const char *value = request_header(request, "If-None-Match");

    if (!value)
        return false;
    value += strspn(value, " \t");
    return value[0] == '*' && value[1 + strspn(value + 1, " \t")] == '\0';
}

bool may_continue(const struct request *request, const char *tag)
{
    const char *value = request_header(request, "If-Range");

    return !value || (tag && strcmp(value, tag) == 0);
}
