/* Requests from public bug reports, each with the right value, computed independently. */
#ifndef CASES_H
#define CASES_H

#include "ask.h"

/* Values stand in tests with eight digits or more; a relative error. */
#define PRINTED 2e-8

/* Asks, by GET where body is NULL, and asserts that the answer has status 200. */
struct answer ask_case(const char *target, const char *body);

/* What stands at a path of the answer, as "tensors/cos/data/0/1"; asserts that it is there. */
json_t *found_at(const struct answer *answer, const char *path);

/* Asks for one number; "-Infinity" is one. */
double number_of(const char *target, const char *body, const char *path);

/* Asks, and expects numbers at a path, nested or not, in order. 0 is expected exactly. */
void expect_numbers(const char *target, const char *body, const char *path, const double *expected,
                    size_t count);

#define EXPECT_NUMBERS(target, body, path, ...)                                                    \
    expect_numbers((target), (body), (path), (const double[]){__VA_ARGS__},                        \
                   sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

void expect_near(double value, double expected, const char *what);

/* Asks /v1/identify, and expects the best explanation to be this fault, and its statement to say
 * these words. */
void expect_fault(const char *body, const char *fault, const char *words);

/* Asks, and expects status 422 for a parameter. */
void expect_refused(const char *target, const char *body, const char *parameter);

/* Asks, and expects a warning about a parameter. */
void expect_warning(const char *target, const char *body, const char *parameter);

#endif
