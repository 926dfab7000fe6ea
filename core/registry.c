/* The registry: every encoding, found by name, alias or index. */
#include <string.h>

#include "internal.h"

#define POSENC__ENTRY(id) &posenc__##id,
static const struct posenc_encoding *const encodings[] = {POSENC_ENCODINGS(POSENC__ENTRY)};
#undef POSENC__ENTRY

#define POSENC__ENTRY(id) &posenc__tool_##id,
static const struct posenc_operation *const tools[] = {POSENC_TOOLS(POSENC__ENTRY) NULL};
#undef POSENC__ENTRY

const struct posenc_encoding *posenc_encoding_at(size_t index)
{
    return index < sizeof(encodings) / sizeof(*encodings) ? encodings[index] : NULL;
}

static bool is_called(const struct posenc_encoding *encoding, const char *name)
{
    for (const char *const *alias = encoding->aliases; alias && *alias; alias++)
        if (strcmp(*alias, name) == 0)
            return true;
    return strcmp(encoding->name, name) == 0;
}

const struct posenc_encoding *posenc_find(const char *name)
{
    const struct posenc_encoding *encoding;

    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        if (is_called(encoding, name))
            return encoding;
    return NULL;
}

const struct posenc_operation *posenc_find_operation(const struct posenc_encoding *encoding,
                                                     const char *name)
{
    for (const struct posenc_operation *operation = encoding->operations; operation->name;
         operation++)
        if (strcmp(operation->name, name) == 0)
            return operation;
    return NULL;
}

/* Canonical names win over aliases that are as near. */
const char *posenc_suggest_encoding(const char *name)
{
    const struct posenc_encoding *encoding;
    size_t best = SIZE_MAX;
    const char *nearest = NULL;

    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        posenc__consider(name, encoding->name, &best, &nearest);
    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        for (const char *const *alias = encoding->aliases; alias && *alias; alias++)
            posenc__consider(name, *alias, &best, &nearest);
    return nearest;
}

const struct posenc_operation *posenc_tool_at(size_t index)
{
    return index < sizeof(tools) / sizeof(*tools) ? tools[index] : NULL;
}

const struct posenc_operation *posenc_find_tool(const char *name)
{
    for (size_t i = 0; tools[i]; i++)
        if (strcmp(tools[i]->name, name) == 0)
            return tools[i];
    return NULL;
}
