#include <criterion/criterion.h>
#include <string.h>

#include "address.h"

Test(address, reads_names_and_both_kinds_of_numbers)
{
    static const struct {
        const char *text, *host;
        unsigned port;
    } rows[] = {
        {"127.0.0.1:8080", "127.0.0.1", 8080},
        {"localhost:0", "localhost", 0},
        {"[::1]:65535", "::1", 65535},
        {"[fe80::1%eth0]:80", "fe80::1%eth0", 80},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct address address;
        char text[ADDRESS_TEXT_MAX];

        cr_assert(address_parse(rows[i].text, &address), "%s", rows[i].text);
        cr_expect_str_eq(address.host, rows[i].host);
        cr_expect_eq(address.port, rows[i].port);
        address_format(&address, text);
        cr_expect_str_eq(text, rows[i].text);
    }
}

Test(address, refuses_what_is_no_host_and_port_and_leaves_the_output_alone)
{
    static const char *const texts[] = {
        "",       "8080",    ":8080",   "a",     "a:",       "a:65536", "a:-1",  "a:8o",
        "::1:80", "[::1]80", "[::1:80", "[]:80", "a:123456", "a: 80",   "a:80 ", "[::1]:",
    };
    char long_text[ADDRESS_HOST_MAX + 8];

    memset(long_text, 'a', ADDRESS_HOST_MAX);
    (void)strcpy(long_text + ADDRESS_HOST_MAX, ":80");
    for (size_t i = 0; i <= sizeof(texts) / sizeof(texts[0]); i++) {
        const char *text = i < sizeof(texts) / sizeof(texts[0]) ? texts[i] : long_text;
        struct address address = {.host = "kept", .port = 7};

        cr_expect_not(address_parse(text, &address), "%s", text);
        cr_expect_str_eq(address.host, "kept");
        cr_expect_eq(address.port, 7);
    }
    cr_expect(address_parse(long_text + 1, &(struct address){0}), "one byte less fits");
}

Test(address, dials_loopback_where_a_server_listens_everywhere)
{
    struct address any = {.host = "0.0.0.0", .port = 5}, dial;

    address_to_dial(&any, &dial);
    cr_expect_str_eq(dial.host, "127.0.0.1");
    cr_expect_eq(dial.port, 5);
    (void)strcpy(any.host, "::");
    address_to_dial(&any, &dial);
    cr_expect_str_eq(dial.host, "::1");
    (void)strcpy(any.host, "10.1.2.3");
    address_to_dial(&any, &dial);
    cr_expect_str_eq(dial.host, "10.1.2.3");
}

Test(address, reads_absolute_paths_of_sockets)
{
    struct address address, dial;
    char text[ADDRESS_TEXT_MAX], longest[128] = "unix:/";

    cr_assert(address_parse("unix:/run/posencd.sock", &address));
    cr_expect(address.is_unix);
    cr_expect_str_eq(address.host, "/run/posencd.sock");
    address_format(&address, text);
    cr_expect_str_eq(text, "unix:/run/posencd.sock");
    address_to_dial(&address, &dial);
    cr_expect(dial.is_unix);
    cr_expect_str_eq(dial.host, "/run/posencd.sock");
    cr_assert(address_parse("unix:80", &address), "a host may be called so");
    cr_expect_not(address.is_unix);
    cr_expect_eq(address.port, 80);
    cr_expect_not(address_parse("unix:", &address));
    cr_expect_not(address_parse("unix:relative", &address));
    memset(longest + 6, 'a', 106); /* 107 bytes of path and an end: all that sockaddr_un holds */
    cr_expect(address_parse(longest, &address));
    (void)strcat(longest, "a");
    cr_expect_not(address_parse(longest, &address));
}

Test(address, fits_a_list_of_eight)
{
    static struct address_list list;

    for (size_t i = 0; i < ADDRESS_LIST_MAX; i++)
        cr_expect(address_list_add(&list, "a:80,b:81", 4));
    cr_expect_not(address_list_add(&list, "a:80", 4));
    cr_expect_eq(list.count, ADDRESS_LIST_MAX);
    cr_expect_str_eq(list.items[7].host, "a");
    list.count = 0;
    cr_expect_not(address_list_add(&list, "a:", 2));
    cr_expect_eq(list.count, 0);
}
