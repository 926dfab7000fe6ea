/*
 * Rows of the query and key weights between rotary layouts: new row r is old row rows[r].
 *
 * Within each head the channels that turn stand pair by pair (interleaved: 2i, 2i + 1) or in halves
 * (i, i + rotary_dim / 2). A model of the layout deinterleaved has its weights pair by pair. The
 * same rows serve the biases and the norms of queries and keys.
 */
#include "internal.h"

enum { HALF }; /* index of the choice; the others stand pair by pair */

static const struct posenc_parameter permutation_rows[] = {
    {.name = "heads",
     .type = POSENC_TYPE_INTEGER,
     .minimum = 1,
     .maximum = POSENC_HEADS_MAX,
     .aliases = POSENC__NAMES("num_heads", "n_heads", "num_attention_heads"),
     .meaning = "query heads"},
    {.name = "kv_heads",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "heads",
     .minimum = 1,
     .maximum = POSENC_HEADS_MAX,
     .aliases = POSENC__NAMES("num_kv_heads", "n_kv_heads", "num_key_value_heads"),
     .meaning = "key heads, which divide the query heads"},
    {.name = "dim",
     .type = POSENC_TYPE_INTEGER,
     .minimum = 1,
     .maximum = POSENC_DIM_MAX,
     .aliases = POSENC__NAMES("head_dim"),
     .meaning = "head dimension: rows of a head"},
    {.name = "rotary_dim",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "dim",
     .minimum = 1,
     .maximum = POSENC_DIM_MAX,
     .meaning = "how many rows of a head turn; the others stay where they are"},
    {.name = "rotary_offset",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NUMBER(0),
     .minimum = 0,
     .maximum = POSENC_DIM_MAX,
     .meaning = "the first row of a head that turns"},
    {.name = "from",
     .type = POSENC_TYPE_CHOICE,
     .choices = POSENC__NAMES("half", "interleaved", "deinterleaved"),
     .fallback_note = "half is transformers' for llama and most, interleaved that of Meta's own "
                      "files and of GGUF for llama",
     .meaning = "the layout that the weights are in"},
    {.name = "to",
     .type = POSENC_TYPE_CHOICE,
     .choices = POSENC__NAMES("half", "interleaved", "deinterleaved"),
     .fallback_note = "half is transformers' for llama and most, interleaved that of Meta's own "
                      "files and of GGUF for llama",
     .meaning = "the layout that they shall have"},
    {.name = NULL},
};

struct permutation {
    size_t dim, rotary_dim, rotary_offset;
    bool from_half, to_half;
};

/* The old place, inside the rows that turn, of what comes to `place`. */
static size_t old_place(const struct permutation *plan, size_t place)
{
    const size_t pairs = plan->rotary_dim / 2;

    if (plan->from_half == plan->to_half)
        return place;
    return plan->to_half ? place % pairs * 2 + place / pairs : place / 2 + place % 2 * pairs;
}

static void row_values(const void *context, size_t first, size_t count, double *out)
{
    const struct permutation *plan = context;

    for (size_t i = 0; i < count; i++) {
        const size_t row = first + i, place = row % plan->dim;
        const size_t turning = place - plan->rotary_offset;
        const bool turns = place >= plan->rotary_offset && turning < plan->rotary_dim;

        out[i] = (double)(turns ? row - turning + old_place(plan, turning) : row);
    }
}

static enum posenc_status check_sizes(struct posenc_arguments *arguments,
                                      struct posenc_problem *problem)
{
    const size_t dim = posenc__size(arguments, "dim");
    const bool has_rotary_dim = posenc__present(arguments, "rotary_dim");

    if (!has_rotary_dim)
        posenc__resolve(arguments, "rotary_dim", posenc_number((double)dim));
    if (!posenc__present(arguments, "kv_heads"))
        posenc__resolve(arguments, "kv_heads", posenc_number(posenc__real(arguments, "heads")));
    const size_t rotary_dim = posenc__size(arguments, "rotary_dim");
    const size_t offset = posenc__size(arguments, "rotary_offset");

    if (rotary_dim % 2 != 0 || rotary_dim > dim)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, has_rotary_dim ? "rotary_dim" : "dim",
                              "%zu of %zu rows of a head turn; it must be an even number up to "
                              "'dim'.",
                              rotary_dim, dim);
    if (rotary_dim + offset > dim)
        return posenc__refuse(problem, POSENC_CONFLICT, "rotary_offset",
                              "'rotary_offset' %zu leaves no room for %zu rows in 'dim' %zu.",
                              offset, rotary_dim, dim);
    if (posenc__size(arguments, "heads") % posenc__size(arguments, "kv_heads") != 0)
        return posenc__refuse(problem, POSENC_CONFLICT, "kv_heads",
                              "'kv_heads' is %zu, which does not divide 'heads', %zu.",
                              posenc__size(arguments, "kv_heads"),
                              posenc__size(arguments, "heads"));
    return POSENC_OK;
}

static enum posenc_status plan_permutation(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem)
{
    enum posenc_status status = check_sizes(arguments, problem);
    struct permutation *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (status != POSENC_OK)
        return status;
    if (!plan)
        return posenc__no_memory(problem);
    *plan = (struct permutation){.dim = posenc__size(arguments, "dim"),
                                 .rotary_dim = posenc__size(arguments, "rotary_dim"),
                                 .rotary_offset = posenc__size(arguments, "rotary_offset"),
                                 .from_half = posenc__choice(arguments, "from") == HALF,
                                 .to_half = posenc__choice(arguments, "to") == HALF};
    const size_t q_rows = posenc__size(arguments, "heads") * plan->dim,
                 k_rows = posenc__size(arguments, "kv_heads") * plan->dim;

    status = posenc__add_tensor(result, memory, problem, "q_rows", POSENC_INT64, 1, &q_rows,
                                row_values, plan);
    if (status == POSENC_OK)
        status = posenc__add_tensor(result, memory, problem, "k_rows", POSENC_INT64, 1, &k_rows,
                                    row_values, plan);
    return status;
}

const struct posenc_operation posenc__tool_permutation = {
    .name = "permutation",
    .summary = "which row of the query and key weights goes where between rotary layouts",
    .groups = (const struct posenc_parameter *const[]){permutation_rows, NULL},
    .tensors =
        (const struct posenc_tensor_row[]){
            {"q_rows", "[heads * dim]", "for each new row of the query weights, the old one"},
            {"k_rows", "[kv_heads * dim]", "the same for the key weights"},
            {.name = NULL}},
    .int64_tensors = POSENC__NAMES("q_rows", "k_rows"),
    .plan = plan_permutation,
};
