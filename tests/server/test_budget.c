/* One account of memory: what is over its limit is refused, and nothing is lost among threads. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/resource.h>

#include "budget.h"

#define ROUNDS 20000

Test(budget, refuses_what_would_pass_its_limit_and_takes_it_after)
{
    struct budget budget = {.limit = 100};

    cr_expect(budget_take(&budget, 60));
    cr_expect_not(budget_take(&budget, 41));
    cr_expect_not(budget_take(&budget, UINT64_MAX));
    cr_expect(budget_take(&budget, 40));
    cr_expect_not(budget_take(&budget, 1));
    budget_give_back(&budget, 60);
    cr_expect(budget_take(&budget, 60));
    cr_expect_eq(atomic_load(&budget.used), 100);
}

/* Whoever counts first and looks after may be over the limit for a moment. */
Test(budget, takes_nothing_while_it_is_overdrawn)
{
    struct budget budget = {.used = 150, .limit = 100};

    cr_expect_not(budget_take(&budget, 0));
    cr_expect_not(budget_take(&budget, 10));
}

static void *take_and_give_back(void *context)
{
    struct budget *budget = context;

    for (unsigned i = 0; i < ROUNDS; i++) {
        if (budget_take(budget, 3))
            budget_give_back(budget, 3);
        cr_assert_leq(atomic_load(&budget->used), budget->limit);
    }
    return NULL;
}

Test(budget, holds_its_limit_among_threads)
{
    struct budget budget = {.limit = 7};
    pthread_t threads[4];

    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, take_and_give_back, &budget), 0);
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
    cr_expect_eq(atomic_load(&budget.used), 0);
}

Test(budget, knows_a_limit_of_this_machine)
{
    const uint64_t limit = budget_default_limit();

    cr_expect_geq(limit, UINT64_C(16) << 20);
    cr_expect_lt(limit, UINT64_MAX / 2, "the machine's memory bounds it");
}

/* In a process of its own, as criterion runs each test. */
Test(budget, knows_the_addresses_that_may_be_mapped)
{
    struct rlimit limit;

    cr_assert_eq(getrlimit(RLIMIT_AS, &limit), 0);
    cr_assert_eq(limit.rlim_cur, RLIM_INFINITY);
    cr_expect_eq(budget_addresses(), UINT64_MAX);
    limit.rlim_cur = UINT64_C(1) << 46; /* more than any machine has memory, so nothing changes */
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    cr_expect_eq(budget_addresses(), UINT64_C(1) << 46);
}

Test(budget, leaves_half_for_work_but_lets_one_body_come)
{
    cr_expect_eq(budget_bodies_limit(1000, 100), 500);
    cr_expect_eq(budget_bodies_limit(1000, 500), 500);
    cr_expect_eq(budget_bodies_limit(1000, 700), 700);
    cr_expect_eq(budget_bodies_limit(1000, 7000), 1000);
    cr_expect_eq(budget_bodies_limit(UINT64_MAX, 1), UINT64_MAX / 2);
}
