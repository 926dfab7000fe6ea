#include <criterion/criterion.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"
#include "connection.h"
#include "loop.h"
#include "transaction.h"

static uint64_t cpu_ns(void)
{
    struct timespec now;

    cr_assert_eq(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/* A request whose handling began so long ago, in a loop whose round is as old. */
static struct transaction *begun(uint64_t us_ago)
{
    static struct loop loop;
    static struct connection connection = {.loop = &loop};
    struct transaction *transaction = calloc(1, sizeof(*transaction));

    cr_assert(transaction);
    transaction->connection = &connection;
    loop.round_us = clock_us() - us_ago;
    computation_init(transaction);
    transaction->computation.began_us = clock_us() - us_ago;
    transaction->computation.began_cpu_ns = cpu_ns();
    return transaction;
}

static bool may_work(struct transaction *transaction, uint64_t nanoseconds)
{
    const struct posenc_watch *watch = transaction->request.watch;

    return watch->may_work(watch->context, nanoseconds);
}

static void work_ms(uint64_t ms)
{
    const uint64_t end = cpu_ns() + ms * 1000000U;

    while (cpu_ns() < end)
        continue;
}

/* Whether work may be done in a round that began so long ago: asked again where the machine had
 * something else to do between the question and its clock. */
static bool may_work_after(uint64_t us_ago, uint64_t nanoseconds)
{
    for (;;) {
        const uint64_t start_us = clock_us();
        struct transaction *const transaction = begun(us_ago);
        const bool may = may_work(transaction, nanoseconds);

        free(transaction);
        if (clock_us() - start_us < LOOP_HALVING_US / 2)
            return may;
    }
}

Test(computation, does_little_in_the_loop)
{
    cr_expect(may_work_after(0, COMPUTATION_INLINE_NS / 2));
    cr_expect_not(may_work_after(0, COMPUTATION_INLINE_NS + 1));
}

/* After 5 ms a quarter of what a request alone may do, and after 50 ms what always goes. */
Test(computation, does_the_less_in_the_loop_the_longer_its_round_has_lasted)
{
    struct transaction *transaction;

    cr_expect(may_work_after(5000, COMPUTATION_INLINE_NS / 8));
    cr_expect_not(may_work_after(5000, COMPUTATION_INLINE_NS / 2));
    transaction = begun(50000);
    cr_expect(may_work(transaction, COMPUTATION_CROWDED_NS));
    cr_expect_not(may_work(transaction, COMPUTATION_CROWDED_NS + 1));
    free(transaction);
}

Test(computation, does_what_is_short_in_any_round_when_there_is_no_place_elsewhere)
{
    struct transaction *transaction = begun(50000);

    cr_expect_not(may_work(transaction, COMPUTATION_INLINE_NS));
    cr_expect(transaction->computation.is_short);
    transaction->computation.has_no_place = true;
    transaction->computation.stop = COMPUTATION_GOES_ON;
    cr_expect(may_work(transaction, COMPUTATION_INLINE_NS));
    cr_expect_not(may_work(transaction, COMPUTATION_INLINE_NS + 1));
    cr_expect_not(transaction->computation.is_short);
    free(transaction);
}

/* Put behind the long computations that wait for workers, it would stand still with them. */
Test(computation, stays_in_a_loop_that_was_only_kept_from_the_processor)
{
    struct transaction *transaction = begun(50000);

    cr_expect(may_work(transaction, 1000));
    cr_expect(may_work(transaction, 1000));
    free(transaction);
}

Test(computation, leaves_a_loop_in_which_it_has_worked_for_long)
{
    struct transaction *transaction = begun(50000);

    cr_expect(may_work(transaction, 1000));
    work_ms(COMPUTATION_OVER_NS / 1000000 + 2);
    cr_expect_not(may_work(transaction, 1000));
    cr_expect_not(may_work(transaction, 0), "stopped is stopped");
    free(transaction);
}
