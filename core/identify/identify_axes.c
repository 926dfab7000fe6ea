/*
 * The parameters that a tensor's axes tell, from the words of its row: "[heads, query_length,
 * key_length]". A word that is no parameter tells none, but for the last axis: what it counts, as
 * "pairs" do, makes `dim`.
 */
#include <string.h>

#include "identify.h"

#define WORD_MAX 32

/* The row of a word, of a list or of a length. */
static const struct posenc_parameter *row_of_word(const struct posenc_operation *operation,
                                                  const char *word)
{
    const struct posenc_parameter *row = posenc__row_of(operation, word);

    return row && (row->type == POSENC_TYPE_INTEGER || row->type == POSENC_TYPE_REALS) ? row : NULL;
}

/* Copies the word at the front of `text`; its length in the text, with what separates it. */
static size_t read_word(const char *text, char word[WORD_MAX])
{
    const size_t length = strcspn(text, ",]"), kept = length < WORD_MAX ? length : WORD_MAX - 1;

    memcpy(word, text, kept);
    word[kept] = '\0';
    return length + strspn(text + length, ", ");
}

void posenc__find_axes(struct posenc__context *context)
{
    const char *text = context->part->dims;
    char word[WORD_MAX];

    context->axis_count = 0;
    if (context->is_applied || *text != '[' || strncmp(text, "[...", 4) == 0)
        return;
    for (text++; *text != ']' && *text != '\0'; context->axis_count++) {
        text += read_word(text, word);
        if (context->axis_count == POSENC__IDENTIFY_AXES_MAX) {
            context->axis_count = 0;
            return;
        }
        context->axes[context->axis_count] = row_of_word(context->operation, word);
    }
    if (context->axis_count > 0 && !context->axes[context->axis_count - 1])
        context->axes[context->axis_count - 1] = row_of_word(context->operation, "dim");
}
