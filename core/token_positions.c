/*
 * Position ids from token ids or masks. With m the mask (or id != padding_idx) and c its running
 * sum along the row:
 *
 *   plain            past + 0, 1, 2, ...                BERT, GPT-2, ViT: padding counts
 *   fairseq, roberta (c + past) m + padding_idx         the first token stands at padding_idx + 1
 *   bart             past + 0, 1, 2, ... + 2            padding counts
 *   opt              c m - 1 + 2                        padding reads row 1
 *   gpt2_generate    c - 1, but 1 where m is 0
 *   bloom            (c - 1) m
 */
#include "token_positions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum rule {
    PLAIN,
    FAIRSEQ,
    ROBERTA,
    BART,
    OPT,
    GPT2_GENERATE,
    BLOOM,
    MROPE_QWEN2_VL,
    MROPE_QWEN2_5_VL,
    MROPE_QWEN3_VL,
};

static const struct posenc_parameter token_rows[] = {
    {.name = "rule",
     .type = POSENC_TYPE_CHOICE,
     .choices = POSENC__NAMES("plain", "fairseq", "roberta", "bart", "opt", "gpt2_generate",
                              "bloom", "mrope_qwen2_vl", "mrope_qwen2_5_vl", "mrope_qwen3_vl"),
     .meaning = "the model whose way of counting is wanted"},
    {.name = "token_ids",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "attention_mask, or token_types for the mrope rules",
     .aliases = POSENC__NAMES("input_ids"),
     .meaning = "tokens [batch, length] or [length]; those that are padding_idx do not count"},
    {.name = "attention_mask",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "token_ids",
     .meaning = "1 for each token that counts, 0 for padding [batch, length] or [length]"},
    {.name = "padding_idx",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NUMBER(1),
     .minimum = 0,
     .maximum = POSENC_INTEGER_MAX,
     .aliases = POSENC__NAMES("pad_token_id"),
     .meaning = "the padding token; fairseq and roberta count from it"},
    {.name = "past_length",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NUMBER(0),
     .minimum = 0,
     .maximum = POSENC_INTEGER_MAX / 2,
     .meaning = "tokens that were seen before; for opt, gpt2_generate and bloom, whose mask holds "
                "them too, so many positions are left out in front"},
    {.name = NULL},
};

void posenc__token_stored(const void *stored, size_t first, size_t count, double *out)
{
    memcpy(out, (const double *)stored + first, count * sizeof(*out));
}

/* The path of an element of [batch, length]. */
static enum posenc_status refuse_element(const char *name, const struct posenc__tokens *tokens,
                                         size_t index, double minimum, double maximum,
                                         double number, struct posenc_problem *problem)
{
    char path[POSENC_PATH_MAX];

    if (tokens->rank == 2)
        (void)snprintf(path, sizeof(path), "%s.%zu.%zu", name, index / tokens->length,
                       index % tokens->length);
    else
        (void)snprintf(path, sizeof(path), "%s.%zu", name, index);
    return posenc__refuse(problem, POSENC_OUT_OF_RANGE, path,
                          "'%s' must be an integer from %.17g to %.17g; it is %.17g.", path,
                          minimum, maximum, number);
}

enum posenc_status posenc__token_read(const struct posenc_arguments *arguments, const char *name,
                                      double minimum, double maximum, struct posenc__tokens *tokens,
                                      struct posenc_memory *memory, const double **out,
                                      struct posenc_problem *problem)
{
    const struct posenc_array *array = posenc__array(arguments, name);
    const size_t rank = array->rank, batch = rank == 2 ? array->shape[0] : 1;

    if (rank != 1 && rank != 2)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, name,
                              "'%s' has %zu axes; it needs [batch, length] or [length].", name,
                              rank);
    if (tokens->rank != 0 && (tokens->rank != rank || tokens->batch != batch ||
                              tokens->length != array->shape[rank - 1]))
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, name,
                              "'%s' must have the shape of the other tokens sent.", name);
    *tokens =
        (struct posenc__tokens){rank, batch, array->shape[rank - 1], tokens->ids, tokens->mask};
    const size_t count = batch * tokens->length; /* it lies in memory, so it fits */
    double *numbers = posenc_allocate(memory, count, sizeof(*numbers));

    if (!numbers)
        return posenc__no_memory(problem);
    posenc__read_array(array, 0, count, numbers);
    for (size_t i = 0; i < count; i++)
        if (!(numbers[i] >= minimum && numbers[i] <= maximum) || numbers[i] != floor(numbers[i]))
            return refuse_element(name, tokens, i, minimum, maximum, numbers[i], problem);
    *out = numbers;
    return POSENC_OK;
}

static enum posenc_status read_tokens(const struct posenc_arguments *arguments, bool is_mrope,
                                      struct posenc__tokens *tokens, struct posenc_memory *memory,
                                      struct posenc_problem *problem)
{
    const bool has_ids = posenc__present(arguments, "token_ids");
    const bool has_mask = posenc__present(arguments, "attention_mask");
    enum posenc_status status = POSENC_OK;

    if (!has_ids && !has_mask && !is_mrope)
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "token_ids",
                              "'token_ids' or 'attention_mask' is required.");
    if (has_ids && has_mask && !is_mrope)
        return posenc__refuse(problem, POSENC_CONFLICT, "attention_mask",
                              "'token_ids' and 'attention_mask' both say which tokens count; leave "
                              "one of them out.");
    if (has_ids)
        status = posenc__token_read(arguments, "token_ids", -POSENC_INTEGER_MAX, POSENC_INTEGER_MAX,
                                    tokens, memory, &tokens->ids, problem);
    if (status == POSENC_OK && has_mask)
        status = posenc__token_read(arguments, "attention_mask", 0, 1, tokens, memory,
                                    &tokens->mask, problem);
    return status;
}

/* What a rule needs of one row. */
struct counting {
    enum rule rule;
    double past, padding;
};

static double count_token(const struct counting *counting, double index, double sum, double mask)
{
    switch (counting->rule) {
    case FAIRSEQ:
    case ROBERTA:
        return (sum + counting->past) * mask + counting->padding;
    case BART:
        return counting->past + index + 2;
    case OPT:
        return sum * mask - 1 + 2;
    case GPT2_GENERATE:
        return mask == 0 ? 1 : sum - 1;
    case BLOOM:
        return (sum - 1) * mask;
    case PLAIN:
    case MROPE_QWEN2_VL:
    case MROPE_QWEN2_5_VL:
    case MROPE_QWEN3_VL:
        return counting->past + index;
    }
    return 0;
}

/* The positions of a row from column `first` on. */
static void count_row(const struct counting *counting, const struct posenc__tokens *tokens,
                      size_t row, size_t first, double *out)
{
    double sum = 0;

    for (size_t i = 0; i < tokens->length; i++) {
        const size_t at = row * tokens->length + i;
        const double mask =
            tokens->mask ? tokens->mask[at] : (tokens->ids[at] != counting->padding ? 1 : 0);

        sum += mask;
        if (i >= first)
            out[i - first] = count_token(counting, (double)i, sum, mask);
    }
}

static enum posenc_status add_counted(const struct posenc_arguments *arguments, enum rule rule,
                                      const struct posenc__tokens *tokens,
                                      struct posenc_memory *memory, struct posenc_result *result,
                                      struct posenc_problem *problem)
{
    const struct counting counting = {rule, posenc__real(arguments, "past_length"),
                                      posenc__real(arguments, "padding_idx")};
    const bool skips = rule == OPT || rule == GPT2_GENERATE || rule == BLOOM;
    const size_t first = skips ? posenc__size(arguments, "past_length") : 0;

    if (first > tokens->length)
        return posenc__refuse(problem, POSENC_CONFLICT, "past_length",
                              "'past_length' is %zu, but there are %zu tokens in a row; for this "
                              "rule they count those of the past.",
                              first, tokens->length);
    const size_t width = tokens->length - first;
    const size_t shape[] = {tokens->batch, width};
    double *positions = posenc_allocate(memory, tokens->batch * width, sizeof(*positions));

    if (!positions)
        return posenc__no_memory(problem);
    for (size_t row = 0; row < tokens->batch; row++)
        count_row(&counting, tokens, row, first, positions + row * width);
    return posenc__add_tensor(result, memory, problem, "positions", POSENC_INT64, tokens->rank,
                              tokens->rank == 2 ? shape : &width, posenc__token_stored, positions);
}

/* Parameters of the multimodal rules mean nothing to the others, and the other way round. */
static enum posenc_status refuse_strangers(struct posenc_arguments *arguments, bool is_mrope,
                                           struct posenc_problem *problem)
{
    static const char *const counted[] = {"padding_idx", "past_length"};

    for (const struct posenc_parameter *row = posenc__token_mrope_rows; row->name; row++) {
        if (!is_mrope && posenc__given(arguments, row->name))
            return posenc__refuse(problem, POSENC_CONFLICT, row->name,
                                  "'%s' belongs to the mrope rules.", row->name);
        if (!is_mrope)
            posenc__drop(arguments, row->name);
    }
    for (size_t i = 0; is_mrope && i < sizeof(counted) / sizeof(*counted); i++) {
        if (posenc__given(arguments, counted[i]))
            return posenc__refuse(problem, POSENC_CONFLICT, counted[i],
                                  "'%s' has no part in the mrope rules.", counted[i]);
        posenc__drop(arguments, counted[i]);
    }
    return POSENC_OK;
}

static enum posenc_status plan_positions(struct posenc_arguments *arguments,
                                         struct posenc_memory *memory, struct posenc_result *result,
                                         struct posenc_problem *problem)
{
    const enum rule rule = (enum rule)posenc__choice(arguments, "rule");
    const bool is_mrope = rule >= MROPE_QWEN2_VL;
    const struct posenc__mrope_rule mrope = {.scales_time = rule == MROPE_QWEN2_5_VL,
                                             .splits_frames = rule == MROPE_QWEN3_VL};
    struct posenc__tokens tokens = {0};
    enum posenc_status status = refuse_strangers(arguments, is_mrope, problem);

    if (status == POSENC_OK)
        status = read_tokens(arguments, is_mrope, &tokens, memory, problem);
    if (status != POSENC_OK)
        return status;
    if (is_mrope)
        return posenc__token_mrope(arguments, &mrope, &tokens, memory, result, problem);
    return add_counted(arguments, rule, &tokens, memory, result, problem);
}

const struct posenc_operation posenc__tool_positions = {
    .name = "positions",
    .summary = "position ids of tokens by a model's rule",
    .takes_tensors = true,
    .groups = (const struct posenc_parameter *const[]){token_rows, posenc__token_mrope_rows, NULL},
    .tensors =
        (const struct posenc_tensor_row[]){
            {"positions", "as token_ids; for the mrope rules [3, ...]: T, H, W", "position ids"},
            {"deltas", "[batch, 1]",
             "for the mrope rules: the largest id plus 1, less the length; added to the number of "
             "tokens so far it gives the next position"},
            {.name = NULL}},
    .int64_tensors = POSENC__NAMES("positions", "deltas"),
    .plan = plan_positions,
};
