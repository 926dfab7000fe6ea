/*
 * Requests to every encoding, for what must hold of all their tensors: the same bits at every level
 * and on every machine. Plain C over the public header, so that other programs can use them too.
 */
#ifndef TESTS_SAMPLES_H
#define TESTS_SAMPLES_H

#include "posenc.h"

/* `request` is "name=value&...": a number, true or false, @2x3x4 (a tensor of that shape with drawn
 * elements), a list of numbers with commas, or else a text. */
struct sample {
    const char *encoding, *operation, *request;
};

extern const struct sample samples[];
extern const size_t sample_count;

/* The members of a request in the memory, with a dtype where one is given; null when there is no
 * more memory. */
struct posenc_value sample_input(const struct sample *sample, const enum posenc_dtype *dtype,
                                 struct posenc_memory *memory);

/* Binds and plans a sample for a dtype; the problem says why if it could not. */
enum posenc_status sample_plan(const struct sample *sample, enum posenc_dtype dtype,
                               struct posenc_memory *memory, struct posenc_result *result,
                               struct posenc_problem *problem);

#endif
