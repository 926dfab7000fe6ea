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

/* The numbers of a list as the encoding's table derives them; NULL where it does not. */
static enum posenc_status derive_list(struct posenc__question *question,
                                      const struct posenc__context *context, const char *name,
                                      double **numbers, size_t *count)
{
    const struct posenc_operation *table = posenc_find_operation(context->encoding, "table");
    struct posenc__context asked = {.encoding = context->encoding, .operation = table, .times = 1};
    struct posenc_memory memory = posenc__trial_memory(question);
    struct posenc_member *members = posenc_allocate(&memory, context->echo.count, sizeof(*members));
    struct posenc__guess guess = {.context = &asked};
    struct posenc__planned planned;

    *numbers = NULL;
    if (!members)
        return posenc__no_memory(question->problem);
    for (size_t i = 0; i < context->echo.count; i++)
        if (posenc__row_of(table, context->echo.items[i].name) &&
            strcmp(context->echo.items[i].name, "dtype") != 0)
            members[asked.given.count++] = context->echo.items[i];
    asked.given.items = members;
    asked.part = posenc__part_of(table, name);
    posenc__find_axes(&asked);
    const enum posenc_status status = posenc__plan_free(question, &guess, &memory, &planned);

    if (status == POSENC_OK && planned.tensor && planned.tensor->rank == 1 &&
        planned.tensor->count > 1 && planned.tensor->count <= LIST_MAX) {
        *count = planned.tensor->count;
        *numbers = posenc_allocate(question->memory, *count, sizeof(**numbers));
        if (*numbers)
            posenc_fill(planned.tensor, 0, *count, *numbers);
    }
    posenc_memory_release(&memory);
    return status;
}

static bool add_rule(const struct posenc__question *question, const struct posenc_parameter *row,
                     size_t number, const double *numbers, size_t count,
                     struct posenc__changes *changes)
{
    struct posenc_member *member = posenc_allocate(question->memory, 1, sizeof(*member));
    double *wrong = posenc_allocate(question->memory, count, sizeof(*wrong));
    const char *words =
        posenc__format(question->memory, "'%s' is wrong: %s", row->name, rules[number].words);

    if (!member || !wrong || !words)
        return false;
    rules[number].apply(numbers, count, wrong);
    if (memcmp(wrong, numbers, count * sizeof(*wrong)) == 0)
        return true;
    *member = (struct posenc_member){row->name, posenc_numbers(wrong, count)};
    const struct posenc__change change = {.parameter = row->name,
                                          .is = posenc_text(rules[number].words),
                                          .words = words,
                                          .sets = {member, 1},
                                          .drops = row->instead_of,
                                          .cost = 1};

    return posenc__add_change(changes, question->memory, &change);
}

static enum posenc_status list_rules(struct posenc__question *question,
                                     const struct posenc__context *context,
                                     const struct posenc_parameter *row,
                                     struct posenc__changes *changes)
{
    size_t count;
    double *numbers;
    enum posenc_status status = derive_list(question, context, row->name, &numbers, &count);

    for (size_t i = 0; numbers && i < sizeof(rules) / sizeof(*rules); i++)
        if (!add_rule(question, row, i, numbers, count, changes))
            return posenc__no_memory(question->problem);
    return status;
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
