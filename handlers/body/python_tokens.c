/* Finding the tokens of Python's json module; see python_tokens.h. */
#include "python_tokens.h"

#include <stdio.h>
#include <string.h>

#define NESTING_MAX 32 /* deeper members are told by the path so far */

/* A name in the text, without its quotes. */
struct span {
    const char *start;
    size_t length;
};

/* Where the scan stands. */
struct walk {
    const char *text;
    size_t size, at;
    size_t depth;                   /* of open objects */
    struct span names[NESTING_MAX]; /* of the members that are open */
    struct span last;               /* the last string, which ':' makes a name */
    struct python_tokens *tokens;
};

static void skip_string(struct walk *walk)
{
    const size_t start = ++walk->at;

    while (walk->at < walk->size && walk->text[walk->at] != '"')
        walk->at += walk->text[walk->at] == '\\' ? 2 : 1;
    if (walk->at > walk->size)
        walk->at = walk->size;
    walk->last = (struct span){walk->text + start, walk->at - start};
    walk->at += walk->at < walk->size;
}

static void write_path(const struct walk *walk, char path[POSENC_PATH_MAX])
{
    size_t length = 0;

    path[0] = '\0';
    for (size_t i = 0; i < walk->depth && i < NESTING_MAX; i++) {
        const int written =
            snprintf(path + length, POSENC_PATH_MAX - length, "%s%.*s", length > 0 ? "." : "",
                     (int)(walk->names[i].length < POSENC_PATH_MAX ? walk->names[i].length
                                                                   : POSENC_PATH_MAX),
                     walk->names[i].start ? walk->names[i].start : "");

        length += written > 0 ? (size_t)written : 0;
        if (length + 1 >= POSENC_PATH_MAX)
            return;
    }
}

/* The token that starts here, or NULL. A longer word is not one. */
static const char *token_at(const struct walk *walk)
{
    static const char *const names[] = {"NaN", "Infinity", "-Infinity"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        const size_t length = strlen(names[i]);

        if (walk->size - walk->at < length || memcmp(walk->text + walk->at, names[i], length) != 0)
            continue;
        if (walk->size - walk->at == length || strchr(" \t\r\n,]}", walk->text[walk->at + length]))
            return names[i];
    }
    return NULL;
}

static void take_token(struct walk *walk, const char *token, char *out)
{
    const size_t length = strlen(token);
    struct python_tokens *tokens = walk->tokens;

    memset(out + walk->at, ' ', length);
    out[walk->at] = out[walk->at + 1] = '"';
    if (tokens->count < PYTHON_TOKENS_TOLD_MAX) {
        struct python_token *item = &tokens->items[tokens->count];

        item->text = token;
        item->offset = walk->at;
        write_path(walk, item->parameter);
    }
    tokens->count++;
    walk->at += length;
}

static void step(struct walk *walk, char *out)
{
    const char byte = walk->text[walk->at];
    const char *token = byte == 'N' || byte == 'I' || byte == '-' ? token_at(walk) : NULL;

    if (byte == '"') {
        skip_string(walk);
        return;
    }
    if (token) {
        take_token(walk, token, out);
        return;
    }
    if (byte == '{') {
        if (walk->depth < NESTING_MAX)
            walk->names[walk->depth] = (struct span){NULL, 0};
        walk->depth++;
    } else if (byte == '}' && walk->depth > 0) {
        walk->depth--;
    } else if (byte == ':' && walk->depth > 0 && walk->depth <= NESTING_MAX) {
        walk->names[walk->depth - 1] = walk->last;
    }
    walk->at++;
}

void replace_python_tokens(const char *text, size_t size, char *out, struct python_tokens *tokens)
{
    struct walk walk = {.text = text, .size = size, .tokens = tokens};

    tokens->count = 0;
    if (size > 0)
        memcpy(out, text, size);
    while (walk.at < size)
        step(&walk, out);
}
