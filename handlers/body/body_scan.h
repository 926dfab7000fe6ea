/*
 * The first pass over a JSON body: checks its grammar and its limits, finds the exact place of
 * every fault, and takes out what jansson shall not read: numbers and arrays of numbers.
 */
#ifndef POSENC_BODY_SCAN_H
#define POSENC_BODY_SCAN_H

#include "body_problem.h"
#include "json_token.h"
#include "number_array.h"
#include "posenc.h"

/* A number or an array of numbers: where it stands in the body, and its value. */
struct body_cut {
    size_t start, end; /* bytes before it, bytes before what follows it */
    struct posenc_value value;
};

/* An open bracket. */
struct body_level {
    bool is_object;
    size_t index;                /* of the item that is read, in an array */
    size_t name_start, name_end; /* of the member that is read, in an object; without quotes */
};

struct body_scan {
    struct json_cursor cursor;
    struct posenc_memory *memory;
    bool no_memory;

    struct body_cut *cuts; /* in the order of the body; they do not overlap */
    size_t cut_count, cut_capacity;

    size_t depth;
    struct body_level levels[BODY_DEPTH_MAX];
    size_t value_count;
    char path[POSENC_PATH_MAX]; /* of a fault that belongs to one value; else "" */

    /* An outline that met something else than numbers knows these brackets not to be cuts. */
    struct number_array_outline outline;
    size_t outline_depth; /* levels that were open where it started */

    size_t stop_at; /* stops behind the name that ends here, its closing quote included */
};

void body_scan_init(struct body_scan *scan, const char *text, size_t size,
                    struct posenc_memory *memory);

/* Scans all of it. On failure either no_memory is set or the cursor holds the fault. */
bool scan_body(struct body_scan *scan);

/*
 * Finds the name that ends before byte `end`, closing quote included, in a text that scan_body()
 * has accepted: where it starts, and its dotted path (POSENC_PATH_MAX bytes). False when memory is
 * out.
 */
bool find_name_path(const char *text, size_t size, size_t end, struct posenc_memory *memory,
                    size_t *start, char *path);

#endif
