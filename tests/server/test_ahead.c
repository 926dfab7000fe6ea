/* Blocks of a body made ahead: in order, to the end, and never without room. */
#include <criterion/criterion.h>
#include <string.h>

#include "ahead.h"

#define BODY_BYTES 1000
#define FAILS_AT   700 /* for a body that breaks off */

static char byte_at(uint64_t offset)
{
    return (char)(offset * 7 % 127);
}

/* Gives odd pieces. */
static ssize_t read_pieces(void *state, uint64_t offset, char *buffer, size_t size)
{
    const size_t end = *(const size_t *)state;
    size_t count = 0;

    if (end == FAILS_AT && offset >= FAILS_AT)
        return -1;
    for (; count < size && count < 17 && offset + count < end; count++)
        buffer[count] = byte_at(offset + count);
    return (ssize_t)count;
}

static void expect_all(const struct response *response, size_t capacity, size_t expected)
{
    struct budget budget = {.limit = capacity};
    struct ahead ahead = {0};
    char piece[50];
    size_t offset = 0, taken;

    cr_assert(ahead_make_room(&ahead, capacity, &budget));
    while (!ahead.is_last) {
        ahead_fill(&ahead, response);
        while ((taken = ahead_take(&ahead, offset, piece, sizeof(piece))) > 0) {
            for (size_t i = 0; i < taken; i++)
                cr_assert_eq(piece[i], byte_at(offset + i));
            offset += taken;
        }
    }
    cr_expect_eq(offset, expected, "%zu of %zu bytes, %zu at a time", offset, expected, capacity);
    ahead_release(&ahead, &budget);
    ahead_release(&ahead, &budget);
    cr_expect_eq(atomic_load(&budget.used), 0);
}

Test(ahead, gives_the_whole_body_in_order_whether_its_length_is_known_or_not)
{
    size_t end = BODY_BYTES;
    struct response response = {.read = read_pieces, .state = &end};

    for (size_t capacity = 1; capacity <= BODY_BYTES + 1; capacity += 37) {
        response.length = BODY_BYTES;
        expect_all(&response, capacity, BODY_BYTES);
        response.length = RESPONSE_LENGTH_UNKNOWN;
        expect_all(&response, capacity, BODY_BYTES);
    }
}

Test(ahead, keeps_what_came_before_a_failure)
{
    size_t end = FAILS_AT;
    const struct response response = {.read = read_pieces, .state = &end, .length = BODY_BYTES};
    struct budget budget = {.limit = BODY_BYTES};
    struct ahead ahead = {0};

    expect_all(&response, 64, FAILS_AT);
    cr_assert(ahead_make_room(&ahead, BODY_BYTES, &budget));
    ahead_fill(&ahead, &response);
    cr_expect_eq(ahead.size, FAILS_AT);
    cr_expect(ahead.has_failed);
    ahead_release(&ahead, &budget);
}

Test(ahead, takes_its_room_from_the_budget_once)
{
    struct budget budget = {.limit = 100};
    struct ahead ahead = {0};

    cr_expect_not(ahead_make_room(&ahead, 101, &budget));
    cr_expect(ahead_make_room(&ahead, 60, &budget));
    cr_expect(ahead_make_room(&ahead, 60, &budget));
    cr_expect_eq(atomic_load(&budget.used), 60);
    ahead_release(&ahead, &budget);
}
