/* The scan of a body: grammar, limits, faults at their places, and what it takes out. */
#include "body_scan.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "writing.h"

WRITING_SUITE(body_scan);

/* Generous for a sanitized build on a busy machine; what is not linear takes far longer. */
#define SECONDS_MAX 5.0

static struct body_scan scan;

static bool scan_text(const char *text)
{
    body_scan_init(&scan, text, strlen(text), &memory);
    return scan_body(&scan);
}

static void expect_cut(size_t index, size_t start, size_t end, enum posenc_kind kind)
{
    cr_assert_lt(index, scan.cut_count);
    cr_expect_eq(scan.cuts[index].start, start, "cut %zu", index);
    cr_expect_eq(scan.cuts[index].end, end, "cut %zu", index);
    cr_expect_eq(scan.cuts[index].value.kind, kind, "cut %zu", index);
}

Test(body_scan, takes_out_every_number_and_every_array_of_numbers)
{
    cr_assert(scan_text("{\"a\": 12,\"b\":[1, 2],\"c\":[true,-3e1,[ ],\"5\"],\"d\":[[4],[]]}"));
    cr_assert_eq(scan.cut_count, 5);
    expect_cut(0, 6, 8, POSENC_NUMBER);
    cr_expect_eq(scan.cuts[0].value.as.number, 12);
    expect_cut(1, 13, 19, POSENC_ARRAY);
    cr_expect_eq(((const double *)scan.cuts[1].value.as.array.data)[1], 2);
    expect_cut(2, 30, 34, POSENC_NUMBER);
    cr_expect_eq(scan.cuts[2].value.as.number, -30);
    expect_cut(3, 35, 38, POSENC_ARRAY);
    cr_expect_eq(scan.cuts[3].value.as.array.shape[0], 0);
    expect_cut(4, 48, 56, POSENC_RAGGED);
    cr_expect_str_eq(scan.cuts[4].value.as.text, "1");
}

Test(body_scan, keeps_as_many_cuts_as_there_are_numbers)
{
    char text[1024] = "[null";

    for (int i = 0; i < 100; i++)
        (void)sprintf(text + strlen(text), ",%d", i);
    cr_assert(scan_text(strcat(text, "]")));
    cr_assert_eq(scan.cut_count, 100);
    for (size_t i = 0; i < 100; i++)
        cr_expect_eq(scan.cuts[i].value.as.number, (double)i);
}

Test(body_scan, counts_values_but_not_numbers_in_arrays)
{
    cr_assert(scan_text("{\"a\":[1,2,3],\"b\":{\"c\":null,\"d\":[\"x\",7]}}"));
    cr_expect_eq(scan.value_count, 7, "two objects, two arrays, null, a text and a number");
}

Test(body_scan, counts_the_bytes_of_names_and_texts_as_they_will_be)
{
    cr_assert(scan_text("{\"ab\":\"\\u00e9\\n\\\"\",\"c\":[\"\xC3\xA9\",\"\\ud83d\\ude00\"]}"));
    cr_expect_eq(scan.cursor.text_bytes, 2 + 4 + 1 + 2 + 4);
}

struct fault {
    const char *text;
    size_t offset;
    const char *path, *word;
};

static void expect_fault(const struct fault *fault)
{
    cr_expect(!scan_text(fault->text), "%s", fault->text);
    cr_expect(!scan.no_memory, "%s", fault->text);
    cr_expect_eq(scan.cursor.fault_at, fault->offset, "%s at %zu: %s", fault->text,
                 scan.cursor.fault_at, scan.cursor.fault);
    cr_expect_str_eq(scan.path, fault->path, "%s gives %s", fault->text, scan.path);
    cr_expect(strstr(scan.cursor.fault, fault->word), "%s: %s", fault->text, scan.cursor.fault);
}

/* A fault belongs to a value, whose path is told; or to what stands between values. */
Test(body_scan, says_where_and_what_is_wrong)
{
    static const struct fault faults[] = {
        {"{'length':1}", 1, "", "a name in double quotes"},
        {"{length:1}", 1, "", "a name in double quotes"},
        {"{\"a\":'x'}", 5, "a", "double quotes"},
        {"{\"a\":1,}", 7, "", "remove the comma"},
        {"{,}", 1, "", "name in double quotes"},
        {"{\"a\" 1}", 5, "", "colon"},
        {"{\"a\":1 \"b\":2}", 7, "", "comma or '}'"},
        {"{\"a\":[\"x\" 1]}", 10, "", "comma or ']'"},
        {"{\"a\":[\"x\",]}", 10, "a.1", "missing"},
        {"{\"a\":[\"x\"}}", 9, "", "comma or ']'"},
        {"{\"a\":}", 5, "a", "missing"},
        {"{\"a\":1", 6, "", "last bracket"},
        {"{\"a\":", 5, "a", "ends"},
        {"{\"a\"", 4, "", "colon"},
        {"{\"a", 1, "", "not closed"},
        {"{", 1, "", "ends"},
        {"{}{}", 2, "", "after its end"},
        {"{} x", 3, "", "after its end"},
        {"{\"a\":NaN}", 5, "a", "NaN"},
        {"{\"a\":{\"b\":-Infinity}}", 10, "a.b", "NaN"},
        {"{\"a\":1e400}", 5, "a", "too large"},
        {"{\"a\":{\"b\":[[0],[-1e400]]}}", 16, "a.b.1.0", "too large"},
        {"{\"a\":1e-400}", 5, "a", "too small"},
        {"{\"a\":True}", 5, "a", "small letters"},
        {"{\"a\":None}", 5, "a", "small letters"},
        {"{\"a\":nul}", 5, "a", "a value is due"},
        {"{\"a\":truex}", 9, "a", "comma"},
        {"{\"a\":01}", 6, "a", "leading zeros"},
        {"{\"a\":1 2}", 7, "", "comma"},
        {"{\"a\":.5}", 5, "a", "starts with a digit"},
        {"{\"a\":5.}", 6, "a", "decimal point"},
        {"{\"a\":+5}", 5, "a", "starts with a digit"},
        {"{\"a\":0x10}", 6, "a", "number"},
        {"{\"a\":1/*x*/}", 6, "a", "number"},
        {"// x\n{}", 0, "", "comments"},
        {"\xEF\xBB\xBF{}", 0, "", "byte order mark"},
        {"{\"a\":\"x", 5, "a", "not closed"},
        {"{\"a\":\"x\\", 5, "a", "not closed"},
        {"{\"a\":\"x\\qy\"}", 7, "a", "escapes"},
        {"{\"a\\u0000\":1}", 3, "", "NUL"},
    };

    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        expect_fault(&faults[i]);
}

Test(body_scan, cuts_a_path_that_has_no_room)
{
    char text[4 * BODY_NAME_MAX] = "{\"";

    memset(text + 2, 'n', 100);
    strcat(text, "\":{\"");
    memset(text + strlen(text), 'm', 900);
    strcat(text, "\":{\"last\":?");
    cr_expect_not(scan_text(text));
    cr_expect_eq(strlen(scan.path), POSENC_PATH_MAX - 1);
    cr_expect_eq(strspn(scan.path, "n"), 100);
    cr_expect_eq(scan.path[100], '.');
    cr_expect_eq(strspn(scan.path + 101, "m"), POSENC_PATH_MAX - 102);
}

/* A text with `depth` times `open`, then `middle`, then `depth` times `close`. */
static char *nest(size_t depth, const char *open, const char *middle, const char *close)
{
    char *const text = malloc(depth * (strlen(open) + strlen(close)) + strlen(middle) + 1);
    char *at = text;

    cr_assert(text);
    for (size_t i = 0; i < depth; i++)
        at = stpcpy(at, open);
    at = stpcpy(at, middle);
    for (size_t i = 0; i < depth; i++)
        at = stpcpy(at, close);
    return text;
}

static bool scan_nested(size_t depth, const char *open, const char *middle, const char *close)
{
    char *const text = nest(depth, open, middle, close);
    const bool is_read = scan_text(text);

    free(text);
    return is_read;
}

Test(body_scan, nests_up_to_its_limit_and_not_deeper)
{
    cr_expect(scan_nested(BODY_DEPTH_MAX, "{\"a\":", "1", "}"));
    cr_expect(scan_nested(BODY_DEPTH_MAX, "[\"\",", "null", "]"));
    cr_expect(!scan_nested(BODY_DEPTH_MAX + 1, "{\"a\":", "1", "}"));
    cr_expect_eq(scan.cursor.fault_at, BODY_DEPTH_MAX * 5);
    cr_expect(strstr(scan.cursor.fault, "32 levels"));
    cr_expect(scan_nested(BODY_DEPTH_MAX - 1, "{\"a\":", "[[[[[[[[1]]]]]]]]", "}"),
              "arrays of numbers have a limit of their own: %s", scan.cursor.fault);
}

Test(body_scan, refuses_a_hundred_thousand_brackets)
{
    static const char *const opens[] = {"[", "{\"\":", "[[", "[\"\",", "[{\"a\":"};

    for (size_t i = 0; i < sizeof opens / sizeof *opens; i++) {
        cr_expect(!scan_nested(100000, opens[i], "", ""), "%s", opens[i]);
        cr_expect(strstr(scan.cursor.fault, "deeper"), "%s: %s", opens[i], scan.cursor.fault);
        posenc_memory_release(&memory);
    }
}

/* Scans `count` times `item` between `first` and `last`. */
static bool scan_repeated(const char *first, const char *item, size_t count, const char *last)
{
    char *const text = malloc(strlen(first) + count * strlen(item) + strlen(last) + 1);
    char *at = text;
    const clock_t start = clock();
    bool is_read;

    cr_assert(text);
    at = stpcpy(at, first);
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, item);
    (void)stpcpy(at, last);
    is_read = scan_text(text);
    cr_expect_lt((double)(clock() - start) / CLOCKS_PER_SEC, SECONDS_MAX, "%s", item);
    free(text);
    return is_read;
}

Test(body_scan, bounds_what_a_million_values_cost)
{
    cr_expect(!scan_repeated("{", "\"\":1,", 1000000, "\"a\":1}"));
    cr_expect(strstr(scan.cursor.fault, "20000 values"));
    cr_expect(!scan_repeated("{\"p\":[", "null,", 1000000, "1]}"));
    cr_expect(strstr(scan.cursor.fault, "20000 values"));
    cr_expect(!scan_repeated("{\"p\":[", "1,", 1000000, "null]}"));
    cr_expect_str_eq(scan.path, "p.19998");
    cr_expect(!scan_repeated("[[[[[[[", "[1,2],", 1000000, "null]]]]]]]"));
    cr_expect(!scan_repeated("{\"p\":[", "[", 1000000, "null"));
    cr_expect(!scan_repeated("{\"p\":[", "[1,null],", 1000000, "1]}"));
}

Test(body_scan, takes_as_many_values_as_its_limit)
{
    cr_expect(scan_repeated("[", "null,", BODY_VALUES_MAX - 2, "null]"));
    cr_expect_eq(scan.value_count, BODY_VALUES_MAX);
    cr_expect(!scan_repeated("[", "null,", BODY_VALUES_MAX - 1, "null]"));
}

Test(body_scan, limits_the_length_of_a_name)
{
    cr_expect(scan_repeated("{\"", "n", BODY_NAME_MAX, "\":1}"));
    cr_expect(!scan_repeated("{\"", "n", BODY_NAME_MAX + 1, "\":1}"));
    cr_expect_eq(scan.cursor.fault_at, 2);
}

/* The names below end behind their closing quotes. */
Test(body_scan, finds_a_name_and_its_path_by_where_it_ends)
{
    static const struct {
        const char *text;
        size_t end, start;
        const char *path;
    } rows[] = {
        {"{\"a\":0}", 4, 1, "a"},
        {"{\"s\":{\"q\":[],\"fac\":0,\"fac\":0}}", 26, 21, "s.fac"},
        {"[true,{\"ab\":0,\"\\u0061b\":0}]", 23, 14, "1.\\u0061b"},
        {"{\"a\":{\"b\":{}},\"c\":0}", 17, 14, "c"},
    };
    char path[POSENC_PATH_MAX];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t start = 0;

        cr_assert(
            find_name_path(rows[i].text, strlen(rows[i].text), rows[i].end, &memory, &start, path),
            "%s", rows[i].text);
        cr_expect_eq(start, rows[i].start, "%s", rows[i].text);
        cr_expect_str_eq(path, rows[i].path);
    }
}

Test(body_scan, says_when_its_memory_is_out)
{
    static const char *const texts[] = {"7", "[1,2]", "{\"a\":[[1],[2,3]]}"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_expect(scan_text(texts[i]));
        posenc_memory_release(&memory);
        memory.limit = 0;
        cr_expect(!scan_text(texts[i]) && scan.no_memory, "%s", texts[i]);
        memory.limit = POSENC_MEMORY_DEFAULT;
    }
}
