/* Asking encodings on a quantity's behalf: what is told, echoed, derived and warned of. */
#include <criterion/criterion.h>
#include <string.h>

#include "quantity.h"

static bool is_echoed(const struct asked *asked, const char *name)
{
    for (size_t i = 0; i < asked->result.parameters.count; i++)
        if (strcmp(asked->result.parameters.items[i].name, name) == 0)
            return true;
    return false;
}

Test(analysis, what_the_quantity_sets_itself_is_not_echoed)
{
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "wavelengths", "encoding=sinusoidal&dim=8"), POSENC_OK);
    cr_expect_not(is_echoed(&asked, "length"));
    cr_expect_not(is_echoed(&asked, "offset"));
    cr_expect_eq(echoed_number(&asked.result, "base"), 10000);
    asked_release(&asked);
    cr_assert_eq(ask_quantity(&asked, "decay", "encoding=alibi&heads=2&offsets=1"), POSENC_OK);
    cr_expect_not(is_echoed(&asked, "query_length"));
    cr_expect_not(is_echoed(&asked, "key_length"));
    cr_expect_str_eq(echoed_text(&asked.result, "mask"), "causal"); /* followed from the form */
    asked_release(&asked);
}

/* Dynamic frequencies depend on the sequence's length. */
static enum posenc_status ask_dynamic(struct asked *asked, const char *query)
{
    static const struct posenc_member scaling[] = {
        {"rope_type", {.kind = POSENC_TEXT, .as.text = "dynamic"}},
        {"factor", {.kind = POSENC_NUMBER, .as.number = 2}},
    };
    const struct posenc_member member = {"scaling", posenc_object(scaling, 2)};

    return ask_quantity_with(asked, "wavelengths", query, &member, 1);
}

#define DYNAMIC "encoding=rope&dim=16&max_position_embeddings=50"

Test(analysis, what_the_encoding_derives_and_resolves_is_passed_on)
{
    struct asked asked;

    cr_assert_eq(ask_dynamic(&asked, DYNAMIC "&length=100"), POSENC_OK, "%s", asked.problem.detail);
    cr_expect_eq(echoed_number(&asked.result, "sequence_length"), 100);
    cr_expect_gt(derived_value(&asked, "effective_base")->as.number, 10000);
    asked_release(&asked);
}

Test(analysis, a_length_that_frequencies_depend_on_is_asked_for)
{
    struct asked asked;

    cr_expect_eq(ask_dynamic(&asked, DYNAMIC), POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "sequence_length");
    asked_release(&asked);
}

Test(analysis, warns_of_positions_that_have_no_part_and_of_what_gives_way)
{
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "wavelengths", "encoding=rope&dim=8&length=4&offset=3"),
                 POSENC_OK);
    cr_assert_eq(asked.result.warning_count, 1);
    cr_expect_str_eq(asked.result.warnings[0].parameter, "offset");
    asked_release(&asked);
    cr_assert_eq(ask_quantity(&asked, "decay",
                              "encoding=alibi&heads=2&offsets=1&alignment=top_left&key_length=9"),
                 POSENC_OK);
    cr_assert_eq(asked.result.warning_count, 1); /* key_length is taken as it is given */
    cr_expect_str_eq(asked.result.warnings[0].parameter, "alignment");
    asked_release(&asked);
    cr_assert_eq(ask_quantity(&asked, "wavelengths", "encoding=rope&dim=8"), POSENC_OK);
    cr_expect_eq(asked.result.warning_count, 0);
    asked_release(&asked);
}

Test(analysis, an_encoding_of_several_axes_has_wavelengths_but_no_offsets)
{
    static const char axes[] =
        "encoding=rope&dim=16&mrope_section=2,3,3&mrope_order=chunked&offsets=1";
    struct asked asked;

    assert_quantity_refused(&asked, "dot_by_offset", axes, POSENC_CONFLICT, "encoding");
    asked_release(&asked);
    cr_assert_eq(ask_quantity(&asked, "wavelengths",
                              "encoding=rope&dim=16&mrope_section=2,3,3&mrope_order=chunked"),
                 POSENC_OK);
    cr_expect_eq(posenc_find_tensor(&asked.result, "wavelengths")->count, 8);
    asked_release(&asked);
}

/* As an echo names them: the quantity's own answer, sent again, would say something new. */
Test(analysis, positions_that_are_the_default_are_not_warned_of)
{
    struct asked asked;

    cr_assert_eq(
        ask_quantity(&asked, "wavelengths", "encoding=rope&dim=4&length=3&offset=0&step=1"),
        POSENC_OK);
    cr_expect_eq(asked.result.warning_count, 0u);
    asked_release(&asked);
    cr_assert_eq(
        ask_quantity(&asked, "wavelengths", "encoding=rope&dim=4&length=3&offset=2&step=1"),
        POSENC_OK);
    cr_assert_eq(asked.result.warning_count, 1u);
    cr_expect_str_eq(asked.result.warnings[0].parameter, "offset");
    asked_release(&asked);
}
