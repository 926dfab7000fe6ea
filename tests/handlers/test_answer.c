/* Limits, estimates and headers of results; how they are kept is tested with operations. */
#include "answer.h"

#include <criterion/criterion.h>
#include <string.h>

#include "account.h"
#include "answering.h"
#include "ask.h"
#include "pictured.h"

ANSWERING_SUITE(answer);

static struct service service;
static struct posenc_result result;

/* Answers with one float64 tensor of so many elements in the format. */
static void answer(const char *format, size_t elements)
{
    const struct representation representation = {.format = format_find(format),
                                                  .tensor = &result.tensors[0]};
    const struct offer offer = {.cache_control = CACHE_RESULT,
                                .is_binary = representation.format->is_binary};

    (void)answering_again();
    if (service.result_bytes_max == 0)
        service = ask_service();
    result = (struct posenc_result){.tensor_count = 1};
    result.tensors[0] = pictured_tensor(1, &elements, NULL);
    result.tensors[0].name = "a";
    respond_result(&service, &answering_request, &result, &offer, &representation,
                   &answering_response);
}

Test(answer, has_the_type_and_the_headers_of_its_format)
{
    answer("raw", 3);
    cr_expect_eq(answering_response.status, 200);
    cr_expect_eq(answering_response.length, 24);
    cr_expect_str_eq(answer_of("Content-Type"), "application/octet-stream");
    cr_expect_str_eq(answer_of("X-Tensor-Shape"), "3");
    cr_expect_str_eq(answer_of("Content-Disposition"), "inline; filename=\"a.bin\"");
    answer("json", 3);
    cr_expect_str_eq(answer_of("Content-Disposition"), "");
}

Test(answer, is_refused_when_it_is_larger_than_the_service_sends)
{
    service = ask_service();
    service.result_bytes_max = 24;
    answer("raw", 3);
    cr_expect_eq(answering_response.status, 200);
    answer("raw", 4);
    cr_expect_eq(answering_response.status, 413);
    cr_expect_eq(json_integer_value(json_object_get(answered_json(), "limit")), 24);
}

Test(answer, tells_what_a_byte_of_it_takes)
{
    answer("raw", 3);
    const uint64_t of_bytes = answering_response.byte_ps;

    answer("json", 10000);
    cr_expect_gt(answering_response.byte_ps, of_bytes);
    cr_expect_gt(of_bytes, 0);
}

static bool may_never(void *context, uint64_t nanoseconds)
{
    (void)context;
    (void)nanoseconds;
    return false;
}

static bool may_take(void *context, size_t bytes)
{
    (void)context;
    (void)bytes;
    return true;
}

static void give_back(void *context, size_t bytes)
{
    (void)context;
    (void)bytes;
}

Test(answer, is_stopped_before_it_is_made_where_it_would_take_too_long)
{
    static const struct posenc_watch watch = {may_never, may_take, give_back, NULL};

    answering_request.watch = &watch;
    answer("json", 3);
    cr_expect_eq(answering_response.status, 503);
}
