#include "started.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PATIENCE_MS 20000 /* sanitizers make a start slow */
#define STEP_MS     5
#define LOG_MAX     65536

int started_log(void)
{
    const int fd = memfd_create("log", MFD_CLOEXEC);

    cr_assert_geq(fd, 0);
    return fd;
}

static const char *read_log(int log_fd)
{
    static char log[LOG_MAX];
    const ssize_t size = pread(log_fd, log, sizeof(log) - 1, 0);

    log[size > 0 ? size : 0] = '\0';
    return log;
}

bool started_says(int log_fd, const char *text)
{
    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        if (strstr(read_log(log_fd), text))
            return true;
        (void)poll(NULL, 0, STEP_MS);
    }
    return false;
}

static bool find_address(int log_fd, bool is_operators, size_t index, char *address, size_t size)
{
    static const char begin[] = "msg=listening address=";
    const char *end = is_operators ? " for=operators\n" : " for=callers\n";
    const char *at = read_log(log_fd);

    while ((at = strstr(at, begin)) != NULL) {
        const size_t length = strcspn(at += sizeof(begin) - 1, " ");

        if (strncmp(at + length, end, strlen(end)) == 0 && index-- == 0) {
            (void)snprintf(address, size, "%.*s", (int)length, at);
            return true;
        }
    }
    return false;
}

void started_address(int log_fd, bool is_operators, size_t index, char *address, size_t size)
{
    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        if (find_address(log_fd, is_operators, index, address, size))
            return;
        (void)poll(NULL, 0, STEP_MS);
    }
    cr_assert(false, "no such address in %s", read_log(log_fd));
}
