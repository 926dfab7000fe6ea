#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "canned.h"

Test(canned, writes_one_answer_whose_length_is_true)
{
    static const struct canned canned = {408, "Request Timeout", "request-timeout", "Hurry."};
    char reply[2048];
    const char *length, *body;
    ssize_t got;
    int ends[2];

    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    canned_send(ends[0], &canned);
    got = recv(ends[1], reply, sizeof(reply) - 1, MSG_DONTWAIT);
    cr_assert_gt(got, 0);
    reply[got] = '\0';
    cr_expect_eq(strncmp(reply, "HTTP/1.1 408 Request Timeout\r\n", 30), 0, "%s", reply);
    cr_expect(strstr(reply, "\r\nConnection: close\r\n"));
    length = strstr(reply, "\r\nContent-Length: ");
    body = strstr(reply, "\r\n\r\n");
    cr_assert(length && body);
    cr_expect_eq(strtoul(length + strlen("\r\nContent-Length: "), NULL, 10), strlen(body + 4));
    cr_expect(strstr(body, "\"urn:posenc:problem:request-timeout\""));
    cr_expect(strstr(body, "\"detail\":\"Hurry.\""));
}
