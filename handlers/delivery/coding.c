#include "coding.h"

#include <string.h>
#include <strings.h>

#include "weighted.h"

#define UNNAMED (-1)

const char *coding_name(enum coding coding)
{
    switch (coding) {
    case CODING_ZSTD:
        return "zstd";
    case CODING_GZIP:
        return "gzip";
    case CODING_IDENTITY:
    case CODING_COUNT:
        break;
    }
    return NULL;
}

static bool is_named(const struct weighted *element, const char *name)
{
    return element->length == strlen(name) &&
           strncasecmp(element->name, name, element->length) == 0;
}

/* Of one element; the quality of everything else where it is "*". */
static void take(const struct weighted *element, struct codings *codings, int *rest)
{
    if (is_named(element, "*"))
        *rest = element->quality;
    else if (is_named(element, "gzip") || is_named(element, "x-gzip"))
        codings->quality[CODING_GZIP] = element->quality;
    else if (is_named(element, "zstd"))
        codings->quality[CODING_ZSTD] = element->quality;
    else if (is_named(element, "identity"))
        codings->quality[CODING_IDENTITY] = element->quality;
}

void codings_read(const struct request *request, struct codings *codings)
{
    struct weighted_list list;
    struct weighted element;
    int rest = UNNAMED;

    *codings = (struct codings){{UNNAMED, UNNAMED, UNNAMED}};
    weighted_begin(&list, request, "Accept-Encoding");
    while (weighted_next(&list, &element))
        take(&element, codings, &rest);
    if (codings->quality[CODING_ZSTD] == UNNAMED)
        codings->quality[CODING_ZSTD] = 0;
    if (codings->quality[CODING_GZIP] == UNNAMED)
        codings->quality[CODING_GZIP] = rest == UNNAMED ? 0 : rest;
    if (codings->quality[CODING_IDENTITY] == UNNAMED)
        codings->quality[CODING_IDENTITY] = rest == UNNAMED ? 1 : rest;
}

bool codings_choose(const struct codings *codings, bool is_worth_it, enum coding *coding)
{
    int best = 0;

    if (!is_worth_it && codings->quality[CODING_IDENTITY] > 0) {
        *coding = CODING_IDENTITY;
        return true;
    }
    for (enum coding i = 0; i < CODING_COUNT; i++)
        if (codings->quality[i] > best) {
            best = codings->quality[i];
            *coding = i;
        }
    return best > 0;
}
