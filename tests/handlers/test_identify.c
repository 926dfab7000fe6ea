/* /v1/identify with tensors that come as files, and with answers that are tables. */
#include <criterion/criterion.h>
#include <string.h>

#include "cases.h"

/* Two rows of cos(p), cos(p / 10), cos(p / 100), cos(p / 1000) in float32, as an .npy file. */
static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), }";
static const float rows[] = {1, 1, 1, 1, 0.5403023f, 0.9950042f, 0.99995f, 0.9999995f};

static struct answer ask_npy(const char *target)
{
    const struct service service = ask_service();
    const struct header type = {"Content-Type", "application/x-npy"};
    char file[128 + sizeof(rows)];

    memset(file, ' ', 128);
    memcpy(file, "\x93NUMPY\x01\0\x76\0", 10);
    memcpy(file + 10, header, sizeof(header) - 1);
    file[127] = '\n';
    memcpy(file + 128, rows, sizeof(rows));
    return ask_bytes(&service, "POST", target, file, sizeof(file), &type, 1);
}

static void expect_text(const struct answer *answer, const char *path, const char *expected)
{
    const char *text = json_string_value(found_at(answer, path));

    cr_expect_str_eq(text, expected, "%s", text);
}

Test(identify, an_npy_body_is_the_tensor_and_the_query_says_what_it_should_be)
{
    struct answer answer =
        ask_npy("/v1/identify?encoding=rope&parameters.dim=8&parameters.base=500000");

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    expect_text(&answer, "derived/verdict", "mistaken");
    expect_text(&answer, "derived/explanations/0/changes/0/parameter", "base");
    expect_text(&answer, "inputs/actual/dtype", "float32");
    answer_release(&answer);
}

Test(identify, the_differences_of_rows_are_a_table)
{
    struct answer answer = ask_npy("/v1/identify?encoding=rope&part=cos&format=csv&dtype=float64");

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    cr_expect_eq(strncmp(answer.body, "row_difference\r\n0\r\n", 19), 0, "%s", answer.body);
    answer_release(&answer);
}

Test(identify, without_an_explanation_there_is_no_table)
{
    struct answer answer = ask("POST", "/v1/identify?format=csv", "{\"actual\":[[1,1],[1,1]]}");

    cr_expect_eq(answer.status, 422);
    cr_expect_str_eq(answer_text(&answer, "parameter"), "format");
    answer_release(&answer);
}

Test(identify, what_is_wrong_with_parameters_is_told_where_they_stand)
{
    expect_refused("/v1/identify",
                   "{\"actual\":[[1,2],[3,4]],\"encoding\":\"rope\",\"parameters\":{\"base\":-1}}",
                   "parameters.base");
    expect_refused("/v1/identify", "{\"actual\":3}", "actual");
    expect_refused("/v1/identify", "{\"encoding\":\"rope\"}", "actual");
}
