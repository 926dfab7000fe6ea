#include "request.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

size_t all_places(struct place places[PLACES_MAX])
{
    const struct posenc_encoding *encoding;
    const struct posenc_operation *tool;
    size_t count = 0;

    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        for (const struct posenc_operation *operation = encoding->operations; operation->name;
             operation++) {
            cr_assert_lt(count, PLACES_MAX);
            places[count] = (struct place){encoding, operation, ""};
            (void)snprintf(places[count].name, sizeof(places[count].name), "%s/%s", encoding->name,
                           operation->name);
            count++;
        }
    for (size_t i = 0; (tool = posenc_tool_at(i)) != NULL; i++) {
        cr_assert_lt(count, PLACES_MAX);
        places[count] = (struct place){NULL, tool, ""};
        (void)snprintf(places[count].name, sizeof(places[count].name), "%s", tool->name);
        count++;
    }
    return count;
}

size_t all_rows(const struct posenc_operation *operation,
                const struct posenc_parameter *rows[POSENC_ARGUMENTS_MAX])
{
    size_t count = 0;

    for (const struct posenc_parameter *const *group = operation->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++) {
            cr_assert_lt(count, POSENC_ARGUMENTS_MAX);
            rows[count++] = row;
        }
    return count;
}

static const struct posenc_parameter *find_row(const struct posenc_operation *operation,
                                               const char *name)
{
    const struct posenc_parameter *rows[POSENC_ARGUMENTS_MAX];
    const size_t count = all_rows(operation, rows);

    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i]->name, name) == 0)
            return rows[i];
    return NULL;
}

/* A setting's row, which may be a member of an object. */
const struct posenc_parameter *find_setting(const struct posenc_operation *operation,
                                            const char *path)
{
    char object[80];
    const char *dot = strchr(path, '.');

    if (!dot)
        return find_row(operation, path);
    (void)snprintf(object, sizeof(object), "%.*s", (int)(dot - path), path);
    const struct posenc_parameter *row = find_row(operation, object);

    for (const struct posenc_parameter *member = row ? row->members : NULL; member && member->name;
         member++)
        if (strcmp(member->name, dot + 1) == 0)
            return member;
    return NULL;
}

#define WIDTH 48 /* of heads and tables: a multiple of what any encoding divides it by */

struct shape {
    size_t rank, axes[3];
};

static const struct shape tensor_shapes[] = {
    {3, {4, 4, WIDTH}}, {2, {4, WIDTH}}, {2, {4, 4}}, {1, {4}},
    {2, {4, 1}},        {2, {1, WIDTH}}, {1, {1}}};
static const struct shape list_shapes[] = {{1, {4}}, {2, {2, 4}}, {2, {3, 4}}, {1, {3}},
                                           {1, {1}}, {2, {2, 1}}, {2, {3, 1}}};
static const struct shape integers_shapes[] = {{1, {4}}, {1, {3}}, {1, {2}}, {1, {1}},
                                               {1, {0}}, {1, {5}}, {1, {6}}};
#define SHAPES (sizeof(tensor_shapes) / sizeof(*tensor_shapes))
_Static_assert(sizeof(list_shapes) == sizeof(tensor_shapes), "as many of each");
_Static_assert(sizeof(integers_shapes) == sizeof(tensor_shapes), "as many of each");

/* Shapes that follow from other parameters; tried in this order instead of those above. */
static const struct hint {
    const char *operation, *parameter;
    struct shape shape;
} hints[] = {
    {"shaw/apply", "table", {2, {9, WIDTH}}},        /* distances from -4 to 4 */
    {"sinusoidal_grid/apply", "x", {2, {1, WIDTH}}}, /* a grid of ones has one cell */
    {"rope/apply", "x", {2, {1, WIDTH}}},            /* so with the presets for images */
    {"t5/apply", "table", {2, {32, 4}}},             /* buckets and heads */
    {"t5/apply", "table", {2, {320, 4}}},            /* WavLM's */
    {"swin/apply", "scores", {3, {WIDTH, 1, 1}}},    /* a window of ones has one token */
};

/* Ones, of which every list of positions, indices, masks or weights can be made. */
static struct posenc_value array_of_ones(size_t rank, const size_t *axes)
{
    static double ones[4 * 4 * WIDTH];

    for (size_t i = 0; i < sizeof(ones) / sizeof(*ones); i++)
        ones[i] = 1;
    return support_array(ones, rank, axes);
}

/* Of a constant tensor `identify` says that nothing can be said. */
static struct posenc_value array_of_counts(size_t rank, const size_t *axes)
{
    static double counts[4 * 4 * WIDTH];

    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
        counts[i] = (double)i;
    return support_array(counts, rank, axes);
}

static struct posenc_value array_for(const struct place *place, const struct posenc_parameter *row,
                                     size_t index)
{
    const struct shape *shape = row->type == POSENC_TYPE_INTEGERS ? &integers_shapes[index]
                                : row->type == POSENC_TYPE_TENSOR ? &tensor_shapes[index]
                                                                  : &list_shapes[index];

    for (size_t i = 0, matching = 0; i < sizeof(hints) / sizeof(*hints); i++)
        if (strcmp(hints[i].operation, place->name) == 0 &&
            strcmp(hints[i].parameter, row->name) == 0 && matching++ <= index)
            shape = &hints[i].shape;
    return strcmp(row->name, "actual") == 0 ? array_of_counts(shape->rank, shape->axes)
                                            : array_of_ones(shape->rank, shape->axes);
}

static bool has_shape(const struct posenc_parameter *row)
{
    return row->type == POSENC_TYPE_INTEGERS || row->type == POSENC_TYPE_REALS ||
           row->type == POSENC_TYPE_POSITIONS || row->type == POSENC_TYPE_TENSOR;
}

static double number_for(const struct posenc_parameter *row, double size)
{
    if (strcmp(row->name, "dim") == 0)
        return WIDTH;
    if (row->minimum == 0 && row->maximum == 0)
        return size;
    return fmin(fmax(row->type == POSENC_TYPE_REAL ? 1 : size, row->minimum), row->maximum);
}

struct posenc_value value_for(const struct place *place, const struct posenc_parameter *row,
                              double size)
{
    switch (row->type) {
    case POSENC_TYPE_INTEGER:
    case POSENC_TYPE_REAL:
        return posenc_number(number_for(row, size));
    case POSENC_TYPE_BOOLEAN:
        return posenc_boolean(true);
    case POSENC_TYPE_CHOICE:
        return posenc_text(row->choices[0]);
    case POSENC_TYPE_CHOICES:
        return (struct posenc_value){.kind = POSENC_LIST};
    case POSENC_TYPE_TEXT:
        return posenc_text("none"); /* also the name of an encoding */
    case POSENC_TYPE_INTEGERS:
    case POSENC_TYPE_REALS:
    case POSENC_TYPE_POSITIONS:
    case POSENC_TYPE_TENSOR:
        return array_for(place, row, 0);
    case POSENC_TYPE_OBJECT:
        return posenc_object(NULL, 0);
    }
    return posenc_null();
}

void give(struct request *request, const struct posenc_parameter *row, struct posenc_value value)
{
    cr_assert_lt(request->count, POSENC_ARGUMENTS_MAX);
    if (row->type == POSENC_TYPE_OBJECT) {
        cr_assert_lt(request->object_count, OBJECTS_MAX);
        value = posenc_object(request->inner[request->object_count++], 0);
    }
    request->shapes[request->count] = 0;
    request->members[request->count++] = (struct posenc_member){row->name, value};
}

/* The member that a path starts with, or NULL. */
static struct posenc_member *find_given(struct request *request, const char *path)
{
    const size_t length = strcspn(path, ".");

    for (size_t i = 0; i < request->count; i++)
        if (strlen(request->members[i].name) == length &&
            strncmp(request->members[i].name, path, length) == 0)
            return &request->members[i];
    return NULL;
}

/* Gives what is said to be missing: a parameter, or a member of an object. */
static void grow(struct request *request, const char *path)
{
    const struct posenc_parameter *row = find_setting(request->place->operation, path);
    struct posenc_member *given = find_given(request, path);
    const char *dot = strchr(path, '.');

    cr_assert_not_null(row, "%s: there is no '%s' to give", request->place->name, path);
    if (!dot) {
        cr_assert_null(given, "%s: '%s' is given already", request->place->name, path);
        give(request, row, value_for(request->place, row, request->size));
        return;
    }
    cr_assert_not_null(given, "%s: '%s' is missing from nothing", request->place->name, path);
    struct posenc_members *object = &given->value.as.object;
    struct posenc_member *inner = (struct posenc_member *)object->items; /* one of request->inner */

    cr_assert_lt(object->count, MEMBERS_MAX);
    cr_assert_null(posenc_find_member(&given->value, row->name), "%s: '%s' is given already",
                   request->place->name, path);
    inner[object->count++] =
        (struct posenc_member){row->name, value_for(request->place, row, request->size)};
}

/* Gives a list or tensor its next shape; false when there is none. */
static bool reshape(struct request *request, const char *path)
{
    const struct posenc_parameter *row = find_setting(request->place->operation, path);
    struct posenc_member *given = find_given(request, path);

    if (!row || !given || !has_shape(row))
        return false;
    const size_t place = (size_t)(given - request->members);

    if (!strchr(path, '.')) {
        if (request->shapes[place] + 1 == SHAPES)
            return false;
        given->value = array_for(request->place, row, ++request->shapes[place]);
        return true;
    }
    for (size_t i = 0; i < given->value.as.object.count; i++) {
        struct posenc_member *inner = (struct posenc_member *)&given->value.as.object.items[i];
        size_t *shape = &request->inner_shapes[(inner - &request->inner[0][0]) / MEMBERS_MAX][i];

        if (strcmp(inner->name, row->name) != 0)
            continue;
        if (*shape + 1 == SHAPES)
            return false;
        inner->value = array_for(request->place, row, ++*shape);
        return true;
    }
    return false;
}

static enum posenc_status try_once(struct request *request, struct asked *asked)
{
    const struct posenc_operation *operation = request->place->operation;
    const struct posenc_encoding *encoding = request->place->encoding;
    const struct posenc_schema schema = {.groups = operation->groups,
                                         .presets = encoding ? encoding->presets : NULL,
                                         .takes_tensors = operation->takes_tensors};
    const struct posenc_value input = posenc_object(request->members, request->count);
    enum posenc_status status;

    asked_init(asked);
    status = posenc_bind(&schema, &input, &asked->memory, &asked->arguments, &asked->problem);
    if (status == POSENC_OK)
        status = posenc_plan(encoding, operation, &asked->arguments, &asked->memory, &asked->result,
                             &asked->problem);
    return status;
}

enum posenc_status run(struct request *request, struct asked *asked)
{
    for (;;) {
        const enum posenc_status status = try_once(request, asked);
        bool again = false;

        if (status == POSENC_MISSING_PARAMETER) {
            grow(request, asked->problem.parameter);
            again = true;
        } else if (status == POSENC_WRONG_SHAPE || status == POSENC_CONFLICT) {
            again = reshape(request, asked->problem.parameter);
        }
        if (!again)
            return status;
        asked_release(asked);
    }
}

struct request request_for(const struct place *place, double size)
{
    return (struct request){.place = place, .size = size};
}
