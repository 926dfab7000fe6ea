#include <criterion/criterion.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "listener.h"

static const struct listener_options options = {.unix_mode = 0600};

static int dial(unsigned port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((in_port_t)port)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
        return fd;
    (void)close(fd);
    return -1;
}

static int dial_path(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    (void)strcpy(address.sun_path, path);
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
        return fd;
    (void)close(fd);
    return -1;
}

Test(listener, accepts_until_nobody_waits_and_refuses_once_closed)
{
    const struct address address = {.host = "127.0.0.1"};
    char problem[LISTENER_PROBLEM_MAX] = "";
    struct listener listener;
    struct arrival arrival;
    int client;

    cr_assert(listener_open(&address, &options, &listener, problem), "%s", problem);
    cr_assert_gt(listener.address.port, 0);
    cr_expect_eq(listener_accept(&listener, &arrival), LISTENER_EMPTY);
    client = dial(listener.address.port);
    cr_assert_geq(client, 0);
    cr_assert_eq(listener_accept(&listener, &arrival), LISTENER_ACCEPTED);
    cr_expect_eq(arrival.address.ss_family, AF_INET);
    cr_expect_eq(listener_accept(&listener, &arrival), LISTENER_EMPTY);
    listener_close(&listener);
    cr_expect_eq(dial(listener.address.port), -1);
    (void)close(client);
}

Test(listener, says_why_it_cannot_listen)
{
    struct address address = {.host = "127.0.0.1"};
    char problem[LISTENER_PROBLEM_MAX] = "";
    struct listener listener, second;

    cr_assert(listener_open(&address, &options, &listener, problem));
    address.port = listener.address.port;
    cr_expect_not(listener_open(&address, &options, &second, problem));
    cr_expect(strstr(problem, "in use"), "%s", problem);
    listener_close(&listener);
    (void)strcpy(address.host, "256.256.256.256");
    cr_expect_not(listener_open(&address, &options, &second, problem));
    cr_expect(strstr(problem, "256.256.256.256"), "%s", problem);
    address = (struct address){.host = "/no/such/folder/socket", .is_unix = true};
    cr_expect_not(listener_open(&address, &options, &second, problem));
    cr_expect(strstr(problem, "unix:/no/such/folder/socket: No such"), "%s", problem);
}

Test(listener, accepts_at_a_path_and_removes_it_when_closed)
{
    char folder[] = "/tmp/posenc-test-listener-XXXXXX", problem[LISTENER_PROBLEM_MAX] = "";
    struct address address = {.is_unix = true};
    struct listener listener;
    struct arrival arrival;
    int client;

    cr_assert(mkdtemp(folder));
    (void)snprintf(address.host, sizeof(address.host), "%s/socket", folder);
    cr_assert(listener_open(&address, &options, &listener, problem), "%s", problem);
    client = dial_path(address.host);
    cr_assert_geq(client, 0);
    cr_assert_eq(listener_accept(&listener, &arrival), LISTENER_ACCEPTED);
    cr_expect_eq(arrival.address.ss_family, AF_UNIX);
    listener_close(&listener);
    cr_expect_neq(access(address.host, F_OK), 0);
    cr_expect_eq(rmdir(folder), 0);
    (void)close(client);
}

Test(listener, adopts_a_socket_that_listens_and_never_shuts_it_down)
{
    const struct address address = {.host = "127.0.0.1"};
    char problem[LISTENER_PROBLEM_MAX] = "";
    struct listener made, adopted;
    int copy, client;

    cr_assert(listener_open(&address, &options, &made, problem), "%s", problem);
    copy = dup(made.fd);
    cr_assert_eq(fcntl(copy, F_SETFL, 0), 0);
    cr_assert(listener_adopt(copy, &adopted, problem), "%s", problem);
    cr_expect_eq(adopted.address.port, made.address.port);
    cr_expect_str_eq(adopted.address.host, "127.0.0.1");
    cr_expect(fcntl(copy, F_GETFL) & O_NONBLOCK);
    cr_expect(fcntl(copy, F_GETFD) & FD_CLOEXEC);
    listener_close(&adopted);
    client = dial(made.address.port);
    cr_expect_geq(client, 0, "who made it can go on");
    (void)close(client);
    listener_close(&made);
}

Test(listener, adopts_nothing_else)
{
    char problem[LISTENER_PROBLEM_MAX] = "";
    struct listener listener;
    int ends[2];

    cr_assert_eq(pipe(ends), 0);
    cr_expect_not(listener_adopt(ends[0], &listener, problem));
    cr_expect(strstr(problem, "no listening stream socket"), "%s", problem);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    cr_expect_not(listener_adopt(ends[0], &listener, problem));
    cr_expect_not(listener_adopt(socket(AF_INET, SOCK_DGRAM, 0), &listener, problem));
    cr_expect_not(listener_adopt(9999, &listener, problem));
}
