/*
 * What a right tensor may have gone through: scaled, shifted by a constant a row, transposed, cut
 * off, its columns or heads in another order. Each kind is tried where the tensor is none of the
 * encoding's own.
 */
#include <math.h>
#include <string.h>

#include "identify.h"

#define COLUMNS_MAX   1024 /* whose order is looked for */
#define HEADS_MAX     1024
#define ELEMENTS_MIN  3  /* to tell a number from */
#define TAIL_ROWS_MIN 2  /* right rows in front of a tail */
#define COMPARED_MAX  64 /* rows or elements by which columns and heads are told apart */

void posenc__swap_last_axes(struct posenc_array *array)
{
    if (array->rank < 2)
        return;
    const size_t last = array->shape[array->rank - 1];

    array->shape[array->rank - 1] = array->shape[array->rank - 2];
    array->shape[array->rank - 2] = last;
}

/* A right tensor on its way through a view: both have `count` elements in rows of `width`. */
struct viewing {
    const struct posenc__sent *sent;
    const struct posenc_array *x;
    const struct posenc__view *view;
    double *out;
};

static void scale(const struct viewing *viewing)
{
    for (size_t i = 0; i < viewing->sent->count; i++)
        viewing->out[i] *= viewing->view->number;
}

/* Gives each row the mean difference to the tensor's. */
static void offset_rows(const struct viewing *viewing)
{
    const struct posenc__sent *sent = viewing->sent;

    for (size_t row = 0; row < sent->rows; row++) {
        const double *actual = sent->values + row * sent->width;
        double *out = viewing->out + row * sent->width, sum = 0;
        size_t count = 0;

        for (size_t i = 0; i < sent->width; i++)
            if (isfinite(actual[i]) && isfinite(out[i])) {
                sum += actual[i] - out[i];
                count++;
            }
        for (size_t i = 0; i < sent->width && count > 0; i++)
            out[i] += sum / (double)count;
    }
}

static void cut_tail(const struct viewing *viewing)
{
    const struct posenc__sent *sent = viewing->sent;
    const size_t width = sent->width, first = (size_t)viewing->view->number;

    for (size_t row = first; row < sent->rows; row++) {
        double *out = viewing->out + row * width;

        if (viewing->view->kind == POSENC__VIEW_ZERO_TAIL)
            memset(out, 0, width * sizeof(*out));
        else if (viewing->view->kind == POSENC__VIEW_LAST_TAIL)
            memcpy(out, viewing->out + (first - 1) * width, width * sizeof(*out));
        else if (viewing->view->kind == POSENC__VIEW_WRAPPED)
            memcpy(out, viewing->out + row % first * width, width * sizeof(*out));
        else
            posenc__read_array(viewing->x, row * width, width, out);
    }
}

/* Entries of `size` elements of `groups` blocks in the view's order. */
static void reorder(const struct viewing *viewing, size_t groups, size_t size, double *room)
{
    const size_t entries = viewing->view->order_count;

    for (size_t group = 0; group < groups; group++) {
        double *out = viewing->out + group * entries * size;

        memcpy(room, out, entries * size * sizeof(*room));
        for (size_t i = 0; i < entries; i++)
            memcpy(out + i * size, room + viewing->view->order[i] * size, size * sizeof(*out));
    }
}

/* Fills in the transpose of each matrix; `room` holds the whole tensor as it was planned. */
static void transpose(const struct viewing *viewing, const double *room)
{
    const struct posenc_array *array = &viewing->sent->array;
    const size_t columns = array->shape[array->rank - 1], rows = array->shape[array->rank - 2];

    for (size_t i = 0; i < viewing->sent->count; i++) {
        const size_t matrix = i / (rows * columns), place = i % (rows * columns);
        const size_t row = place / columns, column = place % columns;

        viewing->out[i] = room[matrix * rows * columns + column * rows + row];
    }
}

enum posenc_status posenc__view_all(struct posenc__question *question,
                                    const struct posenc__guess *guess,
                                    const struct posenc__planned *planned, double *out)
{
    const struct posenc__sent *sent = &question->sent;
    const struct viewing viewing = {sent, question->x, &guess->view, out};
    struct posenc_memory memory = posenc__trial_memory(question);
    double *room = posenc_allocate(&memory, sent->count, sizeof(*room));
    enum posenc_status status = POSENC_OK;

    if (!room)
        status = posenc__no_memory(question->problem);
    if (status == POSENC_OK)
        status = posenc__fill_whole(planned->tensor, &memory, room, question->problem);
    if (status == POSENC_OK)
        posenc_widen(planned->tensor->dtype, room, sent->count, out);
    switch (status == POSENC_OK ? guess->view.kind : POSENC__VIEW_NONE) {
    case POSENC__VIEW_NONE:
        break;
    case POSENC__VIEW_SCALED:
        scale(&viewing);
        break;
    case POSENC__VIEW_ROW_OFFSET:
        offset_rows(&viewing);
        break;
    case POSENC__VIEW_TRANSPOSED:
        memcpy(room, out, sent->count * sizeof(*room));
        transpose(&viewing, room);
        break;
    case POSENC__VIEW_ZERO_TAIL:
    case POSENC__VIEW_LAST_TAIL:
    case POSENC__VIEW_WRAPPED:
    case POSENC__VIEW_INPUT_TAIL:
        cut_tail(&viewing);
        break;
    case POSENC__VIEW_COLUMNS:
        reorder(&viewing, sent->rows, 1, room);
        break;
    case POSENC__VIEW_HEADS:
        reorder(&viewing, 1, sent->count / guess->view.order_count, room);
        break;
    }
    posenc_memory_release(&memory);
    return status;
}

/* A guess on its way through the views. */
struct trying {
    struct posenc__question *question;
    struct posenc__guess guess;
    bool are_integers;      /* buckets and indices */
    const double *expected; /* all of it; NULL for the transpose, which has its own plan */
};

static enum posenc_status try_view(struct trying *trying, enum posenc__view_kind kind,
                                   double number)
{
    struct posenc__guess guess = trying->guess;

    guess.view.kind = kind;
    guess.view.number = number;
    guess.cost++;
    guess.fit = (struct posenc__fit){.agreement = POSENC__AGREE_NOT, .mean_difference = INFINITY};
    const enum posenc_status status = posenc__try_whole(trying->question, &guess);

    if (status == POSENC_OK && guess.fit.agreement <= POSENC__AGREE_NEAR)
        posenc__keep(trying->question, &guess);
    return status;
}

/* The factor of least squares. */
static enum posenc_status try_factor(struct trying *trying)
{
    const struct posenc__sent *sent = &trying->question->sent;
    double products = 0, squares = 0;

    for (size_t i = 0; i < sent->count; i++) {
        const double actual = sent->values[i], expected = trying->expected[i];

        if (!isfinite(actual) || !isfinite(expected))
            continue;
        products += actual * expected;
        squares += expected * expected;
    }
    const double factor = products / squares;

    if (!isfinite(factor) || factor == 0 || fabs(factor - 1) < 1e-9)
        return POSENC_OK;
    return try_view(trying, POSENC__VIEW_SCALED, factor);
}

static enum posenc_status try_tails(struct trying *trying)
{
    static const enum posenc__view_kind kinds[] = {POSENC__VIEW_ZERO_TAIL, POSENC__VIEW_LAST_TAIL,
                                                   POSENC__VIEW_WRAPPED, POSENC__VIEW_INPUT_TAIL};
    const struct posenc__sent *sent = &trying->question->sent;
    const bool has_input = trying->question->x != NULL;
    const size_t first = trying->guess.fit.first_different / sent->width;
    enum posenc_status status = POSENC_OK;

    if (first < (has_input ? 1 : TAIL_ROWS_MIN) || first >= sent->rows)
        return POSENC_OK;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds) && status == POSENC_OK; i++)
        if (kinds[i] != POSENC__VIEW_INPUT_TAIL || has_input)
            status = try_view(trying, kinds[i], (double)first);
    return status;
}

/* Entries of the tensor among those expected: element `j` of entry i stands at i * entry + j *
 * stride. */
struct matching {
    size_t entries, entry, elements, stride;
};

/* How far entry `actual` is from the one expected as `expected`, over the elements compared. */
static double distance(const struct trying *trying, const struct matching *matching, size_t actual,
                       size_t expected, double most)
{
    const double *a = trying->question->sent.values + actual * matching->entry;
    const double *e = trying->expected + expected * matching->entry;
    double sum = 0;

    for (size_t i = 0; i < matching->elements && sum <= most; i++) {
        const size_t offset = i * matching->stride;

        sum += a[offset] == e[offset] ? 0 : fabs(a[offset] - e[offset]);
    }
    return isnan(sum) ? (double)INFINITY : sum;
}

/* The nearest of the entries that are left: itself rather than another that is as near. */
static size_t nearest(const struct trying *trying, const struct matching *matching, size_t actual,
                      const bool *is_taken)
{
    size_t found = actual;
    double least =
        is_taken[actual] ? (double)INFINITY : distance(trying, matching, actual, actual, INFINITY);

    for (size_t i = 0; i < matching->entries; i++) {
        const double off =
            is_taken[i] ? (double)INFINITY : distance(trying, matching, actual, i, least);

        if (off < least) {
            least = off;
            found = i;
        }
    }
    return found;
}

/* Finds for each entry the one that it is; false where one is none, or all stand in order. */
static bool match(const struct trying *trying, const struct matching *matching, size_t *order,
                  bool *is_taken)
{
    bool in_order = true;

    memset(is_taken, 0, matching->entries * sizeof(*is_taken));
    for (size_t i = 0; i < matching->entries; i++) {
        order[i] = nearest(trying, matching, i, is_taken);
        if (is_taken[order[i]])
            return false;
        is_taken[order[i]] = true;
        in_order = in_order && order[i] == i;
    }
    return !in_order;
}

static enum posenc_status try_order(struct trying *trying, enum posenc__view_kind kind,
                                    const struct matching *matching)
{
    struct posenc_memory *memory = trying->question->memory;
    size_t *order = posenc_allocate(memory, matching->entries, sizeof(*order));
    bool *is_taken = posenc_allocate(memory, matching->entries, sizeof(*is_taken));

    if (!order || !is_taken)
        return posenc__no_memory(trying->question->problem);
    if (!match(trying, matching, order, is_taken))
        return POSENC_OK;
    trying->guess.view.order = order;
    trying->guess.view.order_count = matching->entries;
    return try_view(trying, kind, 0);
}

static enum posenc_status try_orders(struct trying *trying)
{
    const struct posenc__sent *sent = &trying->question->sent;
    const struct posenc_array *array = &sent->array;
    const size_t heads = array->rank > 2 ? array->shape[0] : 0;
    const size_t rows = sent->rows < COMPARED_MAX ? sent->rows : COMPARED_MAX;
    const struct matching columns = {sent->width, 1, rows, sent->rows / rows * sent->width};
    enum posenc_status status = POSENC_OK;

    if (sent->width <= COLUMNS_MAX)
        status = try_order(trying, POSENC__VIEW_COLUMNS, &columns);
    if (status != POSENC_OK || heads < 2 || heads > HEADS_MAX)
        return status;
    const size_t entry = sent->count / heads;
    const size_t elements = entry < COMPARED_MAX ? entry : COMPARED_MAX;
    const struct matching blocks = {heads, entry, elements, entry / elements};

    return try_order(trying, POSENC__VIEW_HEADS, &blocks);
}

static enum posenc_status try_transpose(struct trying *trying)
{
    return trying->question->sent.array.rank < 2 ? POSENC_OK
                                                 : try_view(trying, POSENC__VIEW_TRANSPOSED, 0);
}

/* A factor, and constants of rows: of rows that are long enough to tell one. */
static enum posenc_status try_numbers(struct trying *trying)
{
    const struct posenc__sent *sent = &trying->question->sent;
    enum posenc_status status = POSENC_OK;

    if (sent->count >= ELEMENTS_MIN)
        status = try_factor(trying);
    if (status == POSENC_OK && sent->width >= ELEMENTS_MIN)
        status = try_view(trying, POSENC__VIEW_ROW_OFFSET, 0);
    return status;
}

/* What is as wide as the tensor. */
static enum posenc_status try_same_shape(struct trying *trying, double *expected)
{
    struct posenc__question *question = trying->question;
    struct posenc__comparison comparison;
    enum posenc_status status;

    trying->expected = expected;
    posenc__comparison_init(&comparison, &question->sent, false);
    status = posenc__compare_whole(&comparison, expected, question->memory, question->problem);
    trying->guess.fit = posenc__comparison_end(&comparison);
    if (status == POSENC_OK && !trying->are_integers)
        status = try_numbers(trying);
    if (status == POSENC_OK)
        status = try_tails(trying);
    return status == POSENC_OK ? try_orders(trying) : status;
}

enum posenc_status posenc__try_views(struct posenc__question *question,
                                     const struct posenc__guess *guess)
{
    struct trying trying = {.question = question, .guess = *guess};
    struct posenc_memory memory = posenc__trial_memory(question);
    struct posenc__planned planned;
    enum posenc_status status = posenc__plan_guess(question, guess, &memory, &planned);

    if (status == POSENC_OK && planned.tensor) {
        double *expected = posenc_allocate(&memory, question->sent.count, sizeof(*expected));

        trying.are_integers =
            planned.tensor->dtype == POSENC_INT32 || planned.tensor->dtype == POSENC_INT64;
        if (!expected)
            status = posenc__no_memory(question->problem);
        if (status == POSENC_OK)
            status = posenc__view_all(question, guess, &planned, expected);
        if (status == POSENC_OK)
            status = try_same_shape(&trying, expected);
    }
    posenc_memory_release(&memory);
    trying.guess.view = guess->view;
    return status == POSENC_OK ? try_transpose(&trying) : status;
}
