#include "openapi_paths.h"

#include <criterion/criterion.h>
#include <string.h>

#include "piece.h"

PIECE_SUITE(openapi_paths);

static const json_t *paths(void)
{
    return look_at(OBJECT_OF(openapi_write_paths(&piece)), "paths", NULL);
}

/* Templates of operations are resolved to their paths. */
Test(openapi_paths, has_every_route_that_names_no_operation)
{
    const json_t *const all = paths();

    for (const struct route *route = piece.routes; route->path; route++) {
        const json_t *const item = look_at(all, route->path, NULL);

        if (strstr(route->path, "{quantity}") || strncmp(route->path, "/v1/{encoding}", 14) == 0)
            cr_expect_null(item, "%s", route->path);
        else
            cr_expect(json_object_get(item, route->methods & ROUTE_GET ? "get" : "post"), "%s",
                      route->path);
    }
    cr_expect(look_at(all, "/v1/rope", "get", NULL));
    cr_expect(look_at(all, "/v1/analysis/decay", "get", NULL));
}

Test(openapi_paths, are_those_that_are_there_for_who_asks)
{
    piece_service.has_operators_listener = true;
    cr_expect_null(look_at(paths(), "/metrics", NULL));
    piece_request.is_operators = true;
    cr_expect_str_eq(names_of(paths()), "/livez /readyz /metrics /v2/health/live /v2/health/ready");
}

static void note_id(json_t *ids, const json_t *operation)
{
    const char *id = look_at_text(operation, "operationId", NULL);

    cr_expect_str_neq(id, "");
    cr_expect_eq(strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_"), strlen(id), "%s", id);
    cr_expect_null(json_object_get(ids, id), "%s stands twice", id);
    (void)json_object_set_new(ids, id, json_true());
}

Test(openapi_paths, give_every_operation_an_id_of_its_own)
{
    json_t *const ids = json_object(), *item;
    const json_t *const all = paths();
    const char *path;

    json_object_foreach((json_t *)all, path, item)
    {
        if (json_object_get(item, "get"))
            note_id(ids, json_object_get(item, "get"));
        if (json_object_get(item, "post"))
            note_id(ids, json_object_get(item, "post"));
    }
    cr_expect_geq(json_object_size(ids), json_object_size(all));
    json_decref(ids);
}
