/* Arrays of numbers in JSON text. One loop, a counter for each open bracket, no recursion. */
#include "number_array.h"

#include <stdio.h>
#include <string.h>

#include "number_text.h"

/*
 * Bytes of the string at text[at] when it stands for a number (the protobuf JSON convention), and
 * that number; 0 when it is another text.
 */
static size_t match_word(const char *text, size_t size, size_t at, double *value)
{
    const size_t length = number_parse_word(text + at + 1, size - at - 1, value);
    const size_t end = at + 1 + length;

    return length > 0 && end < size && text[end] == '"' ? length + 2 : 0;
}

/* The first look. */

/* What a byte outside of strings means to an array of numbers. */
enum meaning { INSIDE, SEPARATOR, OPENING, CLOSING, QUOTE, OTHER, WRONG };

static enum meaning meaning_of(unsigned char byte)
{
    switch (byte) {
    case ',':
        return SEPARATOR;
    case '[':
        return OPENING;
    case ']':
        return CLOSING;
    case '"':
        return QUOTE;
    case '{':
    case 't':
    case 'f':
    case 'n':
        return OTHER;
    default:
        return byte <= '9' || byte == 'e' || byte == 'E' ? INSIDE : WRONG;
    }
}

/*
 * Commas among the next OUTLINE_BLOCK bytes when all of these are of numbers, spaces and commas; -1
 * otherwise. Most blocks are, and compilers make this loop of vector instructions, so that the
 * first look costs little. Wrong bytes below '+' may pass; the reader finds them.
 */
#define OUTLINE_BLOCK 64

static int count_block(const char *text)
{
    unsigned char commas = 0, others = 0;

    for (size_t i = 0; i < OUTLINE_BLOCK; i++) {
        const unsigned char byte = (unsigned char)text[i];
        const unsigned char is_inside = (unsigned char)(byte - '+') <= '9' - '+';

        commas = (unsigned char)(commas + (byte == ','));
        others |= (unsigned char)!(is_inside | (byte <= ' ') | ((byte | 0x20) == 'e'));
    }
    return others ? -1 : commas;
}

/* Goes past such blocks; stops before the last byte of the text at the latest. */
static size_t outline_blocks(struct number_array_outline *outline, const char *text, size_t size,
                             size_t at)
{
    for (int commas; size - at > OUTLINE_BLOCK && (commas = count_block(text + at)) >= 0;
         at += OUTLINE_BLOCK)
        outline->numbers_max += (size_t)commas;
    return at;
}

static void outline_open(struct number_array_outline *outline, size_t *depth, size_t at)
{
    if (*depth < NUMBER_ARRAY_OPENED_MAX)
        outline->opened[*depth] = at;
    (*depth)++;
}

static void outline_other(struct number_array_outline *outline, size_t depth, size_t at)
{
    outline->is_other = true;
    outline->other_at = at;
    outline->open_count = depth < NUMBER_ARRAY_OPENED_MAX ? depth : NUMBER_ARRAY_OPENED_MAX;
}

/* A string: goes past one that stands for a number; false at any other. */
static bool outline_word(const char *text, size_t size, size_t *at)
{
    double ignored;
    const size_t length = match_word(text, size, *at, &ignored);

    *at += length > 0 ? length - 1 : 0;
    return length > 0;
}

/* A word outside of quotes, where such are taken: goes to its last byte; false at any other. */
static bool outline_bare(const struct number_array_outline *outline, const char *text, size_t size,
                         size_t *at)
{
    double ignored;
    const size_t length =
        outline->takes_words ? number_parse_word(text + *at, size - *at, &ignored) : 0;

    *at += length > 0 ? length - 1 : 0;
    return length > 0;
}

void outline_number_array(const char *text, size_t size, size_t start,
                          struct number_array_outline *outline)
{
    size_t depth = 0, block_at = start;

    outline->is_other = false;
    outline->numbers_max = 0;
    for (size_t at = start; at < size; at++) {
        /* A block that holds brackets is gone through byte by byte, all of it. */
        if (at >= block_at) {
            at = outline_blocks(outline, text, size, at);
            block_at = at + OUTLINE_BLOCK;
        }
        switch (meaning_of((unsigned char)text[at])) {
        case INSIDE:
            break;
        case OPENING:
            outline_open(outline, &depth, at);
            outline->numbers_max++;
            break;
        case SEPARATOR:
            /* A number stands behind a bracket or a comma, so these are as many at least. */
            outline->numbers_max++;
            break;
        case CLOSING:
            if (--depth == 0)
                return;
            break;
        case QUOTE:
            if (outline_word(text, size, &at))
                break;
            outline_other(outline, depth, at);
            return;
        case OTHER:
            outline_other(outline, depth, at);
            return;
        case WRONG:
            if (!outline_bare(outline, text, size, &at))
                return;
            break;
        }
    }
}

/* The reader. */

struct reader {
    struct json_cursor *cursor;
    struct posenc_memory *memory;
    double *numbers;
    struct number_array *array;
    size_t depth;                         /* open brackets */
    size_t lengths[POSENC_RANK_MAX];      /* items so far in each open bracket */
    bool shape_is_known[POSENC_RANK_MAX]; /* of an axis, once its first row is closed */
};

/* Writes the path of the item that the innermost `depth` brackets are at. */
static void reader_note_path(const struct reader *reader, size_t depth)
{
    char *const path = reader->array->path;
    size_t length = 0;

    path[0] = '\0';
    for (size_t i = 0; i < depth && length < POSENC_PATH_MAX; i++)
        length += (size_t)snprintf(path + length, POSENC_PATH_MAX - length, i ? ".%zu" : "%zu",
                                   reader->lengths[i]);
}

static void reader_note_ragged(struct reader *reader, size_t depth)
{
    if (reader->array->is_ragged)
        return;
    reader->array->is_ragged = true;
    reader_note_path(reader, depth);
}

/* The first number, or the first bracket to close, tells how deep all numbers are. */
static void reader_set_rank(struct reader *reader)
{
    if (reader->array->rank == 0)
        reader->array->rank = reader->depth;
}

static bool reader_open(struct reader *reader)
{
    const size_t rank = reader->array->rank;

    if (reader->depth == POSENC_RANK_MAX) {
        reader_note_path(reader, reader->depth);
        return json_fail(reader->cursor, reader->cursor->at,
                         "an array of numbers has at most 8 axes; this one nests deeper");
    }
    if (rank != 0 && reader->depth == rank)
        reader_note_ragged(reader, reader->depth);
    reader->lengths[reader->depth++] = 0;
    reader->cursor->at++;
    return true;
}

static void reader_close(struct reader *reader)
{
    struct number_array *const array = reader->array;
    const size_t axis = reader->depth - 1;

    reader_set_rank(reader);
    if (!reader->shape_is_known[axis]) {
        reader->shape_is_known[axis] = true;
        array->shape[axis] = reader->lengths[axis];
    } else if (array->shape[axis] != reader->lengths[axis]) {
        reader_note_ragged(reader, axis);
    }
    reader->depth--;
    reader->cursor->at++;
    if (reader->depth > 0)
        reader->lengths[reader->depth - 1]++;
}

static bool reader_read_number(struct reader *reader, double *number)
{
    struct number_array *const array = reader->array;
    struct json_cursor *const cursor = reader->cursor;
    const size_t start = cursor->at;
    const size_t word = cursor->takes_words
                            ? number_parse_word(cursor->text + start, cursor->size - start, number)
                            : 0;

    cursor->at += word;
    if (word > 0)
        return true;
    if (!json_read_number(cursor, number)) {
        reader_note_path(reader, reader->depth);
        return false;
    }
    if (rounded_is_possible(cursor->at - start, *number))
        array->no_memory = !rounded_note(&array->rounded, reader->memory, array->count,
                                         cursor->text + start, cursor->at - start, *number);
    return !array->no_memory;
}

static bool reader_read_leaf(struct reader *reader)
{
    struct json_cursor *const cursor = reader->cursor;
    double *const number = &reader->numbers[reader->array->count];

    reader_set_rank(reader);
    if (reader->depth != reader->array->rank)
        reader_note_ragged(reader, reader->depth);
    if (json_peek(cursor) == '"')
        cursor->at += match_word(cursor->text, cursor->size, cursor->at, number);
    else if (!reader_read_number(reader, number))
        return false;
    reader->array->count++;
    reader->lengths[reader->depth - 1]++;
    return true;
}

/* Behind an item: closing brackets, until a comma says that another item follows. */
static bool reader_end_item(struct reader *reader)
{
    struct json_cursor *const cursor = reader->cursor;

    while (reader->depth > 0) {
        json_skip_space(cursor);
        switch (json_peek(cursor)) {
        case ',':
            cursor->at++;
            return true;
        case ']':
            reader_close(reader);
            break;
        case -1:
            return json_fail(cursor, cursor->at, "the body ends within an array; send all of it");
        default:
            return json_fail(cursor, cursor->at, "a comma or ']' is due between array items");
        }
    }
    return true;
}

bool read_number_array(struct json_cursor *cursor, struct posenc_memory *memory, double *numbers,
                       struct number_array *array)
{
    struct reader reader = {.cursor = cursor, .memory = memory, .numbers = numbers, .array = array};

    memset(array, 0, sizeof *array);
    do {
        json_skip_space(cursor);
        if (json_peek(cursor) == '[') {
            if (!reader_open(&reader))
                return false;
            json_skip_space(cursor);
            if (json_peek(cursor) != ']')
                continue;
        } else if (!reader_read_leaf(&reader)) {
            return false;
        }
        if (!reader_end_item(&reader))
            return false;
    } while (reader.depth > 0);
    return true;
}
