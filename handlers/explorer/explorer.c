/* GET /explorer/{file}, and the page that / is to a browser. */
#include "explorer.h"

#include <assert.h>
#include <string.h>

#include "delivery.h"
#include "exchange_memory.h"
#include "explorer_bytes.h"
#include "handlers.h"
#include "respond.h"
#include "whole_bytes.h"

#define PAGE   "text/html; charset=utf-8"
#define STYLE  "text/css; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"

static const struct explorer_file files[] = {
    {"explorer.html", PAGE, explorer_html, &explorer_html_size},
    {"explorer.css", STYLE, explorer_css, &explorer_css_size},
    {"explorer.js", SCRIPT, explorer_js, &explorer_js_size},
    {"ask.js", SCRIPT, explorer_ask_js, &explorer_ask_js_size},
    {"catalogue.js", SCRIPT, explorer_catalogue_js, &explorer_catalogue_js_size},
    {"config.js", SCRIPT, explorer_config_js, &explorer_config_js_size},
    {"dom.js", SCRIPT, explorer_dom_js, &explorer_dom_js_size},
    {"form.js", SCRIPT, explorer_form_js, &explorer_form_js_size},
    {"problem.js", SCRIPT, explorer_problem_js, &explorer_problem_js_size},
    {"request.js", SCRIPT, explorer_request_js, &explorer_request_js_size},
    {"result.js", SCRIPT, explorer_result_js, &explorer_result_js_size},
    {"rows.js", SCRIPT, explorer_rows_js, &explorer_rows_js_size},
    {"start.js", SCRIPT, explorer_start_js, &explorer_start_js_size},
    {"table.js", SCRIPT, explorer_table_js, &explorer_table_js_size},
    {"view.js", SCRIPT, explorer_view_js, &explorer_view_js_size},
};

#define FILES (sizeof(files) / sizeof(*files))

/*
 * Nothing but the files here, and what they ask this very server for: a parameter that holds markup
 * could run nothing, even if it came to stand in the page. blob: is for pictures that were asked
 * for with a token.
 */
static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

const struct explorer_file *explorer_file_at(size_t index)
{
    return index < FILES ? &files[index] : NULL;
}

static const struct explorer_file *find_file(const char *name)
{
    for (size_t i = 0; i < FILES; i++)
        if (strcmp(files[i].name, name) == 0)
            return &files[i];
    return NULL;
}

static void respond_file(const struct request *request, const struct explorer_file *file,
                         struct response *response)
{
    struct exchange *exchange = response->exchange;
    struct whole_bytes *whole = posenc_allocate(&exchange->memory, 1, sizeof(*whole));
    struct offer offer = {.cache_control = CACHE_CHECKED};

    if (!whole) {
        respond_no_memory(response);
        return;
    }
    *whole = (struct whole_bytes){file->bytes, (size_t)*file->size};
    response->status = 200;
    response->length = whole->size;
    response->read = whole_bytes_read;
    response->state = whole;
    (void)response_add_header(response, "Content-Type", file->media_type); /* there is room */
    (void)response_add_header(response, "Content-Security-Policy", policy);
    (void)response_add_header(response, "Referrer-Policy", "no-referrer");
    fingerprint_bytes(whole->bytes, whole->size, &offer.fingerprint);
    deliver(request, &offer, response);
}

void respond_explorer(const struct request *request, struct response *response)
{
    respond_file(request, &files[0], response);
}

bool find_explorer_file(const struct route_match *match, unsigned *methods)
{
    (void)methods;
    return find_file(match->variables[0]) != NULL;
}

HANDLER(handle_explorer_file)
{
    const struct explorer_file *file = find_file(match->variables[0]);

    (void)service;
    assert(file); /* or the router had answered 404 */
    respond_file(request, file, response);
}
