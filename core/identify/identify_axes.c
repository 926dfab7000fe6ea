/*
 * The parameters that a tensor's axes tell, from the words of its row: "[heads, query_length,
 * key_length]". A word that is no parameter tells none, but for the last axis: what it counts, as
 * "pairs" do, makes `dim`. Of several shapes, "[heads, query_length, key_length] or [heads,
 * relative_positions]", the one with the tensor's rank is meant.
 */
#include <string.h>

#include "identify.h"

#define WORD_MAX 32

/* The row of a word, of a list or of a length. */
static const struct posenc_parameter *row_of_word(const struct posenc_operation *operation,
                                                  const char *word)
{
    const struct posenc_parameter *row = posenc__row_of(operation, word);

    return row && (row->type == POSENC_TYPE_INTEGER || row->type == POSENC_TYPE_REALS ||
                   row->type == POSENC_TYPE_INTEGERS)
               ? row
               : NULL;
}

/* Copies the word at the front of `text`; its length in the text, with what separates it. */
static size_t read_word(const char *text, char word[WORD_MAX])
{
    const size_t length = strcspn(text, ",]"), kept = length < WORD_MAX ? length : WORD_MAX - 1;

    memcpy(word, text, kept);
    word[kept] = '\0';
    return length + strspn(text + length, ", ");
}

/* Reads the words between two brackets; false where there are more than axes can be. */
static bool read_axes(struct posenc__context *context, const char *text)
{
    char word[WORD_MAX];

    for (context->axis_count = 0; *text != ']' && *text != '\0'; context->axis_count++) {
        text += read_word(text, word);
        if (context->axis_count == POSENC__IDENTIFY_AXES_MAX)
            return false;
        context->axes[context->axis_count] = row_of_word(context->operation, word);
    }
    return true;
}

/* What follows the bracket of as many axes as the tensor has, or the first bracket. */
static const char *choose_shape(struct posenc__context *context, size_t rank)
{
    const char *first = context->part->dims + 1;

    for (const char *text = first - 1; text; text = strchr(text + 1, '['))
        if (read_axes(context, text + 1) && context->axis_count == rank)
            return text + 1;
    return first;
}

void posenc__find_axes(struct posenc__context *context, size_t rank)
{
    const char *dims = context->part->dims;

    context->axis_count = 0;
    if (context->is_applied || *dims != '[' || strncmp(dims, "[...", 4) == 0)
        return;
    if (!read_axes(context, choose_shape(context, rank)))
        context->axis_count = 0;
    if (context->axis_count > 0 && !context->axes[context->axis_count - 1])
        context->axes[context->axis_count - 1] = row_of_word(context->operation, "dim");
}
