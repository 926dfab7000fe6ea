/*
 * Keeps what is lost when a decimal is read as its nearest double and that is an integer: whether
 * the decimal lay above or below, and how it was written. Parameters are judged by it
 * (posenc_rounded); tensors are the doubles.
 */
#ifndef POSENC_ROUNDED_H
#define POSENC_ROUNDED_H

#include <math.h>

#include "posenc.h"

/* The numbers of one value that became integers by rounding, in their order; starts as {0}. */
struct rounded_list {
    const struct posenc_rounded *first;
    struct posenc_rounded *last;
};

/* A double tells any 15 digits apart, and a decimal that rounds to an integer without being one has
 * more. Almost all numbers of a request are done with this. */
static inline bool rounded_is_possible(size_t size, double value)
{
    return size > 15 && fabs(value) <= 0x1p53 && value == rint(value);
}

/*
 * Appends the index-th number of the value, whose text number_parse() has read as `value`, when
 * rounding made it an integer of at most 2^53 in magnitude. False when memory is out.
 */
bool rounded_note(struct rounded_list *list, struct posenc_memory *memory, size_t index,
                  const char *text, size_t size, double value);

#endif
