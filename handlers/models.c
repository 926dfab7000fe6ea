/* GET /v1/models and /v1/models/{model}. */
#include "document.h"
#include "exchange_memory.h"
#include "handlers.h"
#include "problem.h"
#include "refusal.h"
#include "resolution.h"
#include "respond.h"

static void write_model(struct json_text *text, const struct posenc_model *model)
{
    json_text_member_string(text, "name", model->name);
    json_text_key(text, "aliases");
    json_text_begin_array(text);
    for (const char *const *alias = model->aliases; alias && *alias; alias++)
        json_text_string(text, *alias);
    json_text_end_array(text);
    json_text_member_string(text, "repository", model->repository);
}

HANDLER(handle_models)
{
    struct json_text *text = &((struct exchange *)response->exchange)->text;
    const struct posenc_model *model;
    bool pretty;

    (void)service;
    (void)match;
    if (!read_document_query(request, &pretty, response))
        return;
    json_text_begin_object(text);
    json_text_key(text, "models");
    json_text_begin_array(text);
    for (size_t i = 0; (model = posenc_model_at(i)) != NULL; i++) {
        json_text_raw(text, "\n", 1);
        json_text_begin_object(text);
        write_model(text, model);
        json_text_end_object(text);
    }
    json_text_raw(text, "\n", 1);
    json_text_end_array(text);
    json_text_end_object(text);
    respond_json(request, pretty, response);
}

static void respond_unknown(const struct request *request, const char *name,
                            struct response *response)
{
    const struct report report = {.status = 404,
                                  .slug = "unknown-model",
                                  .detail = "There is no built-in model of this name; /v1/models "
                                            "lists those that there are, and POST /v1/resolve "
                                            "takes any config.json.",
                                  .value = name,
                                  .suggestion = posenc_suggest_model(name)};

    respond_report(request, &report, response);
}

HANDLER(handle_model)
{
    struct exchange *exchange = response->exchange;
    const struct posenc_model *model = posenc_find_model(match->variables[0]);
    struct posenc_value config, answer;
    struct posenc_problem problem;
    bool pretty;

    if (!model) {
        respond_unknown(request, match->variables[0], response);
        return;
    }
    if (!read_document_query(request, &pretty, response))
        return;
    if (!posenc_model_config(model, &exchange->memory, &config)) {
        respond_no_memory(response);
        return;
    }
    if (posenc_resolve(&config, &exchange->memory, &answer, &problem) != POSENC_OK) {
        respond_library_problem(request, &problem, service->result_bytes_max, response);
        return;
    }
    json_text_begin_object(&exchange->text);
    write_model(&exchange->text, model);
    json_text_member_value(&exchange->text, "config", &config);
    write_resolution(&exchange->text, &answer, NULL);
    json_text_end_object(&exchange->text);
    respond_json(request, pretty, response);
}
