/* The bytes behind the header: each of them must belong to one tensor. */
#include "safetensors_reader.h"

#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "safetensors_header.h"

#define PREFIX ((size_t)8) /* bytes of the header's length */

static bool check_entry(const struct safetensors_entry *entry, size_t data_size,
                        struct body_problem *problem)
{
    size_t bytes;

    if (entry->begin > entry->end || entry->end > data_size)
        return body_fail(problem, entry->offsets_at,
                         "these offsets do not lie in order within the %zu bytes behind the header",
                         data_size);
    if (!count_element_bytes(&entry->array, &bytes))
        return body_fail(problem, entry->offsets_at,
                         "the shape has more elements than can be counted");
    if (bytes != entry->end - entry->begin)
        return body_fail(problem, entry->offsets_at,
                         "the shape and the dtype need %zu bytes, but these offsets span %zu",
                         bytes, (size_t)(entry->end - entry->begin));
    return true;
}

static int compare_entries(const void *a, const void *b)
{
    const struct safetensors_entry *const left = a, *const right = b;

    if (left->begin != right->begin)
        return left->begin < right->begin ? -1 : 1;
    return left->end < right->end ? -1 : left->end > right->end;
}

/* Checks what each entry says, and that all together cover the bytes once. Sorts them. */
static bool check_entries(struct safetensors_header *header, size_t data_size,
                          struct body_problem *problem)
{
    uint64_t covered = 0;

    for (size_t i = 0; i < header->count; i++)
        if (!check_entry(&header->entries[i], data_size, problem))
            return false;
    if (header->count > 0)
        qsort(header->entries, header->count, sizeof *header->entries, compare_entries);
    for (size_t i = 0; i < header->count; i++) {
        const struct safetensors_entry *const entry = &header->entries[i];

        if (entry->begin != covered)
            return body_fail(problem, entry->offsets_at,
                             entry->begin < covered ? "these bytes belong to another tensor, too"
                                                    : "the bytes before these belong to no tensor");
        covered = entry->end;
    }
    return covered == data_size || body_fail(problem, header->cursor.size + (size_t)covered,
                                             "the bytes from here on belong to no tensor");
}

/* Reads the header's length and makes room for its entries. */
static bool begin_header(struct safetensors_header *header, const char *body, size_t body_size,
                         struct posenc_memory *memory, struct body_problem *problem)
{
    uint64_t size = 0;

    if (body_size < PREFIX)
        return body_fail(problem, body_size,
                         "the file ends within the first 8 bytes, which hold the length of a "
                         "safetensors header; the rest of it is missing");
    for (size_t i = PREFIX; i-- > 0;)
        size = size << 8 | (unsigned char)body[i];
    if (size > SAFETENSORS_HEADER_BYTES_MAX)
        return body_fail(problem, 0,
                         "the header has %llu bytes, as the first 8 of the file say; at most %d "
                         "are read",
                         (unsigned long long)size, SAFETENSORS_HEADER_BYTES_MAX);
    if (size > body_size - PREFIX)
        return body_fail(problem, body_size,
                         "the file ends within the header, which has %llu bytes; the rest of it is "
                         "missing",
                         (unsigned long long)size);
    header->cursor =
        (struct json_cursor){.text = body, .size = PREFIX + (size_t)size, .at = PREFIX};
    header->entries =
        posenc_allocate(memory, safetensors_entries_max((size_t)size), sizeof *header->entries);
    return header->entries || body_fail_memory(problem);
}

/* Makes a member of an entry. */
static bool make_member(const struct safetensors_header *header,
                        const struct safetensors_entry *entry, struct posenc_memory *memory,
                        struct posenc_member *member, struct body_problem *problem)
{
    const struct element_source source = {.body = header->cursor.text,
                                          .offset = header->cursor.size + (size_t)entry->begin};
    struct posenc_array array = entry->array;
    char *const name = posenc_allocate(memory, entry->name.size + 1, 1);

    if (!name)
        return body_fail_memory(problem);
    memcpy(name, entry->name.bytes, entry->name.size);
    name[entry->name.size] = '\0';
    if (!take_elements(&source, memory, &array, problem))
        return false;
    *member = (struct posenc_member){name, posenc_nested(&array)};
    return true;
}

bool read_safetensors_body(const char *body, size_t body_size, struct posenc_memory *memory,
                           struct posenc_value *object, struct body_problem *problem)
{
    struct safetensors_header header = {0};
    struct posenc_member *members;

    if (!begin_header(&header, body, body_size, memory, problem))
        return false;
    if (!read_safetensors_header(&header))
        return body_fail(problem, header.cursor.fault_at, "%s", header.cursor.fault);
    if (!check_entries(&header, body_size - header.cursor.size, problem))
        return false;
    members = posenc_allocate(memory, header.count, sizeof *members);
    if (!members)
        return body_fail_memory(problem);
    for (size_t i = 0; i < header.count; i++)
        if (!make_member(&header, &header.entries[i], memory, &members[i], problem))
            return false;
    *object = posenc_object(members, header.count);
    return true;
}
