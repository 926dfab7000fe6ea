/* Where the tensor may come from: the operations and tensors that the request leaves open. */
#include <stdio.h>
#include <string.h>

#include "identify.h"
#include "posenc_models.h"

/* What apply takes and gives back under the same name; "" where there is no such tensor. */
static const char *applied_part(const struct posenc_operation *apply)
{
    for (const struct posenc_tensor_row *tensor = apply->tensors; tensor->name; tensor++) {
        const struct posenc_parameter *row = posenc__row_of(apply, tensor->name);

        if (row && row->type == POSENC_TYPE_TENSOR)
            return tensor->name;
    }
    return "";
}

/* Types that operations are asked for: every tensor is compared as it came in. */
static bool is_type(const char *name)
{
    return strcmp(name, "dtype") == 0 || strcmp(name, "frequency_dtype") == 0;
}

/* An echo, which names the types of what it gave, is the parameters of a tensor, too. */
static bool keep_others(struct posenc_memory *memory, struct posenc_members *given)
{
    struct posenc_member *kept = posenc_allocate(memory, given->count, sizeof(*kept));
    size_t count = 0;

    if (!kept)
        return false;
    for (size_t i = 0; i < given->count; i++)
        if (!is_type(given->items[i].name))
            kept[count++] = given->items[i];
    *given = (struct posenc_members){kept, count};
    return true;
}

/* The parameters that every context gets: those of a model in place of its name. */
static enum posenc_status settle_given(const struct posenc_value *parameters,
                                       const struct posenc__question *question,
                                       struct posenc__context *context)
{
    struct posenc_value input = parameters ? *parameters : posenc_object(NULL, 0);
    const struct posenc_warning *warnings;
    size_t warning_count;
    const enum posenc_status status =
        posenc_apply_model(context->encoding, context->operation, &input, question->memory,
                           &warnings, &warning_count, question->problem);

    if (status != POSENC_OK)
        return status;
    context->given = input.as.object;
    return keep_others(question->memory, &context->given) ? POSENC_OK
                                                          : posenc__no_memory(question->problem);
}

/* A request that names the encoding learns what is wrong with its parameters; else it is another
 * encoding that was meant. */
static enum posenc_status add_contexts(const struct posenc_arguments *arguments,
                                       const struct posenc_encoding *encoding,
                                       struct posenc__question *question)
{
    const struct posenc_operation *operation =
        posenc_find_operation(encoding, question->x ? "apply" : "table");
    const struct posenc_argument *parameters = posenc_find_argument(arguments, "parameters");
    const struct posenc_argument *part = posenc_find_argument(arguments, "part");
    const char *wanted = part->value.kind == POSENC_TEXT ? part->value.as.text : NULL;

    if (!operation)
        return POSENC_OK;
    if (question->x && !wanted)
        wanted = applied_part(operation);
    for (const struct posenc_tensor_row *tensor = operation->tensors; tensor->name; tensor++) {
        struct posenc__context *context = &question->contexts[question->context_count];

        if (question->context_count == POSENC__IDENTIFY_CONTEXTS_MAX ||
            (wanted && strcmp(tensor->name, wanted) != 0))
            continue;
        *context = (struct posenc__context){.encoding = encoding,
                                            .operation = operation,
                                            .part = tensor,
                                            .is_applied = question->x != NULL,
                                            .times = 1};
        posenc__find_axes(context, question->sent.array.rank);
        const enum posenc_status status = settle_given(
            parameters->value.kind == POSENC_OBJECT ? &parameters->value : NULL, question, context);

        if (status == POSENC_OK)
            question->context_count++;
        else if (question->is_named || status == POSENC_NO_MEMORY)
            return status;
    }
    return POSENC_OK;
}

static enum posenc_status refuse_encoding(const char *name, struct posenc_problem *problem)
{
    const char *nearest = posenc_suggest_encoding(name);

    (void)posenc__refuse(problem, POSENC_OUT_OF_RANGE, "encoding",
                         "There is no encoding '%.80s'; /v1/encodings lists those that there are.",
                         name);
    (void)snprintf(problem->value, sizeof(problem->value), "%s", name); /* cut if long */
    (void)snprintf(problem->suggestion, sizeof(problem->suggestion), "%s", nearest ? nearest : "");
    return POSENC_OUT_OF_RANGE;
}

static enum posenc_status refuse_part(const struct posenc_arguments *arguments,
                                      const struct posenc__question *question)
{
    if (posenc__present(arguments, "part"))
        return posenc__refuse(question->problem, POSENC_OUT_OF_RANGE, "part",
                              "No operation asked here gives a tensor '%.80s'; /v1/encodings lists "
                              "those of each encoding's table and apply.",
                              posenc_find_argument(arguments, "part")->value.as.text);
    return posenc__refuse(question->problem, POSENC_CONFLICT, question->x ? "x" : "encoding",
                          "This encoding has no tensor that could be this one; 'x' is for what is "
                          "applied to a tensor, and left out for tables.");
}

enum posenc_status posenc__find_contexts(const struct posenc_arguments *arguments,
                                         struct posenc__question *question)
{
    const struct posenc_encoding *encoding;
    enum posenc_status status = POSENC_OK;

    if (question->is_named) {
        const char *name = posenc_find_argument(arguments, "encoding")->value.as.text;

        encoding = posenc_find(name);
        if (!encoding)
            return refuse_encoding(name, question->problem);
        status = add_contexts(arguments, encoding, question);
    } else {
        for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL && status == POSENC_OK; i++)
            status = add_contexts(arguments, encoding, question);
    }
    if (status == POSENC_OK && question->context_count == 0)
        return refuse_part(arguments, question);
    return status;
}
