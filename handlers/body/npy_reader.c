/*
 * The header is a Python dictionary, of which NumPy writes three members only: that much grammar is
 * read here, and nothing is ever evaluated.
 */
#include "npy_reader.h"

#include <string.h>

#include "elements.h"
#include "json_token.h"

#define NPY_MAGIC      "\x93NUMPY"
#define NPY_MAGIC_SIZE ((size_t)6)
#define NPY_DESCR_MAX  8 /* bytes of a dtype's name that is looked at */

enum { NPY_DESCR = 1, NPY_ORDER = 2, NPY_SHAPE = 4, NPY_ALL = 7 };

struct npy_header {
    unsigned seen; /* which members */
    struct posenc_array array;
    bool is_big_endian, is_column_major;
};

/* Tokens. */

static void skip_spaces(struct json_cursor *cursor)
{
    while (json_peek(cursor) == ' ')
        cursor->at++;
}

/* Goes past a text that may stand here. */
static bool skip_text(struct json_cursor *cursor, const char *text)
{
    const size_t length = strlen(text);

    if (cursor->size - cursor->at < length || memcmp(cursor->text + cursor->at, text, length) != 0)
        return false;
    cursor->at += length;
    return true;
}

static bool read_length(struct json_cursor *cursor, size_t *length)
{
    const size_t start = cursor->at;

    *length = 0;
    for (int byte; (byte = json_peek(cursor)) >= '0' && byte <= '9'; cursor->at++) {
        if (__builtin_mul_overflow(*length, (size_t)10, length) ||
            __builtin_add_overflow(*length, (size_t)(byte - '0'), length))
            return json_fail(cursor, start, "this length is too large");
    }
    if (cursor->at == start)
        return json_fail(cursor, start,
                         "the shape is a tuple of lengths, as (), (5,) or (2, 3), in decimal "
                         "digits only");
    if (cursor->at > start + 1 && cursor->text[start] == '0')
        return json_fail(cursor, start, "a length has no leading zeros");
    return true;
}

/* Members. */

static bool find_dtype(const char *name, enum posenc_dtype *dtype)
{
    static const struct {
        char name[3];
        enum posenc_dtype dtype;
    } rows[] = {{"f2", POSENC_FLOAT16},
                {"f4", POSENC_FLOAT32},
                {"f8", POSENC_FLOAT64},
                {"i4", POSENC_INT32},
                {"i8", POSENC_INT64}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            *dtype = rows[i].dtype;
            return true;
        }
    }
    return false;
}

static bool read_descr(struct json_cursor *cursor, struct npy_header *header)
{
    const size_t start = cursor->at;
    char descr[NPY_DESCR_MAX] = "";
    size_t length = 0;

    if (json_peek(cursor) == '[')
        return json_fail(cursor, start,
                         "arrays of structures are not read; send one field of them");
    if (!skip_text(cursor, "'"))
        return json_fail(cursor, start, "'descr' is a text such as '<f4'");
    while (json_peek(cursor) > 0 && json_peek(cursor) != '\'' && length + 1 < NPY_DESCR_MAX)
        descr[length++] = cursor->text[cursor->at++];
    if (strchr(descr, 'O'))
        return json_fail(cursor, start,
                         "arrays of Python objects are not read; convert them with "
                         "astype(numpy.float32)");
    if (!skip_text(cursor, "'") || (descr[0] != '<' && descr[0] != '>') ||
        !find_dtype(descr + 1, &header->array.dtype))
        return json_fail(cursor, start,
                         "this dtype is not read; send '<f2', '<f4', '<f8', '<i4' or '<i8', or "
                         "bfloat16 as safetensors");
    header->is_big_endian = descr[0] == '>';
    return true;
}

static bool read_order(struct json_cursor *cursor, struct npy_header *header)
{
    header->is_column_major = skip_text(cursor, "True");
    return header->is_column_major || skip_text(cursor, "False") ||
           json_fail(cursor, cursor->at, "'fortran_order' is True or False");
}

/* Behind a length: whether another may follow. A tuple of one has a comma, too. */
static bool skip_comma(struct json_cursor *cursor, size_t rank)
{
    skip_spaces(cursor);
    if (skip_text(cursor, ",")) {
        skip_spaces(cursor);
        return true;
    }
    if (json_peek(cursor) == ')' && rank > 1)
        return true;
    return json_fail(cursor, cursor->at,
                     "a comma or ')' is due in the shape; that of one axis is written (5,)");
}

static bool read_shape(struct json_cursor *cursor, struct npy_header *header)
{
    struct posenc_array *const array = &header->array;

    if (!skip_text(cursor, "("))
        return json_fail(cursor, cursor->at, "'shape' is a tuple, as (), (5,) or (2, 3)");
    skip_spaces(cursor);
    while (!skip_text(cursor, ")")) {
        if (array->rank == POSENC_RANK_MAX)
            return json_fail(cursor, cursor->at, "tensors have at most 8 axes; this one has more");
        if (!read_length(cursor, &array->shape[array->rank++]) || !skip_comma(cursor, array->rank))
            return false;
    }
    return true;
}

/* The dictionary. */

static bool read_value(struct json_cursor *cursor, unsigned member, struct npy_header *header)
{
    if (member == NPY_DESCR)
        return read_descr(cursor, header);
    return member == NPY_ORDER ? read_order(cursor, header) : read_shape(cursor, header);
}

static bool read_member(struct json_cursor *cursor, struct npy_header *header)
{
    const size_t start = cursor->at;
    const unsigned member = skip_text(cursor, "'descr'")           ? NPY_DESCR
                            : skip_text(cursor, "'fortran_order'") ? NPY_ORDER
                            : skip_text(cursor, "'shape'")         ? NPY_SHAPE
                                                                   : 0;

    if (member == 0)
        return json_fail(cursor, start,
                         "the header has the members 'descr', 'fortran_order' and 'shape', in "
                         "single quotes, and no others");
    if (header->seen & member)
        return json_fail(cursor, start, "this member stands twice in the header");
    header->seen |= member;
    skip_spaces(cursor);
    if (!skip_text(cursor, ":"))
        return json_fail(cursor, cursor->at, "a colon is due after the name of a member");
    skip_spaces(cursor);
    if (!read_value(cursor, member, header))
        return false;
    skip_spaces(cursor);
    if (skip_text(cursor, ",")) {
        skip_spaces(cursor);
        return true;
    }
    return json_peek(cursor) == '}' ||
           json_fail(cursor, cursor->at, "a comma or '}' is due after a member of the header");
}

/* The cursor ends with the header. */
static bool read_dictionary(struct json_cursor *cursor, struct npy_header *header)
{
    skip_spaces(cursor);
    if (!skip_text(cursor, "{"))
        return json_fail(cursor, cursor->at, "the header is a dictionary, which starts with '{'");
    skip_spaces(cursor);
    while (json_peek(cursor) != '}') {
        if (!read_member(cursor, header))
            return false;
    }
    if (header->seen != NPY_ALL)
        return json_fail(cursor, cursor->at,
                         "the header lacks one of 'descr', 'fortran_order' and 'shape'");
    cursor->at++;
    skip_spaces(cursor);
    if (cursor->size - cursor->at != 1 || cursor->text[cursor->at] != '\n')
        return json_fail(cursor, cursor->at,
                         "only spaces and one line feed, its last byte, may end the header");
    return true;
}

/* The file. */

static bool fail_magic(const char *body, size_t body_size, struct body_problem *problem)
{
    if (body_size == 0)
        return body_fail(problem, 0, "the file is empty; numpy.save() writes one that can be read");
    if (memcmp(body, NPY_MAGIC, body_size < NPY_MAGIC_SIZE ? body_size : NPY_MAGIC_SIZE) == 0)
        return body_fail(problem, body_size,
                         "the file ends within the header; the rest of it is missing");
    if (body[0] == 'P' && body_size > 1 && body[1] == 'K')
        return body_fail(problem, 0,
                         "this is an npz archive; send one array of it, as numpy.save() writes "
                         "it, or several as safetensors");
    return body_fail(problem, 0,
                     "the file does not start as an npy file does, with \\x93NUMPY; "
                     "numpy.save() writes one that can be read");
}

/* Reads magic, version and the header's length: where it starts and where it ends. */
static bool read_prefix(const char *body, size_t body_size, struct json_cursor *cursor,
                        struct body_problem *problem)
{
    size_t prefix, length = 0;

    if (body_size < NPY_MAGIC_SIZE || memcmp(body, NPY_MAGIC, NPY_MAGIC_SIZE) != 0 ||
        body_size < NPY_MAGIC_SIZE + 2)
        return fail_magic(body, body_size, problem);
    if (body[6] < 1 || body[6] > 3 || body[7] != 0)
        return body_fail(problem, NPY_MAGIC_SIZE,
                         "versions 1.0, 2.0 and 3.0 of the npy format are read, this one is not");
    prefix = body[6] == 1 ? 10 : 12;
    if (body_size < prefix)
        return fail_magic(body, body_size, problem);
    for (size_t i = prefix; i-- > NPY_MAGIC_SIZE + 2;)
        length = length << 8 | (unsigned char)body[i];
    if (length > NPY_HEADER_BYTES_MAX)
        return body_fail(problem, NPY_MAGIC_SIZE + 2,
                         "the header has %zu bytes; at most %d are read", length,
                         NPY_HEADER_BYTES_MAX);
    if (length > body_size - prefix)
        return fail_magic(body, body_size, problem);
    cursor->size = prefix + length;
    cursor->at = prefix;
    return true;
}

bool read_npy_body(const char *body, size_t body_size, struct posenc_memory *memory,
                   struct posenc_array *array, struct body_problem *problem)
{
    struct npy_header header = {0};
    struct json_cursor cursor = {.text = body};
    size_t bytes;

    if (!read_prefix(body, body_size, &cursor, problem))
        return false;
    if (!read_dictionary(&cursor, &header))
        return body_fail(problem, cursor.fault_at, "%s", cursor.fault);

    const size_t start = cursor.size, left = body_size - start;

    if (!count_element_bytes(&header.array, &bytes))
        return body_fail(problem, start, "the shape has more elements than can be counted");
    if (bytes != left)
        return body_fail(problem, start + (bytes < left ? bytes : left),
                         "the shape and the dtype need %zu bytes, but %zu follow the header", bytes,
                         left);
    *array = header.array;
    return take_elements(
        &(struct element_source){body, start, header.is_big_endian, header.is_column_major}, memory,
        array, problem);
}
