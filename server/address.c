#include "address.h"

#include <stdio.h>
#include <string.h>
#include <sys/un.h>

#define ADDRESS_PORT_DIGITS_MAX 5
#define ADDRESS_UNIX            "unix:"

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

/* The path of "unix:/path"; NULL when the text is none, as that of a host named "unix". */
static const char *address_find_path(const char *text)
{
    const size_t size = sizeof(ADDRESS_UNIX) - 1;

    return strncmp(text, ADDRESS_UNIX "/", size + 1) == 0 ? text + size : NULL;
}

static bool address_take_path(const char *path, struct address *address)
{
    const size_t size = strlen(path) + 1;

    if (size > sizeof(((struct sockaddr_un *)NULL)->sun_path))
        return false;
    *address = (struct address){.is_unix = true};
    memcpy(address->host, path, size);
    return true;
}

bool address_parse(const char *text, struct address *address)
{
    const char *host, *port_text, *path = address_find_path(text);
    size_t host_size;
    unsigned port;

    if (path)
        return address_take_path(path, address);

    if (!address_split(text, &host, &host_size, &port_text))
        return false;
    if (host_size == 0 || host_size >= ADDRESS_HOST_MAX || !address_parse_port(port_text, &port))
        return false;
    memcpy(address->host, host, host_size);
    address->host[host_size] = '\0';
    address->port = port;
    address->is_unix = false;
    return true;
}

bool address_list_add(struct address_list *list, const char *text, size_t size)
{
    char item[ADDRESS_TEXT_MAX];

    if (list->count == ADDRESS_LIST_MAX || size >= sizeof(item))
        return false;
    memcpy(item, text, size);
    item[size] = '\0';
    if (!address_parse(item, &list->items[list->count]))
        return false;
    list->count++;
    return true;
}

void address_format(const struct address *address, char text[ADDRESS_TEXT_MAX])
{
    const bool has_colon = strchr(address->host, ':') != NULL;

    if (address->is_unix) {
        (void)snprintf(text, ADDRESS_TEXT_MAX, ADDRESS_UNIX "%s", address->host);
        return;
    }
    (void)snprintf(text, ADDRESS_TEXT_MAX, has_colon ? "[%s]:%u" : "%s:%u", address->host,
                   address->port);
}

void address_to_dial(const struct address *listening, struct address *dial)
{
    *dial = *listening;
    if (dial->is_unix)
        return;
    if (strcmp(listening->host, "0.0.0.0") == 0)
        memcpy(dial->host, "127.0.0.1", sizeof("127.0.0.1"));
    else if (strcmp(listening->host, "::") == 0)
        memcpy(dial->host, "::1", sizeof("::1"));
}
