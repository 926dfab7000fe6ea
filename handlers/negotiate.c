/* Content negotiation: media ranges with q-values against what is offered (RFC 9110,
 * section 12.5.1). */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "representation.h"

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

/* qvalue = 0[.ddd] or 1[.000], in thousandths; anything else counts as refused. */
static int read_quality(const char *text, const char *end)
{
    int quality, place = 100;

    if (text == end || (*text != '0' && *text != '1'))
        return 0;
    quality = *text++ == '1' ? 1000 : 0;
    if (text < end && *text == '.')
        for (text++; text < end && place > 0 && *text >= '0' && *text <= '9'; text++, place /= 10)
            quality += (*text - '0') * place;
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    return text == end && quality <= 1000 ? quality : 0;
}

static const char *skip_blanks(const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    return text;
}

/* The q parameter behind a range; 1000 when there is none. */
static int quality_of(const char *text, const char *end)
{
    while (text < end) {
        const char *next = memchr(text, ';', (size_t)(end - text));
        const char *parameter = skip_blanks(text, end);

        next = next ? next : end;
        if (next - parameter >= 2 && (parameter[0] == 'q' || parameter[0] == 'Q') &&
            parameter[1] == '=')
            return read_quality(parameter + 2, next);
        text = next < end ? next + 1 : end;
    }
    return 1000;
}

/* The most specific range that matches decides a type's quality. */
struct verdict {
    int specificity, quality;
};

static void judge(struct verdict *verdicts, const char *const *offered, size_t count,
                  const char *range, const char *end)
{
    const char *semicolon = memchr(range, ';', (size_t)(end - range));
    size_t length = (size_t)((semicolon ? semicolon : end) - range);
    const int quality = semicolon ? quality_of(semicolon + 1, end) : 1000;

    while (length > 0 && (range[length - 1] == ' ' || range[length - 1] == '\t'))
        length--;
    for (size_t i = 0; i < count; i++) {
        const int fit = specificity(range, length, offered[i]);

        if (fit > verdicts[i].specificity)
            verdicts[i] = (struct verdict){fit, quality};
    }
}

static void judge_header(struct verdict *verdicts, const char *const *offered, size_t count,
                         const char *value, size_t *ranges)
{
    const char *end = value + strlen(value);

    while (value < end && (*ranges)++ < ACCEPT_RANGES_MAX) {
        const char *comma = memchr(value, ',', (size_t)(end - value));
        const char *stop = comma ? comma : end;

        value = skip_blanks(value, stop);
        if (value < stop)
            judge(verdicts, offered, count, value, stop);
        value = comma ? comma + 1 : end;
    }
}

#define OFFERED_MAX 16

int negotiate(const struct request *request, const char *const *offered, size_t count)
{
    struct verdict verdicts[OFFERED_MAX] = {{0}};
    size_t ranges = 0;
    bool asked = false;
    int best = -1;

    count = count < OFFERED_MAX ? count : OFFERED_MAX;
    for (size_t i = 0; i < request->header_count; i++)
        if (strcasecmp(request->headers[i].name, "Accept") == 0 && *request->headers[i].value) {
            asked = true;
            judge_header(verdicts, offered, count, request->headers[i].value, &ranges);
        }
    if (!asked)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (verdicts[i].quality > 0 && (best < 0 || verdicts[i].quality > verdicts[best].quality))
            best = (int)i;
    return best;
}
