/*
 * One account for the memory that clients make the server hold: bodies, what they unpack to, plans,
 * results and blocks of answers. Bytes are taken before they are allocated, so that many large
 * requests at one time are refused one by one instead of ending the process.
 */
#ifndef BUDGET_H
#define BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct budget {
    _Atomic uint64_t used; /* bytes */
    uint64_t limit;        /* read-only once threads run */
};

/* False, and nothing taken, when that would pass the limit. Any thread. */
bool budget_take(struct budget *budget, uint64_t bytes);

/* Gives back bytes that were taken. Any thread. */
void budget_give_back(struct budget *budget, uint64_t bytes);

/* Bytes of addresses that this process may map (ulimit -v); UINT64_MAX where nothing limits it. */
uint64_t budget_addresses(void);

/*
 * The limit where nobody sets one: half of what this process may use, by the machine's memory, its
 * control group's, and the addresses that it may map. The other half is for connections, code, and
 * what allocators hold back.
 */
uint64_t budget_default_limit(void);

/*
 * How far bodies may fill it while they arrive: half, so that those who hold a body while they wait
 * for memory to work with it never hold all of it. But one body of `body_max` bytes may always
 * come.
 */
uint64_t budget_bodies_limit(uint64_t limit, uint64_t body_max);

#endif
