/* Describing encodings from their rows: the catalogue, and whatever else is written from the same
 * data. */
#ifndef POSENC_DESCRIBE_H
#define POSENC_DESCRIBE_H

#include "json_text.h"
#include "posenc.h"

/* One encoding as an object: operations, parameters, tensors, presets. */
void describe_encoding(struct json_text *text, const struct posenc_encoding *encoding);

/* An operation that belongs to no encoding. */
void describe_tool(struct json_text *text, const struct posenc_operation *tool);

/* A quantity of analysis: also which encodings have it. */
void describe_quantity(struct json_text *text, const struct posenc_operation *quantity);

/* A table of rows as an array of objects. */
void describe_parameters(struct json_text *text, const struct posenc_parameter *rows);

#endif
