/* The table of representations. */
#include <string.h>

#include "format.h"

static const struct format *const formats[] = {&format_json, &format_npy};

const struct format *format_at(size_t index)
{
    return index < sizeof formats / sizeof formats[0] ? formats[index] : NULL;
}

const struct format *format_find(const char *name)
{
    const struct format *format;

    for (size_t i = 0; (format = format_at(i)); i++) {
        if (strcmp(format->name, name) == 0)
            return format;
    }
    return NULL;
}
