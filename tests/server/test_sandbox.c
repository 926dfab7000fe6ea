/* What a confined process can and cannot do, each tried in a process of its own. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process_stats.h"
#include "sandbox.h"

#define CANNOT_ENTER 99

/* Each returns 0, or the errno of what it tried. */
typedef int attempt(void);

static int open_for_reading(void)
{
    const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    char byte;

    return fd >= 0 && read(fd, &byte, 1) == 1 && close(fd) == 0 ? 0 : errno;
}

static int read_stats(void)
{
    return process_open_fds() > 0.0 && process_resident_bytes() > 0.0 && process_max_fds() > 0.0 &&
                   process_cpu_seconds() > 0.0
               ? 0
               : EIO;
}

static void *nothing(void *context)
{
    return context;
}

static int start_a_thread(void)
{
    pthread_t thread;
    const int problem = pthread_create(&thread, NULL, nothing, NULL);

    return problem ? problem : pthread_join(thread, NULL);
}

static int take_memory(void)
{
    for (size_t size = 16; size < (64U << 20); size *= 2) {
        char *memory = malloc(size);

        if (!memory)
            return errno;
        memset(memory, 1, size);
        free(memory);
    }
    return 0;
}

static int become_nicer(void)
{
    return setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 19) == 0 ? 0 : errno;
}

static int open_for_writing(void)
{
    return open("/dev/null", O_WRONLY | O_CLOEXEC) >= 0 ? 0 : errno;
}

static int create_a_file(void)
{
    return open("build/test-sandbox", O_RDONLY | O_CREAT | O_CLOEXEC, 0600) >= 0 ? 0 : errno;
}

static int open_a_socket(int family, int type)
{
    return socket(family, type, 0) >= 0 ? 0 : errno;
}

static int open_ipv4(void)
{
    return open_a_socket(AF_INET, SOCK_STREAM);
}

static int open_ipv6(void)
{
    return open_a_socket(AF_INET6, SOCK_DGRAM);
}

static int open_packet(void)
{
    return open_a_socket(AF_PACKET, SOCK_RAW);
}

static int open_netlink(void)
{
    return open_a_socket(AF_NETLINK, SOCK_RAW);
}

static int open_unix(void)
{
    return open_a_socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC);
}

static int start_a_process(void)
{
    const pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    return pid > 0 ? 0 : errno;
}

static int map_code(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED
               ? 0
               : errno;
}

static int make_code_of_data(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        return EIO;
    return mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0 ? 0 : errno;
}

static int signal_others(void)
{
    return kill(getppid(), 0) == 0 ? 0 : errno;
}

static int signal_a_thread_of_others(void)
{
    return syscall(SYS_tgkill, getppid(), getppid(), 0) == 0 ? 0 : errno;
}

static int raise_a_limit(void)
{
    const struct rlimit limit = {16, 16};

    return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? 0 : errno;
}

static int remove_a_file(void)
{
    return unlink("build/no-such-file") == 0 ? 0 : errno;
}

static int rename_a_file(void)
{
    return rename("build/no-such-file", "build/other") == 0 ? 0 : errno;
}

static int connect_somewhere(void)
{
    return connect(0, NULL, 0) == 0 ? 0 : errno;
}

static int execute(void)
{
    char *const argv[] = {"/bin/true", NULL};

    (void)execve("/bin/true", argv, argv + 1);
    return errno;
}

static int trace(void)
{
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 0 : errno;
}

static int mount_something(void)
{
    return mount("none", "build", "tmpfs", 0, NULL) == 0 ? 0 : errno;
}

/* Does it in a confined child; the status as waitpid() tells it. */
static int confined(attempt *try, const struct sandbox_needs *needs)
{
    const pid_t pid = fork();
    int status;

    cr_assert_geq(pid, 0);
    if (pid == 0)
        _exit(sandbox_enter(needs) != 0 ? CANNOT_ENTER : try());
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return status;
}

struct trial {
    const char *what;
    attempt *try;
    int result; /* 0, or an errno */
};

static void expect_results(const struct trial *trials, size_t count,
                           const struct sandbox_needs *needs)
{
    if (!sandbox_is_built())
        cr_skip_test("sanitizers need more calls than the sandbox allows");
    for (size_t i = 0; i < count; i++) {
        const int status = confined(trials[i].try, needs);

        cr_expect(WIFEXITED(status), "%s: signal %d", trials[i].what, WTERMSIG(status));
        cr_expect_eq(WEXITSTATUS(status), trials[i].result, "%s: %s", trials[i].what,
                     strerror(WEXITSTATUS(status)));
    }
}

Test(sandbox, lets_through_what_serving_needs)
{
    static const struct trial trials[] = {
        {"reading a file", open_for_reading, 0},  {"reading statistics", read_stats, 0},
        {"starting a thread", start_a_thread, 0}, {"taking memory", take_memory, 0},
        {"becoming nicer", become_nicer, 0},
    };

    expect_results(trials, sizeof(trials) / sizeof(trials[0]), &(struct sandbox_needs){0});
}

Test(sandbox, denies_what_serving_does_not_need)
{
    static const struct trial trials[] = {
        {"opening for writing", open_for_writing, EPERM},
        {"creating a file", create_a_file, EPERM},
        {"an IPv4 socket", open_ipv4, EPERM},
        {"an IPv6 socket", open_ipv6, EPERM},
        {"a packet socket", open_packet, EPERM},
        {"a netlink socket", open_netlink, EPERM},
        {"a Unix socket", open_unix, EPERM},
        {"connecting", connect_somewhere, EPERM},
        {"fork", start_a_process, EPERM},
        {"memory that can be executed", map_code, EPERM},
        {"making memory executable", make_code_of_data, EPERM},
        {"signals to others", signal_others, EPERM},
        {"signals to threads of others", signal_a_thread_of_others, EPERM},
        {"a limit", raise_a_limit, EPERM},
        {"removing a file", remove_a_file, EPERM},
        {"renaming a file", rename_a_file, EPERM},
    };

    expect_results(trials, sizeof(trials) / sizeof(trials[0]), &(struct sandbox_needs){0});
}

Test(sandbox, grants_what_this_server_said_it_needs)
{
    static const struct trial trials[] = {
        {"removing a file", remove_a_file, ENOENT},
        {"a Unix socket", open_unix, 0},
        {"an IPv4 socket", open_ipv4, EPERM},
    };

    expect_results(trials, sizeof(trials) / sizeof(trials[0]),
                   &(struct sandbox_needs){.unlinks = true, .notifies = true});
}

Test(sandbox, ends_a_process_that_does_what_only_intruders_do)
{
    static const struct trial trials[] = {
        {"execve", execute, 0}, {"ptrace", trace, 0}, {"mount", mount_something, 0}};

    if (!sandbox_is_built())
        cr_skip_test("sanitizers need more calls than the sandbox allows");
    for (size_t i = 0; i < sizeof(trials) / sizeof(trials[0]); i++) {
        const int status = confined(trials[i].try, &(struct sandbox_needs){0});

        cr_expect(WIFSIGNALED(status), "%s", trials[i].what);
        cr_expect_eq(WTERMSIG(status), SIGSYS, "%s", trials[i].what);
    }
}

Test(sandbox, lets_an_assertion_abort)
{
    int status;
    pid_t pid;

    if (!sandbox_is_built())
        cr_skip_test("sanitizers need more calls than the sandbox allows");
    pid = fork();
    cr_assert_geq(pid, 0);
    if (pid == 0) {
        const struct rlimit no_core = {0, 0};

        (void)setrlimit(RLIMIT_CORE, &no_core);
        (void)signal(SIGABRT, SIG_DFL);
        if (sandbox_enter(&(struct sandbox_needs){0}) != 0)
            _exit(CANNOT_ENTER);
        abort();
    }
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%x", (unsigned)status);
}

/* A thread that ran before is confined too. */
static sem_t is_confined;

static void *try_later(void *context)
{
    (void)sem_wait(&is_confined);
    *(int *)context = open_ipv4();
    return NULL;
}

static int try_in_an_older_thread(void)
{
    pthread_t thread;
    int result = 0;

    if (sem_init(&is_confined, 0, 0) != 0 || pthread_create(&thread, NULL, try_later, &result) != 0)
        return EIO;
    if (sandbox_enter(&(struct sandbox_needs){0}) != 0)
        return CANNOT_ENTER;
    (void)sem_post(&is_confined);
    return pthread_join(thread, NULL) == 0 ? result : EIO;
}

Test(sandbox, confines_threads_that_ran_before)
{
    int status;
    pid_t pid;

    if (!sandbox_is_built())
        cr_skip_test("sanitizers need more calls than the sandbox allows");
    pid = fork();
    cr_assert_geq(pid, 0);
    if (pid == 0)
        _exit(try_in_an_older_thread());
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == EPERM, "%x", (unsigned)status);
}
