/* The table of routes: handle_request() and its siblings in exchange.h answer by it. */
#ifndef POSENC_ROUTER_H
#define POSENC_ROUTER_H

#include "route.h"

/* Routes in the order in which the index lists them; NULL past the last. */
const struct route *route_at(size_t index);

#endif
