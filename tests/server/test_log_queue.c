#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "log_queue.h"

#define TEXT_MAX (4U << 20)

struct reading {
    int fd;
    char *text; /* of TEXT_MAX bytes */
    size_t size;
};

static void *read_all(void *context)
{
    struct reading *reading = context;
    ssize_t got;

    while ((got = read(reading->fd, reading->text + reading->size, TEXT_MAX - reading->size)) > 0)
        reading->size += (size_t)got;
    return NULL;
}

static struct reading start_reading(int fd, pthread_t *thread, struct reading *reading)
{
    *reading = (struct reading){.fd = fd, .text = calloc(1, TEXT_MAX + 1)};
    cr_assert(reading->text);
    cr_assert_eq(pthread_create(thread, NULL, read_all, reading), 0);
    return *reading;
}

struct writer {
    const struct log *log;
    int number;
};

static void *write_lines(void *context)
{
    const struct writer *writer = context;

    for (uint64_t i = 0; i < 1000; i++) {
        struct log_line line;

        log_begin(&line, writer->log, LOG_INFO, "m");
        log_add_number(&line, "writer", (uint64_t)writer->number);
        log_add_number(&line, "line", i);
        log_end(&line);
    }
    return NULL;
}

/* Lines of several threads arrive whole, and those of one thread in their order. */
Test(log_queue, keeps_lines_whole_and_in_order)
{
    struct log_drops drops = {0};
    struct log log = {.drops = &drops};
    struct reading reading;
    struct writer writers[3];
    pthread_t reader, threads[3];
    uint64_t next[3] = {0}, lines = 0;
    char *at, *end;
    int ends[2];

    cr_assert_eq(pipe(ends), 0);
    log.fd = ends[1];
    (void)start_reading(ends[0], &reader, &reading);
    log.queue = log_queue_start(&log);
    cr_assert(log.queue);
    for (int i = 0; i < 3; i++) {
        writers[i] = (struct writer){&log, i};
        cr_assert_eq(pthread_create(&threads[i], NULL, write_lines, &writers[i]), 0);
    }
    for (int i = 0; i < 3; i++)
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
    cr_assert(log_queue_close(log.queue, 20000));
    (void)close(ends[1]);
    cr_assert_eq(pthread_join(reader, NULL), 0);
    for (at = reading.text; *at; at = end + 1, lines++) {
        unsigned writer;
        unsigned long long line;

        end = strchr(at, '\n');
        cr_assert(end);
        cr_assert_eq(strncmp(at, "ts=", 3), 0, "%.80s", at);
        cr_assert_eq(sscanf(at, "ts=%*s level=info msg=m writer=%u line=%llu", &writer, &line), 2,
                     "%.80s", at);
        cr_assert_eq(line, next[writer]++);
    }
    cr_expect_eq(lines, 3000);
    cr_expect_eq(atomic_load(&drops.counts[LOG_DROP_SLOW]), 0);
    log_queue_free(log.queue);
    free(reading.text);
}

static void put_many(const struct log *log, unsigned count)
{
    char value[LOG_TEXT_MAX + 1];

    memset(value, 'x', LOG_TEXT_MAX);
    value[LOG_TEXT_MAX] = '\0';
    for (unsigned i = 0; i < count; i++)
        log_note(log, LOG_INFO, "m", "a", value);
}

Test(log_queue, never_waits_for_who_does_not_read_and_says_afterwards_what_is_missing)
{
    struct log_drops drops = {0};
    struct log log = {.drops = &drops};
    struct reading reading;
    pthread_t reader;
    uint64_t began, dropped, said = 0, lines = 0;
    int ends[2];

    cr_assert_eq(pipe(ends), 0);
    log.fd = ends[1];
    log.queue = log_queue_start(&log);
    cr_assert(log.queue);
    began = clock_ms();
    put_many(&log, 8000); /* more than 2 MB */
    cr_expect_lt(clock_ms() - began, 20000);
    dropped = atomic_load(&drops.counts[LOG_DROP_SLOW]);
    cr_expect_gt(dropped, 2000);
    cr_expect_lt(dropped, 6000);
    (void)start_reading(ends[0], &reader, &reading);
    cr_assert(log_queue_close(log.queue, 20000));
    (void)close(ends[1]);
    cr_assert_eq(pthread_join(reader, NULL), 0);
    for (const char *at = reading.text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    for (const char *at = reading.text; (at = strstr(at, "log lines dropped")) != NULL; at++) {
        unsigned long long count;

        cr_assert_eq(sscanf(at,
                            "log lines dropped\" reason=\"standard error is read too slowly\" "
                            "count=%llu\n",
                            &count),
                     1, "%.100s", at);
        said += count;
        lines--;
    }
    cr_expect_eq(said, dropped);
    cr_expect_eq(lines + dropped, 8000);
    log_queue_free(log.queue);
    free(reading.text);
}

Test(log_queue, gives_up_in_time_when_nobody_reads_at_the_end)
{
    struct log_drops drops = {0};
    struct log log = {.drops = &drops};
    uint64_t began;
    int ends[2];

    cr_assert_eq(pipe(ends), 0);
    log.fd = ends[1];
    log.queue = log_queue_start(&log);
    cr_assert(log.queue);
    put_many(&log, 2000);
    began = clock_ms();
    cr_expect_not(log_queue_close(log.queue, 100));
    cr_expect_geq(clock_ms() - began, 99);
    cr_expect_lt(clock_ms() - began, 20000);
}

/* A full disk, and a pipe whose reader has gone: lines are lost, counted, and nothing else. */
Test(log_queue, counts_what_cannot_be_written)
{
    const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    int ends[2], fds[2];

    cr_assert_geq(full, 0);
    cr_assert_eq(pipe(ends), 0);
    (void)close(ends[0]);
    (void)signal(SIGPIPE, SIG_IGN);
    fds[0] = full;
    fds[1] = ends[1];
    for (int i = 0; i < 2; i++) {
        struct log_drops drops = {0};
        struct log log = {.fd = fds[i], .drops = &drops};

        log.queue = log_queue_start(&log);
        cr_assert(log.queue);
        put_many(&log, 10);
        cr_expect(log_queue_close(log.queue, 20000));
        cr_expect_eq(atomic_load(&drops.counts[LOG_DROP_UNWRITABLE]), 10);
        put_many(&log, 1); /* too late */
        cr_expect_eq(atomic_load(&drops.counts[LOG_DROP_SLOW]), 1);
        cr_expect(log_queue_close(log.queue, 0));
        log_queue_free(log.queue);
    }
}

/* A shell may leave standard error non-blocking: then lines wait. */
Test(log_queue, waits_for_a_descriptor_that_does_not_block)
{
    struct log_drops drops = {0};
    struct log log = {.drops = &drops};
    struct reading reading;
    pthread_t reader;
    size_t lines = 0;
    int ends[2];

    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    log.fd = ends[1];
    log.queue = log_queue_start(&log);
    cr_assert(log.queue);
    put_many(&log, 1500);
    (void)start_reading(ends[0], &reader, &reading);
    cr_assert(log_queue_close(log.queue, 20000));
    (void)close(ends[1]);
    cr_assert_eq(pthread_join(reader, NULL), 0);
    for (const char *at = reading.text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    cr_expect_eq(lines, 1500);
    log_queue_free(log.queue);
    free(reading.text);
}
