/* Positions that were counted or rounded otherwise than expected. */
#include <math.h>
#include <string.h>

#include "identify.h"

/* The positions that the context's tensor has, where they are one list, in the memory. */
static const double *list_positions(struct posenc_memory *memory,
                                    const struct posenc__context *context, size_t *count)
{
    const struct posenc_value *given = posenc__current(context, "positions");
    const struct posenc_value *length = posenc__current(context, "length");
    const struct posenc_value *offset = posenc__current(context, "offset");
    const struct posenc_value *step = posenc__current(context, "step");
    double *numbers;

    *count = 0;
    if (given && (given->kind != POSENC_ARRAY || given->as.array.rank != 1))
        return NULL;
    if (!given && (!length || !offset || !step))
        return NULL;
    *count = given ? given->as.array.shape[0] : (size_t)length->as.number;
    numbers = posenc_allocate(memory, *count, sizeof(*numbers));
    if (!numbers)
        return NULL;
    if (given)
        posenc__read_array(&given->as.array, 0, *count, numbers);
    for (size_t i = 0; i < *count && !given; i++)
        numbers[i] = offset->as.number + (double)i * step->as.number;
    return numbers;
}

static const char *const replaced[] = {"length", "offset", "step", NULL};

static bool add_positions(const struct posenc__question *question, const char *words,
                          const double *positions, size_t count, struct posenc__changes *changes)
{
    struct posenc_member *member = posenc_allocate(question->memory, 1, sizeof(*member));

    if (!member)
        return false;
    *member = (struct posenc_member){"positions", posenc_numbers(positions, count)};
    const struct posenc__change change = {.parameter = "positions",
                                          .is = posenc_text(words),
                                          .words = words,
                                          .sets = {member, 1},
                                          .drops = replaced,
                                          .cost = 1};

    return posenc__add_change(changes, question->memory, &change);
}

/* Positions that went through a small type; nothing where all survive. */
static bool add_rounded(const struct posenc__question *question, enum posenc_dtype dtype,
                        const double *positions, size_t count, struct posenc__changes *changes)
{
    double *rounded = posenc_allocate(question->memory, count, sizeof(*rounded));
    void *elements = posenc_allocate(question->memory, count, posenc_dtype_size(dtype));
    const char *words =
        posenc__format(question->memory, "positions were rounded to %s", posenc_dtype_name(dtype));

    if (!rounded || !elements || !words)
        return false;
    posenc_round(dtype, positions, count, elements);
    posenc_widen(dtype, elements, count, rounded);
    if (memcmp(rounded, positions, count * sizeof(*rounded)) == 0)
        return true;
    return add_positions(question, words, rounded, count, changes);
}

static bool add_constant(const struct posenc__question *question, const char *words, double number,
                         size_t count, struct posenc__changes *changes)
{
    double *numbers = posenc_allocate(question->memory, count, sizeof(*numbers));

    if (!numbers)
        return false;
    for (size_t i = 0; i < count; i++)
        numbers[i] = number;
    return add_positions(question, words, numbers, count, changes);
}

/* Positions that are those of the rows, whatever was asked for. */
static bool add_rows(const struct posenc__question *question, size_t count,
                     struct posenc__changes *changes)
{
    double *numbers = posenc_allocate(question->memory, count, sizeof(*numbers));

    if (!numbers)
        return false;
    for (size_t i = 0; i < count; i++)
        numbers[i] = (double)i;
    return add_positions(question, "rows are counted from 0", numbers, count, changes);
}

static bool add_reversed(const struct posenc__question *question, const double *positions,
                         size_t count, struct posenc__changes *changes)
{
    double *numbers = posenc_allocate(question->memory, count, sizeof(*numbers));

    if (!numbers)
        return false;
    for (size_t i = 0; i < count; i++)
        numbers[i] = positions[count - 1 - i];
    return add_positions(question, "positions run backwards", numbers, count, changes);
}

static bool add_shifted(const struct posenc__question *question, double shift,
                        const double *positions, size_t count, struct posenc__changes *changes)
{
    double *numbers = posenc_allocate(question->memory, count, sizeof(*numbers));
    const char *words = posenc__format(question->memory, "every position is %.17g too %s",
                                       fabs(shift), shift > 0 ? "large" : "small");

    if (!numbers || !words)
        return false;
    for (size_t i = 0; i < count; i++)
        numbers[i] = positions[i] + shift;
    return add_positions(question, words, numbers, count, changes);
}

enum posenc_status posenc__list_position_changes(struct posenc__question *question,
                                                 const struct posenc__context *context,
                                                 struct posenc__changes *changes)
{
    static const double shifts[] = {1, -1, 2, -2};
    size_t count;
    const double *positions = list_positions(question->memory, context, &count);
    bool has_room = true;

    if (!posenc__row_of(context->operation, "positions") || count == 0)
        return POSENC_OK;
    if (!positions)
        return posenc__no_memory(question->problem);
    for (size_t i = 0; i < sizeof(shifts) / sizeof(*shifts) && has_room; i++)
        has_room = add_shifted(question, shifts[i], positions, count, changes);
    if (count > 1 && has_room)
        has_room = add_constant(question, "every row stands at the first position", positions[0],
                                count, changes) &&
                   add_constant(question, "every row stands at the last position",
                                positions[count - 1], count, changes) &&
                   add_reversed(question, positions, count, changes) &&
                   add_rows(question, count, changes);
    if (has_room)
        has_room = add_constant(question, "every row stands at position 0", 0, count, changes) &&
                   add_rounded(question, POSENC_BFLOAT16, positions, count, changes) &&
                   add_rounded(question, POSENC_FLOAT16, positions, count, changes);
    return has_room ? POSENC_OK : posenc__no_memory(question->problem);
}

#define SHIFT_MAX  4096 /* positions that are looked through on either side */
#define PLACES_MAX 4    /* that are tried */

/* Places in a planned window, the nearest first. */
struct places {
    size_t items[PLACES_MAX];
    double off[PLACES_MAX];
    size_t count;
};

static void keep_place(struct places *places, size_t place, double off)
{
    size_t at = places->count < PLACES_MAX ? places->count++ : PLACES_MAX - 1;

    for (; at > 0 && places->off[at - 1] > off; at--) {
        places->items[at] = places->items[at - 1];
        places->off[at] = places->off[at - 1];
    }
    places->items[at] = place;
    places->off[at] = off;
}

/* Those whose row is that of the tensor's first sampled row: several, since a cosine does not tell
 * a position from its negative. */
static void find_rows(const struct posenc__question *question, const struct posenc_tensor *window,
                      struct places *places)
{
    const struct posenc__sent *sent = &question->sent;
    const double most = 1e-2 * sent->magnitude * (double)sent->sample_width;
    double row[POSENC__IDENTIFY_SAMPLE_MAX];

    places->count = 0;
    for (size_t i = 0; i * sent->width < window->count; i++) {
        double sum = 0;

        posenc_fill(window, i * sent->width, sent->sample_width, row);
        for (size_t j = 0; j < sent->sample_width; j++)
            sum += fabs(row[j] - sent->values[sent->sample_rows[0] * sent->width + j]);
        if (sum <= most && (places->count < PLACES_MAX || sum < places->off[PLACES_MAX - 1]))
            keep_place(places, i, sum);
    }
}

/* The window: positions around the first one. */
static enum posenc_status plan_window(struct posenc__question *question,
                                      const struct posenc__guess *guess, double first,
                                      struct posenc_memory *memory, struct posenc__planned *planned)
{
    const size_t rows = 2 * SHIFT_MAX + 1;
    double *numbers = posenc_allocate(memory, rows, sizeof(*numbers));
    const struct posenc_member member = {"positions", posenc_numbers(numbers, rows)};
    struct posenc__change around = {.sets = {&member, 1}, .drops = replaced};
    struct posenc__guess wide = *guess;
    struct posenc__question asked = *question;

    *planned = (struct posenc__planned){0};
    if (!numbers)
        return posenc__no_memory(question->problem);
    for (size_t i = 0; i < rows; i++)
        numbers[i] = first + (double)i - SHIFT_MAX;
    /* The same question of a tensor with so many rows. */
    asked.sent.array.rank = 2;
    asked.sent.array.shape[0] = rows;
    asked.sent.array.shape[1] = question->sent.width;
    wide.changes[wide.change_count++] = &around;
    return posenc__plan_guess(&asked, &wide, memory, planned);
}

static enum posenc_status try_shift(struct posenc__question *question,
                                    const struct posenc__guess *guess, double shift)
{
    size_t count;
    const double *positions = list_positions(question->memory, guess->context, &count);
    struct posenc__changes *changes = posenc_allocate(question->memory, 1, sizeof(*changes));
    struct posenc__guess shifted = *guess;
    bool fits;

    if (!positions || !changes)
        return posenc__no_memory(question->problem);
    *changes =
        (struct posenc__changes){posenc_allocate(question->memory, 1, sizeof(*changes->items)), 0};
    if (!changes->items || !add_shifted(question, shift, positions, count, changes))
        return posenc__no_memory(question->problem);
    shifted.changes[shifted.change_count++] = &changes->items[0];
    shifted.cost += changes->items[0].cost;
    const enum posenc_status status = posenc__try(question, &shifted, &fits);

    if (status == POSENC_OK && fits)
        posenc__keep(question, &shifted);
    return status;
}

/* Fills in the places where the first row could stand; none where they cannot be told. */
static enum posenc_status find_places(struct posenc__question *question,
                                      const struct posenc__guess *guess, struct places *places)
{
    const struct posenc__sent *sent = &question->sent;
    struct posenc_memory memory = posenc__trial_memory(question);
    struct posenc__planned planned;
    enum posenc_status status = POSENC_OK;
    size_t count;
    const double *positions = list_positions(&memory, guess->context, &count);

    if (!positions && count > 0)
        status = posenc__no_memory(question->problem);
    if (positions && sent->rows == count) {
        status = plan_window(question, guess, positions[0], &memory, &planned);
        if (status == POSENC_OK && planned.tensor)
            find_rows(question, planned.tensor, places);
    }
    posenc_memory_release(&memory);
    return status;
}

enum posenc_status posenc__find_shift(struct posenc__question *question,
                                      struct posenc__context *context, struct posenc__change *flip)
{
    const size_t width = question->sent.width;
    const struct posenc__guess guess = {
        .context = context, .changes = {flip}, .change_count = flip ? 1 : 0};
    struct places places = {.count = 0};

    if (context->is_applied || !posenc__row_of(context->operation, "positions") ||
        width > POSENC__IDENTIFY_SAMPLE_MAX)
        return POSENC_OK;
    if (!posenc_may_work(question->memory,
                         (uint64_t)(2 * SHIFT_MAX + 1) * width * POSENC_ELEMENT_NS))
        return posenc__cancelled(question->problem);
    enum posenc_status status = find_places(question, &guess, &places);

    for (size_t i = 0; i < places.count && status == POSENC_OK; i++)
        if (places.items[i] != SHIFT_MAX)
            status = try_shift(question, &guess, (double)places.items[i] - SHIFT_MAX);
    return status;
}
