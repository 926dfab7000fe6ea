#include <criterion/criterion.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "listener.h"

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

Test(listener, accepts_until_nobody_waits_and_refuses_once_closed)
{
    const struct address address = {.host = "127.0.0.1"};
    char problem[LISTENER_PROBLEM_MAX];
    const int fd = listener_open(&address, problem);
    const unsigned port = listener_port(fd);
    struct arrival arrival;
    int client;

    cr_assert_geq(fd, 0, "%s", problem);
    cr_assert_gt(port, 0);
    cr_expect_eq(listener_accept(fd, &arrival), LISTENER_EMPTY);
    client = dial(port);
    cr_assert_geq(client, 0);
    cr_assert_eq(listener_accept(fd, &arrival), LISTENER_ACCEPTED);
    cr_expect_eq(arrival.address.ss_family, AF_INET);
    cr_expect_eq(listener_accept(fd, &arrival), LISTENER_EMPTY);
    listener_close(fd);
    cr_expect_eq(dial(port), -1);
    (void)close(client);
}

Test(listener, says_why_it_cannot_listen)
{
    struct address address = {.host = "127.0.0.1"};
    char problem[LISTENER_PROBLEM_MAX] = "";
    const int fd = listener_open(&address, problem);

    address.port = listener_port(fd);
    cr_expect_eq(listener_open(&address, problem), -1);
    cr_expect(strstr(problem, "in use"), "%s", problem);
    listener_close(fd);
    (void)strcpy(address.host, "256.256.256.256");
    cr_expect_eq(listener_open(&address, problem), -1);
    cr_expect(strstr(problem, "256.256.256.256"), "%s", problem);
}
