#include "log_queue.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LOG_QUEUE_STACK_BYTES ((size_t)256 << 10)
#define LOG_QUEUE_RETRY_MS    100  /* between looks at a descriptor that takes nothing now */
#define LOG_QUEUE_REPORT_MS   1000 /* between reports of drops */
#define LOG_QUEUE_GATHER_MS   1    /* that a line waits for others, to be written with them */

/* What wakes the thread. */
enum log_queue_wait {
    AWAITS_NOTHING,  /* it runs, or will soon */
    AWAITS_LINES,    /* or the time for a report of drops that it knows of */
    AWAITS_ANYTHING, /* lines or drops */
};

struct log_queue {
    struct log log; /* for what the thread says itself: written at once */
    pthread_t thread;
    pthread_mutex_t mutex;  /* guards what follows, but not the bytes of [first, first + used) */
    pthread_cond_t changed; /* bytes have come or gone, or it is closing */
    size_t first, used;     /* in the ring */
    bool is_closing, is_done, is_joined;
    _Atomic enum log_queue_wait awaits; /* set by the thread, with the mutex held */
    uint64_t reported[LOG_DROPS];
    struct timespec next_report; /* CLOCK_MONOTONIC */
    char bytes[LOG_QUEUE_BYTES];
};

static struct timespec moment_after(unsigned ms)
{
    struct timespec moment;

    (void)clock_gettime(CLOCK_MONOTONIC, &moment); /* cannot fail for this clock */
    moment.tv_sec += ms / 1000;
    moment.tv_nsec += (long)(ms % 1000) * 1000000;
    if (moment.tv_nsec >= 1000000000) {
        moment.tv_sec++;
        moment.tv_nsec -= 1000000000;
    }
    return moment;
}

static bool is_past(const struct timespec *moment)
{
    const struct timespec now = moment_after(0);

    return now.tv_sec > moment->tv_sec ||
           (now.tv_sec == moment->tv_sec && now.tv_nsec >= moment->tv_nsec);
}

static uint64_t count_lines(const char *bytes, size_t size)
{
    uint64_t lines = 0;

    for (size_t i = 0; i < size; i++)
        lines += bytes[i] == '\n';
    return lines;
}

/* Bytes written, at least one; 0 where the descriptor takes nothing now, -1 when it never will. */
static ssize_t write_some(int fd, const char *bytes, size_t size)
{
    const ssize_t written = write(fd, bytes, size);
    struct pollfd one = {.fd = fd, .events = POLLOUT};

    if (written > 0)
        return written;
    if (written < 0 && errno != EAGAIN && errno != EINTR)
        return -1;
    (void)poll(&one, 1, LOG_QUEUE_RETRY_MS); /* whatever it says, writing tells */
    return 0;
}

/* Writes from the front of the ring. The mutex is held, but not while writing. */
static void write_front(struct log_queue *queue)
{
    const size_t until_end = LOG_QUEUE_BYTES - queue->first;
    const size_t size = queue->used < until_end ? queue->used : until_end;
    const char *bytes = queue->bytes + queue->first;
    ssize_t written;

    (void)pthread_mutex_unlock(&queue->mutex);
    written = write_some(queue->log.fd, bytes, size);
    if (written < 0)
        atomic_fetch_add(&queue->log.drops->counts[LOG_DROP_UNWRITABLE], count_lines(bytes, size));
    (void)pthread_mutex_lock(&queue->mutex);
    if (written < 0)
        written = (ssize_t)size;
    queue->first = (queue->first + (size_t)written) % LOG_QUEUE_BYTES;
    queue->used -= (size_t)written;
    if (queue->used == 0)
        (void)pthread_cond_broadcast(&queue->changed);
}

static bool has_news(const struct log_queue *queue)
{
    for (size_t i = 0; i < LOG_DROPS; i++)
        if (atomic_load(&queue->log.drops->counts[i]) != queue->reported[i])
            return true;
    return false;
}

/* One line for each reason. The mutex is held, but not while writing. */
static void report(struct log_queue *queue)
{
    queue->next_report = moment_after(LOG_QUEUE_REPORT_MS);
    (void)pthread_mutex_unlock(&queue->mutex);
    for (size_t i = 0; i < LOG_DROPS; i++) {
        const uint64_t count = atomic_load(&queue->log.drops->counts[i]);
        struct log_line line;

        if (count == queue->reported[i])
            continue;
        log_begin(&line, &queue->log, LOG_WARN, "log lines dropped");
        log_add_text(&line, "reason", log_drop_names[i]);
        log_add_number(&line, "count", count - queue->reported[i]);
        log_end(&line);
        queue->reported[i] = count; /* of this thread alone */
    }
    (void)pthread_mutex_lock(&queue->mutex);
}

/* Waking a thread costs more than a line does, so that lines that come together are written
 * together. Nobody but who closes the queue wakes this wait. */
static void gather(struct log_queue *queue)
{
    const struct timespec limit = moment_after(LOG_QUEUE_GATHER_MS);

    (void)pthread_cond_timedwait(&queue->changed, &queue->mutex, &limit);
}

static void await(struct log_queue *queue)
{
    const bool has_report = has_news(queue);

    atomic_store(&queue->awaits, has_report ? AWAITS_LINES : AWAITS_ANYTHING);
    if (has_report)
        (void)pthread_cond_timedwait(&queue->changed, &queue->mutex, &queue->next_report);
    else if (!has_news(queue)) /* a drop before the store woke nobody */
        (void)pthread_cond_wait(&queue->changed, &queue->mutex);
    atomic_store(&queue->awaits, AWAITS_NOTHING);
    if (queue->used > 0 && !queue->is_closing)
        gather(queue);
}

static void *run(void *context)
{
    struct log_queue *queue = context;

    (void)pthread_mutex_lock(&queue->mutex); /* cannot fail: initialised, not recursive */
    for (;;) {
        if (queue->used > 0)
            write_front(queue);
        else if (has_news(queue) && (queue->is_closing || is_past(&queue->next_report)))
            report(queue);
        else if (queue->is_closing)
            break;
        else
            await(queue);
    }
    queue->is_done = true;
    (void)pthread_cond_broadcast(&queue->changed);
    (void)pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

static int init_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    int problem = pthread_condattr_init(&attributes);

    if (problem != 0)
        return problem;
    problem = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    if (problem == 0)
        problem = pthread_cond_init(condition, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    return problem;
}

/* The thread takes no signals: they are for those who wait for them. */
static int create_thread(struct log_queue *queue, const pthread_attr_t *attributes)
{
    sigset_t all, before;
    int problem;

    (void)sigfillset(&all); /* cannot fail */
    problem = pthread_sigmask(SIG_SETMASK, &all, &before);
    if (problem != 0)
        return problem;
    problem = pthread_create(&queue->thread, attributes, run, queue);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL); /* as good as the first time */
    return problem;
}

static int start_thread(struct log_queue *queue)
{
    pthread_attr_t attributes;
    int problem = pthread_attr_init(&attributes);

    if (problem != 0)
        return problem;
    problem = pthread_attr_setstacksize(&attributes, LOG_QUEUE_STACK_BYTES);
    if (problem == 0)
        problem = create_thread(queue, &attributes);
    (void)pthread_attr_destroy(&attributes);
    return problem;
}

struct log_queue *log_queue_start(const struct log *log)
{
    struct log_queue *queue = calloc(1, sizeof(*queue));

    if (!queue)
        return NULL;
    queue->log = *log;
    queue->log.queue = NULL;
    (void)pthread_mutex_init(&queue->mutex, NULL); /* cannot fail without attributes */
    errno = init_condition(&queue->changed);
    if (errno == 0) {
        errno = start_thread(queue);
        if (errno == 0)
            return queue;
        (void)pthread_cond_destroy(&queue->changed);
    }
    (void)pthread_mutex_destroy(&queue->mutex);
    free(queue);
    return NULL;
}

void log_queue_put(struct log_queue *queue, const char *line, size_t size)
{
    size_t at, until_end;

    (void)pthread_mutex_lock(&queue->mutex); /* held for copies alone */
    if (queue->is_done || size > LOG_QUEUE_BYTES - queue->used) {
        atomic_fetch_add(&queue->log.drops->counts[LOG_DROP_SLOW], 1);
    } else {
        at = (queue->first + queue->used) % LOG_QUEUE_BYTES;
        until_end = LOG_QUEUE_BYTES - at;
        memcpy(queue->bytes + at, line, size < until_end ? size : until_end);
        if (size > until_end)
            memcpy(queue->bytes, line + until_end, size - until_end);
        queue->used += size;
    }
    if (atomic_load(&queue->awaits) != AWAITS_NOTHING)
        (void)pthread_cond_signal(&queue->changed);
    (void)pthread_mutex_unlock(&queue->mutex);
}

void log_queue_wake(struct log_queue *queue)
{
    if (atomic_load(&queue->awaits) != AWAITS_ANYTHING)
        return;
    (void)pthread_mutex_lock(&queue->mutex);
    (void)pthread_cond_signal(&queue->changed);
    (void)pthread_mutex_unlock(&queue->mutex);
}

bool log_queue_close(struct log_queue *queue, unsigned timeout_ms)
{
    const struct timespec limit = moment_after(timeout_ms);
    bool is_done, must_join;

    if (!queue)
        return true;
    (void)pthread_mutex_lock(&queue->mutex);
    queue->is_closing = true;
    (void)pthread_cond_broadcast(&queue->changed);
    while (!queue->is_done &&
           pthread_cond_timedwait(&queue->changed, &queue->mutex, &limit) != ETIMEDOUT)
        continue;
    is_done = queue->is_done;
    must_join = is_done && !queue->is_joined;
    queue->is_joined |= is_done;
    (void)pthread_mutex_unlock(&queue->mutex);
    if (must_join)
        (void)pthread_join(queue->thread, NULL);
    return is_done;
}

void log_queue_free(struct log_queue *queue)
{
    (void)pthread_cond_destroy(&queue->changed);
    (void)pthread_mutex_destroy(&queue->mutex);
    free(queue);
}
