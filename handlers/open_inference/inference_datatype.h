/* The datatypes of the Open Inference Protocol, and what the library reads and writes them as. */
#ifndef POSENC_INFERENCE_DATATYPE_H
#define POSENC_INFERENCE_DATATYPE_H

#include "elements.h"
#include "posenc.h"

/* Small and unsigned integers are read as a wider signed type, which holds all their values. */
struct inference_datatype {
    const char *name;
    size_t size; /* bytes of an element */
    enum posenc_dtype dtype;
    bool is_integer, is_signed;
    /* Of an integer's values that are read: doubles must hold them all. Of the others maximum is
     * the least finite magnitude that rounds to an infinity. */
    double minimum, maximum;
};

/* By name; NULL when there is none, or none that holds numbers (BYTES). */
const struct inference_datatype *inference_datatype_find(const char *name);

/* All names, ended by NULL. */
extern const char *const inference_datatype_names[];

/* What a tensor of that dtype is called. */
const char *inference_datatype_name(enum posenc_dtype dtype);

/*
 * Gives an array of known shape, whose dtype it sets, the elements at source->offset of the body,
 * which holds them all: where they lie, or as a copy in the memory. Refuses integers out of the
 * datatype's range.
 */
bool inference_datatype_take(const struct inference_datatype *datatype,
                             const struct element_source *source, struct posenc_memory *memory,
                             struct posenc_array *array, struct body_problem *problem);

#endif
