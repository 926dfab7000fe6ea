/* Numbers that rounding made integers; few are, so each has an allocation of its own. */
#include "rounded.h"

#include <string.h>

#include "number_text.h"

#define ROUNDED_TEXT_MAX 63 /* bytes of a decimal that are kept; a problem shows no more */

bool rounded_note(struct rounded_list *list, struct posenc_memory *memory, size_t index,
                  const char *text, size_t size, double value)
{
    const int side = rounded_is_possible(size, value) ? number_side(text, size, value) : 0;

    if (side == 0)
        return true;
    const size_t kept = size < ROUNDED_TEXT_MAX ? size : ROUNDED_TEXT_MAX;
    struct posenc_rounded *const rounded = posenc_allocate(memory, 1, sizeof *rounded);
    char *const copy = posenc_allocate(memory, kept + 1, 1);

    if (!rounded || !copy)
        return false;
    memcpy(copy, text, kept);
    copy[kept] = '\0';
    *rounded = (struct posenc_rounded){.index = index, .is_above = side > 0, .text = copy};
    if (list->last)
        list->last->next = rounded;
    else
        list->first = rounded;
    list->last = rounded;
    return true;
}
