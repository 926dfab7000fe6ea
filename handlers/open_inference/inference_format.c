/*
 * The bytes of outputs follow the JSON, whose length must be told beforehand. It is known unless
 * the JSON holds data of many elements, too: it is then told as long as it can be at most, and
 * spaces fill what is left, so that nothing has to be computed twice or kept.
 */
#include "inference_format.h"

#include <stdio.h>
#include <string.h>

#include "inference_body.h"
#include "inference_datatype.h"
#include "inference_echo.h"
#include "inference_model.h"
#include "marked_text.h"
#include "slice.h"

#define ALIGNMENT    ((size_t)8) /* of the first tensor's bytes, for readers that do not copy */
#define LENGTH_TEXT  24          /* bytes of a length in digits, with its end */
#define JSON_BYTE_PS 3000        /* what a byte of JSON takes */

/* The outputs' tensors by where their data goes. */
struct parts {
    size_t text_count;
    struct posenc_tensor text_tensors[POSENC_TENSORS_MAX]; /* with one axis */
    struct slice_file file;
};

/* JSON and bytes, each by its own reader. */
struct mixed {
    struct format_body text;
    uint64_t text_size; /* as it was told */
    bool text_is_over;  /* only spaces are left of it */
    struct format_body bytes;
};

static void sort_outputs(const struct inference_outputs *outputs, struct parts *parts)
{
    *parts = (struct parts){.file = {.header = ""}};
    for (size_t i = 0; i < outputs->result.tensor_count; i++) {
        struct posenc_tensor tensor = outputs->result.tensors[i];

        if (outputs->is_binary[i]) {
            parts->file.tensors[parts->file.tensor_count++] = tensor;
            continue;
        }
        tensor.rank = 1;
        tensor.shape[0] = tensor.count;
        parts->text_tensors[parts->text_count++] = tensor;
    }
}

/* The document. */

static void write_output(struct json_text *text, const struct posenc_tensor *tensor, bool is_binary)
{
    json_text_begin_object(text);
    json_text_member_string(text, "name", tensor->name);
    json_text_member_string(text, "datatype", inference_datatype_name(tensor->dtype));
    json_text_key(text, "shape");
    json_text_begin_array(text);
    for (size_t axis = 0; axis < tensor->rank; axis++)
        json_text_integer(text, (int64_t)tensor->shape[axis]);
    json_text_end_array(text);
    if (is_binary) {
        json_text_key(text, "parameters");
        json_text_begin_object(text);
        json_text_member_integer(text, "binary_data_size", (int64_t)posenc_tensor_bytes(tensor));
        json_text_end_object(text);
    } else {
        json_text_key(text, "data");
        marked_text_data(text);
    }
    json_text_end_object(text);
}

static void write_document(struct json_text *text, const struct inference_answer *answer)
{
    const struct posenc_result *const result = &answer->outputs->result;

    json_text_begin_object(text);
    json_text_member_string(text, "model_name", answer->model_name);
    json_text_member_string(text, "model_version", inference_model_version());
    if (answer->id)
        json_text_member_string(text, "id", answer->id);
    write_inference_echo(text, result);
    json_text_key(text, "outputs");
    json_text_begin_array(text);
    for (size_t i = 0; i < result->tensor_count; i++)
        write_output(text, &result->tensors[i], answer->outputs->is_binary[i]);
    json_text_end_array(text);
    json_text_end_object(text);
}

static struct marked_text *make_text(const struct inference_answer *answer,
                                     const struct parts *parts, struct posenc_memory *memory)
{
    struct json_text text = {.watch = memory->watch};

    write_document(&text, answer);
    if (parts->file.tensor_count == 0)
        json_text_raw(&text, "\n", 1);
    return marked_text_new(&text, parts->text_tensors, parts->text_count, false, memory);
}

/* JSON and bytes. */

static uint64_t align(uint64_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Headers that say how to read it; false when memory is out. */
static bool tell_length(uint64_t size, struct posenc_memory *memory, struct format_body *body)
{
    char *const length = posenc_allocate(memory, LENGTH_TEXT, 1);

    if (!length)
        return false;
    (void)snprintf(length, LENGTH_TEXT, "%llu", (unsigned long long)size);
    body->headers[0] = (struct header){INFERENCE_LENGTH_HEADER, length};
    body->header_count = 1;
    return true;
}

/* The JSON, which is short, as the header of a file of tensors. */
static enum posenc_status print_header(struct marked_text *text, struct posenc_memory *memory,
                                       struct slice_file *file, struct posenc_problem *problem)
{
    struct format_body whole = {0};
    char *header;

    if (marked_text_open(text, true, memory, &whole, problem) != POSENC_OK)
        return problem->status;
    file->header_size = (size_t)align(whole.length);
    file->header = header = posenc_allocate(memory, file->header_size, 1);
    if (!header)
        return format_no_memory(problem);
    memset(header, ' ', file->header_size);
    (void)whole.read(whole.state, 0, header, file->header_size); /* all of it */
    return POSENC_OK;
}

static enum posenc_status open_file(struct marked_text *text, const struct parts *parts,
                                    struct posenc_memory *memory, struct format_body *body,
                                    struct posenc_problem *problem)
{
    struct slice_file *const file = posenc_allocate(memory, 1, sizeof *file);

    if (!file)
        return format_no_memory(problem);
    *file = parts->file;
    if (print_header(text, memory, file, problem) != POSENC_OK)
        return problem->status;
    if (!tell_length(file->header_size, memory, body))
        return format_no_memory(problem);
    return slice_file_open(file, body, problem);
}

static size_t read_mixed_text(struct mixed *mixed, uint64_t offset, char *buffer, size_t size)
{
    const uint64_t left = mixed->text_size - offset;
    const size_t part = size < left ? size : (size_t)left;
    size_t written = 0;

    if (!mixed->text_is_over)
        written = (size_t)mixed->text.read(mixed->text.state, offset, buffer, part);
    mixed->text_is_over = written < part;
    memset(buffer + written, ' ', part - written);
    return part;
}

static ssize_t mixed_read(void *state, uint64_t offset, char *buffer, size_t size)
{
    struct mixed *const mixed = state;
    size_t written = 0;

    if (offset < mixed->text_size)
        written = read_mixed_text(mixed, offset, buffer, size);
    if (written < size) {
        const ssize_t bytes =
            mixed->bytes.read(mixed->bytes.state, offset + written - mixed->text_size,
                              buffer + written, size - written);

        written += bytes > 0 ? (size_t)bytes : 0;
    }
    return (ssize_t)written;
}

static enum posenc_status refuse_length(struct posenc_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    problem->status = POSENC_TOO_LARGE;
    (void)snprintf(problem->detail, sizeof problem->detail,
                   "the answer would have more bytes than can be counted; ask for less");
    return problem->status;
}

static enum posenc_status open_mixed(struct marked_text *text, const struct marked_count *counted,
                                     const struct parts *parts, struct posenc_memory *memory,
                                     struct format_body *body, struct posenc_problem *problem)
{
    struct mixed *const mixed = posenc_allocate(memory, 1, sizeof *mixed);
    struct slice_file *const file = posenc_allocate(memory, 1, sizeof *file);
    const uint64_t bound = marked_text_bound(text, counted);

    if (!mixed || !file)
        return format_no_memory(problem);
    *file = parts->file;
    *mixed = (struct mixed){.text_size = align(bound)};
    if (marked_text_open(text, false, memory, &mixed->text, problem) != POSENC_OK ||
        slice_file_open(file, &mixed->bytes, problem) != POSENC_OK)
        return problem->status;
    if (bound > INT64_MAX / 2 || mixed->bytes.length > INT64_MAX / 2)
        return refuse_length(problem);
    body->length = mixed->text_size + mixed->bytes.length;
    body->read = mixed_read;
    body->state = mixed;
    return tell_length(mixed->text_size, memory, body) ? POSENC_OK : format_no_memory(problem);
}

static enum posenc_status inference_open(const struct format_input *input,
                                         struct posenc_memory *memory, struct format_body *body,
                                         struct posenc_problem *problem)
{
    const struct inference_answer *const answer = input->more;
    struct marked_count counted;
    struct marked_text *text;
    struct parts parts;

    sort_outputs(answer->outputs, &parts);
    if (marked_text_count(parts.text_tensors, parts.text_count, &counted, problem) != POSENC_OK)
        return problem->status;
    text = make_text(answer, &parts, memory);
    if (!text)
        return format_no_memory(problem);
    if (parts.file.tensor_count == 0)
        return marked_text_open(text, counted.is_short, memory, body, problem);
    return counted.is_short ? open_file(text, &parts, memory, body, problem)
                            : open_mixed(text, &counted, &parts, memory, body, problem);
}

const struct format inference_format_json = {
    .name = "inference",
    .media_type = "application/json",
    .summary = "all outputs in JSON",
    .open_elements_max = MARKED_TEXT_WHOLE_MAX,
    .byte_ps = JSON_BYTE_PS,
    .open = inference_open,
};

const struct format inference_format_mixed = {
    .name = "inference",
    .media_type = "application/octet-stream",
    .summary = "some outputs in JSON, some as bytes behind it",
    .open_elements_max = MARKED_TEXT_WHOLE_MAX,
    .byte_ps = JSON_BYTE_PS,
    .open = inference_open,
};

const struct format inference_format_bytes = {
    .name = "inference",
    .media_type = "application/octet-stream",
    .summary = "all outputs as bytes behind the JSON that describes them",
    .is_binary = true,
    .open = inference_open,
};
