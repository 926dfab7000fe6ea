#include "picture.h"

#include <string.h>

#include "picture_caption.h"
#include "picture_heatmap.h"
#include "picture_plot.h"
#include "picture_samples.h"

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
