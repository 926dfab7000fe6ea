/* Asking for RoPE's frequencies in tests: dictionaries are written as query strings are. */
#ifndef TESTS_ROPE_QUESTION_H
#define TESTS_ROPE_QUESTION_H

#include <stdlib.h>
#include <string.h>

#include "rope_scaling.h"

#define QUESTION_MEMBERS_MAX 16
#define QUESTION_NUMBERS_MAX 64

/* A question and all that its answer lives in. */
struct rope_asked {
    struct posenc_memory memory;
    struct posenc_arguments arguments; /* bound from {"scaling": ...}; holds the warnings */
    struct posenc__rope_question question;
    struct posenc__rope_frequencies answer;
    struct posenc_problem problem;
};

/* What to ask; 0 and NULL stand for what is not given. */
struct rope_asking {
    size_t dim, rotary_dim; /* rotary_dim 0: dim */
    double base;            /* 0: 10000 */
    const char *scaling;    /* "rope_type=linear&factor=4" */
    double max_position_embeddings, sequence_length;
    enum posenc__yarn_dialect dialect;
    enum posenc__rope_arithmetic arithmetic;
};

static const struct posenc_parameter question_rows[] = {
    {.name = "scaling",
     .type = POSENC_TYPE_OBJECT,
     .flags = POSENC_OPEN,
     POSENC__DEFAULT_NULL,
     .members = posenc__rope_scaling_rows,
     .meaning = "the dictionary"},
    {.name = NULL},
};

/* "4" or "1,1.1" as a query string's value: numbers where all pieces are. */
static struct posenc_value question_value(struct posenc_memory *memory, const char *text)
{
    struct posenc_value value = {.kind = POSENC_UNTYPED};
    double *numbers = posenc_allocate(memory, QUESTION_NUMBERS_MAX, sizeof(*numbers));
    const char *rest = text;
    size_t count = 0;

    value.as.untyped.text = text;
    while (count < QUESTION_NUMBERS_MAX) {
        char *end;

        numbers[count] = strtod(rest, &end);
        if (end == rest)
            return value;
        count++;
        rest = end + 1;
        if (*end == '\0')
            break;
    }
    value.as.untyped.numbers = numbers;
    value.as.untyped.count = count;
    return value;
}

/* "name=value&name=value" as an object. */
static inline struct posenc_value question_dictionary(struct posenc_memory *memory,
                                                      const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = posenc_allocate(memory, size, 1);
    struct posenc_member *members = posenc_allocate(memory, QUESTION_MEMBERS_MAX, sizeof(*members));
    char *place;
    size_t count = 0;

    memcpy(copy, text, size);
    for (char *piece = strtok_r(copy, "&", &place); piece; piece = strtok_r(NULL, "&", &place)) {
        char *equals = strchr(piece, '=');

        *equals = '\0';
        members[count++] = (struct posenc_member){piece, question_value(memory, equals + 1)};
    }
    return posenc_object(members, count);
}

/* Binds the dictionary and asks; release the memory whatever the status. */
static inline enum posenc_status ask_rope_value(struct rope_asked *asked,
                                                const struct rope_asking *asking,
                                                const struct posenc_value *scaling)
{
    static const struct posenc_parameter *const groups[] = {question_rows, NULL};
    const struct posenc_schema schema = {.groups = groups};
    const struct posenc_member member = {"scaling", scaling ? *scaling : posenc_null()};
    const struct posenc_value input = posenc_object(&member, scaling ? 1 : 0);
    const enum posenc_status status =
        posenc_bind(&schema, &input, &asked->memory, &asked->arguments, &asked->problem);

    if (status != POSENC_OK)
        return status;
    const struct posenc_value *bound = &posenc_find_argument(&asked->arguments, "scaling")->value;

    asked->question = (struct posenc__rope_question){
        .dim = asking->dim,
        .rotary_dim = asking->rotary_dim ? asking->rotary_dim : asking->dim,
        .base = asking->base > 0 ? asking->base : 10000.0,
        .scaling = bound->kind == POSENC_OBJECT ? bound : NULL,
        .has_max_position_embeddings = asking->max_position_embeddings > 0,
        .has_sequence_length = asking->sequence_length > 0,
        .max_position_embeddings = asking->max_position_embeddings,
        .sequence_length = asking->sequence_length,
        .yarn_dialect = asking->dialect,
        .arithmetic = asking->arithmetic,
    };
    return posenc__rope_frequencies(&asked->question, &asked->arguments, &asked->memory,
                                    &asked->answer, &asked->problem);
}

static inline enum posenc_status ask_rope(struct rope_asked *asked,
                                          const struct rope_asking *asking)
{
    struct posenc_value scaling;

    posenc_memory_init(&asked->memory, POSENC_MEMORY_DEFAULT);
    if (!asking->scaling)
        return ask_rope_value(asked, asking, NULL);
    scaling = question_dictionary(&asked->memory, asking->scaling);
    return ask_rope_value(asked, asking, &scaling);
}

#endif
