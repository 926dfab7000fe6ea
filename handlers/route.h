/* A route: methods and a path template, with the handler behind them. */
#ifndef POSENC_ROUTE_H
#define POSENC_ROUTE_H

#include "exchange.h"

#define ROUTE_VARIABLES_MAX 2
#define ROUTE_VARIABLE_SIZE 64 /* bytes of a path segment that fills a variable, with its end */

/* A route that a path matched. Variables are the segments that stood for {braces}, in order. */
struct route_match {
    const struct route *route;
    const struct route *routes; /* all that there are, ended by one without a path */
    char variables[ROUTE_VARIABLES_MAX][ROUTE_VARIABLE_SIZE];
};

enum {
    ROUTE_GET = 1, /* and HEAD */
    ROUTE_POST = 2,
};

/* Whom a route is for. */
enum route_audience {
    ROUTE_FOR_CALLERS,
    ROUTE_FOR_PROBES,    /* operators too; no token is asked for */
    ROUTE_FOR_ANYBODY,   /* callers; no token is asked for */
    ROUTE_FOR_OPERATORS, /* callers too, where there is no listener for operators */
};

/* What kind of body a POST has. */
enum route_body {
    ROUTE_BODY_PARAMETERS, /* an object of parameters, or tensors in a file's format */
    ROUTE_BODY_INFERENCE,  /* of the Open Inference Protocol */
};

struct route {
    unsigned methods;
    const char *path; /* template: "/v1/{encoding}" */
    /* Whether what the variables name exists, with the methods that it has; NULL: always, as
     * `methods` says. */
    bool (*find)(const struct route_match *match, unsigned *methods);
    void (*handle)(const struct service *service, const struct request *request,
                   const struct route_match *match, struct response *response);
    const char *summary;
    const char
        *example; /* what stands behind the address in an example to paste; for POST a body too */
    const char *example_body;
    enum route_audience audience;
    enum route_body body;
};

/* What a handler is declared and defined with. */
#define HANDLER(name)                                                                              \
    void name(const struct service *service, const struct request *request,                        \
              const struct route_match *match, struct response *response)

/* Whether the route is there for who sent the request. */
bool route_is_served(const struct service *service, const struct request *request,
                     const struct route *route);

/* Whether the path fits the route's template; its variables are then filled. */
bool route_fits(const struct route *route, const char *path, struct route_match *match);

#endif
