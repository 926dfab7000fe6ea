#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "log_limit.h"

Test(log_limit, admits_so_many_a_second_of_each_kind)
{
    struct log_limit limit = {.lines_per_second = 3};
    unsigned admitted[LOG_KINDS] = {0};

    for (int i = 0; i < 10; i++)
        for (int kind = 0; kind < LOG_KINDS; kind++)
            admitted[kind] += log_limit_admits(&limit, (enum log_kind)kind, 5000 + (uint64_t)i);
    for (int kind = 0; kind < LOG_KINDS; kind++)
        cr_expect_eq(admitted[kind], 3);
    cr_expect_not(log_limit_admits(&limit, LOG_REFUSED, 5999));
    cr_expect(log_limit_admits(&limit, LOG_REFUSED, 6000));
    cr_expect(log_limit_admits(&limit, LOG_REFUSED, 6001));
    cr_expect(log_limit_admits(&limit, LOG_REFUSED, 6002));
    cr_expect_not(log_limit_admits(&limit, LOG_REFUSED, 6003));
}

Test(log_limit, admits_all_where_there_is_none)
{
    struct log_limit limit = {0};

    for (int i = 0; i < 1000; i++)
        cr_assert(log_limit_admits(&limit, LOG_SERVED, 0));
}

static void *ask_often(void *context)
{
    struct log_limit *limit = context;
    static const int asks = 20000;
    size_t admitted = 0;

    for (int i = 0; i < asks; i++)
        admitted += log_limit_admits(limit, LOG_FAILED, 1000 + (uint64_t)i / 10);
    return (void *)admitted;
}

/* Two seconds: those of ms 1000 to 1999, and 2000 to 2999. Threads that run apart may start a
 * second again and again, so only one thread's pace is certain. */
Test(log_limit, holds_for_one_thread_over_seconds)
{
    struct log_limit limit = {.lines_per_second = 7};

    cr_expect_eq((size_t)ask_often(&limit), 14);
}

static void *ask_in_one_second(void *context)
{
    struct log_limit *limit = context;
    size_t admitted = 0;

    for (int i = 0; i < 20000; i++)
        admitted += log_limit_admits(limit, LOG_FAILED, 77000);
    return (void *)admitted;
}

Test(log_limit, holds_for_many_threads_at_once)
{
    struct log_limit limit = {.lines_per_second = 5000};
    pthread_t threads[4];
    size_t admitted = 0;

    for (int i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, ask_in_one_second, &limit), 0);
    for (int i = 0; i < 4; i++) {
        void *more;

        cr_assert_eq(pthread_join(threads[i], &more), 0);
        admitted += (size_t)more;
    }
    cr_expect_eq(admitted, 5000);
}

Test(log_limit, counts_what_the_log_does_not_admit)
{
    struct log_limit limit = {.lines_per_second = 2};
    struct log_drops drops = {0};
    const struct log log = {.fd = -1, .limit = &limit, .drops = &drops};

    for (int i = 0; i < 5; i++)
        (void)log_admits(&log, LOG_REFUSED, 0);
    cr_expect(log_admits(&log, LOG_SERVED, 0));
    cr_expect_eq(atomic_load(&drops.counts[LOG_DROP_REFUSED]), 3);
    cr_expect_eq(atomic_load(&drops.counts[LOG_DROP_SERVED]), 0);
}
