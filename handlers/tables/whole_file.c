#include "whole_file.h"

#include <errno.h>
#include <unistd.h>

/* Bytes that are there, at most `size`; -1 on failure. */
static ssize_t read_up_to(int fd, char *bytes, size_t size)
{
    size_t used = 0;

    while (used < size) {
        const ssize_t got = pread(fd, bytes + used, size - used, (off_t)used);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        used += (size_t)got;
    }
    return (ssize_t)used;
}

static bool is_same_moment(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

const char *read_whole_file(int fd, const struct stat *before, char *bytes)
{
    const ssize_t got = read_up_to(fd, bytes, (size_t)before->st_size + 1);
    struct stat after;

    if (got < 0)
        return "cannot be read:";
    if (got < before->st_size)
        return "shrank while it was read";
    if (got > before->st_size)
        return "grew while it was read";
    if (fstat(fd, &after) != 0)
        return "cannot be looked at:";
    if (after.st_size != before->st_size || !is_same_moment(&after.st_mtim, &before->st_mtim) ||
        !is_same_moment(&after.st_ctim, &before->st_ctim))
        return "was written while it was read";
    return NULL;
}
