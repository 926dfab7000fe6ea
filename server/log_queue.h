/*
 * Lines on their way to standard error. A pipe that nobody reads, a stopped terminal or a slow disk
 * blocks whoever writes, so a thread of its own does, from a ring of bounded size: the threads that
 * serve only copy. What finds no room, or cannot be written, is dropped and counted, and said once
 * a second as long as more is dropped.
 */
#ifndef LOG_QUEUE_H
#define LOG_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log.h"

#define LOG_QUEUE_BYTES    1048576 /* of lines that wait */
#define LOG_QUEUE_CLOSE_MS 1000    /* for what waits, at the end */

struct log_queue;

/*
 * Starts the thread; lines go to log->fd. The log's format and level are those of what the queue
 * says itself; log->drops counts. NULL, with errno, when the system refuses.
 */
struct log_queue *log_queue_start(const struct log *log);

/* Takes a line, or drops it. Never waits for the descriptor. Thread-safe. */
void log_queue_put(struct log_queue *queue, const char *line, size_t size);

/* Tells the thread that there is something to say of log->drops. */
void log_queue_wake(struct log_queue *queue);

/*
 * Writes what waits, for timeout_ms at most, and ends the thread; lines that come later are
 * dropped. False when that took longer: the thread then hangs in a write, and the process should
 * end. NULL is fine, and a second call too.
 */
bool log_queue_close(struct log_queue *queue, unsigned timeout_ms);

/* Frees a queue that log_queue_close() has ended, when no other thread knows it any more. */
void log_queue_free(struct log_queue *queue);

#endif
