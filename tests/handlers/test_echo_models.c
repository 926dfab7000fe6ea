/*
 * What is said of a model can be asked for: the parameters of each of its uses make the table of
 * its encoding, as the model's name does; and the echo of that table is the request.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "drawn.h"
#include "posenc_models.h"
#include "repeated.h"

/* One use of a model, and a request for its table. */
struct use {
    const char *model;
    const json_t *said; /* the member of `uses` */
    const char *path;
    json_t *body; /* its parameters, and what the table needs beside them */
};

static const char *text_in(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* What the model's name stands for, beside what the use's parameters leave open. */
static json_t *by_name(const struct use *use)
{
    const json_t *layers = json_object_get(use->said, "layers"), *value;
    json_t *body = json_object();
    const char *name;

    json_object_foreach(use->body, name,
                        value) if (!json_object_get(json_object_get(use->said, "parameters"), name))
        json_object_set(body, name, (json_t *)value);
    json_object_set_new(body, "model", json_string(use->model));
    json_object_set(body, "layer",
                    json_is_array(layers) ? json_array_get(layers, 0)
                                          : json_object_get(use->said, "component"));
    return body;
}

static struct answer ask_json(const char *path, const json_t *body)
{
    char *text = json_dumps(body, JSON_COMPACT);
    struct answer answer = ask("POST", path, text);

    cr_assert_eq(answer.status, 200, "%s %s: %s", path, text, answer.body);
    json_object_del(answer.document, "warnings"); /* a name may be worth one more */
    free(text);
    return answer;
}

/* What the use derives is what its table derives, and the frequencies are those that it gives. */
static void expect_derived(const struct use *use, const json_t *answer)
{
    const json_t *derived = json_object_get(answer, "derived");
    const json_t *tensor = json_object_get(json_object_get(answer, "tensors"), "inv_freq");
    const json_t *told;
    const char *name;

    json_object_foreach(json_object_get(use->said, "derived"), name, told)
    {
        const json_t *found = strcmp(name, "inv_freq") == 0 ? json_object_get(tensor, "data")
                                                            : json_object_get(derived, name);

        cr_expect(!found || json_equal(told, found), "%s, %s: %s", use->model,
                  text_in(use->said, "component"), name);
    }
}

static void expect_use(const struct use *use)
{
    struct answer own = ask_json(use->path, use->body);
    json_t *named_body = by_name(use);
    struct answer named = ask_json(use->path, named_body);

    cr_expect(json_equal(own.document, named.document), "%s, %s:\n%s\n%s", use->model,
              text_in(use->said, "component"), own.body, named.body);
    expect_derived(use, own.document);
    expect_repeated(use->path, true, use->body);
    expect_repeated(use->path, true, named_body);
    json_decref(named_body);
    answer_release(&own);
    answer_release(&named);
}

/* Few rows, where neither the use nor a grid says how many. */
static void shorten(const struct posenc_operation *table, json_t *body)
{
    for (const struct posenc_parameter *const *group = table->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++)
            if ((strcmp(row->name, "length") == 0 || strcmp(row->name, "query_length") == 0) &&
                !json_object_get(body, row->name) && !json_object_get(body, "preset"))
                json_object_set_new(body, row->name, json_integer(2));
}

static void expect_askable(const char *model, const json_t *said)
{
    const struct posenc_encoding *encoding = posenc_find(text_in(said, "encoding"));
    json_t *parameters = json_object_get(said, "parameters"), *value;
    char path[100];
    const struct drawn_call call = {path, posenc_find_operation(encoding, "table")->groups, NULL,
                                    encoding->presets};
    const struct use use = {model, said, path, json_deep_copy(parameters)};
    uint64_t seed = 1;
    const char *name;

    shorten(posenc_find_operation(encoding, "table"), use.body);
    (void)snprintf(path, sizeof(path), "/v1/%s", encoding->name);
    cr_assert(draw_needed(&call, &seed, use.body), "%s: the parameters of %s are not enough", model,
              path);
    json_object_foreach(parameters, name, value)
        cr_assert(json_equal(value, json_object_get(use.body, name)),
                  "%s: '%s' of %s is refused beside the others", model, name, path);
    expect_use(&use);
    json_decref(use.body);
}

Test(echo_models, every_use_of_a_model_can_be_asked_for_by_its_parameters_and_by_name)
{
    const struct posenc_model *model;

    for (size_t i = 0; (model = posenc_model_at(i)) != NULL; i++) {
        char target[100];
        const json_t *said;
        size_t j;

        (void)snprintf(target, sizeof(target), "/v1/models/%s", model->name);
        struct answer answer = ask("GET", target, NULL);

        cr_assert_eq(answer.status, 200, "%s", answer.body);
        cr_expect_gt(json_array_size(json_object_get(answer.document, "uses")), 0);
        json_array_foreach(json_object_get(answer.document, "uses"), j, said)
            expect_askable(model->name, said);
        answer_release(&answer);
    }
}
