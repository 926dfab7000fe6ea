/* The table of settings in README.md says what the rows say, and manifests set what there is. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings_environment.h"
#include "settings_row.h"

#define README_BYTES_MAX (1U << 20)

static char *read_source(const char *name)
{
    const char *golden = getenv("GOLDEN"); /* a folder whose place in the tree is known */
    char path[512], *text = calloc(1, README_BYTES_MAX + 1);
    FILE *in;

    (void)snprintf(path, sizeof(path), "%s/../../%s", golden ? golden : "tests/golden", name);
    in = fopen(path, "r");
    cr_assert(in, "%s", path);
    cr_assert(text);
    cr_assert_gt(fread(text, 1, README_BYTES_MAX, in), 0);
    (void)fclose(in);
    return text;
}

/* The line that README.md must have of a row. */
static void write_line(const struct settings_row *row, char *line, size_t size)
{
    char name[SETTINGS_ENVIRONMENT_MAX], wanted[SETTINGS_WANTED_MAX];

    settings_environment_name(row->name, name);
    settings_describe(row, wanted);
    (void)snprintf(line, size, "\n| `--%s` | `%s` | %s | %s%s%s |\n", row->name, name, row->meaning,
                   wanted, row->initial ? "; default " : "", row->initial ? row->initial : "");
}

Test(settings_readme, has_each_row_as_help_tells_it_and_no_other)
{
    char *readme = read_source("README.md"), line[1024];
    const struct settings_row *row;
    size_t rows = 0, lines = 0;

    for (; (row = settings_row_at(rows)) != NULL; rows++) {
        write_line(row, line, sizeof(line));
        cr_expect(strstr(readme, line), "README.md lacks%s", line);
    }
    for (const char *at = strstr(readme, "\n| `--"); at; at = strstr(at + 1, "\n| `--"))
        lines++;
    cr_expect_eq(lines, rows);
    free(readme);
}

static bool is_setting(const char *name, size_t size)
{
    const struct settings_row *row;
    char known[SETTINGS_ENVIRONMENT_MAX];

    for (size_t i = 0; (row = settings_row_at(i)) != NULL; i++) {
        settings_environment_name(row->name, known);
        if (strlen(known) == size && memcmp(known, name, size) == 0)
            return true;
    }
    return false;
}

/* A variable that is no setting any more keeps the server from starting. */
Test(settings_readme, knows_every_variable_that_a_manifest_sets)
{
    static const char *const names[] = {"Dockerfile", "docker/compose.yaml",
                                        "docker/kubernetes/base/deployment.yaml"};
    static const char *const others[] = {"POSENC_PUBLISH", "POSENC_PORT"}; /* not for the server */
    size_t settings = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *text = read_source(names[i]);

        for (const char *at = strstr(text, "POSENC_"); at; at = strstr(at + 1, "POSENC_")) {
            const size_t size = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");

            if (strncmp(at, others[0], size) == 0 || strncmp(at, others[1], size) == 0)
                continue;
            cr_expect(is_setting(at, size), "%s sets %.*s", names[i], (int)size, at);
            settings++;
        }
        free(text);
    }
    cr_expect_geq(settings, 8);
}
