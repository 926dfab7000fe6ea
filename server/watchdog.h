/*
 * Deadlines of connections. The library's own time-out starts again with every byte, so a client
 * that dribbles lives for ever; here each phase has a deadline that bytes alone do not move. A loop
 * sweeps its own connections, and cuts one by shutting its socket down: the library then sees an
 * end of stream and cleans up as it always does.
 */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "connection.h"

/* A body may take a second longer for each 64 KiB that have arrived. */
#define WATCHDOG_BODY_BYTES_PER_SECOND 65536U

/* Between two looks whether a client that owes us something has ended its side. */
#define WATCHDOG_LOOK_MS 1000U

/* Heads that are on their way when draining begins still get this long. */
#define WATCHDOG_DRAIN_HEAD_MS 1000U

/* The connection is in this phase from now on. */
void watchdog_enter(struct connection *connection, enum phase phase, uint64_t now_ms);

/* Bytes of the body have arrived, `received` in all. */
void watchdog_feed(struct connection *connection, uint64_t received, uint64_t started_ms);

/* Ends the connection without a word: the library will see the end of its stream. */
void watchdog_shut(struct connection *connection);

/* Cuts what is late, and while draining what is idle. */
void watchdog_sweep(struct loop *loop, uint64_t now_ms);

/* Cuts the connection that has been idle longest, to make room; false when none is idle. */
bool watchdog_cut_idle(struct loop *loop);

#endif
