#include "inference_outputs.h"

#include <stdio.h>

#include "problem.h"

static void select_all(const struct inference_request *request, struct inference_outputs *outputs)
{
    const size_t count = outputs->result.tensor_count;

    for (size_t i = 0; i < count; i++)
        outputs->is_binary[i] = request->are_outputs_binary;
    outputs->binary_count = request->are_outputs_binary ? count : 0;
}

#define PATH_MAX_OUTPUT 32 /* "outputs.7.name", with its end */

static const char *print_path(char path[PATH_MAX_OUTPUT], size_t index)
{
    (void)snprintf(path, PATH_MAX_OUTPUT, "outputs.%zu.name", index);
    return path;
}

static bool refuse_unknown(const struct inference_context *context,
                           const struct posenc_result *result, const char *name, size_t index)
{
    const char *names[POSENC_TENSORS_MAX];
    char path[PATH_MAX_OUTPUT], detail[160];
    const struct report report = {.status = 422,
                                  .slug = "out-of-range",
                                  .parameter = print_path(path, index),
                                  .value = name,
                                  .detail = detail,
                                  .allowed = names,
                                  .allowed_count = result->tensor_count};

    (void)snprintf(detail, sizeof detail,
                   "The result has no output '%.80s'; 'allowed' lists those that it has.", name);
    for (size_t i = 0; i < result->tensor_count; i++)
        names[i] = result->tensors[i].name;
    respond_report(context->request, &report, context->response);
    return false;
}

static bool select_one(const struct inference_context *context, const struct posenc_result *result,
                       const struct inference_output *output, struct inference_outputs *outputs)
{
    const size_t index = outputs->result.tensor_count;
    const struct posenc_tensor *const tensor = posenc_find_tensor(result, output->name);
    char path[PATH_MAX_OUTPUT];

    if (!tensor)
        return refuse_unknown(context, result, output->name, index);
    if (posenc_find_tensor(&outputs->result, output->name))
        return inference_refuse(context, POSENC_CONFLICT, print_path(path, index),
                                "The output '%.80s' is asked for twice; ask once.", output->name);
    outputs->result.tensors[index] = *tensor;
    outputs->is_binary[index] = output->is_binary;
    outputs->binary_count += output->is_binary;
    outputs->result.tensor_count++;
    return true;
}

bool select_inference_outputs(const struct inference_context *context,
                              const struct inference_request *request,
                              const struct posenc_result *result, struct inference_outputs *outputs)
{
    *outputs = (struct inference_outputs){.result = *result};
    if (request->output_count == 0) {
        select_all(request, outputs);
        return true;
    }
    outputs->result.tensor_count = 0;
    for (size_t i = 0; i < request->output_count; i++)
        if (!select_one(context, result, &request->outputs[i], outputs))
            return false;
    return true;
}
