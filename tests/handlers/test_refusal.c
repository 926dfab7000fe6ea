/* What was refused becomes the problem that it is. */
#include <criterion/criterion.h>

#include "ask.h"
#include "refusal.h"

Test(refusal, says_where_a_body_is_broken)
{
    struct answer answer = ask("POST", "/v1/sinusoidal", "{\"length\": 2, \"dim\": 4");

    cr_assert_eq(answer.status, 400);
    cr_expect_str_eq(answer_text(&answer, "type"), "urn:posenc:problem:malformed-body");
    cr_expect(json_is_integer(json_object_get(answer.document, "offset")));
    answer_release(&answer);
}
