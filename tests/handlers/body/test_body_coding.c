/* Bodies that come compressed. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "packing.h"

#define TABLE_BODY "{\"length\": 2, \"dim\": 4}"

static struct answer post(const struct service *service, const char *coding, const char *body,
                          size_t size)
{
    const struct header headers[] = {{"Content-Type", "application/json"},
                                     {"Content-Encoding", coding}};

    return ask_bytes(service, "POST", "/v1/sinusoidal", body, size, headers, 2);
}

Test(body_coding, reads_a_gzip_body_as_if_it_had_come_plain)
{
    static const char *const names[] = {"gzip", "GZIP", "x-gzip"};
    const struct service service = ask_service();
    struct answer plain = ask("POST", "/v1/sinusoidal", TABLE_BODY);
    size_t size;
    char *packed = pack_gzip(TABLE_BODY, strlen(TABLE_BODY), &size);

    cr_assert_eq(plain.status, 200);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        struct answer answer = post(&service, names[i], packed, size);

        cr_assert_eq(answer.status, 200, "%s: %s", names[i], answer.body);
        cr_expect_str_eq(answer.body, plain.body);
        answer_release(&answer);
    }
    free(packed);
    answer_release(&plain);
}

Test(body_coding, refuses_other_codings_and_says_which_it_reads)
{
    static const char *const names[] = {"br", "zstd", "deflate", "gzip, gzip", "identity, br"};
    const struct service service = ask_service();
    const struct header twice[] = {{"Content-Type", "application/json"},
                                   {"Content-Encoding", "gzip"},
                                   {"Content-Encoding", "gzip"}};
    struct answer answer;

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        answer = post(&service, names[i], TABLE_BODY, strlen(TABLE_BODY));
        cr_expect_eq(answer.status, 415, "%s", names[i]);
        cr_expect_str_eq(answer_header(&answer, "Accept-Encoding"), "gzip, identity");
        answer_release(&answer);
    }
    answer = ask_bytes(&service, "POST", "/v1/sinusoidal", "", 0, twice, 3);
    cr_expect_eq(answer.status, 415);
    answer_release(&answer);
    answer = post(&service, "identity", TABLE_BODY, strlen(TABLE_BODY));
    cr_expect_eq(answer.status, 200);
    answer_release(&answer);
}

Test(body_coding, refuses_what_is_damaged_too_large_or_too_dense)
{
    struct service service = ask_service();
    const size_t bomb_size = (size_t)16 << 20;
    char *spaces = malloc(bomb_size), *packed;
    struct answer answer = post(&service, "gzip", TABLE_BODY, strlen(TABLE_BODY));
    size_t size;

    cr_expect_eq(answer.status, 400);
    cr_expect_str_eq(answer_text(&answer, "type"), "urn:posenc:problem:malformed-body");
    answer_release(&answer);

    memset(spaces, ' ', bomb_size);
    packed = pack_gzip(spaces, bomb_size, &size);
    answer = post(&service, "gzip", packed, size);
    cr_expect_eq(answer.status, 413);
    cr_expect_eq(json_integer_value(json_object_get(answer.document, "limit")), 1 << 20);
    answer_release(&answer);
    service.body_bytes_max = bomb_size;
    answer = post(&service, "gzip", packed, size);
    cr_expect_eq(answer.status, 413);
    cr_expect_str_eq(answer_text(&answer, "type"), "urn:posenc:problem:body-too-dense");
    answer_release(&answer);
    free(packed);
    free(spaces);
}
