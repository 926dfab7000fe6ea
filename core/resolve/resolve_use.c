/* Uses: one object of the answer for each encoding that layers use. */
#include <stdio.h>

#include "resolve_part.h"

#define USE_MEMBERS_MAX 8

void posenc__use_note(const struct posenc__part *part, struct posenc__use *use, const char *note,
                      ...)
{
    char sentence[POSENC_DETAIL_MAX];
    va_list words;
    const char *text;

    va_start(words, note);
    (void)vsnprintf(sentence, sizeof(sentence), note, words); /* cut if long */
    va_end(words);
    text = posenc__format(part->whole->memory, "%s", sentence);
    if (text && use->note_count < POSENC__NOTES_MAX)
        use->notes[use->note_count++] = posenc_text(text);
}

static struct posenc_value use_notes(const struct posenc__use *use, struct posenc_memory *memory)
{
    struct posenc_value list = {.kind = POSENC_LIST};
    struct posenc_value *items = posenc_allocate(memory, use->note_count, sizeof(*items));

    if (!items)
        return posenc_null();
    for (size_t i = 0; i < use->note_count; i++)
        items[i] = use->notes[i];
    list.as.list = (struct posenc_list){items, use->note_count};
    return list;
}

enum posenc_status posenc__add_use(const struct posenc__part *part, const struct posenc__use *use)
{
    struct posenc__resolution *whole = part->whole;
    struct posenc__members members;

    if (whole->use_count == POSENC_CONFIG_USES_MAX)
        return posenc__part_refuse(part, POSENC_TOO_LARGE, "num_hidden_layers",
                                   "The layers differ in more than %d ways; that is more than any "
                                   "model does.",
                                   POSENC_CONFIG_USES_MAX);
    if (!posenc__members_init(&members, USE_MEMBERS_MAX, whole->memory))
        return posenc__no_memory(whole->problem);
    posenc__members_add(&members, "component", posenc_text(use->component));
    posenc__members_add(&members, "layers", use->layers);
    if (use->layer_type)
        posenc__members_add(&members, "layer_type", posenc_text(use->layer_type));
    posenc__members_add(&members, "encoding", posenc_text(use->encoding));
    posenc__members_add(&members, "parameters",
                        use->parameters.kind == POSENC_NULL ? posenc_object(NULL, 0)
                                                            : use->parameters);
    if (use->derived.kind != POSENC_NULL)
        posenc__members_add(&members, "derived", use->derived);
    if (use->query_scale.kind != POSENC_NULL)
        posenc__members_add(&members, "query_scale", use->query_scale);
    posenc__members_add(&members, "notes", use_notes(use, whole->memory));
    whole->uses[whole->use_count++] = posenc__members_value(&members);
    return POSENC_OK;
}
