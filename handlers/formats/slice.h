/*
 * A file that is a header followed by the elements of tensors, as they lie in memory: any bytes of
 * it, computing only the elements that they belong to.
 */
#ifndef POSENC_SLICE_H
#define POSENC_SLICE_H

#include "format.h"

struct slice_file {
    const char *header; /* in the same memory as this */
    size_t header_size;
    size_t tensor_count;
    struct posenc_tensor tensors[POSENC_TENSORS_MAX]; /* in the order of the file */
};

/*
 * Makes the file a body that may be read at any offset, by any number of threads at once: read()
 * writes all bytes that are asked for, as far as the file goes. Refuses more bytes than can be
 * counted.
 */
enum posenc_status slice_file_open(struct slice_file *file, struct format_body *body,
                                   struct posenc_problem *problem);

#endif
