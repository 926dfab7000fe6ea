/* What an exchange holds, and how little it may have. */
#include "exchange_memory.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "account.h"
#include "ask.h"
#include "packing.h"

Test(exchange_memory, is_limited_and_watched)
{
    struct account account = ACCOUNT_OPEN;
    const struct posenc_watch watch = account_watch(&account);
    const struct request request = {.watch = &watch};
    struct response response = {0};
    struct exchange *const exchange = exchange_begin(&request, &response, 1000);

    cr_assert_not_null(exchange);
    cr_expect_eq(response.exchange, exchange);
    cr_expect_not_null(posenc_allocate(&exchange->memory, 900, 1));
    cr_expect_null(posenc_allocate(&exchange->memory, 200, 1));
    json_text_string(&exchange->text, "text");
    cr_expect_gt(account.held, 900);

    size_t packed_size;
    char *const packed = pack_gzip("a body", 6, &packed_size);

    cr_expect_eq(inflate_gzip(packed, packed_size, 100, &watch, &exchange->unpacked), INFLATE_OK);
    free(packed);
    response_release(&response);
    cr_expect_eq(account.held, 0);
}

Test(exchange_memory, is_begun_once)
{
    const struct request request = {0};
    struct response response = {0};
    struct exchange *const exchange = exchange_of(&request, &response);

    cr_assert_not_null(exchange);
    cr_expect_eq(exchange_of(&request, &response), exchange);
    cr_expect_not_null(posenc_allocate(&exchange->memory, 100000, 1), "enough for a document");
    cr_expect_null(posenc_allocate(&exchange->memory, 10000000, 1));
    response_release(&response);
}

Test(exchange_memory, is_released_once)
{
    const struct request request = {0};
    struct response response = {.status = 200, .header_count = 1, .length = 5};

    response_release(&response); /* it has no exchange yet */
    cr_expect(response.status == 0 && response.header_count == 0 && response.length == 0);
    cr_assert_not_null(exchange_begin(&request, &response, 1000));
    response_release(&response);
    cr_expect_null(response.exchange);
    response_release(&response);
}

Test(exchange_memory, answers_503_when_a_request_needs_more_than_it_may_have)
{
    struct service service = ask_service();
    unsigned last = 0;

    /* Every size from nothing to enough: each answer is a whole document, and the last one is the
     * table. */
    for (service.memory_bytes_max = 0; service.memory_bytes_max < 200000 && last != 200;
         service.memory_bytes_max += 1024) {
        struct answer answer = ask_service_with(
            &service, "GET", "/v1/rope?length=4&dim=8&scaling.type=linear&scaling.factor=2", NULL,
            NULL, 0);

        cr_assert(answer.status == 503 || answer.status == 200, "%u %s", answer.status,
                  answer.body);
        cr_expect_not_null(answer.document);
        last = answer.status;
        answer_release(&answer);
    }
    cr_expect_eq(last, 200);
}
