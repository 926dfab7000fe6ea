/*
 * The calls to the kernel that a serving process needs, and no others: a seccomp filter for all its
 * threads, for good. Whoever takes the process over can then neither start a program, nor look into
 * others, nor connect anywhere, nor write a file.
 *
 * A call that is not on the list fails with EPERM, so that a library that tries something newer
 * goes on as on an older kernel. Calls that only an intruder makes (execve, ptrace, mount, ...) end
 * the process: going on would help nobody but him.
 */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <stdbool.h>

enum sandbox_mode { SANDBOX_AUTO, SANDBOX_ON, SANDBOX_OFF };

/* Indexed by the enum; ends in NULL. */
extern const char *const sandbox_mode_names[];

/* What not every server needs. */
struct sandbox_needs {
    bool unlinks;  /* files: Unix sockets at the end */
    bool notifies; /* a service manager, by datagrams of Unix sockets */
};

/* False where the compiler's sanitizers are built in, which need more. */
bool sandbox_is_built(void);

/*
 * Confines all threads of the process, and those they start. Also sets no_new_privs. Threads may
 * exist already. 0, or the errno of a kernel that cannot: nothing is confined then.
 */
int sandbox_enter(const struct sandbox_needs *needs);

#endif
