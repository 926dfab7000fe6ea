#include "drawn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

#define TRIES_MAX 40 /* of a request that nothing else is known of */
#define EXTRA_MAX 6  /* parameters that a request has without need */

/* SplitMix64 (Steele, Lea and Flood, 2014). */
size_t drawn_below(uint64_t *seed, size_t limit)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (size_t)((z ^ (z >> 31)) % limit);
}

static bool is_inside(const struct posenc_parameter *row, double number)
{
    if (row->minimum == 0 && row->maximum == 0)
        return true;
    return number <= row->maximum &&
           (row->flags & POSENC_ABOVE ? number > row->minimum : number >= row->minimum);
}

/* One of the numbers that the row allows; its minimum, or above it, when it allows none of them. */
static double draw_of(const struct posenc_parameter *row, uint64_t *seed, const double *numbers,
                      size_t count)
{
    const size_t start = drawn_below(seed, count);

    for (size_t i = 0; i < count; i++)
        if (is_inside(row, numbers[(start + i) % count]))
            return numbers[(start + i) % count];
    return row->flags & POSENC_ABOVE ? row->minimum + 1 : row->minimum;
}

static double draw_integer(const struct posenc_parameter *row, uint64_t *seed)
{
    static const double numbers[] = {1, 2, 3, 4, 4, 4, 5, 6, 8, 8, 12, 16, 0, -1, -3, 32};
    static const double widths[] = {4, 8, 8, 12, 24, 48}, few[] = {1, 2, 2, 3, 4};

    if (row->type == POSENC_TYPE_INTEGERS)
        return draw_of(row, seed, few, sizeof(few) / sizeof(*few));
    if (strcmp(row->name, "dim") == 0)
        return draw_of(row, seed, widths, sizeof(widths) / sizeof(*widths));
    return draw_of(row, seed, numbers, sizeof(numbers) / sizeof(*numbers));
}

static double draw_real(const struct posenc_parameter *row, uint64_t *seed)
{
    static const double numbers[] = {0.5,  1,   2, 2.25,    523.7, 1e-3,
                                     -1.5, 0.1, 4, 10000.0, 1e6,   1.0 / 3};

    return draw_of(row, seed, numbers, sizeof(numbers) / sizeof(*numbers));
}

static json_t *draw_list(const struct posenc_parameter *row, uint64_t *seed)
{
    static const size_t lengths[] = {2, 3, 4, 4, 8, 1};
    const size_t count = lengths[drawn_below(seed, 6)];
    json_t *list = json_array();

    if (strcmp(row->name, "permutation") == 0) {
        json_decref(list);
        return json_pack("[i,i,i,i]", 2, 0, 3, 1);
    }

    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, row->type == POSENC_TYPE_INTEGERS
                                        ? json_integer((json_int_t)draw_integer(row, seed))
                                        : json_real(draw_real(row, seed)));
    return list;
}

static json_t *draw_positions(const struct posenc_parameter *row, uint64_t *seed, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++) {
        const size_t kind = drawn_below(seed, 8);

        if (kind == 0 && row->flags & POSENC_NULLS)
            json_array_append_new(list, json_null());
        else if (kind < 3)
            json_array_append_new(list, json_real((double)drawn_below(seed, 4000) / 7));
        else
            json_array_append_new(list, json_integer((json_int_t)drawn_below(seed, 9)));
    }
    return list;
}

static json_t *draw_axes(const struct posenc_parameter *row, uint64_t *seed)
{
    const size_t axes = drawn_below(seed, 4), count = 2 + drawn_below(seed, 3);
    json_t *list = json_array();

    if (axes < 2) {
        json_decref(list);
        return draw_positions(row, seed, count);
    }
    for (size_t i = 0; i < axes; i++)
        json_array_append_new(list, draw_positions(row, seed, count));
    return list;
}

static json_t *fill_tensor(const size_t *shape, size_t rank, bool is_whole, uint64_t *seed)
{
    json_t *list;

    if (rank == 0)
        return is_whole ? json_integer((json_int_t)drawn_below(seed, 4))
                        : json_real((double)drawn_below(seed, 1000) / 7 - 60);
    list = json_array();
    for (size_t i = 0; i < shape[0]; i++)
        json_array_append_new(list, fill_tensor(shape + 1, rank - 1, is_whole, seed));
    return list;
}

/* Few shapes, so that those of one request often fit each other. */
static json_t *draw_tensor(uint64_t *seed)
{
    static const struct {
        size_t rank, shape[3];
    } shapes[] = {{2, {4, 4}},    {2, {4, 4}},    {2, {4, 8}}, {2, {8, 4}},
                  {3, {4, 4, 4}}, {3, {8, 4, 4}}, {1, {4}},    {3, {2, 4, 4}},
                  {3, {2, 4, 8}}, {2, {9, 2}},    {2, {2, 4}}};
    const size_t kind = drawn_below(seed, sizeof(shapes) / sizeof(*shapes));

    return fill_tensor(shapes[kind].shape, shapes[kind].rank, drawn_below(seed, 3) == 0, seed);
}

static json_t *draw_choices(const struct posenc_parameter *row, uint64_t *seed)
{
    json_t *list = json_array();

    for (const char *const *choice = row->choices; *choice; choice++)
        if (drawn_below(seed, 2))
            json_array_append_new(list, json_string(*choice));
    return list;
}

static const char *draw_choice(const char *const *choices, uint64_t *seed)
{
    size_t count = 0;

    while (choices[count])
        count++;
    return choices[drawn_below(seed, count)];
}

static json_t *draw_text(const struct drawn_call *call, const struct posenc_parameter *row,
                         uint64_t *seed)
{
    size_t count = 0;

    if (strcmp(row->name, "preset") == 0) {
        while (call->presets && call->presets[count].name)
            count++;
        return count > 0 ? json_string(call->presets[drawn_below(seed, count)].name) : NULL;
    }
    if (strcmp(row->name, "encoding") != 0)
        return NULL;
    while (posenc_encoding_at(count))
        count++;
    return json_string(posenc_encoding_at(drawn_below(seed, count))->name);
}

static json_t *draw_value(const struct drawn_call *call, const struct posenc_parameter *row,
                          uint64_t *seed);

/* Some of an object's members. */
static json_t *draw_object(const struct drawn_call *call, const struct posenc_parameter *row,
                           uint64_t *seed)
{
    json_t *object = json_object();

    for (const struct posenc_parameter *member = row->members; member && member->name; member++) {
        const bool is_needed = !member->has_fallback && !(member->flags & POSENC_OPTIONAL);

        json_t *const value =
            is_needed || drawn_below(seed, 6) == 0 ? draw_value(call, member, seed) : NULL;

        if (value)
            json_object_set_new(object, member->name, value);
    }
    return object;
}

/* A value of the row's type; NULL where nobody can tell one. */
static json_t *draw_value(const struct drawn_call *call, const struct posenc_parameter *row,
                          uint64_t *seed)
{
    switch (row->type) {
    case POSENC_TYPE_INTEGER:
        return json_integer((json_int_t)draw_integer(row, seed));
    case POSENC_TYPE_REAL:
        return json_real(draw_real(row, seed));
    case POSENC_TYPE_BOOLEAN:
        return json_boolean(drawn_below(seed, 2));
    case POSENC_TYPE_CHOICE:
        return json_string(draw_choice(row->choices, seed));
    case POSENC_TYPE_CHOICES:
        return draw_choices(row, seed);
    case POSENC_TYPE_TEXT:
        return draw_text(call, row, seed);
    case POSENC_TYPE_INTEGERS:
    case POSENC_TYPE_REALS:
        return draw_list(row, seed);
    case POSENC_TYPE_POSITIONS:
        return draw_axes(row, seed);
    case POSENC_TYPE_TENSOR:
        return draw_tensor(seed);
    case POSENC_TYPE_OBJECT:
        return draw_object(call, row, seed);
    }
    return NULL;
}

/* The row of a table by the first `length` bytes of a path. */
static const struct posenc_parameter *find_row(const struct posenc_parameter *rows,
                                               const char *path, size_t length)
{
    for (; rows && rows->name; rows++)
        if (strncmp(rows->name, path, length) == 0 && rows->name[length] == '\0')
            return rows;
    return NULL;
}

static const struct posenc_parameter *find_among(const struct posenc_parameter *const *groups,
                                                 const char *path, size_t length)
{
    const struct posenc_parameter *row = NULL;

    for (; groups && *groups && !row; groups++)
        row = find_row(*groups, path, length);
    return row;
}

/* Where a value stands: the object, its rows, and the name in it. */
struct place {
    json_t *object;
    const struct posenc_parameter *row;
};

/* The tables of an object's rows: its own, or those of what the request's encoding applies. */
static const struct posenc_parameter *find_member(const struct posenc_parameter *object,
                                                  const json_t *body, const char *name,
                                                  size_t length)
{
    const char *encoding = json_string_value(json_object_get(body, "encoding"));
    const struct posenc_operation *apply =
        encoding ? posenc_find_operation(posenc_find(encoding), "apply") : NULL;

    if (object->members)
        return find_row(object->members, name, length);
    return apply ? find_among(apply->groups, name, length) : NULL;
}

/* The place of what a problem names; a NULL row where nobody knows it. */
static struct place find_place(const struct drawn_call *call, const char *path, json_t *body)
{
    const size_t length = strcspn(path, ".");
    struct place place = {body, find_among(call->groups, path, length)};

    if (!place.row)
        place.row = find_among(call->more, path, length);
    for (path += length; place.row && place.row->type == POSENC_TYPE_OBJECT && *path == '.';) {
        const size_t size = strcspn(path + 1, ".");
        const struct posenc_parameter *member = find_member(place.row, body, path + 1, size);
        json_t *inner = json_object_get(place.object, place.row->name);

        if (!member)
            break;
        if (!json_is_object(inner)) {
            inner = json_object();
            json_object_set_new(place.object, place.row->name, inner);
        }
        place = (struct place){inner, member};
        path += 1 + size;
    }
    return place;
}

/* Draws what a problem names, anew where it is there; false when that cannot be. */
static bool redraw(const struct drawn_call *call, const char *path, uint64_t *seed, json_t *body)
{
    const struct place place = find_place(call, path, body);
    json_t *const value = place.row ? draw_value(call, place.row, seed) : NULL;

    return value && json_object_set_new(place.object, place.row->name, value) == 0;
}

/* Asks; where the answer is a problem, its title and parameter tell what to do about it. */
static bool try_request(const struct drawn_call *call, uint64_t *seed, json_t *body, size_t tries)
{
    for (size_t i = 0; i < tries; i++) {
        char *text = json_dumps(body, JSON_COMPACT);
        struct answer answer = ask("POST", call->path, text);
        const unsigned status = answer.status;
        const bool can_go_on =
            status != 200 && redraw(call, answer_text(&answer, "parameter"), seed, body);

        free(text);
        answer_release(&answer);
        if (!can_go_on)
            return status == 200;
    }
    return false;
}

static const struct posenc_parameter *row_at(const struct drawn_call *call, size_t index)
{
    const struct posenc_parameter *const *const lists[] = {(const void *)call->groups,
                                                           (const void *)call->more};

    for (size_t list = 0; list < 2; list++)
        for (size_t group = 0; lists[list] && lists[list][group]; group++)
            for (const struct posenc_parameter *row = lists[list][group]; row->name; row++)
                if (index-- == 0)
                    return row;
    return NULL;
}

/* One more parameter, perhaps under another name, if the request stays admissible. */
static void add_one(const struct drawn_call *call, uint64_t *seed, json_t *body)
{
    size_t count = 0;
    const struct posenc_parameter *row;

    while (row_at(call, count))
        count++;
    row = row_at(call, drawn_below(seed, count));
    json_t *const more = json_deep_copy(body);
    json_t *const value = draw_value(call, row, seed);
    const char *name = row->aliases && row->type != POSENC_TYPE_TENSOR && drawn_below(seed, 4) == 0
                           ? draw_choice(row->aliases, seed)
                           : row->name;

    if (!json_object_get(more, row->name) && value) {
        json_object_set(more, name, value);
        if (try_request(call, seed, more, 6)) {
            json_object_clear(body);
            json_object_update(body, more);
        }
    }
    json_decref(value);
    json_decref(more);
}

bool draw_needed(const struct drawn_call *call, uint64_t *seed, json_t *body)
{
    return try_request(call, seed, body, TRIES_MAX);
}

bool draw_request(const struct drawn_call *call, uint64_t *seed, json_t *body)
{
    if (!draw_needed(call, seed, body))
        return false;
    for (size_t i = drawn_below(seed, EXTRA_MAX + 1); i > 0; i--)
        add_one(call, seed, body);
    return true;
}
