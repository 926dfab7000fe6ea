#include "openapi_notes.h"

#include <criterion/criterion.h>

#include "piece.h"

PIECE_SUITE(openapi_notes);

static void expect_notes(const struct openapi_row *item, const char *expected)
{
    json_text_begin_object(&written);
    openapi_write_notes(&written, item);
    json_text_end_object(&written);
    expect_written(expected);
}

static const char *const aliases[] = {"theta", "rope_theta", NULL};

Test(openapi_notes, end_the_meaning_and_say_what_stands_for_it)
{
    static const struct posenc_parameter plain = {.name = "a", .meaning = "its size"},
                                         ended = {.name = "a", .meaning = "0, 1, ..."},
                                         noted = {.name = "a",
                                                  .meaning = "its size",
                                                  .fallback_note = "as large as needed"};

    expect_notes(&(struct openapi_row){.row = &plain}, "{\"description\":\"its size.\"}");
    expect_notes(&(struct openapi_row){.row = &ended}, "{\"description\":\"0, 1, ...\"}");
    expect_notes(&(struct openapi_row){.row = &noted},
                 "{\"description\":\"its size. Default: as large as needed.\"}");
}

Test(openapi_notes, say_that_a_row_is_required_and_what_it_may_be_left_out_for)
{
    static const char *const instead[] = {"model", "config", NULL};
    static const struct posenc_parameter row = {
        .name = "base", .meaning = "the base", .aliases = aliases};
    static const struct posenc_parameter noted = {
        .name = "base", .meaning = "the base", .fallback_note = "no common one"};

    expect_notes(
        &(struct openapi_row){.row = &row, .is_required = true, .instead = instead},
        "{\"description\":\"the base. Required.\",\"x-aliases\":[\"theta\",\"rope_theta\"],"
        "\"x-required-unless\":[\"theta\",\"rope_theta\",\"model\",\"config\"]}");
    expect_notes(&(struct openapi_row){.row = &noted, .is_required = true},
                 "{\"description\":\"the base. Required: no common one.\"}");
    expect_notes(
        &(struct openapi_row){.row = &noted, .is_required = true, .is_set_by_preset = true},
        "{\"description\":\"the base. Required: no common "
        "one.\",\"x-required-unless\":[\"preset\"]}");
    expect_notes(&(struct openapi_row){.row = &row, .instead = instead},
                 "{\"description\":\"the base.\",\"x-aliases\":[\"theta\",\"rope_theta\"]}");
}

Test(openapi_notes, say_that_a_tensor_tells_it)
{
    static const struct posenc_parameter told = {.name = "dim",
                                                 .meaning = "the width",
                                                 .flags = POSENC_FROM_TENSOR,
                                                 .fallback_note = "of the last axis"},
                                         fixed = {.name = "dim",
                                                  .meaning = "the width",
                                                  .flags = POSENC_FROM_TENSOR,
                                                  .has_fallback = true,
                                                  .fallback_note = "8"};

    expect_notes(&(struct openapi_row){.row = &told},
                 "{\"description\":\"the width. Default: told by the tensor.\"}");
    expect_notes(&(struct openapi_row){.row = &fixed},
                 "{\"description\":\"the width. Default: 8.\"}");
}

/* What an encoding's default is depends on which encoding the request names. */
Test(openapi_notes, name_no_default_of_a_borrowed_row)
{
    static const struct posenc_parameter row = {
        .name = "base", .meaning = "the base", .fallback_note = "10000"};

    expect_notes(&(struct openapi_row){.row = &row, .is_borrowed = true},
                 "{\"description\":\"the base. As the encoding's own operation takes it.\"}");
}
