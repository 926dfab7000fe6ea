#include "computation.h"

#include <assert.h>
#include <poll.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "connection.h"
#include "loop.h"
#include "server.h"
#include "transaction.h"
#include "watchdog.h"

#define PS_PER_NS 1000U
#define NS_PER_US 1000U
#define US_PER_S  1000000U
#define NS_PER_S  1000000000U

static struct server *computation_server(const struct computation *computation)
{
    return computation->transaction->connection->loop->server;
}

/* The watch. */

/* Of this thread. On a busy machine more time passes, in which a short request stays a short one.
 */
static uint64_t computation_cpu_ns(void)
{
    struct timespec spent;

    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent); /* cannot fail for one's own thread */
    return (uint64_t)spent.tv_sec * NS_PER_S + (uint64_t)spent.tv_nsec;
}

static bool computation_ends(struct computation *computation, enum computation_stop stop)
{
    computation->stop = stop;
    return false;
}

/* A reset counts at once. A client may close its own side and still read, but not for long. */
static bool computation_is_client_gone(const struct computation *computation, uint64_t now_us)
{
    struct pollfd one = {.fd = computation->transaction->connection->fd, .events = POLLRDHUP};

    if (poll(&one, 1, 0) < 1)
        return false;
    return one.revents & (POLLERR | POLLHUP) ||
           now_us >= computation->queued_us + COMPUTATION_HALF_OPEN_US;
}

static bool computation_is_past_drain(const struct server *server)
{
    return atomic_load(&server->is_draining) && clock_ms() >= loop_drain_deadline_ms(server);
}

/* Looks at the world outside, which costs a system call. */
static bool computation_is_wanted(struct computation *computation, uint64_t now_us)
{
    if (now_us < computation->looked_us + COMPUTATION_LOOK_US)
        return true;
    computation->looked_us = now_us;
    if (computation_is_client_gone(computation, now_us))
        return computation_ends(computation, COMPUTATION_CLIENT_GONE);
    if (computation_is_past_drain(computation_server(computation)))
        return computation_ends(computation, COMPUTATION_DRAINED);
    return true;
}

/* Whether this thread has worked longer already. Asking for its time costs a system call, the clock
 * does not. */
static bool computation_has_worked(const struct computation *computation, uint64_t spent_us,
                                   uint64_t limit_ns)
{
    return spent_us * NS_PER_US > limit_ns &&
           computation_cpu_ns() - computation->began_cpu_ns > limit_ns;
}

/* A crowd that arrives in one round would be as long as one that takes too long. */
static bool computation_may_work_here(struct computation *computation, uint64_t nanoseconds,
                                      uint64_t spent_us)
{
    const struct loop *loop = computation->transaction->connection->loop;
    const bool is_as_estimated =
        !computation_has_worked(computation, spent_us, COMPUTATION_OVER_NS);
    const bool is_short = is_as_estimated && nanoseconds <= COMPUTATION_INLINE_NS;

    if (is_short &&
        (computation->has_no_place ||
         nanoseconds <= loop_share(loop, COMPUTATION_INLINE_NS, COMPUTATION_CROWDED_NS)))
        return true;
    computation->is_short = is_short;
    computation->is_brief = is_as_estimated && nanoseconds <= COMPUTATION_BRIEF_NS;
    return computation_ends(computation, COMPUTATION_TOO_LONG_HERE);
}

static bool computation_may_work(void *context, uint64_t nanoseconds)
{
    struct computation *computation = context;
    const uint64_t now_us = clock_us(), spent_us = now_us - computation->began_us;

    if (computation->stop != COMPUTATION_GOES_ON)
        return false;
    if (!computation->is_in_worker)
        return computation_may_work_here(computation, nanoseconds, spent_us);
    if (spent_us >= computation_server(computation)->settings.compute_seconds * US_PER_S)
        return computation_ends(computation, COMPUTATION_TIMEOUT);
    if (computation->is_answer && computation->is_brief &&
        (nanoseconds > COMPUTATION_BRIEF_NS ||
         computation_has_worked(computation, spent_us, COMPUTATION_LONG_NS))) {
        computation->is_brief = computation->is_short = false;
        return computation_ends(computation, COMPUTATION_TOO_LONG_HERE);
    }
    return computation_is_wanted(computation, now_us);
}

static bool computation_may_take(void *context, size_t bytes)
{
    const struct computation *computation = context;

    return budget_take(&computation_server(computation)->budget, bytes);
}

static void computation_give_back(void *context, size_t bytes)
{
    const struct computation *computation = context;

    budget_give_back(&computation_server(computation)->budget, bytes);
}

void computation_init(struct transaction *transaction)
{
    struct computation *computation = &transaction->computation;

    computation->transaction = transaction;
    computation->watch = (struct posenc_watch){.may_work = computation_may_work,
                                               .may_take = computation_may_take,
                                               .give_back = computation_give_back,
                                               .context = computation};
    transaction->request.watch = &computation->watch;
}

void computation_release(struct transaction *transaction)
{
    struct computation *computation = &transaction->computation;

    assert(atomic_load(&computation->state) == COMPUTATION_IDLE ||
           atomic_load(&computation->state) == COMPUTATION_DONE);
    ahead_release(&computation->ahead, &transaction->connection->loop->server->budget);
}

/* Bodies. */

static bool computation_has_body(const struct transaction *transaction)
{
    const struct response *response = &transaction->response;

    return response->read && response->length > 0 && response->status != 204 &&
           response->status != 304 && strcmp(transaction->request.method, "HEAD") != 0;
}

/* Nanoseconds that so many bytes of the body take. */
static uint64_t computation_body_ns(const struct response *response, uint64_t bytes)
{
    if (response->length < bytes)
        bytes = response->length;
    return response->byte_ps > UINT64_MAX / COMPUTATION_BLOCK_BYTES
               ? UINT64_MAX
               : response->byte_ps * bytes / PS_PER_NS;
}

/* Bytes that a worker makes at one time, so that one slow body does not hold it for long. */
static size_t computation_block_bytes(const struct response *response)
{
    const uint64_t part_ps = (uint64_t)COMPUTATION_PART_NS * PS_PER_NS;
    uint64_t bytes = COMPUTATION_BLOCK_BYTES;

    if (response->byte_ps > part_ps / COMPUTATION_BLOCK_BYTES)
        bytes = part_ps / response->byte_ps + 1;
    return (size_t)(response->length < bytes ? response->length : bytes);
}

static bool computation_make_room(struct computation *computation)
{
    return ahead_make_room(&computation->ahead,
                           computation_block_bytes(&computation->transaction->response),
                           &computation_server(computation)->budget);
}

/* In a worker. */

static void computation_run_answer(struct computation *computation)
{
    struct transaction *transaction = computation->transaction;
    struct response *response = &transaction->response;

    handle_request(&computation_server(computation)->service, &transaction->request, response);
    if (computation->stop != COMPUTATION_GOES_ON)
        return;
    if (response->status >= COMPUTATION_REFUSED)
        transaction_drop_body(transaction); /* others have not begun for want of its memory */
    if (!computation_has_body(transaction))
        return;
    if (computation_make_room(computation))
        ahead_fill(&computation->ahead, &computation->transaction->response);
    /* Without room the loop reads as it does otherwise, or refuses a body that needs a worker. */
}

static void computation_run(struct job *job)
{
    struct computation *computation = job->context;
    struct loop *loop = computation->transaction->connection->loop;
    const struct server *server = loop->server;

    atomic_store(&computation->state, COMPUTATION_RUNNING);
    computation->is_in_worker = true;
    computation->began_us = clock_us();
    computation->began_cpu_ns = computation_cpu_ns();
    computation->looked_us = 0;
    if (computation->is_answer && computation->began_us - computation->queued_us >=
                                      server->settings.compute_seconds * US_PER_S)
        computation->stop = COMPUTATION_WAITED;
    else if (computation_is_wanted(computation, computation->began_us)) {
        if (computation->is_answer)
            computation_run_answer(computation);
        else
            ahead_fill(&computation->ahead, &computation->transaction->response);
    }
    computation->is_in_worker = false;
    atomic_store(&computation->state, COMPUTATION_DONE);
    loop_hand_back(loop, job);
}

/* In the loop. */

/* Suspends the connection and publishes the job, for which there is a place. */
static void computation_send_away(struct computation *computation, struct pool *pool,
                                  bool is_answer)
{
    struct connection *connection = computation->transaction->connection;

    assert(atomic_load(&computation->state) == COMPUTATION_IDLE);
    computation->is_answer = is_answer;
    computation->stop = COMPUTATION_GOES_ON;
    computation->job = (struct job){.run = computation_run, .context = computation};
    computation->queued_us = clock_us();
    watchdog_enter(connection, PHASE_COMPUTING, clock_ms());
    connection->loop->suspended++;
    MHD_suspend_connection(computation->mhd);
    atomic_store(&computation->state, COMPUTATION_QUEUED);
    pool_submit(pool, &computation->job);
}

/* Places for blocks are as many as connections, each of which needs one at most. */
static void computation_send_block_away(struct computation *computation)
{
    struct pool *const pool = &computation_server(computation)->brief;
    const bool has_place = pool_reserve(pool, SIZE_MAX);

    assert(has_place);
    (void)has_place;
    computation_send_away(computation, pool, false);
}

/* A place for a request's answer, among the long ones where there is no other; or NULL. */
static struct pool *computation_reserve(struct computation *computation)
{
    struct server *server = computation_server(computation);
    const size_t waiting_max = (size_t)server->settings.queue_max;

    if (computation->is_brief && pool_reserve(&server->brief, waiting_max))
        return &server->brief;
    computation->is_brief = false;
    return pool_reserve(&server->answers, waiting_max) ? &server->answers : NULL;
}

void computation_resume(struct job *job)
{
    struct computation *computation = job->context;
    struct connection *connection = computation->transaction->connection;

    assert(atomic_load(&computation->state) == COMPUTATION_DONE);
    connection->loop->suspended--;
    MHD_resume_connection(computation->mhd);
}

/* A 503 instead of what there may be of an answer; the connection can go on. */
static enum computation_outcome computation_refuse(struct transaction *transaction,
                                                   const char *slug, const char *detail,
                                                   uint64_t limit)
{
    response_release(&transaction->response);
    computation_release(transaction);
    transaction_drop_body(transaction);
    transaction->computation.is_slow = false;
    respond_problem(&transaction->request, 503, slug, detail, limit, &transaction->response);
    return COMPUTATION_ANSWERED;
}

static enum computation_outcome computation_refuse_memory(struct transaction *transaction)
{
    return computation_refuse(transaction, "out-of-memory",
                              "The server has no memory for this answer now; retry.", 0);
}

/* What came of a job before the answer began. */
static enum computation_outcome computation_conclude(struct transaction *transaction)
{
    struct computation *computation = &transaction->computation;
    const struct settings *settings = &computation_server(computation)->settings;

    switch (computation->stop) {
    case COMPUTATION_CLIENT_GONE:
        return COMPUTATION_GONE;
    case COMPUTATION_TIMEOUT:
        return computation_refuse(transaction, "computation-timeout",
                                  "The computation takes longer than this server allows, 'limit' "
                                  "seconds; ask for less at a time.",
                                  settings->compute_seconds);
    case COMPUTATION_WAITED:
        return computation_refuse(transaction, "too-many-computations",
                                  "The server has more to compute than it can; retry.", 0);
    case COMPUTATION_DRAINED:
        return computation_refuse(transaction, "shutting-down",
                                  "The server ends before the computation does; retry elsewhere.",
                                  0);
    case COMPUTATION_TOO_LONG_HERE:
    case COMPUTATION_GOES_ON:
        break;
    }
    computation->is_slow =
        computation_has_body(transaction) &&
        computation_body_ns(&transaction->response, COMPUTATION_BLOCK_BYTES) > COMPUTATION_BLOCK_NS;
    if (computation->is_slow && !computation_make_room(computation))
        return computation_refuse_memory(transaction);
    return COMPUTATION_ANSWERED;
}

static void computation_handle_here(struct transaction *transaction)
{
    struct computation *computation = &transaction->computation;

    computation->began_us = clock_us();
    computation->began_cpu_ns = computation_cpu_ns();
    handle_request(&computation_server(computation)->service, &transaction->request,
                   &transaction->response);
}

/* What was too long for the loop: a worker handles the request again, when there is a place; else
 * the loop does, when it is short enough, however many others do. */
static enum computation_outcome computation_hand_over(struct transaction *transaction)
{
    struct computation *computation = &transaction->computation;
    struct pool *const pool = computation_reserve(computation);

    response_release(&transaction->response);
    if (pool) {
        computation_send_away(computation, pool, true);
        return COMPUTATION_AWAY;
    }
    if (computation->is_short) {
        computation->has_no_place = true;
        computation->stop = COMPUTATION_GOES_ON;
        computation_handle_here(transaction);
    }
    if (computation->stop == COMPUTATION_GOES_ON)
        return computation_conclude(transaction);
    return computation_refuse(transaction, "too-many-computations",
                              "As many computations wait as this server lets wait; retry.",
                              computation_server(computation)->settings.queue_max);
}

/* Handles the request here, and has what it cannot do itself done elsewhere. */
static enum computation_outcome computation_begin(struct transaction *transaction)
{
    struct computation *computation = &transaction->computation;
    enum computation_outcome outcome;

    computation_handle_here(transaction);
    outcome = computation->stop == COMPUTATION_GOES_ON ? computation_conclude(transaction)
                                                       : computation_hand_over(transaction);
    if (!computation->is_slow || outcome != COMPUTATION_ANSWERED || !computation->ahead.bytes)
        return outcome;
    computation_send_block_away(computation);
    return COMPUTATION_AWAY;
}

enum computation_outcome computation_answer(struct transaction *transaction,
                                            struct MHD_Connection *mhd)
{
    struct computation *computation = &transaction->computation;

    computation->mhd = mhd;
    if (atomic_load(&computation->state) == COMPUTATION_IDLE)
        return computation_begin(transaction);
    assert(atomic_load(&computation->state) == COMPUTATION_DONE);
    atomic_store(&computation->state, COMPUTATION_IDLE);
    if (computation->stop == COMPUTATION_TOO_LONG_HERE)
        return computation_hand_over(transaction); /* it was not so brief */
    return computation_conclude(transaction);
}

/* Reads in the loop, and looks whether the estimate that it would be short has been right. */
static ssize_t computation_read_here(struct computation *computation, uint64_t offset, char *buffer,
                                     size_t size)
{
    struct response *response = &computation->transaction->response;
    const uint64_t began_ns = computation_cpu_ns();
    const ssize_t got = response->read(response->state, offset, buffer, size);
    const uint64_t spent_ns = computation_cpu_ns() - began_ns;

    if (got <= 0 || spent_ns < COMPUTATION_LATE_NS)
        return got;
    response->byte_ps = spent_ns * PS_PER_NS / (uint64_t)got;
    computation->is_slow = computation_make_room(computation);
    computation->ahead.offset = offset + (uint64_t)got;
    computation->ahead.size = 0;
    return got;
}

/* After a block: the connection sends again, unless the block was not made. */
static bool computation_take_back(struct computation *computation)
{
    if (atomic_load(&computation->state) != COMPUTATION_DONE)
        return true;
    atomic_store(&computation->state, COMPUTATION_IDLE);
    watchdog_enter(computation->transaction->connection, PHASE_SENDING, clock_ms());
    return computation->stop == COMPUTATION_GOES_ON;
}

ssize_t computation_read(struct transaction *transaction, uint64_t offset, char *buffer,
                         size_t size)
{
    struct computation *computation = &transaction->computation;
    const struct ahead *ahead = &computation->ahead;
    size_t taken;

    if (!computation_take_back(computation))
        return -1;
    taken = ahead_take(ahead, offset, buffer, size);
    if (taken > 0)
        return (ssize_t)taken;
    if (ahead->is_last)
        return ahead->has_failed ? -1 : 0;
    if (!computation->is_slow)
        return computation_read_here(computation, offset, buffer, size);
    if (computation_is_past_drain(computation_server(computation)))
        return -1;
    computation_send_block_away(computation);
    return COMPUTATION_READ_LATER;
}

bool computation_has_whole(const struct transaction *transaction)
{
    const struct ahead *ahead = &transaction->computation.ahead;

    return ahead->size > 0 && ahead->offset == 0 && ahead->size == transaction->response.length;
}
