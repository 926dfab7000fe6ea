/* Copies of every length at every alignment, and nothing beside them. */
#include <criterion/criterion.h>
#include <string.h>

#include "copy.h"
#include "exact.h"

#define ROOM   2048
#define ROUNDS 20000

Test(copy, every_level_copies_what_it_is_told_and_no_more)
{
    static unsigned char in[ROOM], out[ROOM], expected[ROOM];
    uint64_t seed = 3;

    for (size_t i = 0; i < ROOM; i++)
        in[i] = (unsigned char)exact_bits(&seed);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t bytes = exact_bits(&seed) % (round % 2 ? 300 : ROOM / 2);
        const size_t from = exact_bits(&seed) % (ROOM - bytes);
        const size_t to = exact_bits(&seed) % (ROOM - bytes);

        memset(expected, 0xa5, ROOM);
        memcpy(expected + to, in + from, bytes);
        for (int level = 0; level < POSENC__LEVEL_COUNT; level++) {
            if (!posenc__level_runs((enum posenc__level)level))
                continue;
            memset(out, 0xa5, ROOM);
            posenc__copy_at((enum posenc__level)level, out + to, in + from, bytes);
            cr_assert_eq(memcmp(out, expected, ROOM), 0, "level %d, %zu bytes from %zu to %zu",
                         level, bytes, from, to);
        }
    }
}
