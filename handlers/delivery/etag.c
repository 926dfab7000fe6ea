/* Whatever is hashed says what it is and where it ends, so that nothing can be read in two ways. */
#include "etag.h"

#include <stdio.h>
#include <string.h>

#include "sha256.h"

static void add_integer(struct sha256 *hash, uint64_t integer)
{
    sha256_add(hash, &integer,
               sizeof(integer)); /* little-endian, as every machine that we run on */
}

static void add_byte(struct sha256 *hash, unsigned char byte)
{
    sha256_add(hash, &byte, 1);
}

static void add_text(struct sha256 *hash, const char *text)
{
    sha256_add(hash, text ? text : "", text ? strlen(text) + 1 : 1); /* with its NUL byte */
}

static uint64_t array_bytes(const struct posenc_array *array)
{
    size_t count = 0;

    (void)posenc_shape_count(array->rank, array->shape, &count); /* it was counted when it came */
    return (uint64_t)count * posenc_dtype_size(array->dtype);
}

static void add_array(struct sha256 *hash, const struct posenc_array *array)
{
    const uint64_t bytes = array_bytes(array);

    add_byte(hash, (unsigned char)array->dtype);
    add_byte(hash, (unsigned char)array->rank);
    for (size_t axis = 0; axis < array->rank; axis++)
        add_integer(hash, array->shape[axis]);
    if (bytes > 0)
        sha256_add(hash, array->data, (size_t)bytes);
}

static void add_value(struct sha256 *hash, const struct posenc_value *value);

static void add_list(struct sha256 *hash, const struct posenc_list *list)
{
    add_integer(hash, list->count);
    for (size_t i = 0; i < list->count; i++)
        add_value(hash, &list->items[i]);
}

static void add_members(struct sha256 *hash, const struct posenc_members *members)
{
    add_integer(hash, members->count);
    for (size_t i = 0; i < members->count; i++) {
        add_text(hash, members->items[i].name);
        add_value(hash, &members->items[i].value);
    }
}

/* As deep as the body was nested, which has a limit. */
static void add_value(struct sha256 *hash, const struct posenc_value *value)
{
    add_byte(hash, (unsigned char)value->kind);
    switch (value->kind) {
    case POSENC_NULL:
        return;
    case POSENC_BOOLEAN:
        add_byte(hash, value->as.boolean);
        return;
    case POSENC_NUMBER:
        sha256_add(hash, &value->as.number, sizeof(value->as.number));
        return;
    case POSENC_TEXT:
    case POSENC_RAGGED:
        add_text(hash, value->as.text);
        return;
    case POSENC_ARRAY:
        add_array(hash, &value->as.array);
        return;
    case POSENC_LIST:
        add_list(hash, &value->as.list);
        return;
    case POSENC_OBJECT:
        add_members(hash, &value->as.object);
        return;
    case POSENC_UNTYPED:
        add_text(hash, value->as.untyped.text);
        return;
    }
}

/* Rows of the representation come in as what was made of them: `format` says the same as Accept. */
static bool shapes_values(const struct posenc_parameter *row)
{
    for (const struct posenc_parameter *other = representation_rows; other->name; other++)
        if (row == other)
            return false;
    return true;
}

static void add_arguments(struct sha256 *hash, const struct posenc_arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++) {
        const struct posenc_argument *argument = &arguments->items[i];

        if (argument->origin == POSENC_ABSENT || !shapes_values(argument->row))
            continue;
        add_text(hash, argument->row->name);
        add_value(hash, &argument->value);
    }
    add_text(hash, NULL);
}

static void add_warnings(struct sha256 *hash, const struct posenc_result *result)
{
    add_integer(hash, result->warning_count);
    for (size_t i = 0; i < result->warning_count && i < POSENC_WARNINGS_MAX; i++) {
        add_text(hash, result->warnings[i].parameter);
        add_text(hash, result->warnings[i].detail);
    }
}

static void add_representation(struct sha256 *hash, const struct representation *representation)
{
    const struct format *format = representation->format;

    add_text(hash, format->name);
    add_text(hash, format->carries_one_tensor ? representation->tensor->name : NULL);
    add_byte(hash, representation->pretty);
}

static uint64_t input_bytes(const struct posenc_arguments *arguments)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < arguments->count; i++)
        if (arguments->items[i].value.kind == POSENC_ARRAY &&
            arguments->items[i].row->type == POSENC_TYPE_TENSOR)
            sum += array_bytes(&arguments->items[i].value.as.array);
    return sum;
}

static void finish(struct sha256 *hash, struct fingerprint *fingerprint)
{
    static const char hexadecimal[] = "0123456789abcdef";
    unsigned char digest[SHA256_BYTES];

    sha256_end(hash, digest);
    for (size_t i = 0; i < ETAG_DIGITS; i++)
        fingerprint->digits[i] = hexadecimal[digest[i / 2] >> (i % 2 ? 0 : 4) & 0xF];
    fingerprint->digits[ETAG_DIGITS] = '\0';
}

void fingerprint_result(const struct posenc_result *result,
                        const struct posenc_arguments *arguments,
                        const struct representation *representation,
                        struct fingerprint *fingerprint)
{
    struct sha256 hash;

    fingerprint->digits[0] = '\0';
    if (input_bytes(arguments) > ETAG_INPUTS_MAX)
        return;
    sha256_begin(&hash);
    add_text(&hash, POSENC_VERSION); /* of what stands around the values */
    add_integer(&hash, POSENC_NUMERIC_VERSION);
    add_text(&hash, result->encoding ? result->encoding->name : NULL);
    add_text(&hash, result->operation ? result->operation->name : NULL);
    add_arguments(&hash, arguments);
    add_warnings(&hash, result);
    add_representation(&hash, representation);
    finish(&hash, fingerprint);
}

void fingerprint_bytes(const char *bytes, size_t count, struct fingerprint *fingerprint)
{
    struct sha256 hash;

    sha256_begin(&hash);
    sha256_add(&hash, bytes, count);
    finish(&hash, fingerprint);
}

void etag_print(const struct fingerprint *fingerprint, enum coding coding, char tag[ETAG_SIZE])
{
    const char *name = coding_name(coding);

    if (name)
        (void)snprintf(tag, ETAG_SIZE, "W/\"%s-%s\"", fingerprint->digits, name);
    else
        (void)snprintf(tag, ETAG_SIZE, "%s\"%s\"", fingerprint->is_weak ? "W/" : "",
                       fingerprint->digits);
}
