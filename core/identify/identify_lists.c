/*
 * Lists that an operation derives from other parameters and also takes as they are, as rope's
 * frequencies and ALiBi's slopes: computed by a wrong rule, or kept in a small type.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify.h"

#define LIST_MAX 65536 /* entries of a list whose rules are tried */

/* A rule for a list of `count` numbers. */
typedef void rule(const double *numbers, size_t count, double *out);

static void all_one(const double *numbers, size_t count, double *out)
{
    (void)numbers;
    for (size_t i = 0; i < count; i++)
        out[i] = 1;
}

static void squared(const double *numbers, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = numbers[i] * numbers[i];
}

static void rooted(const double *numbers, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = sqrt(fabs(numbers[i]));
}

static void inverted(const double *numbers, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = 1 / numbers[i];
}

static void negated(const double *numbers, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = -numbers[i];
}

static void reversed(const double *numbers, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = numbers[count - 1 - i];
}

/* Each entry that of the next: counted from one where zero is right. */
static void from_next(const double *numbers, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = i + 1 < count ? numbers[i + 1] : numbers[i] * (numbers[i] / numbers[i - 1]);
}

/* Each entry that of the one before. */
static void from_last(const double *numbers, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = i > 0 ? numbers[i - 1] : numbers[0] * (numbers[0] / numbers[1]);
}

static int falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

static void sorted(const double *numbers, size_t count, double *out)
{
    memcpy(out, numbers, count * sizeof(*out));
    qsort(out, count, sizeof(*out), falling);
}

static void through(enum posenc_dtype dtype, const double *numbers, size_t count, double *out)
{
    unsigned char element[sizeof(double)];

    for (size_t i = 0; i < count; i++) {
        posenc_round(dtype, &numbers[i], 1, element);
        posenc_widen(dtype, element, 1, &out[i]);
    }
}

static void through_bfloat16(const double *numbers, size_t count, double *out)
{
    through(POSENC_BFLOAT16, numbers, count, out);
}

static void through_float16(const double *numbers, size_t count, double *out)
{
    through(POSENC_FLOAT16, numbers, count, out);
}

static const struct {
    rule *apply;
    const char *words;
} rules[] = {
    {all_one, "all are 1: every exponent is 0, as integer division makes it"},
    {squared, "all are squared: the exponent is divided by half of what it should be"},
    {rooted, "all are square roots: the exponent is divided by twice what it should be"},
    {inverted, "all are inverted: positions are divided by frequencies, not multiplied"},
    {negated, "all have the other sign"},
    {reversed, "they run the other way"},
    {from_next, "each is that of the next entry: they are counted from one"},
    {from_last, "each is that of the entry before: they are counted from zero where one is due"},
    {sorted, "they are sorted, largest first"},
    {through_bfloat16, "they were rounded to bfloat16"},
    {through_float16, "they were rounded to float16"},
};

/* A list as the encoding's table derives it, perhaps with one parameter other than expected. */
struct derived {
    const char *other; /* the parameter, or NULL */
    double number;     /* its value; NAN: it is left out */
    double *numbers;   /* NULL where there is no such list */
    size_t count;
};

/* What the table is told: what was understood, as far as it takes it. */
static size_t list_members(const struct posenc__context *context,
                           const struct posenc_operation *table, const struct derived *derived,
                           struct posenc_member *members)
{
    size_t count = 0;

    for (size_t i = 0; i < context->echo.count; i++) {
        const struct posenc_member *told = &context->echo.items[i];
        const bool is_other = derived->other && strcmp(told->name, derived->other) == 0;

        if (!posenc__row_of(table, told->name) || strcmp(told->name, "dtype") == 0 ||
            (is_other && isnan(derived->number)))
            continue;
        members[count] = *told;
        if (is_other)
            members[count].value = posenc_number(derived->number);
        count++;
    }
    return count;
}

/* Derives the list of that name. */
static enum posenc_status derive_list(struct posenc__question *question,
                                      const struct posenc__context *context, const char *name,
                                      struct derived *derived)
{
    const struct posenc_operation *table = posenc_find_operation(context->encoding, "table");
    struct posenc__context asked = {.encoding = context->encoding, .operation = table, .times = 1};
    struct posenc_memory memory = posenc__trial_memory(question);
    struct posenc_member *members = posenc_allocate(&memory, context->echo.count, sizeof(*members));
    struct posenc__guess guess = {.context = &asked};
    struct posenc__planned planned;

    derived->numbers = NULL;
    if (!members)
        return posenc__no_memory(question->problem);
    asked.given.items = members;
    asked.given.count = list_members(context, table, derived, members);
    asked.part = posenc__part_of(table, name);
    posenc__find_axes(&asked, 1);
    const enum posenc_status status = posenc__plan_free(question, &guess, &memory, &planned);

    if (status == POSENC_OK && planned.tensor && planned.tensor->rank == 1 &&
        planned.tensor->count > 1 && planned.tensor->count <= LIST_MAX) {
        derived->count = planned.tensor->count;
        derived->numbers =
            posenc_allocate(question->memory, derived->count, sizeof(*derived->numbers));
        if (derived->numbers)
            posenc_fill(planned.tensor, 0, derived->count, derived->numbers);
    }
    posenc_memory_release(&memory);
    return status;
}

/* Adds a list that stands in place of the derived one. */
static bool add_list(const struct posenc__question *question, const struct posenc_parameter *row,
                     const char *words, const double *numbers, size_t count,
                     struct posenc__changes *changes)
{
    struct posenc_member *member = posenc_allocate(question->memory, 1, sizeof(*member));
    const char *sentence = posenc__format(question->memory, "'%s' is wrong: %s", row->name, words);

    if (!member || !sentence)
        return false;
    *member = (struct posenc_member){row->name, posenc_numbers(numbers, count)};
    const struct posenc__change change = {.parameter = row->name,
                                          .is = posenc_text(words),
                                          .words = sentence,
                                          .sets = {member, 1},
                                          .drops = row->instead_of,
                                          .cost = 1};

    return posenc__add_change(changes, question->memory, &change);
}

static bool add_rule(const struct posenc__question *question, const struct posenc_parameter *row,
                     size_t number, const struct derived *right, struct posenc__changes *changes)
{
    double *wrong = posenc_allocate(question->memory, right->count, sizeof(*wrong));

    if (!wrong)
        return false;
    rules[number].apply(right->numbers, right->count, wrong);
    if (memcmp(wrong, right->numbers, right->count * sizeof(*wrong)) == 0)
        return true;
    return add_list(question, row, rules[number].words, wrong, right->count, changes);
}

/* The list for a larger number of something, cut to the length of the right one. */
static enum posenc_status add_cut(struct posenc__question *question,
                                  const struct posenc__context *context,
                                  const struct posenc_parameter *row, const struct derived *right,
                                  struct derived *longer, struct posenc__changes *changes)
{
    const enum posenc_status status = derive_list(question, context, row->name, longer);
    const char *words;

    if (status != POSENC_OK || !longer->numbers || longer->count <= right->count ||
        memcmp(longer->numbers, right->numbers, right->count * sizeof(*right->numbers)) == 0)
        return status;
    words = isnan(longer->number)
                ? posenc__format(question->memory, "they are the first of %zu, as without '%s'",
                                 longer->count, longer->other)
                : posenc__format(question->memory, "they are the first of %zu, as of '%s' %.17g",
                                 longer->count, longer->other, longer->number);
    if (!words || !add_list(question, row, words, longer->numbers, right->count, changes))
        return posenc__no_memory(question->problem);
    return POSENC_OK;
}

/* Lists that were made for more: for the next power of two, as padded ones are, for twice as much,
 * or for the whole where a part was named. */
static enum posenc_status list_cuts(struct posenc__question *question,
                                    const struct posenc__context *context,
                                    const struct posenc_parameter *row, const struct derived *right,
                                    struct posenc__changes *changes)
{
    enum posenc_status status = POSENC_OK;

    for (size_t i = 0; i < context->echo.count; i++) {
        const struct posenc_member *told = &context->echo.items[i];
        const struct posenc_parameter *other = posenc__row_of(context->operation, told->name);
        const double number = told->value.kind == POSENC_NUMBER ? told->value.as.number : 0;
        const double padded = exp2(ceil(log2(number)));
        struct derived longer = {.other = told->name, .number = NAN};

        if (!other || number < 1 || other->type != POSENC_TYPE_INTEGER)
            continue;
        if (other->flags & POSENC_OPTIONAL)
            status = add_cut(question, context, row, right, &longer, changes);
        longer.number = padded;
        if (status == POSENC_OK && padded > number)
            status = add_cut(question, context, row, right, &longer, changes);
        longer.number = 2 * number;
        if (status == POSENC_OK && 2 * number != padded)
            status = add_cut(question, context, row, right, &longer, changes);
        if (status != POSENC_OK)
            return status;
    }
    return POSENC_OK;
}

static enum posenc_status list_rules(struct posenc__question *question,
                                     const struct posenc__context *context,
                                     const struct posenc_parameter *row,
                                     struct posenc__changes *changes)
{
    struct derived right = {.other = NULL};
    const enum posenc_status status = derive_list(question, context, row->name, &right);

    if (status != POSENC_OK || !right.numbers)
        return status;
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
        if (!add_rule(question, row, i, &right, changes))
            return posenc__no_memory(question->problem);
    return list_cuts(question, context, row, &right, changes);
}

enum posenc_status posenc__list_list_changes(struct posenc__question *question,
                                             const struct posenc__context *context,
                                             struct posenc__changes *changes)
{
    const struct posenc_operation *table = posenc_find_operation(context->encoding, "table");
    const struct posenc_parameter *const *group = context->operation->groups;
    enum posenc_status status = POSENC_OK;

    for (; table && *group && status == POSENC_OK; group++)
        for (const struct posenc_parameter *row = *group; row->name && status == POSENC_OK; row++)
            if (row->type == POSENC_TYPE_REALS && posenc__part_of(table, row->name) &&
                !posenc__current(context, row->name))
                status = list_rules(question, context, row, changes);
    return status;
}
