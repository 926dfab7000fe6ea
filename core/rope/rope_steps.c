/* What a dialect rounds, told in words beside its results. */
#include "rope.h"

static const char *const float32_steps[] = {
    "frequencies: each step of base^(2i / d), its reciprocal and the scaling, to float32",
    "angles: position and its product with the frequency, to float32",
    "cos and sin: to float32, and again after the attention factor",
    NULL,
};

static const char *const ggml_steps[] = {
    "theta: the position, then one product with theta_scale a pair, each to float32",
    "angles: division by the frequency factor and the scaling, to float32",
    "cos and sin: to float32, and again after the attention factor",
    NULL,
};

static const char *const bfloat16_steps[] = {
    "cos and sin: once, with the attention factor, to bfloat16",
    NULL,
};

static const char *const *steps_of(enum posenc__rope_arithmetic arithmetic)
{
    static const char *const none[] = {NULL};

    switch (arithmetic) {
    case POSENC__ROPE_EXACT:
        return none;
    case POSENC__ROPE_FLOAT32:
        return float32_steps;
    case POSENC__ROPE_GGML:
        return ggml_steps;
    case POSENC__ROPE_BFLOAT16_TABLE:
        return bfloat16_steps;
    }
    return none;
}

#define STEPS_MAX 4

enum posenc_status posenc__rope_derive_steps(const struct posenc__rope *rope, bool applies,
                                             struct posenc_memory *memory,
                                             struct posenc_result *result,
                                             struct posenc_problem *problem)
{
    const bool rounds_tensors =
        rope->arithmetic == POSENC__ROPE_FLOAT32 || rope->arithmetic == POSENC__ROPE_GGML;
    struct posenc_value list = {.kind = POSENC_LIST};
    struct posenc_value *items;

    if (rope->arithmetic == POSENC__ROPE_EXACT)
        return POSENC_OK;
    items = posenc_allocate(memory, STEPS_MAX, sizeof(*items));
    if (!items)
        return posenc__no_memory(problem);
    list.as.list.items = items;
    for (const char *const *step = steps_of(rope->arithmetic); *step; step++)
        items[list.as.list.count++] = posenc_text(*step);
    if (applies && rounds_tensors)
        items[list.as.list.count++] =
            posenc_text("rotation: the tensor, both products and their sum, each to float32");
    return posenc__derive(result, memory, problem, "rounded_steps", list);
}
