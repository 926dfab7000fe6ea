/* A query string as an object. The text is decoded in a copy of its own, piece by piece. */
#include "query.h"

#include <stdio.h>
#include <string.h>

#include "name_tree.h"
#include "number_text.h"
#include "rounded.h"
#include "utf8.h"

struct query {
    struct posenc_memory *memory;
    struct body_problem *problem;
    size_t offset; /* of the pair that is read, in the text as it was sent */
    struct name_tree tree;
};

static bool fail(struct query *query, const char *parameter, const char *detail)
{
    query->problem->offset = query->offset;
    (void)snprintf(query->problem->parameter, POSENC_PATH_MAX, "%s", parameter);
    (void)snprintf(query->problem->detail, POSENC_DETAIL_MAX, "%s", detail);
    return false;
}

static bool fail_memory(struct query *query)
{
    query->problem->no_memory = true;
    return fail(query, "", "out of memory; try again later");
}

/* Decoding. */

/* The value of a hexadecimal digit; -1 when it is none. */
static int hex_digit(char byte)
{
    const int lower = byte | 0x20;

    if (byte >= '0' && byte <= '9')
        return byte - '0';
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static bool is_utf8(const char *text)
{
    const size_t size = strlen(text);

    for (size_t at = 0; at < size;) {
        const size_t length = utf8_character(text + at, size - at);

        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

/* Decodes percent escapes and '+' in place; once, so that %2525 is "%25". */
static bool decode(struct query *query, char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++) {
        if (*from != '%') {
            *to++ = *from == '+' ? ' ' : *from;
            continue;
        }
        const int high = hex_digit(from[1]);
        const int low = high < 0 ? -1 : hex_digit(from[2]);

        if (low < 0)
            return fail(query, "",
                        "two hexadecimal digits are due after '%'; write '%' itself as %25");
        if (high == 0 && low == 0)
            return fail(query, "", "names and values cannot hold a NUL byte; remove %00");
        *to++ = (char)(high * 16 + low);
        from += 2;
    }
    *to = '\0';
    if (!is_utf8(text))
        return fail(query, "", "names and values must be UTF-8; encode each of its bytes as %XX");
    return true;
}

/* Values. */

/* One piece of a list, without the spaces around it. */
struct piece {
    const char *text;
    size_t size;
};

static struct piece trim(const char *text, size_t size)
{
    while (size > 0 && text[0] == ' ') {
        text++;
        size--;
    }
    while (size > 0 && text[size - 1] == ' ')
        size--;
    return (struct piece){text, size};
}

/* False when it is not a number. */
static bool read_piece(const struct piece *piece, double *number, bool *unfit)
{
    bool overflow = false;
    size_t length = number_parse_word(piece->text, piece->size, number);

    if (length == 0)
        length = number_parse(piece->text, piece->size, number, &overflow);
    if (length == 0 || length != piece->size)
        return false;
    *unfit |= overflow || (*number == 0 && number_underflowed(piece->text, piece->size));
    return true;
}

static size_t count_pieces(const char *text)
{
    size_t count = 1;

    for (; *text; text++)
        count += *text == ',';
    return count;
}

bool read_untyped(const char *text, struct posenc_memory *memory, struct posenc_value *value)
{
    const size_t count = count_pieces(text);
    struct piece piece = trim(text, strcspn(text, ","));
    struct rounded_list rounded = {0};
    bool unfit = false;
    double *numbers, first;

    *value = (struct posenc_value){.kind = POSENC_UNTYPED, .as.untyped = {.text = text}};
    if (!read_piece(&piece, &first, &unfit))
        return true;
    numbers = posenc_allocate(memory, count, sizeof *numbers);
    if (!numbers)
        return false;
    for (size_t i = 0; i < count; i++) {
        const size_t length = strcspn(text, ",");

        piece = trim(text, length);
        if (!read_piece(&piece, &numbers[i], &unfit))
            return true;
        if (!rounded_note(&rounded, memory, i, piece.text, piece.size, numbers[i]))
            return false;
        text += length + 1;
    }
    if (unfit) /* beyond the doubles: no number, which the parameter's row will say in its own words
                */
        return true;
    value->as.untyped.numbers = numbers;
    value->as.untyped.count = count;
    value->rounded = rounded.first;
    return true;
}

/* One name=value, not decoded. */
static bool read_pair(struct query *query, char *pair)
{
    char *const equals = strchr(pair, '=');
    char *text = pair + strlen(pair);
    struct posenc_value value;

    if (query->tree.count == QUERY_MEMBERS_MAX)
        return fail(query, "", "the query has more than 256 names; send a JSON body instead");
    if (equals) {
        *equals = '\0';
        text = equals + 1;
    }
    if (!decode(query, pair) || !decode(query, text))
        return false;
    query->problem->offset = query->offset;
    if (!read_untyped(text, query->memory, &value))
        return fail_memory(query);
    return name_tree_add(&query->tree, pair, &value, query->problem);
}

bool read_query(const char *query_text, struct posenc_memory *memory, struct posenc_value *object,
                struct body_problem *problem)
{
    struct query query = {.memory = memory, .problem = problem, .tree = {.memory = memory}};
    const size_t size = strlen(query_text) + 1;
    char *const text = posenc_allocate(memory, size, 1);
    char *pair = text;

    memset(problem, 0, sizeof *problem);
    if (!text)
        return fail_memory(&query);
    memcpy(text, query_text, size);
    while (pair) {
        char *const end = strchr(pair, '&');

        if (end)
            *end = '\0';
        query.offset = (size_t)(pair - text);
        if (*pair && !read_pair(&query, pair))
            return false;
        pair = end ? end + 1 : NULL;
    }
    return name_tree_object(&query.tree, object) || fail_memory(&query);
}
