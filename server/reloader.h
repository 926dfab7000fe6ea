/*
 * Reading the operator's tables: at start, and again whenever SIGHUP comes, in a thread of its own,
 * so that a slow disk keeps nobody waiting.
 */
#ifndef RELOADER_H
#define RELOADER_H

#include <stdbool.h>

#include "server.h"
#include "table_store.h"

/* Reads all files and puts them in the place of those that the service has; says so in the log.
 * False, and these left as they are: problem says why, on one line. */
bool reloader_read(struct server *server, char problem[TABLES_PROBLEM_MAX]);

/*
 * From now on SIGHUP reads tables, which it must have been possible to read once. To be called
 * before other threads start, which then inherit that the signal is blocked. The thread runs until
 * the process ends. False, with errno, when the system refuses.
 */
bool reloader_start(struct server *server);

#endif
