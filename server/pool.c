#include "pool.h"

#include <assert.h>
#include <sys/resource.h>
#include <unistd.h>

#define POOL_STACK_BYTES ((size_t)4 << 20)
#define POOL_NICENESS    10 /* so that a loop that wakes gets its core at once */

/* The next job, or NULL at the end. */
static struct job *pool_take(struct pool *pool)
{
    struct job *job;

    (void)pthread_mutex_lock(&pool->mutex); /* cannot fail: initialised, not recursive */
    while (!pool->first && !pool->is_stopping)
        (void)pthread_cond_wait(&pool->has_job, &pool->mutex);
    job = pool->first;
    if (job) {
        pool->first = job->next;
        if (!pool->first)
            pool->last = NULL;
        atomic_fetch_sub(&pool->queued, 1);
        atomic_fetch_add(&pool->running, 1);
    }
    (void)pthread_mutex_unlock(&pool->mutex);
    return job;
}

static void pool_note_end(struct pool *pool)
{
    (void)pthread_mutex_lock(&pool->mutex);
    atomic_fetch_sub(&pool->running, 1);
    (void)pthread_mutex_unlock(&pool->mutex);
}

static void *pool_work(void *cls)
{
    struct pool *pool = cls;
    struct job *job;

    /* Linux has niceness by thread. Where it cannot be had, the scheduler shares evenly. */
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), POOL_NICENESS);
    (void)pthread_mutex_lock(&pool->mutex);
    pool->started++;
    (void)pthread_cond_signal(&pool->has_started);
    (void)pthread_mutex_unlock(&pool->mutex);
    while ((job = pool_take(pool))) {
        job->next = NULL;
        job->run(job);
        pool_note_end(pool);
    }
    return NULL;
}

static bool pool_start_thread(struct pool *pool)
{
    pthread_attr_t attributes;
    bool is_started;

    if (pthread_attr_init(&attributes) != 0)
        return false;
    is_started =
        pthread_attr_setstacksize(&attributes, POOL_STACK_BYTES) == 0 &&
        pthread_create(&pool->threads[pool->thread_count], &attributes, pool_work, pool) == 0;
    (void)pthread_attr_destroy(&attributes);
    return is_started;
}

/* What workers do first must be over before a sandbox forbids it. */
static void pool_await_workers(struct pool *pool)
{
    (void)pthread_mutex_lock(&pool->mutex);
    while (pool->started < pool->thread_count)
        (void)pthread_cond_wait(&pool->has_started, &pool->mutex);
    (void)pthread_mutex_unlock(&pool->mutex);
}

bool pool_start(struct pool *pool, size_t workers)
{
    assert(workers >= 1 && workers <= POOL_WORKERS_MAX);
    *pool = (struct pool){.thread_count = 0};
    (void)pthread_mutex_init(&pool->mutex, NULL); /* neither can fail without attributes */
    (void)pthread_cond_init(&pool->has_job, NULL);
    (void)pthread_cond_init(&pool->has_started, NULL);
    for (; pool->thread_count < workers; pool->thread_count++) {
        if (pool_start_thread(pool))
            continue;
        pool_stop(pool);
        return false;
    }
    pool_await_workers(pool);
    return true;
}

/* Jobs that an idle worker will take at once wait for nobody. */
static bool pool_has_room(const struct pool *pool, size_t waiting_max)
{
    const size_t held = atomic_load(&pool->queued) + atomic_load(&pool->running);

    return held < pool->thread_count || held - pool->thread_count < waiting_max;
}

bool pool_reserve(struct pool *pool, size_t waiting_max)
{
    bool has_room;

    (void)pthread_mutex_lock(&pool->mutex);
    has_room = pool_has_room(pool, waiting_max);
    if (has_room)
        atomic_fetch_add(&pool->queued, 1);
    (void)pthread_mutex_unlock(&pool->mutex);
    return has_room;
}

void pool_submit(struct pool *pool, struct job *job)
{
    (void)pthread_mutex_lock(&pool->mutex);
    assert(!pool->is_stopping && atomic_load(&pool->queued) > 0);
    job->next = NULL;
    if (pool->last)
        pool->last->next = job;
    else
        pool->first = job;
    pool->last = job;
    (void)pthread_cond_signal(&pool->has_job);
    (void)pthread_mutex_unlock(&pool->mutex);
}

struct pool_load pool_load(const struct pool *pool)
{
    return (struct pool_load){atomic_load(&pool->queued), atomic_load(&pool->running)};
}

void pool_stop(struct pool *pool)
{
    (void)pthread_mutex_lock(&pool->mutex);
    pool->is_stopping = true;
    (void)pthread_cond_broadcast(&pool->has_job);
    (void)pthread_mutex_unlock(&pool->mutex);
    for (size_t i = 0; i < pool->thread_count; i++)
        (void)pthread_join(pool->threads[i], NULL);
    (void)pthread_cond_destroy(&pool->has_job);
    (void)pthread_cond_destroy(&pool->has_started);
    (void)pthread_mutex_destroy(&pool->mutex);
}
