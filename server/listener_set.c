#include "listener_set.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "activation.h"

/* Another of the addresses takes IPv4 at the same port. */
static bool listener_set_shares_port(const struct address_list *list, const struct address *address)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct address *other = &list->items[i];

        if (!other->is_unix && other->port == address->port && other->port != 0 &&
            !strchr(other->host, ':'))
            return true;
    }
    return false;
}

static bool listener_set_open_list(const struct address_list *list, mode_t unix_mode, bool is_admin,
                                   struct listener_set *set, char problem[LISTENER_PROBLEM_MAX])
{
    for (size_t i = 0; i < list->count; i++) {
        const struct address *address = &list->items[i];
        const struct listener_options options = {
            .unix_mode = unix_mode, .is_v6_only = listener_set_shares_port(list, address)};

        if (set->count == LISTENER_SET_MAX) {
            (void)snprintf(problem, LISTENER_PROBLEM_MAX, "more than %d sockets to listen at",
                           LISTENER_SET_MAX);
            return false;
        }
        if (!listener_open(address, &options, &set->items[set->count], problem))
            return false;
        set->items[set->count++].is_admin = is_admin;
    }
    return true;
}

static bool listener_set_adopt(const char *(*lookup)(const char *name), struct listener_set *set,
                               char problem[LISTENER_PROBLEM_MAX])
{
    const size_t count = activation_count(lookup, getpid());

    if (count > LISTENER_SET_MAX) {
        (void)snprintf(problem, LISTENER_PROBLEM_MAX, "more than %d sockets were handed over",
                       LISTENER_SET_MAX);
        return false;
    }
    for (; set->count < count; set->count++) {
        struct listener *listener = &set->items[set->count];

        if (!listener_adopt(ACTIVATION_FIRST_FD + (int)set->count, listener, problem))
            return false;
        listener->is_admin = activation_is_admin(lookup, set->count);
    }
    return true;
}

bool listener_set_has_callers(const struct listener_set *set, bool is_tls)
{
    for (size_t i = 0; i < set->count; i++) {
        if (!set->items[i].is_admin && set->items[i].is_tls == is_tls)
            return true;
    }
    return false;
}

static bool listener_set_has(const struct listener_set *set, bool is_admin)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].is_admin == is_admin)
            return true;
    }
    return false;
}

bool listener_set_has_admin(const struct listener_set *set)
{
    return listener_set_has(set, true);
}

/* A Unix socket does not leave the machine, and operators have a network of their own. */
static void listener_set_secure(struct listener_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        set->items[i].is_tls = !set->items[i].is_admin && !set->items[i].address.is_unix;
}

bool listener_set_open(const struct settings *settings, const char *(*lookup)(const char *name),
                       struct listener_set *set, char problem[LISTENER_PROBLEM_MAX])
{
    const mode_t mode = (mode_t)settings->unix_mode;

    set->count = 0;
    if (listener_set_adopt(lookup, set, problem) &&
        (listener_set_has(set, false) ||
         listener_set_open_list(&settings->listen, mode, false, set, problem)) &&
        (listener_set_has(set, true) ||
         listener_set_open_list(&settings->admin_listen, mode, true, set, problem))) {
        if (settings->tls_cert)
            listener_set_secure(set);
        return true;
    }
    listener_set_close(set, false);
    listener_set_close(set, true);
    return false;
}

void listener_set_close(struct listener_set *set, bool is_admin)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].is_admin == is_admin && set->items[i].fd >= 0)
            listener_close(&set->items[i]);
    }
}
