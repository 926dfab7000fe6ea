#include "canned.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#define CANNED_BODY_MAX 512
#define CANNED_TEXT_MAX 1024

void canned_send(int fd, const struct canned *canned)
{
    char body[CANNED_BODY_MAX], text[CANNED_TEXT_MAX];

    (void)snprintf(body, sizeof(body),
                   "{\"type\":\"urn:posenc:problem:%s\",\"title\":\"%s\",\"status\":%u,"
                   "\"detail\":\"%s\"}\n",
                   canned->slug, canned->reason, canned->status, canned->detail);
    (void)snprintf(text, sizeof(text),
                   "HTTP/1.1 %u %s\r\nConnection: close\r\n"
                   "Content-Type: application/problem+json\r\nContent-Length: %zu\r\n\r\n%s",
                   canned->status, canned->reason, strlen(body), body);
    (void)send(fd, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL);
}
