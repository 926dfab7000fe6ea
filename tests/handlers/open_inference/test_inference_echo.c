#include "inference_echo.h"

#include <criterion/criterion.h>
#include <math.h>

#include "writing.h"

WRITING_SUITE(inference_echo);

static void write(const struct posenc_result *result)
{
    json_text_begin_object(&written);
    write_inference_echo(&written, result);
    json_text_end_object(&written);
}

Test(inference_echo, has_scalars_as_they_are_and_texts_of_the_rest)
{
    static const double positions[] = {1, 2.5};
    const struct posenc_member scaling[] = {{"factor", posenc_number(4)}};
    const struct posenc_member members[] = {
        {"length", posenc_number(7)},       {"base", posenc_number(0.1)},
        {"causal", posenc_boolean(true)},   {"layout", posenc_text("half")},
        {"scaling", posenc_null()},         {"positions", posenc_numbers(positions, 2)},
        {"rope", posenc_object(scaling, 1)}};
    const struct posenc_result result = {.parameters = {members, 7}};

    write(&result);
    expect_written("{\"parameters\":{\"length\":7,\"base\":0.1,\"causal\":true,\"layout\":\"half\","
                   "\"scaling\":\"null\",\"positions\":\"[1,2.5]\","
                   "\"rope\":\"{\\\"factor\\\":4}\"}}");
}

Test(inference_echo, tells_what_followed_and_what_should_be_known)
{
    const struct posenc_member derived = {"pairs", posenc_number(2)};
    const struct posenc_warning warning = {"base", "odd"};
    struct posenc_result result = {
        .derived = {&derived, 1}, .warning_count = 1, .warnings = &warning};

    write(&result);
    expect_written("{\"parameters\":{\"derived\":\"{\\\"pairs\\\":2}\",\"warnings\":"
                   "\"[{\\\"parameter\\\":\\\"base\\\",\\\"detail\\\":\\\"odd\\\"}]\"}}");
}

Test(inference_echo, of_nothing_is_empty)
{
    const struct posenc_result result = {0};

    write(&result);
    expect_written("{\"parameters\":{}}");
}
