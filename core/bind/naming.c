/* How far two names are apart, for suggesting the known one that somebody meant. */
#include <string.h>

#include "internal.h"

#define NAME_COMPARED_MAX 64 /* longer names are no typing slips of known ones */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance, three rows at a time. */
size_t posenc__edit_distance(const char *a, const char *b)
{
    const size_t a_length = strlen(a), b_length = strlen(b);
    size_t rows[3][NAME_COMPARED_MAX + 1];

    if (a_length > NAME_COMPARED_MAX || b_length > NAME_COMPARED_MAX)
        return a_length > b_length ? a_length : b_length;
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i - 1) % 3], *two_above = rows[(i + 1) % 3];

        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] =
                smaller(smaller(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

bool posenc__is_near(const char *name, const char *known, size_t distance)
{
    const size_t length = strlen(known) > strlen(name) ? strlen(known) : strlen(name);

    return distance <= (length < 5 ? 1 : length / 3);
}

void posenc__consider(const char *name, const char *known, size_t *best, const char **nearest)
{
    const size_t distance = posenc__edit_distance(name, known);

    if (distance < *best && posenc__is_near(name, known, distance)) {
        *best = distance;
        *nearest = known;
    }
}
