/* The registry: every row of every operation, and every operation run from what its rows say. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "request.h"

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
        [POSENC_TYPE_CHOICES] = POSENC_LIST,
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

    cr_assert_eq(row->choices != NULL,
                 row->type == POSENC_TYPE_CHOICE || row->type == POSENC_TYPE_CHOICES, "%s", where);
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
    cr_assert(!row->members || row->type == POSENC_TYPE_OBJECT, "%s", where);
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

Test(registry, presets_set_parameters_that_exist_and_can_be_asked_for)
{
    const struct posenc_encoding *encoding;

    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        for (const struct posenc_preset *preset = encoding->presets; preset && preset->name;
             preset++) {
            const struct posenc_operation *table = posenc_find_operation(encoding, "table");

            assert_words(preset->meaning, preset->name);
            cr_assert_not_null(find_setting(table, "preset"), "%s", encoding->name);
            for (const struct posenc_preset *other = encoding->presets; other < preset; other++)
                cr_assert_str_neq(other->name, preset->name);
            for (size_t k = 0; k < POSENC_SETTINGS_MAX && preset->settings[k].name; k++)
                cr_assert_not_null(find_setting(table, preset->settings[k].name), "%s.%s",
                                   preset->name, preset->settings[k].name);
        }
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
        cr_assert_not_null(find_setting(place->operation, result->parameters.items[i].name));
    for (size_t i = 0; i < result->inputs.count; i++)
        cr_assert_eq(find_setting(place->operation, result->inputs.items[i].name)->type,
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
        const bool takes_presets = find_setting(places[i].operation, "preset") != NULL;
        const struct posenc_preset *preset =
            places[i].encoding && takes_presets ? places[i].encoding->presets : NULL;

        for (; preset && preset->name; preset++) {
            struct request request = request_for(&places[i], SMALL);
            unsigned seen = 0;

            give(&request, find_setting(places[i].operation, "preset"), posenc_text(preset->name));
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
