#include "marked_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "pictured.h"
#include "printed.h"
#include "writing.h"

WRITING_SUITE(marked_text);

/* {"a":<data>,"b":<data>} of tensors with one axis. */
static struct marked_text *make(size_t first, size_t second, struct marked_count *counted)
{
    struct posenc_tensor tensors[2] = {pictured_tensor(1, &first, NULL),
                                       pictured_tensor(1, &second, NULL)};
    struct posenc_problem problem;
    struct json_text text = {0};

    cr_assert_eq(marked_text_count(tensors, 2, counted, &problem), POSENC_OK);
    json_text_begin_object(&text);
    json_text_key(&text, "a");
    marked_text_data(&text);
    json_text_key(&text, "b");
    marked_text_data(&text);
    json_text_end_object(&text);
    return marked_text_new(&text, tensors, 2, false, &memory);
}

static struct format_body opened(struct marked_text *text, bool is_short)
{
    struct format_body body = {0};
    struct posenc_problem problem;

    cr_assert_eq(marked_text_open(text, is_short, &memory, &body, &problem), POSENC_OK);
    return body;
}

/* The whole text, read by so many bytes at a time. */
static char *read_by(size_t step, size_t first, size_t second, size_t *size)
{
    struct marked_count counted;
    struct marked_text *const text = make(first, second, &counted);
    char *const all = malloc((size_t)marked_text_bound(text, &counted) + step + 1);
    const struct format_body body = opened(text, false);
    ssize_t got;

    cr_assert(text && all);
    *size = 0;
    while ((got = body.read(body.state, *size, all + *size, step)) > 0)
        *size += (size_t)got;
    cr_expect_leq(*size, marked_text_bound(text, &counted));
    all[*size] = '\0';
    return all;
}

Test(marked_text, has_each_tensors_data_at_its_mark)
{
    size_t size;
    char *const text = read_by(4096, 2, 0, &size);
    json_t *const document = json_loads(text, 0, NULL);

    cr_assert(document, "%s", text);
    cr_expect_eq(json_array_size(json_object_get(document, "a")), 2);
    cr_expect_eq(json_array_size(json_object_get(document, "b")), 0);
    json_decref(document);
    free(text);
}

Test(marked_text, is_the_same_however_it_is_read)
{
    size_t size, whole_size;
    char *const whole = read_by(1 << 20, 700, 300, &whole_size);

    for (size_t step = 1; step < 2000; step = step * 2 + 1) {
        char *const text = read_by(step, 700, 300, &size);

        cr_assert_eq(size, whole_size, "%zu", step);
        cr_expect_eq(memcmp(text, whole, size), 0, "%zu", step);
        free(text);
    }
    free(whole);
}

/* {"kkk":<data>} with a key of so many letters; the text up to the data is 4 bytes longer. */
static struct marked_text *make_long(size_t letters, char *key)
{
    const size_t two = 2;
    const struct posenc_tensor tensor = pictured_tensor(1, &two, NULL);
    struct json_text text = {0};

    memset(key, 'k', letters);
    key[letters] = '\0';
    json_text_begin_object(&text);
    json_text_key(&text, key);
    marked_text_data(&text);
    json_text_end_object(&text);
    return marked_text_new(&text, &tensor, 1, false, &memory);
}

Test(marked_text, has_its_data_also_where_a_mark_begins_or_ends_what_is_read)
{
    char key[2 * PRINTED_PIECE_MAX], all[4 * PRINTED_PIECE_MAX];

    for (size_t letters = PRINTED_PIECE_MAX - 8; letters < PRINTED_PIECE_MAX + 4; letters++)
        for (size_t step = PRINTED_PIECE_MAX - 2; step < PRINTED_PIECE_MAX + 3; step++) {
            const struct format_body body = opened(make_long(letters, key), false);
            size_t size = 0;
            ssize_t got;

            while ((got = body.read(body.state, size, all + size, step)) > 0)
                size += (size_t)got;
            json_t *const document = json_loadb(all, size, 0, NULL);

            cr_assert(document, "%zu by %zu: %.*s", letters, step, (int)size, all);
            cr_expect_eq(json_array_size(json_object_get(document, key)), 2);
            json_decref(document);
        }
}

Test(marked_text, that_is_short_has_a_known_length)
{
    struct marked_count counted;
    const struct format_body body = opened(make(5, 7, &counted), true);
    char printed[1024];
    size_t read_size;
    char *const read = read_by(64, 5, 7, &read_size);

    cr_expect(counted.is_short);
    cr_expect_eq(counted.cells, 12);
    cr_assert_eq(body.length, read_size);
    cr_assert_eq(body.read(body.state, 0, printed, sizeof printed), (ssize_t)read_size);
    cr_expect_eq(memcmp(printed, read, read_size), 0);
    free(read);
}

Test(marked_text, is_short_up_to_a_number_of_elements)
{
    struct marked_count counted;

    (void)make(MARKED_TEXT_WHOLE_MAX - 7, 7, &counted);
    cr_expect(counted.is_short);
    (void)make(MARKED_TEXT_WHOLE_MAX - 7, 8, &counted);
    cr_expect_not(counted.is_short);
}

Test(marked_text, counts_more_elements_than_there_are_numbers)
{
    struct posenc_tensor tensors[2] = {{.rank = 1, .shape = {SIZE_MAX / 2}},
                                       {.rank = 1, .shape = {SIZE_MAX / 2 + 9}}};
    struct posenc_tensor rows = {.rank = 3, .shape = {SIZE_MAX, 2, 0}};
    struct marked_count counted;
    struct posenc_problem problem;

    cr_assert_eq(marked_text_count(tensors, 2, &counted, &problem), POSENC_OK);
    cr_expect_eq(counted.cells, SIZE_MAX);
    cr_expect_eq(marked_text_count(&rows, 1, &counted, &problem), POSENC_TOO_LARGE);
    cr_expect_eq(problem.status, POSENC_TOO_LARGE);
}

Test(marked_text, says_when_memory_is_out)
{
    struct marked_count counted;

    memory.limit = 0;
    cr_expect_null(make(2, 2, &counted));
}
