#include "picture_body.h"

#include "whole_bytes.h"

enum posenc_status picture_open(const char *bytes, size_t size, struct posenc_memory *memory,
                                struct format_body *body, struct posenc_problem *problem)
{
    struct whole_bytes *const whole = posenc_allocate(memory, 1, sizeof *whole);

    if (!whole)
        return format_no_memory(problem);
    *whole = (struct whole_bytes){bytes, size};
    body->length = size;
    body->read = whole_bytes_read;
    body->state = whole;
    return POSENC_OK;
}
