/*
 * A body that is printed piece by piece as it is asked for, in the memory of one piece; a short one
 * is printed at once, and then has a known length.
 */
#ifndef POSENC_PRINTED_H
#define POSENC_PRINTED_H

#include "format.h"

#define PRINTED_PIECE_MAX       ((size_t)512)  /* bytes of one piece */
#define PRINTED_SHORT_CELLS_MAX ((size_t)4096) /* elements of a body that counts as short */

/* Prints the next piece, at most PRINTED_PIECE_MAX bytes, and returns where it ends: at `at` when
 * there is none left. May print more of them where all fit into `room`, which is as much or more.
 */
typedef char *printed_piece(void *state, char *at, size_t room);

/* Makes pieces a body; state lives in the memory. */
enum posenc_status printed_open(printed_piece *print, void *state, bool is_short,
                                struct posenc_memory *memory, struct format_body *body,
                                struct posenc_problem *problem);

#endif
