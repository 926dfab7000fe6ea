/* A request to `identify` as far as its parts are tested: read, its contexts found, nothing
 * searched. */
#ifndef TESTS_IDENTIFY_QUESTION_H
#define TESTS_IDENTIFY_QUESTION_H

#include "identify.h"
#include "identify_case.h"

/* A request and what came of it; release the memory. */
struct asked_question {
    struct posenc_memory memory;
    struct posenc_arguments arguments;
    struct posenc_problem problem;
    struct posenc__question *question;
    enum posenc_status status;
};

void question_init(struct asked_question *asked, const struct identify_case *identify_case);

#define init_question(asked, ...) question_init((asked), &(const struct identify_case){__VA_ARGS__})

/* The context of that tensor; asserts that there is one. Its parameters are planned as they are, so
 * that they are echoed. */
struct posenc__context *question_context(struct asked_question *asked, const char *part);

/* All single changes of a context. */
struct posenc__changes question_changes(struct asked_question *asked,
                                        struct posenc__context *context);

/* The change with these words, or NULL. */
struct posenc__change *question_change(const struct posenc__changes *changes, const char *words);

#endif
