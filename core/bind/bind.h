/* Between binding (which row does a name mean?) and converting (is this a value of the row's
 * type?). */
#ifndef POSENC_BIND_H
#define POSENC_BIND_H

#include "internal.h"

/* What stays the same while one request is bound. */
struct posenc__binding {
    const struct posenc_schema *schema;
    const struct posenc_preset *preset; /* or NULL */
    struct posenc_memory *memory;
    struct posenc_arguments *arguments; /* takes the warnings */
    struct posenc_problem *problem;
};

/*
 * Converts a raw value to the row's type, checks range and choices, and stores it. `path` is the
 * dotted name that problems report.
 */
enum posenc_status posenc__convert(const struct posenc__binding *binding,
                                   const struct posenc_parameter *row, const char *path,
                                   const struct posenc_value *raw,
                                   struct posenc_argument *argument);

/* Binds the members of an object that is itself a parameter, to the object's own rows. */
enum posenc_status posenc__bind_object(const struct posenc__binding *binding,
                                       const struct posenc_parameter *row, const char *path,
                                       const struct posenc_value *raw, struct posenc_value *value);

/*
 * Converts a list, or a list of lists, of numbers and nulls to an array in which a null is a NaN;
 * which of its numbers are rounded stays known. False when anything else stands in it, or rows
 * differ in length; NULL data when memory is out.
 */
bool posenc__convert_nulls(const struct posenc_value *raw, struct posenc_memory *memory,
                           struct posenc_value *value);

/* Converts a list of texts, an untyped text, or an empty array, to a list of the row's choices. */
enum posenc_status posenc__convert_choices(const struct posenc__binding *binding,
                                           const struct posenc_parameter *row, const char *path,
                                           const struct posenc_value *raw,
                                           struct posenc_argument *argument);

/* Converts {"dtype", "shape", "data"} to an array. */
enum posenc_status posenc__convert_tensor(const struct posenc__binding *binding, const char *path,
                                          const struct posenc_value *raw,
                                          struct posenc_argument *argument);

/* Widens an array to float64, in the memory; false when there is no more. */
bool posenc__widen_array(struct posenc_memory *memory, struct posenc_array *array);

/* A raw value as a short text, for the problem's `value`. */
void posenc__describe(const struct posenc_value *raw, char *text, size_t size);

#endif
