/* Memories: alignment, limits, arithmetic that does not wrap. */
#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

Test(memory, gives_aligned_rooms_that_do_not_overlap)
{
    struct posenc_memory memory;
    unsigned char *rooms[200];
    uint64_t sizes[200];

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    for (size_t i = 0; i < 200; i++) {
        sizes[i] = i * 37 % 5000 + (i % 50 == 0 ? 20000 : 0); /* within a block, and beyond one */
        rooms[i] = posenc_allocate(&memory, sizes[i], 1);
        cr_assert_not_null(rooms[i]);
        cr_assert_eq((uintptr_t)rooms[i] % 64, 0);
        memset(rooms[i], (int)i, sizes[i]);
    }
    for (size_t i = 0; i < 200; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            cr_assert_eq(rooms[i][k], (unsigned char)i);
    posenc_memory_release(&memory);
}

Test(memory, used_never_passes_the_limit)
{
    for (size_t limit = 0; limit < 40000; limit += 777) {
        struct posenc_memory memory;
        size_t given = 0;

        posenc_memory_init(&memory, limit);
        while (posenc_allocate(&memory, 1, 640)) {
            given += 640;
            cr_assert_leq(memory.used, limit);
        }
        cr_assert_leq(given, limit);
        cr_assert_leq(memory.used, limit);
        posenc_memory_release(&memory);
    }
}

Test(memory, gives_all_of_a_small_limit_and_then_nothing)
{
    struct posenc_memory memory;

    posenc_memory_init(&memory, 192);
    cr_expect_not_null(posenc_allocate(&memory, 3, 64));
    cr_expect_null(posenc_allocate(&memory, 1, 1));
    posenc_memory_release(&memory);
}

Test(memory, a_refused_size_leaves_room_for_a_smaller_one)
{
    struct posenc_memory memory;

    posenc_memory_init(&memory, 10000);
    cr_expect_null(posenc_allocate(&memory, 10001, 1));
    cr_expect_not_null(posenc_allocate(&memory, 10, 900));
    posenc_memory_release(&memory);
}

Test(memory, refuses_sizes_whose_product_would_wrap)
{
    struct posenc_memory memory;

    posenc_memory_init(&memory, SIZE_MAX);
    cr_expect_null(posenc_allocate(&memory, SIZE_MAX / 8 + 2, 8)); /* 8 when wrapped */
    cr_expect_null(posenc_allocate(&memory, SIZE_MAX, 1));         /* 0 when rounded up */
    cr_expect_null(posenc_allocate(&memory, 1, SIZE_MAX - 62));
    cr_expect_null(posenc_allocate(&memory, SIZE_MAX, SIZE_MAX));
    cr_expect_eq(memory.used, 0);
    posenc_memory_release(&memory);
}

Test(memory, zero_bytes_give_a_pointer_even_where_there_is_no_room)
{
    struct posenc_memory memory;

    posenc_memory_init(&memory, 0);
    cr_expect_not_null(posenc_allocate(&memory, 0, 8));
    cr_expect_not_null(posenc_allocate(&memory, 8, 0));
    cr_expect_null(posenc_allocate(&memory, 1, 1));
    posenc_memory_release(&memory);
}

Test(memory, serves_again_after_a_release)
{
    struct posenc_memory memory;

    posenc_memory_init(&memory, 1000);
    cr_assert_not_null(posenc_allocate(&memory, 900, 1));
    posenc_memory_release(&memory);
    cr_expect_eq(memory.used, 0);
    cr_expect_eq(memory.limit, 1000);
    cr_expect_not_null(posenc_allocate(&memory, 900, 1));
    posenc_memory_release(&memory);
    posenc_memory_release(&memory);
}
