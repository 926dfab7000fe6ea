/* Tensors as an encoding's faults give them, and whether `identify` names a fault. */
#ifndef TESTS_ASKING_FAULT_H
#define TESTS_ASKING_FAULT_H

#include "asking_identify.h"

/* The fault of that name of an encoding's operation; asserts that it is there. */
static inline const struct posenc__fault *find_fault(const char *encoding, const char *operation,
                                                     const char *name)
{
    const struct posenc__fault *fault = posenc_find(encoding)->faults;

    while (fault->name &&
           (strcmp(fault->name, name) != 0 || strcmp(fault->operation, operation) != 0))
        fault++;
    cr_assert_not_null(fault->name, "%s/%s has no fault %s", encoding, operation, name);
    return fault;
}

/* As ask_members(), of the operation as the fault has it. */
static inline void ask_fault_members(struct asked *asked, const char *encoding,
                                     const char *operation, const char *fault,
                                     const struct posenc_member *members, size_t count)
{
    const struct posenc_encoding *found = posenc_find(encoding);
    struct posenc_operation wrong = *posenc_find_operation(found, operation);
    const struct posenc_value input = posenc_object(members, count);
    const struct posenc_schema schema = {
        .groups = wrong.groups, .presets = found->presets, .takes_tensors = wrong.takes_tensors};

    memset(asked, 0, sizeof(*asked));
    wrong.plan = find_fault(encoding, operation, fault)->plan;
    posenc_memory_init(&asked->memory, POSENC_MEMORY_DEFAULT);
    asked->status =
        posenc_bind(&schema, &input, &asked->memory, &asked->arguments, &asked->problem);
    if (asked->status == POSENC_OK)
        asked->status = posenc_plan(found, &wrong, &asked->arguments, &asked->memory,
                                    &asked->result, &asked->problem);
}

/* ask_fault(asked, "rope", "apply", "exchanged_cos_sin", {"dim", posenc_number(8)}, ...) */
#define ask_fault(asked, encoding, operation, fault, ...)                                          \
    ask_fault_members(                                                                             \
        (asked), (encoding), (operation), (fault), (const struct posenc_member[]){__VA_ARGS__},    \
        sizeof((const struct posenc_member[]){__VA_ARGS__}) / sizeof(struct posenc_member))

/* The fault of the best explanation, or "". */
static inline const char *explained_fault(const struct asked *asked)
{
    const struct posenc_value object = {.kind = POSENC_OBJECT, .as.object = asked->result.derived};
    const struct posenc_value *explanations = posenc_find_member(&object, "explanations");

    cr_assert(asked->status == POSENC_OK, "%s: %s", asked->problem.parameter,
              asked->problem.detail);
    if (explanations->as.list.count == 0)
        return "";
    const struct posenc_value *fault = posenc_find_member(&explanations->as.list.items[0], "fault");

    return fault ? fault->as.text : "";
}

/* Asks identify, and expects this verdict and this fault of the best explanation. */
static inline void expect_named_members(const char *verdict, const char *fault,
                                        const struct posenc_member *members, size_t count)
{
    struct asked asked;

    ask_members(&asked, NULL, "identify", members, count);
    expect_verdict(&asked, verdict);
    cr_expect_str_eq(explained_fault(&asked), fault, "not %s: %s", fault,
                     asked_text(&asked, "statement"));
    posenc_memory_release(&asked.memory);
}

#define expect_named(verdict, fault, ...)                                                          \
    expect_named_members((verdict), (fault), (const struct posenc_member[]){__VA_ARGS__},          \
                         sizeof((const struct posenc_member[]){__VA_ARGS__}) /                     \
                             sizeof(struct posenc_member))

#endif
