#include "number_array.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define NUMBERS_MAX 64

static double numbers[NUMBERS_MAX];
static struct number_array array;
static struct json_cursor cursor;
static struct posenc_memory memory;

static void begin(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
}

static void end(void)
{
    posenc_memory_release(&memory);
}

TestSuite(number_array, .init = begin, .fini = end);

/* Outlines and reads a text that starts with its bracket. */
static bool read(const char *text)
{
    struct number_array_outline outline = {0};

    outline_number_array(text, strlen(text), 0, &outline);
    cr_assert(!outline.is_other, "%s", text);
    cr_assert_leq(outline.numbers_max, NUMBERS_MAX);
    cursor = (struct json_cursor){.text = text, .size = strlen(text)};
    return read_number_array(&cursor, &memory, numbers, &array);
}

Test(number_array, reads_a_list_with_spaces_and_stops_behind_its_bracket)
{
    cr_assert(read("[ 1.5 ,\n-2,\t\"NaN\",\"-Infinity\" ] , 7"));
    cr_expect_eq(cursor.at, 31);
    cr_expect_eq(array.rank, 1);
    cr_expect_eq(array.shape[0], 4);
    cr_expect_eq(array.count, 4);
    cr_expect_eq(numbers[0], 1.5);
    cr_expect_eq(numbers[1], -2.0);
    cr_expect(isnan(numbers[2]));
    cr_expect_eq(numbers[3], -INFINITY);
}

Test(number_array, lists_what_became_an_integer_by_rounding)
{
    cr_assert(read("[[1,-9007199254740993],[\"NaN\",9007199254740991.75]]"));
    cr_expect_eq(numbers[1], -9007199254740992.0);
    cr_expect_eq(numbers[3], 9007199254740992.0);
    cr_assert(array.rounded.first && array.rounded.first->next);
    cr_expect(array.rounded.first->index == 1 && !array.rounded.first->is_above);
    cr_expect_str_eq(array.rounded.first->text, "-9007199254740993");
    cr_expect(array.rounded.first->next->index == 3 && !array.rounded.first->next->is_above);
    cr_expect_null(array.rounded.first->next->next);
}

Test(number_array, says_when_no_memory_is_left_for_that_list)
{
    posenc_memory_release(&memory);
    posenc_memory_init(&memory, 1);
    cr_expect_not(read("[1,9007199254740993]"));
    cr_expect(array.no_memory);
    cr_expect_null(cursor.fault);
}

Test(number_array, reads_nested_rows_in_order)
{
    cr_assert(read("[[[1,2],[3,4],[5,6]],[[7,8],[9,10],[11,12]]]"));
    cr_expect_eq(array.rank, 3);
    cr_expect_eq(array.shape[0], 2);
    cr_expect_eq(array.shape[1], 3);
    cr_expect_eq(array.shape[2], 2);
    for (size_t i = 0; i < 12; i++)
        cr_expect_eq(numbers[i], (double)(i + 1));
}

Test(number_array, reads_empty_axes)
{
    cr_assert(read("[]"));
    cr_expect(array.rank == 1 && array.shape[0] == 0 && !array.is_ragged);
    cr_assert(read("[[ ],[]]"));
    cr_expect(array.rank == 2 && array.shape[0] == 2 && array.shape[1] == 0 && !array.is_ragged);
}

Test(number_array, names_the_first_row_that_differs)
{
    static const struct {
        const char *text, *path;
    } rows[] = {
        {"[[1,2],[3]]", "1"},
        {"[[1],[2,3],[4,5,6]]", "1"},
        {"[[[1],[2]],[[3],[4,5]]]", "1.1"},
        {"[[[1],[2],[3,4]],[[5]]]", "0.2"},
        {"[[[1],[2]],[[3]]]", "1"},
        {"[1,[2]]", "1"},
        {"[[1],2]", "1"},
        {"[[],[1]]", "1"},
        {"[[1],[[2]]]", "1.0"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert(read(rows[i].text));
        cr_expect(array.is_ragged, "%s", rows[i].text);
        cr_expect_str_eq(array.path, rows[i].path, "%s gives %s", rows[i].text, array.path);
        cr_expect_eq(cursor.at, strlen(rows[i].text));
    }
}

Test(number_array, finds_the_exact_byte_of_a_fault)
{
    static const struct {
        const char *text;
        size_t offset;
        const char *word; /* of the sentence */
        const char *path;
    } rows[] = {
        {"[1,,2]", 3, "missing", "1"},
        {"[01]", 2, "leading zeros", "0"},
        {"[1 2]", 3, "comma", ""},
        {"[NaN]", 1, "NaN", "0"},
        {"[1,-Infinity]", 3, "NaN", "1"},
        {"[[0,1],[0,1e999]]", 10, "too large", "1.1"},
        {"[1e-400]", 1, "too small", "0"},
        {"[1,]", 3, "missing", "1"},
        {"[,1]", 1, "missing", "0"},
        {"[1", 2, "ends", ""},
        {"[1,", 3, "ends", "1"},
        {"[", 1, "ends", "0"},
        {"[1}", 2, "comma", ""},
        {"[1.]", 2, "decimal point", "0"},
        {"[.5]", 1, "starts with a digit", "0"},
        {"[+5]", 1, "starts with a digit", "0"},
        {"[1e]", 2, "exponent", "0"},
        {"[-]", 1, "digit", "0"},
        {"['a']", 1, "double quotes", "0"},
        {"[0x10]", 2, "number", "0"},
        {"[[[[[[[[[1]]]]]]]]]", 8, "8 axes", "0.0.0.0.0.0.0.0"},
        {"[1]]", 4, NULL, ""},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool is_right = read(rows[i].text);

        if (!rows[i].word) {
            cr_expect(is_right && cursor.at == 3);
            continue;
        }
        cr_expect(!is_right, "%s", rows[i].text);
        cr_expect_eq(cursor.fault_at, rows[i].offset, "%s at %zu", rows[i].text, cursor.fault_at);
        cr_expect(strstr(cursor.fault, rows[i].word), "%s: %s", rows[i].text, cursor.fault);
        cr_expect_str_eq(array.path, rows[i].path, "%s gives %s", rows[i].text, array.path);
    }
}

Test(number_array, leaves_arrays_of_other_things_alone)
{
    static const struct {
        const char *text;
        size_t other_at, open_count, innermost;
    } rows[] = {
        {"[null]", 1, 1, 0},      {"[1,[2,[3]],[4,true]]", 14, 2, 11},
        {"[{\"a\":1}]", 1, 1, 0}, {"[\"NaN\",\"text\"]", 7, 1, 0},
        {"[\"NaN]", 1, 1, 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct number_array_outline outline = {0};

        outline_number_array(rows[i].text, strlen(rows[i].text), 0, &outline);
        cr_assert(outline.is_other, "%s", rows[i].text);
        cr_expect_eq(outline.other_at, rows[i].other_at, "%s", rows[i].text);
        cr_expect_eq(outline.open_count, rows[i].open_count, "%s", rows[i].text);
        cr_expect_eq(outline.opened[outline.open_count - 1], rows[i].innermost);
    }
}

/* The same where words outside of quotes are numbers. */
static bool read_words(const char *text)
{
    struct number_array_outline outline = {.takes_words = true};

    outline_number_array(text, strlen(text), 0, &outline);
    cr_assert_not(outline.is_other, "%s", text);
    cr_assert_leq(outline.numbers_max, NUMBERS_MAX);
    cursor = (struct json_cursor){.text = text, .size = strlen(text), .takes_words = true};
    return read_number_array(&cursor, &memory, numbers, &array);
}

Test(number_array, reads_words_outside_of_quotes_where_they_are_taken)
{
    cr_assert(read_words("[NaN, [Infinity]") == false);
    cr_assert(read_words("[NaN,Infinity, -Infinity ,1, \"NaN\"]"));
    cr_expect_eq(array.count, 5);
    cr_expect(isnan(numbers[0]) && isinf(numbers[1]) && numbers[2] == -INFINITY);
    cr_expect_eq(numbers[3], 1);
    cr_expect_not(read_words("[NaNs]"));
    cr_expect_not(read_words("[Inf]"));
    cr_expect_not(read_words("[--Infinity]"));
    cr_expect_not(read_words("[+Infinity]"));
    cr_expect_not(read("[NaN]"));
}
