/* Every reader leaves the cursor behind what it reads, or notes the fault. */
#include "safetensors_header.h"

#include <string.h>

#include "body_problem.h"

#define ENTRY_SIZE_MIN ((size_t)40) /* bytes of header that a tensor takes, at least */

/* Tokens. */

static bool text_is(const struct safetensors_text *span, const char *text)
{
    return span->size == strlen(text) && memcmp(span->bytes, text, span->size) == 0;
}

static bool read_text(struct json_cursor *cursor, struct safetensors_text *text)
{
    const size_t start = cursor->at;

    *text = (struct safetensors_text){cursor->text + start, 0};
    if (json_peek(cursor) != '"')
        return json_fail(cursor, start, "a text in double quotes is due here");
    if (!json_skip_string(cursor))
        return false;
    *text = (struct safetensors_text){cursor->text + start + 1, cursor->at - start - 2};
    return true;
}

/* Goes past one byte that must stand here, and the spaces around it. */
static bool skip_byte(struct json_cursor *cursor, char byte, const char *fault)
{
    json_skip_space(cursor);
    if (json_peek(cursor) != byte)
        return json_fail(cursor, cursor->at, fault);
    cursor->at++;
    json_skip_space(cursor);
    return true;
}

/* Whether another item follows in an object or array that ends with `end`, whose byte is then
 * behind the cursor; `is_first` before the first one. False in *more at its end. */
static bool next_item(struct json_cursor *cursor, char end, bool is_first, bool *more)
{
    json_skip_space(cursor);
    *more = json_peek(cursor) != end;
    if (!*more) {
        cursor->at++;
        return true;
    }
    return is_first || skip_byte(cursor, ',', "a comma or a closing bracket is due here");
}

static bool read_unsigned(struct json_cursor *cursor, uint64_t *number)
{
    const size_t start = cursor->at;

    *number = 0;
    for (int byte; (byte = json_peek(cursor)) >= '0' && byte <= '9'; cursor->at++) {
        if (__builtin_mul_overflow(*number, (uint64_t)10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(byte - '0'), number))
            return json_fail(cursor, start, "this number does not fit 64 bits");
    }
    if (cursor->at == start || (cursor->at > start + 1 && cursor->text[start] == '0'))
        return json_fail(cursor, start, "an integer in decimal digits is due here");
    return true;
}

/* One tensor. */

static bool read_dtype(struct json_cursor *cursor, struct safetensors_entry *entry)
{
    static const struct {
        const char *name;
        enum posenc_dtype dtype;
    } rows[] = {{"F64", POSENC_FLOAT64},   {"F32", POSENC_FLOAT32}, {"F16", POSENC_FLOAT16},
                {"BF16", POSENC_BFLOAT16}, {"I64", POSENC_INT64},   {"I32", POSENC_INT32}};
    const size_t start = cursor->at;
    struct safetensors_text name;

    if (!read_text(cursor, &name))
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (text_is(&name, rows[i].name)) {
            entry->array.dtype = rows[i].dtype;
            return true;
        }
    }
    return json_fail(cursor, start, "this dtype is not read; send F64, F32, F16, BF16, I64 or I32");
}

static bool read_shape(struct json_cursor *cursor, struct safetensors_entry *entry)
{
    struct posenc_array *const array = &entry->array;
    bool more;

    if (!skip_byte(cursor, '[', "a shape is a list of lengths") ||
        !next_item(cursor, ']', true, &more))
        return false;
    while (more) {
        uint64_t length;

        if (array->rank == POSENC_RANK_MAX)
            return json_fail(cursor, cursor->at, "tensors have at most 8 axes; this one has more");
        if (!read_unsigned(cursor, &length))
            return false;
        array->shape[array->rank++] = length;
        if (!next_item(cursor, ']', false, &more))
            return false;
    }
    return true;
}

static bool read_offsets(struct json_cursor *cursor, struct safetensors_entry *entry)
{
    static const char fault[] = "offsets are a list of two integers: begin and end";

    entry->offsets_at = cursor->at;
    return skip_byte(cursor, '[', fault) && read_unsigned(cursor, &entry->begin) &&
           skip_byte(cursor, ',', fault) && read_unsigned(cursor, &entry->end) &&
           skip_byte(cursor, ']', fault);
}

struct entry_member {
    const char *name;
    bool (*read)(struct json_cursor *cursor, struct safetensors_entry *entry);
};

static const struct entry_member entry_members[] = {
    {"dtype", read_dtype}, {"shape", read_shape}, {"data_offsets", read_offsets}};

#define ENTRY_MEMBERS (sizeof entry_members / sizeof *entry_members)

static bool read_entry_member(struct json_cursor *cursor, unsigned *seen,
                              struct safetensors_entry *entry)
{
    const size_t start = cursor->at;
    struct safetensors_text name;

    if (!read_text(cursor, &name) || !skip_byte(cursor, ':', "a colon is due after the name"))
        return false;
    for (unsigned i = 0; i < ENTRY_MEMBERS; i++) {
        if (!text_is(&name, entry_members[i].name))
            continue;
        if (*seen & 1U << i)
            return json_fail(cursor, start, "this member stands twice in one tensor");
        *seen |= 1U << i;
        return entry_members[i].read(cursor, entry);
    }
    return json_fail(cursor, start,
                     "a tensor has the members dtype, shape and data_offsets, and no others");
}

static bool read_entry(struct json_cursor *cursor, struct safetensors_entry *entry)
{
    const size_t start = cursor->at;
    unsigned seen = 0;
    bool more;

    if (!skip_byte(cursor, '{', "a tensor is an object of dtype, shape and data_offsets") ||
        !next_item(cursor, '}', true, &more))
        return false;
    while (more) {
        if (!read_entry_member(cursor, &seen, entry) || !next_item(cursor, '}', false, &more))
            return false;
    }
    return seen == (1U << ENTRY_MEMBERS) - 1 ||
           json_fail(cursor, start, "this tensor lacks one of dtype, shape and data_offsets");
}

/* The metadata: texts by name, which say nothing that is needed here. */

static bool has_text(const struct safetensors_text *texts, size_t count,
                     const struct safetensors_text *name)
{
    for (size_t i = 0; i < count; i++)
        if (texts[i].size == name->size && memcmp(texts[i].bytes, name->bytes, name->size) == 0)
            return true;
    return false;
}

static bool read_metadata(struct json_cursor *cursor)
{
    struct safetensors_text names[SAFETENSORS_METADATA_MAX], value;
    const size_t start = cursor->at;
    size_t count = 0;
    bool more;

    if (!skip_byte(cursor, '{', "__metadata__ is an object of texts") ||
        !next_item(cursor, '}', true, &more))
        return false;
    while (more) {
        const size_t name_at = cursor->at;

        if (count == SAFETENSORS_METADATA_MAX)
            return json_fail(cursor, name_at, "__metadata__ has more than 256 texts");
        if (!read_text(cursor, &names[count]))
            return false;
        if (has_text(names, count, &names[count]))
            return json_fail(cursor, name_at, "this name stands twice in __metadata__");
        count++;
        if (!skip_byte(cursor, ':', "a colon is due after the name") ||
            !read_text(cursor, &value) || !next_item(cursor, '}', false, &more))
            return false;
    }
    return cursor->at - start <= SAFETENSORS_METADATA_BYTES_MAX ||
           json_fail(cursor, start, "__metadata__ has more than 65536 bytes");
}

/* The header. */

size_t safetensors_entries_max(size_t header_size)
{
    const size_t most = header_size / ENTRY_SIZE_MIN + 1;

    return most < SAFETENSORS_TENSORS_MAX ? most : SAFETENSORS_TENSORS_MAX;
}

static bool check_name(struct safetensors_header *header, const struct safetensors_text *name,
                       size_t at)
{
    struct json_cursor *const cursor = &header->cursor;

    if (name->size == 0)
        return json_fail(cursor, at, "a tensor needs a name");
    if (name->size > BODY_NAME_MAX)
        return json_fail(cursor, at, "names have at most 1000 bytes");
    if (memchr(name->bytes, '\\', name->size))
        return json_fail(cursor, at, "names of tensors are written without escapes");
    for (size_t i = 0; i < header->count; i++)
        if (has_text(&header->entries[i].name, 1, name))
            return json_fail(cursor, at, "two tensors have this name");
    return true;
}

static bool read_header_member(struct safetensors_header *header)
{
    struct json_cursor *const cursor = &header->cursor;
    struct safetensors_entry entry = {0};
    const size_t start = cursor->at;

    if (!read_text(cursor, &entry.name) || !skip_byte(cursor, ':', "a colon is due after the name"))
        return false;
    if (text_is(&entry.name, "__metadata__")) {
        if (header->has_metadata)
            return json_fail(cursor, start, "__metadata__ stands twice");
        header->has_metadata = true;
        return read_metadata(cursor);
    }
    if (!check_name(header, &entry.name, start))
        return false;
    if (header->count == SAFETENSORS_TENSORS_MAX)
        return json_fail(cursor, start, "at most 1024 tensors are read; this is one more");
    if (!read_entry(cursor, &entry))
        return false;
    header->entries[header->count++] = entry; /* has room: an entry is not shorter than assumed */
    return true;
}

bool read_safetensors_header(struct safetensors_header *header)
{
    struct json_cursor *const cursor = &header->cursor;
    bool more;

    if (json_peek(cursor) != '{')
        return json_fail(cursor, cursor->at, "the header is a JSON object, which starts with '{'");
    cursor->at++;
    if (!next_item(cursor, '}', true, &more))
        return false;
    while (more) {
        if (!read_header_member(header) || !next_item(cursor, '}', false, &more))
            return false;
    }
    while (json_peek(cursor) == ' ')
        cursor->at++;
    return cursor->at == cursor->size ||
           json_fail(cursor, cursor->at, "only spaces may follow the header's object");
}
