/* Text up to a mark, then data, in turns. */
#include "marked_text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "json_data.h"
#include "number_text.h"
#include "printed.h"

/* Stands for a tensor's data in the text around; JSON text never holds this byte. */
#define MARK '\x01'

struct marked_text {
    struct json_data data; /* being printed while cell < cells */
    struct posenc_tensor tensors[POSENC_TENSORS_MAX];
    bool pretty;
    const char *text; /* with a mark for each tensor's data */
    size_t text_size;
    size_t text_at;     /* the next byte of it */
    size_t next_tensor; /* whose data the next mark stands for */
};

/* The text up to the next mark; behind a mark, data begins. */
static char *print_text(struct marked_text *text, char *at, size_t room)
{
    const char *const from = text->text + text->text_at;
    const size_t left = text->text_size - text->text_at;
    const size_t most = left < room ? left : room; /* so that no byte is searched twice */
    const char *const mark = memchr(from, MARK, most);
    const size_t count = mark ? (size_t)(mark - from) : most;

    memcpy(at, from, count);
    text->text_at += count;
    if (mark) {
        text->text_at++;
        json_data_begin(&text->data, &text->tensors[text->next_tensor++]);
    }
    return at + count;
}

static char *print_piece(void *state, char *at, size_t room)
{
    struct marked_text *const text = state;
    const char *const end = at + room;

    assert(room >= JSON_ELEMENT_MAX); /* or an element were more than a piece */
    if (text->data.cell == text->data.cells)
        at = print_text(text, at, room);
    while (text->data.cell < text->data.cells && (size_t)(end - at) >= JSON_ELEMENT_MAX)
        at = json_data_print(&text->data, text->pretty, at);
    return at;
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

enum posenc_status marked_text_open(struct marked_text *text, bool is_short,
                                    struct posenc_memory *memory, struct format_body *body,
                                    struct posenc_problem *problem)
{
    return printed_open(print_piece, text, is_short, memory, body, problem);
}
