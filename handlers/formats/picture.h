/* A tensor as a picture: the layout that its rank asks for, with a caption. */
#ifndef POSENC_PICTURE_H
#define POSENC_PICTURE_H

#include "format.h"
#include "picture_shapes.h"

/* Makes the picture of the input's tensor. */
enum posenc_status picture_make(const struct format_input *input, struct posenc_memory *memory,
                                struct picture *picture, struct posenc_problem *problem);

#endif
