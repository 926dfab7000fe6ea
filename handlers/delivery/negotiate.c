/* Media ranges against what is offered. */
#include "negotiate.h"

#include <string.h>
#include <strings.h>

#include "weighted.h"

/* How well a range matches a type: 0 not at all, 1 everything, 2 type/anything, 3 exactly. */
static int specificity(const char *range, size_t length, const char *type)
{
    const char *slash = strchr(type, '/');
    const size_t prefix = (size_t)(slash - type) + 1;

    if (length == 3 && memcmp(range, "*/*", 3) == 0)
        return 1;
    if (length == prefix + 1 && range[prefix] == '*' && strncasecmp(range, type, prefix) == 0)
        return 2;
    return length == strlen(type) && strncasecmp(range, type, length) == 0 ? 3 : 0;
}

/* The most specific range that matches decides a type's quality. */
struct verdict {
    int specificity, quality;
};

static void judge(struct verdict *verdicts, const char *const *offered, size_t count,
                  const struct weighted *range)
{
    for (size_t i = 0; i < count; i++) {
        const int fit = specificity(range->name, range->length, offered[i]);

        if (fit > verdicts[i].specificity)
            verdicts[i] = (struct verdict){fit, range->quality};
    }
}

#define OFFERED_MAX 16

int negotiate(const struct request *request, const char *const *offered, size_t count)
{
    struct verdict verdicts[OFFERED_MAX] = {{0}};
    struct weighted_list ranges;
    struct weighted range;
    bool asked = false;
    int best = -1;

    count = count < OFFERED_MAX ? count : OFFERED_MAX;
    weighted_begin(&ranges, request, "Accept");
    while (weighted_next(&ranges, &range)) {
        asked = true;
        judge(verdicts, offered, count, &range);
    }
    if (!asked)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (verdicts[i].quality > 0 && (best < 0 || verdicts[i].quality > verdicts[best].quality))
            best = (int)i;
    return best;
}
