/* Wrong tensors made by hand, with what they should have been, and the words that name the mistake.
 */
#ifndef TESTS_IDENTIFY_CASE_H
#define TESTS_IDENTIFY_CASE_H

#include "asking_identify.h"

struct identify_case {
    struct posenc_value actual;
    struct posenc_value x; /* null: actual is a table or a bias */
    const char *encoding, *part;
    struct posenc_member parameters;
};

/* Parameters of a case, as a member. */
#define EXPECTED(...) ((struct posenc_member)PARAMETERS(__VA_ARGS__))

/* A dictionary as a member. */
#define OBJECT(name, ...)                                                                          \
    {                                                                                              \
        (name), posenc_object((const struct posenc_member[]){__VA_ARGS__},                         \
                              sizeof((const struct posenc_member[]){__VA_ARGS__}) /                \
                                  sizeof(struct posenc_member))                                    \
    }

#define LIST_OF(name, ...)                                                                         \
    {                                                                                              \
        (name), LIST(__VA_ARGS__)                                                                  \
    }

/* Expects the verdict, and the words in its statement. */
void expect_case(const struct identify_case *identify_case, const char *verdict, const char *words);

/* expect_mistake("'base' is 10000", .actual = ..., .encoding = "rope", .parameters = ...) */
#define expect_mistake(words, ...)                                                                 \
    expect_case(&(const struct identify_case){__VA_ARGS__}, "mistaken", (words))

/* The frequencies base^(-2i / width) of `count` pairs, by pow. */
void geometric_frequencies(double base, double width, size_t count, double *out);

/* wave(position * frequency), one row a position, in `out`: [rows][pairs] numbers. */
struct posenc_value wave_table(double (*wave)(double), const double *positions, size_t rows,
                               const double *frequencies, size_t pairs, double *out);

/* A tensor of any shape. */
struct posenc_value tensor_value(size_t rank, const size_t *shape, const double *numbers);

#define SHAPED(numbers, ...)                                                                       \
    tensor_value(sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t),                           \
                 (const size_t[]){__VA_ARGS__}, (numbers))

/* Numbers in [-1, 1) that follow from the seed. */
void draw_numbers(uint64_t seed, size_t count, double *out);

#endif
