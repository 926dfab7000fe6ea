#include "printed.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "whole_body.h"
#include "writing.h"

WRITING_SUITE(printed);

/* A printer of `left` pieces; the next one is `size` times the letter of its turn. */
struct letters {
    size_t left, size;
    char letter;
};

static char *print_letters(void *state, char *at, size_t room)
{
    struct letters *const letters = state;

    cr_assert_geq(room, PRINTED_PIECE_MAX);
    if (letters->left == 0)
        return at;
    letters->left--;
    memset(at, letters->letter++, letters->size);
    return at + letters->size;
}

static struct format_body opened(struct letters *letters, bool is_short)
{
    struct format_body body = {0};
    struct posenc_problem problem;

    cr_assert_eq(printed_open(print_letters, letters, is_short, &memory, &body, &problem),
                 POSENC_OK);
    return body;
}

/* Also pieces as long as they may be, and buffers that one just fits or does not. */
Test(printed, gives_its_pieces_one_behind_the_other_in_steps_of_any_size)
{
    static const size_t sizes[] = {1, 3, 100, PRINTED_PIECE_MAX}, steps[] = {1,
                                                                             2,
                                                                             99,
                                                                             PRINTED_PIECE_MAX - 1,
                                                                             PRINTED_PIECE_MAX,
                                                                             PRINTED_PIECE_MAX + 1,
                                                                             5000};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof steps / sizeof *steps; j++) {
            struct letters letters = {20, sizes[i], 'a'};
            const struct format_body body = opened(&letters, false);
            size_t size;
            char *const bytes = whole_body(&body, steps[j], &size);

            cr_expect_eq(body.length, UINT64_MAX, "it is not known before");
            cr_assert_eq(size, 20 * sizes[i]);
            for (size_t at = 0; at < size; at++)
                cr_assert_eq(bytes[at], (char)('a' + at / sizes[i]), "step %zu", steps[j]);
            free(bytes);
        }
}

Test(printed, prints_no_more_than_one_piece_ahead)
{
    struct letters letters = {20, 100, 'a'};
    const struct format_body body = opened(&letters, false);
    char byte;

    cr_expect_eq(letters.left, 20);
    cr_expect_eq(body.read(body.state, 0, &byte, 1), 1);
    cr_expect_eq(letters.left, 19);
    for (uint64_t at = 1; at < 100; at++)
        cr_expect_eq(body.read(body.state, at, &byte, 1), 1);
    cr_expect_eq(letters.left, 19);
}

Test(printed, knows_the_length_of_what_is_short_and_gives_it_at_any_offset)
{
    struct letters letters = {20, 400, 'a'};
    const struct format_body body = opened(&letters, true);
    char bytes[400];

    cr_expect_eq(letters.left, 0);
    cr_expect_eq(body.length, 8000);
    cr_expect_eq(body.read(body.state, 7900, bytes, sizeof bytes), 100);
    cr_expect_eq(bytes[99], 't');
    cr_expect_eq(body.read(body.state, 399, bytes, 2), 2);
    cr_expect_eq(bytes[0], 'a');
    cr_expect_eq(bytes[1], 'b');
    cr_expect_eq(body.read(body.state, 8000, bytes, 1), 0);
    cr_expect_eq(body.read(body.state, UINT64_MAX, bytes, 1), 0);
}

Test(printed, may_be_nothing)
{
    for (int is_short = 0; is_short < 2; is_short++) {
        struct letters letters = {0};
        const struct format_body body = opened(&letters, is_short);
        char byte;

        cr_expect_eq(body.length, is_short ? 0 : UINT64_MAX);
        cr_expect_eq(body.read(body.state, 0, &byte, 1), 0);
    }
}

Test(printed, says_when_memory_is_out)
{
    for (size_t limit = 0;; limit += 256) {
        struct letters letters = {20, 400, 'a'};
        struct posenc_memory small;
        struct format_body body = {0};
        struct posenc_problem problem;

        posenc_memory_init(&small, limit);
        const enum posenc_status status =
            printed_open(print_letters, &letters, true, &small, &body, &problem);

        posenc_memory_release(&small);
        if (status == POSENC_OK) {
            cr_expect_geq(limit, 8000);
            return;
        }
        cr_assert_eq(status, POSENC_NO_MEMORY);
        cr_assert_eq(problem.status, POSENC_NO_MEMORY);
        cr_assert_lt(limit, 100000);
    }
}
