#include "canned.h"

#include <stdio.h>
#include <string.h>

#define CANNED_BODY_MAX 512

size_t canned_write(const struct canned *canned, char text[CANNED_TEXT_MAX])
{
    char body[CANNED_BODY_MAX];

    (void)snprintf(body, sizeof(body),
                   "{\"type\":\"urn:posenc:problem:%s\",\"title\":\"%s\",\"status\":%u,"
                   "\"detail\":\"%s\"}\n",
                   canned->slug, canned->reason, canned->status, canned->detail);
    (void)snprintf(text, CANNED_TEXT_MAX,
                   "HTTP/1.1 %u %s\r\nConnection: close\r\n"
                   "Content-Type: application/problem+json\r\nContent-Length: %zu\r\n\r\n%s",
                   canned->status, canned->reason, strlen(body), body);
    return strlen(text);
}
