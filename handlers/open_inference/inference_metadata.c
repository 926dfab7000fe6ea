/* GET /v2/models/{model}: what goes in and comes out, from the operation's rows. */
#include <string.h>

#include "document.h"
#include "exchange_memory.h"
#include "handlers.h"
#include "inference_datatype.h"
#include "inference_rows.h"

static void write_shape(struct json_text *text, const int64_t *shape, size_t rank)
{
    json_text_key(text, "shape");
    json_text_begin_array(text);
    for (size_t axis = 0; axis < rank; axis++)
        json_text_integer(text, shape[axis]);
    json_text_end_array(text);
}

static void write_input(struct json_text *text, const struct inference_model *model,
                        const struct posenc_parameter *row)
{
    int64_t shape[POSENC_RANK_MAX];
    const size_t rank = inference_row_shape(model, row, shape);

    json_text_begin_object(text);
    json_text_member_string(text, "name", row->name);
    json_text_member_string(text, "datatype", inference_row_datatype(row));
    write_shape(text, shape, rank);
    json_text_key(text, "parameters");
    json_text_begin_object(text);
    json_text_member_boolean(text, "optional", inference_row_is_optional(model, row));
    json_text_member_string(text, "meaning", row->meaning);
    json_text_end_object(text);
    json_text_end_object(text);
}

/* Tensors, or everything else that a tensor can bring. */
static void write_some_inputs(struct json_text *text, const struct inference_model *model,
                              bool are_tensors)
{
    for (const struct posenc_parameter *const *group = model->operation->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++)
            if (inference_row_is_input(row) && (row->type == POSENC_TYPE_TENSOR) == are_tensors)
                write_input(text, model, row);
}

static void write_inputs(struct json_text *text, const struct inference_model *model)
{
    json_text_key(text, "inputs");
    json_text_begin_array(text);
    write_some_inputs(text, model, true);
    write_some_inputs(text, model, false);
    json_text_end_array(text);
}

static bool has_name(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* What a tensor is when no request says otherwise. */
static const char *output_datatype(const struct inference_model *model,
                                   const struct posenc_tensor_row *row)
{
    const struct posenc_parameter *const dtype_row = inference_row_find(model, "dtype");
    enum posenc_dtype dtype = POSENC_FLOAT32;

    if (has_name(model->operation->int32_tensors, row->name))
        dtype = POSENC_INT32;
    else if (has_name(model->operation->int64_tensors, row->name))
        dtype = POSENC_INT64;
    else if (has_name(model->operation->float64_tensors, row->name))
        dtype = POSENC_FLOAT64;
    else if (dtype_row && dtype_row->has_fallback)
        (void)posenc_dtype_find(dtype_row->fallback.as.text, &dtype); /* one of its choices */
    return inference_datatype_name(dtype);
}

static void write_outputs(struct json_text *text, const struct inference_model *model)
{
    json_text_key(text, "outputs");
    json_text_begin_array(text);
    for (const struct posenc_tensor_row *row = model->operation->tensors; row->name; row++) {
        int64_t shape[POSENC_RANK_MAX];
        const size_t rank = inference_shape_of(row->dims, shape);

        json_text_begin_object(text);
        json_text_member_string(text, "name", row->name);
        json_text_member_string(text, "datatype", output_datatype(model, row));
        write_shape(text, shape, rank);
        json_text_key(text, "parameters");
        json_text_begin_object(text);
        json_text_member_string(text, "dims", row->dims);
        json_text_member_string(text, "meaning", row->meaning);
        json_text_end_object(text);
        json_text_end_object(text);
    }
    json_text_end_array(text);
}

HANDLER(handle_inference_model)
{
    struct json_text *text = &((struct exchange *)response->exchange)->text;
    char name[ROUTE_VARIABLE_SIZE];
    struct inference_model model;
    bool pretty;

    (void)service;
    if (!read_document_query(request, &pretty, response))
        return;
    (void)inference_model_find(match->variables[0], &model); /* the router has found it */
    inference_model_name(&model, name);
    json_text_begin_object(text);
    json_text_member_string(text, "name", name);
    json_text_key(text, "versions");
    json_text_begin_array(text);
    json_text_string(text, inference_model_version());
    json_text_end_array(text);
    json_text_member_string(text, "platform", "posenc");
    write_inputs(text, &model);
    write_outputs(text, &model);
    json_text_end_object(text);
    respond_json(request, pretty, response);
}
