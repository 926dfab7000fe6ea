/*
 * The reply as a JSON document. What stands around the tensors' data is small and made at once; the
 * data is printed as it is asked for. Short replies are printed at once, too, and then have a known
 * length.
 */
#include <string.h>

#include "format.h"
#include "json_text.h"
#include "marked_text.h"
#include "warnings.h"

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
    json_text_key(text, tensor->name);
    json_text_begin_object(text);
    json_text_member_string(text, "dtype", posenc_dtype_name(tensor->dtype));
    json_text_key(text, "shape");
    json_text_begin_array(text);
    for (size_t axis = 0; axis < tensor->rank; axis++)
        json_text_integer(text, (int64_t)tensor->shape[axis]);
    json_text_end_array(text);
    json_text_key(text, "data");
    marked_text_data(text);
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

static struct marked_text *make_text(const struct format_input *input, struct posenc_memory *memory)
{
    const struct posenc_result *const result = input->result;
    struct json_text compact = {.watch = memory->watch}, text = {.watch = memory->watch};

    text_document(&compact, result);
    if (input->pretty && !compact.failed)
        json_text_raw_indented(&text, compact.bytes, compact.length, 0);
    else
        json_text_raw(&text, compact.bytes, compact.length);
    text.failed = text.failed || compact.failed;
    json_text_release(&compact);
    json_text_raw(&text, "\n", 1);
    return marked_text_new(&text, result->tensors, result->tensor_count, input->pretty, memory);
}

static enum posenc_status json_open(const struct format_input *input, struct posenc_memory *memory,
                                    struct format_body *body, struct posenc_problem *problem)
{
    const struct posenc_result *const result = input->result;
    struct marked_count counted;
    struct marked_text *text;

    if (marked_text_count(result->tensors, result->tensor_count, &counted, problem) != POSENC_OK)
        return problem->status;
    text = make_text(input, memory);
    return text ? marked_text_open(text, counted.is_short, memory, body, problem)
                : format_no_memory(problem);
}

const struct format format_json = {
    .name = "json",
    .media_type = "application/json",
    .extension = "json",
    .summary = "all tensors as nested lists, with the parameters as they were understood",
    .carries_one_tensor = false,
    .open_elements_max = MARKED_TEXT_WHOLE_MAX,
    .byte_ps = 3000,
    .open = json_open,
};
