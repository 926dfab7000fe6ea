#include "name_tree.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct posenc_memory memory;
static struct name_tree tree;
static struct body_problem problem;

static void begin(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    tree = (struct name_tree){.memory = &memory};
}

static void end(void)
{
    posenc_memory_release(&memory);
}

TestSuite(name_tree, .init = begin, .fini = end);

static bool add(const char *path, double number)
{
    const struct posenc_value value = posenc_number(number);

    memset(&problem, 0, sizeof problem);
    problem.offset = 5;
    return name_tree_add(&tree, path, &value, &problem);
}

Test(name_tree, makes_objects_of_dotted_names)
{
    struct posenc_value object;
    const struct posenc_value *inner;

    cr_assert(add("a", 1) && add("b.c", 2) && add("b.d.e", 3) && add("f", 4) && add("b.g", 5));
    cr_assert(name_tree_object(&tree, &object));
    cr_assert_eq(object.as.object.count, 3);
    cr_expect_str_eq(object.as.object.items[1].name, "b");
    cr_expect_eq(posenc_find_member(&object, "f")->as.number, 4);
    inner = posenc_find_member(&object, "b");
    cr_expect_eq(inner->as.object.count, 3);
    cr_expect_eq(posenc_find_member(posenc_find_member(inner, "d"), "e")->as.number, 3);
}

Test(name_tree, of_nothing_is_an_empty_object)
{
    struct posenc_value object;

    cr_assert(name_tree_object(&tree, &object));
    cr_expect_eq(object.kind, POSENC_OBJECT);
    cr_expect_eq(object.as.object.count, 0);
}

Test(name_tree, refuses_names_that_cannot_be_or_stand_already)
{
    static const char *const names[] = {"",  ".",   "a.",  ".a",      "a..b", "a.b.c.d.e.f",
                                        "x", "x.y", "o.p", "o.p.q.r", "o"};

    cr_assert(add("x", 1) && add("o.p", 2));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cr_expect_not(add(names[i], 1), "%s", names[i]);
        cr_expect_str_eq(problem.parameter, names[i]);
        cr_expect_neq(problem.detail[0], '\0');
        cr_expect_eq(problem.offset, 5);
        cr_expect_not(problem.no_memory);
    }
}

Test(name_tree, has_a_limit_of_names)
{
    char name[16];

    for (int i = 0; i < NAME_TREE_MAX; i++) {
        (void)snprintf(name, sizeof name, "n%d", i);
        cr_assert(add(name, i));
    }
    cr_expect_not(add("m", 1));
}

Test(name_tree, says_when_memory_is_out)
{
    memory.limit = 0;
    cr_expect_not(add("a", 1));
    cr_expect(problem.no_memory);
}
