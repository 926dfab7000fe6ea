/*
 * One tensor as comma-separated values (RFC 4180), flattened to two dimensions: a column for each
 * item of the last axis, a row for each place on the axes before. Columns are called name_0,
 * name_1, ...; that of a list or of a scalar is called as the tensor is. The first row names them.
 */
#include <stdio.h>
#include <string.h>

#include "cells.h"
#include "format.h"
#include "printed.h"

#define CSV_NAME_MAX 128 /* bytes of a tensor's name in a column's */

struct csv_body {
    struct posenc_tensor tensor;
    bool is_list;   /* one column, which bears the tensor's name */
    size_t columns; /* in each row */
    size_t column;  /* that comes next */
    bool in_header;
    struct cells cells;
};

/* What stands behind a column: a comma, or the end of the line. */
static char *csv_end_column(struct csv_body *csv, char *at)
{
    if (csv->column < csv->columns && ++csv->column < csv->columns) {
        *at++ = ',';
        return at;
    }
    csv->column = 0;
    csv->in_header = false;
    *at++ = '\r';
    *at++ = '\n';
    return at;
}

static char *csv_print(void *state, char *at, size_t room)
{
    struct csv_body *const csv = state;
    const char *const name = csv->tensor.name;

    (void)room; /* for a piece there is always some */
    if (!csv->in_header && csv->cells.next == csv->cells.end)
        return at;
    if (!csv->in_header)
        at += cells_print(&csv->cells, at);
    else if (csv->is_list)
        at += snprintf(at, CSV_NAME_MAX + 1, "%.*s", CSV_NAME_MAX, name);
    else if (csv->columns > 0)
        at += snprintf(at, CSV_NAME_MAX + 24, "%.*s_%zu", CSV_NAME_MAX, name, csv->column);
    return csv_end_column(csv, at);
}

static enum posenc_status csv_open(const struct format_input *input, struct posenc_memory *memory,
                                   struct format_body *body, struct posenc_problem *problem)
{
    const struct posenc_tensor *const tensor = input->tensor;
    struct csv_body *const csv = posenc_allocate(memory, 1, sizeof *csv);

    if (!csv)
        return format_no_memory(problem);
    csv->tensor = *tensor;
    csv->is_list = tensor->rank < 2;
    csv->columns = csv->is_list ? 1 : tensor->shape[tensor->rank - 1];
    csv->column = 0;
    csv->in_header = true;
    cells_begin(&csv->cells, &csv->tensor, 0, tensor->count);
    return printed_open(csv_print, csv,
                        tensor->count <= PRINTED_SHORT_CELLS_MAX &&
                            csv->columns <= PRINTED_SHORT_CELLS_MAX,
                        memory, body, problem);
}

const struct format format_csv = {
    .name = "csv",
    .media_type = "text/csv",
    .extension = "csv",
    .summary = "one tensor flattened to rows and columns, with a row of column names on top",
    .carries_one_tensor = true,
    .open_elements_max = PRINTED_SHORT_CELLS_MAX,
    .byte_ps = 3000,
    .open = csv_open,
};
