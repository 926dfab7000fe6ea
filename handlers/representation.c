/* Which representation a client gets. */
#include "representation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "negotiate.h"
#include "problem.h"

const struct posenc_parameter representation_rows[] = {
    {.name = "format",
     .type = POSENC_TYPE_TEXT,
     .flags = POSENC_OPTIONAL | POSENC_SILENT,
     .fallback_note = "negotiated by Accept; json when that leaves it open",
     .meaning = "the representation, by name; overrides Accept"},
    {.name = "tensor",
     .type = POSENC_TYPE_TEXT,
     .flags = POSENC_OPTIONAL | POSENC_SILENT,
     .fallback_note = "the first",
     .meaning = "which tensor a representation of one tensor carries"},
    {.name = "pretty",
     .type = POSENC_TYPE_BOOLEAN,
     .flags = POSENC_SILENT,
     .fallback = {.kind = POSENC_BOOLEAN, .as.boolean = false},
     .has_fallback = true,
     .meaning = "JSON with one row of a tensor a line"},
    {.name = "numeric_version",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL | POSENC_SILENT,
     .fallback_note = "the running one",
     .minimum = 1,
     .maximum = INFINITY,
     .meaning = "refused unless it is the running one: its values never change"},
    {.name = NULL},
};

static const char *text_of(const struct posenc_arguments *arguments, const char *name)
{
    const struct posenc_argument *argument = posenc_find_argument(arguments, name);

    return argument->value.kind == POSENC_TEXT ? argument->value.as.text : NULL;
}

static bool refuse_format(const struct request *request, const char *name,
                          struct response *response)
{
    const char *names[POSENC_ALLOWED_MAX];
    struct report report = {.status = 422,
                            .slug = "out-of-range",
                            .parameter = "format",
                            .value = name,
                            .detail =
                                "There is no such format; 'allowed' lists those that there are.",
                            .allowed = names};
    const struct format *format;

    for (size_t i = 0; (format = format_at(i)) != NULL && i < POSENC_ALLOWED_MAX; i++)
        names[report.allowed_count++] = format->name;
    respond_report(request, &report, response);
    return false;
}

static bool choose_format(const struct request *request, const char *name,
                          struct representation *representation, struct response *response)
{
    const char *offered[POSENC_ALLOWED_MAX];
    struct report report = {
        .status = 406,
        .slug = "not-acceptable",
        .detail = "None of the representations here is among those that the client accepts.",
        .allowed = offered};
    const struct format *format;

    if (name) {
        representation->format = format_find(name);
        return representation->format || refuse_format(request, name, response);
    }
    for (size_t i = 0; (format = format_at(i)) != NULL && i < POSENC_ALLOWED_MAX; i++)
        offered[report.allowed_count++] = format->media_type;
    const int best = negotiate(request, offered, report.allowed_count);

    if (best >= 0)
        representation->format = format_at((size_t)best);
    else
        respond_report(request, &report, response);
    return best >= 0;
}

static bool choose_tensor(const struct request *request, const char *name,
                          const struct posenc_result *result, struct representation *representation,
                          struct response *response)
{
    const char *names[POSENC_TENSORS_MAX];
    struct report report = {.status = 422,
                            .slug = "out-of-range",
                            .parameter = "tensor",
                            .value = name,
                            .detail =
                                "The result has no such tensor; 'allowed' lists those that it has.",
                            .allowed = names,
                            .allowed_count = result->tensor_count};

    representation->tensor = result->tensor_count > 0 ? &result->tensors[0] : NULL;
    if (!name)
        return true;
    representation->tensor = posenc_find_tensor(result, name);
    for (size_t i = 0; i < result->tensor_count; i++)
        names[i] = result->tensors[i].name;
    if (!representation->tensor)
        respond_report(request, &report, response);
    return representation->tensor != NULL;
}

static bool check_version(const struct request *request, const struct posenc_arguments *arguments,
                          struct response *response)
{
    const struct posenc_value *version = &posenc_find_argument(arguments, "numeric_version")->value;
    const struct report report = {
        .status = 422,
        .slug = "out-of-range",
        .parameter = "numeric_version",
        .detail = "This server computes another numeric version; /version says which."};

    if (version->kind == POSENC_NULL || version->as.number == POSENC_NUMERIC_VERSION)
        return true;
    respond_report(request, &report, response);
    return false;
}

bool read_representation(const struct request *request, const struct posenc_arguments *arguments,
                         const struct posenc_result *result, struct representation *representation,
                         struct response *response)
{
    const struct report no_tensor = {
        .status = 422,
        .slug = "out-of-range",
        .parameter = "format",
        .detail =
            "The result has no tensor; ask for a format of all tensors: json or safetensors."};

    representation->is_versioned =
        posenc_find_argument(arguments, "numeric_version")->value.kind != POSENC_NULL;
    representation->pretty = posenc_find_argument(arguments, "pretty")->value.as.boolean;
    if (!check_version(request, arguments, response) ||
        !choose_format(request, text_of(arguments, "format"), representation, response) ||
        !choose_tensor(request, text_of(arguments, "tensor"), result, representation, response))
        return false;
    if (!representation->format->carries_one_tensor || representation->tensor)
        return true;
    respond_report(request, &no_tensor, response);
    return false;
}
