#include "settings_row.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* From the largest, which is tried first where a number is written. */
static const struct {
    const char *suffix;
    uint64_t bytes;
} settings_units[] = {{"GiB", SETTINGS_GIB}, {"MiB", SETTINGS_MIB}, {"KiB", SETTINGS_KIB}, {"", 1}};

#define SETTINGS_UNITS (sizeof(settings_units) / sizeof(settings_units[0]))

static uint64_t settings_byte_unit(const char *suffix)
{
    for (size_t i = 0; i < SETTINGS_UNITS; i++)
        if (strcmp(suffix, settings_units[i].suffix) == 0)
            return settings_units[i].bytes;
    return 0;
}

/* Decimal digits, and for bytes one of the units above; false when it is neither or too large. */
static bool settings_parse_number(const char *text, enum settings_kind kind, uint64_t *number)
{
    uint64_t value = 0, unit;
    const char *at = text;

    for (; *at >= '0' && *at <= '9'; at++) {
        if (value > (UINT64_MAX - 9) / 10)
            return false;
        value = value * 10 + (uint64_t)(*at - '0');
    }
    unit = kind == SETTINGS_BYTES ? settings_byte_unit(at) : (*at == '\0');
    if (at == text || unit == 0 || value > UINT64_MAX / unit)
        return false;
    *number = value * unit;
    return true;
}

/* Three octal digits, or four of which the first is 0. */
static bool settings_parse_octal(const char *text, uint64_t max, uint64_t *number)
{
    const size_t digits = strspn(text, "01234567");
    uint64_t value = 0;

    if (text[digits] != '\0' || digits < 3 || digits > 4)
        return false;
    for (const char *at = text; *at; at++)
        value = value * 8 + (uint64_t)(*at - '0');
    *number = value;
    return value <= max;
}

static bool settings_parse_choice(const char *text, const char *const *choices, uint64_t *number)
{
    for (uint64_t i = 0; choices[i]; i++) {
        if (strcmp(text, choices[i]) == 0) {
            *number = i;
            return true;
        }
    }
    return false;
}

/* Adds what stands between commas. */
static bool settings_add_items(const struct settings_row *row, const char *text, void *member)
{
    const char *item = text;

    for (;; item++) {
        const size_t size = strcspn(item, ",");

        const bool is_added = row->kind == SETTINGS_ORIGINS ? cors_add(member, item, size)
                                                            : address_list_add(member, item, size);

        if (!is_added)
            return false;
        item += size;
        if (*item == '\0')
            return true;
    }
}

static void settings_clear(const struct settings_row *row, struct settings *settings)
{
    char *const member = (char *)settings + row->offset;

    if (row->kind == SETTINGS_ORIGINS)
        memset(member, 0, sizeof(struct cors));
    else if (row->kind == SETTINGS_ADDRESSES)
        memset(member, 0, sizeof(struct address_list));
}

bool settings_store(const struct settings_row *row, const char *text, struct settings *settings)
{
    char *const member = (char *)settings + row->offset;
    uint64_t number;

    if (settings_takes_list(row))
        return settings_add_items(row, text, member);
    if (row->kind == SETTINGS_PATH) {
        memcpy(member, &text, sizeof(text));
        return *text != '\0';
    }
    if (row->kind == SETTINGS_MODE) {
        if (!settings_parse_octal(text, row->max, &number))
            return false;
    } else if (row->kind == SETTINGS_CHOICE) {
        if (!settings_parse_choice(text, row->choices, &number))
            return false;
    } else if (!settings_parse_number(text, row->kind, &number) || number < row->min ||
               number > row->max) {
        return false;
    }
    memcpy(member, &number, sizeof(number));
    return true;
}

void settings_describe(const struct settings_row *row, char out[SETTINGS_WANTED_MAX])
{
    const size_t size = SETTINGS_WANTED_MAX;
    size_t used = 0;

    switch (row->kind) {
    case SETTINGS_ADDRESSES:
        (void)snprintf(out, size, "up to %d of host:port, [v6]:port or unix:/path",
                       ADDRESS_LIST_MAX);
        return;
    case SETTINGS_MODE:
        (void)snprintf(out, size, "000 to %03jo", (uintmax_t)row->max);
        return;
    case SETTINGS_PATH:
        (void)snprintf(out, size, "a path");
        return;
    case SETTINGS_ORIGINS:
        (void)snprintf(out, size, "up to %d of scheme://host[:port], or *", CORS_ORIGINS_MAX);
        return;
    case SETTINGS_COUNT:
        (void)snprintf(out, size, "%ju to %ju", (uintmax_t)row->min, (uintmax_t)row->max);
        return;
    case SETTINGS_BYTES:
        (void)snprintf(out, size, "%ju to %ju bytes, or with KiB, MiB, GiB", (uintmax_t)row->min,
                       (uintmax_t)row->max);
        return;
    case SETTINGS_SECONDS:
        (void)snprintf(out, size, "%ju to %ju seconds", (uintmax_t)row->min, (uintmax_t)row->max);
        return;
    case SETTINGS_CHOICE:
        for (size_t i = 0; row->choices[i] && used < size; i++)
            used += (size_t)snprintf(out + used, size - used, i ? " or %s" : "%s", row->choices[i]);
        return;
    }
}

static uint64_t settings_number(const struct settings_row *row, const struct settings *settings)
{
    uint64_t number;

    memcpy(&number, (const char *)settings + row->offset, sizeof(number));
    return number;
}

/* In the largest unit that leaves no rest. */
static void settings_format_bytes(uint64_t bytes, char *out, size_t size)
{
    size_t i = 0;

    while (bytes % settings_units[i].bytes != 0 || bytes == 0) {
        if (++i == SETTINGS_UNITS - 1)
            break;
    }
    (void)snprintf(out, size, "%ju%s", (uintmax_t)(bytes / settings_units[i].bytes),
                   settings_units[i].suffix);
}

static void settings_format_addresses(const struct address_list *list, char *out, size_t size)
{
    char text[ADDRESS_TEXT_MAX];
    size_t used = 0;

    (void)snprintf(out, size, "-");
    for (size_t i = 0; i < list->count && used < size; i++) {
        address_format(&list->items[i], text);
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? "," : "", text);
    }
}

static void settings_format_origins(const struct cors *cors, char *out, size_t size)
{
    size_t used = 0;

    (void)snprintf(out, size, "%s", cors->is_open ? "*" : "-");
    for (size_t i = 0; i < cors->count && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? "," : "", cors->origins[i]);
}

void settings_format(const struct settings_row *row, const struct settings *settings, char *out,
                     size_t size)
{
    const char *const member = (const char *)settings + row->offset;
    const char *path;

    switch (row->kind) {
    case SETTINGS_ADDRESSES:
        settings_format_addresses((const struct address_list *)(const void *)member, out, size);
        return;
    case SETTINGS_MODE:
        (void)snprintf(out, size, "%04jo", (uintmax_t)settings_number(row, settings));
        return;
    case SETTINGS_PATH:
        memcpy(&path, member, sizeof(path));
        (void)snprintf(out, size, "%s", path ? path : "-");
        return;
    case SETTINGS_ORIGINS:
        settings_format_origins((const struct cors *)(const void *)member, out, size);
        return;
    case SETTINGS_COUNT:
    case SETTINGS_SECONDS:
        (void)snprintf(out, size, "%ju", (uintmax_t)settings_number(row, settings));
        return;
    case SETTINGS_BYTES:
        settings_format_bytes(settings_number(row, settings), out, size);
        return;
    case SETTINGS_CHOICE:
        (void)snprintf(out, size, "%s", row->choices[settings_number(row, settings)]);
        return;
    }
}

bool settings_takes_number(const struct settings_row *row)
{
    return row->kind == SETTINGS_COUNT || row->kind == SETTINGS_BYTES ||
           row->kind == SETTINGS_SECONDS;
}

bool settings_takes_list(const struct settings_row *row)
{
    return row->kind == SETTINGS_ORIGINS || row->kind == SETTINGS_ADDRESSES;
}

static size_t settings_index(const struct settings_row *row)
{
    return (size_t)(row - settings_row_at(0));
}

bool settings_take(const struct settings_row *row, enum settings_source source, const char *place,
                   const char *text, struct settings *settings, char problem[SETTINGS_PROBLEM_MAX])
{
    unsigned char *const known = &settings->sources[settings_index(row)];
    char wanted[SETTINGS_WANTED_MAX];

    assert(settings_index(row) < SETTINGS_ROWS_MAX);
    if (*known != source)
        settings_clear(row, settings);
    *known = (unsigned char)source;
    if (settings_store(row, text, settings))
        return true;
    settings_describe(row, wanted);
    (void)snprintf(problem, SETTINGS_PROBLEM_MAX, "%s: \"%.*s\" is not %s", place,
                   SETTINGS_SHOWN_MAX, text, wanted);
    return false;
}
