#include <criterion/criterion.h>
#include <string.h>

#include "upload.h"

#define LIMIT 100000
#define HELD  150000

Test(upload, gathers_pieces_in_order)
{
    _Atomic uint64_t held = 0;
    struct upload upload;
    char piece[997];
    size_t total = 0;

    upload_init(&upload, LIMIT, &held, HELD, NULL);
    while (total + sizeof(piece) <= LIMIT) {
        memset(piece, (int)(total % 251), sizeof(piece));
        cr_assert_eq(upload_append(&upload, piece, sizeof(piece)), UPLOAD_OK);
        total += sizeof(piece);
    }
    cr_assert_eq(upload.size, total);
    for (size_t i = 0; i < total; i++)
        cr_assert_eq((unsigned char)upload.bytes[i], i / sizeof(piece) * sizeof(piece) % 251);
    cr_expect_eq(held, total);
    cr_expect_leq(upload.capacity, LIMIT);
    upload_release(&upload);
    cr_expect_eq(held, 0);
    upload_release(&upload);
    cr_expect_eq(held, 0);
}

Test(upload, ends_at_its_limit_exactly)
{
    static char bytes[LIMIT + 1];
    _Atomic uint64_t held = 0;
    struct upload upload;

    upload_init(&upload, LIMIT, &held, HELD, NULL);
    cr_expect_eq(upload_append(&upload, bytes, LIMIT + 1), UPLOAD_TOO_LARGE);
    cr_expect_eq(upload_append(&upload, bytes, LIMIT), UPLOAD_OK);
    cr_expect_eq(upload_append(&upload, bytes, 1), UPLOAD_TOO_LARGE);
    cr_expect_eq(upload.size, LIMIT);
    upload_release(&upload);
}

Test(upload, reserves_what_is_announced_and_counts_what_arrives)
{
    _Atomic uint64_t held = 0;
    struct upload upload;
    const char *bytes;

    upload_init(&upload, LIMIT, &held, HELD, NULL);
    cr_expect_eq(upload_reserve(&upload, LIMIT + 1), UPLOAD_TOO_LARGE);
    cr_expect_eq(upload_reserve(&upload, UINT64_MAX - 1), UPLOAD_TOO_LARGE);
    cr_expect_eq(upload_reserve(&upload, 0), UPLOAD_OK);
    cr_expect_eq(upload_reserve(&upload, LIMIT), UPLOAD_OK);
    cr_expect_eq(held, 0);
    bytes = upload.bytes;
    for (size_t i = 0; i < LIMIT / 10; i++)
        cr_assert_eq(upload_append(&upload, "0123456789", 10), UPLOAD_OK);
    cr_expect_eq(upload.bytes, bytes, "it was moved");
    cr_expect_eq(held, LIMIT);
    upload_release(&upload);
}

Test(upload, shares_one_limit_with_all_others)
{
    static char bytes[LIMIT];
    _Atomic uint64_t held = 0;
    struct upload first, second;

    upload_init(&first, LIMIT, &held, HELD, NULL);
    upload_init(&second, LIMIT, &held, HELD, NULL);
    cr_expect_eq(upload_append(&first, bytes, LIMIT), UPLOAD_OK);
    cr_expect_eq(upload_append(&second, bytes, HELD - LIMIT + 1), UPLOAD_NO_MEMORY);
    cr_expect_eq(held, LIMIT, "a failure must not count");
    cr_expect_eq(upload_append(&second, bytes, HELD - LIMIT), UPLOAD_OK);
    upload_release(&first);
    cr_expect_eq(upload_append(&second, bytes, 1), UPLOAD_OK);
    upload_release(&second);
    cr_expect_eq(held, 0);
}

Test(upload, keeps_what_has_arrived_when_it_becomes_large)
{
    static char piece[70001];
    const size_t limit = 4 * UPLOAD_LARGE_BYTES;
    _Atomic uint64_t held = 0;
    struct spares spares;
    struct upload upload;

    spares_init(&spares, UINT64_MAX);
    upload_init(&upload, limit, &held, limit, &spares);
    for (size_t total = 0; total + sizeof(piece) <= limit; total += sizeof(piece)) {
        memset(piece, (int)(total / sizeof(piece)), sizeof(piece));
        cr_assert_eq(upload_append(&upload, piece, sizeof(piece)), UPLOAD_OK);
    }
    for (size_t i = 0; i < upload.size; i += 997)
        cr_assert_eq((unsigned char)upload.bytes[i], (unsigned char)(i / sizeof(piece)));
    cr_expect(upload.is_large);
    upload_release(&upload);
    upload_release(&upload);
    cr_expect_eq(held, 0);
    cr_expect_gt(spares.count, 0, "the room was not kept");
    spares_release(&spares);
}

Test(upload, a_large_body_gets_the_room_of_the_one_before)
{
    const size_t size = 3 * UPLOAD_LARGE_BYTES + 5;
    _Atomic uint64_t held = 0;
    struct spares spares;
    struct upload upload;
    const char *room;

    spares_init(&spares, UINT64_MAX);
    upload_init(&upload, size, &held, size, &spares);
    cr_expect_eq(upload_reserve(&upload, size), UPLOAD_OK);
    room = upload.bytes;
    upload_release(&upload);
    upload_init(&upload, size, &held, size, &spares);
    cr_expect_eq(upload_reserve(&upload, UPLOAD_LARGE_BYTES), UPLOAD_OK);
    cr_expect_eq(upload.bytes, room);
    cr_expect_eq(spares.count, 0);
    upload_release(&upload);
    spares_release(&spares);
}
