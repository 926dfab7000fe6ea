#include "address.h"

#include <stdio.h>
#include <string.h>

#define ADDRESS_PORT_DIGITS_MAX 5

static bool address_parse_port(const char *text, unsigned *port)
{
    unsigned value = 0;
    size_t digits = 0;

    for (; text[digits] >= '0' && text[digits] <= '9'; digits++) {
        if (digits == ADDRESS_PORT_DIGITS_MAX)
            return false;
        value = value * 10 + (unsigned)(text[digits] - '0');
    }
    if (digits == 0 || text[digits] != '\0' || value > 65535)
        return false;
    *port = value;
    return true;
}

/* The host's bytes and where the port starts; IPv6 hosts need brackets, since they hold colons. */
static bool address_split(const char *text, const char **host, size_t *host_size, const char **port)
{
    const char *end;

    if (text[0] == '[') {
        *host = text + 1;
        end = strchr(text, ']');
        if (!end || end[1] != ':')
            return false;
        *port = end + 2;
    } else {
        *host = text;
        end = strchr(text, ':');
        if (!end)
            return false;
        *port = end + 1;
    }
    *host_size = (size_t)(end - *host);
    return true;
}

bool address_parse(const char *text, struct address *address)
{
    const char *host, *port_text;
    size_t host_size;
    unsigned port;

    if (!address_split(text, &host, &host_size, &port_text))
        return false;
    if (host_size == 0 || host_size >= ADDRESS_HOST_MAX || !address_parse_port(port_text, &port))
        return false;
    memcpy(address->host, host, host_size);
    address->host[host_size] = '\0';
    address->port = port;
    return true;
}

void address_format(const struct address *address, char text[ADDRESS_TEXT_MAX])
{
    const bool has_colon = strchr(address->host, ':') != NULL;

    (void)snprintf(text, ADDRESS_TEXT_MAX, has_colon ? "[%s]:%u" : "%s:%u", address->host,
                   address->port);
}

void address_to_dial(const struct address *listening, struct address *dial)
{
    *dial = *listening;
    if (strcmp(listening->host, "0.0.0.0") == 0)
        memcpy(dial->host, "127.0.0.1", sizeof("127.0.0.1"));
    else if (strcmp(listening->host, "::") == 0)
        memcpy(dial->host, "::1", sizeof("::1"));
}
