/* Counting: what goes into which counter, and what a page says of it. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "metrics_page.h"
#include "router.h"
#include "server.h"

#define SHARDS 3

static struct server *new_server(void)
{
    struct server *server = calloc(1, sizeof(*server));

    cr_assert(server);
    cr_assert(metrics_init(&server->metrics, SHARDS));
    return server;
}

static void free_server(struct server *server)
{
    metrics_release(&server->metrics);
    free(server);
}

/* The page as a text. */
static char *page(struct server *server, bool is_openmetrics)
{
    struct json_text text = {0};
    char *copy;

    metrics_write_page(server, is_openmetrics, &text);
    cr_assert_not(text.failed);
    copy = strndup(text.bytes, text.length);
    cr_assert(copy);
    json_text_release(&text);
    return copy;
}

static void expect_lines(struct server *server, bool is_openmetrics, const char *const *lines,
                         size_t count)
{
    char *text = page(server, is_openmetrics);

    for (size_t i = 0; i < count; i++)
        cr_expect(strstr(text, lines[i]), "%s is not in\n%s", lines[i], text);
    free(text);
}

static const char *a_route(size_t index)
{
    return route_at(index)->path;
}

Test(metrics, sums_what_all_shards_counted)
{
    struct server *server = new_server();
    struct metrics_request request = {.route = a_route(1),
                                      .method = "GET",
                                      .status = 200,
                                      .duration_us = 1000,
                                      .received_bytes = 5,
                                      .sent_bytes = 256};
    const char *const lines[] = {
        "\nposenc_http_requests_total{route=\"/v1/encodings\",method=\"GET\",status=\"200\"} 3\n",
        /* 1000 us lie in the bucket that ends there. */
        "_duration_seconds_bucket{route=\"/v1/encodings\",le=\"0.0005\"} 0\n",
        "_duration_seconds_bucket{route=\"/v1/encodings\",le=\"0.001\"} 3\n",
        "_duration_seconds_bucket{route=\"/v1/encodings\",le=\"+Inf\"} 3\n",
        "_duration_seconds_sum{route=\"/v1/encodings\"} 0.003000\n",
        "_duration_seconds_count{route=\"/v1/encodings\"} 3\n",
        "_size_bytes_bucket{route=\"/v1/encodings\",le=\"256.0\"} 3\n",
        "_size_bytes_sum{route=\"/v1/encodings\"} 768\n",
        "\nposenc_http_received_body_bytes_total 15\n",
        "\nposenc_http_sent_body_bytes_total 768\n",
    };

    for (int i = 0; i < SHARDS; i++)
        metrics_note_request(&server->metrics, metrics_claim(&server->metrics), &request);
    expect_lines(server, false, lines, sizeof(lines) / sizeof(lines[0]));
    expect_lines(server, true, lines, sizeof(lines) / sizeof(lines[0]));
    free_server(server);
}

Test(metrics, bounds_every_label_whatever_is_asked)
{
    struct server *server = new_server();
    struct metrics_shard *shard = metrics_claim(&server->metrics);
    const char *const lines[] = {
        "{route=\"unmatched\",method=\"other\",status=\"other\"} 1\n",
        "{route=\"none\",method=\"POST\",status=\"none\"} 1\n",
        "_duration_seconds_bucket{route=\"none\",le=\"60.0\"} 0\n",
        "_duration_seconds_bucket{route=\"none\",le=\"+Inf\"} 1\n",
        "_size_bytes_bucket{route=\"none\",le=\"17179869184.0\"} 0\n",
        "_size_bytes_bucket{route=\"none\",le=\"+Inf\"} 1\n",
    };

    metrics_note_request(
        &server->metrics, shard,
        &(struct metrics_request){.route = "/not/a/route", .method = "BREW", .status = 299});
    metrics_note_request(&server->metrics, shard,
                         &(struct metrics_request){.method = "POST",
                                                   .duration_us = UINT64_C(60000001),
                                                   .sent_bytes = UINT64_C(17179869185)});
    expect_lines(server, true, lines, sizeof(lines) / sizeof(lines[0]));
    free_server(server);
}

Test(metrics, names_each_reason_once_though_shards_met_them_in_other_orders)
{
    struct server *server = new_server();
    struct metrics_shard *first = metrics_claim(&server->metrics),
                         *second = metrics_claim(&server->metrics);
    struct metrics_request request = {.method = "GET", .status = 400};
    static const char *const slugs[] = {"a", "b", "b", "c"};
    static char copies[4][2]; /* known by their texts, not by their addresses */
    char *text, *at;

    for (size_t i = 0; i < 4; i++) {
        copies[i][0] = slugs[i][0];
        request.problem = copies[i];
        metrics_note_request(&server->metrics, i % 2 ? second : first, &request);
        request.problem = slugs[3 - i];
        metrics_note_request(&server->metrics, i % 2 ? first : second, &request);
    }
    text = page(server, false);
    cr_expect(strstr(text, "\nposenc_http_problems_total{reason=\"a\"} 2\n"), "%s", text);
    cr_expect(strstr(text, "\nposenc_http_problems_total{reason=\"b\"} 4\n"), "%s", text);
    cr_expect(strstr(text, "\nposenc_http_problems_total{reason=\"c\"} 2\n"), "%s", text);
    at = strstr(text, "{reason=\"b\"}");
    cr_expect_not(strstr(at + 1, "{reason=\"b\"}"));
    cr_expect_not(strstr(text, "reason=\"other\""));
    free(text);
    free_server(server);
}

Test(metrics, counts_reasons_beyond_its_room_as_other)
{
    static char slugs[METRICS_REASONS_MAX + 5][8];
    struct server *server = new_server();
    struct metrics_shard *shard = metrics_claim(&server->metrics);
    const char *const lines[] = {"{reason=\"s0\"} 1\n", "{reason=\"other\"} 5\n"};

    for (size_t i = 0; i < METRICS_REASONS_MAX + 5; i++) {
        (void)snprintf(slugs[i], sizeof(slugs[i]), "s%zu", i);
        metrics_note_request(&server->metrics, shard,
                             &(struct metrics_request){.method = "GET", .problem = slugs[i]});
    }
    expect_lines(server, true, lines, 2);
    free_server(server);
}

/* Every label that exists, in both formats, is one that parsers take. */
Test(metrics, has_a_name_for_every_index)
{
    struct server *server = new_server();
    size_t routes = 0, methods = 0, statuses = 0;

    while (route_at(routes))
        routes++;
    cr_expect_str_eq(metrics_route_name(&server->metrics, routes), "unmatched");
    cr_expect_str_eq(metrics_route_name(&server->metrics, routes + 1), "none");
    cr_expect_null(metrics_route_name(&server->metrics, routes + 2));
    for (; metrics_method_name(methods); methods++)
        cr_expect(*metrics_method_name(methods));
    for (; statuses < METRICS_STATUSES; statuses++)
        cr_assert(metrics_status_name(statuses), "%zu has no name", statuses);
    cr_expect_eq(methods, METRICS_METHODS);
    cr_expect_null(metrics_status_name(METRICS_STATUSES));
    cr_expect_null(metrics_duration_bound(METRICS_DURATION_STEPS));
    cr_expect_null(metrics_size_bound(METRICS_SIZE_STEPS));
    free_server(server);
}

Test(metrics, has_bounds_that_rise_and_say_what_is_compared)
{
    double before = 0.0;

    for (size_t i = 0; metrics_duration_bound(i); i++) {
        const double bound = strtod(metrics_duration_bound(i), NULL);
        struct server *server = new_server();
        struct metrics_shard *shard = metrics_claim(&server->metrics);
        struct metrics_request request = {.method = "GET",
                                          .duration_us = (uint64_t)(bound * 1e6 + 0.5)};
        const struct metrics_durations *none = &shard->durations[server->metrics.route_count + 1];

        metrics_note_request(&server->metrics, shard, &request);
        cr_expect_eq(atomic_load(&none->buckets[i]), 1, "%g", bound);
        request.duration_us++;
        metrics_note_request(&server->metrics, shard, &request);
        cr_expect_eq(atomic_load(&none->buckets[i + 1]), 1, "%g", bound);
        cr_expect_gt(bound, before);
        before = bound;
        free_server(server);
    }
}

static void *count_many(void *context)
{
    struct metrics *metrics = context;
    struct metrics_shard *shard = metrics_claim(metrics);

    for (int i = 0; i < 100000; i++)
        metrics_note_request(
            metrics, shard,
            &(struct metrics_request){.route = a_route(0), .method = "GET", .status = 200});
    return NULL;
}

Test(metrics, loses_nothing_while_it_is_read)
{
    struct server *server = new_server();
    pthread_t threads[SHARDS];
    const char *const lines[] = {"{route=\"/\",method=\"GET\",status=\"200\"} 300000\n"};

    for (int i = 0; i < SHARDS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, count_many, &server->metrics), 0);
    for (int i = 0; i < 20; i++)
        free(page(server, i % 2));
    for (int i = 0; i < SHARDS; i++)
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
    expect_lines(server, false, lines, 1);
    free_server(server);
}
