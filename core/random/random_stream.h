/* Which of a framework's streams of random numbers. */
#ifndef POSENC_RANDOM_STREAM_H
#define POSENC_RANDOM_STREAM_H

#include "posenc.h"

struct posenc__stream {
    uint64_t seed;
    size_t skip;            /* words the generator gave before */
    enum posenc_dtype draw; /* POSENC_FLOAT32 or POSENC_FLOAT64: of the tensor that is drawn */
};

#endif
