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

    upload_init(&upload, LIMIT, &held, HELD);
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

    upload_init(&upload, LIMIT, &held, HELD);
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

    upload_init(&upload, LIMIT, &held, HELD);
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

    upload_init(&first, LIMIT, &held, HELD);
    upload_init(&second, LIMIT, &held, HELD);
    cr_expect_eq(upload_append(&first, bytes, LIMIT), UPLOAD_OK);
    cr_expect_eq(upload_append(&second, bytes, HELD - LIMIT + 1), UPLOAD_NO_MEMORY);
    cr_expect_eq(held, LIMIT, "a failure must not count");
    cr_expect_eq(upload_append(&second, bytes, HELD - LIMIT), UPLOAD_OK);
    upload_release(&first);
    cr_expect_eq(upload_append(&second, bytes, 1), UPLOAD_OK);
    upload_release(&second);
    cr_expect_eq(held, 0);
}
