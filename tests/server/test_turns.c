#include <criterion/criterion.h>

#include "turns.h"

#define BODIES 100

/* Of equal blocks; how many had one in a round. */
static int run_round(struct turns *turns, uint64_t own[BODIES], int got[BODIES], uint64_t us,
                     size_t bytes)
{
    int count = 0;

    turns_begin_round(turns);
    for (int i = 0; i < BODIES; i++) {
        if (!turns_take(turns, &own[i]))
            continue;
        turns_spend(turns, us, bytes);
        got[i]++;
        count++;
    }
    return count;
}

Test(turns, few_bodies_have_one_in_every_round)
{
    struct turns turns = {0};
    uint64_t own[BODIES] = {0};
    int got[BODIES] = {0};

    for (int round = 0; round < 10; round++)
        cr_expect_eq(run_round(&turns, own, got, TURNS_ROUND_US / BODIES, 1000), BODIES);
}

Test(turns, one_that_is_alone_goes_on_within_a_round)
{
    struct turns turns = {0};
    uint64_t own = 0;

    turns_begin_round(&turns);
    for (int i = 0; i < 4; i++) {
        cr_expect(turns_take(&turns, &own));
        turns_spend(&turns, 1, 1);
    }
}

Test(turns, a_round_is_over_when_its_time_or_its_bytes_are_spent)
{
    static const struct {
        uint64_t us;
        size_t bytes;
        int blocks;
    } rounds[] = {
        {TURNS_ROUND_US / 7, 0, 8},
        {0, TURNS_ROUND_BYTES / 16, 16},
        {TURNS_ROUND_US * 3, 0, 1}, /* one goes on, however slow */
        {0, TURNS_ROUND_BYTES * 3, 1},
    };

    for (size_t i = 0; i < sizeof(rounds) / sizeof(*rounds); i++) {
        struct turns turns = {0};
        uint64_t own[BODIES] = {0};
        int got[BODIES] = {0};

        cr_expect_eq(run_round(&turns, own, got, rounds[i].us, rounds[i].bytes), rounds[i].blocks,
                     "round %zu", i);
    }
}

Test(turns, of_a_crowd_nobody_is_ever_more_than_one_block_ahead)
{
    struct turns turns = {0};
    uint64_t own[BODIES] = {0};
    int got[BODIES] = {0};

    for (int round = 0; round < 1000; round++) {
        int least, most;

        (void)run_round(&turns, own, got, 0, TURNS_ROUND_BYTES / 7);
        least = most = got[0];
        for (int i = 1; i < BODIES; i++) {
            least = got[i] < least ? got[i] : least;
            most = got[i] > most ? got[i] : most;
        }
        cr_assert_leq(most - least, 1, "round %d", round);
    }
    cr_expect_geq(got[BODIES - 1], 60, "each round has had blocks");
}

Test(turns, a_newcomer_needs_not_wait_for_the_cycle_to_end)
{
    struct turns turns = {0};
    uint64_t own[BODIES] = {0}, newcomer = 0;
    int got[BODIES] = {0};

    (void)run_round(&turns, own, got, TURNS_ROUND_US, 0);
    turns_begin_round(&turns);
    cr_expect_not(turns_take(&turns, &own[0]), "it has had its turn");
    cr_expect(turns_take(&turns, &newcomer));
}
