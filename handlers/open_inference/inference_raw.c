#include "inference_raw.h"

#include "inference_rows.h"

/* Rows among which the one is looked for: tensors and lists, the required ones or all. */
static const struct posenc_parameter *find_only(const struct inference_model *model,
                                                bool is_required)
{
    const struct posenc_parameter *only = NULL;

    for (const struct posenc_parameter *const *group = model->operation->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++) {
            if (!inference_row_is_input(row) || inference_row_is_single(row) ||
                (is_required && inference_row_is_optional(model, row)))
                continue;
            if (only)
                return NULL;
            only = row;
        }
    return only;
}

/* The shape that so many bytes have; false where they have none, or several. */
static bool settle_shape(const struct inference_model *model, const struct posenc_parameter *row,
                         size_t size, struct inference_input *input)
{
    int64_t shape[POSENC_RANK_MAX];
    const size_t rank = inference_row_shape(model, row, shape);
    size_t free_axis = rank, bytes = input->datatype->size;

    input->array = (struct posenc_array){.dtype = input->datatype->dtype, .rank = rank};
    for (size_t axis = 0; axis < rank; axis++) {
        if (shape[axis] < 0 && free_axis < rank)
            return false;
        if (shape[axis] < 0)
            free_axis = axis;
        else
            bytes *= (size_t)shape[axis]; /* the lengths that rows name are small */
        input->array.shape[axis] = shape[axis] < 0 ? 0 : (size_t)shape[axis];
    }
    if (free_axis == rank)
        return size == bytes;
    input->array.shape[free_axis] = size / bytes;
    return size % bytes == 0;
}

bool make_raw_request(const struct inference_context *context, const struct inference_body *body,
                      struct inference_request *request)
{
    const struct inference_model *const model = &context->model;
    const struct posenc_parameter *row = find_only(model, true);

    *request = (struct inference_request){.are_outputs_binary = true};
    row = row ? row : find_only(model, false);
    if (!row)
        return inference_refuse(context, POSENC_CONFLICT, "",
                                "A body without JSON needs a model with one input; this one has "
                                "none, or several: describe them in JSON.");
    request->inputs = posenc_allocate(context->memory, 1, sizeof *request->inputs);
    if (!request->inputs)
        return inference_no_memory(context);
    request->input_count = 1;
    request->inputs[0] =
        (struct inference_input){.name = row->name,
                                 .datatype = inference_datatype_find(inference_row_datatype(row)),
                                 .is_binary = true,
                                 .binary_size = body->size};
    return settle_shape(model, row, body->size, &request->inputs[0]) ||
           inference_refuse(context, POSENC_WRONG_SHAPE, row->name,
                            "The %zu bytes of the body do not tell the shape of '%s' (%s); "
                            "describe it in JSON.",
                            body->size, row->name, request->inputs[0].datatype->name);
}
