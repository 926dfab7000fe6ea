#include <criterion/criterion.h>
#include <string.h>

#include "inferring.h"

TestSuite(inference_status);

static bool is_never(void *context)
{
    (void)context;
    return false;
}

static struct answer get(const char *path, bool is_ready)
{
    struct service service = ask_service();

    service.is_ready = is_ready ? NULL : is_never;
    return ask_service_with(&service, "GET", path, NULL, NULL, 0);
}

Test(inference_status, names_the_server_and_what_it_can)
{
    struct answer answer = get("/v2", true);

    cr_expect_eq(answer.status, 200);
    cr_expect_str_eq(answer.body, "{\"name\":\"posenc\",\"version\":\"" POSENC_VERSION
                                  "\",\"extensions\":[\"binary_tensor_data\"]}\n");
    answer_release(&answer);
    answer = get("/v2?prety=true", true);
    cr_expect_eq(answer.status, 422);
    answer_release(&answer);
}

Test(inference_status, is_live_while_it_drains)
{
    struct answer answer = get("/v2/health/live", false);

    cr_expect_eq(answer.status, 200);
    cr_expect_str_eq(answer.body, "{\"live\":true}\n");
    cr_expect_str_eq(answer_header(&answer, "Cache-Control"), "no-store");
    answer_release(&answer);
}

Test(inference_status, is_ready_until_it_drains)
{
    struct answer answer = get("/v2/health/ready", true);

    cr_expect_eq(answer.status, 200);
    cr_expect_str_eq(answer.body, "{\"ready\":true}\n");
    answer_release(&answer);
    answer = get("/v2/health/ready", false);
    cr_expect_eq(answer.status, 503);
    cr_expect_str_eq(answer.body, "{\"ready\":false}\n");
    answer_release(&answer);
}

Test(inference_status, of_a_model_is_the_servers)
{
    struct answer answer = get("/v2/models/rotary/ready", true);

    cr_expect_eq(answer.status, 200);
    cr_expect_str_eq(answer.body, "{\"name\":\"rope\",\"ready\":true}\n");
    answer_release(&answer);
    answer = get("/v2/models/rope/versions/2/ready", false);
    cr_expect_eq(answer.status, 503);
    cr_expect_str_eq(answer.body, "{\"name\":\"rope\",\"ready\":false}\n");
    answer_release(&answer);
    answer = get("/v2/models/rop/ready", true);
    cr_expect_eq(answer.status, 404);
    answer_release(&answer);
}

Test(inference_status, of_health_is_for_probes)
{
    struct request request = {.path = "/v2/health/live"};

    cr_expect(request_is_open(&request));
    request.path = "/v2/health/ready";
    cr_expect(request_is_open(&request));
    request.path = "/v2/models/rope/ready";
    cr_expect_not(request_is_open(&request));
}
