/*
 * The reply as a JSON document. What stands around the tensors' data is small and made at once; the
 * data is printed block by block as it is asked for, so that a reply of any size takes the memory
 * of one block. Short replies are printed at once, too, and then have a known length.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "format.h"
#include "json_data.h"
#include "json_text.h"
#include "warnings.h"
#include "whole_bytes.h"

#define JSON_WHOLE_ELEMENTS_MAX 4096 /* of all tensors; replies up to here are printed at once */

/* Stands for a tensor's data in the text around; JSON text never holds this byte. */
#define JSON_DATA_MARK '\x01'

struct json_body {
    bool pretty;
    size_t tensor_count;
    struct posenc_tensor tensors[POSENC_TENSORS_MAX];
    const char *text; /* the document, with a mark for each tensor's data */
    size_t text_size;
    size_t text_at;               /* the next byte of it */
    size_t next_tensor;           /* whose data the next mark stands for */
    struct json_data data;        /* being printed while cell < cells */
    char spill[JSON_ELEMENT_MAX]; /* an element that had no room in the caller's buffer */
    size_t spill_size, spill_at;
    uint64_t offset; /* bytes read so far */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Pulling. */

static size_t read_spill(struct json_body *body, char *buffer, size_t size)
{
    const size_t count = smaller(size, body->spill_size - body->spill_at);

    memcpy(buffer, body->spill + body->spill_at, count);
    body->spill_at += count;
    return count;
}

static size_t read_data(struct json_body *body, char *buffer, size_t size)
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
static size_t read_text(struct json_body *body, char *buffer, size_t size)
{
    const char *const from = body->text + body->text_at;
    const size_t left = body->text_size - body->text_at;
    const char *const mark = memchr(from, JSON_DATA_MARK, left);
    const size_t count = smaller(size, mark ? (size_t)(mark - from) : left);

    memcpy(buffer, from, count);
    body->text_at += count;
    if (mark && from + count == mark) {
        body->text_at++;
        json_data_begin(&body->data, &body->tensors[body->next_tensor++]);
    }
    return count;
}

static ssize_t json_read(void *state, uint64_t offset, char *buffer, size_t size)
{
    struct json_body *const body = state;
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

/* The text around the data. */

static void text_members(struct json_text *text, const char *name,
                         const struct posenc_members *members)
{
    const struct posenc_value object = posenc_object(members->items, members->count);

    json_text_member_value(text, name, &object);
}

static void text_warnings(struct json_text *text, const struct posenc_result *result)
{
    json_text_key(text, "warnings");
    json_text_warnings(text, result);
    if (result->warning_count > POSENC_WARNINGS_MAX)
        json_text_member_integer(text, "warning_count", (int64_t)result->warning_count);
}

static void text_tensor(struct json_text *text, const struct posenc_tensor *tensor)
{
    const char mark = JSON_DATA_MARK;

    json_text_key(text, tensor->name);
    json_text_begin_object(text);
    json_text_member_string(text, "dtype", posenc_dtype_name(tensor->dtype));
    json_text_key(text, "shape");
    json_text_begin_array(text);
    for (size_t axis = 0; axis < tensor->rank; axis++)
        json_text_integer(text, (int64_t)tensor->shape[axis]);
    json_text_end_array(text);
    json_text_key(text, "data");
    json_text_raw(text, &mark, 1);
    json_text_end_object(text);
}

static void text_document(struct json_text *text, const struct posenc_result *result)
{
    json_text_begin_object(text);
    if (result->encoding)
        json_text_member_string(text, "encoding", result->encoding->name);
    if (result->operation && strcmp(result->operation->name, "table") != 0)
        json_text_member_string(text, "operation", result->operation->name);
    text_members(text, "parameters", &result->parameters);
    if (result->inputs.count > 0)
        text_members(text, "inputs", &result->inputs);
    text_members(text, "derived", &result->derived);
    if (result->warning_count > 0)
        text_warnings(text, result);
    json_text_member_integer(text, "numeric_version", POSENC_NUMERIC_VERSION);
    json_text_key(text, "tensors");
    json_text_begin_object(text);
    for (size_t i = 0; i < result->tensor_count; i++)
        text_tensor(text, &result->tensors[i]);
    json_text_end_object(text);
    json_text_end_object(text);
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

static bool make_text(struct json_body *body, const struct posenc_result *result,
                      struct posenc_memory *memory)
{
    struct json_text compact = {.watch = memory->watch}, text = {.watch = memory->watch};

    text_document(&compact, result);
    if (body->pretty && !compact.failed)
        json_text_raw_indented(&text, compact.bytes, compact.length, 0);
    else
        json_text_raw(&text, compact.bytes, compact.length);
    text.failed = text.failed || compact.failed;
    json_text_release(&compact);
    json_text_raw(&text, "\n", 1);
    body->text = keep_text(&text, memory, &body->text_size);
    return body->text != NULL;
}

/* Opening. */

static enum posenc_status json_refuse(struct posenc_problem *problem, enum posenc_status status,
                                      const char *detail)
{
    memset(problem, 0, sizeof *problem);
    problem->status = status;
    (void)snprintf(problem->detail, sizeof problem->detail, "%s", detail);
    return status;
}

/* Prints all of a short body. */
static bool print_whole(struct json_body *state, struct posenc_memory *memory,
                        struct format_body *body)
{
    struct whole_bytes *const whole = posenc_allocate(memory, 1, sizeof *whole);
    struct json_text text = {.watch = memory->watch};
    char buffer[4096];
    ssize_t count;

    while ((count = json_read(state, state->offset, buffer, sizeof buffer)) > 0)
        json_text_raw(&text, buffer, (size_t)count);
    if (!whole) {
        json_text_release(&text);
        return false;
    }
    whole->bytes = keep_text(&text, memory, &whole->size);
    body->length = whole->size;
    body->read = whole_bytes_read;
    body->state = whole;
    return whole->bytes != NULL;
}

static enum posenc_status json_open(const struct format_input *input, struct posenc_memory *memory,
                                    struct format_body *body, struct posenc_problem *problem)
{
    const struct posenc_result *const result = input->result;
    struct json_body *const state = posenc_allocate(memory, 1, sizeof *state);
    bool is_short = true;
    size_t total = 0;

    for (size_t i = 0; i < result->tensor_count; i++) {
        size_t cells;

        if (!json_data_count(&result->tensors[i], &cells))
            return json_refuse(problem, POSENC_TOO_LARGE,
                               "the tensor has more empty rows than can "
                               "be written; ask for fewer");
        is_short = is_short && cells <= JSON_WHOLE_ELEMENTS_MAX - total;
        total += is_short ? cells : 0;
    }
    if (!state)
        return json_refuse(problem, POSENC_NO_MEMORY, "out of memory; try again later");
    memset(state, 0, sizeof *state);
    state->pretty = input->pretty;
    state->tensor_count = result->tensor_count;
    memcpy(state->tensors, result->tensors, sizeof state->tensors);
    if (!make_text(state, result, memory) || (is_short && !print_whole(state, memory, body)))
        return json_refuse(problem, POSENC_NO_MEMORY, "out of memory; try again later");
    if (!is_short)
        *body = (struct format_body){.length = UINT64_MAX, .read = json_read, .state = state};
    return POSENC_OK;
}

const struct format format_json = {
    .name = "json",
    .media_type = "application/json",
    .extension = "json",
    .summary = "all tensors as nested lists, with the parameters as they were understood",
    .carries_one_tensor = false,
    .open_elements_max = JSON_WHOLE_ELEMENTS_MAX,
    .byte_ps = 3000,
    .open = json_open,
};
