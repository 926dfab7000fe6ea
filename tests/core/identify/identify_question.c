#include "identify_question.h"

void question_init(struct asked_question *asked, const struct identify_case *identify_case)
{
    const struct posenc_operation *tool = posenc_find_tool("identify");
    const struct posenc_schema schema = {.groups = tool->groups, .takes_tensors = true};
    struct posenc_member members[5] = {{"actual", identify_case->actual}};
    size_t count = 1;

    memset(asked, 0, sizeof(*asked));
    posenc_memory_init(&asked->memory, POSENC_MEMORY_DEFAULT);
    if (identify_case->x.kind == POSENC_ARRAY)
        members[count++] = (struct posenc_member){"x", identify_case->x};
    if (identify_case->encoding)
        members[count++] = (struct posenc_member){"encoding", posenc_text(identify_case->encoding)};
    if (identify_case->part)
        members[count++] = (struct posenc_member){"part", posenc_text(identify_case->part)};
    if (identify_case->parameters.name)
        members[count++] = identify_case->parameters;
    const struct posenc_value input = posenc_object(members, count);

    cr_assert_eq(posenc_bind(&schema, &input, &asked->memory, &asked->arguments, &asked->problem),
                 POSENC_OK, "%s", asked->problem.detail);
    asked->question = posenc_allocate(&asked->memory, 1, sizeof(*asked->question));
    cr_assert_not_null(asked->question);
    *asked->question = (struct posenc__question){.x = posenc__array(&asked->arguments, "x"),
                                                 .is_named = identify_case->encoding != NULL,
                                                 .trials = POSENC__IDENTIFY_TRIALS_MAX,
                                                 .memory = &asked->memory,
                                                 .problem = &asked->problem};
    asked->status = posenc__read_sent(posenc__array(&asked->arguments, "actual"), &asked->memory,
                                      &asked->question->sent, &asked->problem);
    if (asked->status == POSENC_OK)
        asked->status = posenc__find_contexts(&asked->arguments, asked->question);
}

struct posenc__context *question_context(struct asked_question *asked, const char *part)
{
    struct posenc__context *context = NULL;

    cr_assert_eq(asked->status, POSENC_OK, "%s", asked->problem.detail);
    for (size_t i = 0; i < asked->question->context_count && !context; i++)
        if (strcmp(asked->question->contexts[i].part->name, part) == 0)
            context = &asked->question->contexts[i];
    cr_assert_not_null(context, "there is no '%s'", part);
    const struct posenc__guess guess = {.context = context};
    struct posenc__planned planned;

    cr_assert_eq(posenc__plan_guess(asked->question, &guess, &asked->memory, &planned), POSENC_OK);
    context->echo = planned.result.parameters;
    return context;
}

struct posenc__changes question_changes(struct asked_question *asked,
                                        struct posenc__context *context)
{
    struct posenc__changes changes;

    cr_assert_eq(posenc__list_changes(asked->question, context, &changes), POSENC_OK, "%s",
                 asked->problem.detail);
    return changes;
}

struct posenc__change *question_change(const struct posenc__changes *changes, const char *words)
{
    for (size_t i = 0; i < changes->count; i++)
        if (strcmp(changes->items[i].words, words) == 0)
            return &changes->items[i];
    return NULL;
}
