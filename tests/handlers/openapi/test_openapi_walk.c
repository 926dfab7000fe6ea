#include "openapi_walk.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "piece.h"

PIECE_SUITE(openapi_walk);

/* What was visited last, and all of it as lines of methods, path, id and tag. */
static struct openapi_operation last;
static char lines[1 << 16];
static size_t visited;

static void note(const struct openapi *openapi, const struct openapi_operation *operation)
{
    cr_expect_eq(openapi, &piece);
    last = *operation;
    visited++;
    (void)snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%s%s %s %s %s\n",
                   operation->methods & ROUTE_GET ? "G" : "",
                   operation->methods & ROUTE_POST ? "P" : "", operation->path, operation->id,
                   operation->tag);
}

static bool walk(const char *template)
{
    const struct route *route = piece.routes;

    while (route->path && strcmp(route->path, template) != 0)
        route++;
    cr_assert(route->path, "%s", template);
    lines[0] = '\0';
    visited = 0;
    return openapi_walk(&piece, route, note);
}

static bool has_line(const char *line)
{
    const char *const at = strstr(lines, line);

    return at && (at == lines || at[-1] == '\n') && at[strlen(line)] == '\n';
}

static size_t count_encodings(void)
{
    size_t count = 0;

    while (posenc_encoding_at(count))
        count++;
    return count;
}

Test(openapi_walk, visits_the_table_of_each_encoding_and_every_tool)
{
    size_t tools = 0;

    while (posenc_tool_at(tools))
        tools++;
    cr_expect(walk("/v1/{encoding}"));
    cr_expect_leq(visited, count_encodings() + tools);
    cr_expect(has_line("GP /v1/rope rope rope"));
    cr_expect(has_line("P /v1/cope cope cope"), "which needs tensors");
    cr_expect(has_line("GP /v1/permutation permutation tools"));
    cr_expect(has_line("P /v1/attention attention tools"));
    cr_expect_not(strstr(lines, "rotary"), "an alias is no path of its own here");
}

Test(openapi_walk, visits_other_operations_than_the_table_at_paths_below)
{
    cr_expect(walk("/v1/{encoding}/{operation}"));
    cr_expect(has_line("P /v1/rope/apply rope.apply rope"));
    cr_expect_not(strstr(lines, "/table"));
}

Test(openapi_walk, visits_every_quantity_without_an_encoding)
{
    size_t quantities = 0;

    while (posenc_quantity_at(quantities))
        quantities++;
    cr_expect(walk("/v1/analysis/{quantity}"));
    cr_expect_eq(visited, quantities);
    cr_expect(has_line("GP /v1/analysis/wavelengths analysis.wavelengths analysis"));
    cr_expect_null(last.encoding);
    cr_expect(last.rows.first, "rows come with each");
}

Test(openapi_walk, visits_nothing_where_a_route_names_no_operation)
{
    cr_expect_not(walk("/v1/models/{model}"));
    cr_expect_not(walk("/"));
    cr_expect_eq(visited, 0);
}
