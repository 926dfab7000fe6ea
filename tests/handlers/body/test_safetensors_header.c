#include "safetensors_header.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "body_problem.h"

#define BEFORE "12345678" /* the header's length, as it stands before the header */

static struct safetensors_entry entries[4];
static struct safetensors_header header;

/* Reads a header that stands in a body. */
static bool read(const char *text)
{
    static char body[4096];

    cr_assert_lt(strlen(text) + sizeof BEFORE, sizeof body);
    (void)snprintf(body, sizeof body, BEFORE "%s", text);
    header = (struct safetensors_header){
        .cursor = {.text = body, .size = strlen(body), .at = sizeof BEFORE - 1},
        .entries = entries};
    return read_safetensors_header(&header);
}

Test(safetensors_header, tells_each_tensor_as_it_stands_there)
{
    cr_assert(read("{\"model.q\":{\"dtype\":\"BF16\",\"shape\":[2,0,7],\"data_offsets\":[16,3]},"
                   "\"k\":{\"shape\":[],\"data_offsets\":[0,8],\"dtype\":\"I64\"}}"),
              "%s", header.cursor.fault);
    cr_assert_eq(header.count, 2);
    cr_expect_eq(entries[0].name.size, 7);
    cr_expect_arr_eq(entries[0].name.bytes, "model.q", 7);
    cr_expect_eq(entries[0].array.dtype, POSENC_BFLOAT16);
    cr_expect_eq(entries[0].array.rank, 3);
    cr_expect_arr_eq(entries[0].array.shape, ((size_t[]){2, 0, 7}), 3 * sizeof(size_t));
    cr_expect_eq(entries[0].begin, 16);
    cr_expect_eq(entries[0].end, 3, "whether that makes sense is not this reader's to say");
    cr_expect_eq(entries[0].offsets_at, 8 + 58);
    cr_expect_eq(entries[1].array.dtype, POSENC_INT64);
    cr_expect_eq(entries[1].array.rank, 0);
    cr_expect_eq(entries[1].end, 8);
    cr_expect_not(header.has_metadata);
}

#define TENSOR(dtype, shape, offsets)                                                              \
    "{\"x\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

Test(safetensors_header, reads_all_64_bits_of_a_number)
{
    cr_assert(read(TENSOR("F32", "[9007199254740993]", "[1,18446744073709551615]")));
    cr_expect_eq(entries[0].array.shape[0], 9007199254740993, "which is no double");
    cr_expect_eq(entries[0].end, UINT64_MAX);
    cr_expect_not(read(TENSOR("F32", "[1]", "[0,18446744073709551616]")));
    cr_expect(strstr(header.cursor.fault, "64 bits"));
    cr_expect_not(read(TENSOR("F32", "[99999999999999999999]", "[0,4]")));
    cr_expect(strstr(header.cursor.fault, "64 bits"));
}

/* What stands for an integer, and how many bytes behind the start of the header its fault is. */
Test(safetensors_header, takes_integers_in_plain_digits_only)
{
    static const char *const integers[] = {"-1",    "+1",  "1.0", "1e3", "01",
                                           "\"1\"", "0x1", "",    "null"};
    static const size_t before = sizeof "{\"x\":{\"dtype\":\"F32\",\"shape\":[" - 1;

    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        char text[128];

        (void)snprintf(text, sizeof text,
                       "{\"x\":{\"dtype\":\"F32\",\"shape\":[1,%s],\"data_offsets\":[0,4]}}",
                       integers[i]);
        cr_expect_not(read(text), "%s", text);
        cr_expect_geq(header.cursor.fault_at, 8 + before + 2, "%s", text);
        cr_expect_leq(header.cursor.fault_at, 8 + before + 4, "%s", text);
    }
}

Test(safetensors_header, finds_the_exact_byte_of_a_fault)
{
    static const struct {
        const char *text;
        size_t at; /* in the header */
        const char *word;
    } rows[] = {
        {"", 0, "starts with '{'"},
        {"{\"x\" 1}", 5, "colon"},
        {"{\"x\":{\"dtype\":\"F8_E4M3\"}}", 14, "F64, F32, F16, BF16, I64 or I32"},
        {"{\"x\":{\"dtype\":\"F3\"}}", 14, "not read"},
        {"{\"x\":{\"shape\":[1 2]}}", 17, "comma"},
        {"{\"x\":{\"shape\":{}}}", 14, "list of lengths"},
        {"{\"x\":{\"shape\":[1,1,1,1,1,1,1,1,1]}}", 31, "8 axes"},
        {"{\"x\":{\"data_offsets\":[0]}}", 23, "two integers"},
        {"{\"x\":{\"data_offsets\":[0,1,2]}}", 25, "two integers"},
        {"{\"x\":{\"dtype\":\"F32\",\"shape\":[1]}}", 5, "lacks"},
        {"{\"x\":{\"Dtype\":\"F32\"}}", 6, "no others"},
        {"{\"x\":{\"shape\":[],\"shape\":[]}}", 17, "twice"},
        {"{\"__metadata__\":{},\"__metadata__\":{}}", 19, "twice"},
        {"{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}", 24, "twice"},
        {"{}  x", 4, "only spaces"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_not(read(rows[i].text), "%s", rows[i].text);
        cr_expect_eq(header.cursor.fault_at, 8 + rows[i].at, "%s at %zu: %s", rows[i].text,
                     header.cursor.fault_at - 8, header.cursor.fault);
        cr_expect(strstr(header.cursor.fault, rows[i].word), "%s: %s", rows[i].text,
                  header.cursor.fault);
    }
}

Test(safetensors_header, has_room_for_as_many_entries_as_its_bytes_can_hold)
{
    /* The shortest entry that there can be, and its comma. */
    static const size_t shortest =
        sizeof ",\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}" - 1;

    for (size_t count = 0; count < 3000; count++) {
        const size_t entries_max = safetensors_entries_max(1 + count * shortest);

        cr_assert_geq(entries_max,
                      count < SAFETENSORS_TENSORS_MAX ? count : SAFETENSORS_TENSORS_MAX);
        cr_assert_leq(entries_max, SAFETENSORS_TENSORS_MAX, "hostile headers are only bytes");
    }
}
