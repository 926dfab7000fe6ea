#include <criterion/criterion.h>
#include <string.h>

#include "format.h"
#include "short_memory.h"
#include "whole_body.h"

static struct posenc_memory memory;

static void set_up(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
}

static void tear_down(void)
{
    posenc_memory_release(&memory);
}

TestSuite(raw, .init = set_up, .fini = tear_down);

static void fill_floats(const void *plan, size_t first, size_t count, void *out)
{
    (void)plan;
    for (size_t i = 0; i < count; i++)
        ((float *)out)[i] = (float)(first + i) / 4;
}

static struct format_body opened(const struct posenc_tensor *tensor)
{
    const struct format_input input = {NULL, tensor, false, NULL};

    return opened_body(&format_raw, &input, &memory);
}

static const char *header(const struct format_body *body, const char *name)
{
    for (size_t i = 0; i < body->header_count; i++)
        if (strcmp(body->headers[i].name, name) == 0)
            return body->headers[i].value;
    return NULL;
}

Test(raw, is_the_elements_and_describes_them_in_headers)
{
    static const struct posenc_tensor tensor = {"t", POSENC_FLOAT32, 2,    {3, 20},
                                                60,  fill_floats,    NULL, 0};
    const struct format_body body = opened(&tensor);
    float read[60];

    cr_expect_eq(body.length, 240);
    cr_assert_eq(body.read(body.state, 0, (char *)read, 240), 240);
    for (size_t i = 0; i < 60; i++)
        cr_expect_eq(read[i], (float)i / 4);
    cr_expect_str_eq(header(&body, "X-Tensor-Shape"), "3,20");
    cr_expect_str_eq(header(&body, "X-Tensor-Dtype"), "float32");
    cr_expect_str_eq(header(&body, "X-Tensor-Byte-Order"), "little");
}

Test(raw, gives_a_scalar_no_shape_and_an_empty_tensor_no_bytes)
{
    static const struct posenc_tensor scalar = {"t", POSENC_FLOAT32, 0,    {0},
                                                1,   fill_floats,    NULL, 0};
    static const struct posenc_tensor empty = {"t", POSENC_FLOAT32, 2,    {0, 7},
                                               0,   fill_floats,    NULL, 0};
    const struct format_body one = opened(&scalar), none = opened(&empty);

    cr_expect_eq(one.length, 4);
    cr_expect_null(header(&one, "X-Tensor-Shape"));
    cr_expect_str_eq(header(&one, "X-Tensor-Dtype"), "float32");
    cr_expect_eq(none.length, 0);
    cr_expect_str_eq(header(&none, "X-Tensor-Shape"), "0,7");
}

Test(raw, fits_the_largest_shape)
{
    struct posenc_tensor tensor = {"t", POSENC_FLOAT32, POSENC_RANK_MAX, {0}, 0, fill_floats, NULL,
                                   0};

    for (size_t axis = 0; axis < POSENC_RANK_MAX; axis++)
        tensor.shape[axis] = axis ? SIZE_MAX : 0;
    const struct format_body body = opened(&tensor);

    cr_expect_eq(strlen(header(&body, "X-Tensor-Shape")), 1 + 7 * 21);
}

Test(raw, says_when_memory_is_out)
{
    static const struct posenc_tensor tensor = {"t", POSENC_FLOAT32, 1,    {1},
                                                1,   fill_floats,    NULL, 0};
    const struct format_input input = {NULL, &tensor, false, NULL};

    expect_no_memory_first(&format_raw, &input);
}
