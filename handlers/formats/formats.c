/* The table of representations, and what they share. */
#include <stdio.h>
#include <string.h>

#include "format.h"

static const struct format *const formats[] = {&format_json, &format_npy,  &format_safetensors,
                                               &format_csv,  &format_text, &format_raw,
                                               &format_png,  &format_svg};

const struct format *format_at(size_t index)
{
    return index < sizeof formats / sizeof formats[0] ? formats[index] : NULL;
}

const struct format *format_find(const char *name)
{
    const struct format *format;

    for (size_t i = 0; (format = format_at(i)); i++) {
        if (strcmp(format->name, name) == 0)
            return format;
    }
    return NULL;
}

enum posenc_status format_no_memory(struct posenc_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    problem->status = POSENC_NO_MEMORY;
    (void)snprintf(problem->detail, sizeof problem->detail, "out of memory; try again later");
    return problem->status;
}

enum posenc_status format_cancelled(struct posenc_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    problem->status = POSENC_CANCELLED;
    (void)snprintf(problem->detail, sizeof problem->detail,
                   "the drawing was stopped before its end; ask for less");
    return problem->status;
}

#define DISPOSITION_MAX      256
#define DISPOSITION_NAME_MAX 64 /* bytes of one name of the three */

static bool is_plain(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '.';
}

/* Appends a name with a dash before it unless it is the first; what no file name should hold
 * becomes an underscore. */
static char *append_name(char *at, const char *first, const char *name)
{
    if (at > first)
        *at++ = '-';
    for (size_t i = 0; i < DISPOSITION_NAME_MAX && name[i]; i++)
        *at++ = is_plain(name[i]) ? name[i] : '_';
    return at;
}

const char *format_disposition(const struct format *format, const struct format_input *input,
                               struct posenc_memory *memory)
{
    static const char start[] = "inline; filename=\"";
    const struct posenc_result *const result = input->result;
    char *const text = posenc_allocate(memory, DISPOSITION_MAX, 1);
    char *const name = text ? text + sizeof start - 1 : NULL;
    char *at = name;

    if (!text)
        return NULL;
    memcpy(text, start, sizeof start - 1);
    if (result->encoding)
        at = append_name(at, name, result->encoding->name);
    if (result->operation && strcmp(result->operation->name, "table") != 0)
        at = append_name(at, name, result->operation->name);
    if (format->carries_one_tensor)
        at = append_name(at, name, input->tensor->name);
    (void)snprintf(at, DISPOSITION_MAX - (size_t)(at - text), ".%s\"", format->extension);
    return text;
}
