/* Representations: which format, which tensor, which version. */
#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"

#define TABLE "/v1/rope?length=3&dim=4"

static struct answer ask_accepting(const char *target, const char *accept)
{
    const struct service service = ask_service();
    const struct header header = {"Accept", accept};

    return ask_service_with(&service, "GET", target, NULL, &header, 1);
}

Test(representation, follows_accept_unless_a_format_is_named)
{
    struct answer json = ask("GET", TABLE, NULL), npy = ask_accepting(TABLE, "application/x-npy");
    struct answer named = ask_accepting(TABLE "&format=json", "application/x-npy");

    cr_expect_str_eq(json.content_type, "application/json");
    cr_expect_str_eq(npy.content_type, "application/x-npy");
    cr_expect_eq(memcmp(npy.body, "\x93NUMPY", 6), 0);
    cr_expect_str_eq(named.content_type, "application/json");
    answer_release(&json);
    answer_release(&npy);
    answer_release(&named);
}

Test(representation, answers_406_with_what_it_offers)
{
    struct answer answer = ask_accepting(TABLE, "image/webp");

    cr_expect_eq(answer.status, 406);
    cr_expect_geq(json_array_size(json_object_get(answer.document, "allowed")), 2);
    answer_release(&answer);
}

Test(representation, refuses_what_there_is_not_and_names_it)
{
    static const char *const rows[][2] = {
        {TABLE "&format=xml", "format"},
        {TABLE "&tensor=tan", "tensor"},
        {TABLE "&numeric_version=999", "numeric_version"},
        {TABLE "&numeric_version=0", "numeric_version"},
        {TABLE "&pretty=maybe", "pretty"},
        {"/v1/none?format=npy", "format"},
        {TABLE "&format=npy&dtype=bfloat16", "dtype"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct answer answer = ask("GET", rows[i][0], NULL);

        cr_expect_eq(answer.status, 422, "%s: %s", rows[i][0], answer.body);
        cr_expect_str_eq(answer_text(&answer, "parameter"), rows[i][1]);
        answer_release(&answer);
    }
}

Test(representation, carries_the_tensor_that_was_asked_for)
{
    struct answer first = ask("GET", TABLE "&format=npy", NULL);
    struct answer cosines = ask("GET", TABLE "&format=npy&tensor=cos", NULL);
    struct answer sines = ask("GET", TABLE "&format=npy&tensor=sin", NULL);

    cr_expect_eq(first.size, cosines.size);
    cr_expect_eq(memcmp(first.body, cosines.body, first.size), 0);
    cr_expect_neq(memcmp(first.body, sines.body, first.size), 0);
    answer_release(&first);
    answer_release(&cosines);
    answer_release(&sines);
}

Test(representation, gives_the_running_numeric_version)
{
    struct answer answer = ask("GET", TABLE "&numeric_version=2", NULL);

    cr_expect_eq(answer.status, 200);
    answer_release(&answer);
}
