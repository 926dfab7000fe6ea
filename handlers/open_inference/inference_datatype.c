/* Elements are little-endian, as this machine. */
#include "inference_datatype.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const struct inference_datatype datatypes[] = {
    {"BOOL", 1, POSENC_INT32, true, false, 0, 1},
    {"UINT8", 1, POSENC_INT32, true, false, 0, UINT8_MAX},
    {"UINT16", 2, POSENC_INT32, true, false, 0, UINT16_MAX},
    {"UINT32", 4, POSENC_INT64, true, false, 0, UINT32_MAX},
    {"UINT64", 8, POSENC_INT64, true, false, 0, POSENC_INTEGER_MAX},
    {"INT8", 1, POSENC_INT32, true, true, INT8_MIN, INT8_MAX},
    {"INT16", 2, POSENC_INT32, true, true, INT16_MIN, INT16_MAX},
    {"INT32", 4, POSENC_INT32, true, true, INT32_MIN, INT32_MAX},
    {"INT64", 8, POSENC_INT64, true, true, -POSENC_INTEGER_MAX, POSENC_INTEGER_MAX},
    {"FP16", 2, POSENC_FLOAT16, false, true, 0, 65520},
    {"BF16", 2, POSENC_BFLOAT16, false, true, 0, 0x1.ffp127},
    {"FP32", 4, POSENC_FLOAT32, false, true, 0, 0x1.ffffffp127},
    {"FP64", 8, POSENC_FLOAT64, false, true, 0, INFINITY},
};

#define DATATYPES (sizeof datatypes / sizeof *datatypes)

const char *const inference_datatype_names[] = {"BOOL", "UINT8", "UINT16", "UINT32", "UINT64",
                                                "INT8", "INT16", "INT32",  "INT64",  "FP16",
                                                "BF16", "FP32",  "FP64",   NULL};

const struct inference_datatype *inference_datatype_find(const char *name)
{
    for (size_t i = 0; i < DATATYPES; i++)
        if (strcmp(datatypes[i].name, name) == 0)
            return &datatypes[i];
    return NULL;
}

const char *inference_datatype_name(enum posenc_dtype dtype)
{
    switch (dtype) {
    case POSENC_FLOAT64:
        return "FP64";
    case POSENC_FLOAT32:
        return "FP32";
    case POSENC_FLOAT16:
        return "FP16";
    case POSENC_BFLOAT16:
        return "BF16";
    case POSENC_INT64:
        return "INT64";
    case POSENC_INT32:
        return "INT32";
    case POSENC_DTYPE_COUNT:
        break;
    }
    return NULL;
}

static int64_t sign_extend(uint64_t bits, size_t size)
{
    const uint64_t sign = (uint64_t)1 << (8 * size - 1);

    return (int64_t)((bits ^ sign) - sign);
}

/* False where the integer lies outside the datatype's range. */
static bool read_integer(const struct inference_datatype *datatype, const char *from,
                         int64_t *integer)
{
    uint64_t bits = 0;

    memcpy(&bits, from, datatype->size);
    if (!datatype->is_signed && bits > (uint64_t)datatype->maximum)
        return false;
    *integer = datatype->is_signed ? sign_extend(bits, datatype->size) : (int64_t)bits;
    return *integer >= (int64_t)datatype->minimum && *integer <= (int64_t)datatype->maximum;
}

/* Writes count integers in the array's own dtype. */
static bool widen_integers(const struct inference_datatype *datatype,
                           const struct element_source *source, size_t count, void *out,
                           struct body_problem *problem)
{
    int32_t *const narrow = out;
    int64_t *const wide = out;

    for (size_t i = 0; i < count; i++) {
        const size_t at = source->offset + i * datatype->size;
        int64_t integer;

        if (!read_integer(datatype, source->body + at, &integer))
            return body_fail(problem, at, "this integer is no %s from %.17g to %.17g",
                             datatype->name, datatype->minimum, datatype->maximum);
        if (datatype->dtype == POSENC_INT32)
            narrow[i] = (int32_t)integer;
        else
            wide[i] = integer;
    }
    return true;
}

bool inference_datatype_take(const struct inference_datatype *datatype,
                             const struct element_source *source, struct posenc_memory *memory,
                             struct posenc_array *array, struct body_problem *problem)
{
    size_t count = 0;
    void *elements;

    array->dtype = datatype->dtype;
    if (datatype->is_signed && datatype->size == posenc_dtype_size(datatype->dtype))
        return take_elements(source, memory, array, problem);
    (void)posenc_shape_count(array->rank, array->shape, &count); /* they lie in the body */
    elements = posenc_allocate(memory, count, posenc_dtype_size(array->dtype));
    if (!elements)
        return body_fail_memory(problem);
    array->data = elements;
    return widen_integers(datatype, source, count, elements, problem);
}
