#include "waiting.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_ROOM 300

/* Workers have made themselves nicer than the rest, so that they wait for it. */
static bool is_worker(pid_t process, const char *thread)
{
    char path[PATH_ROOM], line[1024] = "";
    long niceness = 0;
    FILE *file;

    (void)snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", (int)process, thread);
    file = fopen(path, "r");
    if (!file)
        return true; /* it is gone */
    if (fgets(line, sizeof(line), file) && strrchr(line, ')'))
        (void)sscanf(strrchr(line, ')'),
                     ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %ld",
                     &niceness);
    (void)fclose(file);
    return niceness >= 10;
}

static void open_thread(struct waiting *waiting, const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd >= 0)
        waiting->fds[waiting->count++] = fd;
}

static uint64_t read_ns(int fd)
{
    char text[128];
    unsigned long long waited = 0;
    const ssize_t got = pread(fd, text, sizeof(text) - 1, 0);

    text[got > 0 ? got : 0] = '\0';
    (void)sscanf(text, "%*u %llu", &waited);
    return waited;
}

void waiting_open(struct waiting *waiting, pid_t server)
{
    char path[PATH_ROOM];
    DIR *threads;

    *waiting = (struct waiting){.count = 0};
    open_thread(waiting, "/proc/thread-self/schedstat");
    (void)snprintf(path, sizeof(path), "/proc/%d/task", (int)server);
    threads = waiting->count == 1 ? opendir(path) : NULL;
    for (const struct dirent *entry = threads ? readdir(threads) : NULL; entry;
         entry = readdir(threads)) {
        if (entry->d_name[0] == '.' || waiting->count == WAITING_THREADS_MAX ||
            is_worker(server, entry->d_name))
            continue;
        (void)snprintf(path, sizeof(path), "/proc/%d/task/%s/schedstat", (int)server,
                       entry->d_name);
        open_thread(waiting, path);
    }
    if (threads)
        (void)closedir(threads);
    for (int i = 0; i < waiting->count; i++)
        waiting->last_ns[i] = read_ns(waiting->fds[i]);
}

uint64_t waiting_us(struct waiting *waiting)
{
    uint64_t longest_ns = 0;

    for (int i = 0; i < waiting->count; i++) {
        const uint64_t now_ns = read_ns(waiting->fds[i]);

        if (now_ns <= waiting->last_ns[i])
            continue; /* or the thread is gone */
        if (now_ns - waiting->last_ns[i] > longest_ns)
            longest_ns = now_ns - waiting->last_ns[i];
        waiting->last_ns[i] = now_ns;
    }
    waiting->total_us += longest_ns / 1000;
    return waiting->total_us;
}

void waiting_close(struct waiting *waiting)
{
    for (int i = 0; i < waiting->count; i++)
        (void)close(waiting->fds[i]);
    waiting->count = 0;
}
