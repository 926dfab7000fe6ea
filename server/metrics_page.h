/* The page that a scrape gets: sums of all shards, the rows, and what was built. */
#ifndef METRICS_PAGE_H
#define METRICS_PAGE_H

#include <stdbool.h>

#include "json_text.h"

/* As struct service asks for it; context is the server. Called by any thread. */
void metrics_write_page(void *context, bool is_openmetrics, struct json_text *text);

#endif
