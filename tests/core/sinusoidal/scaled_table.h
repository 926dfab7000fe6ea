/* Tables that are multiples of each other. */
#ifndef TESTS_SCALED_TABLE_H
#define TESTS_SCALED_TABLE_H

#include <criterion/criterion.h>
#include <math.h>

#include "support.h"

/* Asks for two tables and asserts that the first is the second times a factor, to two ulp. */
static inline void assert_scaled(const char *scaled, const char *plain, double factor)
{
    struct asked a, b;

    cr_assert_eq(ask(&a, "sinusoidal/table", scaled), POSENC_OK, "%s", scaled);
    cr_assert_eq(ask(&b, "sinusoidal/table", plain), POSENC_OK, "%s", plain);
    const double *left = asked_values(&a, "encoding"), *right = asked_values(&b, "encoding");

    cr_assert_eq(a.result.tensors[0].count, b.result.tensors[0].count);
    for (size_t i = 0; i < a.result.tensors[0].count; i++)
        cr_assert_float_eq(left[i], right[i] * factor, 0x1p-52 * fabs(left[i]));
    asked_release(&a);
    asked_release(&b);
}

#endif
