/* What operators read: --help and --check-config. */
#include <stdio.h>

#include "settings_environment.h"
#include "settings_row.h"

#define SETTINGS_VALUE_MAX 512 /* bytes of a value that is printed, with its end */

void settings_print_help(FILE *out)
{
    const struct settings_row *row;
    char name[SETTINGS_ENVIRONMENT_MAX], range[SETTINGS_WANTED_MAX];

    (void)fputs(
        "usage: posencd [--name value | --name=value]...\n\n"
        "Serves positional encodings over HTTP. Each setting is a flag or, where no flag is\n"
        "given, a variable of the environment, or else a key of the file that --config names.\n\n",
        out);
    for (size_t i = 0; (row = settings_row_at(i)) != NULL; i++) {
        settings_environment_name(row->name, name);
        settings_describe(row, range);
        (void)fprintf(out, "  --%-17s %s\n  %19s %s", row->name, row->meaning, "", range);
        if (row->initial)
            (void)fprintf(out, "; default %s", row->initial);
        (void)fprintf(out, "\n  %19s %s\n", "", name);
    }
    (void)fputs(
        "  --healthcheck       ask the server at the listen address whether it is ready\n"
        "  --hash-token[=NAME] read a token from standard input, print a line for the file\n"
        "                      that --auth-tokens names\n"
        "  --check-config      print every setting and where it comes from, and do not serve\n"
        "  --version           print the version\n"
        "  --help              print this\n",
        out);
}

static void settings_print_source(const struct settings *settings, size_t index, FILE *out)
{
    const struct settings_row *row = settings_row_at(index);
    char name[SETTINGS_ENVIRONMENT_MAX];

    switch ((enum settings_source)settings->sources[index]) {
    case SETTINGS_FROM_DEFAULT:
        (void)fputs("default\n", out);
        return;
    case SETTINGS_FROM_FILE:
        (void)fprintf(out, "file %s\n", settings->config);
        return;
    case SETTINGS_FROM_ENVIRONMENT:
        settings_environment_name(row->name, name);
        (void)fprintf(out, "environment %s\n", name);
        return;
    case SETTINGS_FROM_FLAG:
        (void)fprintf(out, "flag --%s\n", row->name);
        return;
    }
}

void settings_print_effective(const struct settings *settings, FILE *out)
{
    const struct settings_row *row;
    char value[SETTINGS_VALUE_MAX];

    for (size_t i = 0; (row = settings_row_at(i)) != NULL; i++) {
        settings_format(row, settings, value, sizeof(value));
        (void)fprintf(out, "%-18s %-24s ", row->name, value);
        settings_print_source(settings, i, out);
    }
}
