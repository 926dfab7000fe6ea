/* Uses: members that are there only where there is something to say, notes, and their number. */
#include "resolve_part.h"

#include "resolving_rows.h"

struct bench {
    struct posenc_memory memory;
    struct posenc_problem problem;
    struct posenc_arguments log;
    struct posenc_value uses[POSENC_CONFIG_USES_MAX];
    struct posenc__resolution whole;
    struct posenc__part part;
};

static void set_bench(struct bench *bench)
{
    memset(bench, 0, sizeof(*bench));
    posenc_memory_init(&bench->memory, POSENC_MEMORY_DEFAULT);
    bench->whole = (struct posenc__resolution){.memory = &bench->memory,
                                               .problem = &bench->problem,
                                               .log = &bench->log,
                                               .uses = bench->uses};
    bench->part = (struct posenc__part){.whole = &bench->whole, .path = "text_config."};
}

Test(resolve_use, has_the_members_that_say_something)
{
    const struct posenc_member dim = {"dim", posenc_number(8)};
    const struct posenc__use bare = {
        .component = "text", .encoding = "none", .layers = posenc_text("all")};
    const struct posenc__use full = {.component = "vision",
                                     .encoding = "rope",
                                     .layer_type = "full_attention",
                                     .layers = posenc_text("all"),
                                     .parameters = posenc_object(&dim, 1),
                                     .derived = posenc_object(&dim, 1),
                                     .query_scale = posenc_object(&dim, 1)};
    static const char *const optional[] = {"layer_type", "derived", "query_scale"};
    struct bench bench;

    set_bench(&bench);
    cr_assert_eq(posenc__add_use(&bench.part, &bare), POSENC_OK);
    cr_assert_eq(posenc__add_use(&bench.part, &full), POSENC_OK);
    cr_assert_eq(bench.whole.use_count, 2);
    for (size_t i = 0; i < COUNT_OF(optional); i++) {
        cr_expect_null(posenc_find_member(&bench.uses[0], optional[i]), "%s", optional[i]);
        cr_expect_not_null(posenc_find_member(&bench.uses[1], optional[i]), "%s", optional[i]);
    }
    cr_expect_eq(posenc_find_member(&bench.uses[0], "parameters")->kind, POSENC_OBJECT);
    cr_expect_eq(posenc_find_member(&bench.uses[0], "parameters")->as.object.count, 0);
    cr_expect_eq(posenc_find_member(&bench.uses[0], "notes")->as.list.count, 0);
    cr_expect_str_eq(posenc_find_member(&bench.uses[1], "component")->as.text, "vision");
    posenc_memory_release(&bench.memory);
}

Test(resolve_use, keeps_notes_in_their_order_up_to_a_limit)
{
    struct posenc__use use = {
        .component = "text", .encoding = "none", .layers = posenc_text("all")};
    struct bench bench;

    set_bench(&bench);
    for (int i = 0; i < POSENC__NOTES_MAX + 3; i++)
        posenc__use_note(&bench.part, &use, "note %d", i);
    cr_assert_eq(posenc__add_use(&bench.part, &use), POSENC_OK);
    const struct posenc_list *notes = &posenc_find_member(&bench.uses[0], "notes")->as.list;

    cr_assert_eq(notes->count, POSENC__NOTES_MAX);
    cr_expect_str_eq(notes->items[0].as.text, "note 0");
    cr_expect_str_eq(notes->items[POSENC__NOTES_MAX - 1].as.text, "note 11");
    posenc_memory_release(&bench.memory);
}

Test(resolve_use, refuses_one_more_than_the_most)
{
    const struct posenc__use use = {
        .component = "text", .encoding = "none", .layers = posenc_text("all")};
    struct bench bench;

    set_bench(&bench);
    for (size_t i = 0; i < POSENC_CONFIG_USES_MAX; i++)
        cr_assert_eq(posenc__add_use(&bench.part, &use), POSENC_OK);
    cr_expect_eq(posenc__add_use(&bench.part, &use), POSENC_TOO_LARGE);
    cr_expect_str_eq(bench.problem.parameter, "text_config.num_hidden_layers");
    cr_expect_eq(bench.whole.use_count, POSENC_CONFIG_USES_MAX);
    posenc_memory_release(&bench.memory);
}

Test(resolve_use, says_when_memory_is_out)
{
    const struct posenc__use use = {
        .component = "text", .encoding = "none", .layers = posenc_text("all")};
    struct bench bench;

    set_bench(&bench);
    posenc_memory_release(&bench.memory);
    posenc_memory_init(&bench.memory, 0);
    cr_expect_eq(posenc__add_use(&bench.part, &use), POSENC_NO_MEMORY);
    cr_expect_eq(bench.whole.use_count, 0);
    posenc_memory_release(&bench.memory);
}
