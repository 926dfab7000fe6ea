/*
 * One tensor as people print arrays: its name, dtype and shape on top, then brackets by axis, with
 * columns that are aligned at the decimal point. Of a large tensor the middle of each long axis is
 * left out, as NumPy does. Columns are measured in a first pass over what will be printed.
 */
#include <stdio.h>
#include <string.h>

#include "cells.h"
#include "format.h"
#include "printed.h"

#define TEXT_WHOLE_MAX ((size_t)1000) /* elements that are printed without leaving any out */
#define TEXT_EDGE      ((size_t)3)    /* items on both ends of an axis that is cut */
#define TEXT_EDGE_DEEP ((size_t)1)    /* the same where axes are so many that 7^rank is a lot */
#define TEXT_DEEP_RANK ((size_t)5)
#define TEXT_LINE_MAX  ((size_t)120) /* bytes of a line, unless one column needs more */
#define TEXT_NAME_MAX  128
#define TEXT_ELLIPSIS  "..."
#define TEXT_TITLE_MAX (TEXT_NAME_MAX + 24 * POSENC_RANK_MAX + 24)

struct text_body {
    struct posenc_tensor tensor;
    size_t edge;
    bool is_cut[POSENC_RANK_MAX];
    size_t visible[POSENC_RANK_MAX]; /* items of each axis that are printed, or "..." */
    size_t place[POSENC_RANK_MAX];   /* of the next item among them */
    bool has_title, is_finished;
    size_t before, after; /* bytes of the widest number before its point, and from it on */
    size_t line_cells;    /* columns in a line */
    struct cells cells;
};

static bool is_ellipsis(const struct text_body *body, size_t axis)
{
    return body->is_cut[axis] && body->place[axis] == body->edge;
}

/* The first axis whose ellipsis comes next; the rank when an element does. */
static size_t ellipsis_axis(const struct text_body *body)
{
    size_t axis = 0;

    while (axis < body->tensor.rank && !is_ellipsis(body, axis))
        axis++;
    return axis;
}

static size_t index_on_axis(const struct text_body *body, size_t axis)
{
    const size_t place = body->place[axis];

    return body->is_cut[axis] && place > body->edge
               ? body->tensor.shape[axis] - body->visible[axis] + place
               : place;
}

static size_t element_index(const struct text_body *body)
{
    size_t index = 0;

    for (size_t axis = 0; axis < body->tensor.rank; axis++)
        index = index * body->tensor.shape[axis] + index_on_axis(body, axis);
    return index;
}

static char *print_repeated(char *at, char byte, size_t count)
{
    memset(at, byte, count);
    return at + count;
}

/*
 * What stands before an item: nothing before the very first, a line end for each axis that starts
 * anew, or a blank between columns. From axis `first` on all places are 0.
 */
static char *print_before(const struct text_body *body, size_t first, char *at)
{
    const size_t rank = body->tensor.rank;

    if (first == 0)
        return at;
    if (first < rank) {
        at = print_repeated(at, '\n', rank - first);
        return print_repeated(at, ' ', first);
    }
    if (body->place[rank - 1] % body->line_cells != 0)
        return print_repeated(at, ' ', 1);
    at = print_repeated(at, '\n', 1);
    return print_repeated(at, ' ', rank);
}

/* Bytes before the decimal point or the exponent, or all of them. */
static size_t point_of(const char *number, size_t length)
{
    size_t point = 0;

    while (point < length && number[point] != '.' && number[point] != 'e')
        point++;
    return point;
}

static char *print_cell(struct text_body *body, char *at)
{
    char number[CELL_MAX];
    const size_t length = cells_print(&body->cells, number);
    const size_t before = point_of(number, length), after = length - before;

    /* This grows them in the first pass only. */
    body->before = body->before > before ? body->before : before;
    body->after = body->after > after ? body->after : after;
    at = print_repeated(at, ' ', body->before - before);
    memcpy(at, number, length);
    return print_repeated(at + length, ' ', body->after - after);
}

/* Goes to the next item of an axis; closes those that end. */
static char *step(struct text_body *body, size_t depth, char *at)
{
    for (size_t axis = depth; axis-- > 0;) {
        if (++body->place[axis] < body->visible[axis])
            return at;
        body->place[axis] = 0;
        *at++ = ']';
    }
    body->is_finished = true;
    *at++ = '\n';
    return at;
}

static char *print_ellipsis(struct text_body *body, size_t axis, char *at)
{
    at = print_before(body, axis + 1, at);
    memcpy(at, TEXT_ELLIPSIS, strlen(TEXT_ELLIPSIS));
    return step(body, axis + 1, at + strlen(TEXT_ELLIPSIS));
}

static char *print_element(struct text_body *body, char *at)
{
    const size_t rank = body->tensor.rank;
    size_t first = rank;

    while (first > 0 && body->place[first - 1] == 0)
        first--;
    at = print_before(body, first, at);
    at = print_repeated(at, '[', rank - first);
    if (body->cells.next == body->cells.end) {
        const size_t last = rank > 0 ? rank - 1 : 0;
        const size_t row = rank > 0 ? body->visible[last] : 1;

        cells_begin(&body->cells, &body->tensor, element_index(body),
                    body->is_cut[last] ? body->edge : row);
    }
    return step(body, rank, print_cell(body, at));
}

static char *print_title(struct text_body *body, char *at)
{
    char *const start = at;

    at += snprintf(at, TEXT_TITLE_MAX, "%.*s: %s [", TEXT_NAME_MAX, body->tensor.name,
                   posenc_dtype_name(body->tensor.dtype));
    for (size_t axis = 0; axis < body->tensor.rank; axis++)
        at += snprintf(at, TEXT_TITLE_MAX - (size_t)(at - start), axis ? ", %zu" : "%zu",
                       body->tensor.shape[axis]);
    at += snprintf(at, TEXT_TITLE_MAX - (size_t)(at - start), "]\n");
    body->has_title = true;
    return at;
}

static char *text_print(void *state, char *at, size_t room)
{
    struct text_body *const body = state;

    (void)room; /* for a piece there is always some */
    if (!body->has_title)
        return print_title(body, at);
    if (body->is_finished)
        return at;
    if (body->tensor.count == 0) {
        body->is_finished = true;
        return at + snprintf(at, 4, "[]\n");
    }
    const size_t axis = ellipsis_axis(body);

    return axis < body->tensor.rank ? print_ellipsis(body, axis, at) : print_element(body, at);
}

/* Prints to nowhere, which leaves everything but the widths as it was. */
static void measure(struct text_body *body)
{
    char piece[PRINTED_PIECE_MAX];

    body->line_cells = SIZE_MAX;
    while (text_print(body, piece, sizeof piece) > piece)
        ;
    body->has_title = body->is_finished = false;

    const size_t cell = body->before + body->after + 1, brackets = 2 * body->tensor.rank;

    body->line_cells = cell < TEXT_LINE_MAX - brackets ? (TEXT_LINE_MAX - brackets) / cell : 1;
}

static enum posenc_status text_open(const struct format_input *input, struct posenc_memory *memory,
                                    struct format_body *body, struct posenc_problem *problem)
{
    const struct posenc_tensor *const tensor = input->tensor;
    struct text_body *const text = posenc_allocate(memory, 1, sizeof *text);

    if (!text)
        return format_no_memory(problem);
    memset(text, 0, sizeof *text);
    text->tensor = *tensor;
    text->edge = tensor->rank < TEXT_DEEP_RANK ? TEXT_EDGE : TEXT_EDGE_DEEP;
    for (size_t axis = 0; axis < tensor->rank; axis++) {
        text->is_cut[axis] = tensor->count > TEXT_WHOLE_MAX && tensor->shape[axis] > 2 * text->edge;
        text->visible[axis] = text->is_cut[axis] ? 2 * text->edge + 1 : tensor->shape[axis];
    }
    measure(text);
    /* Short in any case: 1000 elements, or at most 7^4 or 3^8 of more. */
    return printed_open(text_print, text, true, memory, body, problem);
}

const struct format format_text = {
    .name = "text",
    .media_type = "text/plain",
    .extension = "txt",
    .summary = "one tensor for people to look at: aligned columns, and ... in the middle of long "
               "axes",
    .carries_one_tensor = true,
    .open_elements_max = 6561, /* 3^8, see text_open() */
    .open = text_open,
};
