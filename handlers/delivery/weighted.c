/* Elements end at commas wherever these stand: no list read here has quoted texts. */
#include "weighted.h"

#include <string.h>
#include <strings.h>

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static const char *skip_blanks(const char *text, const char *end)
{
    while (text < end && is_blank(*text))
        text++;
    return text;
}

/* qvalue = 0[.ddd] or 1[.000]; anything else counts as refused. */
static int read_quality(const char *text, const char *end)
{
    int quality, place = 100;

    if (text == end || (*text != '0' && *text != '1'))
        return 0;
    quality = *text++ == '1' ? 1000 : 0;
    if (text < end && *text == '.')
        for (text++; text < end && place > 0 && *text >= '0' && *text <= '9'; text++, place /= 10)
            quality += (*text - '0') * place;
    return skip_blanks(text, end) == end && quality <= 1000 ? quality : 0;
}

/* The parameter q among those of an element. */
static int find_quality(const char *text, const char *end)
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

static void read_element(const char *text, const char *end, struct weighted *element)
{
    const char *semicolon = memchr(text, ';', (size_t)(end - text));

    element->name = text;
    element->length = (size_t)((semicolon ? semicolon : end) - text);
    while (element->length > 0 && is_blank(text[element->length - 1]))
        element->length--;
    element->quality = semicolon ? find_quality(semicolon + 1, end) : 1000;
}

void weighted_begin(struct weighted_list *list, const struct request *request, const char *header)
{
    *list = (struct weighted_list){.request = request, .header = header};
}

/* Moves to the next value that is not at its end; false when there is none. */
static bool find_value(struct weighted_list *list)
{
    while (!list->at || !*list->at) {
        if (list->next_header == list->request->header_count)
            return false;
        const struct header *header = &list->request->headers[list->next_header++];

        list->at = strcasecmp(header->name, list->header) == 0 ? header->value : NULL;
    }
    return true;
}

bool weighted_next(struct weighted_list *list, struct weighted *element)
{
    while (list->seen < WEIGHTED_MAX && find_value(list)) {
        const char *end = list->at + strcspn(list->at, ",");
        const char *text = skip_blanks(list->at, end);

        list->at = *end ? end + 1 : end;
        if (text == end)
            continue;
        list->seen++;
        read_element(text, end, element);
        return true;
    }
    return false;
}
