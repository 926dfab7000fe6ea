/* Text up to a mark, then data, in turns. */
#include "marked_text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "json_data.h"
#include "number_text.h"

/* Stands for a tensor's data in the text around; JSON text never holds this byte. */
#define MARK '\x01'

struct marked_text {
    struct json_data data; /* being printed while cell < cells */
    struct posenc_tensor tensors[POSENC_TENSORS_MAX];
    bool pretty;
    const char *text; /* with a mark for each tensor's data */
    size_t text_size;
    size_t text_at;               /* the next byte of it */
    size_t next_tensor;           /* whose data the next mark stands for */
    char spill[JSON_ELEMENT_MAX]; /* an element that had no room in the caller's buffer */
    size_t spill_size, spill_at;
    uint64_t offset; /* bytes read so far */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Pulling. */

static size_t read_spill(struct marked_text *body, char *buffer, size_t size)
{
    const size_t count = smaller(size, body->spill_size - body->spill_at);

    memcpy(buffer, body->spill + body->spill_at, count);
    body->spill_at += count;
    return count;
}

static size_t read_data(struct marked_text *body, char *buffer, size_t size)
{
    struct json_data *const data = &body->data;
    char *at = buffer;

    while (data->cell < data->cells && size - (size_t)(at - buffer) >= JSON_ELEMENT_MAX)
        at = json_data_print(data, body->pretty, at);
    if (data->cell < data->cells) {
        body->spill_at = 0;
        body->spill_size = (size_t)(json_data_print(data, body->pretty, body->spill) - body->spill);
    }
    return (size_t)(at - buffer);
}

/* The text up to the next mark; behind a mark, data begins. */
static size_t read_text(struct marked_text *body, char *buffer, size_t size)
{
    const char *const from = body->text + body->text_at;
    const size_t left = body->text_size - body->text_at;
    const char *const mark = memchr(from, MARK, left);
    const size_t count = smaller(size, mark ? (size_t)(mark - from) : left);

    memcpy(buffer, from, count);
    body->text_at += count;
    if (mark && from + count == mark) {
        body->text_at++;
        json_data_begin(&body->data, &body->tensors[body->next_tensor++]);
    }
    return count;
}

ssize_t marked_text_read(void *state, uint64_t offset, char *buffer, size_t size)
{
    struct marked_text *const body = state;
    size_t written = 0;

    assert(offset == body->offset);
    while (written < size) {
        if (body->spill_at < body->spill_size)
            written += read_spill(body, buffer + written, size - written);
        else if (body->data.cell < body->data.cells)
            written += read_data(body, buffer + written, size - written);
        else if (body->text_at < body->text_size)
            written += read_text(body, buffer + written, size - written);
        else
            break;
    }
    body->offset = offset + written;
    return (ssize_t)written;
}

/* Making. */

void marked_text_data(struct json_text *text)
{
    const char mark = MARK;

    json_text_raw(text, &mark, 1);
}

enum posenc_status marked_text_count(const struct posenc_tensor *tensors, size_t count,
                                     struct marked_count *counted, struct posenc_problem *problem)
{
    *counted = (struct marked_count){0};
    for (size_t i = 0; i < count; i++) {
        size_t cells;

        if (!json_data_count(&tensors[i], &cells)) {
            memset(problem, 0, sizeof *problem);
            problem->status = POSENC_TOO_LARGE;
            (void)snprintf(problem->detail, sizeof problem->detail,
                           "the tensor has more empty rows than can be written; ask for fewer");
            return problem->status;
        }
        if (__builtin_add_overflow(counted->cells, cells, &counted->cells))
            counted->cells = SIZE_MAX;
    }
    counted->is_short = counted->cells <= MARKED_TEXT_WHOLE_MAX;
    return POSENC_OK;
}

/* Moves what was written into the memory; NULL when that, or the writer, is out of it. */
static char *keep_text(struct json_text *text, struct posenc_memory *memory, size_t *size)
{
    char *const bytes = text->failed ? NULL : posenc_allocate(memory, text->length, 1);

    if (bytes && text->bytes)
        memcpy(bytes, text->bytes, text->length);
    *size = text->length;
    json_text_release(text);
    return bytes;
}

struct marked_text *marked_text_new(struct json_text *text, const struct posenc_tensor *tensors,
                                    size_t count, bool pretty, struct posenc_memory *memory)
{
    struct marked_text *const made = posenc_allocate(memory, 1, sizeof *made);

    if (!made) {
        json_text_release(text);
        return NULL;
    }
    memset(made, 0, sizeof *made);
    made->pretty = pretty;
    if (count > 0)
        memcpy(made->tensors, tensors, count * sizeof *tensors);
    made->text = keep_text(text, memory, &made->text_size);
    return made->text ? made : NULL;
}

uint64_t marked_text_bound(const struct marked_text *text, const struct marked_count *counted)
{
    uint64_t bytes;

    /* A comma, and a pair of brackets, stand for the mark and for each element at most. */
    if (__builtin_mul_overflow((uint64_t)counted->cells, (uint64_t)NUMBER_TEXT_MAX + 2, &bytes) ||
        __builtin_add_overflow(bytes, (uint64_t)text->text_size, &bytes))
        return UINT64_MAX;
    return bytes;
}

const char *marked_text_print(struct marked_text *text, struct posenc_memory *memory, size_t *size)
{
    struct json_text printed = {.watch = memory->watch};
    char buffer[4096];
    ssize_t count;

    while ((count = marked_text_read(text, text->offset, buffer, sizeof buffer)) > 0)
        json_text_raw(&printed, buffer, (size_t)count);
    return keep_text(&printed, memory, size);
}
