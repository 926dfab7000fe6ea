/*
 * Settings in a file: one JSON object whose keys are the flags' names. A value is a text as the
 * flag takes it, or a number where a number is due.
 */
#ifndef SETTINGS_FILE_H
#define SETTINGS_FILE_H

#include "settings_row.h"

#define SETTINGS_FILE_BYTES_MAX 1048576

/*
 * Takes every key of the file. What is no JSON, a key that stands twice, that no row has, or whose
 * value the row does not take, is a problem that names file, line and column. Texts live as long
 * as the settings, which own the document: settings_release().
 */
bool settings_take_file(const char *path, struct settings *settings,
                        char problem[SETTINGS_PROBLEM_MAX]);

#endif
