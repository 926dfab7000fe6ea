#include "settings_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_token.h"

#define SETTINGS_PATH_SHOWN_MAX 200 /* bytes of the path in a problem */
#define SETTINGS_INTEGER_MAX    24  /* bytes of an integer as text, with its end */

/* A file while it is read: its text, and where in it the key stands that is looked at. */
struct settings_file {
    const char *path;
    char *text; /* owned */
    size_t size;
    json_t *root; /* owned */
    size_t key_at;
    char key[SETTINGS_SHOWN_MAX + 1];
};

/* "path:3:5: "key"": lines and columns count from 1, columns in bytes. */
static void settings_file_place(const struct settings_file *file, char *out, size_t size)
{
    size_t line = 1, column = 1;

    for (size_t i = 0; i < file->key_at; i++, column++)
        if (file->text[i] == '\n') {
            line++;
            column = 0;
        }
    (void)snprintf(out, size, "%.*s:%zu:%zu: \"%s\"", SETTINGS_PATH_SHOWN_MAX, file->path, line,
                   column, file->key);
}

static bool settings_file_fail(const struct settings_file *file, const char *why,
                               char problem[SETTINGS_PROBLEM_MAX])
{
    char place[SETTINGS_PROBLEM_MAX / 2 + SETTINGS_PATH_SHOWN_MAX];

    settings_file_place(file, place, sizeof(place));
    (void)snprintf(problem, SETTINGS_PROBLEM_MAX, "%.*s: %s", SETTINGS_PROBLEM_MAX - 128, place,
                   why);
    return false;
}

/* Reads it whole; false with problem. */
static bool settings_file_read(struct settings_file *file, char problem[SETTINGS_PROBLEM_MAX])
{
    FILE *in = fopen(file->path, "re");
    const char *why = NULL;

    file->text = malloc(SETTINGS_FILE_BYTES_MAX + 1);
    if (in && file->text)
        file->size = fread(file->text, 1, SETTINGS_FILE_BYTES_MAX + 1, in);
    if (!in || !file->text || ferror(in))
        why = strerror(errno);
    else if (file->size > SETTINGS_FILE_BYTES_MAX)
        why = "larger than a file of settings may be";
    if (why)
        (void)snprintf(problem, SETTINGS_PROBLEM_MAX, "%.*s: %s", SETTINGS_PATH_SHOWN_MAX,
                       file->path, why);
    if (in)
        (void)fclose(in); /* nothing was written */
    return !why;
}

static bool settings_file_parse(struct settings_file *file, char problem[SETTINGS_PROBLEM_MAX])
{
    json_error_t error;

    file->root = json_loadb(file->text, file->size, JSON_REJECT_DUPLICATES, &error);
    if (json_is_object(file->root))
        return true;
    if (file->root)
        (void)snprintf(problem, SETTINGS_PROBLEM_MAX, "%.*s: not a JSON object of settings",
                       SETTINGS_PATH_SHOWN_MAX, file->path);
    else
        (void)snprintf(problem, SETTINGS_PROBLEM_MAX, "%.*s:%d:%d: %.160s", SETTINGS_PATH_SHOWN_MAX,
                       file->path, error.line, error.column, error.text);
    return false;
}

static bool settings_file_take_scalar(const struct settings_file *file,
                                      const struct settings_row *row, const json_t *value,
                                      struct settings *settings, char problem[SETTINGS_PROBLEM_MAX])
{
    char place[SETTINGS_PROBLEM_MAX / 2 + SETTINGS_PATH_SHOWN_MAX], number[SETTINGS_INTEGER_MAX];
    const char *text = json_string_value(value);

    if (json_is_integer(value) && settings_takes_number(row)) {
        (void)snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        text = number;
    }
    if (!text)
        return settings_file_fail(file,
                                  settings_takes_number(row)
                                      ? "the value must be an integer, or a text as the flag's"
                                      : "the value must be a text",
                                  problem);
    if (json_is_string(value) && strlen(text) != json_string_length(value))
        return settings_file_fail(file, "the value holds a NUL byte", problem);
    settings_file_place(file, place, sizeof(place));
    return settings_take(row, SETTINGS_FROM_FILE, place, text, settings, problem);
}

static bool settings_file_take_value(const struct settings_file *file,
                                     const struct settings_row *row, const json_t *value,
                                     struct settings *settings, char problem[SETTINGS_PROBLEM_MAX])
{
    if (!json_is_array(value) || !settings_takes_list(row))
        return settings_file_take_scalar(file, row, value, settings, problem);
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!settings_file_take_scalar(file, row, json_array_get(value, i), settings, problem))
            return false;
    return true;
}

/* Goes past a value of text that is known to be JSON, to the comma or brace behind it. */
static void settings_file_skip_value(struct json_cursor *cursor)
{
    size_t depth = 0;

    for (;; cursor->at++) {
        const int byte = json_peek(cursor);

        if (byte < 0 || (depth == 0 && (byte == ',' || byte == '}')))
            return;
        if (byte == '"') {
            (void)json_skip_string(cursor); /* it is one */
            cursor->at--;
        }
        if (byte == '{' || byte == '[')
            depth++;
        if (byte == '}' || byte == ']')
            depth--;
    }
}

/* Moves to the next key, of the object whose brace or comma the cursor stands at; false at its
 * end. */
static bool settings_file_next_key(struct settings_file *file, struct json_cursor *cursor)
{
    cursor->at++;
    json_skip_space(cursor);
    if (json_peek(cursor) != '"')
        return false;
    file->key_at = cursor->at;
    (void)json_skip_string(cursor); /* it is one */
    (void)snprintf(file->key, sizeof(file->key), "%.*s", (int)(cursor->at - file->key_at - 2),
                   cursor->text + file->key_at + 1);
    return true;
}

static bool settings_file_take_keys(struct settings_file *file, struct settings *settings,
                                    char problem[SETTINGS_PROBLEM_MAX])
{
    struct json_cursor cursor = {.text = file->text, .size = file->size};

    json_skip_space(&cursor);
    while (settings_file_next_key(file, &cursor)) {
        const struct settings_row *row = settings_find(file->key, strlen(file->key));

        if (!row)
            return settings_file_fail(
                file, "there is no such setting; --help names those that there are", problem);
        if (strcmp(row->name, "config") == 0)
            return settings_file_fail(file, "a file cannot name another", problem);
        if (!settings_file_take_value(file, row, json_object_get(file->root, row->name), settings,
                                      problem))
            return false;
        json_skip_space(&cursor);
        settings_file_skip_value(&cursor);
    }
    return true;
}

bool settings_take_file(const char *path, struct settings *settings,
                        char problem[SETTINGS_PROBLEM_MAX])
{
    struct settings_file file = {.path = path};
    const bool is_taken = settings_file_read(&file, problem) &&
                          settings_file_parse(&file, problem) &&
                          settings_file_take_keys(&file, settings, problem);

    settings->document = file.root;
    free(file.text);
    return is_taken;
}
