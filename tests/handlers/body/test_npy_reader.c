/* Bodies in NumPy's format: what is read, and that everything else is refused at its place. */
#include "npy_reader.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "binary_trial.h"
#include "format.h"
#include "rows.h"
#include "served.h"

#define DICTIONARY_MAX 16384

static struct binary_trial trial;
static struct posenc_array array;

static void set_up(void)
{
    binary_trial_init(&trial);
}

static void tear_down(void)
{
    binary_trial_release(&trial);
}

TestSuite(npy_reader, .init = set_up, .fini = tear_down);

static bool read_bytes(const char *bytes, size_t size)
{
    binary_trial_copy(&trial, bytes, size);
    memset(&array, 0x55, sizeof array);
    const bool is_read = read_npy_body(trial.copy, size, &trial.memory, &array, &trial.problem);

    expect_served_alike("application/x-npy", trial.copy, size, is_read, &trial.problem);
    return is_read;
}

/* A file of that version whose header is these bytes; returns its size. */
static size_t make_file(char *file, int major, int minor, const char *header, size_t header_size,
                        const void *data, size_t data_size)
{
    const size_t prefix = major == 1 ? 10 : 12;

    memcpy(file, "\x93NUMPY", 6);
    file[6] = (char)major;
    file[7] = (char)minor;
    for (size_t i = 8; i < prefix; i++)
        file[i] = (char)(header_size >> 8 * (i - 8));
    memcpy(file + prefix, header, header_size);
    if (data_size > 0)
        memcpy(file + prefix + header_size, data, data_size);
    return prefix + header_size + data_size;
}

/* Reads a file of version 1.0 with this dictionary, as NumPy pads it, and data_size bytes. */
static bool read_dictionary(const char *dictionary, const void *data, size_t data_size)
{
    static char file[2 * DICTIONARY_MAX];
    char header[DICTIONARY_MAX];
    const size_t length = strlen(dictionary);
    const size_t size = (10 + length + 1 + 63) / 64 * 64 - 10;

    memset(header, ' ', size);
    memcpy(header, dictionary, length);
    header[size - 1] = '\n';
    return read_bytes(file, make_file(file, 1, 0, header, size, data, data_size));
}

static const float numbers[] = {1.5F, -2.25F, 3, 4.5F, -5, 6};
#define FLOATS "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"

Test(npy_reader, points_into_a_body_that_is_in_order)
{
    cr_assert(read_dictionary(FLOATS, numbers, sizeof numbers), "%s", trial.problem.detail);
    cr_expect_eq(array.dtype, POSENC_FLOAT32);
    cr_expect_eq(array.rank, 2);
    cr_expect(array.shape[0] == 2 && array.shape[1] == 3);
    cr_expect_eq((const char *)array.data, trial.copy + 128);
    cr_expect_eq(trial.memory.used, 0);
    cr_expect_arr_eq(array.data, numbers, sizeof numbers);
}

Test(npy_reader, copies_data_that_is_not_aligned)
{
    char file[256];
    const char header[] = FLOATS " \n";
    const size_t size = make_file(file, 1, 0, header, sizeof header - 1, numbers, sizeof numbers);

    cr_assert_neq((10 + sizeof header - 1) % 4, 0);
    cr_assert(read_bytes(file, size), "%s", trial.problem.detail);
    cr_expect_eq((uintptr_t)array.data % 64, 0);
    cr_expect_arr_eq(array.data, numbers, sizeof numbers);
}

Test(npy_reader, reads_each_dtype)
{
    static const struct {
        const char *descr;
        enum posenc_dtype dtype;
    } rows[] = {{"<f8", POSENC_FLOAT64},
                {"<f4", POSENC_FLOAT32},
                {"<f2", POSENC_FLOAT16},
                {"<i8", POSENC_INT64},
                {"<i4", POSENC_INT32}};
    static const char data[16] = "\x01\x02\x03\x04\x05\x06\x07\0\x09\x0a\x0b\x0c\x0d\x0e\x0f";

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char dictionary[128];
        const size_t size = 2 * posenc_dtype_size(rows[i].dtype);

        (void)snprintf(dictionary, sizeof dictionary,
                       "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }", rows[i].descr);
        cr_assert(read_dictionary(dictionary, data, size), "%s: %s", rows[i].descr,
                  trial.problem.detail);
        cr_expect_eq(array.dtype, rows[i].dtype);
        cr_expect_arr_eq(array.data, data, size);
    }
}

ROW(B11);

Test(npy_reader, swaps_big_endian_elements)
{
    static const char big[] = "\x3f\xc0\x00\x00\xc0\x10\x00\x00"; /* 1.5, -2.25 */

    cr_assert(read_dictionary("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", big, 8));
    cr_expect_arr_eq(array.data, numbers, 8);
    cr_assert(read_dictionary("{'descr': '>f2', 'fortran_order': False, 'shape': (2,), }",
                              "\x3c\0\xc0\x01", 4));
    cr_expect_arr_eq(array.data, "\0\x3c\x01\xc0", 4);
}

ROW(B12);

Test(npy_reader, transposes_fortran_order)
{
    int32_t fortran[2 * 3 * 4];

    for (int32_t i = 0; i < 2; i++)
        for (int32_t j = 0; j < 3; j++)
            for (int32_t k = 0; k < 4; k++)
                fortran[i + 2 * j + 6 * k] = 100 * i + 10 * j + k;
    cr_assert(read_dictionary("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3, 4), }",
                              fortran, sizeof fortran));
    for (int32_t i = 0; i < 24; i++)
        cr_expect_eq(((const int32_t *)array.data)[i], i / 12 * 100 + i / 4 % 3 * 10 + i % 4);

    cr_assert(read_dictionary("{'descr': '>f4', 'fortran_order': True, 'shape': (1, 2), }",
                              "\x3f\xc0\x00\x00\xc0\x10\x00\x00", 8));
    cr_expect_arr_eq(array.data, numbers, 8);
    cr_assert(read_dictionary("{'descr': '<f4', 'fortran_order': True, 'shape': (6,), }", numbers,
                              sizeof numbers));
    cr_expect_eq((const char *)array.data, trial.copy + 128, "one axis has one order");
}

ROW(B13);

Test(npy_reader, keeps_every_bit)
{
    static const uint32_t bits[] = {0x7fc00001, 0xffa00000, 0x7f800000, 0x00000001, 0x80000000};

    cr_assert(read_dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }", bits,
                              sizeof bits));
    cr_expect_arr_eq(array.data, bits, sizeof bits);
}

struct row {
    const char *row;
    const char *dictionary;
    size_t data_size;
    const char *detail; /* part of the refusal; NULL: it is read */
};

#define HEAD "{'descr': '<f4', 'fortran_order': False, 'shape': "

static void expect_rows(const struct row *rows, size_t count)
{
    static const char data[4096];

    for (size_t i = 0; i < count; i++)
        expect_verdict(&trial, read_dictionary(rows[i].dictionary, data, rows[i].data_size),
                       rows[i].detail, rows[i].dictionary);
}

Test(npy_reader, takes_the_dictionary_as_numpy_writes_it_and_no_other)
{
    static const struct row rows[] = {
        {"B7", "{'shape': (1,), 'fortran_order': False, 'descr': '<f4'}", 4, NULL},
        {"B7", "{'descr':'<f4','fortran_order':False,'shape':(1,)}", 4, NULL},
        {"B7", "{ 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 1 , 1 ) , }", 4, NULL},
        {"B7", "{'descr': '<f4', 'fortran_order': False}", 4, "lacks"},
        {"B7", "{}", 0, "lacks"},
        {"B7", HEAD "(1,), 'more': 1, }", 4, "no others"},
        {"B7", HEAD "(1,), 'shape': (1,), }", 4, "twice"},
        {"B6", HEAD "(1,), ", 4, "no others"},
        {"B6", HEAD "(1,)", 4, "comma"},
        {"B6", "{\"descr\": '<f4', 'fortran_order': False, 'shape': (1,), }", 4, "single quotes"},
        {"B6", "{'descr'\t: '<f4', 'fortran_order': False, 'shape': (1,), }", 4, "colon"},
        {"B6", "\xef\xbb\xbf" HEAD "(1,), }", 4, "starts with '{'"},
        {"B6", HEAD "(1,), }x", 4, "end the header"},
        {"B6", HEAD "(1,), }\n", 4, "end the header"},
        {"B6", "((((((((((((((((((((((((((", 0, "starts with '{'"},
        {"B6", HEAD "((((((((((((((((((((((((((1,)", 0, "digits"},
        {"B6", HEAD "[1], }", 4, "tuple"},
        {"B11", "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", 8, "objects"},
        {"B11", "{'descr': 'O', 'fortran_order': False, 'shape': (1,), }", 8, "objects"},
        {"B11", "{'descr': '<U9999999999', 'fortran_order': False, 'shape': (1,), }", 4, "dtype"},
        {"B11", "{'descr': 'V8', 'fortran_order': False, 'shape': (1,), }", 8, "dtype"},
        {"B11", "{'descr': '<V2', 'fortran_order': False, 'shape': (1,), }", 2, "bfloat16"},
        {"B11", "{'descr': '=f4', 'fortran_order': False, 'shape': (1,), }", 4, "dtype"},
        {"B11", "{'descr': '|f4', 'fortran_order': False, 'shape': (1,), }", 4, "dtype"},
        {"B11", "{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }", 16, "dtype"},
        {"B11", "{'descr': '<ixy', 'fortran_order': False, 'shape': (1,), }", 4, "dtype"},
        {"B11", "{'descr': '', 'fortran_order': False, 'shape': (1,), }", 4, "dtype"},
        {"B11", "{'descr': '<f4, 'fortran_order': False, 'shape': (1,), }", 4, "dtype"},
        {"B11", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", 4,
         "structures"},
        {"B11", "{'descr': 4, 'fortran_order': False, 'shape': (1,), }", 4, "text"},
        {"B12", "{'descr': '<f4', 'fortran_order': 1, 'shape': (1,), }", 4, "True or False"},
        {"B12", "{'descr': '<f4', 'fortran_order': \"True\", 'shape': (1,), }", 4, "True or False"},
        {"B12", "{'descr': '<f4', 'fortran_order': Truely, 'shape': (1,), }", 4, "comma"},
    };
    ROWS_OF(rows);

    expect_rows(rows, sizeof rows / sizeof *rows);
}

Test(npy_reader, takes_shapes_that_the_bytes_fill)
{
    static const struct row rows[] = {
        {"B8", HEAD "(), }", 4, NULL},
        {"B8", HEAD "(0,), }", 0, NULL},
        {"B8", HEAD "(0, 4), }", 0, NULL},
        {"B8", HEAD "(1, 1, 1, 1, 1, 1, 1, 1), }", 4, NULL},
        {"B8", HEAD "(1, 1, 1, 1, 1, 1, 1, 1, 1), }", 4, "8 axes"},
        {"B8", HEAD "(-1,), }", 4, "digits"},
        {"B8", HEAD "(3, 4L), }", 48, "comma"},
        {"B8", HEAD "(1.5,), }", 4, "comma"},
        {"B8", HEAD "(True,), }", 4, "digits"},
        {"B8", HEAD "(1), }", 4, "(5,)"},
        {"B8", HEAD "(,), }", 4, "digits"},
        {"B8", HEAD "(1 1), }", 4, "comma"},
        {"B8", HEAD "(01,), }", 4, "leading zeros"},
        {"B9", HEAD "(4294967296, 4294967296), }", 0, "counted"},
        {"B9", HEAD "(4294967296, 4294967296, 0), }", 0, "counted"},
        {"B9", HEAD "(9223372036854775808,), }", 0, "counted"},
        {"B9", HEAD "(18446744073709551616,), }", 0, "too large"},
        {"B10", HEAD "(2, 3), }", 20, "need 24 bytes, but 20"},
        {"B10", HEAD "(2, 3), }", 25, "need 24 bytes, but 25"},
        {"B8", HEAD "(0,), }", 4, "need 0 bytes, but 4"},
    };
    ROWS_OF(rows);

    expect_rows(rows, sizeof rows / sizeof *rows);
}

static void expect_refused(const char *bytes, size_t size, const char *detail, size_t offset)
{
    cr_expect_not(read_bytes(bytes, size), "%s", detail);
    cr_expect(strstr(trial.problem.detail, detail), "%s", trial.problem.detail);
    cr_expect_eq(trial.problem.offset, offset, "%s: %zu", trial.problem.detail,
                 trial.problem.offset);
}

ROW(B2);

Test(npy_reader, knows_versions_1_2_and_3)
{
    static const int versions[][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1},     {2, 0, 1},
                                      {3, 0, 1}, {4, 0, 0}, {255, 255, 0}, {2, 1, 0}};
    static const char header[] = HEAD "(), }\n";

    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        char file[128];
        const size_t size =
            make_file(file, versions[i][0], versions[i][1], header, sizeof header - 1, numbers, 4);

        if (versions[i][2]) {
            cr_expect(read_bytes(file, size), "%d: %s", versions[i][0], trial.problem.detail);
            cr_expect_arr_eq(array.data, numbers, 4);
        } else {
            expect_refused(file, size, "versions 1.0, 2.0 and 3.0", 6);
        }
    }
}

ROW(B3);
ROW(B4);
ROW(B5);

Test(npy_reader, believes_no_header_length)
{
    char file[256];
    static char long_file[70000];
    static char spaces[65535];
    const size_t size = make_file(file, 1, 0, HEAD "(), }\n", strlen(HEAD "(), }\n"), numbers, 0);

    expect_refused("\x93NUMPY\x02\x00\xf0\xff\xff\xff", 12, "at most 10000", 8);
    file[8]++;
    expect_refused(file, size, "ends within the header", size);

    memset(spaces, ' ', sizeof spaces);
    memcpy(spaces, HEAD "(), }", strlen(HEAD "(), }"));
    spaces[sizeof spaces - 1] = '\n';
    expect_refused(long_file, make_file(long_file, 1, 0, spaces, sizeof spaces, numbers, 4),
                   "at most 10000", 8);
    spaces[9999] = '\n';
    cr_expect(read_bytes(long_file, make_file(long_file, 1, 0, spaces, 10000, numbers, 4)));
    expect_refused(long_file, make_file(long_file, 2, 0, spaces, 10001, numbers, 4),
                   "at most 10000", 8);
}

ROW(B6);

Test(npy_reader, wants_a_line_feed_at_the_end_of_the_header)
{
    static const char *const headers[] = {HEAD "(), }", HEAD "(), } ", HEAD "(), }\n "};
    char file[256];

    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        const size_t size = make_file(file, 1, 0, headers[i], strlen(headers[i]), numbers, 4);

        cr_expect_not(read_bytes(file, size));
        cr_expect(strstr(trial.problem.detail, "line feed"), "%s", trial.problem.detail);
    }
    static const char with_nul[] = HEAD "(), }\0\n";

    cr_expect_not(
        read_bytes(file, make_file(file, 1, 0, with_nul, sizeof with_nul - 1, numbers, 4)));
}

ROW(B1);
ROW(B14);

Test(npy_reader, says_what_other_bytes_are)
{
    expect_refused("", 0, "empty", 0);
    expect_refused("\x93", 1, "ends within", 1);
    expect_refused("\x93NUMP", 5, "ends within", 5);
    expect_refused("\x93NUMPY\x01", 7, "ends within", 7);
    expect_refused("\x93NUMPY\x01\x00\x10", 9, "ends within", 9);
    expect_refused("PK\x03\x04", 4, "npz", 0);
    expect_refused("\x80\x04\x95", 3, "does not start as an npy file", 0);
    expect_refused("\x1f\x8b\x08\x00", 4, "does not start as an npy file", 0);
    expect_refused("\x89PNG\r\n\x1a\n", 8, "does not start as an npy file", 0);
    expect_refused("\x7f"
                   "ELF\x02\x01\x01\x00",
                   8, "does not start as an npy file", 0);
    expect_refused("not an npy file", 15, "does not start as an npy file", 0);
}

static size_t make_good_file(char *file)
{
    static const char header[] = FLOATS "          \n";

    return make_file(file, 1, 0, header, sizeof header - 1, numbers, sizeof numbers);
}

ROW(B37);

Test(npy_reader, refuses_every_prefix_of_a_file)
{
    char file[256];
    const size_t size = make_good_file(file);

    for (size_t length = 0; length < size; length++) {
        cr_assert_not(read_bytes(file, length), "%zu", length);
        cr_expect_leq(trial.problem.offset, length);
        cr_expect_neq(trial.problem.detail[0], '\0');
    }
    cr_expect(read_bytes(file, size));
}

ROW(B38);

Test(npy_reader, refuses_a_flipped_bit_or_reads_as_many_bytes)
{
    char file[256];
    const size_t size = make_good_file(file);
    size_t read = 0;

    for (size_t bit = 0; bit < 8 * size; bit++) {
        size_t bytes = 0;

        file[bit / 8] = (char)(file[bit / 8] ^ 1 << bit % 8);
        if (read_bytes(file, size)) {
            size_t count = 0;

            read++;
            cr_expect(posenc_shape_count(array.rank, array.shape, &count));
            bytes = count * posenc_dtype_size(array.dtype);
            cr_expect_eq(bytes, sizeof numbers, "bit %zu", bit);
        }
        file[bit / 8] = (char)(file[bit / 8] ^ 1 << bit % 8);
    }
    cr_expect_geq(read, 8 * sizeof numbers, "those of the data at least");
    cr_expect_leq(read, 8 * sizeof numbers + 16, "and hardly any of the header");
}

ROW(B39);

Test(npy_reader, refuses_a_second_file_behind_the_first)
{
    char files[512];
    const size_t size = make_good_file(files);

    memcpy(files + size, files, size);
    expect_refused(files, 2 * size, "follow the header", size);
}

static void fill_numbers(const void *plan, size_t first, size_t count, void *out)
{
    (void)plan;
    memcpy(out, numbers + first, count * sizeof *numbers);
}

ROW(B40);

Test(npy_reader, reads_what_the_writer_writes)
{
    static const struct posenc_tensor tensor = {.name = "t",
                                                .dtype = POSENC_FLOAT32,
                                                .rank = 3,
                                                .shape = {1, 3, 2},
                                                .count = 6,
                                                .fill = fill_numbers};
    const struct format_input input = {NULL, &tensor, false, NULL};
    struct format_body body = {0};
    char file[512];

    cr_assert_eq(format_npy.open(&input, &trial.memory, &body, NULL), POSENC_OK);
    const ssize_t size = body.read(body.state, 0, file, sizeof file);

    cr_assert(read_bytes(file, (size_t)size), "%s", trial.problem.detail);
    cr_expect_eq(array.rank, 3);
    cr_expect_arr_eq(array.shape, tensor.shape, 3 * sizeof(size_t));
    cr_expect_arr_eq(array.data, numbers, sizeof numbers);
}

Test(npy_reader, says_when_memory_is_out)
{
    static const char dictionary[] = "{'descr': '>f4', 'fortran_order': True, 'shape': (2, 3), }";

    posenc_memory_release(&trial.memory);
    posenc_memory_init(&trial.memory, 0);
    cr_expect_not(read_dictionary(dictionary, numbers, sizeof numbers));
    cr_expect(trial.problem.no_memory);
}
