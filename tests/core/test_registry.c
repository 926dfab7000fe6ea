/* The registry: every row of every operation, and every operation run from what its rows say. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

/* Every operation of every encoding, then every tool, whose encoding is NULL. */
struct place {
    const struct posenc_encoding *encoding;
    const struct posenc_operation *operation;
    char name[80]; /* "sinusoidal/table" */
};

#define PLACES_MAX 128

static size_t all_places(struct place places[PLACES_MAX])
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

static size_t all_rows(const struct posenc_operation *operation,
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

static bool is_called(const struct posenc_parameter *row, const char *name)
{
    for (const char *const *alias = row->aliases; alias && *alias; alias++)
        if (strcmp(*alias, name) == 0)
            return true;
    return strcmp(row->name, name) == 0;
}

static void assert_words(const char *words, const char *where)
{
    cr_assert(words && *words, "%s lacks words", where);
    cr_assert_null(strchr(words, '\n'), "%s: more than a line", where);
}

static void assert_fallback_fits(const struct posenc_parameter *row, const char *where)
{
    static const enum posenc_kind kinds[] = {
        [POSENC_TYPE_INTEGER] = POSENC_NUMBER,  [POSENC_TYPE_REAL] = POSENC_NUMBER,
        [POSENC_TYPE_BOOLEAN] = POSENC_BOOLEAN, [POSENC_TYPE_CHOICE] = POSENC_TEXT,
        [POSENC_TYPE_TEXT] = POSENC_TEXT,       [POSENC_TYPE_INTEGERS] = POSENC_ARRAY,
        [POSENC_TYPE_REALS] = POSENC_ARRAY,     [POSENC_TYPE_POSITIONS] = POSENC_ARRAY,
        [POSENC_TYPE_TENSOR] = POSENC_ARRAY,    [POSENC_TYPE_OBJECT] = POSENC_OBJECT,
    };

    if (!row->has_fallback) {
        cr_assert_eq(row->fallback.kind, POSENC_NULL, "%s: a fallback nobody uses", where);
        return;
    }
    if (row->fallback.kind == POSENC_NULL)
        return;
    cr_assert_eq(row->fallback.kind, kinds[row->type], "%s", where);
}

static void assert_choices_end(const struct posenc_parameter *row, const char *where)
{
    size_t count = 0;

    cr_assert_eq(row->choices != NULL, row->type == POSENC_TYPE_CHOICE, "%s", where);
    for (; row->choices && row->choices[count]; count++) {
        cr_assert_lt(count, POSENC_ALLOWED_MAX, "%s", where);
        for (size_t i = 0; i < count; i++)
            cr_assert_str_neq(row->choices[i], row->choices[count], "%s", where);
    }
    cr_assert(!row->choices || count > 0, "%s", where);
}

static void assert_row(const struct posenc_parameter *row, const char *prefix)
{
    char where[160];

    (void)snprintf(where, sizeof(where), "%s %s", prefix, row->name);
    assert_words(row->meaning, where);
    assert_choices_end(row, where);
    assert_fallback_fits(row, where);
    cr_assert_leq(row->minimum, row->maximum, "%s", where);
    cr_assert(!(row->flags & POSENC_OPTIONAL) || row->fallback_note,
              "%s does not say what happens without it", where);
    cr_assert(!(row->flags & POSENC_OPTIONAL) || !row->has_fallback, "%s", where);
    cr_assert_eq(row->members != NULL, row->type == POSENC_TYPE_OBJECT, "%s", where);
    for (const struct posenc_parameter *member = row->members; member && member->name; member++)
        assert_row(member, where);
}

Test(registry, rows_say_what_they_mean)
{
    static struct place places[PLACES_MAX];
    const size_t count = all_places(places);

    for (size_t i = 0; i < count; i++) {
        const struct posenc_parameter *rows[POSENC_ARGUMENTS_MAX];
        const size_t row_count = all_rows(places[i].operation, rows);

        for (size_t k = 0; k < row_count; k++)
            assert_row(rows[k], places[i].name);
    }
}

static void assert_no_name_twice(const struct posenc_parameter *const *rows, size_t count,
                                 const char *where)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            if (k == i)
                continue;
            cr_assert_not(is_called(rows[k], rows[i]->name), "%s %s", where, rows[i]->name);
            for (const char *const *alias = rows[i]->aliases; alias && *alias; alias++)
                cr_assert_not(is_called(rows[k], *alias), "%s %s", where, *alias);
        }
}

Test(registry, no_operation_has_a_name_or_an_alias_twice)
{
    static struct place places[PLACES_MAX];
    const size_t count = all_places(places);

    for (size_t i = 0; i < count; i++) {
        const struct posenc_parameter *rows[POSENC_ARGUMENTS_MAX];
        const size_t row_count = all_rows(places[i].operation, rows);

        assert_no_name_twice(rows, row_count, places[i].name);
        for (size_t k = 0; k < row_count; k++) {
            const struct posenc_parameter *members[POSENC_ARGUMENTS_MAX];
            size_t member_count = 0;

            for (const struct posenc_parameter *m = rows[k]->members; m && m->name; m++)
                members[member_count++] = m;
            assert_no_name_twice(members, member_count, rows[k]->name);
        }
    }
}

#define CALLERS_ROWS 8 /* room that callers find for rows of their own, such as `format` */

Test(registry, operations_are_described_and_leave_room_for_the_callers_rows)
{
    static struct place places[PLACES_MAX];
    const size_t count = all_places(places);

    for (size_t i = 0; i < count; i++) {
        const struct posenc_parameter *rows[POSENC_ARGUMENTS_MAX];
        const struct posenc_operation *operation = places[i].operation;
        size_t tensors = 0;

        cr_assert_leq(all_rows(operation, rows) + CALLERS_ROWS, POSENC_ARGUMENTS_MAX);
        assert_words(operation->summary, places[i].name);
        cr_assert_not_null(operation->plan);
        for (const struct posenc_tensor_row *row = operation->tensors; row->name; row++) {
            assert_words(row->dims, row->name);
            assert_words(row->meaning, row->name);
            tensors++;
        }
        cr_assert_leq(tensors, POSENC_TENSORS_MAX);
    }
}

Test(registry, encodings_stand_in_alphabetical_order_under_names_of_their_own)
{
    const struct posenc_encoding *encoding, *before = NULL;

    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++) {
        cr_assert(!before || strcmp(before->name, encoding->name) < 0, "%s", encoding->name);
        cr_assert_eq(posenc_find(encoding->name), encoding);
        for (const char *const *alias = encoding->aliases; alias && *alias; alias++)
            cr_assert_eq(posenc_find(*alias), encoding, "%s", *alias);
        assert_words(encoding->summary, encoding->name);
        assert_words(encoding->source, encoding->name);
        assert_words(encoding->convention, encoding->name);
        cr_assert_null(posenc_find_tool(encoding->name));
        for (const struct posenc_operation *op = encoding->operations; op->name; op++)
            cr_assert_eq(posenc_find_operation(encoding, op->name), op);
        cr_assert_not_null(posenc_find_operation(encoding, "table"), "%s", encoding->name);
        before = encoding;
    }
    cr_assert_not_null(before);
    cr_expect_null(posenc_encoding_at(SIZE_MAX));
    cr_expect_null(posenc_find("sinusoid"));
    cr_expect_null(posenc_find(""));
    cr_expect_null(posenc_find_operation(before, "tables"));
}

Test(registry, tools_stand_in_alphabetical_order)
{
    const struct posenc_operation *tool, *before = NULL;

    for (size_t i = 0; (tool = posenc_tool_at(i)) != NULL; i++) {
        cr_assert(!before || strcmp(before->name, tool->name) < 0, "%s", tool->name);
        cr_assert_eq(posenc_find_tool(tool->name), tool);
        before = tool;
    }
    cr_expect_null(posenc_tool_at(SIZE_MAX));
    cr_expect_null(posenc_find_tool("no such tool"));
}

struct slip {
    const char *name, *suggestion;
};

Test(registry, suggests_the_nearest_encoding_or_alias)
{
    static const struct slip slips[] = {
        {"sinusiodal", "sinusoidal"}, {"albii", "alibi"}, {"rop", "rope"},   {"rotray", "rotary"},
        {"leanred", "learned"},       {"nop", "nope"},    {"fourier", NULL}, {"", NULL},
    };

    for (size_t i = 0; i < sizeof(slips) / sizeof(*slips); i++) {
        const char *suggestion = posenc_suggest_encoding(slips[i].name);

        if (!slips[i].suggestion) {
            cr_expect_null(suggestion, "%s: %s", slips[i].name, suggestion);
        } else {
            cr_assert_not_null(suggestion, "%s", slips[i].name);
            cr_expect_str_eq(suggestion, slips[i].suggestion);
            cr_expect_not_null(posenc_find(suggestion));
        }
    }
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
static const struct posenc_parameter *find_setting(const struct posenc_operation *operation,
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

Test(registry, presets_set_parameters_that_exist_and_can_be_asked_for)
{
    const struct posenc_encoding *encoding;

    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        for (const struct posenc_preset *preset = encoding->presets; preset && preset->name;
             preset++) {
            const struct posenc_operation *table = posenc_find_operation(encoding, "table");

            assert_words(preset->meaning, preset->name);
            cr_assert_not_null(find_row(table, "preset"), "%s", encoding->name);
            for (const struct posenc_preset *other = encoding->presets; other < preset; other++)
                cr_assert_str_neq(other->name, preset->name);
            for (size_t k = 0; k < POSENC_SETTINGS_MAX && preset->settings[k].name; k++)
                cr_assert_not_null(find_setting(table, preset->settings[k].name), "%s.%s",
                                   preset->name, preset->settings[k].name);
        }
}

/*
 * A request that grows by what is said to be missing, until the operation is planned or refuses it
 * for another reason. Numbers are `size` where their rows allow it; every axis of a list or tensor
 * is 4 or WIDTH long, or 1, and its shape is the first of those below that is not refused.
 */
#define OBJECTS_MAX 4
#define MEMBERS_MAX 24

struct request {
    const struct place *place;
    double size;
    size_t count, object_count;
    struct posenc_member members[POSENC_ARGUMENTS_MAX];
    const struct posenc_parameter *rows[POSENC_ARGUMENTS_MAX];
    size_t shapes[POSENC_ARGUMENTS_MAX]; /* which shape a list or tensor has now */
    struct posenc_member inner[OBJECTS_MAX][MEMBERS_MAX];
    size_t inner_shapes[OBJECTS_MAX][MEMBERS_MAX];
};

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
    return array_of_ones(shape->rank, shape->axes);
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

static struct posenc_value value_for(const struct place *place, const struct posenc_parameter *row,
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

static void give(struct request *request, const struct posenc_parameter *row,
                 struct posenc_value value)
{
    cr_assert_lt(request->count, POSENC_ARGUMENTS_MAX);
    if (row->type == POSENC_TYPE_OBJECT) {
        cr_assert_lt(request->object_count, OBJECTS_MAX);
        value = posenc_object(request->inner[request->object_count++], 0);
    }
    request->rows[request->count] = row;
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

/* Release `asked` after it. */
static enum posenc_status run(struct request *request, struct asked *asked)
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

static struct request request_for(const struct place *place, double size)
{
    return (struct request){.place = place, .size = size};
}

/* Tensors are those that the operation's rows describe; marks which. */
static void assert_described(const struct place *place, const struct posenc_result *result,
                             unsigned *seen)
{
    for (size_t t = 0; t < result->tensor_count; t++) {
        const struct posenc_tensor_row *rows = place->operation->tensors;
        size_t row = 0;

        while (rows[row].name && strcmp(rows[row].name, result->tensors[t].name) != 0)
            row++;
        cr_assert_not_null(rows[row].name, "%s plans '%s', which no row describes", place->name,
                           result->tensors[t].name);
        cr_assert_eq(posenc_find_tensor(result, rows[row].name), &result->tensors[t]);
        *seen |= 1u << row;
    }
}

/* Whoever repeats the request with its echo gets the same tensors. */
static void assert_echo_repeats(const struct place *place, const struct posenc_result *result)
{
    for (size_t i = 0; i < result->parameters.count; i++)
        cr_assert_not_null(find_row(place->operation, result->parameters.items[i].name));
    for (size_t i = 0; i < result->inputs.count; i++)
        cr_assert_eq(find_row(place->operation, result->inputs.items[i].name)->type,
                     POSENC_TYPE_TENSOR);
}

/* Runs a request whose first members stand; a refusal must say why, and must not be when
 * `must_run`.
 */
static void check(struct request *request, bool must_run, unsigned *seen, uint64_t *seed)
{
    struct asked asked;
    const enum posenc_status status = run(request, &asked);

    if (status == POSENC_OK) {
        assert_described(request->place, &asked.result, seen);
        assert_echo_repeats(request->place, &asked.result);
        assert_runs_agree(&asked, seed);
    } else {
        cr_assert_not(must_run, "%s: %s: %s", request->place->name, asked.problem.parameter,
                      asked.problem.detail);
        cr_assert_eq(asked.problem.status, status);
        cr_assert_str_neq(asked.problem.detail, "");
    }
    asked_release(&asked);
}

static void check_setting(const struct place *place, const struct posenc_parameter *row,
                          struct posenc_value value, double size, unsigned *seen, uint64_t *seed)
{
    struct request request = request_for(place, size);

    give(&request, row, value);
    check(&request, false, seen, seed); /* combinations may be refused, with a reason */
}

#define SMALL 4  /* agrees with the lists' and tensors' axes */
#define WIDE  38 /* tables of more elements than are rounded at a time */

static void check_settings(const struct place *place, double size, unsigned *seen, uint64_t *seed)
{
    const struct posenc_parameter *rows[POSENC_ARGUMENTS_MAX];
    const size_t count = all_rows(place->operation, rows);

    for (size_t i = 0; i < count; i++) {
        for (const char *const *choice = rows[i]->choices; choice && *choice; choice++)
            check_setting(place, rows[i], posenc_text(*choice), size, seen, seed);
        if (rows[i]->type == POSENC_TYPE_BOOLEAN) {
            check_setting(place, rows[i], posenc_boolean(true), size, seen, seed);
            check_setting(place, rows[i], posenc_boolean(false), size, seen, seed);
        } else if (rows[i]->type != POSENC_TYPE_TEXT) {
            check_setting(place, rows[i], value_for(place, rows[i], size), size, seen, seed);
        }
    }
}

Test(registry, every_operation_runs_from_what_it_says_is_missing_and_any_runs_of_elements_agree)
{
    static struct place places[PLACES_MAX];
    const size_t count = all_places(places);
    uint64_t seed = 1;

    for (size_t i = 0; i < count; i++) {
        unsigned seen = 0;

        for (int pass = 0; pass < 2; pass++) {
            const double size = pass == 0 ? SMALL : WIDE;
            struct request plain = request_for(&places[i], size);

            check(&plain, size == SMALL, &seen, &seed);
            check_settings(&places[i], size, &seen, &seed);
        }
        cr_assert(seen != 0 || !places[i].operation->tensors[0].name, "%s", places[i].name);
    }
}

Test(registry, every_preset_runs)
{
    static struct place places[PLACES_MAX];
    const size_t count = all_places(places);
    uint64_t seed = 2;

    for (size_t i = 0; i < count; i++) {
        const bool takes_presets = find_row(places[i].operation, "preset") != NULL;
        const struct posenc_preset *preset =
            places[i].encoding && takes_presets ? places[i].encoding->presets : NULL;

        for (; preset && preset->name; preset++) {
            struct request request = request_for(&places[i], SMALL);
            unsigned seen = 0;

            give(&request, find_row(places[i].operation, "preset"), posenc_text(preset->name));
            check(&request, true, &seen, &seed);
        }
    }
}

Test(registry, every_operation_ends_well_at_every_memory_limit)
{
    static struct place places[PLACES_MAX];
    const size_t count = all_places(places);

    for (size_t i = 0; i < count; i++) {
        struct request request = request_for(&places[i], SMALL);
        struct asked asked;

        cr_assert_eq(run(&request, &asked), POSENC_OK, "%s: %s", places[i].name,
                     asked.problem.detail);
        asked_release(&asked);
        if (places[i].encoding)
            (void)assert_memory_ends_well(places[i].name, "", request.members, request.count);
    }
}
