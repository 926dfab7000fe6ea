/* The numbers of an operation, parameters of their own and members of dictionaries, and those that
 * they may be instead. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify.h"

#define SMALL_MAX   32 /* integers that are all tried */
#define POWER_MAX   20 /* of two */
#define WIDTH_MAX   32768
#define DECADES_MIN (-4)
#define DECADES_MAX 7

/* A ladder under construction. */
struct building {
    const struct posenc__number *number;
    double *items;
    size_t count;
};

/* Whether the row takes the number. */
static bool is_allowed(const struct posenc_parameter *row, double number)
{
    if (!isfinite(number) || (row->type == POSENC_TYPE_INTEGER && number != floor(number)))
        return false;
    if (row->minimum == 0 && row->maximum == 0)
        return true;
    return number >= row->minimum && number <= row->maximum &&
           !((row->flags & POSENC_ABOVE) && number == row->minimum);
}

static void add(struct building *building, double number)
{
    if (building->count < POSENC__IDENTIFY_LADDER_MAX && is_allowed(building->number->row, number))
        building->items[building->count++] = number;
}

/* Widths end where models do: a bias of the widest costs a second to try, and is nobody's. */
static void add_round(struct building *building, double number)
{
    if (building->number->row->maximum != POSENC_DIM_MAX || number <= WIDTH_MAX)
        add(building, number);
}

/* Numbers that people choose. */
static void add_round_numbers(struct building *building)
{
    static const double heads[] = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9};
    double decade = pow(10, DECADES_MIN);

    for (int i = DECADES_MIN; i <= DECADES_MAX; i++, decade *= 10)
        for (size_t j = 0; j < sizeof(heads) / sizeof(*heads); j++)
            add_round(building, i < 0 ? heads[j] / pow(10, -i) : heads[j] * decade);
    for (int i = 0; i <= POWER_MAX; i++)
        add_round(building, ldexp(1, i));
    for (int i = 0; i <= SMALL_MAX && building->number->row->type == POSENC_TYPE_INTEGER; i++)
        add(building, i);
}

/* What was expected and another of the request's numbers taken together, or for each other. */
static void add_related(struct building *building, const struct posenc_members *members)
{
    const struct posenc_value *was = building->number->was;

    for (size_t i = 0; i < members->count; i++) {
        const struct posenc_value *other = &members->items[i].value;

        if (other->kind == POSENC_OBJECT)
            for (size_t j = 0; j < other->as.object.count; j++) {
                const struct posenc_members one = {&other->as.object.items[j], 1};

                if (one.items->value.kind == POSENC_NUMBER)
                    add_related(building, &one);
            }
        if (other->kind != POSENC_NUMBER)
            continue;
        add(building, other->as.number);
        if (was && was->kind == POSENC_NUMBER) {
            add(building, was->as.number * other->as.number);
            add(building, was->as.number / other->as.number);
        }
    }
}

/* What was expected, some times as much, or with the other sign. */
static void add_multiples(struct building *building)
{
    static const double times[] = {3, 4, 8, 16, 32};
    const struct posenc_value *was = building->number->was;

    add(building, 0);
    add(building, -1);
    if (!was || was->kind != POSENC_NUMBER)
        return;
    add(building, -was->as.number);
    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
        add(building, was->as.number * times[i]);
        add(building, was->as.number / times[i]);
    }
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

size_t posenc__list_ladder(const struct posenc__context *context,
                           const struct posenc__number *number,
                           double out[POSENC__IDENTIFY_LADDER_MAX])
{
    struct building building = {number, out, 0};
    size_t count = 0;

    add_round_numbers(&building);
    add_multiples(&building);
    add_related(&building, &context->echo);
    qsort(out, building.count, sizeof(*out), rising);
    for (size_t i = 0; i < building.count; i++)
        if (count == 0 || out[i] != out[count - 1])
            out[count++] = out[i];
    return count;
}

void posenc__set_number(const struct posenc__number *number, double value,
                        struct posenc_member *setting)
{
    if (!number->members) {
        *setting = (struct posenc_member){number->row->name, posenc_number(value)};
        return;
    }
    number->members[number->member_count - 1].value = posenc_number(value);
    *setting = (struct posenc_member){number->dictionary,
                                      posenc_object(number->members, number->member_count)};
}

bool posenc__copy_number(const struct posenc__number *number, struct posenc_memory *memory,
                         struct posenc__number *copy)
{
    *copy = *number;
    if (!number->members)
        return true;
    copy->members = posenc_allocate(memory, number->member_count, sizeof(*copy->members));
    if (!copy->members)
        return false;
    memcpy(copy->members, number->members, number->member_count * sizeof(*copy->members));
    return true;
}

static bool is_number(const struct posenc_parameter *row)
{
    return row->type == POSENC_TYPE_INTEGER || row->type == POSENC_TYPE_REAL;
}

/* A walk over numbers. */
struct walking {
    struct posenc__question *question;
    struct posenc__context *context;
    struct posenc__change *flip;
    posenc__number_visit *visit;
};

/* One member of a dictionary whose others are given. */
static enum posenc_status visit_member(const struct walking *walking,
                                       const struct posenc_parameter *row,
                                       const struct posenc_parameter *member,
                                       const struct posenc_members *others)
{
    struct posenc_memory *memory = walking->question->memory;
    const struct posenc_value all = posenc_object(others->items, others->count);
    struct posenc__number number = {
        .path = posenc__format(memory, "%s.%s", row->name, member->name),
        .row = member,
        .dictionary = row->name,
        .members = posenc_allocate(memory, others->count + 1, sizeof(*number.members)),
        .was = posenc_find_member(&all, member->name)};

    if (!number.path || !number.members)
        return posenc__no_memory(walking->question->problem);
    for (size_t i = 0; i < others->count; i++)
        if (strcmp(others->items[i].name, member->name) != 0)
            number.members[number.member_count++] = others->items[i];
    number.members[number.member_count++] = (struct posenc_member){member->name, posenc_null()};
    return walking->visit(walking->question, walking->context, walking->flip, &number);
}

/* The member that a dictionary of one choice lacks, where it is a number; or NULL. */
static enum posenc_status find_missing(const struct walking *walking,
                                       const struct posenc_parameter *row,
                                       const struct posenc_member *choice,
                                       const struct posenc_parameter **missing)
{
    struct posenc__question *question = walking->question;
    const struct posenc_member setting = {row->name, posenc_object(choice, 1)};
    struct posenc__change change = {.sets = {&setting, 1}};
    struct posenc__guess guess = {
        .context = walking->context, .changes = {&change}, .change_count = 1};
    struct posenc_memory memory = posenc__trial_memory(question);
    struct posenc__planned planned;
    const size_t length = strlen(row->name);
    const char *path = question->problem->parameter;
    const enum posenc_status status = posenc__plan_guess(question, &guess, &memory, &planned);

    *missing = NULL;
    if (status == POSENC_OK && !planned.tensor &&
        question->problem->status == POSENC_MISSING_PARAMETER &&
        strncmp(path, row->name, length) == 0 && path[length] == '.')
        for (const struct posenc_parameter *member = row->members; member->name; member++)
            if (strcmp(member->name, path + length + 1) == 0 && is_number(member))
                *missing = member;
    posenc_memory_release(&memory);
    return status;
}

/* A dictionary that was not expected: of one choice and the number that it cannot do without. */
static enum posenc_status visit_dictionaries(const struct walking *walking,
                                             const struct posenc_parameter *row)
{
    enum posenc_status status = POSENC_OK;

    for (const struct posenc_parameter *member = row->members; member->name; member++)
        for (size_t i = 0;
             member->type == POSENC_TYPE_CHOICE && member->choices[i] && status == POSENC_OK; i++) {
            const struct posenc_member choice = {member->name, posenc_text(member->choices[i])};
            const struct posenc_parameter *missing;

            status = find_missing(walking, row, &choice, &missing);
            if (status == POSENC_OK && missing)
                status =
                    visit_member(walking, row, missing, &(const struct posenc_members){&choice, 1});
        }
    return status;
}

static enum posenc_status visit_row(const struct walking *walking,
                                    const struct posenc_parameter *row)
{
    const struct posenc_value *was = posenc__current(walking->context, row->name);
    enum posenc_status status = POSENC_OK;

    if (is_number(row)) {
        const struct posenc__number number = {.path = row->name, .row = row, .was = was};

        return walking->visit(walking->question, walking->context, walking->flip, &number);
    }
    if (row->type != POSENC_TYPE_OBJECT || !row->members)
        return POSENC_OK;
    if (!was)
        return visit_dictionaries(walking, row);
    for (const struct posenc_parameter *member = row->members; member->name; member++)
        if (is_number(member) && was->kind == POSENC_OBJECT && status == POSENC_OK)
            status = visit_member(walking, row, member, &was->as.object);
    return status;
}

enum posenc_status posenc__visit_numbers(struct posenc__question *question,
                                         struct posenc__context *context,
                                         struct posenc__change *flip, posenc__number_visit *visit)
{
    const struct walking walking = {question, context, flip, visit};
    enum posenc_status status = POSENC_OK;

    for (const struct posenc_parameter *const *group = context->operation->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name && status == POSENC_OK; row++)
            if (!posenc__is_settled(context, row))
                status = visit_row(&walking, row);
    return status;
}
