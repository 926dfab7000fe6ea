#include "metrics_rows.h"

#include "process_stats.h"
#include "server.h"

static double sum(const struct server *server, size_t offset)
{
    return (double)metrics_sum(&server->metrics, offset);
}

static double read_requests(const struct server *server)
{
    return (double)atomic_load(&server->requests);
}

static double read_connections(const struct server *server)
{
    return (double)atomic_load(&server->connections);
}

static double read_connections_max(const struct server *server)
{
    return (double)server->settings.connections_max;
}

static double read_accepted(const struct server *server)
{
    return sum(server, offsetof(struct metrics_shard, connections));
}

static double read_received(const struct server *server)
{
    return sum(server, offsetof(struct metrics_shard, received_bytes));
}

static double read_sent(const struct server *server)
{
    return sum(server, offsetof(struct metrics_shard, sent_bytes));
}

static double read_memory(const struct server *server)
{
    return (double)atomic_load(&server->budget.used);
}

static double read_memory_max(const struct server *server)
{
    return (double)server->budget.limit;
}

static double read_running(const struct server *server)
{
    return (double)pool_load(&server->answers).running;
}

static double read_queued(const struct server *server)
{
    return (double)pool_load(&server->answers).queued;
}

static double read_brief(const struct server *server)
{
    const struct pool_load load = pool_load(&server->brief);

    return (double)(load.running + load.queued);
}

static double read_draining(const struct server *server)
{
    return atomic_load(&server->is_draining) ? 1.0 : 0.0;
}

static double read_stale(const struct server *server)
{
    return atomic_load(&server->has_stale_files) ? 1.0 : 0.0;
}

static double read_confined(const struct server *server)
{
    return server->is_confined ? 1.0 : 0.0;
}

static double read_cpu(const struct server *server)
{
    (void)server;
    return process_cpu_seconds();
}

static double read_resident(const struct server *server)
{
    (void)server;
    return process_resident_bytes();
}

static double read_virtual(const struct server *server)
{
    (void)server;
    return process_virtual_bytes();
}

static double read_open_fds(const struct server *server)
{
    (void)server;
    return process_open_fds();
}

static double read_max_fds(const struct server *server)
{
    (void)server;
    return process_max_fds();
}

static double read_started(const struct server *server)
{
    return (double)server->metrics.started_us / 1e6;
}

static const struct metrics_row metrics_rows[] = {
    {{"posenc_http_requests_in_flight", METRICS_GAUGE, NULL,
      "Requests whose head has arrived and whose answer has not been sent yet."},
     read_requests},
    {{"posenc_connections", METRICS_GAUGE, NULL, "Open connections."}, read_connections},
    {{"posenc_connections_max", METRICS_GAUGE, NULL, "Connections that are served at one time."},
     read_connections_max},
    {{"posenc_connections_accepted", METRICS_COUNTER, NULL, "Connections taken in."},
     read_accepted},
    {{"posenc_http_received_body_bytes", METRICS_COUNTER, "bytes",
      "Bytes of requests' bodies that arrived, also those that were dropped."},
     read_received},
    {{"posenc_http_sent_body_bytes", METRICS_COUNTER, "bytes",
      "Bytes of answers' bodies that were handed to the socket."},
     read_sent},
    {{"posenc_memory_bytes", METRICS_GAUGE, "bytes",
      "Bytes that requests make the server hold: bodies, plans, parts of answers."},
     read_memory},
    {{"posenc_memory_max_bytes", METRICS_GAUGE, "bytes",
      "Bytes that requests may make the server hold at one time."},
     read_memory_max},
    {{"posenc_computations_running", METRICS_GAUGE, NULL, "Requests that workers compute."},
     read_running},
    {{"posenc_computations_queued", METRICS_GAUGE, NULL, "Requests that wait for a worker."},
     read_queued},
    {{"posenc_blocks", METRICS_GAUGE, NULL,
      "Blocks of answers, and short computations, that workers make, or soon will."},
     read_brief},
    {{"posenc_draining", METRICS_GAUGE, NULL, "1 while the server drains before its end, else 0."},
     read_draining},
    {{"posenc_files_stale", METRICS_GAUGE, NULL,
      "1 while files of the operator are older than those that the last SIGHUP could not read."},
     read_stale},
    {{"posenc_sandboxed", METRICS_GAUGE, NULL,
      "1 while the process is kept from calls to the kernel that serving does not need."},
     read_confined},
    {{"process_cpu_seconds", METRICS_COUNTER, "seconds", "User and system time spent."}, read_cpu},
    {{"process_resident_memory_bytes", METRICS_GAUGE, "bytes", "Memory held by the process."},
     read_resident},
    {{"process_virtual_memory_bytes", METRICS_GAUGE, "bytes", "Address space of the process."},
     read_virtual},
    {{"process_open_fds", METRICS_GAUGE, NULL, "Open file descriptors."}, read_open_fds},
    {{"process_max_fds", METRICS_GAUGE, NULL, "File descriptors that may be open."}, read_max_fds},
    {{"process_start_time_seconds", METRICS_GAUGE, "seconds",
      "When the process started, in seconds since 1970."},
     read_started},
};

const struct metrics_row *metrics_row_at(size_t index)
{
    return index < sizeof(metrics_rows) / sizeof(metrics_rows[0]) ? &metrics_rows[index] : NULL;
}
