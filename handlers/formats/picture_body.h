/* A picture that has been drawn, as a body. */
#ifndef POSENC_PICTURE_BODY_H
#define POSENC_PICTURE_BODY_H

#include "format.h"

/* Makes bytes that live in the memory a body. */
enum posenc_status picture_open(const char *bytes, size_t size, struct posenc_memory *memory,
                                struct format_body *body, struct posenc_problem *problem);

#endif
