/*
 * Reading what the operator keeps in files: at start, and again whenever SIGHUP comes, in a thread
 * of its own, so that a slow disk keeps nobody waiting.
 */
#ifndef RELOADER_H
#define RELOADER_H

#include <stdbool.h>

#include "server.h"
#include "table_store.h"

#define RELOADER_PROBLEM_MAX (TABLES_PROBLEM_MAX + 512) /* bytes of a line, with its end */

/* Reads everything that the settings name, before threads run. False: problem says which setting
 * cannot be followed and why, on one line. */
bool reloader_read(struct server *server, char problem[RELOADER_PROBLEM_MAX]);

/*
 * From now on SIGHUP reads it all again; what cannot be read stays as it was, and the log says why.
 * To be called before other threads start, which then inherit that the signal is blocked. The
 * thread runs until the process ends. False, with errno, when the system refuses.
 */
bool reloader_start(struct server *server);

/*
 * Nothing is read any more from now on: to be called before the process ends and takes the
 * libraries down that reading uses. False when a reading is under way and does not end within a
 * second.
 */
bool reloader_stop(struct server *server);

#endif
