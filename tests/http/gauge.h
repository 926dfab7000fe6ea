/* Numbers of a running server's /metrics, to wait for what a client cannot see: that a request has
 * been read, that a worker has it, that a connection has been given back. */
#ifndef GAUGE_H
#define GAUGE_H

#include <stdbool.h>

#include "posencd.h"

/* Asks on a fresh connection each time until the number lies in that range; false when it does not
 * in 20 s. The name is the beginning of the line on the page, labels included. */
bool gauge_comes_to(const struct posencd *server, const char *name, double least, double most);

/* The same without an upper end. */
bool gauge_reaches(const struct posencd *server, const char *name, double least);

#endif
