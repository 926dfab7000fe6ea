/* Byte ranges (RFC 9110, section 14): one part of a body whose length is known. */
#ifndef POSENC_RANGE_H
#define POSENC_RANGE_H

#include "exchange.h"

enum range_kind {
    RANGE_WHOLE,  /* none was asked for, or one that we need not serve: several, or malformed */
    RANGE_PART,   /* 206 */
    RANGE_BEYOND, /* nothing of it lies in the body: 416 */
};

struct byte_range {
    uint64_t first, count;
};

/* The Range header of a request against a body of that length; `range` is set for RANGE_PART, and
 * lies inside. */
enum range_kind range_read(const struct request *request, uint64_t length,
                           struct byte_range *range);

/* Content-Range of a part, or without `range` of a 416. */
#define RANGE_TEXT_SIZE 72
void range_print(const struct byte_range *range, uint64_t length, char text[RANGE_TEXT_SIZE]);

#endif
