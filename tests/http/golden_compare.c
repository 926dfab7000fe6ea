/* Comparing a reply with what a golden line expects. */
#include "golden_compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note(struct difference *difference, const char *format, ...)
{
    va_list words;

    if (difference->found)
        return;
    difference->found = true;
    va_start(words, format);
    (void)vsnprintf(difference->place, sizeof(difference->place), format, words);
    va_end(words);
}

/* A JSON number, or one of the strings that stand for what is not finite. */
static double number_of(const json_t *value)
{
    const char *text = json_string_value(value);

    if (!text)
        return json_number_value(value);
    return strcmp(text, "Infinity") == 0    ? INFINITY
           : strcmp(text, "-Infinity") == 0 ? -INFINITY
                                            : NAN;
}

/* The value nearest to `value` with `bits` of precision, ties to even; wide enough for any exponent
 * met in tests. */
static double round_to_bits(double value, int bits, int exponent_min)
{
    int exponent;

    if (!isfinite(value) || value == 0)
        return value;
    (void)frexp(value, &exponent);
    exponent = exponent < exponent_min ? exponent_min : exponent;
    return ldexp(nearbyint(ldexp(value, bits - exponent)), exponent - bits);
}

/* What a decimal of the reply stands for in the reply's dtype. */
static double round_to_dtype(double value, const char *dtype)
{
    if (strcmp(dtype, "float32") == 0)
        return (float)value;
    if (strcmp(dtype, "float16") == 0)
        return round_to_bits(value, 11, -13);
    return strcmp(dtype, "bfloat16") == 0 ? round_to_bits(value, 8, -125) : value;
}

/* Where a float stands in the order of all floats, so that neighbours differ by one. */
static int64_t float_order(double value)
{
    const float number = (float)value;
    int32_t bits;

    memcpy(&bits, &number, sizeof(bits));
    return bits >= 0 ? bits : -(int64_t)(bits & 0x7fffffff);
}

static bool is_close(double actual, double expected, const json_t *tolerance)
{
    const json_t *absolute = json_object_get(tolerance, "absolute"),
                 *relative = json_object_get(tolerance, "relative");
    const json_t *steps = json_object_get(tolerance, "ulp_float32");

    if (actual == expected || (isnan(actual) && isnan(expected)))
        return true;
    if (!isfinite(actual) || !isfinite(expected) ||
        json_is_true(json_object_get(tolerance, "exact")))
        return false;
    if (steps)
        return llabs(float_order(actual) - float_order(expected)) <= json_integer_value(steps);
    return (absolute || relative) &&
           (!absolute || fabs(actual - expected) <= json_number_value(absolute)) &&
           (!relative || fabs(actual - expected) <= json_number_value(relative) * fabs(expected));
}

static void compare_data(const json_t *expected, const json_t *actual, const char *dtype,
                         const json_t *tolerance, const char *path, struct difference *difference)
{
    if (json_is_array(expected) && json_is_array(actual) &&
        json_array_size(expected) == json_array_size(actual)) {
        for (size_t i = 0; i < json_array_size(expected); i++) {
            char place[256];

            (void)snprintf(place, sizeof(place), "%.180s.%zu", path, i);
            compare_data(json_array_get(expected, i), json_array_get(actual, i), dtype, tolerance,
                         place, difference);
        }
        return;
    }
    if (json_is_array(expected) || json_is_array(actual)) {
        note(difference, "%s: another shape", path);
        return;
    }
    const double a = round_to_dtype(number_of(actual), dtype), e = number_of(expected);

    if (!actual || !is_close(a, e, tolerance))
        note(difference, "%s: %.17g instead of %.17g", path, a, e);
}

void compare_tensors(const json_t *expected, const json_t *reply, const json_t *tolerance,
                     struct difference *difference)
{
    const char *name;
    json_t *tensor;

    json_object_foreach((json_t *)expected, name, tensor)
    {
        const json_t *actual = json_object_get(json_object_get(reply, "tensors"), name);
        const char *dtype = json_string_value(json_object_get(actual, "dtype"));

        if (!actual || !dtype) {
            note(difference, "no tensor %s", name);
            return;
        }
        if (!json_equal(json_object_get(tensor, "shape"), json_object_get(actual, "shape")))
            note(difference, "%s: another shape", name);
        compare_data(json_object_get(tensor, "data"), json_object_get(actual, "data"), dtype,
                     tolerance, name, difference);
    }
}

void compare_subset(const json_t *expected, const json_t *actual, const json_t *tolerance,
                    const char *path, struct difference *difference)
{
    char place[256];
    const char *name;
    json_t *member;

    if (json_is_object(expected)) {
        json_object_foreach((json_t *)expected, name, member)
        {
            (void)snprintf(place, sizeof(place), "%.160s.%.60s", path, name);
            if (!json_object_get(actual, name))
                note(difference, "%s is missing", place);
            compare_subset(member, json_object_get(actual, name), tolerance, place, difference);
        }
    } else if (json_is_array(expected)) {
        if (json_array_size(expected) != json_array_size(actual))
            note(difference, "%s: a list of another length", path);
        for (size_t i = 0; i < json_array_size(expected); i++) {
            (void)snprintf(place, sizeof(place), "%.180s.%zu", path, i);
            compare_subset(json_array_get(expected, i), json_array_get(actual, i), tolerance, place,
                           difference);
        }
    } else if (json_is_number(expected)) {
        if (!json_is_number(actual) ||
            !is_close(json_number_value(actual), json_number_value(expected), tolerance))
            note(difference, "%s: %.17g instead of %.17g", path, json_number_value(actual),
                 json_number_value(expected));
    } else if (!json_equal(expected, actual)) {
        note(difference, "%s differs", path);
    }
}

bool is_one_of(const json_t *expected, const json_t *actual)
{
    if (!json_is_array(expected))
        return json_equal(expected, actual);
    for (size_t i = 0; i < json_array_size(expected); i++)
        if (json_equal(json_array_get(expected, i), actual))
            return true;
    return false;
}
