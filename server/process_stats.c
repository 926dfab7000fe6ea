#include "process_stats.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PROCESS_STATM_MAX 256

double process_cpu_seconds(void)
{
    struct timespec spent;

    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent) != 0)
        return 0.0;
    return (double)spent.tv_sec + (double)spent.tv_nsec / 1e9;
}

/* The first two numbers of /proc/self/statm, which counts pages; false when it cannot be read. */
static int process_read_pages(unsigned long long pages[2])
{
    const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    char text[PROCESS_STATM_MAX], *end;
    ssize_t got;

    if (fd < 0)
        return 0;
    got = read(fd, text, sizeof(text) - 1);
    (void)close(fd);
    if (got <= 0)
        return 0;
    text[got] = '\0';
    pages[0] = strtoull(text, &end, 10);
    pages[1] = strtoull(end, NULL, 10);
    return 1;
}

static double process_pages_as_bytes(unsigned index)
{
    unsigned long long pages[2];

    return process_read_pages(pages) ? (double)pages[index] * (double)sysconf(_SC_PAGESIZE) : 0.0;
}

double process_resident_bytes(void)
{
    return process_pages_as_bytes(1);
}

double process_virtual_bytes(void)
{
    return process_pages_as_bytes(0);
}

/* Without the two dots, and without the descriptor that reads. */
static double process_count_fds(void)
{
    DIR *directory = opendir("/proc/self/fd");
    double count = -3.0;

    if (!directory)
        return 0.0;
    while (readdir(directory)) /* of a handle that no other thread has */
        count++;
    (void)closedir(directory);
    return count;
}

/* Since Linux 6.2 the directory's size is their number, which spares listing them. */
double process_open_fds(void)
{
    struct stat status;

    if (stat("/proc/self/fd", &status) == 0 && status.st_size > 0)
        return (double)status.st_size;
    return process_count_fds();
}

double process_max_fds(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 0.0;
    return (double)limit.rlim_cur;
}
