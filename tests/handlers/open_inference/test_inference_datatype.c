#include "inference_datatype.h"

#include <criterion/criterion.h>
#include <string.h>

static struct posenc_memory memory;
static struct body_problem problem;

static void begin(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
}

static void end(void)
{
    posenc_memory_release(&memory);
}

TestSuite(inference_datatype, .init = begin, .fini = end);

Test(inference_datatype, is_known_by_each_name_of_the_list)
{
    size_t count = 0;

    for (; inference_datatype_names[count]; count++) {
        const struct inference_datatype *const datatype =
            inference_datatype_find(inference_datatype_names[count]);

        cr_assert(datatype, "%s", inference_datatype_names[count]);
        cr_expect_str_eq(datatype->name, inference_datatype_names[count]);
        cr_expect_leq(datatype->size, posenc_dtype_size(datatype->dtype));
    }
    cr_expect_eq(count, 13);
    cr_expect_null(inference_datatype_find("BYTES"));
    cr_expect_null(inference_datatype_find("fp32"));
    cr_expect_null(inference_datatype_find(""));
}

Test(inference_datatype, of_every_dtype_has_a_name_that_reads_back)
{
    for (int dtype = 0; dtype < POSENC_DTYPE_COUNT; dtype++) {
        const char *const name = inference_datatype_name((enum posenc_dtype)dtype);

        cr_expect_eq(inference_datatype_find(name)->dtype, (enum posenc_dtype)dtype, "%s", name);
    }
}

/* Takes count elements that lie one byte behind an aligned address. */
static bool take(const char *name, const void *bytes, size_t count, struct posenc_array *array)
{
    static _Alignas(8) char body[128];
    const struct inference_datatype *const datatype = inference_datatype_find(name);
    const struct element_source source = {.body = body, .offset = 1};

    memcpy(body + 1, bytes, count * datatype->size);
    *array = (struct posenc_array){.rank = 1, .shape = {count}};
    return inference_datatype_take(datatype, &source, &memory, array, &problem);
}

static void expect_taken(const char *name, const void *bytes, size_t count, const double *expected)
{
    struct posenc_array array;
    double values[8];

    cr_assert(take(name, bytes, count, &array), "%s: %s", name, problem.detail);
    cr_expect_eq(array.dtype, inference_datatype_find(name)->dtype);
    posenc_widen(array.dtype, array.data, count, values);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(values[i], expected[i], "%s %zu: %g", name, i, values[i]);
}

Test(inference_datatype, keeps_every_value_of_its_elements)
{
    static const uint8_t bools[] = {0, 1}, u8[] = {0, 255};
    static const int8_t i8[] = {-128, 127};
    static const uint16_t u16[] = {65535, 1}, half[] = {0x3C00, 0xC000}, brain[] = {0x3F80, 0xC000};
    static const int16_t i16[] = {-32768, 32767};
    static const uint32_t u32[] = {4294967295U, 0};
    static const int32_t i32[] = {INT32_MIN, INT32_MAX};
    static const uint64_t u64[] = {9007199254740991U, 0};
    static const int64_t i64[] = {-9007199254740991, 9007199254740991};
    static const float floats[] = {0.1f, -3e38f};
    static const double doubles[] = {0.1, -1e308};

    expect_taken("BOOL", bools, 2, (const double[]){0, 1});
    expect_taken("UINT8", u8, 2, (const double[]){0, 255});
    expect_taken("INT8", i8, 2, (const double[]){-128, 127});
    expect_taken("UINT16", u16, 2, (const double[]){65535, 1});
    expect_taken("INT16", i16, 2, (const double[]){-32768, 32767});
    expect_taken("UINT32", u32, 2, (const double[]){4294967295.0, 0});
    expect_taken("INT32", i32, 2, (const double[]){INT32_MIN, INT32_MAX});
    expect_taken("UINT64", u64, 2, (const double[]){9007199254740991.0, 0});
    expect_taken("INT64", i64, 2, (const double[]){-9007199254740991.0, 9007199254740991.0});
    expect_taken("FP16", half, 2, (const double[]){1, -2});
    expect_taken("BF16", brain, 2, (const double[]){1, -2});
    expect_taken("FP32", floats, 2, (const double[]){0.1f, -3e38f});
    expect_taken("FP64", doubles, 2, doubles);
}

Test(inference_datatype, refuses_integers_that_it_has_not_or_doubles_cannot_hold)
{
    static const uint8_t truth[] = {1, 2};
    static const uint64_t large[] = {1, 9007199254740992U}, huge[] = {UINT64_MAX};
    static const int64_t low[] = {-9007199254740992};
    struct posenc_array array;

    cr_expect_not(take("BOOL", truth, 2, &array));
    cr_expect_eq(problem.offset, 2);
    cr_expect_not(take("UINT64", large, 2, &array));
    cr_expect_eq(problem.offset, 9);
    cr_expect_not(take("UINT64", huge, 1, &array));
    cr_expect_not(take("INT64", low, 1, &array));
    cr_expect_not(problem.no_memory);
}

Test(inference_datatype, says_when_memory_is_out)
{
    static const uint8_t bytes[] = {1, 2};
    struct posenc_array array;

    memory.limit = 0;
    cr_expect_not(take("UINT8", bytes, 2, &array));
    cr_expect(problem.no_memory);
}
