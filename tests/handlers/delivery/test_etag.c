/* Entity tags: the same for the same result, however it was asked for, and different otherwise. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "etag.h"

/* The tag of a GET; each call has a text of its own. */
static void tag_of(const char *target, char tag[ETAG_SIZE])
{
    struct answer answer = ask("GET", target, NULL);

    cr_assert_eq(answer.status, 200, "%s: %s", target, answer.body);
    (void)snprintf(tag, ETAG_SIZE, "%s", answer_header(&answer, "ETag"));
    cr_assert_eq(strlen(tag), ETAG_DIGITS + 2, "%s: %s", target, tag);
    answer_release(&answer);
}

Test(etag, is_the_same_for_the_same_result)
{
    static const char *const rows[][2] = {
        {"/v1/sinusoidal?length=4&dim=8", "/v1/sinusoidal?dim=8&length=4"},
        {"/v1/sinusoidal?length=4&dim=8", "/v1/sinusoidal?length=4&d_model=8.0"},
        {"/v1/sinusoidal?length=4&dim=8", "/v1/sinusoidal?length=4&dim=8&offset=0"},
        {"/v1/sinusoidal?length=4&dim=8", "/v1/sinusoidal?length=4&dim=8&format=json"},
        {"/v1/sinusoidal?length=4&dim=8", "/v1/sinusoidal?length=4&dim=8&numeric_version=2"},
        {"/v1/rope?length=4&dim=8", "/v1/rotary?length=4&dim=8"},
        {"/v1/rope?length=4&dim=8&format=npy", "/v1/rope?length=4&dim=8&format=npy&tensor=cos"},
    };
    char first[ETAG_SIZE], second[ETAG_SIZE];

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        tag_of(rows[i][0], first);
        tag_of(rows[i][1], second);
        cr_expect_str_eq(first, second, "%s", rows[i][1]);
    }
}

Test(etag, differs_where_any_byte_might)
{
    static const char *const targets[] = {
        "/v1/rope?length=4&dim=8",
        "/v1/rope?length=5&dim=8",
        "/v1/rope?length=4&dim=16",
        "/v1/rope?length=4&dim=8&offset=1",
        "/v1/rope?length=4&dim=8&base=500000",
        "/v1/rope?length=4&dim=8&dtype=float64",
        "/v1/rope?length=4&dim=8&pretty=true",
        "/v1/rope?length=4&dim=8&format=npy",
        "/v1/rope?length=4&dim=8&format=npy&tensor=sin",
        "/v1/rope?length=4&dim=8&format=csv",
        "/v1/rope?length=4&dim=8&format=raw",
        "/v1/rope?length=4&dim=8&format=safetensors",
        "/v1/rope?length=4&dim=8&scaling.type=linear&scaling.factor=2",
        "/v1/rope?length=4&dim=8&scaling.type=linear&scaling.factor=4",
        "/v1/rope?positions=0,1,2,3&dim=8",
        "/v1/rope?positions=0,1,2,4&dim=8",
        "/v1/rope?positions=0,1,2,4,5&dim=8",
        "/v1/sinusoidal?length=4&dim=8",
        "/v1/analysis/wavelengths?encoding=rope&dim=8",
        "/v1/analysis/wavelengths?encoding=sinusoidal&dim=8",
        "/v1/encodings",
        "/v1/encodings/rope",
        "/v1/models",
        "/",
    };
    enum { COUNT = sizeof(targets) / sizeof(*targets) };
    char tags[COUNT][ETAG_SIZE];

    for (size_t i = 0; i < COUNT; i++) {
        tag_of(targets[i], tags[i]);
        for (size_t k = 0; k < i; k++)
            cr_expect_str_neq(tags[i], tags[k], "%s and %s", targets[i], targets[k]);
    }
}

Test(etag, is_the_same_for_a_post_and_changes_with_the_tensors_that_came_in)
{
    char tag[ETAG_SIZE];
    struct answer table = ask("POST", "/v1/sinusoidal", "{\"length\": 4, \"dim\": 8}");
    struct answer first = ask("POST", "/v1/sinusoidal/apply", "{\"x\": [[1, 2, 3, 4]]}");
    struct answer again = ask("POST", "/v1/sinusoidal/apply", "{\"x\": [[1.0, 2, 3, 4e0]]}");
    struct answer other = ask("POST", "/v1/sinusoidal/apply", "{\"x\": [[1, 2, 3, 5]]}");
    struct answer shape = ask("POST", "/v1/sinusoidal/apply", "{\"x\": [[1, 2], [3, 4]]}");

    tag_of("/v1/sinusoidal?length=4&dim=8", tag);
    cr_expect_str_eq(answer_header(&table, "ETag"), tag);
    (void)snprintf(tag, sizeof(tag), "%s", answer_header(&first, "ETag"));
    cr_assert_eq(first.status, 200, "%s", first.body);
    cr_expect_eq(strlen(tag), ETAG_DIGITS + 2);
    cr_expect_str_eq(answer_header(&again, "ETag"), tag);
    cr_expect_str_neq(answer_header(&other, "ETag"), tag);
    cr_expect_str_neq(answer_header(&shape, "ETag"), tag);
    answer_release(&table);
    answer_release(&first);
    answer_release(&again);
    answer_release(&other);
    answer_release(&shape);
}

/* Applies to one row of `count` doubles, and says whether the answer has a tag. */
static bool has_tag_with_inputs(size_t count)
{
    static const char end[] = "1]]}";
    char *body = malloc(16 + 2 * count);
    size_t length = (size_t)sprintf(body, "{\"x\": [[");
    struct answer answer;
    bool has_tag;

    for (size_t i = 1; i < count; i++, length += 2)
        memcpy(body + length, "1,", 2);
    memcpy(body + length, end, sizeof(end));
    answer = ask("POST", "/v1/sinusoidal/apply", body);
    cr_assert_eq(answer.status, 200, "%s", answer.body);
    has_tag = answer_header(&answer, "ETag")[0] != '\0';
    answer_release(&answer);
    free(body);
    return has_tag;
}

Test(etag, is_left_out_where_hashing_would_take_longer_than_answering)
{
    const size_t most = ETAG_INPUTS_MAX / sizeof(double);

    cr_expect(has_tag_with_inputs(most));
    cr_expect_not(has_tag_with_inputs(most + 2));
}

Test(etag, marks_each_coding_and_is_strong_for_identity_alone)
{
    const struct fingerprint fingerprint = {.digits = "0123456789abcdef0123456789abcdef"};
    char tag[ETAG_SIZE];

    etag_print(&fingerprint, CODING_IDENTITY, tag);
    cr_expect_str_eq(tag, "\"0123456789abcdef0123456789abcdef\"");
    etag_print(&fingerprint, CODING_GZIP, tag);
    cr_expect_str_eq(tag, "W/\"0123456789abcdef0123456789abcdef-gzip\"");
    etag_print(&fingerprint, CODING_ZSTD, tag);
    cr_expect_str_eq(tag, "W/\"0123456789abcdef0123456789abcdef-zstd\"");
}

Test(etag, of_a_document_is_that_of_its_bytes)
{
    struct fingerprint first, second;

    fingerprint_bytes("abc", 3, &first);
    fingerprint_bytes("abd", 3, &second);
    cr_expect_str_eq(first.digits, "ba7816bf8f01cfea414140de5dae2223");
    cr_expect_str_neq(second.digits, first.digits);
}

/* A dtype that is asked for is that of the frequencies, too, which else are float64. */
Test(etag, differs_where_only_the_type_of_one_tensor_does)
{
    struct answer open = ask("GET", "/v1/rope?length=2&dim=4", NULL);
    struct answer named = ask("GET", "/v1/rope?length=2&dim=4&dtype=float32", NULL);
    char tag[ETAG_SIZE];

    (void)snprintf(tag, sizeof(tag), "%s", answer_header(&open, "ETag"));
    cr_expect_str_neq(open.body, named.body);
    cr_expect_str_neq(answer_header(&named, "ETag"), tag);
    answer_release(&open);
    answer_release(&named);
}
