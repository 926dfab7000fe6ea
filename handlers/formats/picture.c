/* Chooses the layout, and hands bytes to the server. */
#include "picture.h"

#include <string.h>

#include "picture_draw.h"

enum posenc_status picture_make(const struct format_input *input, struct posenc_memory *memory,
                                struct picture *picture, struct posenc_problem *problem)
{
    struct picture_samples samples;
    struct picture_caption *const caption = posenc_allocate(memory, 1, sizeof *caption);

    memset(picture, 0, sizeof *picture);
    picture->memory = memory;
    picture->shapes = posenc_allocate(memory, PICTURE_SHAPES_MAX, sizeof *picture->shapes);
    if (!caption || !picture->shapes)
        return format_no_memory(problem);
    if (picture_sample(input, memory, &samples, problem) != POSENC_OK)
        return problem->status;
    picture_caption_write(input->result, &samples, caption);
    if (input->tensor->rank < 2)
        picture_plot(picture, &samples, caption);
    else
        picture_heatmap(picture, &samples, caption);
    return picture->failed ? format_no_memory(problem) : POSENC_OK;
}

struct picture_body {
    const char *bytes;
    size_t size;
};

static ssize_t picture_read(void *state, uint64_t offset, char *buffer, size_t size)
{
    const struct picture_body *const whole = state;

    if (offset >= whole->size)
        return 0;
    if (size > whole->size - (size_t)offset)
        size = whole->size - (size_t)offset;
    memcpy(buffer, whole->bytes + offset, size);
    return (ssize_t)size;
}

enum posenc_status picture_open(const char *bytes, size_t size, struct posenc_memory *memory,
                                struct format_body *body, struct posenc_problem *problem)
{
    struct picture_body *const whole = posenc_allocate(memory, 1, sizeof *whole);

    if (!whole)
        return format_no_memory(problem);
    *whole = (struct picture_body){bytes, size};
    body->length = size;
    body->read = picture_read;
    body->state = whole;
    return POSENC_OK;
}
