/*
 * A query string as an object. The text is decoded in a copy of its own, piece by piece; names grow
 * a tree of nodes, which then becomes objects of members.
 */
#include "query.h"

#include <stdio.h>
#include <string.h>

#include "number_text.h"
#include "rounded.h"
#include "utf8.h"

struct node {
    const char *name;
    struct posenc_value value; /* of a node without children */
    struct node *children, *last_child;
    struct node *next;
    size_t child_count;
};

struct query {
    struct posenc_memory *memory;
    struct body_problem *problem;
    size_t offset; /* of the pair that is read, in the text as it was sent */
    size_t name_count;
    struct node root;
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

/* The value with its numbers, when all its pieces are some. */
static bool make_value(struct query *query, const char *text, struct posenc_value *value)
{
    const size_t count = count_pieces(text);
    struct piece piece = trim(text, strcspn(text, ","));
    struct rounded_list rounded = {0};
    bool unfit = false;
    double *numbers, first;

    value->kind = POSENC_UNTYPED;
    value->as.untyped = (struct posenc_untyped){.text = text};
    if (!read_piece(&piece, &first, &unfit))
        return true;
    numbers = posenc_allocate(query->memory, count, sizeof *numbers);
    if (!numbers)
        return fail_memory(query);
    for (size_t i = 0; i < count; i++) {
        const size_t length = strcspn(text, ",");

        piece = trim(text, length);
        if (!read_piece(&piece, &numbers[i], &unfit))
            return true;
        if (!rounded_note(&rounded, query->memory, i, piece.text, piece.size, numbers[i]))
            return fail_memory(query);
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

/* Names. */

static struct node *find_child(const struct node *parent, const char *name)
{
    struct node *child = parent->children;

    while (child && strcmp(child->name, name) != 0)
        child = child->next;
    return child;
}

static struct node *add_child(struct query *query, struct node *parent, const char *name)
{
    struct node *const child = posenc_allocate(query->memory, 1, sizeof *child);

    if (!child)
        return NULL;
    *child = (struct node){.name = name};
    if (parent->last_child)
        parent->last_child->next = child;
    else
        parent->children = child;
    parent->last_child = child;
    parent->child_count++;
    return child;
}

/* Refuses names that cannot be. `path` is the whole name, dots included. */
static bool check_name(struct query *query, const char *path)
{
    size_t dots = 0;

    for (const char *at = path; *at; at++)
        dots += *at == '.';
    if (dots > QUERY_DEPTH_MAX)
        return fail(query, path, "a name has at most 4 dots");
    if (path[0] == '\0' || path[0] == '.' || path[strlen(path) - 1] == '.' || strstr(path, ".."))
        return fail(query, path, "a name is missing; write name=value, or object.name=value");
    return true;
}

/* Finds or makes the node of a dotted name, which must not have a value yet. */
static bool grow_path(struct query *query, const char *path, struct node **leaf)
{
    const size_t size = strlen(path) + 1;
    char *names = posenc_allocate(query->memory, size, 1);
    struct node *node = &query->root;

    if (!names)
        return fail_memory(query);
    for (names = memcpy(names, path, size); names;) {
        char *const dot = strchr(names, '.');

        if (dot)
            *dot = '\0';
        struct node *child = find_child(node, names);

        if (child && !dot && !child->children)
            return fail(query, path, "this name stands twice; send it once");
        if (child && (!dot || !child->children))
            return fail(query, path,
                        "this name is both a value and an object; send one of the two");
        if (!child)
            child = add_child(query, node, names);
        if (!child)
            return fail_memory(query);
        node = child;
        names = dot ? dot + 1 : NULL;
    }
    *leaf = node;
    return true;
}

/* One name=value, not decoded. */
static bool read_pair(struct query *query, char *pair)
{
    char *const equals = strchr(pair, '=');
    char *value = pair + strlen(pair);
    struct node *leaf;

    if (++query->name_count > QUERY_MEMBERS_MAX)
        return fail(query, "", "the query has more than 256 names; send a JSON body instead");
    if (equals) {
        *equals = '\0';
        value = equals + 1;
    }
    return decode(query, pair) && decode(query, value) && check_name(query, pair) &&
           grow_path(query, pair, &leaf) && make_value(query, value, &leaf->value);
}

/* The nodes as values. */

/* Depth is at most QUERY_DEPTH_MAX + 1. */
static bool convert(struct query *query, const struct node *node, struct posenc_value *value)
{
    struct posenc_member *const members =
        posenc_allocate(query->memory, node->child_count, sizeof *members);
    struct posenc_member *member = members;

    if (!members)
        return fail_memory(query);
    for (const struct node *child = node->children; child; child = child->next, member++) {
        member->name = child->name;
        member->value = child->value;
        if (child->children && !convert(query, child, &member->value))
            return false;
    }
    *value = posenc_object(members, node->child_count);
    return true;
}

bool read_query(const char *query_text, struct posenc_memory *memory, struct posenc_value *object,
                struct body_problem *problem)
{
    struct query query = {.memory = memory, .problem = problem};
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
    return convert(&query, &query.root, object);
}
