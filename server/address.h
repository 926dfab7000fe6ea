/* A host and a port as an operator writes them: "127.0.0.1:8080", "localhost:80", "[::1]:8080". */
#ifndef ADDRESS_H
#define ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#define ADDRESS_HOST_MAX 256 /* bytes of a host, with its end: a DNS name has at most 253 */
#define ADDRESS_TEXT_MAX (ADDRESS_HOST_MAX + 8)

struct address {
    char host[ADDRESS_HOST_MAX]; /* without brackets */
    unsigned port;               /* 0 to 65535; 0 lets the system choose */
};

/* Reads text; false, and address untouched, when it is not a host and a port. */
bool address_parse(const char *text, struct address *address);

/* Writes what address_parse() reads, with brackets around an IPv6 host. */
void address_format(const struct address *address, char text[ADDRESS_TEXT_MAX]);

/* Where a client on this machine reaches a server that listens there: loopback for "any". */
void address_to_dial(const struct address *listening, struct address *dial);

#endif
