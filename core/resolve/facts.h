/*
 * Members of a config.json as compact text, for class defaults and built-in models:
 *
 *   "hidden_size=4096 rope_scaling.rope_type=llama3 mrope_section=16,24,24 sliding_window=null"
 *
 * Values are numbers, true, false, null, lists of numbers (a single number with a comma behind it
 * is a list, too) or words. Dotted names make nested objects.
 */
#ifndef POSENC_FACTS_H
#define POSENC_FACTS_H

#include "internal.h"

/* The text as an object in the memory; false when that is out. Members stay in their order. */
bool posenc__read_facts(const char *text, struct posenc_memory *memory,
                        struct posenc_value *object);

/* The member that a dotted path leads to, or NULL. */
const struct posenc_value *posenc__find_path(const struct posenc_value *object, const char *path);

/* The same for a path of `length` bytes inside a longer text. */
const struct posenc_value *posenc__find_span(const struct posenc_value *object, const char *path,
                                             size_t length);

/* Walks the words of a space-separated list: the next word's length, 0 at the end. */
size_t posenc__next_word(const char **list);

/* True when the list has that word. */
bool posenc__has_word(const char *list, const char *word);

#endif
