#include "metrics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "router.h"

static const char *const metrics_methods[METRICS_METHODS] = {
    "GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "QUERY", "other"};

/* Often seen first, since it is searched from the front. */
static const struct {
    unsigned status;
    const char *name;
} metrics_statuses[METRICS_STATUSES] = {
    {200, "200"}, {304, "304"},   {206, "206"}, {422, "422"}, {400, "400"}, {404, "404"},
    {503, "503"}, {401, "401"},   {413, "413"}, {405, "405"}, {406, "406"}, {408, "408"},
    {415, "415"}, {416, "416"},   {403, "403"}, {204, "204"}, {429, "429"}, {431, "431"},
    {417, "417"}, {414, "414"},   {412, "412"}, {500, "500"}, {501, "501"}, {504, "504"},
    {505, "505"}, {507, "507"},   {201, "201"}, {499, "499"}, {409, "409"}, {421, "421"},
    {0, "none"},  {1000, "other"}};

/* Bounds are written so that OpenMetrics and the older format show the same label. */
static const struct {
    uint64_t most_us;
    const char *label; /* seconds */
} metrics_duration_steps[METRICS_DURATION_STEPS] = {
    {100, "0.0001"},    {250, "0.00025"},   {500, "0.0005"},   {1000, "0.001"},  {2500, "0.0025"},
    {5000, "0.005"},    {10000, "0.01"},    {25000, "0.025"},  {50000, "0.05"},  {100000, "0.1"},
    {250000, "0.25"},   {500000, "0.5"},    {1000000, "1.0"},  {2500000, "2.5"}, {5000000, "5.0"},
    {10000000, "10.0"}, {30000000, "30.0"}, {60000000, "60.0"}};

static const struct {
    uint64_t most_bytes;
    const char *label;
} metrics_size_steps[METRICS_SIZE_STEPS] = {{256, "256.0"},
                                            {1024, "1024.0"},
                                            {4096, "4096.0"},
                                            {16384, "16384.0"},
                                            {65536, "65536.0"},
                                            {262144, "262144.0"},
                                            {1048576, "1048576.0"},
                                            {4194304, "4194304.0"},
                                            {16777216, "16777216.0"},
                                            {67108864, "67108864.0"},
                                            {268435456, "268435456.0"},
                                            {1073741824, "1073741824.0"},
                                            {4294967296, "4294967296.0"},
                                            {17179869184, "17179869184.0"}};

bool metrics_init(struct metrics *metrics, size_t shards)
{
    const struct route *route;
    struct timespec now;

    memset(metrics, 0, sizeof(*metrics));
    metrics->shards = calloc(shards, sizeof(*metrics->shards));
    if (!metrics->shards)
        return false;
    metrics->shard_count = shards;
    for (size_t i = 0; (route = route_at(i)) != NULL && i < METRICS_ROUTES_MAX - 2; i++)
        metrics->routes[metrics->route_count++] = route->path;
    (void)clock_gettime(CLOCK_REALTIME, &now); /* cannot fail for this clock */
    metrics->started_us = (uint64_t)now.tv_sec * 1000000U + (uint64_t)now.tv_nsec / 1000U;
    return true;
}

void metrics_release(struct metrics *metrics)
{
    free(metrics->shards);
    metrics->shards = NULL;
    metrics->shard_count = 0;
}

struct metrics_shard *metrics_claim(struct metrics *metrics)
{
    const size_t index = atomic_fetch_add(&metrics->claimed, 1);

    assert(index < metrics->shard_count);
    return &metrics->shards[index];
}

/* Requests that the gate refused have no route; those that no route took count as one. */
static size_t metrics_route_index(const struct metrics *metrics, const char *route)
{
    size_t i = 0;

    if (!route)
        return metrics->route_count + 1;
    while (i < metrics->route_count && metrics->routes[i] != route)
        i++;
    return i;
}

static size_t metrics_method_index(const char *method)
{
    size_t i = 0;

    while (i < METRICS_METHODS - 1 && strcmp(method, metrics_methods[i]) != 0)
        i++;
    return i;
}

static size_t metrics_status_index(unsigned status)
{
    size_t i = 0;

    while (i < METRICS_STATUSES - 1 && metrics_statuses[i].status != status)
        i++;
    return i;
}

static void metrics_note_duration(struct metrics_durations *durations, uint64_t duration_us)
{
    size_t i = 0;

    while (i < METRICS_DURATION_STEPS && duration_us > metrics_duration_steps[i].most_us)
        i++;
    metrics_add(&durations->buckets[i], 1);
    metrics_add(&durations->sum_us, duration_us);
}

static void metrics_note_size(struct metrics_sizes *sizes, uint64_t bytes)
{
    size_t i = 0;

    while (i < METRICS_SIZE_STEPS && bytes > metrics_size_steps[i].most_bytes)
        i++;
    metrics_add(&sizes->buckets[i], 1);
    metrics_add(&sizes->sum_bytes, bytes);
}

static void metrics_note_reason(struct metrics_shard *shard, const char *slug)
{
    for (size_t i = 0; i < METRICS_REASONS_MAX; i++) {
        struct metrics_reason *reason = &shard->reasons[i];
        const char *known = atomic_load_explicit(&reason->slug, memory_order_relaxed);

        if (!known)
            atomic_store_explicit(&reason->slug, slug, memory_order_release);
        else if (strcmp(known, slug) != 0)
            continue;
        metrics_add(&reason->count, 1);
        return;
    }
    metrics_add(&shard->other_reasons, 1);
}

void metrics_note_request(const struct metrics *metrics, struct metrics_shard *shard,
                          const struct metrics_request *request)
{
    const size_t route = metrics_route_index(metrics, request->route);
    const size_t method = metrics_method_index(request->method);
    const size_t status = metrics_status_index(request->status);

    metrics_add(&shard->requests[route][method][status], 1);
    metrics_note_duration(&shard->durations[route], request->duration_us);
    metrics_note_size(&shard->sizes[route], request->sent_bytes);
    metrics_add(&shard->received_bytes, request->received_bytes);
    metrics_add(&shard->sent_bytes, request->sent_bytes);
    if (request->problem)
        metrics_note_reason(shard, request->problem);
}

uint64_t metrics_sum(const struct metrics *metrics, size_t offset)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < metrics->shard_count; i++) {
        const char *shard = (const char *)&metrics->shards[i];

        sum += atomic_load_explicit((const metrics_counter *)(const void *)(shard + offset),
                                    memory_order_relaxed);
    }
    return sum;
}

const char *metrics_route_name(const struct metrics *metrics, size_t index)
{
    if (index < metrics->route_count)
        return metrics->routes[index];
    if (index == metrics->route_count)
        return "unmatched";
    return index == metrics->route_count + 1 ? "none" : NULL;
}

const char *metrics_method_name(size_t index)
{
    return index < METRICS_METHODS ? metrics_methods[index] : NULL;
}

const char *metrics_status_name(size_t index)
{
    return index < METRICS_STATUSES ? metrics_statuses[index].name : NULL;
}

const char *metrics_duration_bound(size_t index)
{
    return index < METRICS_DURATION_STEPS ? metrics_duration_steps[index].label : NULL;
}

const char *metrics_size_bound(size_t index)
{
    return index < METRICS_SIZE_STEPS ? metrics_size_steps[index].label : NULL;
}
