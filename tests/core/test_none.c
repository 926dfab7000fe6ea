/* No encoding: nothing planned, tensors given back. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

Test(none, the_table_has_no_tensors)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "none/table", ""), POSENC_OK);
    cr_expect_eq(asked.result.tensor_count, 0);
    asked_release(&asked);
}

Test(none, gives_every_value_back_in_the_dtype_asked_for)
{
    const double numbers[] = {0.1, -INFINITY, NAN, -0.0, 65520, 1e-320};
    const size_t shape[] = {1, 3, 2};
    const struct posenc_member x = {"x", support_array(numbers, 3, shape)};
    static const char *const dtypes[] = {"float64", "float32", "float16", "bfloat16"};

    for (int dtype = 0; dtype < 4; dtype++) {
        unsigned char rounded[sizeof(numbers)];
        struct asked asked;
        char query[40];

        (void)snprintf(query, sizeof(query), "dtype=%s", dtypes[dtype]);
        cr_assert_eq(ask_with(&asked, "none/apply", query, &x, 1), POSENC_OK);
        const struct posenc_tensor *tensor = &asked.result.tensors[0];

        posenc_round((enum posenc_dtype)dtype, numbers, 6, rounded);
        cr_expect_eq(tensor->dtype, (enum posenc_dtype)dtype);
        cr_expect_eq(tensor->rank, 3);
        cr_expect_eq(memcmp(tensor->shape, shape, sizeof(shape)), 0);
        cr_expect_eq(
            memcmp(asked_bytes(&asked, tensor), rounded, (size_t)posenc_tensor_bytes(tensor)), 0);
        asked_release(&asked);
    }
}

Test(none, needs_its_tensor)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "none/apply", ""), POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "x");
    asked_release(&asked);
}
