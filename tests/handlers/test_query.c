#include "query.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct posenc_memory memory;
static struct posenc_value object;
static struct body_problem problem;

static void set_up(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
}

static void tear_down(void)
{
    posenc_memory_release(&memory);
}

TestSuite(query, .init = set_up, .fini = tear_down);

static const struct posenc_untyped *untyped(const struct posenc_value *parent, const char *name)
{
    const struct posenc_value *const value = posenc_find_member(parent, name);

    cr_assert(value && value->kind == POSENC_UNTYPED, "%s", name);
    return &value->as.untyped;
}

Test(query, reads_names_and_values_in_their_order)
{
    cr_assert(read_query("length=2&layout=sin_cos&&flag&empty=", &memory, &object, &problem));
    cr_assert_eq(object.kind, POSENC_OBJECT);
    cr_assert_eq(object.as.object.count, 4);
    cr_expect_str_eq(object.as.object.items[0].name, "length");
    cr_expect_str_eq(object.as.object.items[3].name, "empty");
    cr_expect_eq(untyped(&object, "length")->numbers[0], 2.0);
    cr_expect_str_eq(untyped(&object, "length")->text, "2");
    cr_expect_str_eq(untyped(&object, "layout")->text, "sin_cos");
    cr_expect_null(untyped(&object, "layout")->numbers);
    cr_expect_str_eq(untyped(&object, "flag")->text, "");
    cr_expect_null(untyped(&object, "empty")->numbers);
}

Test(query, gives_an_empty_object_for_nothing)
{
    cr_assert(read_query("", &memory, &object, &problem));
    cr_expect_eq(object.kind, POSENC_OBJECT);
    cr_expect_eq(object.as.object.count, 0);
}

Test(query, decodes_escapes_once)
{
    cr_assert(read_query("a%2Eb=%2541+%c3%a9%3D%26&c=x=y", &memory, &object, &problem));
    const struct posenc_value *const a = posenc_find_member(&object, "a");

    cr_assert(a && a->kind == POSENC_OBJECT);
    cr_expect_str_eq(untyped(a, "b")->text, "%41 \xC3\xA9=&");
    cr_expect_str_eq(untyped(&object, "c")->text, "x=y");
}

Test(query, nests_dotted_names)
{
    cr_assert(read_query("scaling.type=yarn&dim=8&scaling.factor=4&scaling.x.y.z.w=1", &memory,
                         &object, &problem));
    cr_assert_eq(object.as.object.count, 2);
    const struct posenc_value *const scaling = posenc_find_member(&object, "scaling");

    cr_assert(scaling && scaling->kind == POSENC_OBJECT);
    cr_expect_eq(scaling->as.object.count, 3);
    cr_expect_str_eq(untyped(scaling, "type")->text, "yarn");
    cr_expect_eq(untyped(scaling, "factor")->numbers[0], 4.0);
}

Test(query, reads_lists_of_numbers_and_leaves_other_lists_as_text)
{
    cr_assert(
        read_query("p=0,1.5,-2e3,NaN,-Infinity,+7&q=1,,2&r=1,x&s=01", &memory, &object, &problem));
    const struct posenc_untyped *const p = untyped(&object, "p");

    cr_assert_eq(p->count, 6);
    cr_expect_eq(p->numbers[2], -2000.0);
    cr_expect(isnan(p->numbers[3]));
    cr_expect_eq(p->numbers[4], -INFINITY);
    cr_expect_eq(p->numbers[5], 7.0);
    cr_expect_null(untyped(&object, "q")->numbers);
    cr_expect_null(untyped(&object, "r")->numbers);
    cr_expect_null(untyped(&object, "s")->numbers);
}

Test(query, refuses_what_it_cannot_understand)
{
    static const struct {
        const char *query;
        size_t offset;
        const char *parameter, *word;
    } rows[] = {
        {"a=1&b=%4", 4, "", "hexadecimal"},
        {"a=%", 0, "", "hexadecimal"},
        {"a=%gg", 0, "", "hexadecimal"},
        {"a=x%00y", 0, "", "NUL"},
        {"a=%ff", 0, "", "UTF-8"},
        {"a=%ed%a0%80", 0, "", "UTF-8"},
        {"a=%c0%80", 0, "", "UTF-8"},
        {"=1", 0, "", "name is missing"},
        {"a..b=1", 0, "a..b", "name is missing"},
        {".a=1", 0, ".a", "name is missing"},
        {"a.=1", 0, "a.", "name is missing"},
        {"a.b.c.d.e.f=1", 0, "a.b.c.d.e.f", "4 dots"},
        {"dim=1&x=2&dim=1", 10, "dim", "twice"},
        {"s.f=1&s.f=2", 6, "s.f", "twice"},
        {"s=1&s.f=2", 4, "s.f", "both"},
        {"s.f=2&s=1", 6, "s", "both"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect(!read_query(rows[i].query, &memory, &object, &problem), "%s", rows[i].query);
        cr_expect_eq(problem.offset, rows[i].offset, "%s", rows[i].query);
        cr_expect_str_eq(problem.parameter, rows[i].parameter, "%s", rows[i].query);
        cr_expect(strstr(problem.detail, rows[i].word), "%s: %s", rows[i].query, problem.detail);
        cr_expect(!problem.no_memory);
    }
}

Test(query, leaves_what_fits_no_double_as_text)
{
    static const char *const texts[] = {"base=1e999", "base=-1e999", "base=2,1e-999"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_assert(read_query(texts[i], &memory, &object, &problem));
        cr_expect_null(object.as.object.items[0].value.as.untyped.numbers, "%s", texts[i]);
        cr_expect_str_eq(object.as.object.items[0].value.as.untyped.text, texts[i] + 5);
    }
}

Test(query, knows_which_of_its_numbers_became_integers_by_rounding)
{
    const struct posenc_value *value;

    cr_assert(read_query("p=1,+9007199254740993+,0.1&q=2.0", &memory, &object, &problem));
    value = posenc_find_member(&object, "p");
    cr_assert(value && value->rounded && !value->rounded->next);
    cr_expect(value->rounded->index == 1 && value->rounded->is_above);
    cr_expect_str_eq(value->rounded->text, "9007199254740993");
    cr_expect_eq(value->as.untyped.numbers[1], 9007199254740992.0);
    cr_expect_null(posenc_find_member(&object, "q")->rounded);
}

Test(query, takes_256_names_and_not_one_more)
{
    char query[QUERY_MEMBERS_MAX * 8 + 8];
    size_t length = 0;

    for (int i = 0; i < QUERY_MEMBERS_MAX; i++)
        length += (size_t)snprintf(query + length, sizeof query - length, "n%d=1&", i);
    cr_assert(read_query(query, &memory, &object, &problem));
    cr_expect_eq(object.as.object.count, QUERY_MEMBERS_MAX);
    strcat(query, "x=1");
    cr_assert(!read_query(query, &memory, &object, &problem));
    cr_expect(strstr(problem.detail, "256"));
}

Test(query, says_when_memory_is_out)
{
    struct posenc_memory small;

    posenc_memory_init(&small, 512);
    cr_expect(!read_query("a=1&b=2&c=3&d=4&e.f=5", &small, &object, &problem));
    cr_expect(problem.no_memory);
    posenc_memory_release(&small);
}

Test(query, never_crashes_on_a_changed_byte)
{
    static const char good[] = "length=2&scaling.type=yarn&x=%C3%A9&p=1,2e5,NaN&s.t.u=%41+b";
    size_t accepted = 0;

    for (size_t at = 0; at < sizeof good - 1; at++) {
        for (int byte = 1; byte < 256; byte++) {
            char changed[sizeof good];

            memcpy(changed, good, sizeof good);
            changed[at] = (char)byte;
            if (read_query(changed, &memory, &object, &problem))
                accepted++;
            else
                cr_assert(problem.detail[0] != '\0');
            posenc_memory_release(&memory);
        }
    }
    cr_expect_gt(accepted, 1000);
}

Test(query, has_values_that_can_be_read_alone)
{
    struct posenc_value value;

    cr_assert(read_untyped("1, 2.5", &memory, &value));
    cr_expect_eq(value.as.untyped.count, 2);
    cr_expect_eq(value.as.untyped.numbers[1], 2.5);
    cr_assert(read_untyped("half%20", &memory, &value));
    cr_expect_str_eq(value.as.untyped.text, "half%20");
    cr_expect_null(value.as.untyped.numbers);
}
