/* The routing table, and what it alone decides: 404, 405 with Allow, HEAD, OPTIONS, body size and
 * type. */
#include "router.h"

#include <stdio.h>
#include <string.h>

#include "body_coding.h"
#include "body_type.h"
#include "exchange_memory.h"
#include "handlers.h"
#include "inference_body.h"
#include "problem.h"
#include "refusal.h"
#include "respond.h"

/* What a byte of a body takes to read, as it was measured; of binary bodies less than one. */
#define TEXT_BYTE_NS   5
#define PACKED_BYTE_NS 25

#define DIGITS_OF(number)  DIGITS_OF_(number)
#define DIGITS_OF_(number) #number
#define NUMERIC_VERSION    DIGITS_OF(POSENC_NUMERIC_VERSION)

#define INFERENCE_EXAMPLE                                                                          \
    "{\"parameters\": {\"layout\": \"half\", \"offset\": 3}, \"inputs\": [{\"name\": \"x\", "      \
    "\"datatype\": \"FP32\", \"shape\": [1, 4], \"data\": [1, 2, 3, 4]}]}"

/* Ended by a route without a path. */
static const struct route routes[] = {
    {ROUTE_GET, "/", NULL, handle_index, "this list; for a browser, a page that explores it all",
     "/", NULL, ROUTE_FOR_CALLERS, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/v1/encodings", NULL, handle_catalogue,
     "every encoding with its operations, parameters, tensors and presets", "/v1/encodings", NULL,
     ROUTE_FOR_CALLERS, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/v1/encodings/{encoding}", find_catalogue_entry, handle_catalogue_entry,
     "one encoding of the catalogue", "/v1/encodings/rope", NULL, ROUTE_FOR_CALLERS,
     ROUTE_BODY_PARAMETERS},
    {ROUTE_POST, "/v1/resolve", NULL, handle_resolve,
     "which encoding each layer of a model uses, from its config.json", "/v1/resolve",
     "{\"model_type\": \"llama\", \"hidden_size\": 4096, \"num_attention_heads\": 32, "
     "\"num_hidden_layers\": 32, \"rope_theta\": 500000}",
     ROUTE_FOR_CALLERS, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/v1/models", NULL, handle_models, "the built-in models", "/v1/models", NULL,
     ROUTE_FOR_CALLERS, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/v1/models/{model}", NULL, handle_model, "one built-in model, resolved",
     "/v1/models/llama-3.1-8b", NULL, ROUTE_FOR_CALLERS, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/v1/tables", NULL, handle_tables,
     "the operator's files of learned tables, which table_file names", "/v1/tables", NULL,
     ROUTE_FOR_CALLERS, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET | ROUTE_POST, "/v1/analysis/{quantity}", find_quantity, handle_quantity,
     "a quantity of an encoding: wavelengths, similarity, decay, shift, precision and others",
     "/v1/analysis/wavelengths?encoding=sinusoidal&dim=8", NULL, ROUTE_FOR_CALLERS,
     ROUTE_BODY_PARAMETERS},
    {ROUTE_GET | ROUTE_POST, "/v1/{encoding}", find_encoding, handle_encoding,
     "the tables or biases of an encoding", "/v1/sinusoidal?length=4&dim=8&pretty=true", NULL,
     ROUTE_FOR_CALLERS, ROUTE_BODY_PARAMETERS},
    {ROUTE_POST, "/v1/{encoding}/{operation}", find_encoding_operation, handle_encoding_operation,
     "another operation of an encoding: apply adds it to, or rotates, the tensors that you send",
     "/v1/rope/apply", "{\"layout\": \"half\", \"offset\": 3, \"x\": [[1, 2, 3, 4]]}",
     ROUTE_FOR_CALLERS, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/openapi.json", NULL, handle_openapi, "all of this as OpenAPI 3.1",
     "/openapi.json", NULL, ROUTE_FOR_CALLERS, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/explorer/{file}", find_explorer_file, handle_explorer_file,
     "what the page for a browser consists of", "/explorer/explorer.js", NULL, ROUTE_FOR_ANYBODY,
     ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/livez", NULL, handle_livez, "200 while the process answers", "/livez", NULL,
     ROUTE_FOR_PROBES, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/readyz", NULL, handle_readyz,
     "200 while new requests are welcome, 503 while draining; ?verbose says what it looked at",
     "/readyz", NULL, ROUTE_FOR_PROBES, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/metrics", NULL, handle_metrics,
     "counters and gauges for Prometheus, as its text format or as OpenMetrics", "/metrics", NULL,
     ROUTE_FOR_OPERATORS, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/version", NULL, handle_version, "version and numeric version", "/version", NULL,
     ROUTE_FOR_CALLERS, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/v2", NULL, handle_inference_server,
     "name, version and extensions, as the Open Inference Protocol tells them", "/v2", NULL,
     ROUTE_FOR_CALLERS, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/v2/health/live", NULL, handle_inference_live, "200 while the process answers",
     "/v2/health/live", NULL, ROUTE_FOR_PROBES, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/v2/health/ready", NULL, handle_inference_ready,
     "200 while new requests are welcome, 503 while draining", "/v2/health/ready", NULL,
     ROUTE_FOR_PROBES, ROUTE_BODY_PARAMETERS},
    {ROUTE_POST, "/v2/repository/index", NULL, handle_inference_index, "all models",
     "/v2/repository/index", "{}", ROUTE_FOR_CALLERS, ROUTE_BODY_INFERENCE},
    {ROUTE_GET, "/v2/models/{model}", find_inference_model, handle_inference_model,
     "a model's inputs and outputs; each operation under /v1 is a model, with dots for slashes",
     "/v2/models/rope.apply", NULL, ROUTE_FOR_CALLERS, ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/v2/models/{model}/ready", find_inference_model, handle_inference_model_ready,
     "200 while the model's requests are welcome, 503 while draining",
     "/v2/models/sinusoidal/ready", NULL, ROUTE_FOR_CALLERS, ROUTE_BODY_PARAMETERS},
    {ROUTE_POST, "/v2/models/{model}/infer", find_inference_model, handle_infer,
     "a model's outputs, in JSON or as bytes behind it", "/v2/models/rope.apply/infer",
     INFERENCE_EXAMPLE, ROUTE_FOR_CALLERS, ROUTE_BODY_INFERENCE},
    {ROUTE_GET, "/v2/models/{model}/versions/{version}", find_inference_model,
     handle_inference_model, "the same; the version is the numeric version",
     "/v2/models/rope.apply/versions/" NUMERIC_VERSION, NULL, ROUTE_FOR_CALLERS,
     ROUTE_BODY_PARAMETERS},
    {ROUTE_GET, "/v2/models/{model}/versions/{version}/ready", find_inference_model,
     handle_inference_model_ready, "the same of a version",
     "/v2/models/sinusoidal/versions/" NUMERIC_VERSION "/ready", NULL, ROUTE_FOR_CALLERS,
     ROUTE_BODY_PARAMETERS},
    {ROUTE_POST, "/v2/models/{model}/versions/{version}/infer", find_inference_model, handle_infer,
     "the same of a version", "/v2/models/rope.apply/versions/" NUMERIC_VERSION "/infer",
     INFERENCE_EXAMPLE, ROUTE_FOR_CALLERS, ROUTE_BODY_INFERENCE},
    {.path = NULL},
};

#define ROUTES (sizeof(routes) / sizeof(*routes) - 1)

const struct route *route_at(size_t index)
{
    return index < ROUTES ? &routes[index] : NULL;
}

static bool find_route(const struct service *service, const struct request *request,
                       struct route_match *match, unsigned *methods)
{
    for (size_t i = 0; i < ROUTES; i++) {
        if (!route_is_served(service, request, &routes[i]) ||
            !route_fits(&routes[i], request->path, match))
            continue;
        match->routes = routes;
        *methods = routes[i].methods;
        return !routes[i].find || routes[i].find(match, methods);
    }
    match->route = NULL;
    return false;
}

bool request_is_open(const struct request *request)
{
    struct route_match match;

    for (size_t i = 0; i < ROUTES; i++)
        if (routes[i].audience == ROUTE_FOR_PROBES || routes[i].audience == ROUTE_FOR_ANYBODY)
            if (route_fits(&routes[i], request->path, &match))
                return true;
    return strcmp(request->path, "/") == 0 && index_is_page(request);
}

static unsigned method_bit(const char *method)
{
    if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0)
        return ROUTE_GET;
    return strcmp(method, "POST") == 0 ? ROUTE_POST : 0;
}

static const char *allow_text(unsigned methods)
{
    if (methods == ROUTE_GET)
        return "GET, HEAD, OPTIONS";
    return methods == ROUTE_POST ? "POST, OPTIONS" : "GET, HEAD, POST, OPTIONS";
}

static void respond_not_found(const struct request *request, const struct route_match *match,
                              struct response *response)
{
    const bool is_model = match->route && match->route->find == find_inference_model;
    const struct report report = {
        .status = 404,
        .slug = "not-found",
        .detail = is_model ? "There is no such model, or it has no such version; POST "
                             "/v2/repository/index lists both."
                           : "There is nothing at this path; GET / lists the routes, and "
                             "/v1/encodings the encodings.",
        .suggestion = match->route ? suggest_path_variable(match) : NULL};

    respond_report(request, &report, response);
}

static void respond_options(unsigned methods, struct response *response)
{
    response->status = 204;
    response->length = 0;
    (void)response_add_header(response, "Allow",
                              allow_text(methods)); /* the first header has room */
}

static void respond_method(const struct request *request, unsigned methods,
                           struct response *response)
{
    (void)response_add_header(response, "Allow", allow_text(methods));
    respond_problem(request, 405, "method-not-allowed",
                    "This route does not take this method; 'Allow' names those it takes.", 0,
                    response);
}

static bool refuse_coding(const struct request *request, struct response *response)
{
    (void)response_add_header(response, "Accept-Encoding", "gzip, identity");
    respond_problem(request, 415, "unsupported-content-encoding",
                    "Send the body as it is, or with 'Content-Encoding: gzip'.", 0, response);
    return true;
}

static bool refuse_inference_type(const struct request *request, struct response *response)
{
    if (inference_body_is_readable(request))
        return false;
    (void)response_add_header(response, "Accept-Post", INFERENCE_BODY_TYPES_TEXT);
    respond_problem(request, 415, "unsupported-media-type",
                    "Send JSON with the header 'Content-Type: application/json' (curl has --json), "
                    "or, with bytes of tensors behind it, application/octet-stream.",
                    0, response);
    return true;
}

static bool refuse_type(const struct request *request, const struct route_match *match,
                        struct response *response)
{
    const enum body_type type = body_type_of(request_header(request, "Content-Type"));

    if (body_coding_of(request) == BODY_CODING_OTHER)
        return refuse_coding(request, response);
    if (match->route && match->route->body == ROUTE_BODY_INFERENCE)
        return refuse_inference_type(request, response);
    if (type == BODY_JSON || type == BODY_NPY || type == BODY_SAFETENSORS)
        return false;
    (void)response_add_header(response, "Accept-Post", BODY_TYPES_TEXT);
    respond_problem(
        request, 415, "unsupported-media-type",
        type == BODY_BYTES
            ? "Bytes alone do not say what they are: send application/x-npy or "
              "application/vnd.safetensors, with the parameters in the query."
            : "Send a JSON object with the header 'Content-Type: application/json' (curl has "
              "--json), or tensors as application/x-npy or application/vnd.safetensors.",
        0, response);
    return true;
}

/* Everything that can be refused without the body. */
static bool refuse_early(const struct service *service, const struct request *request,
                         uint64_t content_length, struct route_match *match,
                         struct response *response)
{
    unsigned methods = 0;
    const unsigned bit = method_bit(request->method);
    const bool found = find_route(service, request, match, &methods);

    response->route = match->route ? match->route->path : "unmatched";
    if (!found)
        respond_not_found(request, match, response);
    else if (strcmp(request->method, "OPTIONS") == 0)
        respond_options(methods, response);
    else if (!(methods & bit))
        respond_method(request, methods, response);
    else if (content_length != UINT64_MAX && content_length > service->body_bytes_max)
        respond_problem(
            request, 413, "body-too-large",
            "The body is larger than this server reads; 'limit' says how many bytes it does.",
            service->body_bytes_max, response);
    else
        return bit == ROUTE_POST && refuse_type(request, match, response);
    return true;
}

bool handle_head(const struct service *service, const struct request *request,
                 uint64_t content_length, struct response *response)
{
    struct route_match match;

    memset(response, 0, sizeof(*response));
    return refuse_early(service, request, content_length, &match, response);
}

/* What taking the body in costs: numbers written in digits, or taken out of gzip, more. */
static uint64_t reading_ns(const struct request *request)
{
    const uint64_t size = strcmp(request->method, "POST") == 0 ? request->body_size : 0;

    if (body_coding_of(request) == BODY_CODING_GZIP)
        return size * PACKED_BYTE_NS;
    switch (body_type_of(request_header(request, "Content-Type"))) {
    case BODY_JSON:
    case BODY_OTHER: /* none: JSON of the Open Inference Protocol */
        return size * TEXT_BYTE_NS;
    case BODY_BYTES: /* of tensors, behind JSON */
        return size / 2 + inference_json_size(request) * TEXT_BYTE_NS;
    case BODY_NPY:
    case BODY_SAFETENSORS:
        break;
    }
    return size / 2;
}

/* What reading it costs when it has become longer than its packed bytes made believe. */
static uint64_t unpacked_ns(const struct request *request, const struct request *plain)
{
    return plain->body == request->body ? 0 : plain->body_size * TEXT_BYTE_NS;
}

void handle_request(const struct service *service, const struct request *request,
                    struct response *response)
{
    struct route_match match;
    struct request plain;

    memset(response, 0, sizeof(*response));
    if (refuse_early(service, request, request->body_size, &match, response))
        return;
    if (!exchange_begin(request, response, service->memory_bytes_max))
        respond_no_memory(response);
    else if (!respond_if_stopped(request, reading_ns(request), response) &&
             unpack_body(service, request, &plain, response) &&
             !respond_if_stopped(request, unpacked_ns(request, &plain), response))
        match.route->handle(service, &plain, &match, response);
    /* A warning may be missing, and then the answer is another than the next one would be. */
    if (response->exchange && ((struct exchange *)response->exchange)->memory.is_short)
        respond_no_memory(response);
}
