/* What has no room in the caller's buffer waits in a spill. */
#include "printed.h"

#include <assert.h>
#include <string.h>

#include "json_text.h"
#include "whole_bytes.h"

struct printed {
    printed_piece *print;
    void *state;
    char spill[PRINTED_PIECE_MAX];
    size_t spill_size, spill_at;
    uint64_t offset; /* bytes read so far */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t read_spill(struct printed *printed, char *buffer, size_t size)
{
    const size_t count = smaller(size, printed->spill_size - printed->spill_at);

    memcpy(buffer, printed->spill + printed->spill_at, count);
    printed->spill_at += count;
    return count;
}

static ssize_t printed_read(void *state, uint64_t offset, char *buffer, size_t size)
{
    struct printed *const printed = state;
    size_t written = read_spill(printed, buffer, size);

    assert(offset == printed->offset);
    while (size - written >= PRINTED_PIECE_MAX) {
        char *const at = buffer + written;
        const size_t count = (size_t)(printed->print(printed->state, at, size - written) - at);

        if (count == 0)
            break;
        written += count;
    }
    while (written < size) {
        printed->spill_at = 0;
        printed->spill_size =
            (size_t)(printed->print(printed->state, printed->spill, sizeof printed->spill) -
                     printed->spill);
        if (printed->spill_size == 0)
            break;
        written += read_spill(printed, buffer + written, size - written);
    }
    printed->offset = offset + written;
    return (ssize_t)written;
}

/* Prints all pieces into the memory; false when it, or the writer, is out of it. */
static bool print_whole(struct printed *printed, struct posenc_memory *memory,
                        struct whole_bytes *whole)
{
    struct json_text text = {.watch = memory->watch}; /* bytes that grow */
    char buffer[4096];
    ssize_t count;

    while ((count = printed_read(printed, printed->offset, buffer, sizeof buffer)) > 0)
        json_text_raw(&text, buffer, (size_t)count);
    char *const bytes = text.failed ? NULL : posenc_allocate(memory, text.length, 1);

    if (bytes && text.length > 0)
        memcpy(bytes, text.bytes, text.length);
    *whole = (struct whole_bytes){bytes, text.length};
    json_text_release(&text);
    return bytes != NULL;
}

enum posenc_status printed_open(printed_piece *print, void *state, bool is_short,
                                struct posenc_memory *memory, struct format_body *body,
                                struct posenc_problem *problem)
{
    struct printed *const printed = posenc_allocate(memory, 1, sizeof *printed);
    struct whole_bytes *const whole = posenc_allocate(memory, 1, sizeof *whole);

    if (!printed || !whole)
        return format_no_memory(problem);
    *printed = (struct printed){.print = print, .state = state};
    body->length = UINT64_MAX;
    body->read = printed_read;
    body->state = printed;
    if (!is_short)
        return POSENC_OK;
    if (!print_whole(printed, memory, whole))
        return format_no_memory(problem);
    body->length = whole->size;
    body->read = whole_bytes_read;
    body->state = whole;
    return POSENC_OK;
}
