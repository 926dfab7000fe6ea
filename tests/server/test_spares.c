#include <criterion/criterion.h>
#include <string.h>

#include "spares.h"

#define MIB ((size_t)1 << 20)

static void *take(struct spares *spares, size_t size, size_t *room_size)
{
    void *room = spares_take(spares, size, room_size);

    cr_assert_not_null(room);
    cr_assert_geq(*room_size, size);
    return room;
}

Test(spares, the_smallest_room_that_suffices_is_taken)
{
    struct spares spares;
    size_t sizes[3], got;
    void *rooms[3];

    spares_init(&spares, UINT64_MAX);
    for (size_t i = 0; i < 3; i++) {
        rooms[i] = take(&spares, (3 - i) * 5 * MIB + 1, &sizes[i]);
        memset(rooms[i], 1, sizes[i]); /* all of it can be written */
    }
    for (size_t i = 0; i < 3; i++)
        spares_give(&spares, rooms[i], sizes[i]);
    cr_expect_eq(spares.count, 3);
    cr_expect_eq(take(&spares, 7 * MIB, &got), rooms[1]);
    cr_expect_eq(got, sizes[1]);
    cr_expect_eq(spares.bytes, sizes[0] + sizes[2]);
    spares_give(&spares, rooms[1], got);
    spares_release(&spares);
}

Test(spares, no_more_is_kept_than_the_limits_allow)
{
    struct spares spares;
    size_t sizes[SPARES_MAX + 1], large;
    void *rooms[SPARES_MAX + 1], *room;

    spares_init(&spares, UINT64_MAX);
    room = take(&spares, SPARES_BYTES_MAX + 1, &large);
    spares_give(&spares, room, large);
    cr_expect_eq(spares.count, 0, "larger than all that may be kept");
    for (size_t i = 0; i <= SPARES_MAX; i++)
        rooms[i] = take(&spares, MIB, &sizes[i]);
    for (size_t i = 0; i <= SPARES_MAX; i++)
        spares_give(&spares, rooms[i], sizes[i]);
    cr_expect_eq(spares.count, SPARES_MAX);
    room = take(&spares, SPARES_BYTES_MAX - MIB, &large);
    spares_give(&spares, room, large);
    cr_expect_eq(spares.bytes, SPARES_MAX * MIB, "together they would be too large");
    spares_release(&spares);
    cr_expect_eq(spares.bytes, 0);
}

Test(spares, rooms_have_no_more_addresses_than_their_share)
{
    struct spares spares;
    size_t sizes[3], got;
    void *rooms[3];

    spares_init(&spares, 10 * MIB);
    for (size_t i = 0; i < 3; i++)
        rooms[i] = take(&spares, 3 * MIB, &sizes[i]);
    cr_expect_null(spares_take(&spares, 2 * MIB, &got));
    cr_expect_null(spares_take(&spares, SIZE_MAX - MIB, &got));
    for (size_t i = 0; i < 2; i++)
        spares_give(&spares, rooms[i], sizes[i]);
    cr_expect_eq(spares.count, 2);
    rooms[0] = take(&spares, 7 * MIB, &got);
    cr_expect_eq(spares.count, 0, "what was kept is in its way");
    cr_expect_eq(spares.mapped, 10 * MIB);
    spares_give(&spares, rooms[0], got);
    spares_give(&spares, rooms[2], sizes[2]);
    cr_expect_eq(spares.mapped, spares.bytes);
    spares_release(&spares);
    cr_expect_eq(spares.mapped, 0);
}

Test(spares, what_is_too_large_to_keep_gives_its_addresses_back)
{
    struct spares spares;
    size_t size;
    void *room;

    spares_init(&spares, 2 * SPARES_BYTES_MAX);
    room = take(&spares, SPARES_BYTES_MAX + 1, &size);
    spares_give(&spares, room, size);
    cr_expect_eq(spares.mapped, 0);
    spares_release(&spares);
}
