#include "settings_environment.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#define SETTINGS_PREFIX      "POSENC_"
#define SETTINGS_PREFIX_SIZE (sizeof(SETTINGS_PREFIX) - 1)

void settings_environment_name(const char *name, char out[SETTINGS_ENVIRONMENT_MAX])
{
    size_t at = SETTINGS_PREFIX_SIZE;

    memcpy(out, SETTINGS_PREFIX, sizeof(SETTINGS_PREFIX));
    for (; *name && at < SETTINGS_ENVIRONMENT_MAX - 1; name++, at++) {
        const char c = *name;

        if (c == '-')
            out[at] = '_';
        else
            out[at] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    out[at] = '\0';
}

/* What stands behind "name=", or NULL when the variable has another name. */
static const char *settings_match(const char *variable, const char *name)
{
    const size_t size = strlen(name);

    return strncmp(variable, name, size) == 0 && variable[size] == '=' ? variable + size + 1 : NULL;
}

const char *settings_environment_value(const struct settings_row *row, char *const environment[])
{
    char name[SETTINGS_ENVIRONMENT_MAX];

    settings_environment_name(row->name, name);
    for (; *environment; environment++) {
        const char *value = settings_match(*environment, name);

        if (value)
            return value;
    }
    return NULL;
}

bool settings_is_service_link(const char *name, const char *value)
{
    static const struct {
        const char *name, *value;
    } links[] = {
        {"?(*_)SERVICE_HOST", "*"},
        {"?(*_)SERVICE_PORT?(_*)", "+([0-9])"},
        {"?(*_)PORT", "@(tcp|udp|sctp)://*"},
        {"?(*_)PORT_+([0-9])_@(TCP|UDP|SCTP)?(_@(PROTO|PORT|ADDR))", "*"},
    };

    if (strncmp(name, SETTINGS_PREFIX, SETTINGS_PREFIX_SIZE) != 0)
        return false;
    for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
        if (fnmatch(links[i].name, name + SETTINGS_PREFIX_SIZE, FNM_EXTMATCH) == 0 &&
            fnmatch(links[i].value, value, FNM_EXTMATCH) == 0)
            return true;
    return false;
}

/* The row whose variable this is, or NULL. */
static const struct settings_row *settings_row_of(const char *variable)
{
    const struct settings_row *row;
    char name[SETTINGS_ENVIRONMENT_MAX];

    for (size_t i = 0; (row = settings_row_at(i)) != NULL; i++) {
        settings_environment_name(row->name, name);
        if (settings_match(variable, name))
            return row;
    }
    return NULL;
}

static bool settings_take_variable(const char *variable, struct settings *settings,
                                   char problem[SETTINGS_PROBLEM_MAX])
{
    const struct settings_row *row = settings_row_of(variable);
    const char *equals = strchr(variable, '=');
    char name[SETTINGS_SHOWN_MAX + 1];

    if (!equals)
        return true; /* no variable at all */
    (void)snprintf(name, sizeof(name), "%.*s", (int)(equals - variable), variable);
    if (row)
        return settings_take(row, SETTINGS_FROM_ENVIRONMENT, name, equals + 1, settings, problem);
    if (settings_is_service_link(name, equals + 1))
        return true;
    (void)snprintf(problem, SETTINGS_PROBLEM_MAX,
                   "%s: there is no such setting; --help names the variables that are read", name);
    return false;
}

bool settings_take_environment(char *const environment[], struct settings *settings,
                               char problem[SETTINGS_PROBLEM_MAX])
{
    for (; *environment; environment++)
        if (strncmp(*environment, SETTINGS_PREFIX, SETTINGS_PREFIX_SIZE) == 0 &&
            !settings_take_variable(*environment, settings, problem))
            return false;
    return true;
}
