/* What an exchange holds, and how little it may have. */
#include <criterion/criterion.h>

#include "ask.h"
#include "exchange_memory.h"

Test(exchange_memory, answers_503_when_a_request_needs_more_memory_than_it_may_have)
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
