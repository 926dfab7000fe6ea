/*
 * Whose turn it is among the bodies that a loop sends. A round serves every connection that is
 * ready, so a thousand large answers would make it as long as a thousand blocks, and a short
 * request would wait for all of them. Here a round has time for some blocks only; the other bodies
 * are put off to the next, and each that has had its turn then waits until all have had theirs.
 * Only the loop's own thread uses it.
 */
#ifndef TURNS_H
#define TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a round, for blocks of bodies. Making them takes time, and so does writing them in the next
 * round, for which the kernel may need memory. */
#define TURNS_ROUND_US    4000U
#define TURNS_ROUND_BYTES ((size_t)4 << 20)

struct turns {         /* starts as {0} */
    uint64_t cycle;    /* in which each body has one turn, when not all have one in each round */
    uint64_t spent_us; /* in this round, on blocks */
    size_t bytes;      /* of these */
    bool is_crowded;   /* the last round had no time for some */
    bool has_put_off;  /* nor has this one */
};

void turns_begin_round(struct turns *turns);

/*
 * Whether a body may have its next block in this round. `turn` is the body's own: the cycle of its
 * last block, 0 before the first. Whatever the bounds, the first that asks in a round may go on.
 */
bool turns_take(struct turns *turns, uint64_t *turn);

/* Counts what a turn took. */
void turns_spend(struct turns *turns, uint64_t us, size_t bytes);

#endif
