/* One setting as data, and what its kind of value takes: from text to struct settings and back. */
#ifndef SETTINGS_ROW_H
#define SETTINGS_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "settings.h"

#define SETTINGS_KIB UINT64_C(1024)
#define SETTINGS_MIB (SETTINGS_KIB * SETTINGS_KIB)
#define SETTINGS_GIB (SETTINGS_KIB * SETTINGS_MIB)

#define SETTINGS_WANTED_MAX 128 /* bytes of what a row takes, in words, with its end */
#define SETTINGS_SHOWN_MAX  80  /* bytes of a bad value that its problem repeats */

enum settings_kind {
    SETTINGS_ADDRESSES, /* a list */
    SETTINGS_MODE,      /* octal */
    SETTINGS_COUNT,
    SETTINGS_BYTES,
    SETTINGS_SECONDS,
    SETTINGS_CHOICE,
    SETTINGS_PATH,
    SETTINGS_ORIGINS /* a list */
};

struct settings_row {
    const char *name; /* of the flag, without its dashes, and of the file's key */
    enum settings_kind kind;
    size_t offset; /* into struct settings */
    const char *initial;
    uint64_t min, max;          /* of a number */
    const char *const *choices; /* of a choice: ends in NULL, index is the value */
    const char *meaning;
};

/* The rows in their order, NULL past the last; and the one of that name, or NULL. */
const struct settings_row *settings_row_at(size_t index);
const struct settings_row *settings_find(const char *name, size_t name_size);

/* Writes the value into its member, or adds the text's items, which commas separate, to a list.
 * False when the row takes no such text. Of a path only the pointer is kept. */
bool settings_store(const struct settings_row *row, const char *text, struct settings *settings);

/* "1 to 86400 seconds", "logfmt or json": what the row takes. */
void settings_describe(const struct settings_row *row, char out[SETTINGS_WANTED_MAX]);

/* The value as settings_store() would read it; "-" for a path or a list that is not set. Cut to
 * size. */
void settings_format(const struct settings_row *row, const struct settings *settings, char *out,
                     size_t size);

/* A number may stand in the file without quotes; a list is an array of texts there, or one text. */
bool settings_takes_number(const struct settings_row *row);
bool settings_takes_list(const struct settings_row *row);

/*
 * Takes a value from a source, which beats those taken before; what a list holds by a weaker source
 * is replaced, and what it holds by the same one is added to. `place` is how a problem begins:
 * where the text was found. False with problem.
 */
bool settings_take(const struct settings_row *row, enum settings_source source, const char *place,
                   const char *text, struct settings *settings, char problem[SETTINGS_PROBLEM_MAX]);

#endif
