/* Worker threads: every job once, a bounded queue, an end that runs what is left. */
#include <criterion/criterion.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>

#include "pool.h"

#define JOBS 1000

/* Jobs that count, after they have waited for a gate to open. */
struct counted {
    sem_t gate;
    atomic_uint runs[JOBS];
    atomic_uint started;
};

struct counted_job {
    struct job job;
    struct counted *counted;
    size_t index;
};

static void run_counted(struct job *job)
{
    struct counted_job *mine = job->context;

    atomic_fetch_add(&mine->counted->started, 1);
    (void)sem_wait(&mine->counted->gate);
    atomic_fetch_add(&mine->counted->runs[mine->index], 1);
}

static struct counted counted;
static struct counted_job jobs[JOBS];

static void make_jobs(unsigned open)
{
    cr_assert_eq(sem_init(&counted.gate, 0, open), 0);
    for (size_t i = 0; i < JOBS; i++)
        jobs[i] = (struct counted_job){
            .job = {.run = run_counted, .context = &jobs[i]}, .counted = &counted, .index = i};
}

Test(pool, runs_every_job_once_and_what_is_queued_before_it_ends)
{
    struct pool pool;

    make_jobs(JOBS);
    cr_assert(pool_start(&pool, 3));
    for (size_t i = 0; i < JOBS; i++) {
        cr_assert(pool_reserve(&pool, SIZE_MAX));
        pool_submit(&pool, &jobs[i].job);
    }
    pool_stop(&pool);
    for (size_t i = 0; i < JOBS; i++)
        cr_expect_eq(atomic_load(&counted.runs[i]), 1, "job %zu", i);
}

Test(pool, has_places_for_its_workers_and_as_many_more_as_may_wait)
{
    struct pool pool;
    size_t accepted = 0;

    make_jobs(0);
    cr_assert(pool_start(&pool, 2));
    while (accepted < 10 && pool_reserve(&pool, 3))
        pool_submit(&pool, &jobs[accepted++].job);
    cr_expect_eq(accepted, 5);
    cr_expect_eq(pool_load(&pool).queued + pool_load(&pool).running, 5);
    for (size_t i = 0; i < accepted; i++)
        cr_assert_eq(sem_post(&counted.gate), 0);
    pool_stop(&pool);
    for (size_t i = 0; i < accepted; i++)
        cr_expect_eq(atomic_load(&counted.runs[i]), 1);
}

Test(pool, takes_a_job_for_an_idle_worker_where_none_may_wait)
{
    struct pool pool;

    make_jobs(1);
    cr_assert(pool_start(&pool, 1));
    cr_assert(pool_reserve(&pool, 0));
    cr_expect_not(pool_reserve(&pool, 0), "a place that is reserved is taken");
    pool_submit(&pool, &jobs[0].job);
    pool_stop(&pool);
    cr_expect_eq(atomic_load(&counted.runs[0]), 1);
}
