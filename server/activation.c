#include "activation.h"

#include <string.h>

#define ACTIVATION_DIGITS_MAX 9

/* A decimal number of few digits; -1 when the text is none. */
static long activation_read_number(const char *text)
{
    long number = 0;
    size_t digits = 0;

    for (; text && text[digits] >= '0' && text[digits] <= '9'; digits++) {
        if (digits == ACTIVATION_DIGITS_MAX)
            return -1;
        number = 10 * number + (text[digits] - '0');
    }
    return digits > 0 && text[digits] == '\0' ? number : -1;
}

size_t activation_count(const char *(*lookup)(const char *name), pid_t pid)
{
    const long count = activation_read_number(lookup("LISTEN_FDS"));

    return activation_read_number(lookup("LISTEN_PID")) == pid && count > 0 ? (size_t)count : 0;
}

bool activation_is_admin(const char *(*lookup)(const char *name), size_t index)
{
    const char *names = lookup("LISTEN_FDNAMES");
    size_t size;

    for (; names && index > 0; index--) {
        names = strchr(names, ':');
        names = names ? names + 1 : NULL;
    }
    if (!names)
        return false;
    size = strcspn(names, ":");
    return size == sizeof(ACTIVATION_ADMIN) - 1 && memcmp(names, ACTIVATION_ADMIN, size) == 0;
}
