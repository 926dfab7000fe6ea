/* Bodies of formats, opened and read as tests want them. */
#ifndef WHOLE_BODY_H
#define WHOLE_BODY_H

#include "format.h"

/* Asserts that the format opens. */
struct format_body opened_body(const struct format *format, const struct format_input *input,
                               struct posenc_memory *memory);

/*
 * All bytes, ended by a NUL byte, read in steps of `step` into buffers that end where a step does,
 * so that a sanitizer sees what is written beyond. Asserts the length, where the body tells one.
 * The caller frees them.
 */
char *whole_body(const struct format_body *body, size_t step, size_t *size);

#endif
