#include "token.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define TOKEN_KIND       ":sha256:"
#define TOKEN_HEX_DIGITS (2 * (size_t)SHA256_BYTES)

static bool token_is_alphanumeric(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* How many of the first bytes are letters, digits, or one of `others`. */
static size_t token_span(const char *text, size_t size, const char *others)
{
    size_t span = 0;

    while (span < size &&
           (token_is_alphanumeric(text[span]) || (text[span] && strchr(others, text[span]))))
        span++;
    return span;
}

bool token_is_wellformed(const char *text, size_t size)
{
    const size_t span = token_span(text, size, "-._~+/");
    size_t end = span;

    while (end < size && text[end] == '=')
        end++;
    return span > 0 && end == size && size <= TOKEN_BYTES_MAX;
}

bool token_name_is_usable(const char *name, size_t size)
{
    return size > 0 && size < TOKEN_NAME_MAX && token_span(name, size, "._-") == size;
}

static int token_hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool token_read_digest(const char *hex, size_t size, unsigned char digest[SHA256_BYTES])
{
    if (size != TOKEN_HEX_DIGITS)
        return false;
    for (size_t i = 0; i < SHA256_BYTES; i++) {
        const int high = token_hex_value(hex[2 * i]), low = token_hex_value(hex[2 * i + 1]);

        if (high < 0 || low < 0)
            return false;
        digest[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

/* All ones when the digests are the same, else 0, without a branch. */
static uint32_t token_same_mask(const unsigned char *a, const unsigned char *b)
{
    uint32_t difference = 0;

    for (size_t i = 0; i < SHA256_BYTES; i++)
        difference |= (uint32_t)(a[i] ^ b[i]);
    return 0U - ((difference - 1U) >> 31);
}

/* The index of the digest, or list->count. */
static uint32_t token_list_index(const struct token_list *list, const unsigned char *digest)
{
    uint32_t found = (uint32_t)list->count;

    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t mask = token_same_mask(list->tokens[i].digest, digest);

        found = (found & ~mask) | (i & mask);
    }
    return found;
}

const struct token *token_list_find(const struct token_list *list, const char *text, size_t size)
{
    unsigned char digest[SHA256_BYTES];
    struct sha256 hash;
    uint32_t index;

    sha256_begin(&hash);
    sha256_add(&hash, text, size);
    sha256_end(&hash, digest);
    index = token_list_index(list, digest);
    return index < list->count ? &list->tokens[index] : NULL;
}

static bool token_fail(char problem[TOKEN_PROBLEM_MAX], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool token_fail(char problem[TOKEN_PROBLEM_MAX], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(problem, TOKEN_PROBLEM_MAX, format, arguments);
    va_end(arguments);
    return false;
}

static bool token_list_add(struct token_list *list, const char *line, size_t size, size_t number,
                           char problem[TOKEN_PROBLEM_MAX])
{
    static const size_t kind_size = sizeof(TOKEN_KIND) - 1;
    const size_t name_size = token_span(line, size, "._-");
    struct token *token = &list->tokens[list->count];
    const char *kind = line + name_size;
    uint32_t twin;

    if (!token_name_is_usable(line, name_size) || size - name_size < kind_size ||
        memcmp(kind, TOKEN_KIND, kind_size) != 0)
        return token_fail(problem, "line %zu is not \"name:sha256:\" and a digest", number);
    if (list->count == TOKENS_MAX)
        return token_fail(problem, "line %zu is one token more than %d", number, TOKENS_MAX);
    if (!token_read_digest(kind + kind_size, size - name_size - kind_size, token->digest))
        return token_fail(problem, "line %zu (%.*s): the digest is not %zu hexadecimal digits",
                          number, (int)name_size, line, TOKEN_HEX_DIGITS);
    twin = token_list_index(list, token->digest);
    if (twin < list->count)
        return token_fail(problem, "line %zu (%.*s) has the digest of an earlier line (%s)", number,
                          (int)name_size, line, list->tokens[twin].name);
    memcpy(token->name, line, name_size);
    token->name[name_size] = '\0';
    list->count++;
    return true;
}

static bool token_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool token_list_parse(const char *text, size_t size, struct token_list *list,
                      char problem[TOKEN_PROBLEM_MAX])
{
    size_t number = 0;

    list->count = 0;
    for (size_t begin = 0; begin < size; number++) {
        const char *line = text + begin;
        const char *line_end = memchr(line, '\n', size - begin);
        size_t used = line_end ? (size_t)(line_end - line) : size - begin;

        begin += used + 1;
        while (used > 0 && token_is_blank(line[used - 1]))
            used--;
        if (used > 0 && line[0] != '#' && !token_list_add(list, line, used, number + 1, problem))
            return false;
    }
    if (list->count == 0)
        return token_fail(problem, "there is no token in it");
    return true;
}
