/* Unpacking bodies under limits. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "inflate.h"
#include "packing.h"

#define NO_LIMIT ((size_t)1 << 40)

static void fill(char *bytes, size_t size)
{
    uint32_t state = 12345;

    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = (char)('0' + (state >> 24) % 10);
    }
}

Test(inflate, gives_back_what_was_packed)
{
    static const size_t sizes[] = {0, 1, 4096, 16384, 1000001};
    static char bytes[1000001];

    fill(bytes, sizeof(bytes));
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        size_t packed_size;
        char *packed = pack_gzip(bytes, sizes[i], &packed_size);
        struct inflated unpacked = {0};

        cr_assert_eq(inflate_gzip(packed, packed_size, sizes[i], NULL, &unpacked), INFLATE_OK);
        cr_assert_eq(unpacked.size, sizes[i]);
        cr_expect_eq(memcmp(unpacked.bytes, bytes, unpacked.size), 0);
        inflated_release(&unpacked, NULL);
        if (sizes[i] > 0)
            cr_expect_eq(inflate_gzip(packed, packed_size, sizes[i] - 1, NULL, &unpacked),
                         INFLATE_TOO_LARGE);
        free(packed);
    }
}

Test(inflate, joins_several_members)
{
    size_t first_size, second_size;
    char *first = pack_gzip("{\"a\"", 4, &first_size), *second = pack_gzip(": 1}", 4, &second_size);
    char *both = malloc(first_size + second_size);
    struct inflated unpacked = {0};

    memcpy(both, first, first_size);
    memcpy(both + first_size, second, second_size);
    cr_assert_eq(inflate_gzip(both, first_size + second_size, 100, NULL, &unpacked), INFLATE_OK);
    cr_assert_eq(unpacked.size, 8);
    cr_expect_eq(memcmp(unpacked.bytes, "{\"a\": 1}", 8), 0);
    inflated_release(&unpacked, NULL);
    cr_expect_eq(inflate_gzip(both, first_size + second_size, 7, NULL, &unpacked),
                 INFLATE_TOO_LARGE);
    free(first);
    free(second);
    free(both);
}

Test(inflate, refuses_every_cut_and_what_is_damaged)
{
    char bytes[3000], *packed;
    struct inflated unpacked = {0};
    size_t packed_size;

    fill(bytes, sizeof(bytes));
    packed = pack_gzip(bytes, sizeof(bytes), &packed_size);
    for (size_t cut = 0; cut < packed_size; cut++)
        cr_expect_eq(inflate_gzip(packed, cut, NO_LIMIT, NULL, &unpacked), INFLATE_BROKEN, "%zu",
                     cut);
    packed[packed_size - 6] ^= 1; /* its checksum */
    cr_expect_eq(inflate_gzip(packed, packed_size, NO_LIMIT, NULL, &unpacked), INFLATE_BROKEN);
    cr_expect_eq(inflate_gzip("{\"length\": 2}", 13, NO_LIMIT, NULL, &unpacked), INFLATE_BROKEN);
    cr_expect_null(unpacked.bytes);
    free(packed);
}

Test(inflate, stops_a_body_that_unpacks_to_far_more_than_it_is)
{
    const size_t bomb_size = (size_t)32 << 20;
    char *zeros = calloc(bomb_size, 1), *packed;
    struct inflated unpacked = {0};
    size_t packed_size;

    packed = pack_gzip(zeros, bomb_size, &packed_size);
    cr_assert_lt(packed_size * INFLATE_RATIO_MAX, bomb_size);
    cr_expect_eq(inflate_gzip(packed, packed_size, NO_LIMIT, NULL, &unpacked), INFLATE_TOO_DENSE);
    cr_expect_eq(inflate_gzip(packed, packed_size, 1000, NULL, &unpacked), INFLATE_TOO_LARGE);
    cr_expect_null(unpacked.bytes);
    free(packed);

    packed = pack_gzip(zeros, INFLATE_FREE_BYTES, &packed_size);
    cr_assert_lt(packed_size * INFLATE_RATIO_MAX, INFLATE_FREE_BYTES);
    cr_expect_eq(inflate_gzip(packed, packed_size, NO_LIMIT, NULL, &unpacked), INFLATE_OK);
    cr_expect_eq(unpacked.size, INFLATE_FREE_BYTES);
    inflated_release(&unpacked, NULL);
    free(packed);
    free(zeros);
}

struct patience {
    size_t asked, limit;
};

static bool has_patience(void *context, uint64_t nanoseconds)
{
    struct patience *const patience = context;

    cr_expect_lt(nanoseconds, 1000000, "a part is never long");
    return patience->asked++ < patience->limit;
}

static bool take_any(void *context, size_t bytes)
{
    (void)context;
    (void)bytes;
    return true;
}

static void give_back_any(void *context, size_t bytes)
{
    (void)context;
    (void)bytes;
}

Test(inflate, asks_on_the_way_whether_it_may_go_on)
{
    char *const zeros = calloc(INFLATE_FREE_BYTES, 1);
    struct patience patience = {0, SIZE_MAX};
    const struct posenc_watch watch = {has_patience, take_any, give_back_any, &patience};
    struct inflated unpacked = {0};
    size_t packed_size;
    char *const packed = pack_gzip(zeros, INFLATE_FREE_BYTES, &packed_size);

    cr_assert_eq(inflate_gzip(packed, packed_size, NO_LIMIT, &watch, &unpacked), INFLATE_OK);
    inflated_release(&unpacked, &watch);
    cr_expect_geq(patience.asked, INFLATE_FREE_BYTES >> 17);
    patience = (struct patience){0, 3};
    cr_expect_eq(inflate_gzip(packed, packed_size, NO_LIMIT, &watch, &unpacked), INFLATE_NO_MEMORY);
    cr_expect_null(unpacked.bytes);
    free(packed);
    free(zeros);
}
