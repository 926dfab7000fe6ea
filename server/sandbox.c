#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

const char *const sandbox_mode_names[] = {"auto", "on", "off", NULL};

/* By name, since not every machine has every one: what a name does not mean here is left out. */
static const char *const sandbox_allowed[] = {
    /* files that are open, and names that may be looked up */
    "read", "readv", "pread64", "write", "writev", "close", "lseek", "fstat", "fstat64", "stat",
    "stat64", "lstat", "lstat64", "newfstatat", "fstatat64", "statx", "getdents64", "access",
    "faccessat", "faccessat2",
    /* connections that are accepted */
    "accept", "accept4", "recvfrom", "recvmsg", "sendto", "sendmsg", "sendfile", "sendfile64",
    "shutdown", "getsockopt", "setsockopt", "getsockname", "getpeername",
    /* waiting */
    "poll", "ppoll", "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2", "futex", "nanosleep",
    "clock_nanosleep", "restart_syscall", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
    "rt_sigtimedwait",
    /* memory, time and threads of our own */
    "munmap", "mremap", "madvise", "brk", "clock_gettime", "clock_getres", "gettimeofday", "time",
    "getrandom", "getrusage", "getpid", "gettid", "sched_yield", "sched_getaffinity",
    "set_robust_list", "rseq", "membarrier", "exit", "exit_group"};

/* Allowed only where one argument, under a mask, has a value. */
static const struct sandbox_rule {
    const char *name;
    unsigned argument;
    uint64_t mask, value;
} sandbox_rules[] = {
    {"openat", 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY},
    {"open", 1, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY},
    {"mmap", 2, PROT_EXEC, 0},
    {"mmap2", 2, PROT_EXEC, 0},
    {"mprotect", 2, PROT_EXEC, 0},
    {"ioctl", 1, UINT32_MAX, FIONREAD},
    {"ioctl", 1, UINT32_MAX, FIONBIO},
    {"fcntl", 1, UINT32_MAX, F_GETFD},
    {"fcntl", 1, UINT32_MAX, F_SETFD},
    {"fcntl", 1, UINT32_MAX, F_GETFL},
    {"fcntl", 1, UINT32_MAX, F_SETFL},
    {"fcntl", 1, UINT32_MAX, F_DUPFD_CLOEXEC},
    {"prlimit64", 2, UINT64_MAX, 0}, /* reading limits, not setting them */
    {"clone", 0, CLONE_THREAD, CLONE_THREAD},
    {"setpriority", 0, UINT32_MAX, PRIO_PROCESS}, /* a worker's, which may only become nicer */
};

static const char *const sandbox_unlinking[] = {"unlink", "unlinkat"};

static const struct sandbox_rule sandbox_notifying[] = {
    {"socket", 0, UINT32_MAX, AF_UNIX},
};

/* Nobody but an intruder makes these. */
static const char *const sandbox_killing[] = {"execve",
                                              "execveat",
                                              "ptrace",
                                              "process_vm_readv",
                                              "process_vm_writev",
                                              "mount",
                                              "umount2",
                                              "pivot_root",
                                              "chroot",
                                              "setns",
                                              "unshare",
                                              "init_module",
                                              "finit_module",
                                              "kexec_load",
                                              "bpf",
                                              "perf_event_open",
                                              "userfaultfd",
                                              "keyctl",
                                              "add_key",
                                              "request_key",
                                              "reboot",
                                              "setuid",
                                              "setgid",
                                              "setresuid",
                                              "setresgid",
                                              "setreuid",
                                              "setregid",
                                              "setgroups",
                                              "capset"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

bool sandbox_is_built(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
    return false;
#else
    return true;
#endif
#else
    return true;
#endif
}

/* Below 0 is how libseccomp numbers names that this machine does not have. */
static int sandbox_add_names(scmp_filter_ctx filter, uint32_t action, const char *const *names,
                             size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int number = seccomp_syscall_resolve_name(names[i]);
        const int outcome = number < 0 ? 0 : seccomp_rule_add(filter, action, number, 0);

        if (outcome < 0)
            return -outcome;
    }
    return 0;
}

static int sandbox_add_rules(scmp_filter_ctx filter, const struct sandbox_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct sandbox_rule *rule = &rules[i];
        const int number = seccomp_syscall_resolve_name(rule->name);
        const struct scmp_arg_cmp compare = {rule->argument, SCMP_CMP_MASKED_EQ, rule->mask,
                                             rule->value};
        const int outcome =
            number < 0 ? 0 : seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, 1, &compare);

        if (outcome < 0)
            return -outcome;
    }
    return 0;
}

/* abort() signals the thread itself; other processes stay out of reach. */
static int sandbox_add_own_signals(scmp_filter_ctx filter)
{
    const struct scmp_arg_cmp is_own = {0, SCMP_CMP_MASKED_EQ, UINT32_MAX, (scmp_datum_t)getpid()};
    const int number = seccomp_syscall_resolve_name("tgkill");

    return -seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, 1, &is_own);
}

/* The C library tries clone3 first, whose flags no filter can see, and takes clone without it. */
static int sandbox_hide_clone3(scmp_filter_ctx filter)
{
    const int number = seccomp_syscall_resolve_name("clone3");

    return number < 0 ? 0 : -seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), number, 0);
}

static int sandbox_fill(scmp_filter_ctx filter, const struct sandbox_needs *needs)
{
    int problem = -seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);

    if (problem == 0)
        problem =
            sandbox_add_names(filter, SCMP_ACT_ALLOW, sandbox_allowed, COUNT(sandbox_allowed));
    if (problem == 0)
        problem = sandbox_add_rules(filter, sandbox_rules, COUNT(sandbox_rules));
    if (problem == 0 && needs->unlinks)
        problem =
            sandbox_add_names(filter, SCMP_ACT_ALLOW, sandbox_unlinking, COUNT(sandbox_unlinking));
    if (problem == 0 && needs->notifies)
        problem = sandbox_add_rules(filter, sandbox_notifying, COUNT(sandbox_notifying));
    if (problem == 0)
        problem = sandbox_add_names(filter, SCMP_ACT_KILL_PROCESS, sandbox_killing,
                                    COUNT(sandbox_killing));
    if (problem == 0)
        problem = sandbox_add_own_signals(filter);
    if (problem == 0)
        problem = sandbox_hide_clone3(filter);
    return problem;
}

int sandbox_enter(const struct sandbox_needs *needs)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    int problem;

    if (!filter)
        return ENOMEM;
    /* A tree of comparisons instead of a list; older libraries know lists only. */
    (void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    problem = sandbox_fill(filter, needs);
    if (problem == 0)
        problem = -seccomp_load(filter);
    seccomp_release(filter);
    return problem;
}
