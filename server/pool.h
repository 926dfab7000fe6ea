/*
 * Worker threads and the queue in front of them. Who submits a job gives it away until job->run()
 * hands it back in some way of its own; there is no taking it out of the queue, but a job that is
 * not wanted any more can end as soon as it runs.
 */
#ifndef POOL_H
#define POOL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define POOL_WORKERS_MAX 256

struct job {
    struct job *next; /* the pool's, and after run() whoever's */
    /* Runs in a worker. The job may be gone when it returns. */
    void (*run)(struct job *job);
    void *context;
};

struct pool {
    pthread_mutex_t mutex; /* guards what follows, but for the threads */
    pthread_cond_t has_job, has_started;
    size_t started; /* workers that are ready for jobs */
    struct job *first, *last;
    atomic_size_t queued, running; /* places reserved count as queued; written under the mutex */
    bool is_stopping;

    pthread_t threads[POOL_WORKERS_MAX];
    size_t thread_count;
};

/* Starts the workers, 1 to POOL_WORKERS_MAX of them. False, and nothing to stop, when the system
 * refuses. */
bool pool_start(struct pool *pool, size_t workers);

/* What a pool does at a moment. */
struct pool_load {
    size_t queued, running;
};

/* Any thread. */
struct pool_load pool_load(const struct pool *pool);

/* Reserves a place for a job that pool_submit() must follow; false when it would have to wait and
 * as many as waiting_max do. Any thread. */
bool pool_reserve(struct pool *pool, size_t waiting_max);

/* Gives a job away, for which there is a place. Any thread. */
void pool_submit(struct pool *pool, struct job *job);

/* Runs what is queued, and ends the workers. Nothing may be submitted any more. */
void pool_stop(struct pool *pool);

#endif
