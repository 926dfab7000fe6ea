/* The answer to an inference, as a format beside those of /v1. */
#ifndef POSENC_INFERENCE_FORMAT_H
#define POSENC_INFERENCE_FORMAT_H

#include "format.h"
#include "inference_outputs.h"

/* What these formats are told besides the result: format_input's `more`. */
struct inference_answer {
    const char *model_name;
    const char *id; /* NULL: none */
    const struct inference_outputs *outputs;
};

/*
 * JSON alone, or with the bytes of outputs behind it; where all outputs are bytes, the second. Data
 * in the JSON is flat, and numbers that are not finite are the texts "NaN", "Infinity" and
 * "-Infinity": JSON that any reader takes, and that NumPy, through which the protocol's clients
 * read data, makes the same numbers of. Numbers of all datatypes are written, FP16 and BF16 among
 * them: each is the shortest that reads back as the same value.
 */
extern const struct format inference_format_json, inference_format_mixed, inference_format_bytes;

#endif
