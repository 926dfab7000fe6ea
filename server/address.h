/* Where to listen, as an operator writes it: a host and a port ("127.0.0.1:8080", "localhost:80",
 * "[::1]:8080"), or a Unix socket ("unix:/run/posencd.sock"). */
#ifndef ADDRESS_H
#define ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#define ADDRESS_HOST_MAX 256 /* bytes of a host, with its end: a DNS name has at most 253 */
#define ADDRESS_TEXT_MAX (ADDRESS_HOST_MAX + 8)
#define ADDRESS_LIST_MAX 8

struct address {
    char host[ADDRESS_HOST_MAX]; /* without brackets; of a Unix socket its absolute path */
    unsigned port;               /* 0 to 65535; 0 lets the system choose */
    bool is_unix;
};

struct address_list {
    size_t count;
    struct address items[ADDRESS_LIST_MAX];
};

/* Reads text; false, and address untouched, when it is neither a host and a port nor a path that a
 * socket can have. */
bool address_parse(const char *text, struct address *address);

/* Adds what address_parse() reads of the first `size` bytes; false when that is nothing, or there
 * is no room. */
bool address_list_add(struct address_list *list, const char *text, size_t size);

/* Writes what address_parse() reads, with brackets around an IPv6 host. */
void address_format(const struct address *address, char text[ADDRESS_TEXT_MAX]);

/* Where a client on this machine reaches a server that listens there: loopback for "any". */
void address_to_dial(const struct address *listening, struct address *dial);

#endif
