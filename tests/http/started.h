/* What a server says while it starts: its addresses, from its log in a file. */
#ifndef STARTED_H
#define STARTED_H

#include <stdbool.h>
#include <stddef.h>

/* A file without a name, for a log. */
int started_log(void);

/* Waits until the log contains the text. */
bool started_says(int log_fd, const char *text);

/* Writes the index-th address (from 0) that serves callers, or operators, as it stands in the log
 * of a server that has started: "127.0.0.1:40001". Fails the test when there is none. */
void started_address(int log_fd, bool is_operators, size_t index, char *address, size_t size);

#endif
