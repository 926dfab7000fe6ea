#include "warnings.h"

#include <criterion/criterion.h>

#include "writing.h"

WRITING_SUITE(warnings);

Test(warnings, are_objects_of_parameter_and_detail)
{
    static const struct posenc_warning warnings[] = {{"base", "is \"small\""}, {"", "odd"}};
    struct posenc_result result = {.warnings = warnings, .warning_count = 2};

    json_text_warnings(&written, &result);
    expect_written("[{\"parameter\":\"base\",\"detail\":\"is \\\"small\\\"\"},"
                   "{\"parameter\":\"\",\"detail\":\"odd\"}]");
    result = (struct posenc_result){0};
    json_text_warnings(&written, &result);
    expect_written("[]");
}

/* All are counted, and the first hundred are there. */
Test(warnings, are_no_more_than_are_kept)
{
    static struct posenc_warning warnings[POSENC_WARNINGS_MAX];
    const struct posenc_result result = {.warnings = warnings, .warning_count = 1000};

    json_text_warnings(&written, &result);
    cr_expect_eq(json_array_size(written_json()), 100);
}
