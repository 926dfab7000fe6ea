/* Reading a part's members: the file before the class, null as nothing, everything by its path. */
#include "resolve_part.h"

#include <stdio.h>

#include "resolving_rows.h"

/* A part of a file under "text_config.", with defaults of a class. */
struct bench {
    struct posenc_memory memory;
    struct posenc_problem problem;
    struct posenc_arguments log;
    struct posenc_value file;
    struct posenc__resolution whole;
    struct posenc__part part;
};

static void set_bench(struct bench *bench, const char *file, const char *defaults)
{
    memset(bench, 0, sizeof(*bench));
    posenc_memory_init(&bench->memory, POSENC_MEMORY_DEFAULT);
    bench->whole = (struct posenc__resolution){
        .memory = &bench->memory, .problem = &bench->problem, .log = &bench->log};
    bench->part =
        (struct posenc__part){.whole = &bench->whole, .file = &bench->file, .path = "text_config."};
    cr_assert(posenc__read_facts(file, &bench->memory, &bench->file));
    cr_assert(posenc__read_facts(defaults, &bench->memory, &bench->part.defaults));
}

#define FILE_TEXT                                                                                  \
    "a=1 b=2.5 c=null d=word e=true f=false g=0 inner.x=3 list=1,2 layer_types=null n_layer=6 "

Test(resolve_part, looks_in_the_file_first_and_takes_null_for_nothing)
{
    static const struct {
        const char *names, *member;
        double number; /* 0: nothing is found */
        bool from_class;
    } rows[] = {
        {"a", "a", 1, false},        {"z a", "a", 1, false},
        {"b a", "b", 2.5, false}, /* the first name that the file has */
        {"k a", "a", 1, false},   /* any name of the file before the class */
        {"k", "k", 7, true},         {"c", "c", 8, true},
        {"c a", "a", 1, false},      {"inner.x", "inner.x", 3, false},
        {"z inner.y", "", 0, false}, {"aa", "", 0, false},
    };
    struct bench bench;

    set_bench(&bench, FILE_TEXT, "a=5 k=7 c=8");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct posenc__fact fact = posenc__part_look(&bench.part, rows[i].names);

        cr_assert_eq(fact.value != NULL, rows[i].number != 0, "%s", rows[i].names);
        cr_expect_str_eq(fact.member, rows[i].member, "%s", rows[i].names);
        if (!fact.value)
            continue;
        cr_expect_eq(fact.value->as.number, rows[i].number, "%s", rows[i].names);
        cr_expect_eq(fact.from_class, rows[i].from_class, "%s", rows[i].names);
    }
    cr_expect_null(posenc__part_member(&bench.part, "c"));
    cr_expect_null(posenc__part_member(&bench.part, "k")); /* the class does not count here */
    cr_expect_not_null(posenc__part_member(&bench.part, "inner.x"));
    posenc_memory_release(&bench.memory);
}

Test(resolve_part, checks_kind_wholeness_and_range_at_both_ends)
{
    static const struct {
        const char *name;
        bool integral;
        double minimum, maximum;
        enum posenc_status status;
    } rows[] = {
        {"a", true, 1, 1, POSENC_OK},
        {"a", true, 2, 9, POSENC_OUT_OF_RANGE},
        {"a", true, 0, 0.5, POSENC_OUT_OF_RANGE},
        {"b", false, 2.5, 2.5, POSENC_OK},
        {"b", true, 0, 9, POSENC_WRONG_TYPE},
        {"d", false, 0, 9, POSENC_WRONG_TYPE},
        {"e", false, 0, 9, POSENC_WRONG_TYPE},
        {"list", false, 0, 9, POSENC_WRONG_TYPE},
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench bench;
        double number;
        char path[64];

        set_bench(&bench, FILE_TEXT, "");
        cr_expect_eq(posenc__part_check(
                         &bench.part, rows[i].name, posenc_find_member(&bench.file, rows[i].name),
                         rows[i].integral, rows[i].minimum, rows[i].maximum, &number),
                     rows[i].status, "row %zu", i);
        (void)snprintf(path, sizeof(path), "text_config.%s", rows[i].name);
        cr_expect_str_eq(bench.problem.parameter, rows[i].status == POSENC_OK ? "" : path);
        posenc_memory_release(&bench.memory);
    }
}

Test(resolve_part, missing_numbers_are_zero_and_no_refusal)
{
    struct posenc__fact fact;
    struct bench bench;
    size_t size = 9;
    double number = 9;

    set_bench(&bench, FILE_TEXT, "k=7");
    cr_expect_eq(posenc__part_size(&bench.part, "z", 1, 5, &fact, &size), POSENC_OK);
    cr_expect_eq(size, 0);
    cr_expect_null(fact.value);
    cr_expect_eq(posenc__part_number(&bench.part, "z", 1, 5, &fact, &number), POSENC_OK);
    cr_expect_eq(number, 0);
    cr_expect_eq(posenc__part_size(&bench.part, "z k", 1, 7, &fact, &size), POSENC_OK);
    cr_expect_eq(size, 7);
    cr_expect(fact.from_class);
    cr_expect_eq(posenc__part_size(&bench.part, "z b", 1, 7, &fact, &size), POSENC_WRONG_TYPE);
    cr_expect_eq(size, 0);
    posenc_memory_release(&bench.memory);
}

Test(resolve_part, flags_are_true_and_numbers_but_zero)
{
    static const char *const on[] = {"e", "a", "z e"}, *const off[] = {"f", "g", "d", "z", "c"};
    struct bench bench;

    set_bench(&bench, FILE_TEXT, "");
    for (size_t i = 0; i < COUNT_OF(on); i++)
        cr_expect(posenc__part_flag(&bench.part, on[i]), "%s", on[i]);
    for (size_t i = 0; i < COUNT_OF(off); i++)
        cr_expect_not(posenc__part_flag(&bench.part, off[i]), "%s", off[i]);
    cr_expect_str_eq(posenc__part_text(&bench.part, "d"), "word");
    cr_expect_null(posenc__part_text(&bench.part, "a"));
    posenc_memory_release(&bench.memory);
}

/* Groups of layers find the same thing again. */
Test(resolve_part, the_same_sentence_is_told_once)
{
    struct bench bench;

    set_bench(&bench, FILE_TEXT, "k=7");
    for (int i = 0; i < 3; i++) {
        const struct posenc__fact of_class = posenc__part_look(&bench.part, "k");
        const struct posenc__fact of_file = posenc__part_look(&bench.part, "a");

        posenc__part_tell_assumed(&bench.part, &of_class);
        posenc__part_tell_assumed(&bench.part, &of_file);
    }
    cr_assert_eq(bench.log.warning_count, 1);
    cr_expect_str_eq(bench.log.warnings[0].parameter, "text_config.k");
    posenc__part_warn(&bench.part, "k", "something else");
    cr_expect_eq(bench.log.warning_count, 2);
    posenc_memory_release(&bench.memory);
}

/* The file's number, a list that has one entry a layer, then the class's number. */
Test(resolve_part, counts_layers_by_number_or_list)
{
    static const struct {
        const char *file, *defaults;
        size_t words;  /* of a list of types */
        double layers; /* 0: unknown */
        enum posenc_status status;
    } rows[] = {
        {"n_layer=6", "", 0, 6, POSENC_OK},
        {"num_hidden_layers=4 n_layer=6", "", 0, 4, POSENC_OK},
        {"", "num_hidden_layers=32", 0, 32, POSENC_OK},
        {"", "num_hidden_layers=32", 3, 3, POSENC_OK},
        {"n_layer=6", "", 3, 6, POSENC_OK},
        {"", "", 0, 0, POSENC_OK},
        {"num_hidden_layers=4096", "", 0, 4096, POSENC_OK},
        {"num_hidden_layers=4097", "", 0, 0, POSENC_OUT_OF_RANGE},
        {"num_hidden_layers=0", "", 0, 0, POSENC_OUT_OF_RANGE},
    };
    static const char *const words[] = {"full_attention", "full_attention", "sliding_attention"};

    cr_assert_eq(POSENC_CONFIG_LAYERS_MAX, 4096);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct posenc_value items[3];
        struct posenc_member members[4];
        struct bench bench;
        size_t layers = 0, count;
        bool known = false;

        set_bench(&bench, rows[i].file, rows[i].defaults);
        count = bench.file.as.object.count;
        if (count > 0)
            memcpy(members, bench.file.as.object.items, count * sizeof(*members));
        members[count] = word_list("layer_types", words, rows[i].words, items);
        bench.file = posenc_object(members, count + (rows[i].words > 0));
        cr_expect_eq(posenc__part_layers(&bench.part, &known, &layers), rows[i].status, "row %zu",
                     i);
        cr_expect_eq(known, rows[i].layers > 0, "row %zu", i);
        cr_expect_eq((double)layers, rows[i].layers, "row %zu", i);
        posenc_memory_release(&bench.memory);
    }
}

Test(resolve_part, members_are_added_once)
{
    const struct posenc_member first[] = {{"a", posenc_number(1)}, {"b", posenc_number(2)}};
    const struct posenc_member second[] = {{"b", posenc_number(3)}, {"c", posenc_number(4)}};
    const struct posenc_value objects[] = {posenc_object(first, 2), posenc_object(second, 2)};
    struct posenc__members members;
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    cr_assert(posenc__members_init(&members, 3, &memory));
    posenc__members_add_all(&members, &objects[0]);
    posenc__members_add_all(&members, &objects[1]);
    const struct posenc_value value = posenc__members_value(&members);

    cr_expect_eq(value.as.object.count, 3);
    cr_expect_eq(posenc_find_member(&value, "b")->as.number, 2);
    cr_expect_eq(posenc_find_member(&value, "c")->as.number, 4);
    posenc_memory_release(&memory);
}
