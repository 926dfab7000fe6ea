#include "facts.h"

#include <criterion/criterion.h>

static struct posenc_memory memory;
static struct posenc_value object;

static void set_up(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
}

static void tear_down(void)
{
    posenc_memory_release(&memory);
}

TestSuite(facts, .init = set_up, .fini = tear_down);

Test(facts, reads_every_kind_of_value)
{
    const struct posenc_value *value;

    cr_assert(posenc__read_facts("a=1e4 b=true c=null d=word e=3,4 f=7, g=2b", &memory, &object));
    cr_expect_eq(posenc_find_member(&object, "a")->as.number, 1e4);
    cr_expect(posenc_find_member(&object, "b")->as.boolean);
    cr_expect_eq(posenc_find_member(&object, "c")->kind, POSENC_NULL);
    cr_expect_str_eq(posenc_find_member(&object, "d")->as.text, "word");
    cr_expect_str_eq(posenc_find_member(&object, "g")->as.text, "2b");
    value = posenc_find_member(&object, "e");
    cr_assert_eq(value->kind, POSENC_ARRAY);
    cr_expect_eq(value->as.array.shape[0], 2);
    cr_expect_eq(((const double *)value->as.array.data)[1], 4.0);
    cr_expect_eq(posenc_find_member(&object, "f")->as.array.shape[0], 1);
}

Test(facts, nests_dotted_names_and_keeps_the_order)
{
    cr_assert(posenc__read_facts("x.b=1 y=2 x.a.z=3", &memory, &object));
    cr_assert_eq(object.as.object.count, 2);
    cr_expect_str_eq(object.as.object.items[0].name, "x");
    cr_expect_eq(posenc__find_path(&object, "x.a.z")->as.number, 3.0);
    cr_expect_eq(posenc__find_path(&object, "x.b")->as.number, 1.0);
    cr_expect_null(posenc__find_path(&object, "x.c"));
    cr_expect_null(posenc__find_path(&object, "y.a"));
}

Test(facts, gives_an_empty_object_for_no_text)
{
    cr_assert(posenc__read_facts(NULL, &memory, &object));
    cr_expect_eq(object.kind, POSENC_OBJECT);
    cr_expect_eq(object.as.object.count, 0);
}

Test(facts, fails_when_memory_is_out)
{
    struct posenc_memory none;

    posenc_memory_init(&none, 0);
    cr_expect_not(posenc__read_facts("a=1", &none, &object));
    posenc_memory_release(&none);
}

Test(facts, finds_whole_words_only)
{
    cr_expect(posenc__has_word("llama mistral", "mistral"));
    cr_expect_not(posenc__has_word("llama mistral", "mist"));
    cr_expect_not(posenc__has_word("llama mistral", "llama mistral"));
    cr_expect_not(posenc__has_word(NULL, "llama"));
}
