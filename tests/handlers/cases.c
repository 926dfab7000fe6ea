#include "cases.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct answer ask_case(const char *target, const char *body)
{
    struct answer answer = ask(body ? "POST" : "GET", target, body);

    cr_assert_eq(answer.status, 200, "%s %s: %s", target, body ? body : "", answer.body);
    return answer;
}

static json_t *step_into(json_t *place, const char *step)
{
    return json_is_array(place) ? json_array_get(place, strtoul(step, NULL, 10))
                                : json_object_get(place, step);
}

json_t *found_at(const struct answer *answer, const char *path)
{
    json_t *place = answer->document;
    char copy[200], *rest = NULL;

    cr_assert_lt(strlen(path), sizeof(copy));
    memcpy(copy, path, strlen(path) + 1);
    for (char *step = strtok_r(copy, "/", &rest); step; step = strtok_r(NULL, "/", &rest))
        place = step_into(place, step);
    cr_assert_not_null(place, "there is nothing at %s", path);
    return place;
}

static double number_in(const json_t *value)
{
    if (json_is_string(value))
        return strtod(json_string_value(value), NULL);
    cr_assert(json_is_number(value));
    return json_number_value(value);
}

double number_of(const char *target, const char *body, const char *path)
{
    struct answer answer = ask_case(target, body);
    const double value = number_in(found_at(&answer, path));

    answer_release(&answer);
    return value;
}

void expect_near(double value, double expected, const char *what)
{
    cr_expect(value == expected || fabs(value - expected) <= PRINTED * fabs(expected),
              "%s: %.17g, not %.17g", what, value, expected);
}

/* Walks nested arrays; returns how many numbers there were. */
static size_t expect_nested(const json_t *value, const double *expected, size_t count, size_t done,
                            const char *target)
{
    if (!json_is_array(value)) {
        cr_assert_lt(done, count, "%s: there are more than %zu numbers", target, count);
        expect_near(number_in(value), expected[done], target);
        return done + 1;
    }
    for (size_t i = 0; i < json_array_size(value); i++)
        done = expect_nested(json_array_get(value, i), expected, count, done, target);
    return done;
}

void expect_numbers(const char *target, const char *body, const char *path, const double *expected,
                    size_t count)
{
    struct answer answer = ask_case(target, body);

    cr_expect_eq(expect_nested(found_at(&answer, path), expected, count, 0, target), count, "%s",
                 target);
    answer_release(&answer);
}

void expect_refused(const char *target, const char *body, const char *parameter)
{
    struct answer answer = ask(body ? "POST" : "GET", target, body);

    cr_expect_eq(answer.status, 422, "%s %s: %s", target, body ? body : "", answer.body);
    cr_expect_str_eq(answer_text(&answer, "parameter"), parameter);
    answer_release(&answer);
}

void expect_warning(const char *target, const char *body, const char *parameter)
{
    struct answer answer = ask_case(target, body);
    const json_t *warnings = json_object_get(answer.document, "warnings"), *warning;
    bool found = false;
    size_t i;

    json_array_foreach(warnings, i, warning) found =
        found || strcmp(json_string_value(json_object_get(warning, "parameter")), parameter) == 0;
    cr_expect(found, "%s: no warning about %s", target, parameter);
    answer_release(&answer);
}

void expect_fault(const char *body, const char *fault, const char *words)
{
    struct answer answer = ask_case("/v1/identify", body);
    const char *statement = json_string_value(found_at(&answer, "derived/statement"));
    const char *named =
        json_string_value(json_object_get(found_at(&answer, "derived/explanations/0"), "fault"));

    cr_expect(named && strcmp(named, fault) == 0, "%s: %s", body, statement);
    cr_expect(strstr(statement, words), "%s does not say: %s", statement, words);
    answer_release(&answer);
}
