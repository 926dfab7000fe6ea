#include "body.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Generous for a sanitized build on a busy machine; what is not linear takes far longer. */
#define SECONDS_MAX 5.0

static struct posenc_memory memory;
static struct posenc_value value;
static struct body_problem problem;

static void set_up(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
}

static void tear_down(void)
{
    posenc_memory_release(&memory);
}

TestSuite(body, .init = set_up, .fini = tear_down);

/* Reads a copy whose end is the end of its allocation, so that a sanitizer sees reads beyond. */
static bool read_bytes(const char *bytes, size_t size)
{
    char *const copy = malloc(size ? size : 1);
    bool is_read;

    cr_assert(copy);
    memcpy(copy, bytes, size);
    is_read = read_json_body(copy, size, &memory, &value, &problem);
    free(copy);
    return is_read;
}

static bool read(const char *text)
{
    return read_bytes(text, strlen(text));
}

static const struct posenc_value *member(const char *name)
{
    const struct posenc_value *const found = posenc_find_member(&value, name);

    cr_assert(found, "%s", name);
    return found;
}

static double number_at(const struct posenc_value *array, size_t index)
{
    cr_assert_eq(array->kind, POSENC_ARRAY);
    return ((const double *)array->as.array.data)[index];
}

Test(body, reads_an_object_of_every_kind_in_its_order)
{
    cr_assert(read(" {\"length\": 2, \"flag\":true,\"none\":null,\"layout\":\"sin\\u00e9\\n\",\n"
                   "\"scaling\":{\"factor\":4.5,\"long\":[1,2.5]},\"x\":[[1,2],[3,4]],"
                   "\"texts\":[\"a\",[],5,[6]],\"off\":false,\"e\":{},\"n\":-0} "));
    cr_assert_eq(value.kind, POSENC_OBJECT);
    cr_assert_eq(value.as.object.count, 10);
    cr_expect_str_eq(value.as.object.items[0].name, "length");
    cr_expect_str_eq(value.as.object.items[9].name, "n");
    cr_expect_eq(member("length")->as.number, 2.0);
    cr_expect(member("flag")->kind == POSENC_BOOLEAN && member("flag")->as.boolean);
    cr_expect(member("off")->kind == POSENC_BOOLEAN && !member("off")->as.boolean);
    cr_expect_eq(member("none")->kind, POSENC_NULL);
    cr_expect_str_eq(member("layout")->as.text, "sin\xC3\xA9\n");
    cr_expect(member("e")->kind == POSENC_OBJECT && member("e")->as.object.count == 0);
    cr_expect(member("n")->as.number == 0 && signbit(member("n")->as.number));

    const struct posenc_value *const scaling = member("scaling");

    cr_expect_eq(posenc_find_member(scaling, "factor")->as.number, 4.5);
    cr_expect_eq(number_at(posenc_find_member(scaling, "long"), 1), 2.5);
    const struct posenc_value *const x = member("x");

    cr_expect_eq(x->as.array.dtype, POSENC_FLOAT64);
    cr_expect(x->as.array.rank == 2 && x->as.array.shape[0] == 2 && x->as.array.shape[1] == 2);
    cr_expect_eq(number_at(x, 2), 3.0);
    const struct posenc_value *const texts = member("texts");

    cr_assert(texts->kind == POSENC_LIST && texts->as.list.count == 4);
    cr_expect_str_eq(texts->as.list.items[0].as.text, "a");
    cr_expect(texts->as.list.items[1].kind == POSENC_ARRAY &&
              texts->as.list.items[1].as.array.shape[0] == 0);
    cr_expect_eq(texts->as.list.items[2].as.number, 5.0);
    cr_expect_eq(number_at(&texts->as.list.items[3], 0), 6.0);
}

Test(body, returns_other_values_than_objects_as_they_are)
{
    cr_expect(read("[1,2,3]") && value.kind == POSENC_ARRAY && value.as.array.shape[0] == 3);
    cr_expect(read("\"text\"") && value.kind == POSENC_TEXT);
    cr_expect(read("17") && value.kind == POSENC_NUMBER && value.as.number == 17.0);
    cr_expect(read("null") && value.kind == POSENC_NULL);
    cr_expect(read("[{}]") && value.kind == POSENC_LIST);
    cr_expect(read("[]") && value.kind == POSENC_ARRAY && value.as.array.rank == 1);
}

Test(body, keeps_the_path_of_a_ragged_row)
{
    cr_assert(read("{\"x\":[[1,2],[3]],\"y\":[7]}"));
    cr_expect_eq(member("x")->kind, POSENC_RAGGED);
    cr_expect_str_eq(member("x")->as.text, "1");
    cr_expect_eq(number_at(member("y"), 0), 7.0);
}

Test(body, knows_which_numbers_became_integers_by_rounding)
{
    cr_assert(read("{\"a\":9007199254740993,\"b\":[2,5.00000000000000000001],"
                   "\"c\":[null,-9.007199254740993e15],\"d\":3.0}"));
    cr_assert(member("a")->rounded && member("b")->rounded);
    cr_expect_str_eq(member("a")->rounded->text, "9007199254740993");
    cr_expect_eq(member("a")->as.number, 9007199254740992.0);
    cr_expect_eq(member("b")->rounded->index, 1);
    cr_assert(member("c")->as.list.items[1].rounded);
    cr_expect_not(member("c")->as.list.items[1].rounded->is_above);
    cr_expect_null(member("d")->rounded);
}

Test(body, takes_inner_arrays_of_mixed_ones_as_numbers)
{
    cr_assert(read("{\"m\":[[1,2],[[3],[4,null]],[[5]],\"NaN\"],\"n\":[8]}"));
    const struct posenc_value *const m = member("m");

    cr_assert(m->kind == POSENC_LIST && m->as.list.count == 4);
    cr_expect_eq(number_at(&m->as.list.items[0], 1), 2.0);
    cr_assert_eq(m->as.list.items[1].kind, POSENC_LIST);
    cr_expect_eq(number_at(&m->as.list.items[1].as.list.items[0], 0), 3.0);
    cr_expect_eq(m->as.list.items[1].as.list.items[1].as.list.items[0].as.number, 4.0);
    cr_expect_eq(m->as.list.items[2].as.array.rank, 2);
    cr_expect_eq(m->as.list.items[3].kind, POSENC_TEXT);
    cr_expect_eq(number_at(member("n"), 0), 8.0);
}

Test(body, says_where_and_what_is_wrong)
{
    static const struct {
        const char *body;
        size_t offset;
        const char *parameter, *word;
    } rows[] = {
        {"", 0, "", "empty; send a JSON object"},
        {" \n ", 3, "", "empty; send a JSON object"},
        {"{length:1}", 1, "", "a name in double quotes"},
        {"{\"a\":{\"b\":-Infinity}}", 10, "a.b", "NaN"},
        {"{\"a\":{\"b\":[[0],[-1e400]]}}", 16, "a.b.1.0", "too large"},
        {"{\"a\":\"x\\qy\"}", 7, "a", "escapes"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect(!read(rows[i].body), "%s", rows[i].body);
        cr_expect(!problem.no_memory, "%s", rows[i].body);
        cr_expect_eq(problem.offset, rows[i].offset, "%s at %zu: %s", rows[i].body, problem.offset,
                     problem.detail);
        cr_expect_str_eq(problem.parameter, rows[i].parameter, "%s gives %s", rows[i].body,
                         problem.parameter);
        cr_expect(strstr(problem.detail, rows[i].word), "%s: %s", rows[i].body, problem.detail);
    }
}

Test(body, refuses_a_nul_byte_behind_the_end)
{
    cr_expect(!read_bytes("{}\0", 3));
    cr_expect_eq(problem.offset, 2);
    cr_expect(!read_bytes("123\0", 4));
    cr_expect_eq(problem.offset, 3);
}

Test(body, names_a_duplicate_key_with_its_path_and_place)
{
    cr_assert(
        !read("{\"base\":[[1,2,3],[4,5,6]],\"s\":{\"q\":[],\"factor\":1234567,\"factor\":2}}"));
    cr_expect_str_eq(problem.parameter, "s.factor");
    cr_expect_eq(problem.offset, 55);
    cr_expect(strstr(problem.detail, "\"factor\" stands twice"), "%s", problem.detail);

    /* Names are equal when their characters are, however these are written. */
    cr_assert(!read("[true,{\"ab\":1,\"\\u0061b\":2}]"));
    cr_expect_str_eq(problem.parameter, "1.\\u0061b");
    cr_expect_eq(problem.offset, 14);
    cr_expect(read("{\"\xC3\xA9\":1,\"e\xCC\x81\":2}"), "a composed and a decomposed name differ");
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* A body of `count` times `item` between `first` and `last`. */
static bool read_repeated(const char *first, const char *item, size_t count, const char *last)
{
    char *const text = malloc(strlen(first) + count * strlen(item) + strlen(last) + 1);
    char *at = text;
    double start;
    bool is_read;

    cr_assert(text);
    at = stpcpy(at, first);
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, item);
    at = stpcpy(at, last);
    start = seconds();
    is_read = read_json_body(text, (size_t)(at - text), &memory, &value, &problem);
    cr_expect_lt(seconds() - start, SECONDS_MAX, "%s", item);
    free(text);
    return is_read;
}

Test(body, reads_a_million_numbers_and_one_number_of_a_million_digits)
{
    cr_expect(read_repeated("{\"p\":[", "12.5,", 1000000, "7]}"));
    cr_expect_eq(member("p")->as.array.shape[0], 1000001);
    cr_expect_eq(number_at(member("p"), 999999), 12.5);
    cr_expect_eq(number_at(member("p"), 1000000), 7.0);
    cr_expect(read_repeated("{\"p\":0.1", "7", 1000000, "}"));
    cr_expect_float_eq(member("p")->as.number, 0.1777777777777777, 1e-15);
    cr_expect(!read_repeated("{\"p\":1", "0", 1000000, "}"));
    cr_expect(strstr(problem.detail, "too large"));
}

static const char good[] =
    "{\"length\":2,\"x\":[[1.5,-2e3],[\"NaN\",4]],\"t\":[\"\\u00e9\\ud83d\\ude00"
    "\",{\"b\":[]},true,null],\"s\":{\"f\":0.25,\"g\":{}},\"\xC3\xA9\":-0}";

Test(body, refuses_every_prefix_of_a_good_body)
{
    cr_assert(read_bytes(good, sizeof good - 1), "%s", problem.detail);
    for (size_t size = 0; size < sizeof good - 1; size++) {
        cr_expect(!read_bytes(good, size), "%zu", size);
        cr_expect(!problem.no_memory && problem.offset <= size && problem.detail[0]);
        posenc_memory_release(&memory);
    }
}

/* An independent opinion: jansson on the whole text. */
static bool jansson_reads(const char *text, size_t size)
{
    json_error_t error;
    json_t *const json = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);

    json_decref(json);
    return json != NULL;
}

Test(body, accepts_what_jansson_does_when_a_byte_is_changed)
{
    for (size_t at = 0; at < sizeof good - 1; at++) {
        for (int byte = 0; byte < 256; byte++) {
            char changed[sizeof good];

            memcpy(changed, good, sizeof good);
            changed[at] = (char)byte;
            const bool is_read = read_bytes(changed, sizeof good - 1);
            /* jansson takes a NUL byte behind a number for the end of the text. */
            const bool is_expected = byte != 0 && jansson_reads(changed, sizeof good - 1);

            cr_assert_eq(is_read, is_expected, "byte %zu as %d: %s", at, byte, problem.detail);
            cr_assert(!problem.no_memory);
            posenc_memory_release(&memory);
        }
    }
}

Test(body, says_when_its_memory_is_out)
{
    struct posenc_memory small;
    size_t limit = 0;

    for (;; limit += 64) {
        posenc_memory_init(&small, limit);
        const bool is_read = read_json_body(good, sizeof good - 1, &small, &value, &problem);

        posenc_memory_release(&small);
        if (is_read)
            break;
        cr_assert(problem.no_memory, "limit %zu: %s", limit, problem.detail);
    }
    cr_expect_gt(limit, 1024);
}

/* An allocator that fails once, at a chosen call. */
static size_t calls_before_failure;

static void *failing_malloc(size_t size)
{
    return calls_before_failure-- == 0 ? NULL : malloc(size);
}

Test(body, says_so_when_jansson_gets_no_memory)
{
    static const char text[] =
        "{\"a\":[\"x\",\"a text that is longer than its first buffer\",true],\"b\":{\"c\":1}}";
    static const char long_text[] = "a text that is longer than its first buffer";
    size_t n = 0;

    json_object_seed(1);
    json_set_alloc_funcs(failing_malloc, free);
    for (;; n++) {
        calls_before_failure = n;
        const bool is_read = read(text);
        const bool has_failed = calls_before_failure > n;

        cr_assert(is_read || (has_failed && problem.no_memory), "call %zu", n);
        if (is_read)
            cr_assert_str_eq(member("a")->as.list.items[1].as.text, long_text, "call %zu", n);
        posenc_memory_release(&memory);
        if (!has_failed)
            break;
    }
    cr_expect_gt(n, 10);
}

Test(body, reads_the_same_value_from_random_numbers_as_from_their_text)
{
    uint64_t state = 5;
    char text[16384];
    double expected[400];
    size_t length = (size_t)snprintf(text, sizeof text, "{\"p\":[");

    for (size_t i = 0; i < 400; i++) {
        do {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const uint64_t bits = state ^ (state >> 29);

            memcpy(&expected[i], &bits, sizeof bits);
        } while (!isfinite(expected[i]));
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%.17g", i ? "," : "",
                                   expected[i]);
    }
    snprintf(text + length, sizeof text - length, "]}");
    cr_assert(read(text), "%s", problem.detail);
    cr_expect_eq(memcmp(member("p")->as.array.data, expected, sizeof expected), 0);
}
