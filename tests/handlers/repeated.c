#include "repeated.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

#define QUERY_SIZE 4000

/* What is asked again, and the answer that it must get. */
struct echo {
    const char *path;
    const char *request;        /* the body of the first request */
    const struct answer *first; /* its answer */
    json_t *parameters;         /* what this understood, and the tensors */
};

/* An answer tells tensors by their shapes; attention's encoding has its own one level down. */
static json_t *with_tensors(const struct answer *first, const json_t *body)
{
    json_t *echo = json_deep_copy(json_object_get(first->document, "parameters"));
    json_t *inner = json_object_get(echo, "parameters"), *value;
    const char *name;

    json_object_foreach(json_object_get(first->document, "inputs"), name, value)
        json_object_set(echo, name, json_object_get(body, name));
    json_object_foreach(json_object_get(body, "parameters"), name,
                        value) if (json_is_array(value) && !json_object_get(inner, name))
        json_object_set(inner, name, value);
    return echo;
}

/* The text of an answer without its warnings. */
static char *text_of(const struct answer *answer)
{
    json_t *copy = json_deep_copy(answer->document);

    json_object_del(copy, "warnings");
    char *text = json_dumps(copy, JSON_COMPACT);

    json_decref(copy);
    return text;
}

static bool has_warning(const struct answer *answer, const json_t *warning)
{
    const json_t *warnings = json_object_get(answer->document, "warnings"), *other;
    size_t i;

    json_array_foreach(warnings, i, other) if (json_equal(warning, other)) return true;
    return false;
}

static void expect_same(const struct echo *echo, const char *request, const struct answer *answer)
{
    char *before = text_of(echo->first), *after = text_of(answer);
    const json_t *warning;
    size_t i;

    cr_assert_eq(answer->status, 200, "%s\n%s\n%s\n%s", echo->path, echo->request, request,
                 answer->body);
    cr_expect_str_eq(after, before, "%s\n%s\n%s", echo->path, echo->request, request);
    json_array_foreach(json_object_get(answer->document, "warnings"), i, warning) cr_expect(
        has_warning(echo->first, warning), "%s\n%s\n%s", echo->path, request, answer->body);
    free(before);
    free(after);
}

static void expect_posted(const struct echo *echo)
{
    char *request = json_dumps(echo->parameters, JSON_COMPACT);
    struct answer answer = ask("POST", echo->path, request);

    expect_same(echo, request, &answer);
    answer_release(&answer);
    free(request);
}

/* The metadata of a safetensors file holds texts: those of the members of the JSON answer. */
static void expect_metadata(const struct echo *echo, const json_t *header)
{
    static const char *const names[] = {"parameters", "inputs", "derived", "warnings"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        const json_t *text = json_object_get(json_object_get(header, "__metadata__"), names[i]);
        char key[32];

        (void)snprintf(key, sizeof(key), "\"%s\":", names[i]);
        const char *member = strstr(echo->first->body, key);

        cr_expect_eq(text != NULL, json_object_get(echo->first->document, names[i]) != NULL,
                     "%s %s", echo->path, names[i]);
        if (text && member)
            cr_expect_eq(
                strncmp(member + strlen(key), json_string_value(text), json_string_length(text)), 0,
                "%s: %s of %s is %s", echo->path, names[i], echo->request, json_string_value(text));
    }
}

static void expect_file(const struct echo *echo)
{
    char target[200];

    (void)snprintf(target, sizeof(target), "%s?format=safetensors", echo->path);
    struct answer answer = ask("POST", target, echo->request);
    uint64_t size = 0;

    cr_assert_eq(answer.status, 200, "%s %s: %s", target, echo->request, answer.body);
    for (size_t i = 0; i < 8; i++)
        size |= (uint64_t)(unsigned char)answer.body[i] << 8 * i;
    json_t *header = json_loadb(answer.body + 8, size, 0, NULL);

    cr_assert_not_null(header, "%s %s", target, echo->request);
    expect_metadata(echo, header);
    json_decref(header);
    answer_release(&answer);
}

/* By query. */

struct query {
    char text[QUERY_SIZE];
    bool can_say;
};

static void append(struct query *query, const char *text)
{
    const size_t length = strlen(query->text);

    query->can_say = query->can_say && length + strlen(text) < QUERY_SIZE;
    (void)snprintf(query->text + length, QUERY_SIZE - length, "%s", text);
}

static void append_scalar(struct query *query, const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);

    append(query, json_is_string(value) ? json_string_value(value) : text);
    query->can_say = query->can_say && !json_is_array(value) && !json_is_object(value);
    free(text);
}

/* Lists with commas; a list in a list, or an empty one, has no form. */
static void append_value(struct query *query, const json_t *value)
{
    if (!json_is_array(value)) {
        append_scalar(query, value);
        return;
    }
    query->can_say = query->can_say && json_array_size(value) > 0;
    for (size_t i = 0; i < json_array_size(value); i++) {
        append(query, i > 0 ? "," : "");
        append_scalar(query, json_array_get(value, i));
    }
}

/* Members of objects have dotted names; an empty object has none. */
static void append_members(struct query *query, const char *prefix, json_t *object)
{
    const char *name;
    json_t *value;

    query->can_say = query->can_say && json_object_size(object) > 0;
    json_object_foreach(object, name, value)
    {
        char path[100];

        (void)snprintf(path, sizeof(path), "%s%s", prefix, name);
        if (json_is_object(value)) {
            (void)snprintf(path, sizeof(path), "%s%s.", prefix, name);
            append_members(query, path, value);
            continue;
        }
        append(query, "&");
        append(query, path);
        append(query, "=");
        append_value(query, value);
    }
}

static void expect_got(const struct echo *echo)
{
    struct query query = {.can_say = true};
    char target[QUERY_SIZE + 200];

    append_members(&query, "", echo->parameters);
    if (!query.can_say)
        return;
    (void)snprintf(target, sizeof(target), "%s?%s", echo->path, query.text + 1);
    struct answer answer = ask("GET", target, NULL);

    expect_same(echo, target, &answer);
    answer_release(&answer);
}

void expect_repeated(const char *path, bool has_get, const json_t *body)
{
    char *request = json_dumps(body, JSON_COMPACT);
    struct answer first = ask("POST", path, request);

    cr_assert_eq(first.status, 200, "%s %s: %s", path, request, first.body);
    const struct echo echo = {path, request, &first, with_tensors(&first, body)};

    expect_posted(&echo);
    expect_file(&echo);
    if (has_get && json_object_size(echo.parameters) > 0)
        expect_got(&echo);
    json_decref(echo.parameters);
    answer_release(&first);
    free(request);
}
