#include "served.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frame.h"
#include "peer.h"

/* Starts a child whose standard output is `out`; 0 in the child. */
static pid_t served_fork(int out)
{
    const pid_t pid = fork();
    int nowhere;

    bench_require(pid >= 0, "no process");
    if (pid > 0)
        return pid;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* a failed benchmark must leave no server behind */
    nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (dup2(out, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
        _exit(126);
    return 0;
}

/* Both servers end their first line with ":PORT". */
static unsigned served_read_port(int fd)
{
    char line[256];
    size_t used = 0;
    const char *colon;

    while (used + 1 < sizeof line && read(fd, line + used, 1) == 1 && line[used] != '\n')
        used++;
    line[used] = '\0';
    colon = strrchr(line, ':');
    bench_require(colon != NULL, "a server does not start");
    return (unsigned)strtoul(colon + 1, NULL, 10);
}

struct served served_start(const char *flag)
{
    const char *const path = getenv("POSENCD");
    struct served served;
    int out[2];

    bench_require(pipe2(out, O_CLOEXEC) == 0, "no pipe");
    served.pid = served_fork(out[1]);
    if (served.pid == 0) {
        (void)execl(path ? path : "build/posencd", "posencd", "--listen", "127.0.0.1:0", flag,
                    (char *)NULL);
        _exit(127);
    }
    (void)close(out[1]);
    served.port = served_read_port(out[0]);
    (void)close(out[0]);
    return served;
}

struct served served_start_peer(void)
{
    struct served served;
    int out[2];

    bench_require(pipe2(out, O_CLOEXEC) == 0, "no pipe");
    served.pid = served_fork(out[1]);
    if (served.pid == 0)
        peer_serve();
    (void)close(out[1]);
    served.port = served_read_port(out[0]);
    (void)close(out[0]);
    return served;
}

void served_stop(struct served *served)
{
    (void)kill(served->pid, SIGTERM);
    (void)waitpid(served->pid, NULL, 0);
}

static FILE *served_open(const struct served *served, const char *name, const char *mode)
{
    char path[64];
    FILE *file;

    (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)served->pid, name);
    file = fopen(path, mode);
    bench_require(file != NULL, "no /proc of a server");
    return file;
}

double served_kib(const struct served *served, const char *line)
{
    FILE *const file = served_open(served, "status", "r");
    const size_t length = strlen(line);
    char text[256];
    double kib = -1;

    while (kib < 0 && fgets(text, sizeof text, file))
        if (strncmp(text, line, length) == 0 && text[length] == ':')
            kib = strtod(text + length + 1, NULL);
    (void)fclose(file);
    bench_require(kib >= 0, "no such line in /proc");
    return kib;
}

void served_forget_peak(const struct served *served)
{
    FILE *const file = served_open(served, "clear_refs", "w");

    bench_require(fputs("5", file) >= 0 && fclose(file) == 0, "the peak cannot be forgotten");
}
