/* The words under a picture. */
#ifndef POSENC_PICTURE_CAPTION_H
#define POSENC_PICTURE_CAPTION_H

#include "picture_samples.h"

#define PICTURE_CAPTION_MAX   1024 /* bytes of one text, with the end */
#define PICTURE_CAPTION_LINES 3    /* the title's included */

struct picture_caption {
    char title[PICTURE_CAPTION_MAX];   /* encoding, operation, tensor, dtype, shape */
    char meaning[PICTURE_CAPTION_MAX]; /* of the tensor; "" where there is none */
    char text[PICTURE_CAPTION_MAX];    /* what is left out, then what the parameters are */
};

/* Printable ASCII only; what is not becomes a question mark. The result may be NULL. */
void picture_caption_write(const struct posenc_result *result,
                           const struct picture_samples *samples, struct picture_caption *caption);

/*
 * Copies the words of a text that fit into `width` pixels at `size`, and returns what is left of
 * it. The last line has an ellipsis where something is left.
 */
const char *picture_caption_line(const char *text, int size, double width, bool is_last,
                                 char line[PICTURE_CAPTION_MAX]);

#endif
