/* Asking `identify` in tests about tensors that the library, or a hand, has made. */
#ifndef TESTS_ASKING_IDENTIFY_H
#define TESTS_ASKING_IDENTIFY_H

#include "asking.h"

#define PARAMETERS(...)                                                                            \
    {                                                                                              \
        "parameters", posenc_object((const struct posenc_member[]){__VA_ARGS__},                   \
                                    sizeof((const struct posenc_member[]){__VA_ARGS__}) /          \
                                        sizeof(struct posenc_member))                              \
    }
#define NUMBER(name, x)                                                                            \
    {                                                                                              \
        (name), posenc_number(x)                                                                   \
    }
#define TEXT(name, x)                                                                              \
    {                                                                                              \
        (name), posenc_text(x)                                                                     \
    }

/* A tensor of an encoding's table, or of its apply, in the answer's own memory. */
static inline struct posenc_value tensor_of(struct asked *made, const char *tensor)
{
    const struct posenc_tensor *found = posenc_find_tensor(&made->result, tensor);
    struct posenc_array array = {0};

    cr_assert(made->status == POSENC_OK, "%s: %s", made->problem.parameter, made->problem.detail);
    cr_assert_not_null(found);
    void *elements = posenc_allocate(&made->memory, found->count, posenc_dtype_size(found->dtype));

    cr_assert_not_null(elements);
    posenc_fill(found, 0, found->count, elements);
    array.dtype = found->dtype;
    array.rank = found->rank;
    memcpy(array.shape, found->shape, sizeof(array.shape));
    array.data = elements;
    return posenc_nested(&array);
}

/* The first explanation's `index`-th change of what, or "". */
static inline const char *changed_parameter(const struct asked *asked, size_t index)
{
    const struct posenc_value object = {.kind = POSENC_OBJECT, .as.object = asked->result.derived};
    const struct posenc_value *explanations = posenc_find_member(&object, "explanations");

    cr_assert_not_null(explanations);
    if (explanations->as.list.count == 0)
        return "";
    const struct posenc_value *changes =
        posenc_find_member(&explanations->as.list.items[0], "changes");

    return index < changes->as.list.count
               ? posenc_find_member(&changes->as.list.items[index], "parameter")->as.text
               : "";
}

static inline void expect_verdict(const struct asked *asked, const char *verdict)
{
    cr_expect_str_eq(asked_text(asked, "verdict"), verdict, "%s: %s", asked_text(asked, "verdict"),
                     asked_text(asked, "statement"));
}

#endif
