/* GET /metrics: the page comes from the server; here its format is agreed on. */
#include "document.h"
#include "exchange_memory.h"
#include "handlers.h"
#include "negotiate.h"

enum { TEXT, OPENMETRICS };

/* Scrapers that take neither get the older one, as everywhere. */
static bool wants_openmetrics(const struct request *request)
{
    static const char *const offered[] = {"text/plain", "application/openmetrics-text"};

    return negotiate(request, offered, 2) == OPENMETRICS;
}

HANDLER(handle_metrics)
{
    const bool is_openmetrics = wants_openmetrics(request);

    (void)match;
    (void)response_add_header(response, "Cache-Control", "no-store"); /* the first has room */
    if (!service->write_metrics) {
        respond_problem(request, 404, "not-found", "This server keeps no metrics.", 0, response);
        return;
    }
    (void)response_add_header(response, "Vary", "Accept");
    service->write_metrics(service->context, is_openmetrics,
                           &((struct exchange *)response->exchange)->text);
    respond_document(request, 200,
                     is_openmetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                    : "text/plain; version=0.0.4; charset=utf-8",
                     response);
}
