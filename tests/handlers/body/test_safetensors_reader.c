/* Bodies in the safetensors format: what is read, and that everything else is refused. */
#include "safetensors_reader.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "binary_trial.h"
#include "format.h"
#include "rows.h"
#include "served.h"

/* Generous for a sanitized build on a busy machine; what is not linear takes far longer. */
#define SECONDS_MAX 5.0

static struct binary_trial trial;
static struct posenc_value object;

static void set_up(void)
{
    binary_trial_init(&trial);
}

static void tear_down(void)
{
    binary_trial_release(&trial);
}

TestSuite(safetensors_reader, .init = set_up, .fini = tear_down);

static bool read_bytes(const char *bytes, size_t size)
{
    binary_trial_copy(&trial, bytes, size);
    memset(&object, 0x55, sizeof object);
    const bool is_read =
        read_safetensors_body(trial.copy, size, &trial.memory, &object, &trial.problem);

    expect_served_alike("application/vnd.safetensors", trial.copy, size, is_read, &trial.problem);
    return is_read;
}

static size_t make_file(char *file, uint64_t length, const char *header, size_t header_size,
                        const void *data, size_t data_size)
{
    for (size_t i = 0; i < 8; i++)
        file[i] = (char)(length >> 8 * i);
    memcpy(file + 8, header, header_size);
    if (data_size > 0)
        memcpy(file + 8 + header_size, data, data_size);
    return 8 + header_size + data_size;
}

static const char data[64] = "\x01\x02\x03\x04\x05\x06\x07\0\x09\x0a\x0b\x0c\x0d\x0e\x0f\0";

static bool read_header(const char *header, size_t data_size)
{
    char *const file = malloc(8 + strlen(header) + data_size);

    cr_assert(file && data_size <= sizeof data);
    const bool is_read =
        read_bytes(file, make_file(file, strlen(header), header, strlen(header), data, data_size));

    free(file);
    return is_read;
}

static const struct posenc_array *member(const char *name)
{
    const struct posenc_value *const value = posenc_find_member(&object, name);

    cr_assert(value && value->kind == POSENC_ARRAY, "%s", name);
    return &value->as.array;
}

#define TWO                                                                                        \
    "{\"__metadata__\":{\"format\":\"pt\"},"                                                       \
    "\"q\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]},"                            \
    "\"k\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[8,12]}}"

Test(safetensors_reader, points_into_a_body_that_is_aligned)
{
    char header[256] = TWO;

    while (strlen(header) % 8 != 0)
        strcat(header, " ");
    cr_assert(read_header(header, 12), "%s", trial.problem.detail);
    cr_expect_eq(object.as.object.count, 2);
    cr_expect_eq(member("q")->dtype, POSENC_FLOAT32);
    cr_expect_eq(member("q")->rank, 2);
    cr_expect(member("q")->shape[0] == 1 && member("q")->shape[1] == 2);
    cr_expect_eq((const char *)member("q")->data, trial.copy + 8 + strlen(header));
    cr_expect_eq(member("k")->dtype, POSENC_BFLOAT16);
    cr_expect_eq((const char *)member("k")->data, trial.copy + 8 + strlen(header) + 8);
}

ROW(B36);

Test(safetensors_reader, copies_what_is_not_aligned)
{
    char header[256] = TWO;

    while (strlen(header) % 2 == 0)
        strcat(header, " ");
    cr_assert(read_header(header, 12), "%s", trial.problem.detail);
    cr_expect_eq((uintptr_t)member("q")->data % 4, 0);
    cr_expect_eq((uintptr_t)member("k")->data % 2, 0);
    cr_expect_arr_eq(member("q")->data, data, 8);
    cr_expect_arr_eq(member("k")->data, data + 8, 4);
}

Test(safetensors_reader, reads_each_dtype)
{
    static const struct {
        const char *name;
        enum posenc_dtype dtype;
    } rows[] = {{"F64", POSENC_FLOAT64},   {"F32", POSENC_FLOAT32}, {"F16", POSENC_FLOAT16},
                {"BF16", POSENC_BFLOAT16}, {"I64", POSENC_INT64},   {"I32", POSENC_INT32}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char header[128];
        const size_t size = 2 * posenc_dtype_size(rows[i].dtype);

        (void)snprintf(header, sizeof header,
                       "{\"x\":{\"data_offsets\":[0,%zu],\"shape\":[2],\"dtype\":\"%s\"}}", size,
                       rows[i].name);
        cr_assert(read_header(header, size), "%s: %s", rows[i].name, trial.problem.detail);
        cr_expect_eq(member("x")->dtype, rows[i].dtype);
        cr_expect_arr_eq(member("x")->data, data, size);
    }
}

struct row {
    const char *row;
    const char *header;
    size_t data_size;
    const char *detail; /* part of the refusal; NULL: it is read */
};

static void expect_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_verdict(&trial, read_header(rows[i].header, rows[i].data_size), rows[i].detail,
                       rows[i].header);
}

#define EXPECT_ROWS(rows) expect_rows(rows, sizeof(rows) / sizeof *(rows))
#define X(dtype, shape, offsets)                                                                   \
    "\"x\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"
#define Y(dtype, shape, offsets)                                                                   \
    "\"y\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"

Test(safetensors_reader, wants_the_grammar_of_the_header)
{
    static const struct row rows[] = {
        {"B18", "{}", 0, NULL},
        {"B18", "{}   ", 0, NULL},
        {"B33", "{\"__metadata__\":{}}", 0, NULL},
        {"B19",
         "{ \"x\" : { \"dtype\" : \"F32\" , \"shape\" : [ 1 ] , \"data_offsets\" : [ 0 , 4 ] } }",
         4, NULL},
        {"B18", " {}", 0, "starts with '{'"},
        {"B19", "\xef\xbb\xbf{}", 0, "starts with '{'"},
        {"B19", "[]", 0, "starts with '{'"},
        {"B18", "{}\n", 0, "only spaces"},
        {"B18", "{}x", 0, "only spaces"},
        {"B19", "{", 0, "text in double quotes"},
        {"B19", "{\"x", 0, "not closed"},
        {"B19", "{\"x\"}", 0, "colon"},
        {"B19", "{\"x\":[[[[[[[[[[[[[[[[[[[[[[[[]}", 0, "object of dtype"},
        {"B19", "{\"x\":1}", 0, "object of dtype"},
        {"B19", "{\"\xff\":{}}", 0, "UTF-8"},
        {"B19", "{" X("F32", "[1]", "[0,4]") ",}", 4, "text in double quotes"},
        {"B20", "{" X("F32", "[1]", "[0,4]") "," X("F32", "[1]", "[4,8]") "}", 8, "two tensors"},
        {"B21", "{\"x\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "lacks"},
        {"B20", "{\"x\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", 4, "twice"},
        {"B19", "{\"x\":{\"dtype\":\"F32\",\"more\":1}}", 4, "no others"},
        {"B32", "{\"\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
         "needs a name"},
        {"B32", "{\"\\u0078\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
         "escapes"},
        {"B32", "{\"a\\u0000b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
         "NUL"},
        {"B32", "{\"../x/y\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, NULL},
        {"B32", "{\"__metadata__\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
         "double quotes"},
        {"B33", "{\"__metadata__\":{\"a\":1}}", 0, "double quotes"},
        {"B33", "{\"__metadata__\":{\"a\":{}}}", 0, "double quotes"},
        {"B33", "{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}", 0, "twice"},
        {"B33", "{\"__metadata__\":{},\"__metadata__\":{}}", 0, "twice"},
        {"B33", "{\"__metadata__\":[]}", 0, "object of texts"},
    };
    ROWS_OF(rows);

    EXPECT_ROWS(rows);
}

ROW(B18);

Test(safetensors_reader, refuses_a_padding_of_nul_bytes)
{
    char file[16];

    cr_expect_not(read_bytes(file, make_file(file, 3, "{}\0", 3, NULL, 0)));
    cr_expect_eq(trial.problem.offset, 10);
}

Test(safetensors_reader, wants_tensors_that_cover_the_bytes_once)
{
    static const struct row rows[] = {
        {"B21", "{" X("F32", "[1]", "[]") "}", 4, "integer in decimal digits"},
        {"B21", "{" X("F32", "[1]", "[0]") "}", 4, "begin and end"},
        {"B21", "{" X("F32", "[1]", "[0,4,8]") "}", 4, "begin and end"},
        {"B21", "{" X("F32", "[1]", "[\"0\",\"4\"]") "}", 4, "integer in decimal digits"},
        {"B21", "{" X("F32", "[1]", "[0.0,4.0]") "}", 4, "begin and end"},
        {"B34", "{" X("F32", "[1]", "[-0,4]") "}", 4, "integer in decimal digits"},
        {"B34", "{" X("F32", "[1]", "[00,4]") "}", 4, "integer in decimal digits"},
        {"B34", "{" X("F32", "[1]", "[0,4e0]") "}", 4, "begin and end"},
        {"B34", "{" X("F32", "[1e0]", "[0,4]") "}", 4, "comma"},
        {"B34", "{" X("F32", "[1.0]", "[0,4]") "}", 4, "comma"},
        {"B21", "{" X("F32", "[-1]", "[0,4]") "}", 4, "integer in decimal digits"},
        {"B21", "{" X("F32", "[null]", "[0,4]") "}", 4, "integer in decimal digits"},
        {"B21", "{" X("F32", "1", "[0,4]") "}", 4, "list of lengths"},
        {"B21", "{" X("F32", "[1]", "[-4,0]") "}", 4, "integer in decimal digits"},
        {"B22", "{" X("F32", "[1]", "[0,18446744073709551615]") "}", 4, "in order"},
        {"B22", "{" X("F32", "[1]", "[18446744073709551612,18446744073709551615]") "}", 4,
         "in order"},
        {"B35", "{" X("F32", "[1]", "[0,18446744073709551616]") "}", 4, "64 bits"},
        {"B35", "{" X("F32", "[1]", "[9007199254740993,9007199254740997]") "}", 4, "in order"},
        {"B22", "{" X("F32", "[1]", "[4,0]") "}", 4, "in order"},
        {"B22", "{" X("F32", "[1]", "[0,5]") "}", 4, "in order"},
        {"B23", "{" X("F32", "[1]", "[0,4]") "," Y("F32", "[1]", "[3,7]") "}", 7, "another tensor"},
        {"B23", "{" X("F32", "[1]", "[0,4]") "," Y("F32", "[1]", "[0,4]") "}", 4, "another tensor"},
        {"B24", "{" X("F32", "[1]", "[0,4]") "," Y("F32", "[1]", "[5,9]") "}", 9, "before these"},
        {"B24", "{" X("F32", "[1]", "[0,4]") "}", 5, "from here on"},
        {"B24", "{" X("F32", "[1]", "[1,5]") "}", 5, "before these"},
        {"B24", "{" Y("F32", "[1]", "[4,8]") "," X("F32", "[1]", "[0,4]") "}", 8, NULL},
        {"B25", "{" X("F32", "[2]", "[0,4]") "}", 4, "need 8 bytes, but these offsets span 4"},
        {"B25", "{" X("F32", "[1]", "[0,8]") "}", 8, "need 4 bytes, but these offsets span 8"},
        {"B26", "{" X("F32", "[4294967296,4294967296]", "[0,0]") "}", 0, "counted"},
        {"B26", "{" X("F32", "[4294967296,4294967296,0]", "[0,0]") "}", 0, "counted"},
        {"B27", "{" X("F32", "[]", "[0,4]") "}", 4, NULL},
        {"B27", "{" X("F32", "[0]", "[0,0]") "}", 0, NULL},
        {"B27", "{" X("F32", "[0]", "[0,4]") "}", 4, "need 0 bytes"},
        {"B27", "{" X("F32", "[0]", "[4,4]") "," Y("F32", "[1]", "[0,4]") "}", 4, NULL},
        {"B25", "{" X("F32", "[1,1,1,1,1,1,1,1]", "[0,4]") "}", 4, NULL},
        {"B25", "{" X("F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]") "}", 4, "8 axes"},
        {"B28", "{" X("F99", "[1]", "[18446744073709551615,0]") "}", 4, "dtype is not read"},
        {"B29", "{" X("f32", "[1]", "[0,4]") "}", 4, "dtype is not read"},
        {"B29", "{" X("F8_E4M3", "[1]", "[0,1]") "}", 1, "dtype is not read"},
        {"B30", "{" X("F4", "[3]", "[0,1]") "}", 1, "dtype is not read"},
        {"B29", "{" X("BOOL", "[1]", "[0,1]") "}", 1, "dtype is not read"},
        {"B29", "{" X("F32 ", "[1]", "[0,4]") "}", 4, "dtype is not read"},
    };
    ROWS_OF(rows);

    EXPECT_ROWS(rows);
}

static void expect_refused(const char *bytes, size_t size, const char *detail, size_t offset)
{
    cr_expect_not(read_bytes(bytes, size), "%s", detail);
    cr_expect(strstr(trial.problem.detail, detail), "%s", trial.problem.detail);
    cr_expect_eq(trial.problem.offset, offset, "%s: %zu", trial.problem.detail,
                 trial.problem.offset);
}

ROW(B1);
ROW(B16);
ROW(B17);

Test(safetensors_reader, believes_no_header_length)
{
    static const uint64_t too_large[] = {100000001, 1048577, (uint64_t)1 << 63, UINT64_MAX,
                                         UINT64_MAX - 7};
    char file[64];

    expect_refused("", 0, "ends within the first 8 bytes", 0);
    for (size_t size = 1; size < 8; size++)
        expect_refused("\2\0\0\0\0\0\0\0", size, "ends within the first 8 bytes", size);
    for (size_t i = 0; i < sizeof too_large / sizeof *too_large; i++)
        expect_refused(file, make_file(file, too_large[i], "{}", 2, NULL, 0), "at most 1048576", 0);
    expect_refused(file, make_file(file, 0, "{}", 2, NULL, 0), "starts with '{'", 8);
    expect_refused(file, make_file(file, 1, "{}", 2, NULL, 0), "double quotes", 9);
    expect_refused(file, make_file(file, 3, "{}", 2, NULL, 0), "ends within the header", 10);
    cr_expect(read_bytes(file, make_file(file, 2, "{}", 2, NULL, 0)));
    cr_expect_eq(object.as.object.count, 0);
}

/* A header of `count` tensors called 0, 1, ... that all span the same bytes. */
static char *make_many(size_t count, const char *offsets)
{
    char *const header = malloc(count * 80 + 16);
    size_t length = 0;

    cr_assert(header);
    for (size_t i = 0; i < count; i++)
        length += (size_t)sprintf(header + length,
                                  "%c\"%zu\":{\"dtype\":\"F32\",\"shape\":[0],"
                                  "\"data_offsets\":%s}",
                                  i ? ',' : '{', i, offsets);
    (void)sprintf(header + length, "}");
    return header;
}

ROW(B31);

Test(safetensors_reader, reads_1024_tensors_and_no_more)
{
    char *header = make_many(1024, "[0,0]");
    const clock_t start = clock();

    cr_expect(read_header(header, 0), "%s", trial.problem.detail);
    cr_expect_eq(object.as.object.count, 1024);
    free(header);
    header = make_many(1025, "[0,0]");
    cr_expect_not(read_header(header, 0));
    cr_expect(strstr(trial.problem.detail, "1024 tensors"), "%s", trial.problem.detail);
    free(header);
    header = make_many(16000, "[0,4]");
    cr_expect_not(read_header(header, 4));
    free(header);
    cr_expect_lt((double)(clock() - start) / CLOCKS_PER_SEC, SECONDS_MAX);
}

/* The header {"<a...a>": <value>}, whose name or value is this long. */
static char *make_long(size_t size, const char *before, const char *after)
{
    char *const header = malloc(size + strlen(before) + strlen(after) + 1);

    cr_assert(header);
    strcpy(header, before);
    memset(header + strlen(before), 'a', size);
    strcpy(header + strlen(before) + size, after);
    return header;
}

ROW(B32);
ROW(B33);

Test(safetensors_reader, limits_names_and_metadata)
{
    static const char after[] = "\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}";
    static const struct {
        size_t size;
        const char *before, *after;
        bool is_read;
    } rows[] = {
        {1000, "{\"", after, true},
        {1001, "{\"", after, false},
        {1000000, "{\"", after, false},
        {65000, "{\"__metadata__\":{\"a\":\"", "\"}}", true},
        {65536, "{\"__metadata__\":{\"a\":\"", "\"}}", false},
        {1000000, "{\"__metadata__\":{\"a\":\"", "\"}}", false},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *const header = make_long(rows[i].size, rows[i].before, rows[i].after);

        cr_expect_eq(read_header(header, rows[i].after == after ? 4 : 0), rows[i].is_read,
                     "%zu: %s", i, trial.problem.detail);
        free(header);
    }
}

Test(safetensors_reader, limits_the_number_of_metadata)
{
    for (size_t count = 256; count <= 257; count++) {
        char header[8192] = "{\"__metadata__\":";
        size_t length = strlen(header);

        for (size_t i = 0; i < count; i++)
            length += (size_t)sprintf(header + length, "%c\"%zu\":\"\"", i ? ',' : '{', i);
        strcpy(header + length, "}}");
        cr_expect_eq(read_header(header, 0), count == 256, "%s", trial.problem.detail);
    }
}

static size_t make_good_file(char *file)
{
    return make_file(file, strlen(TWO), TWO, strlen(TWO), data, 12);
}

ROW(B37);

Test(safetensors_reader, refuses_every_prefix_of_a_file)
{
    char file[512];
    const size_t size = make_good_file(file);

    for (size_t length = 0; length < size; length++) {
        cr_assert_not(read_bytes(file, length), "%zu", length);
        cr_expect_leq(trial.problem.offset, length);
        cr_expect_neq(trial.problem.detail[0], '\0');
    }
    cr_expect(read_bytes(file, size));
}

static size_t bytes_of(const struct posenc_value *tensors)
{
    size_t sum = 0;

    for (size_t i = 0; i < tensors->as.object.count; i++) {
        const struct posenc_array *const array = &tensors->as.object.items[i].value.as.array;
        size_t count = 0;

        cr_expect(posenc_shape_count(array->rank, array->shape, &count));
        sum += count * posenc_dtype_size(array->dtype);
    }
    return sum;
}

ROW(B38);

Test(safetensors_reader, refuses_a_flipped_bit_or_reads_as_many_bytes)
{
    char file[512];
    const size_t size = make_good_file(file);

    for (size_t bit = 0; bit < 8 * size; bit++) {
        file[bit / 8] = (char)(file[bit / 8] ^ 1 << bit % 8);
        if (read_bytes(file, size))
            cr_expect_eq(bytes_of(&object), 12, "bit %zu", bit);
        else
            cr_expect(trial.problem.offset <= size && trial.problem.detail[0] != '\0');
        file[bit / 8] = (char)(file[bit / 8] ^ 1 << bit % 8);
    }
}

ROW(B39);

Test(safetensors_reader, refuses_a_second_file_behind_the_first)
{
    char files[1024];
    const size_t size = make_good_file(files);

    memcpy(files + size, files, size);
    expect_refused(files, 2 * size, "from here on", size);
}

static void fill_bytes(const void *plan, size_t first, size_t count, void *out)
{
    (void)plan;
    memcpy(out, data + 2 * first, 2 * count);
}

ROW(B40);

Test(safetensors_reader, reads_what_the_writer_writes)
{
    static const struct posenc_result result = {
        .tensor_count = 1, .tensors = {{"x", POSENC_BFLOAT16, 2, {2, 3}, 6, fill_bytes, NULL, 0}}};
    const struct format_input input = {&result, NULL, false, NULL};
    struct format_body body = {0};
    char file[1024];

    cr_assert_eq(format_safetensors.open(&input, &trial.memory, &body, NULL), POSENC_OK);
    const ssize_t size = body.read(body.state, 0, file, sizeof file);

    cr_assert(read_bytes(file, (size_t)size), "%s", trial.problem.detail);
    cr_expect_eq(member("x")->dtype, POSENC_BFLOAT16);
    cr_expect_arr_eq(member("x")->shape, result.tensors[0].shape, 2 * sizeof(size_t));
    cr_expect_arr_eq(member("x")->data, data, 12);
    cr_expect_eq((uintptr_t)member("x")->data - (uintptr_t)trial.copy, (uintptr_t)size - 12);
}

Test(safetensors_reader, says_when_memory_is_out)
{
    for (size_t limit = 0; limit < 100000; limit += 64) {
        posenc_memory_release(&trial.memory);
        posenc_memory_init(&trial.memory, limit);
        if (read_header(TWO, 12)) {
            cr_expect_gt(limit, 0);
            return;
        }
        cr_assert(trial.problem.no_memory, "%s", trial.problem.detail);
    }
    cr_assert_fail("two tensors need less than this");
}
