/* Connections by address: alone, by network, and to the end. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/un.h>

#include "address_counts.h"

static struct address_counts counts;

static struct sockaddr_storage address_of(const char *text)
{
    struct sockaddr_storage storage = {0};
    struct sockaddr_in *ipv4 = (struct sockaddr_in *)&storage;
    struct sockaddr_in6 *ipv6 = (struct sockaddr_in6 *)&storage;

    if (inet_pton(AF_INET, text, &ipv4->sin_addr) == 1)
        ipv4->sin_family = AF_INET;
    else if (inet_pton(AF_INET6, text, &ipv6->sin6_addr) == 1)
        ipv6->sin6_family = AF_INET6;
    else
        storage.ss_family = AF_UNIX;
    return storage;
}

static size_t enter(const char *text, struct address_count **entry)
{
    const struct sockaddr_storage address = address_of(text);
    size_t count;

    *entry = address_counts_enter(&counts, (const struct sockaddr *)&address, &count);
    return count;
}

Test(address_counts, counts_an_address_alone_and_forgets_it)
{
    struct address_count *a, *b, *c;

    address_counts_init(&counts);
    cr_expect_eq(enter("192.0.2.1", &a), 1);
    cr_expect_eq(enter("192.0.2.1", &b), 2);
    cr_expect_eq(enter("192.0.2.2", &c), 1);
    address_counts_leave(&counts, a);
    cr_expect_eq(enter("192.0.2.1", &a), 2);
    address_counts_leave(&counts, a);
    address_counts_leave(&counts, b);
    address_counts_leave(&counts, c);
    for (size_t i = 0; i < ADDRESS_COUNTS_BUCKETS; i++)
        cr_assert_null(counts.buckets[i]);
}

Test(address_counts, takes_networks_of_64_bits_and_mapped_addresses_as_one)
{
    struct address_count *entries[6];

    address_counts_init(&counts);
    cr_expect_eq(enter("2001:db8:1:2::1", &entries[0]), 1);
    cr_expect_eq(enter("2001:db8:1:2:ffff::9", &entries[1]), 2);
    cr_expect_eq(enter("2001:db8:1:3::1", &entries[2]), 1);
    cr_expect_eq(enter("192.0.2.1", &entries[3]), 1);
    cr_expect_eq(enter("::ffff:192.0.2.1", &entries[4]), 2);
    cr_expect_eq(enter("::", &entries[5]), 1, "another family than 0.0.0.0");
    for (size_t i = 0; i < 6; i++)
        address_counts_leave(&counts, entries[i]);
}

Test(address_counts, does_not_count_what_has_no_address)
{
    struct address_count *entry;

    address_counts_init(&counts);
    cr_expect_eq(enter("a path", &entry), 0);
    cr_expect_null(entry);
    address_counts_leave(&counts, entry);
}

Test(address_counts, keeps_many_apart)
{
    static struct address_count *entries[5000];
    char text[32];

    address_counts_init(&counts);
    for (unsigned i = 0; i < 5000; i++) {
        (void)snprintf(text, sizeof(text), "10.0.%u.%u", i / 250, i % 250);
        cr_assert_eq(enter(text, &entries[i]), 1);
    }
    for (unsigned i = 0; i < 5000; i += 2)
        address_counts_leave(&counts, entries[i]);
    cr_expect_eq(enter("10.0.0.1", &entries[0]), 2);
    address_counts_leave(&counts, entries[0]);
    for (unsigned i = 1; i < 5000; i += 2)
        address_counts_leave(&counts, entries[i]);
    for (size_t i = 0; i < ADDRESS_COUNTS_BUCKETS; i++)
        cr_assert_null(counts.buckets[i]);
}
