/* Finding a row of the table of model types. */
#include "model_types.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "facts.h"

static const struct posenc__model_type *const tables[] = {
    posenc__rope_types, posenc__layered_types, posenc__multimodal_types, posenc__vision_types,
    posenc__other_types};
#define TABLE_COUNT (sizeof(tables) / sizeof(*tables))

const struct posenc__model_type *posenc__find_model_type(const char *name, const char *component)
{
    for (size_t i = 0; i < TABLE_COUNT; i++)
        for (const struct posenc__model_type *row = tables[i]; row->names; row++)
            if (strcmp(row->component, component) == 0 && posenc__has_word(row->names, name))
                return row;
    return NULL;
}

/* True when the architecture is the name without underscores, and "For..." or "Model" behind it. */
static bool is_named_after(const char *architecture, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '_' || name[i] == '-')
            continue;
        if (tolower((unsigned char)*architecture++) != name[i])
            return false;
    }
    return strncmp(architecture, "For", 3) == 0 || strcmp(architecture, "Model") == 0 ||
           strncmp(architecture, "LMHead", 6) == 0;
}

const struct posenc__model_type *posenc__find_architecture(const char *architecture,
                                                           const char *component)
{
    for (size_t i = 0; i < TABLE_COUNT; i++)
        for (const struct posenc__model_type *row = tables[i]; row->names; row++) {
            const char *name = row->names;

            for (size_t length; (length = posenc__next_word(&name)) > 0; name += length)
                if (strcmp(row->component, component) == 0 &&
                    is_named_after(architecture, name, length))
                    return row;
        }
    return NULL;
}

bool posenc__suggest_model_type(const char *wanted, char *text, size_t size)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < TABLE_COUNT; i++)
        for (const struct posenc__model_type *row = tables[i]; row->names; row++) {
            const char *name = row->names;

            for (size_t length; (length = posenc__next_word(&name)) > 0; name += length) {
                char known[64];

                (void)snprintf(known, sizeof(known), "%.*s", (int)length, name);
                const size_t distance = posenc__edit_distance(wanted, known);

                if (distance >= best || !posenc__is_near(wanted, known, distance) ||
                    name[length - 1] == ')')
                    continue;
                best = distance;
                (void)snprintf(text, size, "%s", known);
            }
        }
    return best != SIZE_MAX;
}
