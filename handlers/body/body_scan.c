/* The grammar of RFC 8259 as a loop over values, with a stack of fixed size. */
#include "body_scan.h"

#include <stdio.h>
#include <string.h>

#define CUTS_FIRST 16

void body_scan_init(struct body_scan *scan, const char *text, size_t size,
                    struct posenc_memory *memory)
{
    memset(scan, 0, sizeof *scan);
    scan->cursor.text = text;
    scan->cursor.size = size;
    scan->memory = memory;
    scan->stop_at = SIZE_MAX;
}

static bool fail_memory(struct body_scan *scan)
{
    scan->no_memory = true;
    return false;
}

/* Paths. */

static size_t path_append(char *path, size_t length, const char *text, size_t text_length)
{
    if (length >= POSENC_PATH_MAX - 1)
        return length;
    const int written =
        snprintf(path + length, POSENC_PATH_MAX - length, "%s%.*s", length ? "." : "",
                 (int)(text_length < POSENC_PATH_MAX ? text_length : POSENC_PATH_MAX), text);

    return length + (size_t)written;
}

/* The path of the value that is read, with `tail` behind it unless it is "". */
static void scan_note_path(struct body_scan *scan, const char *tail)
{
    size_t length = 0;

    scan->path[0] = '\0';
    for (size_t i = 0; i < scan->depth; i++) {
        const struct body_level *const level = &scan->levels[i];
        char index[24];

        if (level->is_object) {
            length = path_append(scan->path, length, scan->cursor.text + level->name_start,
                                 level->name_end - level->name_start);
        } else {
            const int digits = snprintf(index, sizeof index, "%zu", level->index);

            length = path_append(scan->path, length, index, (size_t)digits);
        }
    }
    if (tail[0] != '\0')
        (void)path_append(scan->path, length, tail, strlen(tail));
}

static bool fail_here(struct body_scan *scan, const char *fault)
{
    scan_note_path(scan, "");
    return json_fail(&scan->cursor, scan->cursor.at, fault);
}

/* For a fault within a value that the cursor has noted. */
static bool fail_value(struct body_scan *scan)
{
    scan_note_path(scan, "");
    return false;
}

/* Cuts. */

static bool add_cut(struct body_scan *scan, size_t start, struct posenc_value value)
{
    if (scan->cut_count == scan->cut_capacity) {
        const size_t capacity = scan->cut_capacity ? scan->cut_capacity * 2 : CUTS_FIRST;
        struct body_cut *const cuts = posenc_allocate(scan->memory, capacity, sizeof *cuts);

        if (!cuts)
            return fail_memory(scan);
        if (scan->cut_count > 0)
            memcpy(cuts, scan->cuts, scan->cut_count * sizeof *cuts);
        scan->cuts = cuts;
        scan->cut_capacity = capacity;
    }
    scan->cuts[scan->cut_count++] = (struct body_cut){start, scan->cursor.at, value};
    return true;
}

static bool scan_number(struct body_scan *scan)
{
    const size_t start = scan->cursor.at;
    struct rounded_list rounded = {0};
    struct posenc_value value;
    double number;

    if (!json_read_number(&scan->cursor, &number))
        return fail_value(scan);
    if (!rounded_note(&rounded, scan->memory, 0, scan->cursor.text + start, scan->cursor.at - start,
                      number))
        return fail_memory(scan);
    value = posenc_number(number);
    value.rounded = rounded.first;
    return add_cut(scan, start, value);
}

/* True when the last outline has passed here and found this bracket to hold other things, too. */
static bool is_known_other(const struct body_scan *scan)
{
    const size_t level = scan->depth - scan->outline_depth;

    return scan->outline.is_other && scan->depth >= scan->outline_depth &&
           level < scan->outline.open_count && scan->outline.opened[level] == scan->cursor.at;
}

static bool is_number_array(struct body_scan *scan)
{
    if (is_known_other(scan))
        return false;
    scan->outline.takes_words = scan->cursor.takes_words;
    outline_number_array(scan->cursor.text, scan->cursor.size, scan->cursor.at, &scan->outline);
    scan->outline_depth = scan->depth;
    return !scan->outline.is_other;
}

static bool scan_number_array(struct body_scan *scan)
{
    const size_t start = scan->cursor.at;
    double *const numbers =
        posenc_allocate(scan->memory, scan->outline.numbers_max, sizeof *numbers);
    struct posenc_value value = {.kind = POSENC_ARRAY};
    struct number_array array;

    if (!numbers)
        return fail_memory(scan);
    if (!read_number_array(&scan->cursor, scan->memory, numbers, &array)) {
        if (array.no_memory)
            return fail_memory(scan);
        scan_note_path(scan, array.path);
        return false;
    }
    if (array.is_ragged) {
        const size_t size = strlen(array.path) + 1;
        char *const path = posenc_allocate(scan->memory, size, 1);

        if (!path)
            return fail_memory(scan);
        value.kind = POSENC_RAGGED;
        value.as.text = memcpy(path, array.path, size);
    } else {
        value.as.array.dtype = POSENC_FLOAT64;
        value.as.array.rank = array.rank;
        memcpy(value.as.array.shape, array.shape, sizeof array.shape);
        value.as.array.data = numbers;
        value.rounded = array.rounded.first;
    }
    return add_cut(scan, start, value);
}

/* Grammar. */

static bool open_level(struct body_scan *scan, bool is_object)
{
    if (scan->depth == BODY_DEPTH_MAX)
        return fail_here(scan, "objects and arrays nest deeper than 32 levels; flatten them");
    scan->levels[scan->depth++] = (struct body_level){.is_object = is_object};
    scan->cursor.at++;
    return true;
}

/* Reads a value, or the opening of one that holds others: *opened. */
static bool scan_value(struct body_scan *scan, bool *opened)
{
    struct json_cursor *const cursor = &scan->cursor;
    int byte;

    *opened = false;
    json_skip_space(cursor);
    byte = json_peek(cursor);
    if (byte >= 0 && ++scan->value_count > BODY_VALUES_MAX)
        return fail_here(scan, "the body holds more than 20000 values besides arrays of numbers; "
                               "send fewer, or numbers only");
    switch (byte) {
    case '{':
        *opened = true;
        return open_level(scan, true);
    case '[':
        if (is_number_array(scan))
            return scan_number_array(scan);
        *opened = true;
        return open_level(scan, false);
    case '"':
        return json_skip_string(cursor) || fail_value(scan);
    case 't':
    case 'f':
    case 'n':
        return json_skip_word(cursor) || fail_value(scan);
    default:
        return scan_number(scan);
    }
}

/* The name of a member, and its colon. */
static bool scan_name(struct body_scan *scan)
{
    struct json_cursor *const cursor = &scan->cursor;
    struct body_level *const level = &scan->levels[scan->depth - 1];

    json_skip_space(cursor);
    switch (json_peek(cursor)) {
    case '"':
        break;
    case '}':
        return json_fail(cursor, cursor->at, "a name is missing here; remove the comma before '}'");
    case -1:
        return json_fail(cursor, cursor->at, "the body ends within an object; send all of it");
    default:
        return json_fail(cursor, cursor->at, "a name in double quotes is due here");
    }
    level->name_start = cursor->at + 1;
    if (!json_skip_string(cursor))
        return false;
    level->name_end = cursor->at - 1;
    if (cursor->at == scan->stop_at)
        return true;
    if (level->name_end - level->name_start > BODY_NAME_MAX)
        return json_fail(cursor, level->name_start, "names have at most 1000 bytes");
    json_skip_space(cursor);
    if (json_peek(cursor) != ':')
        return json_fail(cursor, cursor->at, "a colon is due after the name");
    cursor->at++;
    return true;
}

/* Behind a value: closing brackets, until a comma says that another value follows. */
static bool scan_end_of_value(struct body_scan *scan)
{
    struct json_cursor *const cursor = &scan->cursor;

    while (scan->depth > 0) {
        struct body_level *const level = &scan->levels[scan->depth - 1];
        int byte;

        json_skip_space(cursor);
        byte = json_peek(cursor);
        if (byte < 0)
            return json_fail(cursor, cursor->at,
                             "the body ends before its last bracket; send all "
                             "of it");
        if (byte != ',' && byte != (level->is_object ? '}' : ']'))
            return json_fail(cursor, cursor->at,
                             level->is_object ? "a comma or '}' is due between members"
                                              : "a comma or ']' is due between array items");
        cursor->at++;
        if (byte == ',') {
            level->index++;
            return true;
        }
        scan->depth--;
    }
    return true;
}

/* Behind the bracket that opens an object: true when the object is empty. */
static bool is_empty_object(struct body_scan *scan)
{
    json_skip_space(&scan->cursor);
    return scan->levels[scan->depth - 1].is_object && json_peek(&scan->cursor) == '}';
}

bool scan_body(struct body_scan *scan)
{
    struct json_cursor *const cursor = &scan->cursor;
    bool opened;

    do {
        if (!scan_value(scan, &opened))
            return false;
        if ((!opened || is_empty_object(scan)) && !scan_end_of_value(scan))
            return false;
        if (scan->depth > 0 && scan->levels[scan->depth - 1].is_object && !scan_name(scan))
            return false;
    } while (scan->depth > 0 && cursor->at != scan->stop_at);
    if (cursor->at == scan->stop_at)
        return true;

    json_skip_space(cursor);
    if (cursor->at < cursor->size)
        return json_fail(cursor, cursor->at, "the body goes on after its end; send one value only");
    return true;
}

bool find_name_path(const char *text, size_t size, size_t end, struct posenc_memory *memory,
                    size_t *start, char *path)
{
    struct body_scan scan;

    body_scan_init(&scan, text, size, memory);
    scan.stop_at = end;
    if (!scan_body(&scan) || scan.depth == 0)
        return false;
    scan_note_path(&scan, "");
    memcpy(path, scan.path, sizeof scan.path);
    *start = scan.levels[scan.depth - 1].name_start - 1;
    return true;
}
