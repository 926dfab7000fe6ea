#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "canned.h"

Test(canned, writes_one_answer_whose_length_is_true)
{
    static const struct canned canned = {408, "Request Timeout", "request-timeout", "Hurry."};
    char reply[CANNED_TEXT_MAX];
    const char *length, *body;

    cr_assert_eq(canned_write(&canned, reply), strlen(reply));
    cr_expect_eq(strncmp(reply, "HTTP/1.1 408 Request Timeout\r\n", 30), 0, "%s", reply);
    cr_expect(strstr(reply, "\r\nConnection: close\r\n"));
    length = strstr(reply, "\r\nContent-Length: ");
    body = strstr(reply, "\r\n\r\n");
    cr_assert(length && body);
    cr_expect_eq(strtoul(length + strlen("\r\nContent-Length: "), NULL, 10), strlen(body + 4));
    cr_expect(strstr(body, "\"urn:posenc:problem:request-timeout\""));
    cr_expect(strstr(body, "\"detail\":\"Hurry.\""));
}
