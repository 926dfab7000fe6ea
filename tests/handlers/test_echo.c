/*
 * The echo is the request: what an answer says it understood, sent again, gives the same answer to
 * the last byte, whatever the operation. Requests are drawn from the rows of the registry.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "drawn.h"
#include "repeated.h"

#define DRAWS     10 /* requests of an operation */
#define DRAWS_FEW 2  /* of each choice and preset, and of what takes long */
#define PATH_SIZE 160

/* Requests whose tensors must fit each other, which nobody would draw. */
static const struct start {
    const char *path, *encoding, *body;
} starts[] = {
    {"/v1/fire/apply", NULL,
     "{'scores':[[[1,2],[3,4]]],'c':0.1,'threshold':2,'weights':{'w1':[[1],[-2]],'b1':[0.5,1],"
     "'w2':[[1,-3]],'b2':[0.25]}}"},
    {"/v1/shaw/apply", NULL,
     "{'q':[[1,2],[3,4]],'k':[[0,1],[2,-1]],'max_relative_position':1,"
     "'table':[[1,2],[3,4],[5,6]]}"},
    {"/v1/sinusoidal_grid/apply", NULL,
     "{'x':[[1,2,3,4,5,6,7,8],[8,7,6,5,4,3,2,1],[1,2,3,4,5,6,7,8],[8,7,6,5,4,3,2,1]],"
     "'grid':[2,2]}"},
    {"/v1/swin/apply", NULL, "{'scores':[[[1,2],[3,4]]],'window':[1,2],'table':[[1],[2],[3]]}"},
    {"/v1/t5/apply", NULL,
     "{'scores':[[[1,2],[3,4]]],'num_buckets':4,'max_distance':8,"
     "'table':[[1],[2],[3],[4]]}"},
    {"/v1/learned/gradient", NULL, "{'gradient':[[1,2],[3,4],[5,6]],'indices':[1,0,1],'rows':4}"},
    {"/v1/positions", NULL, "{'token_ids':[[5,6,7,1],[1,1,8,9]]}"},
    {"/v1/analysis/decay", "t5",
     "{'num_buckets':4,'max_distance':8,'table':[[1],[2],[3],[4]],'offsets':[0,1,2]}"},
    {"/v1/analysis/permutation_equivariance", "fire",
     "{'x':[[1,2],[3,4]],'permutation':[1,0],'c':0.1,'threshold':2,"
     "'weights':{'w1':[[1],[-2]],'b1':[0.5,1],'w2':[[1,-3]],'b2':[0.25]}}"},
    {"/v1/analysis/permutation_equivariance", "shaw",
     "{'x':[[1,2],[3,4]],'permutation':[1,0],'max_relative_position':1,"
     "'table':[[1,2],[3,4],[5,6]]}"},
    {"/v1/analysis/permutation_equivariance", "sinusoidal_grid",
     "{'x':[[1,2,3,4],[8,7,6,5]],'permutation':[1,0],'grid':[1,2],'axis_order':'xy'}"},
    {"/v1/analysis/permutation_equivariance", "swin",
     "{'x':[[1,2],[3,4]],'permutation':[1,0],'window':[1,2],'table':[[1],[2],[3]]}"},
    {"/v1/analysis/permutation_equivariance", "t5",
     "{'x':[[1,2],[3,4]],'permutation':[1,0],'num_buckets':4,'max_distance':8,"
     "'table':[[1],[2],[3],[4]]}"},
    {"/v1/attention", "fire",
     "{'q':[[1,2],[3,4]],'k':[[0,1],[2,1]],'parameters':{'c':0.1,'threshold':2,'weights':{'w1':[[1]"
     ",[-2]],'b1':[0.5,1],'w2':[[1,-3]],'b2':[0.25]}}}"},
    {"/v1/attention", "shaw",
     "{'q':[[1,2],[3,4]],'k':[[0,1],[2,1]],'parameters':{'max_relative_position':1,'table':[[1,2],["
     "3,4],[5,6]]}}"},
    {"/v1/attention", "swin",
     "{'q':[[1,2],[3,4]],'k':[[0,1],[2,1]],'parameters':{'window':[1,2],'table':[[1],[2],[3]]}}"},
    {"/v1/attention", "t5",
     "{'q':[[1,2],[3,4]],'k':[[0,1],[2,1]],'parameters':{'num_buckets':4,'max_distance':8,'table':["
     "[1],[2],[3],[4]]}}"},
};

/* What a request begins with: tensors, and the encoding that it names. */
static json_t *start_body(const char *path, const char *encoding)
{
    json_t *body = json_object();

    for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
        const struct start *start = &starts[i];
        char text[400];

        if (strcmp(start->path, path) != 0 ||
            strcmp(start->encoding ? start->encoding : "", encoding ? encoding : "") != 0)
            continue;
        (void)snprintf(text, sizeof(text), "%s", start->body);
        for (char *quote = text; (quote = strchr(quote, '\'')) != NULL;)
            *quote = '"';
        json_decref(body);
        body = json_loads(text, 0, NULL);
        cr_assert_not_null(body, "%s", text);
    }
    if (encoding)
        json_object_set_new(body, "encoding", json_string(encoding));
    return body;
}

/* Draws requests that begin as `start`, which is released; returns how many were found. */
static size_t repeat_drawn(const struct drawn_call *call, bool has_get, size_t draws, json_t *start)
{
    size_t found = 0;

    for (uint64_t draw = 0; draw < draws; draw++) {
        uint64_t seed = draw;
        json_t *body = json_deep_copy(start);
        const bool is_admissible = draw_request(call, &seed, body);

        if (is_admissible)
            expect_repeated(call->path, has_get, body);
        found += is_admissible;
        json_decref(body);
    }
    json_decref(start);
    return found;
}

/* An operation of an encoding, with its path. */
struct operation_call {
    char path[PATH_SIZE];
    struct drawn_call call;
    bool has_get;
};

static void find_call(const struct posenc_encoding *encoding,
                      const struct posenc_operation *operation, struct operation_call *found)
{
    found->has_get = strcmp(operation->name, "table") == 0;
    (void)snprintf(found->path, PATH_SIZE, "/v1/%s%s%s", encoding->name, found->has_get ? "" : "/",
                   found->has_get ? "" : operation->name);
    found->call = (struct drawn_call){found->path, operation->groups, NULL, encoding->presets};
}

/* Runs a test for each operation of each encoding. */
static void each_operation(void (*test)(const struct operation_call *called))
{
    const struct posenc_encoding *encoding;

    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        for (const struct posenc_operation *operation = encoding->operations; operation->name;
             operation++) {
            struct operation_call called;

            find_call(encoding, operation, &called);
            test(&called);
        }
}

static void repeat_operation(const struct operation_call *called)
{
    cr_expect_gt(
        repeat_drawn(&called->call, called->has_get, DRAWS, start_body(called->path, NULL)), 0,
        "%s", called->path);
}

Test(echo, of_every_operation_of_an_encoding_is_the_request)
{
    each_operation(repeat_operation);
}

static void repeat_presets(const struct operation_call *called)
{
    const struct posenc_preset *preset = called->call.presets;

    for (; preset && preset->name; preset++) {
        json_t *start = start_body(called->path, NULL);

        json_object_set_new(start, "preset", json_string(preset->name));
        (void)repeat_drawn(&called->call, called->has_get, DRAWS_FEW, start);
    }
}

Test(echo, of_every_preset_is_the_request)
{
    each_operation(repeat_presets);
}

/* Each choice of a row, in an object where that is a member. */
static void repeat_choices(const struct operation_call *called, const char *object,
                           const struct posenc_parameter *row)
{
    for (const char *const *choice = row->choices; choice && *choice; choice++) {
        json_t *start = start_body(called->path, NULL);

        if (object)
            json_object_set_new(start, object, json_pack("{s:s}", row->name, *choice));
        else
            json_object_set_new(start, row->name, json_string(*choice));
        (void)repeat_drawn(&called->call, called->has_get, DRAWS_FEW, start);
    }
}

static void repeat_rows(const struct operation_call *called)
{
    for (const struct posenc_parameter *const *group = called->call.groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++) {
            const struct posenc_parameter *member = row->members;

            if (row->type == POSENC_TYPE_CHOICE)
                repeat_choices(called, NULL, row);
            for (; member && member->name; member++)
                if (member->type == POSENC_TYPE_CHOICE)
                    repeat_choices(called, row->name, member);
        }
}

Test(echo, of_every_choice_is_the_request)
{
    each_operation(repeat_rows);
}

static void repeat_quantity(const struct posenc_operation *quantity,
                            const struct posenc_encoding *encoding)
{
    const struct posenc_operation *asked =
        encoding ? posenc_find_operation(encoding, quantity->asks_encoding) : NULL;
    const char *name = encoding ? encoding->name : NULL;
    char path[PATH_SIZE];
    const struct drawn_call call = {path, quantity->groups, asked ? asked->groups : NULL,
                                    encoding ? encoding->presets : NULL};

    (void)snprintf(path, sizeof(path), "/v1/analysis/%s", quantity->name);
    cr_expect_gt(repeat_drawn(&call, !quantity->takes_tensors, DRAWS, start_body(path, name)), 0,
                 "%s of %s", path, name);
}

Test(echo, of_every_quantity_is_the_request)
{
    const struct posenc_operation *quantity;
    const struct posenc_encoding *encoding;

    for (size_t i = 0; (quantity = posenc_quantity_at(i)) != NULL; i++) {
        if (!quantity->asks_encoding)
            repeat_quantity(quantity, NULL);
        for (size_t j = 0; (encoding = posenc_encoding_at(j)) != NULL; j++)
            if (quantity->asks_encoding && posenc_quantity_serves(quantity, encoding))
                repeat_quantity(quantity, encoding);
    }
}

/* Those that name an encoding, too, are asked for each. */
static void repeat_tool(const struct posenc_operation *tool, const char *encoding)
{
    const bool takes_long = strcmp(tool->name, "identify") == 0;
    char path[PATH_SIZE];
    const struct drawn_call call = {path, tool->groups, NULL, NULL};

    (void)snprintf(path, sizeof(path), "/v1/%s", tool->name);
    cr_expect(repeat_drawn(&call, !tool->takes_tensors, takes_long ? DRAWS_FEW : DRAWS,
                           start_body(path, encoding)) > 0 ||
                  encoding,
              "%s", path);
}

Test(echo, of_every_tool_is_the_request)
{
    const struct posenc_operation *tool;

    for (size_t i = 0; (tool = posenc_tool_at(i)) != NULL; i++)
        repeat_tool(tool, NULL);
}

Test(echo, of_attention_under_every_encoding_is_the_request)
{
    const struct posenc_operation *attention = posenc_find_tool("attention");
    const struct posenc_encoding *encoding;

    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        repeat_tool(attention, encoding->name);
}
