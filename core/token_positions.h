/* Position ids of tokens by the rules of models: the tool `positions`. */
#ifndef POSENC_TOKEN_POSITIONS_H
#define POSENC_TOKEN_POSITIONS_H

#include "internal.h"

/* Parameters of the multimodal rules. */
extern const struct posenc_parameter posenc__token_mrope_rows[];

/* Tokens of [batch, length]; a single row counts as a batch of one. */
struct posenc__tokens {
    size_t rank, batch, length;
    const double *ids;  /* [batch][length], or NULL */
    const double *mask; /* [batch][length] of 0 and 1, or NULL: all 1 */
};

/* How a multimodal model counts videos. */
struct posenc__mrope_rule {
    bool scales_time;   /* frames stand tokens_per_second apart (Qwen2.5-VL) */
    bool splits_frames; /* each frame is an image of its own, with text between (Qwen3-VL) */
};

/* Reads the layout of text, images and videos, and appends `positions` and `deltas`. */
enum posenc_status posenc__token_mrope(struct posenc_arguments *arguments,
                                       const struct posenc__mrope_rule *rule,
                                       const struct posenc__tokens *tokens,
                                       struct posenc_memory *memory, struct posenc_result *result,
                                       struct posenc_problem *problem);

/* Reads a tensor of integers [batch, length] or [length] as doubles, in the memory. */
enum posenc_status posenc__token_read(const struct posenc_arguments *arguments, const char *name,
                                      double minimum, double maximum, struct posenc__tokens *tokens,
                                      struct posenc_memory *memory, const double **out,
                                      struct posenc_problem *problem);

/* The values of a tensor whose plan is the doubles themselves. */
void posenc__token_stored(const void *stored, size_t first, size_t count, double *out);

#endif
