/* What a tensor's axes are called. */
#ifndef POSENC_PICTURE_AXES_H
#define POSENC_PICTURE_AXES_H

#include "picture_samples.h"

/* The operation's description of the tensor, or NULL. */
const struct posenc_tensor_row *picture_tensor_row(const struct posenc_result *result,
                                                   const struct posenc_tensor *tensor);

/* Names the axes as the description does, in the singular; the result may be NULL. */
void picture_name_axes(const struct posenc_result *result, struct picture_samples *samples);

#endif
