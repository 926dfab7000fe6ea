#include <criterion/criterion.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "notify.h"

/* A manager's socket; name begins with '/' or '@'. */
static int open_manager(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);

    cr_assert_geq(fd, 0);
    memcpy(address.sun_path, name, strlen(name));
    if (name[0] == '@')
        address.sun_path[0] = '\0';
    cr_assert_eq(bind(fd, (struct sockaddr *)&address,
                      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name))),
                 0);
    return fd;
}

static const char *next_datagram(int fd)
{
    static char text[256];
    const ssize_t got = recv(fd, text, sizeof(text) - 1, 0);

    text[got > 0 ? got : 0] = '\0';
    return text;
}

Test(notify, sends_each_state_as_one_datagram_to_a_path)
{
    char folder[] = "/tmp/posenc-test-notify-XXXXXX", path[64];
    unsigned long long microseconds = 0;
    int manager;

    cr_assert(mkdtemp(folder));
    (void)snprintf(path, sizeof(path), "%s/socket", folder);
    manager = open_manager(path);
    cr_expect(notify_send(path, NOTIFY_READY));
    cr_expect(notify_send_reloading(path));
    cr_expect(notify_send(path, NOTIFY_STOPPING));
    cr_expect_str_eq(next_datagram(manager), "READY=1");
    cr_expect_eq(sscanf(next_datagram(manager), "RELOADING=1\nMONOTONIC_USEC=%llu", &microseconds),
                 1);
    cr_expect_gt(microseconds, 0);
    cr_expect_str_eq(next_datagram(manager), "STOPPING=1");
    cr_expect_str_eq(next_datagram(manager), "");
    (void)close(manager);
    cr_expect_not(notify_send(path, NOTIFY_READY), "nobody is there");
    (void)unlink(path);
    (void)rmdir(folder);
}

Test(notify, sends_to_an_abstract_name)
{
    char name[64];
    int manager;

    (void)snprintf(name, sizeof(name), "@posenc-test-notify-%d", (int)getpid());
    manager = open_manager(name);
    cr_expect(notify_send(name, NOTIFY_READY));
    cr_expect_str_eq(next_datagram(manager), "READY=1");
    (void)close(manager);
}

Test(notify, is_silent_where_no_manager_is_named_and_refuses_odd_names)
{
    char longest[sizeof(((struct sockaddr_un *)NULL)->sun_path) + 2] = "/";

    memset(longest + 1, 'a', sizeof(longest) - 2);
    cr_expect(notify_send(NULL, NOTIFY_READY));
    cr_expect_not(notify_send("", NOTIFY_READY));
    cr_expect_not(notify_send("@", NOTIFY_READY));
    cr_expect_not(notify_send("relative", NOTIFY_READY));
    cr_expect_not(notify_send(longest, NOTIFY_READY));
}
