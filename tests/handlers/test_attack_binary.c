/* Hostile binary bodies through the whole service; the readers' own tests have most rows. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "rows.h"

#define TARGET "/v1/rope/apply?layout=half"

static const struct header npy = {"Content-Type", "application/x-npy"};
static const struct header safetensors = {"Content-Type", "application/vnd.safetensors"};

/* 128 bytes of header: four float32 numbers. */
static size_t make_npy(char *file, const void *numbers)
{
    static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4), }";

    memset(file, ' ', 128);
    memcpy(file, "\x93NUMPY\x01\0\x76\0", 10);
    memcpy(file + 10, header, sizeof(header) - 1);
    file[127] = '\n';
    memcpy(file + 128, numbers, 16);
    return 144;
}

static const float numbers[4] = {1.5F, -2, 0.25F, 4};

ROW(B15);

Test(attack_binary, a_body_one_byte_over_the_limit_is_refused_unread)
{
    struct service service = ask_service();
    char file[256];
    const size_t size = make_npy(file, numbers);
    struct answer answer;

    service.body_bytes_max = size;
    answer = ask_bytes(&service, "POST", TARGET, file, size, &npy, 1);
    cr_expect_eq(answer.status, 200, "%s", answer.body);
    answer_release(&answer);
    service.body_bytes_max = size - 1;
    answer = ask_bytes(&service, "POST", TARGET, file, size, &npy, 1);
    cr_expect_eq(answer.status, 413, "%s", answer.body);
    cr_expect_eq(json_integer_value(json_object_get(answer.document, "limit")),
                 (json_int_t)size - 1);
    answer_release(&answer);
}

/* What calls itself an array and is something else. */
static const struct {
    const char *row;
    const struct header *type;
    const char *bytes;
    size_t size;
} files[] = {
    {"B1", &npy, "", 0},
    {"B1", &safetensors, "", 0},
    {"B14", &npy, "PK\x03\x04\x14\0\0\0\0\0", 10},
    {"B14", &npy, "\x80\x04\x95\x20\0\0\0\0\0\0", 10},
    {"B14", &npy, "\x89PNG\r\n\x1a\n\0\0", 10},
    {"B14", &npy, "{\"length\":2}", 12},
    {"B14", &safetensors, "\x93NUMPY\x01\0\x76\0", 10},
    {"B14", &safetensors, "{\"length\":2}", 12},
    {"B3", &npy, "\x93NUMPY\x02\0\xf0\xff\xff\xff", 12},
    {"B16", &safetensors, "\xff\xff\xff\xff\xff\xff\xff\xff{}", 10},
    {"B16", &safetensors, "\0\0\0\0\0\0\0\x80{}", 10},
    {"B16", &safetensors, "\x01\xe1\xf5\x05\0\0\0\0{}", 10},
};
ROWS_OF(files);

Test(attack_binary, what_is_something_else_is_refused_at_its_place)
{
    const struct service service = ask_service();

    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        struct answer answer =
            ask_bytes(&service, "POST", TARGET, files[i].bytes, files[i].size, files[i].type, 1);

        cr_expect_eq(answer.status, 400, "file %zu: %s", i, answer.body);
        cr_expect_str_eq(answer_text(&answer, "type"), "urn:posenc:problem:malformed-body");
        cr_expect(json_is_integer(json_object_get(answer.document, "offset")), "%s", answer.body);
        answer_release(&answer);
    }
}

ROW(B13);

/* Every bit comes back where nothing is turned: position 0, in the type that was sent. */
Test(attack_binary, bits_that_are_no_numbers_pass_through_unchanged)
{
    static const uint32_t bits[4] = {0x7f800000, 0xff800000, 0x00000001, 0x80000000};
    const struct service service = ask_service();
    char file[256];
    const size_t size = make_npy(file, bits);
    struct answer answer =
        ask_bytes(&service, "POST", "/v1/none/apply?format=raw", file, size, &npy, 1);

    cr_expect_eq(answer.status, 200, "%s", answer.body);
    cr_expect_eq(answer.size, 16);
    cr_expect_arr_eq(answer.body, bits, 16);
    answer_release(&answer);
}

ROW(B38);

/* Through everything that is behind the reader, and with an answer that is read to its end. */
Test(attack_binary, a_flipped_bit_is_never_worse_than_a_refusal)
{
    const struct service service = ask_service();
    char file[256];
    const size_t size = make_npy(file, numbers);

    for (size_t bit = 0; bit < 8 * size; bit++) {
        struct answer answer;

        file[bit / 8] = (char)(file[bit / 8] ^ 1 << bit % 8);
        answer = ask_bytes(&service, "POST", TARGET "&format=npy", file, size, &npy, 1);
        cr_expect(answer.status == 200 || answer.status == 400 || answer.status == 422,
                  "bit %zu: %u %s", bit, answer.status, answer.body);
        cr_expect(answer.status != 200 || answer.size == size, "bit %zu: %zu bytes", bit,
                  answer.size);
        answer_release(&answer);
        file[bit / 8] = (char)(file[bit / 8] ^ 1 << bit % 8);
    }
}

Test(attack_binary, every_row_of_binary_bodies_has_a_test)
{
    cr_expect_eq(rows_without_test('B', 40), 0);
}
