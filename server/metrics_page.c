#include "metrics_page.h"

#include <jansson.h>
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "metrics_rows.h"
#include "posenc.h"
#include "server.h"

#define METRICS_INTEGER_MAX 12 /* bytes of a small number as text, with its end */

static const struct metrics_family requests_family = {
    "posenc_http_requests", METRICS_COUNTER, NULL,
    "Requests that are over, by route, method and status; \"none\" is no answer, or no route."};
static const struct metrics_family durations_family = {
    "posenc_http_request_duration_seconds", METRICS_HISTOGRAM, "seconds",
    "From a request's head to the last byte of its answer."};
static const struct metrics_family sizes_family = {"posenc_http_response_size_bytes",
                                                   METRICS_HISTOGRAM, "bytes",
                                                   "Bytes of answers' bodies that were sent."};
static const struct metrics_family problems_family = {
    "posenc_http_problems", METRICS_COUNTER, NULL,
    "Requests answered with a problem, by the end of its type urn:posenc:problem:<reason>."};
static const struct metrics_family cuts_family = {
    "posenc_connections_cut", METRICS_COUNTER, NULL,
    "Connections that were cut for a deadline, to drain or to make room, by what they were doing."};
static const struct metrics_family log_drops_family = {
    "posenc_log_lines_dropped", METRICS_COUNTER, NULL,
    "Lines not logged: too many a second of one kind, or standard error slow or not writable."};
static const struct metrics_family build_family = {"posenc_build", METRICS_INFO, NULL,
                                                   "What runs here."};

static uint64_t count_at(const struct server *server, const void *of_first_shard)
{
    const char *const first = (const char *)server->metrics.shards;

    return metrics_sum(&server->metrics, (size_t)((const char *)of_first_shard - first));
}

static void write_route_requests(const struct server *server, struct metrics_text *text,
                                 size_t route)
{
    const struct metrics_shard *shard = server->metrics.shards;
    struct metrics_label labels[] = {
        {"route", metrics_route_name(&server->metrics, route)}, {"method", NULL}, {"status", NULL}};

    for (size_t method = 0; (labels[1].value = metrics_method_name(method)) != NULL; method++)
        for (size_t status = 0; (labels[2].value = metrics_status_name(status)) != NULL; status++) {
            const uint64_t count = count_at(server, &shard->requests[route][method][status]);

            if (count > 0)
                metrics_sample(text, labels, 3, (double)count);
        }
}

static void write_requests(const struct server *server, struct metrics_text *text)
{
    metrics_begin(text, &requests_family);
    for (size_t i = 0; metrics_route_name(&server->metrics, i); i++)
        write_route_requests(server, text, i);
}

/* Sums buckets that lie one behind the other; false when all are empty. */
static bool sum_buckets(const struct server *server, const metrics_counter *buckets, size_t count,
                        uint64_t *sums)
{
    uint64_t all = 0;

    for (size_t i = 0; i < count; i++) {
        sums[i] = count_at(server, &buckets[i]);
        all += sums[i];
    }
    return all > 0;
}

static void write_durations(const struct server *server, struct metrics_text *text)
{
    struct metrics_label label = {.name = "route"};

    metrics_begin(text, &durations_family);
    for (size_t i = 0; (label.value = metrics_route_name(&server->metrics, i)) != NULL; i++) {
        const struct metrics_durations *durations = &server->metrics.shards->durations[i];
        uint64_t sums[METRICS_DURATION_STEPS + 1];

        if (sum_buckets(server, durations->buckets, METRICS_DURATION_STEPS + 1, sums))
            metrics_histogram(text, &label, sums, METRICS_DURATION_STEPS, metrics_duration_bound,
                              (double)count_at(server, &durations->sum_us) / 1e6);
    }
}

static void write_sizes(const struct server *server, struct metrics_text *text)
{
    struct metrics_label label = {.name = "route"};

    metrics_begin(text, &sizes_family);
    for (size_t i = 0; (label.value = metrics_route_name(&server->metrics, i)) != NULL; i++) {
        const struct metrics_sizes *sizes = &server->metrics.shards->sizes[i];
        uint64_t sums[METRICS_SIZE_STEPS + 1];

        if (sum_buckets(server, sizes->buckets, METRICS_SIZE_STEPS + 1, sums))
            metrics_histogram(text, &label, sums, METRICS_SIZE_STEPS, metrics_size_bound,
                              (double)count_at(server, &sizes->sum_bytes));
    }
}

/* Every shard has its slugs in an order of its own. */
static uint64_t sum_reason(const struct metrics *metrics, const char *slug)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < metrics->shard_count; i++) {
        const struct metrics_reason *reasons = metrics->shards[i].reasons;

        for (size_t k = 0; k < METRICS_REASONS_MAX; k++) {
            const char *known = atomic_load_explicit(&reasons[k].slug, memory_order_acquire);

            if (!known)
                break;
            if (strcmp(known, slug) == 0)
                sum += atomic_load_explicit(&reasons[k].count, memory_order_relaxed);
        }
    }
    return sum;
}

/* Whether a shard before this one has the slug, which is then written already. */
static bool is_in_earlier_shard(const struct metrics *metrics, size_t shard, const char *slug)
{
    for (size_t i = 0; i < shard; i++)
        for (size_t k = 0; k < METRICS_REASONS_MAX; k++) {
            const char *known =
                atomic_load_explicit(&metrics->shards[i].reasons[k].slug, memory_order_acquire);

            if (!known)
                break;
            if (strcmp(known, slug) == 0)
                return true;
        }
    return false;
}

static void write_shard_problems(const struct metrics *metrics, struct metrics_text *text,
                                 size_t shard)
{
    for (size_t k = 0; k < METRICS_REASONS_MAX; k++) {
        const char *slug =
            atomic_load_explicit(&metrics->shards[shard].reasons[k].slug, memory_order_acquire);
        const struct metrics_label label = {"reason", slug};

        if (!slug)
            return;
        if (!is_in_earlier_shard(metrics, shard, slug))
            metrics_sample(text, &label, 1, (double)sum_reason(metrics, slug));
    }
}

static void write_problems(const struct server *server, struct metrics_text *text)
{
    const struct metrics_label other = {"reason", "other"};
    const uint64_t count =
        metrics_sum(&server->metrics, offsetof(struct metrics_shard, other_reasons));

    metrics_begin(text, &problems_family);
    for (size_t i = 0; i < server->metrics.shard_count; i++)
        write_shard_problems(&server->metrics, text, i);
    if (count > 0)
        metrics_sample(text, &other, 1, (double)count);
}

static void write_cuts(const struct server *server, struct metrics_text *text)
{
    static const char *const phases[PHASE_CUT] = {"head", "body", "computing", "sending", "idle"};

    metrics_begin(text, &cuts_family);
    for (size_t i = 0; i < PHASE_CUT; i++) {
        const struct metrics_label label = {"phase", phases[i]};

        metrics_sample(text, &label, 1, (double)count_at(server, &server->metrics.shards->cuts[i]));
    }
}

static void write_log_drops(const struct server *server, struct metrics_text *text)
{
    static const char *const reasons[LOG_DROPS] = {"served", "refused", "failed", "slow",
                                                   "unwritable"};

    metrics_begin(text, &log_drops_family);
    for (size_t i = 0; i < LOG_DROPS; i++) {
        const struct metrics_label label = {"reason", reasons[i]};

        metrics_sample(text, &label, 1, (double)atomic_load(&server->log_drops.counts[i]));
    }
}

static void write_build(struct metrics_text *text)
{
    char numeric_version[METRICS_INTEGER_MAX];
    const struct metrics_label labels[] = {
        {"version", POSENC_VERSION},        {"numeric_version", numeric_version},
        {"kernels", posenc_kernel_level()}, {"libmicrohttpd", MHD_get_version()},
        {"jansson", jansson_version_str()}, {"zlib", zlibVersion()}};

    (void)snprintf(numeric_version, sizeof(numeric_version), "%d", POSENC_NUMERIC_VERSION);
    metrics_begin(text, &build_family);
    metrics_sample(text, labels, sizeof(labels) / sizeof(labels[0]), 1.0);
}

void metrics_write_page(void *context, bool is_openmetrics, struct json_text *out)
{
    const struct server *server = context;
    struct metrics_text text = {.out = out, .is_openmetrics = is_openmetrics};
    const struct metrics_row *row;

    write_build(&text);
    write_requests(server, &text);
    write_durations(server, &text);
    write_sizes(server, &text);
    write_problems(server, &text);
    write_cuts(server, &text);
    write_log_drops(server, &text);
    for (size_t i = 0; (row = metrics_row_at(i)) != NULL; i++) {
        metrics_begin(&text, &row->family);
        metrics_sample(&text, NULL, 0, row->read(server));
    }
    metrics_end(&text);
}
