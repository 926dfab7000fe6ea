/* The axes of a tensor in a picture, and what they are called. */
#ifndef POSENC_PICTURE_AXES_H
#define POSENC_PICTURE_AXES_H

#include "posenc.h"

#define PICTURE_NAME_MAX 48 /* bytes of an axis's name, with the end */
#define PICTURE_AXES     3  /* that a picture shows at most */

/* Samples of one axis: the elements at 0, stride, 2 stride, ... */
struct picture_axis {
    char name[PICTURE_NAME_MAX]; /* of one place on it: "head" */
    size_t size, stride, count;
};

/* The operation's description of the tensor, or NULL; the result may be NULL. */
const struct posenc_tensor_row *picture_tensor_row(const struct posenc_result *result,
                                                   const struct posenc_tensor *tensor);

/*
 * Names the tensor's last axes as its description does, in the singular: axes[0] is the last one.
 * Those that the tensor lacks are left alone. The result may be NULL.
 */
void picture_name_axes(const struct posenc_result *result, const struct posenc_tensor *tensor,
                       struct picture_axis *const axes[PICTURE_AXES]);

#endif
