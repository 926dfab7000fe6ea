/* Formats that are opened with too little memory. */
#ifndef SHORT_MEMORY_H
#define SHORT_MEMORY_H

#include "format.h"

/* Opens with a memory that grows from nothing until it is enough; asserts that each time before
 * fails as POSENC_NO_MEMORY, in words. Returns the bytes that were enough. */
size_t expect_no_memory_first(const struct format *format, const struct format_input *input);

#endif
