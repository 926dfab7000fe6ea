#include "pictured.h"

#include <criterion/criterion.h>
#include <string.h>

#include "picture.h"

static size_t filled;

static void fill(const void *plan, size_t first, size_t count, void *out)
{
    for (size_t i = 0; i < count; i++) {
        const double value = plan ? ((const double *)plan)[first + i] : (double)(first + i);

        memcpy((char *)out + i * sizeof value, &value, sizeof value);
    }
    filled += count;
}

struct posenc_tensor pictured_tensor(size_t rank, const size_t *shape, const double *values)
{
    struct posenc_tensor tensor = {"bias", POSENC_FLOAT64, rank, {0}, 1, fill, values, 0};

    for (size_t axis = 0; axis < rank; axis++) {
        tensor.shape[axis] = shape[axis];
        tensor.count *= shape[axis];
    }
    return tensor;
}

size_t pictured_filled(void)
{
    return filled;
}

struct picture pictured_make(struct posenc_tensor tensor, struct posenc_memory *memory)
{
    static const struct posenc_tensor_row rows[] = {
        {"bias", "[heads, query_length, key_length]", "what is added"}, {.name = NULL}};
    static const struct posenc_operation operation = {.name = "table", .tensors = rows};
    static const struct posenc_encoding encoding = {.name = "alibi"};
    static const struct posenc_result result = {.encoding = &encoding, .operation = &operation};
    const struct format_input input = {&result, &tensor, false, NULL};
    struct picture picture;
    struct posenc_problem problem;

    cr_assert_eq(picture_make(&input, memory, &picture, &problem), POSENC_OK);
    return picture;
}

const struct picture_shape *pictured_text(const struct picture *picture, const char *text)
{
    for (size_t i = 0; i < picture->shape_count; i++) {
        if (picture->shapes[i].kind == PICTURE_TEXT && strcmp(picture->shapes[i].text, text) == 0)
            return &picture->shapes[i];
    }
    return NULL;
}

const struct picture_shape *pictured_shape(const struct picture *picture, enum picture_kind kind,
                                           size_t before)
{
    for (size_t i = 0; i < picture->shape_count; i++) {
        if (picture->shapes[i].kind == kind && before-- == 0)
            return &picture->shapes[i];
    }
    cr_assert_fail("there are not so many");
    return NULL;
}

size_t pictured_count(const struct picture *picture, enum picture_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < picture->shape_count; i++)
        count += picture->shapes[i].kind == kind;
    return count;
}
