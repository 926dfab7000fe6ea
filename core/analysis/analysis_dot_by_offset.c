/*
 * The dot product of two rows, which depends on nothing but the offset between them:
 *
 *   row(p) . row(p + k) = A^2 sum of cos(k w_i),  A what multiplies the table
 */
#include "analysis_dots.h"

static enum posenc_status plan_dot_by_offset(struct posenc_arguments *arguments,
                                             struct posenc_memory *memory,
                                             struct posenc_result *result,
                                             struct posenc_problem *problem)
{
    return posenc__plan_dots(arguments, memory, result, posenc__dot_values, false, problem);
}

const struct posenc__quantity posenc__quantity_dot_by_offset = {
    .operation = {.name = "dot_by_offset",
                  .summary =
                      "the dot product of two rows by the offset between them: a sum of cosines",
                  .asks_encoding = "table",
                  .groups = (const struct posenc_parameter *const[]){posenc__encoding_rows,
                                                                     posenc__offset_rows,
                                                                     posenc__dtype_rows, NULL},
                  .tensors = (const struct posenc_tensor_row[]){{"dot_by_offset", "[offsets]",
                                                                 "one product for each offset"},
                                                                {.name = NULL}},
                  .plan = plan_dot_by_offset},
    .serves = posenc__has_waves,
    .needs = posenc__needs_waves,
};
