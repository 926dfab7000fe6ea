/*
 * JSON text in which marks stand for the data of tensors: what stands around them is small and made
 * at once, the data is printed block by block as it is asked for, so that a text of any size takes
 * the memory of one block.
 */
#ifndef POSENC_MARKED_TEXT_H
#define POSENC_MARKED_TEXT_H

#include "format.h"
#include "json_text.h"

/* Elements of all tensors up to which a text is printed at once, and then has a known length. */
#define MARKED_TEXT_WHOLE_MAX 4096

/* Elements of some tensors together, in a text. */
struct marked_count {
    size_t cells;  /* as json_data_count() has them; SIZE_MAX where they are no fewer */
    bool is_short; /* MARKED_TEXT_WHOLE_MAX at most */
};

struct marked_text;

/* Where a tensor's data is due in the text: the tensors' in turn. */
void marked_text_data(struct json_text *text);

/* Counts the elements; refuses a tensor that cannot be written. */
enum posenc_status marked_text_count(const struct posenc_tensor *tensors, size_t count,
                                     struct marked_count *counted, struct posenc_problem *problem);

/*
 * A text to be read, with a mark for each of the tensors, which have been counted. What was written
 * is moved into the memory; NULL when that, or the writer, is out of it.
 */
struct marked_text *marked_text_new(struct json_text *text, const struct posenc_tensor *tensors,
                                    size_t count, bool pretty, struct posenc_memory *memory);

/* Bytes that it has at most where its tensors have one axis each and it is not pretty; UINT64_MAX
 * when they cannot be counted. */
uint64_t marked_text_bound(const struct marked_text *text, const struct marked_count *counted);

/* Makes it a body, which begins with the text's first byte; a short one is printed at once. */
enum posenc_status marked_text_open(struct marked_text *text, bool is_short,
                                    struct posenc_memory *memory, struct format_body *body,
                                    struct posenc_problem *problem);

#endif
