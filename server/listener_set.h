/* All sockets that one server listens at: those of callers, and those of operators. */
#ifndef LISTENER_SET_H
#define LISTENER_SET_H

#include "listener.h"
#include "settings.h"

#define LISTENER_SET_MAX 16

struct listener_set {
    size_t count;
    struct listener items[LISTENER_SET_MAX];
};

/*
 * Opens what the settings name; where a service manager has handed sockets over for callers, or for
 * operators, those serve in place of the settings' own. False, with nothing left open, and a
 * sentence in problem. lookup is getenv() or a test's own.
 */
bool listener_set_open(const struct settings *settings, const char *(*lookup)(const char *name),
                       struct listener_set *set, char problem[LISTENER_PROBLEM_MAX]);

/* Closes those of callers, or of operators, which may be closed already. */
void listener_set_close(struct listener_set *set, bool is_admin);

/* Whether callers can come with TLS, or without. */
bool listener_set_has_callers(const struct listener_set *set, bool is_tls);

/* Whether there is a listener for operators. */
bool listener_set_has_admin(const struct listener_set *set);

#endif
