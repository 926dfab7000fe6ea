/* Requests to samples, whose tensors are sent to `identify` with their own or other parameters. */
#ifndef TESTS_IDENTIFY_ABOUT_H
#define TESTS_IDENTIFY_ABOUT_H

#include "identify_case.h"
#include "samples.h"

/* Small tensors of many conventions, from which parameters are changed. */
extern const struct sample about_bases[];
extern const size_t about_base_count;

extern const enum posenc_dtype about_dtypes[4];

uint64_t about_draw(uint64_t *state);
size_t about_draw_below(uint64_t *state, size_t count);

/* A request under change: its members, of which the applied tensor is none. */
struct asking_about {
    const struct sample *sample;
    const struct posenc_operation *operation;
    struct posenc_member members[24];
    size_t count;
    struct posenc_member applied; /* without a name for a table */
};

/* Reads a sample's members, which live in the memory. */
void about_read(const struct sample *sample, struct posenc_memory *memory,
                struct asking_about *about);

/* What the encoding makes of members in a type, beside what is applied and tensors that are not
 * echoed. */
enum posenc_status about_make(const struct asking_about *about, const struct posenc_members *given,
                              enum posenc_dtype dtype, struct posenc_memory *memory,
                              struct posenc_result *result);

/* All of a tensor, in the memory. */
struct posenc_value about_values(const struct posenc_tensor *tensor, struct posenc_memory *memory);

/* Sends a tensor with the request's own parameters; release asked->memory. */
void about_ask(const struct asking_about *about, struct posenc_value actual, const char *part,
               struct asked *asked);

/* An explanation that says "same" must give the tensor, asked as its parameters say. */
void about_expect_reproduced(const struct asking_about *about, const struct posenc_array *actual,
                             const char *part, const struct asked *asked);

/* False for constants, of which nothing can be said. */
bool about_is_comparable(const struct posenc_array *array);

#endif
