/*
 * Tables whose rows are added to vectors: what encodings of absolute positions are made of.
 *
 * An encoding describes its table in a posenc__additive_source, puts that into its record, and has
 * two operations: `table`, the rows themselves, and `apply`, a tensor plus the rows.
 */
#ifndef POSENC_ADDITIVE_H
#define POSENC_ADDITIVE_H

#include "inputs.h"

/* A table [rows, dim], not yet computed. What it points to lives in the memory it was made in. */
struct posenc__additive {
    size_t rows, dim;
    posenc__values *values;     /* of plan */
    posenc__elements *elements; /* of plan, the same faster; or NULL */
    const void *plan;
    uint64_t element_ns; /* about what an element takes; 0: next to nothing */
};

struct posenc__additive_source {
    /*
     * Makes the table that bound arguments ask for. `expected` is the number of rows that x needs,
     * or NULL where nothing is added to anything; `dim` is settled by then if x tells it.
     */
    enum posenc_status (*make)(struct posenc_arguments *arguments, const size_t *expected,
                               struct posenc_memory *memory, struct posenc__additive *table,
                               struct posenc_problem *problem);
};

/* The width of `x`, and where its sequence is: settles `dim`. */
enum posenc_status posenc__additive_read_x(struct posenc_arguments *arguments,
                                           struct posenc__axes *axes,
                                           struct posenc_problem *problem);

/* Appends the tensor `encoding`, the rows of a table; or `x`, what was sent plus the rows. */
enum posenc_status posenc__additive_add_table(const struct posenc__additive *table,
                                              struct posenc_arguments *arguments,
                                              struct posenc_memory *memory,
                                              struct posenc_result *result,
                                              struct posenc_problem *problem);
enum posenc_status posenc__additive_add_sum(const struct posenc__additive *table,
                                            const struct posenc__axes *axes,
                                            struct posenc_arguments *arguments,
                                            struct posenc_memory *memory,
                                            struct posenc_result *result,
                                            struct posenc_problem *problem);

/* The operations of an encoding that has an additive source. */
enum posenc_status posenc__plan_additive_table(struct posenc_arguments *arguments,
                                               struct posenc_memory *memory,
                                               struct posenc_result *result,
                                               struct posenc_problem *problem);
enum posenc_status posenc__plan_additive_apply(struct posenc_arguments *arguments,
                                               struct posenc_memory *memory,
                                               struct posenc_result *result,
                                               struct posenc_problem *problem);

/* The operation `table` of an encoding with one row per position, whose summary and rows are its
 * own, and the operation `apply` of any. */
#define POSENC__ADDITIVE_TABLE(...)                                                                \
    .name = "table", .groups = POSENC__GROUPS(__VA_ARGS__),                                        \
    .tensors = POSENC__TENSORS({"encoding", "[length, dim]", "one row per position"}),             \
    .plan = posenc__plan_additive_table
#define POSENC__ADDITIVE_APPLY(...)                                                                \
    .name = "apply", .summary = "adds the rows to a tensor", .takes_tensors = true,                \
    .groups = POSENC__GROUPS(posenc__additive_rows, posenc__sequence_axis_rows, __VA_ARGS__),      \
    .tensors = POSENC__TENSORS({"x", "[..., length, dim]", "x plus the encoding"}),                \
    .plan = posenc__plan_additive_apply

#endif
