/*
 * The safetensors format: the length of a JSON header, the header, then the elements of all tensors
 * without a hole, those of the widest dtype first, so that each is aligned. What the tensors are,
 * the echo, stands in __metadata__, which maps texts to texts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "json_text.h"
#include "slice.h"
#include "warnings.h"

#define SAFETENSORS_PREFIX    ((size_t)8) /* the header's length */
#define SAFETENSORS_ALIGNMENT ((size_t)8)

static const char *safetensors_dtype(enum posenc_dtype dtype)
{
    switch (dtype) {
    case POSENC_FLOAT64:
        return "F64";
    case POSENC_FLOAT32:
        return "F32";
    case POSENC_FLOAT16:
        return "F16";
    case POSENC_BFLOAT16:
        return "BF16";
    case POSENC_INT64:
        return "I64";
    case POSENC_INT32:
        return "I32";
    case POSENC_DTYPE_COUNT:
        break;
    }
    return NULL;
}

static int safetensors_compare(const void *a, const void *b)
{
    const struct posenc_tensor *const left = a, *const right = b;
    const size_t left_size = posenc_dtype_size(left->dtype),
                 right_size = posenc_dtype_size(right->dtype);

    if (left_size != right_size)
        return left_size > right_size ? -1 : 1;
    return strcmp(left->name, right->name);
}

static void text_members(struct json_text *text, const char *name,
                         const struct posenc_members *members)
{
    const struct posenc_value object = posenc_object(members->items, members->count);
    struct json_text nested = {.watch = text->watch};

    json_text_value(&nested, &object);
    json_text_member_nested(text, name, &nested);
}

static void text_warnings(struct json_text *text, const struct posenc_result *result)
{
    struct json_text nested = {0};

    json_text_warnings(&nested, result);
    json_text_member_nested(text, "warnings", &nested);
}

static void text_metadata(struct json_text *text, const struct posenc_result *result)
{
    char version[16];

    (void)snprintf(version, sizeof version, "%d", POSENC_NUMERIC_VERSION);
    json_text_key(text, "__metadata__");
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
    json_text_member_string(text, "numeric_version", version);
    json_text_end_object(text);
}

static void text_tensor(struct json_text *text, const struct posenc_tensor *tensor, uint64_t begin)
{
    const uint64_t end = begin + posenc_tensor_bytes(tensor);

    json_text_key(text, tensor->name);
    json_text_begin_object(text);
    json_text_member_string(text, "dtype", safetensors_dtype(tensor->dtype));
    json_text_key(text, "shape");
    json_text_begin_array(text);
    for (size_t axis = 0; axis < tensor->rank; axis++)
        json_text_integer(text, (int64_t)tensor->shape[axis]);
    json_text_end_array(text);
    json_text_key(text, "data_offsets");
    json_text_begin_array(text);
    json_text_integer(text, (int64_t)begin);
    json_text_integer(text, (int64_t)end);
    json_text_end_array(text);
    json_text_end_object(text);
}

static void text_header(struct json_text *text, const struct slice_file *file,
                        const struct posenc_result *result)
{
    uint64_t begin = 0;

    json_text_begin_object(text);
    text_metadata(text, result);
    for (size_t i = 0; i < file->tensor_count; i++) {
        text_tensor(text, &file->tensors[i], begin);
        begin += posenc_tensor_bytes(&file->tensors[i]);
    }
    json_text_end_object(text);
    while (text->length % SAFETENSORS_ALIGNMENT != 0 && !text->failed)
        json_text_raw(text, " ", 1);
}

/* Moves the text behind its length into the memory; false when that, or the writer, is out of it.
 */
static bool keep_header(struct json_text *text, struct posenc_memory *memory,
                        struct slice_file *file)
{
    char *const header =
        text->failed ? NULL : posenc_allocate(memory, SAFETENSORS_PREFIX + text->length, 1);

    if (header) {
        for (size_t i = 0; i < SAFETENSORS_PREFIX; i++)
            header[i] = (char)((uint64_t)text->length >> 8 * i & 0xFF);
        memcpy(header + SAFETENSORS_PREFIX, text->bytes, text->length);
    }
    file->header = header;
    file->header_size = SAFETENSORS_PREFIX + text->length;
    json_text_release(text);
    return header != NULL;
}

static enum posenc_status safetensors_open(const struct format_input *input,
                                           struct posenc_memory *memory, struct format_body *body,
                                           struct posenc_problem *problem)
{
    const struct posenc_result *const result = input->result;
    struct slice_file *const file = posenc_allocate(memory, 1, sizeof *file);
    struct json_text text = {.watch = memory->watch};

    if (!file)
        return format_no_memory(problem);
    *file = (struct slice_file){.tensor_count = result->tensor_count};
    memcpy(file->tensors, result->tensors, sizeof file->tensors);
    qsort(file->tensors, file->tensor_count, sizeof file->tensors[0], safetensors_compare);
    /* Before the header, whose offsets it makes sure of. */
    if (slice_file_open(file, body, problem) != POSENC_OK)
        return problem->status;
    text_header(&text, file, result);
    if (!keep_header(&text, memory, file))
        return format_no_memory(problem);
    return slice_file_open(file, body, problem);
}

const struct format format_safetensors = {
    .name = "safetensors",
    .media_type = "application/vnd.safetensors",
    .extension = "safetensors",
    .summary = "all tensors, with the parameters as JSON text in __metadata__",
    .carries_one_tensor = false,
    .is_binary = true,
    .open = safetensors_open,
};
