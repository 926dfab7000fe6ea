/* What a dialect rounds, in words. */
#include <string.h>

#include "asking.h"
#include "rope.h"

/* How many steps are told; SIZE_MAX: no list at all. */
static size_t count_steps(enum posenc__rope_arithmetic arithmetic, bool applies, const char **last)
{
    const struct posenc__rope rope = {.arithmetic = arithmetic};
    struct posenc_result result = {.derived = {NULL, 0}};
    struct posenc_problem problem;
    struct posenc_memory memory;
    size_t count = SIZE_MAX;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    cr_assert_eq(posenc__rope_derive_steps(&rope, applies, &memory, &result, &problem), POSENC_OK);
    if (result.derived.count > 0) {
        const struct posenc_value *list = &result.derived.items[0].value;

        cr_expect_str_eq(result.derived.items[0].name, "rounded_steps");
        count = list->as.list.count;
        *last = list->as.list.items[count - 1].as.text;
        for (size_t i = 0; i < count; i++)
            cr_expect_eq(list->as.list.items[i].kind, POSENC_TEXT);
    }
    posenc_memory_release(&memory); /* the words themselves are constants */
    return count;
}

Test(rope_steps, the_exact_arithmetic_has_none_to_tell)
{
    const char *last;

    cr_expect_eq(count_steps(POSENC__ROPE_EXACT, false, &last), SIZE_MAX);
    cr_expect_eq(count_steps(POSENC__ROPE_EXACT, true, &last), SIZE_MAX);
}

/* Dialects of float32 round tensors, too; a bfloat16 table is applied exactly. */
Test(rope_steps, a_rotation_is_told_where_it_is_rounded)
{
    static const struct {
        enum posenc__rope_arithmetic arithmetic;
        size_t of_table, of_apply;
    } rows[] = {{POSENC__ROPE_FLOAT32, 3, 4},
                {POSENC__ROPE_GGML, 3, 4},
                {POSENC__ROPE_BFLOAT16_TABLE, 1, 1}};

    for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
        const char *last = "";

        cr_expect_eq(count_steps(rows[k].arithmetic, false, &last), rows[k].of_table);
        cr_expect_null(strstr(last, "rotation"));
        cr_expect_eq(count_steps(rows[k].arithmetic, true, &last), rows[k].of_apply);
        cr_expect_eq(strstr(last, "rotation") != NULL, rows[k].of_apply == 4);
    }
}

Test(rope_steps, each_dialect_tells_its_own)
{
    static const struct {
        const char *arithmetic, *word;
    } rows[] = {{"float32", "base^(2i / d)"}, {"ggml", "theta_scale"}, {"bfloat16_table", "once"}};

    for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
        struct asked asked;

        ask(&asked, "rope", "table", {"dim", posenc_number(8)}, {"length", posenc_number(1)},
            {"arithmetic", posenc_text(rows[k].arithmetic)});
        const struct posenc_value derived = {.kind = POSENC_OBJECT,
                                             .as.object = asked.result.derived};
        const struct posenc_value *steps = posenc_find_member(&derived, "rounded_steps");

        cr_assert_not_null(steps, "%s", rows[k].arithmetic);
        cr_expect_not_null(strstr(steps->as.list.items[0].as.text, rows[k].word), "%s",
                           rows[k].arithmetic);
        posenc_memory_release(&asked.memory);
    }
}
