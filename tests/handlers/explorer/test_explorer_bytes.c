/* What stands in the page's files: nothing that its policy would refuse, nothing from elsewhere. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "explorer.h"

#define TOTAL_BYTES_MAX (60 * 1024)

/* The file as a text; free() it. */
static char *text_of(const struct explorer_file *file)
{
    const size_t size = (size_t)*file->size;
    char *text = malloc(size + 1);

    cr_assert_not_null(text);
    memcpy(text, file->bytes, size);
    text[size] = '\0';
    return text;
}

static void expect_absent(const struct explorer_file *file, const char *text, const char *word)
{
    const char *found = strstr(text, word);

    cr_expect_null(found, "%s has %s: %.60s", file->name, word, found ? found : "");
}

Test(explorer_bytes, are_texts_that_end_in_a_line_end)
{
    uint64_t total = 0;

    for (size_t i = 0; explorer_file_at(i); i++) {
        const struct explorer_file *file = explorer_file_at(i);
        char *text = text_of(file);

        cr_assert_gt(*file->size, 100, "%s", file->name);
        cr_expect_eq(strlen(text), *file->size, "%s: a NUL byte", file->name);
        cr_expect_eq(text[*file->size - 1], '\n', "%s", file->name);
        total += *file->size;
        free(text);
    }
    cr_expect_leq(total, TOTAL_BYTES_MAX);
}

Test(explorer_bytes, make_markup_of_nothing)
{
    static const char *const words[] = {
        "innerHTML", "outerHTML",   "insertAdjacentHTML", "eval(",   "document.write", "DOMParser",
        "srcdoc",    "javascript:", "new Function",       "http://", "https://",       "@import"};

    for (size_t i = 0; explorer_file_at(i); i++) {
        char *text = text_of(explorer_file_at(i));

        for (size_t j = 0; j < sizeof(words) / sizeof(*words); j++)
            expect_absent(explorer_file_at(i), text, words[j]);
        free(text);
    }
}

Test(explorer_bytes, keep_script_and_style_out_of_the_page)
{
    static const char *const words[] = {"<style", "style=", " onclick", " onload", " onerror"};
    char *page = text_of(explorer_file_at(0));

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        expect_absent(explorer_file_at(0), page, words[i]);
    for (const char *script = page; (script = strstr(script, "<script")) != NULL; script++) {
        const char *content = strchr(script, '>');

        cr_assert_not_null(content);
        cr_expect_eq(strncmp(content, "></script>", 10), 0);
    }
    free(page);
}

/* Whether a file is served whose name stands there, up to a quote. */
static bool is_served(const char *name)
{
    for (size_t i = 1; explorer_file_at(i); i++) {
        const size_t length = strlen(explorer_file_at(i)->name);

        if (strncmp(name, explorer_file_at(i)->name, length) == 0 && name[length] == '"')
            return true;
    }
    return false;
}

/* What a script imports, or the page asks for, as a file that is served. */
Test(explorer_bytes, ask_for_each_other_alone)
{
    static const char *const ways[] = {"\"./", "\"/explorer/"};
    size_t count = 0;

    for (size_t i = 0; explorer_file_at(i); i++) {
        char *text = text_of(explorer_file_at(i));

        for (size_t way = 0; way < 2; way++)
            for (const char *at = text; (at = strstr(at, ways[way])) != NULL; count++) {
                at += strlen(ways[way]);
                cr_expect(is_served(at), "%s: %.40s", explorer_file_at(i)->name, at);
            }
        free(text);
    }
    cr_expect_gt(count, 10);
}
