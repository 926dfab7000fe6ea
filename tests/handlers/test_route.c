/* Which paths a route fits, and whom it is for. */
#include "route.h"

#include <criterion/criterion.h>
#include <string.h>

Test(route, fits_paths_segment_by_segment)
{
    static const struct {
        const char *template, *path;
        bool fits;
        const char *first, *second;
    } rows[] = {
        {"/", "/", true, "", ""},
        {"/", "", false, "", ""},
        {"/", "//", false, "", ""},
        {"/livez", "/livez", true, "", ""},
        {"/livez", "/live", false, "", ""},
        {"/livez", "/livezz", false, "", ""},
        {"/livez", "/livez/", false, "", ""},
        {"/livez", "/LIVEZ", false, "", ""},
        {"/v1/{encoding}", "/v1/rope", true, "rope", ""},
        {"/v1/{encoding}", "/v1/", false, "", ""},
        {"/v1/{encoding}", "/v1", false, "", ""},
        {"/v1/{encoding}", "/v1/rope/apply", false, "", ""},
        {"/v1/{encoding}/{operation}", "/v1/rope/apply", true, "rope", "apply"},
        {"/v1/{encoding}/{operation}", "/v1/rope", false, "", ""},
        {"/v1/{encoding}/{operation}", "/v1//apply", false, "", ""},
        {"/v1/analysis/{quantity}", "/v1/analysis/%20", true, "%20", ""},
        {"/v1/analysis/{quantity}", "/v1/rope/decay", false, "", ""},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct route route = {.path = rows[i].template};
        struct route_match match = {0};

        cr_expect_eq(route_fits(&route, rows[i].path, &match), rows[i].fits, "%s %s",
                     rows[i].template, rows[i].path);
        if (!rows[i].fits)
            continue;
        cr_expect_eq(match.route, &route);
        cr_expect_str_eq(match.variables[0], rows[i].first);
        cr_expect_str_eq(match.variables[1], rows[i].second);
    }
}

/* A longer segment is no name that anything has. */
Test(route, has_room_for_a_variable_of_63_bytes)
{
    static const struct route route = {.path = "/v1/{encoding}"};
    struct route_match match;
    char path[128] = "/v1/";

    memset(path + 4, 'a', 63);
    cr_expect(route_fits(&route, path, &match));
    cr_expect_eq(strlen(match.variables[0]), 63);
    path[4 + 63] = 'a';
    cr_expect_not(route_fits(&route, path, &match));
}

Test(route, is_served_where_those_are_whom_it_is_for)
{
    static const struct {
        enum route_audience audience;
        bool has_listener, is_operators, is_served;
    } rows[] = {
        {ROUTE_FOR_CALLERS, false, false, true},   {ROUTE_FOR_CALLERS, true, false, true},
        {ROUTE_FOR_CALLERS, true, true, false},    {ROUTE_FOR_PROBES, true, false, true},
        {ROUTE_FOR_PROBES, true, true, true},      {ROUTE_FOR_ANYBODY, true, false, true},
        {ROUTE_FOR_ANYBODY, true, true, false},    {ROUTE_FOR_OPERATORS, false, false, true},
        {ROUTE_FOR_OPERATORS, true, false, false}, {ROUTE_FOR_OPERATORS, true, true, true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct service service = {.has_operators_listener = rows[i].has_listener};
        const struct request request = {.is_operators = rows[i].is_operators};
        const struct route route = {.audience = rows[i].audience};

        cr_expect_eq(route_is_served(&service, &request, &route), rows[i].is_served, "row %zu", i);
    }
}
